//! The options of a run, and the plan that follows from them once the game of the bots is known.

use crate::error::Error;
use crate::game_file::GameChoice;
use crate::mistake::Mistake;
use crate::rules_file;
use crate::tournament::Settings;
use arena_league::Format;
use arena_players::{Contestant, LimitOptions, Plan, RunSeed, jobs};
use arena_record::Name;
use arena_referee::HostError;
use arena_rules::{GameKind, GameRules, Size};
use arena_sandbox::{Bot, Component};
use std::path::PathBuf;

/// The games of a match unless the user asks for another number. Chosen: a first run takes seconds.
const GAMES_PER_MATCH: u32 = 10;

/// The options of a game. Omitted ones have their default, or the journal's value.
#[derive(Clone, Debug, Default)]
pub struct GameOptions {
    /// The name of built-in rules, or the path of a file with rules. Usual: the first ones of the bots' game.
    pub rules: Option<String>,
    /// A loaded game, instead of built-in rules.
    pub game: Option<GameChoice>,
    /// The columns of the board.
    pub width: Option<u8>,
    /// The rows of the board.
    pub height: Option<u8>,
    /// The games at the same time. Usual: one for each core.
    pub jobs: Option<u16>,
    /// The limits of a bot.
    pub limits: LimitOptions,
}

/// The options of a tournament. Omitted ones have their default, or the journal's value.
#[derive(Clone, Debug, Default)]
pub struct TournamentOptions {
    /// The games of a match. Usual: 10.
    pub games_per_match: Option<u32>,
    /// The format. Usual: a round robin.
    pub format: Option<FormatKind>,
    /// The number of challengers of a gauntlet. They are named first. Usual: 1.
    pub challengers: Option<u32>,
    /// The largest distance of neighbours, in places. Usual: 1.
    pub neighbours: Option<u32>,
    /// The number of bots that rest, named last. Usual: none, whatever the journal has.
    pub resting: Option<u32>,
    /// The games of each match that come before the schedule. Usual: 0, whatever the journal has.
    pub games_before: Option<u32>,
    /// The number of the full round to which the stage belongs. Usual: none, whatever the journal has.
    pub full_round: Option<u32>,
    /// The number of rounds of a Swiss. Usual: as in a knockout.
    pub rounds: Option<u32>,
    /// A journal by whose ratings the bots are put in order, for a Swiss or a knockout.
    pub seeding: Option<PathBuf>,
    /// The number of games with faults after which a bot is disqualified. 0: never, which is usual.
    pub max_faults: Option<u32>,
}

/// A kind of format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Every bot plays every other.
    RoundRobin,
    /// The bots named first play all others.
    Gauntlet,
    /// Bots play those that are named just before and after them.
    Neighbours,
    /// Rounds between bots with about the same points.
    Swiss,
    /// The loser of a match is out.
    Knockout,
}

/// The rules for these bots. They must be for one game. `asked` are the rules that the arguments name: see
/// [`rules_asked`].
///
/// # Errors
/// Bots for two games, or rules that do not fit them.
pub fn rules(
    options: &GameOptions,
    asked: Option<GameRules>,
    contestants: &[Contestant],
) -> Result<GameRules, Error> {
    let rules = match asked {
        Some(rules) => rules,
        None => {
            let kind = contestants.first().map_or(GameKind::ALL[0], |first| first.bot.kind());
            GameRules::default_of(kind).ok_or_else(|| no_game(contestants))?
        }
    };
    let rules = resized(rules, options)?;
    check_game(&rules, contestants)?;
    let bots: Vec<&Bot> = contestants.iter().map(|contestant| &contestant.bot).collect();
    for (contestant, checked) in contestants.iter().zip(check_types(&rules, &bots)?) {
        checked.map_err(|difference| Mistake::BotOfOtherContract {
            file: contestant.file.to_string(),
            difference,
        })?;
    }
    Ok(rules)
}

/// Checks the types of bots for a loaded game: for each bot, the first difference from the game, as a sentence about it. Bots for a
/// built-in game have been checked.
///
/// # Errors
/// The game cannot be loaded, or a failure of the arena.
pub(crate) fn check_types(rules: &GameRules, bots: &[&Bot]) -> Result<Vec<Result<(), String>>, Error> {
    let components: Option<Vec<Component>> = bots.iter().map(|bot| bot.component()).collect();
    match (rules, components) {
        (GameRules::Loaded(_), Some(components)) => {
            arena_loaded::check_bots(rules, &components).map_err(|failure| HostError::from(failure).into())
        }
        _ => Ok(vec![Ok(()); bots.len()]),
    }
}

