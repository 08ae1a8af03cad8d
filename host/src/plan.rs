//! The plan of a run: the conditions of all its games, made once, when the bots have told which game they play.

use crate::cli::{FormatName, GameArgs, LimitArgs, TimeArgs, TournamentArgs};
use crate::failure::Failure;
use crate::roster::Contestant;
use crate::rules_file;
use crate::seed::RunSeed;
use crate::tournament::Settings;
use arena_league::{Format, FormatError};
use arena_record::{Conditions, Limits, Name, RecordedSeed, RulesDigest};
use arena_rules::{GameKind, GameRules, Size};
use arena_sandbox::{SandboxLimits, TimeLimits, WASMTIME_VERSION, fuel_of_milliseconds};
use std::time::Duration;

/// The watchdog's limit for a turn, in budgets of the rules. Chosen: fuel is what decides, and a machine that takes ten
/// times as long as the budget says is one that has other things to do.
const TIMEOUT_PER_TURN_BUDGET: u32 = 10;

/// The watchdog's limit for a game, in budgets of the rules: 300 s by `guide`, so 150 s for each side. Chosen: a game of house
/// bots takes less than a tenth of a second, measured, and a bot that computes with its whole budget in each of a hundred
/// turns 5 s. Without it, turns that make the fuel last as long as they can take 20 minutes a side by `guide`, and four
/// hours in submarine.
const GAME_TIMEOUT_PER_TURN_BUDGET: u32 = 100;

/// The memory of a bot unless the user asks for another, in MiB. Chosen: a bot that is built well takes a few, and two games at
/// a time on a small machine have room for ten times that.
pub const MEMORY_MIB: u32 = 64;

/// The games of a match unless the user asks for another number. Chosen: a first run takes seconds.
const GAMES_PER_MATCH: u32 = 10;

/// The plan of a run. Nothing after it reads an argument.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions of all games. Their rules are valid.
    pub conditions: Conditions,
    /// The random seed, which the conditions may have only the hash of.
    pub seed: RunSeed,
    /// The digest of the rules, which seeds are derived from.
    pub digest: RulesDigest,
    /// The wall-clock times of a turn and of a game, after which the watchdog stops a bot.
    pub times: TimeLimits,
    /// The number of games played at the same time.
    pub jobs: usize,
}

impl Plan {
    /// The plan for these bots, which have to be for one game, on an engine with this hash. `asked` are the rules that the
    /// arguments ask for: see [`rules_asked`].
    ///
    /// # Errors
    /// Bots for two games, or rules that do not fit them.
    pub fn new(
        args: &GameArgs,
        asked: Option<GameRules>,
        engine: String,
        contestants: &[Contestant],
        seed: RunSeed,
    ) -> Result<Self, Failure> {
        let rules = match asked {
            Some(rules) => rules,
            None => {
                GameRules::default_of(contestants.first().map_or(GameKind::ALL[0], |first| first.bot.kind()))
            }
        };
        let rules = resized(rules, args)?;
        if let Some(other) = contestants.iter().find(|other| other.bot.kind() != rules.kind()) {
            return Err(other_game(&rules, other, contestants));
        }
        Ok(Self::of(rules, engine, seed, &args.limits, jobs(args.jobs)))
    }

    /// The plan for games by these rules, on an engine with this hash.
    pub fn of(rules: GameRules, engine: String, seed: RunSeed, limits: &LimitArgs, jobs: usize) -> Self {
        let conditions = limits.conditions(rules, engine, seed.recorded);
        Self {
            seed,
            digest: RulesDigest::of(&conditions.rules),
            times: limits.times.limits(&conditions.rules),
            conditions,
            jobs,
        }
    }
}