/// The plan for these bots, which must be for one game, on an engine with this hash. `asked` are the rules that the
/// arguments name: see [`rules_asked`].
///
/// # Errors
/// Rules and bots that do not belong together, or a failure of the arena.
pub fn plan(
    options: &GameOptions,
    asked: Option<GameRules>,
    engine: String,
    contestants: &[Contestant],
    seed: RunSeed,
) -> Result<Plan, Error> {
    let rules = rules(options, asked, contestants)?;
    Ok(Plan::of(rules, engine, seed, &options.limits, jobs(options.jobs)))
}

/// The error about bots for a loaded game, without the game.
fn no_game(contestants: &[Contestant]) -> Error {
    let file = contestants.first().map_or("a bot", |first| first.file.as_str());
    Mistake::BotWithoutGame { file: file.into() }.into()
}

/// Checks that bots are for the game of these rules.
///
/// # Errors
/// A bot for another game.
pub fn check_game(rules: &GameRules, contestants: &[Contestant]) -> Result<(), Error> {
    let game = rules.kind();
    let Some(other) = contestants.iter().find(|other| other.bot.kind() != game) else { return Ok(()) };
    let (file, plays) = (other.file.to_string(), other.bot.kind());
    let mistake = match contestants.iter().find(|first| first.bot.kind() == game) {
        Some(first) => Mistake::BotsOfTwoGames { first: first.file.to_string(), game, other: file, plays },
        None => Mistake::BotOfOtherGame { file, plays, rules: Name::new(rules.name()), game },
    };
    Err(mistake.into())
}

/// The rules that the options name, if any: a mistake in them is found before a bot is read.
///
/// # Errors
/// An unknown name, a wrong file, or a board on which the rules cannot be played.
pub fn rules_asked(options: &GameOptions) -> Result<Option<GameRules>, Error> {
    rules_asked_or(options, None)
}

/// The same as [`rules_asked`], with the rules of a journal if the options name none.
///
/// # Errors
/// As there.
pub fn rules_asked_or(
    options: &GameOptions,
    journal: Option<&GameRules>,
) -> Result<Option<GameRules>, Error> {
    let rules = match &options.game {
        Some(game) => Some(game.load()?),
        None => options.rules.as_deref().map(rules_file::load).transpose()?,
    };
    rules.or_else(|| journal.cloned()).map(|rules| resized(rules, options)).transpose()
}

/// The rules on the board that the options ask for.
fn resized(rules: GameRules, options: &GameOptions) -> Result<GameRules, Error> {
    let Some(own) = rules.size() else {
        return match options.width.or(options.height) {
            None => Ok(rules),
            Some(_) => Err(Mistake::NoBoardSizes { game: rules.game().into(), kind: rules.kind() }.into()),
        };
    };
    let size = Size::new(options.width.unwrap_or(own.width), options.height.unwrap_or(own.height));
    if size == own {
        return Ok(rules);
    }
    let resized = rules.resized(size).ok_or(Mistake::OneBoardSize { game: rules.kind(), size: own })?;
    resized.validate().map_err(Mistake::BoardSize)?;
    Ok(resized)
}

/// Checks that the options about a format belong to it: to the one that they ask for, or that the journal has.
///
/// # Errors
/// One that belongs to another format.
pub fn check_settings(options: &TournamentOptions, journal: Option<&Settings>) -> Result<(), Error> {
    use FormatKind::{Gauntlet, Knockout, Swiss};
    let played = format_name(options, journal);
    let stray = [
        ("--challengers", options.challengers.is_some(), &[Gauntlet][..], "gauntlet"),
        ("--rounds", options.rounds.is_some(), &[Swiss], "swiss"),
        ("--seeding", options.seeding.is_some(), &[Swiss, Knockout], "swiss or knockout"),
    ];
    match stray.into_iter().find(|(_, given, formats, _)| *given && !formats.contains(&played)) {
        Some((option, _, _, formats)) => Err(Mistake::OptionOfAnotherFormat { option, formats }.into()),
        None => Ok(()),
    }
}