fn other_game(rules: &GameRules, other: &Contestant, contestants: &[Contestant]) -> Failure {
    let (file, kind) = (&other.file, other.bot.kind());
    match contestants.iter().find(|first| first.bot.kind() == rules.kind()) {
        Some(first) => Failure::usage(
            format!("{} plays {}, and {file} plays {kind}", first.file, rules.kind()),
            "name bots for one game",
        ),
        None => Failure::usage(
            format!(
                "{file} plays {kind}, and the rules `{}` are of {}",
                Name::new(rules.name()),
                rules.kind()
            ),
            "leave out --rules, or name bots for that game",
        ),
    }
}

impl LimitArgs {
    /// The conditions of games by these rules, on an engine with this hash.
    fn conditions(&self, rules: GameRules, engine: String, seed: RecordedSeed) -> Conditions {
        let by_rules = || fuel_of_milliseconds(rules.turn_budget_ms().into());
        Conditions {
            arena: env!("CARGO_PKG_VERSION").into(),
            wasmtime: WASMTIME_VERSION.into(),
            engine: engine.into(),
            limits: Limits {
                fuel_per_turn: self.fuel.unwrap_or_else(by_rules),
                memory_bytes: self.memory_bytes(),
            },
            rules,
            seed,
        }
    }

    /// The limits of a sandbox with room for this number of games at a time. They do not depend on the rules, which are not
    /// known before the bots are.
    pub fn sandbox(&self, workers: usize) -> SandboxLimits {
        sandbox_limits(workers, self.memory_bytes())
    }

    /// These limits, with those of a journal where none are asked for.
    #[must_use]
    pub fn or_of(&self, journal: &Limits) -> Self {
        let memory_mib = u32::try_from(journal.memory_bytes >> 20).ok();
        Self {
            fuel: self.fuel.or(Some(journal.fuel_per_turn)),
            memory: self.memory.or(memory_mib),
            times: self.times,
        }
    }

    fn memory_bytes(&self) -> u64 {
        u64::from(self.memory.unwrap_or(MEMORY_MIB)) << 20
    }
}

/// The limits of a sandbox with room for this number of games at a time, whose bots have this memory.
pub fn sandbox_limits(workers: usize, memory_bytes: u64) -> SandboxLimits {
    let memory_bytes_max = usize::try_from(memory_bytes).unwrap_or(usize::MAX);
    SandboxLimits { workers, memory_bytes_max, ..SandboxLimits::default() }
}

impl TimeArgs {
    /// The watchdog's limits of games by these rules: as asked, or in proportion to the rules' budget.
    pub fn limits(&self, rules: &GameRules) -> TimeLimits {
        let budget = Duration::from_millis(rules.turn_budget_ms().into());
        let budgets = |number| budget.saturating_mul(number);
        TimeLimits {
            turn: self.timeout.unwrap_or_else(|| budgets(TIMEOUT_PER_TURN_BUDGET)),
            game: self.game_timeout.unwrap_or_else(|| budgets(GAME_TIMEOUT_PER_TURN_BUDGET)),
        }
    }
}

/// The number of games to play at the same time: as asked, or one for each core.
pub fn jobs(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, usize::from)
}

/// The rules that the arguments ask for, if they name any: a mistake in them is found before a bot is looked at.
///
/// # Errors
/// A name that no rules have, a file that is wrong, or a board on which they cannot be played.
pub fn rules_asked(args: &GameArgs) -> Result<Option<GameRules>, Failure> {
    rules_asked_or(args, None)
}

/// The same as [`rules_asked`], with the rules of a journal if the arguments name none.
///
/// # Errors
/// As there.
pub fn rules_asked_or(args: &GameArgs, journal: Option<&GameRules>) -> Result<Option<GameRules>, Failure> {
    let rules = args.rules.as_deref().map(rules_file::load).transpose()?;
    rules.or_else(|| journal.cloned()).map(|rules| resized(rules, args)).transpose()
}

/// The rules on the board that the arguments ask for.
fn resized(rules: GameRules, args: &GameArgs) -> Result<GameRules, Failure> {
    let own = rules.size();
    let size = Size::new(args.width.unwrap_or(own.width), args.height.unwrap_or(own.height));
    if size == own {
        return Ok(rules);
    }
    let resized = rules.resized(size).ok_or_else(|| {
        Failure::usage(format!("{} is played on {own}", rules.kind()), "leave out --width and --height")
    })?;
    match resized.validate() {
        Ok(()) => Ok(resized),
        Err(error) => Err(Failure::usage(error.to_string(), "choose another --width and --height")),
    }
}

/// Checks that the arguments about a format belong to it: to the one that they ask for, or that the journal has.
///
/// # Errors
/// One that belongs to another format.
pub fn check_settings(args: &TournamentArgs, journal: Option<&Settings>) -> Result<(), Failure> {
    use FormatName::{Gauntlet, Knockout, Swiss};
    let played = format_name(args, journal);
    let stray = [
        ("--challengers", args.challengers.is_some(), &[Gauntlet][..], "gauntlet"),
        ("--rounds", args.rounds.is_some(), &[Swiss], "swiss"),
        ("--seeding", args.seeding.is_some(), &[Swiss, Knockout], "swiss or knockout"),
    ];
    match stray.into_iter().find(|(_, given, formats, _)| *given && !formats.contains(&played)) {
        Some((option, _, _, format)) => Err(Failure::usage(
            format!("{option} is for --format {format}"),
            format!("leave it out, or choose --format {format}"),
        )),
        None => Ok(()),
    }
}

/// The settings of a tournament between this number of contestants: as asked, or as the journal has them.
pub fn settings(args: &TournamentArgs, journal: Option<&Settings>, contestants: usize) -> Settings {
    let format = match (format_name(args, journal), journal.map(|settings| settings.format)) {
        (FormatName::RoundRobin, _) => Format::RoundRobin,
        (FormatName::Gauntlet, Some(Format::Gauntlet { challengers })) => {
            Format::Gauntlet { challengers: args.challengers.unwrap_or(challengers) }
        }
        (FormatName::Gauntlet, _) => Format::Gauntlet { challengers: args.challengers.unwrap_or(1) },
        (FormatName::Swiss, Some(Format::Swiss { rounds })) => {
            Format::Swiss { rounds: args.rounds.unwrap_or(rounds) }
        }
        (FormatName::Swiss, _) => {
            Format::Swiss { rounds: args.rounds.unwrap_or_else(|| rounds_of_a_knockout(contestants)) }
        }
        (FormatName::Knockout, _) => Format::Knockout,
    };
    let games_of_journal = journal.map_or(GAMES_PER_MATCH, |settings| settings.games_per_match);
    let max_faults = match args.max_faults {
        Some(0) => None,
        Some(games) => Some(games),
        None => journal.and_then(|settings| settings.max_faults),
    };
    Settings { format, games_per_match: args.games.unwrap_or(games_of_journal), max_faults }
}

/// The format that the arguments ask for, or that the journal has.
fn format_name(args: &TournamentArgs, journal: Option<&Settings>) -> FormatName {
    let of_journal = |settings: &Settings| match settings.format {
        Format::RoundRobin => FormatName::RoundRobin,
        Format::Gauntlet { .. } => FormatName::Gauntlet,
        Format::Swiss { .. } => FormatName::Swiss,
        Format::Knockout => FormatName::Knockout,
    };
    args.format.or_else(|| journal.map(of_journal)).unwrap_or(FormatName::RoundRobin)
}

/// The next step after settings that make no schedule.
pub fn next_format(error: &FormatError) -> String {
    match error {
        FormatError::TooFewContestants(_) => "name two bots or more".into(),
        FormatError::NoGames => "choose a number of --games from 1".into(),
        FormatError::OddGames { games_per_match, .. } => format!("choose --games {}", games_per_match + 1),
        FormatError::Challengers { contestants, .. } => {
            let most = contestants.saturating_sub(1);
            format!("choose --challengers {most} or fewer, or name more bots")
        }
        FormatError::NoRounds => "choose a number of --rounds from 1".into(),
        FormatError::TooManyForSwiss(_) => "choose another --format, or name fewer bots".into(),
        FormatError::TooManyGames(_) => "choose fewer --games, or name fewer bots".into(),
    }
}