/// The settings of a tournament between this number of contestants: as asked, or as the journal has them.
pub fn settings(options: &TournamentOptions, journal: Option<&Settings>, contestants: usize) -> Settings {
    let format = match (format_name(options, journal), journal.map(|settings| settings.format)) {
        (FormatKind::RoundRobin, _) => Format::RoundRobin,
        (FormatKind::Gauntlet, Some(Format::Gauntlet { challengers })) => {
            Format::Gauntlet { challengers: options.challengers.unwrap_or(challengers) }
        }
        (FormatKind::Gauntlet, _) => Format::Gauntlet { challengers: options.challengers.unwrap_or(1) },
        (FormatKind::Neighbours, Some(Format::Neighbours { neighbours })) => {
            Format::Neighbours { neighbours: options.neighbours.unwrap_or(neighbours) }
        }
        (FormatKind::Neighbours, _) => Format::Neighbours { neighbours: options.neighbours.unwrap_or(1) },
        (FormatKind::Swiss, Some(Format::Swiss { rounds })) => {
            Format::Swiss { rounds: options.rounds.unwrap_or(rounds) }
        }
        (FormatKind::Swiss, _) => {
            Format::Swiss { rounds: options.rounds.unwrap_or_else(|| rounds_of_a_knockout(contestants)) }
        }
        (FormatKind::Knockout, _) => Format::Knockout,
    };
    let games_of_journal = journal.map_or(GAMES_PER_MATCH, |settings| settings.games_per_match);
    let max_faults = match options.max_faults {
        Some(0) => None,
        Some(games) => Some(games),
        None => journal.and_then(|settings| settings.max_faults),
    };
    let games_per_match = options.games_per_match.unwrap_or(games_of_journal);
    let [resting, games_before] = [options.resting, options.games_before].map(Option::unwrap_or_default);
    Settings { format, games_per_match, max_faults, resting, games_before, full_round: options.full_round }
}

/// The format that the options ask for, or that the journal has.
fn format_name(options: &TournamentOptions, journal: Option<&Settings>) -> FormatKind {
    let of_journal = |settings: &Settings| match settings.format {
        Format::RoundRobin => FormatKind::RoundRobin,
        Format::Gauntlet { .. } => FormatKind::Gauntlet,
        Format::Neighbours { .. } => FormatKind::Neighbours,
        Format::Swiss { .. } => FormatKind::Swiss,
        Format::Knockout => FormatKind::Knockout,
    };
    options.format.or_else(|| journal.map(of_journal)).unwrap_or(FormatKind::RoundRobin)
}