/// The number of rounds that it takes to find one bot that has won all its matches.
fn rounds_of_a_knockout(contestants: usize) -> u32 {
    contestants.next_power_of_two().ilog2().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use arena_rules::submarine;
    use clap::Parser;

    fn plan(rules: GameRules, options: &[&str]) -> Plan {
        let words = ["arena", "watch", "a", "b"].into_iter().chain(options.iter().copied());
        let crate::cli::Command::Watch(args) = Cli::try_parse_from(words).unwrap().command else {
            unreachable!("it is the command watch")
        };
        let seed = arena_record::Seed::from(1).into();
        Plan::new(&args.game, Some(rules), "engine".into(), &[], seed).unwrap()
    }

    #[test]
    fn fuel_and_the_watchdog_follow_the_budget_of_the_rules_that_are_played() {
        let brief = submarine::Rules { turn_budget_ms: 700, ..submarine::Rules::default() };
        for (rules, milliseconds) in [
            (GameRules::named("guide").unwrap(), 3_000),
            (GameRules::named("pirates").unwrap(), 500),
            (GameRules::Submarine(brief), 700),
        ] {
            let plan = plan(rules, &[]);
            assert_eq!(plan.times.turn, Duration::from_millis(10 * milliseconds));
            assert_eq!(plan.times.game, Duration::from_millis(100 * milliseconds));
            assert_eq!(plan.conditions.limits.fuel_per_turn, fuel_of_milliseconds(milliseconds));
        }
    }

    #[track_caller]
    fn check_settings_of(options: &[&str], journal: Settings, expected: Settings) {
        let words = ["arena", "run", "a", "b"].into_iter().chain(options.iter().copied());
        let crate::cli::Command::Run(args) = Cli::try_parse_from(words).unwrap().command else {
            unreachable!("it is the command run")
        };
        assert_eq!(settings(&args.tournament, Some(&journal), 4), expected);
    }

    #[test]
    fn settings_that_are_not_asked_for_are_those_of_the_journal() {
        let kept = Settings {
            format: Format::Gauntlet { challengers: 2 },
            games_per_match: 100,
            max_faults: Some(3),
        };
        check_settings_of(&[], kept, kept);
        check_settings_of(&["--games", "6"], kept, Settings { games_per_match: 6, ..kept });
        check_settings_of(&["--max-faults", "0"], kept, Settings { max_faults: None, ..kept });
        check_settings_of(
            &["--challengers", "1"],
            kept,
            Settings { format: Format::Gauntlet { challengers: 1 }, ..kept },
        );
        check_settings_of(
            &["--format", "round-robin"],
            kept,
            Settings { format: Format::RoundRobin, ..kept },
        );
        let swiss = Settings { format: Format::Swiss { rounds: 5 }, ..kept };
        check_settings_of(&["--format", "swiss"], swiss, swiss);
        check_settings_of(
            &["--format", "swiss"],
            kept,
            Settings { format: Format::Swiss { rounds: 2 }, ..kept },
        );
    }

    #[test]
    fn what_is_asked_for_comes_before_what_the_rules_say() {
        let options = ["--timeout", "2", "--game-timeout", "7", "--fuel", "5", "--width", "12"];
        let plan = plan(GameRules::named("guide").unwrap(), &options);
        assert_eq!(plan.times, TimeLimits { turn: Duration::from_secs(2), game: Duration::from_secs(7) });
        assert_eq!(plan.conditions.limits.fuel_per_turn, 5);
        assert_eq!(plan.conditions.rules.size(), Size::new(12, 10));
    }
}