/// The number of rounds that it takes to find one bot that has won all its matches.
fn rounds_of_a_knockout(contestants: usize) -> u32 {
    contestants.next_power_of_two().ilog2().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_players::TimeOptions;
    use arena_rules::submarine;
    use arena_sandbox::{TimeLimits, fuel_of_milliseconds};
    use std::time::Duration;

    fn plan_of(rules: GameRules, options: &GameOptions) -> Plan {
        let seed = arena_record::Seed::from(1).into();
        plan(options, Some(rules), "engine".into(), &[], seed).unwrap()
    }

    #[test]
    fn fuel_and_the_watchdog_follow_the_budget_of_the_rules_that_are_played() {
        let brief = submarine::Rules { turn_budget_ms: 700, ..submarine::Rules::default() };
        for (rules, milliseconds) in [
            (GameRules::named("guide").unwrap(), 3_000),
            (GameRules::named("pirates").unwrap(), 500),
            (GameRules::Submarine(brief), 700),
        ] {
            let plan = plan_of(rules, &GameOptions::default());
            assert_eq!(plan.times.turn, Duration::from_millis(10 * milliseconds));
            assert_eq!(plan.times.game, Duration::from_millis(100 * milliseconds));
            assert_eq!(plan.conditions.limits.fuel_per_turn, fuel_of_milliseconds(milliseconds));
        }
    }

    #[test]
    fn settings_that_are_not_asked_for_are_those_of_the_journal() {
        let kept = Settings {
            format: Format::Gauntlet { challengers: 2 },
            games_per_match: 100,
            max_faults: Some(3),
            resting: 0,
            games_before: 0,
            full_round: None,
        };
        let swiss = Settings { format: Format::Swiss { rounds: 5 }, ..kept };
        let near = Settings { format: Format::Neighbours { neighbours: 4 }, ..kept };
        let asked = TournamentOptions::default;
        let of_format = |format| TournamentOptions { format: Some(format), ..asked() };
        for (options, journal, expected) in [
            (asked(), kept, kept),
            (
                TournamentOptions { games_per_match: Some(6), ..asked() },
                kept,
                Settings { games_per_match: 6, ..kept },
            ),
            (
                TournamentOptions { max_faults: Some(0), ..asked() },
                kept,
                Settings { max_faults: None, ..kept },
            ),
            (
                TournamentOptions { challengers: Some(1), ..asked() },
                kept,
                Settings { format: Format::Gauntlet { challengers: 1 }, ..kept },
            ),
            (of_format(FormatKind::RoundRobin), kept, Settings { format: Format::RoundRobin, ..kept }),
            (of_format(FormatKind::Swiss), swiss, swiss),
            (asked(), near, near),
            // Who rests is asked for anew in each stage.
            (asked(), Settings { resting: 2, games_before: 2, full_round: Some(1), ..kept }, kept),
            (of_format(FormatKind::Swiss), kept, Settings { format: Format::Swiss { rounds: 2 }, ..kept }),
        ] {
            assert_eq!(settings(&options, Some(&journal), 4), expected, "{options:?}");
        }
    }

    #[test]
    fn bots_play_only_the_game_that_they_are_for() {
        let bots = crate::season::tests::contestants(&[0, 1]);
        let rules = GameRules::named("guide").unwrap();
        assert!(check_game(&rules, &bots).is_ok() && check_game(&rules, &[]).is_ok());
        let other = check_game(&GameRules::Submarine(submarine::Rules::default()), &bots);
        let Err(Error::Mistake(Mistake::BotOfOtherGame { file, .. })) = other else { panic!("{other:?}") };
        assert_eq!(file, "sweeper");
    }

    #[test]
    fn without_a_journal_a_contest_has_the_usual_settings_of_its_format() {
        let of = |format, contestants| {
            let options = TournamentOptions { format: Some(format), ..TournamentOptions::default() };
            settings(&options, None, contestants).format
        };
        assert_eq!(of(FormatKind::RoundRobin, 3), Format::RoundRobin);
        assert_eq!(of(FormatKind::Gauntlet, 3), Format::Gauntlet { challengers: 1 });
        assert_eq!(of(FormatKind::Neighbours, 3), Format::Neighbours { neighbours: 1 });
        assert_eq!(of(FormatKind::Knockout, 3), Format::Knockout);
        let rounds = [1, 2, 3, 4, 5, 8, 9].map(|contestants| match of(FormatKind::Swiss, contestants) {
            Format::Swiss { rounds } => rounds,
            other => panic!("{other}"),
        });
        assert_eq!(rounds, [1, 1, 2, 2, 3, 3, 4], "as a knockout has");
        let asked = TournamentOptions {
            format: Some(FormatKind::Neighbours),
            neighbours: Some(3),
            max_faults: Some(2),
            resting: Some(1),
            games_before: Some(2),
            full_round: Some(5),
            ..TournamentOptions::default()
        };
        let settings = settings(&asked, None, 4);
        let expected = Settings {
            format: Format::Neighbours { neighbours: 3 },
            games_per_match: GAMES_PER_MATCH,
            max_faults: Some(2),
            resting: 1,
            games_before: 2,
            full_round: Some(5),
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn what_is_asked_for_comes_before_what_the_rules_say() {
        let times = TimeOptions { turn: Some(Duration::from_secs(2)), game: Some(Duration::from_secs(7)) };
        let limits = LimitOptions { fuel_per_turn: Some(5), memory_mib: None, times };
        let options = GameOptions { width: Some(12), limits, ..GameOptions::default() };
        let plan = plan_of(GameRules::named("guide").unwrap(), &options);
        assert_eq!(plan.times, TimeLimits { turn: Duration::from_secs(2), game: Duration::from_secs(7) });
        assert_eq!(plan.conditions.limits.fuel_per_turn, 5);
        assert_eq!(plan.conditions.rules.size(), Some(Size::new(12, 10)));
    }
}
