//! The bots of a season: those of its journal and those of a run, and which of them play now.

use crate::error::Error;
use crate::mistake::Mistake;
use crate::stored::JournalContent;
use crate::tournament::{Settings, Stage};
use arena_league::{Fixture, Format, GAMES_MAX};
use arena_players::Contestant;
use arena_record::{BotId, Label};
use arena_store::{Difference, Entrant, other_field};
use arena_text::{counted, some_of};
use std::collections::{HashMap, HashSet};

/// The largest number of bots that a note names. Chosen: a few lines.
const NAMED_MAX: usize = 10;

/// A season as a run continues it.
#[derive(Debug)]
pub struct Season {
    /// All bots that have ever played, in the order of their first stage. A label is the file's latest name. If several bots had
    /// the same name, the latest has it, and the others have a version after it, as in `hunter@1`.
    pub bots: Vec<BotId>,
    /// The stage that the run plays.
    pub stage: Stage,
    /// True if the journal has the stage already.
    pub resumes: bool,
    /// The stage as the journal keeps it. One that begins gets its seed from its own draw.
    pub entry: arena_store::Stage,
    /// The number of the stage, from 1.
    pub number: usize,
    /// The number in the roster of each bot; `None` when it does not play now.
    contestants: Vec<Option<usize>>,
    /// The changes since the stage before, in words.
    pub changes: Vec<String>,
}

impl Season {
    /// The season of a run between these contestants: that of its journal, if the journal has one. `keeps_order` is true if the
    /// bots have the places that they had before, regardless of the order in which they are named now.
    ///
    /// # Errors
    /// Settings that the journal's format does not allow, or bots that cannot meet by them.
    pub fn new(
        journal_content: Option<&JournalContent>,
        contestants: &[Contestant],
        settings: Settings,
        keeps_order: bool,
    ) -> Result<Self, Error> {
        let mut bots =
            journal_content.map_or(Vec::new(), |journal_content| journal_content.tournament.bots.clone());
        let mut seats: Vec<Option<usize>> = vec![None; bots.len()];
        let mut field = Vec::new();
        for (index, contestant) in contestants.iter().enumerate() {
            let same = |&bot: &usize| bots[bot].sha256 == contestant.id.sha256 && seats[bot].is_none();
            let bot = (0..bots.len()).find(same).unwrap_or_else(|| {
                bots.push(contestant.id.clone());
                seats.push(None);
                bots.len() - 1
            });
            seats[bot] = Some(index);
            field.push(bot);
        }
        let before = journal_content.and_then(|journal_content| journal_content.stages.last());
        if let Some(before) = before {
            let mut now = field.clone();
            now.sort_unstable();
            let mut then = before.field.clone();
            then.sort_unstable();
            if now == then && keeps_order {
                field.clone_from(&before.field);
            }
            if let Some(difference) = other_contest(before, &settings, &field, &bots) {
                let journal = journal_content.map(|journal_content| journal_content.name.clone());
                let (journal, format) = (journal.unwrap_or_default(), before.settings.format);
                return Err(Mistake::OtherContest { journal, format, difference }.into());
            }
        }
        if settings.format == Format::RoundRobin && settings.resting == 0 {
            field.sort_unstable();
        }
        let label = |bot: usize| {
            let contestant = seats[bot].expect("it plays now");
            contestants[contestant].id.label.clone()
        };
        let mut entry = arena_store::Stage {
            settings: serde_json::to_string(&settings).expect("settings are plain data"),
            entrants: field.iter().map(|&bot| Entrant { bot, label: label(bot) }).collect(),
            draw: None,
        };
        let stage = Stage::new(settings, field).map_err(Mistake::Format)?;
        let entries = journal_content.map_or(&[][..], |journal_content| &journal_content.entries);
        let stages = journal_content.map_or(&[][..], |journal_content| &journal_content.stages);
        let mut changes = entries.last().map_or(Vec::new(), |before| changes(before, &entry, entries));
        if before.is_some_and(|before| before.settings != settings) {
            changes.push(format!("it continues as {settings}"));
        }
        let same =
            |last: &&arena_store::Stage| last.settings == entry.settings && last.entrants == entry.entrants;
        let again = entries.last().filter(same).cloned();
        let resumes = again.is_some();
        entry = again.unwrap_or(entry);
        let earlier = stages.len() - usize::from(resumes);
        label_versions(&mut bots, entries.iter().chain([&entry]));
        if let Some(planned) = too_many_games(stages[..earlier].iter().chain([&stage])) {
            return Err(Mistake::TooManyGames { planned }.into());
        }
        Ok(Self { bots, stage, resumes, entry, number: earlier + 1, contestants: seats, changes })
    }

    /// The season as a journal has it, in this stage of it, which is played again. `contestants` has the number in the roster of each bot
    /// that plays.
    pub(crate) fn again(
        bots: Vec<BotId>,
        stage: Stage,
        entry: arena_store::Stage,
        number: usize,
        contestants: Vec<Option<usize>>,
    ) -> Self {
        Self { bots, stage, resumes: false, entry, number, contestants, changes: Vec::new() }
    }

    /// Leaves out the contestants whose label is that of a disqualified bot, and returns a note on them, if there are any. A
    /// disqualification belongs to the bot's owner: another file under the same name does not undo it. A run that continues
    /// the latest stage leaves out no bot, nor does a run of a format that keeps its field. `disqualified` has the bots that a limit of
    /// faults disqualifies.
    pub fn leave_out(
        journal_content: &JournalContent,
        contestants: &mut Vec<Contestant>,
        settings: &Settings,
        disqualified: impl FnOnce(Option<u32>) -> Vec<usize>,
    ) -> Option<String> {
        let latest = journal_content.entries.last()?;
        let is_of = |contestant: &Contestant| {
            let same = |entrant: &Entrant| {
                entrant.label == contestant.id.label
                    && journal_content.tournament.bots[entrant.bot].sha256 == contestant.id.sha256
            };
            latest.entrants.iter().any(same)
        };
        let goes_on = latest.entrants.len() == contestants.len() && contestants.iter().all(is_of);
        if goes_on || !settings.format.is_one_round() {
            return None;
        }
        let out = disqualified(settings.max_faults);
        let entrants = journal_content.entries.iter().flat_map(|stage| &stage.entrants);
        let labels: HashSet<&Label> =
            entrants.filter(|entrant| out.contains(&entrant.bot)).map(|entrant| &entrant.label).collect();
        let is_out = |contestant: &Contestant| {
            labels.contains(&contestant.id.label)
                || out.iter().any(|&bot| journal_content.tournament.bots[bot].sha256 == contestant.id.sha256)
        };
        let (left, stay): (Vec<_>, Vec<_>) = std::mem::take(contestants).into_iter().partition(is_out);
        *contestants = stay;
        let names: Vec<_> = left.iter().map(|contestant| contestant.id.label.as_str()).collect();
        (!names.is_empty()).then(|| {
            format!(
                "disqualified in this season, and left out: {}; --max-faults 0 lets every bot play on",
                some_of(names.iter().map(ToString::to_string), names.len(), NAMED_MAX, ", ")
            )
        })
    }

    /// The number in the roster of a bot that plays now.
    pub fn contestant(&self, bot: usize) -> usize {
        self.contestants[bot].expect("only bots that play now are asked for")
    }

    /// A game between bots of the season as one between contestants of the roster.
    pub fn of_roster(&self, fixture: Fixture) -> Fixture {
        Fixture { seats: fixture.seats.map(|bot| self.contestant(bot)), ..fixture }
    }
}

/// The number of games that the stages of a season plan, if it is too large: all schedules are walked through when a journal is read.
pub fn too_many_games<'a>(stages: impl IntoIterator<Item = &'a Stage>) -> Option<usize> {
    let planned = stages.into_iter().fold(0, |sum: usize, stage| sum.saturating_add(stage.games_planned()));
    (planned as u64 > GAMES_MAX).then_some(planned)
}

/// The difference that keeps a journal in this stage from continuing with these settings and bots. Formats in which every game
/// counts for itself allow any change; in a Swiss and a knockout, each round follows from the ones before.
fn other_contest(before: &Stage, now: &Settings, field: &[usize], bots: &[BotId]) -> Option<Difference> {
    let then = &before.settings;
    if then.format.is_one_round() && now.format.is_one_round() {
        return None;
    }
    let differ = |what: &str, journal: String, now: String| {
        let is_other = journal != now;
        is_other.then(|| Difference { what: what.into(), journal: journal.into(), now: now.into() })
    };
    let same_so_far = matches!(
        (then.format, now.format),
        (Format::Swiss { rounds: then }, Format::Swiss { rounds: now }) if now >= then
    );
    let format = || differ("the format", then.format.to_string(), now.format.to_string());
    let [games, games_now] = [then, now].map(|settings| counted(settings.games_per_match, "game"));
    let ids = |field: &[usize]| field.iter().map(|&bot| bots[bot].clone()).collect::<Vec<_>>();
    (if same_so_far { None } else { format() })
        .or_else(|| differ("the length of a match", games, games_now))
        .or_else(|| other_field(&ids(&before.field), &ids(field)))
}

/// The changes of the field from one stage to the next, as text.
fn changes(before: &arena_store::Stage, now: &arena_store::Stage, all: &[arena_store::Stage]) -> Vec<String> {
    let find = |stage: &arena_store::Stage, bot| {
        stage.entrants.iter().find(|entrant| entrant.bot == bot).map(|entrant| entrant.label.clone())
    };
    let has_label = |stage: &arena_store::Stage, label: &Label| {
        stage.entrants.iter().any(|entrant| entrant.label == *label)
    };
    let mut changes = Vec::new();
    for Entrant { bot, label } in &now.entrants {
        let is_known = || all.iter().any(|stage| find(stage, *bot).is_some());
        changes.extend(match find(before, *bot) {
            Some(then) if then == *label => None,
            Some(then) => Some(format!("{} is renamed to {}", then.as_str(), label.as_str())),
            None if is_known() => Some(format!("{} is back", label.as_str())),
            None if has_label(before, label) => Some(format!("{} is a new version", label.as_str())),
            None => Some(format!("{} is new", label.as_str())),
        });
    }
    let left =
        before.entrants.iter().filter(|then| find(now, then.bot).is_none() && !has_label(now, &then.label));
    changes.extend(left.map(|then| format!("{} is retired; its games stay", then.label.as_str())));
    changes
}

/// Gives each bot its latest label. If several bots have the same one, the one that had it last keeps it, and the others
/// get the number of their version: the first bot of this label is 1. Returns the newest version of each bot: the one that keeps
/// the label, which may be itself.
pub fn label_versions<'a>(
    bots: &mut [BotId],
    stages: impl IntoIterator<Item = &'a arena_store::Stage>,
) -> Vec<usize> {
    // The latest stage in which each bot played, and its label in it.
    let mut latest: Vec<Option<(usize, &Label)>> = vec![None; bots.len()];
    for (number, stage) in (1..).zip(stages) {
        for entrant in &stage.entrants {
            latest[entrant.bot] = Some((number, &entrant.label));
        }
    }
    let first = |bot: &BotId| (0, bot.label.clone());
    let latest: Vec<(usize, Label)> = latest
        .iter()
        .zip(bots.iter())
        .map(|(latest, bot)| latest.map_or_else(|| first(bot), |(number, label)| (number, label.clone())))
        .collect();
    let mut taken: HashSet<Label> = latest.iter().map(|(_, label)| label.clone()).collect();
    let mut versions: HashMap<&Label, Vec<usize>> = HashMap::new();
    for (bot, (_, label)) in latest.iter().enumerate() {
        versions.entry(label).or_default().push(bot);
    }
    let mut newest: Vec<usize> = (0..bots.len()).collect();
    for (label, namesakes) in latest.iter().filter_map(|(_, label)| versions.remove_entry(label)) {
        let current = namesakes.iter().copied().max_by_key(|&bot| (latest[bot].0, bot));
        for (version, bot) in (1..).zip(namesakes) {
            newest[bot] = current.unwrap_or(bot);
            bots[bot].label =
                if current == Some(bot) { label.clone() } else { free_label(label, version, &mut taken) };
        }
    }
    newest
}

/// A label for a version that no bot has. If it is too long, the name is cut, not the number.
fn free_label(label: &Label, version: usize, taken: &mut HashSet<Label>) -> Label {
    // A file may be called so.
    let endings = [format!("@{version}"), format!("@{version}@")];
    let more = (2_u64..).map(|again| format!("@{version}@{again}"));
    let mut labels = endings.into_iter().chain(more).map(|ending| {
        let room = Label::CHARS_MAX - ending.len();
        Label::from(format!("{}{ending}", arena_text::line(label.as_str(), room)))
    });
    labels.find(|label| taken.insert(label.clone())).expect("there are more endings than labels")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use arena_players::{LimitOptions, Plan};
    use arena_record::Seed;
    use arena_rules::GameRules;
    use arena_sandbox::{Sandbox, SandboxLimits};
    use arena_store::{Tournament, Writer};
    use arena_text::shown;
    use std::path::Path;
    use std::sync::OnceLock;

    fn stage(entrants: &[(usize, &str)]) -> arena_store::Stage {
        let entrants = entrants.iter().map(|&(bot, label)| Entrant { bot, label: label.into() }).collect();
        arena_store::Stage { settings: String::new(), entrants, draw: None }
    }

    fn check_labels(stages: &[&[(usize, &str)]], expected: &[&str]) -> Vec<usize> {
        let stages: Vec<_> = stages.iter().map(|entrants| stage(entrants)).collect();
        let bot = |_| BotId { label: "first".into(), name: "".into(), sha256: "".into() };
        let mut bots: Vec<_> = (0..expected.len()).map(bot).collect();
        let newest = label_versions(&mut bots, &stages);
        let labels: Vec<_> = bots.iter().map(|bot| bot.label.as_str()).collect();
        assert_eq!(labels, expected);
        newest
    }

    #[test]
    fn the_latest_version_has_the_label_and_the_others_their_number() {
        check_labels(&[&[(0, "a"), (1, "b")]], &["a", "b"]);
        check_labels(&[&[(0, "a"), (1, "b")], &[(2, "a"), (1, "b")]], &["a@1", "b", "a"]);
        check_labels(&[&[(0, "a")], &[(1, "a")], &[(2, "a")]], &["a@1", "a@2", "a"]);
    }

    #[test]
    fn a_version_that_comes_back_is_the_latest() {
        let newest = check_labels(&[&[(0, "a")], &[(1, "a")], &[(0, "a")]], &["a", "a@2"]);
        assert_eq!(newest, [0, 0]);
    }

    #[test]
    fn a_bot_has_the_label_that_it_had_last() {
        check_labels(&[&[(0, "a"), (1, "b")], &[(0, "c"), (1, "b")]], &["c", "b"]);
        check_labels(&[&[(0, "a"), (1, "b")], &[(0, "b"), (1, "a")]], &["b", "a"]);
    }

    #[test]
    fn no_two_bots_have_one_label() {
        check_labels(&[&[(0, "a"), (1, "a@1")], &[(2, "a"), (1, "a@1")]], &["a@1@", "a@1", "a"]);
        // A label is as long as possible, and its number must fit.
        let long = "x".repeat(48);
        let numbered = format!("{}…@1", "x".repeat(45));
        check_labels(&[&[(0, &long)], &[(1, &long)]], &[&numbered, &long]);
    }

    fn check_changes(before: &[(usize, &str)], now: &[(usize, &str)], expected: &[&str]) {
        let before = stage(before);
        assert_eq!(changes(&before, &stage(now), &[stage(&[(9, "old")]), before.clone()]), expected);
    }

    #[test]
    fn the_changes_of_a_field_are_reported() {
        let before = [(0, "a"), (1, "b")];
        check_changes(&before, &before, &[]);
        check_changes(&before, &[(0, "a"), (1, "b"), (2, "c")], &["c is new"]);
        check_changes(&before, &[(0, "a"), (2, "b")], &["b is a new version"]);
        check_changes(&before, &[(0, "a"), (1, "c")], &["b is renamed to c"]);
        check_changes(&before, &[(0, "a"), (9, "old")], &["old is back", "b is retired; its games stay"]);
    }

    const NAMES: [&str; 4] = ["sweeper", "shoots-at-random", "off-board-once", "log-half-lines"];

    pub const ROUND_ROBIN: Settings = Settings {
        format: Format::RoundRobin,
        games_per_match: 4,
        max_faults: None,
        resting: 0,
        games_before: 0,
        full_round: None,
    };

    /// These bots, in the order in which a run names them.
    pub fn contestants(bots: &[usize]) -> Vec<Contestant> {
        static ALL: OnceLock<Vec<Contestant>> = OnceLock::new();
        let admitted = |sandbox: &Sandbox, name: &str| {
            let bot = sandbox.admit(&arena_testkit::zoo(name)).unwrap();
            let id = BotId { label: name.into(), name: name.into(), sha256: bot.hash().into() };
            Contestant { id, file: shown(Path::new(name)), path: name.into(), bot }
        };
        let all = ALL.get_or_init(|| {
            let sandbox = Sandbox::new(SandboxLimits::default()).unwrap();
            NAMES.map(|name| admitted(&sandbox, name)).into()
        });
        bots.iter().map(|&bot| all[bot].clone()).collect()
    }

    /// The journal of a season in which these stages have begun, each with its bots.
    pub fn journal(stages: &[(Settings, &[usize])]) -> JournalContent {
        let place = tempfile::tempdir().unwrap();
        journal_at(&place.path().join("season.db"), stages)
    }

    /// The plan of the games of all these bots, by the rules `guide` and with the seed 1.
    pub fn plan() -> Plan {
        let rules = GameRules::named("guide").unwrap();
        Plan::of(rules, "engine".into(), Seed::from(1).into(), &LimitOptions::default(), 1)
    }

    /// The same in this file.
    pub fn journal_at(path: &Path, stages: &[(Settings, &[usize])]) -> JournalContent {
        let plan = plan();
        for &(settings, bots) in stages {
            let before = JournalContent::read_begun(path).unwrap();
            let season = Season::new(before.as_ref(), &contestants(bots), settings, false).unwrap();
            let tournament = Tournament { conditions: plan.conditions.clone(), bots: season.bots };
            Writer::open(path, &tournament, &season.entry).unwrap();
        }
        JournalContent::read_begun(path).unwrap().unwrap()
    }

    #[test]
    fn a_season_continues_its_stage_or_begins_the_next_one_and_says_what_changes() {
        let before = journal(&[(ROUND_ROBIN, &[0, 1])]);
        let longer = Settings { games_per_match: 6, ..ROUND_ROBIN };
        for (settings, bots, number, changes) in [
            (ROUND_ROBIN, &[0, 1][..], 1, &[][..]),
            // In a round robin, the order in which bots are named decides nothing.
            (ROUND_ROBIN, &[1, 0], 1, &[]),
            (longer, &[0, 1], 2, &["it continues as round-robin, 6 games a match"]),
            (ROUND_ROBIN, &[0, 1, 2], 2, &["off-board-once is new"]),
        ] {
            let season = Season::new(Some(&before), &contestants(bots), settings, false).unwrap();
            assert_eq!(season.changes, changes, "{settings}");
            assert_eq!((season.number, season.resumes), (number, number == 1), "{settings}");
        }
    }

    #[test]
    fn bots_are_in_the_order_in_which_they_are_named_where_it_decides_something() {
        let challenge = Settings { format: Format::Gauntlet { challengers: 1 }, ..ROUND_ROBIN };
        let resting = Settings { resting: 1, ..ROUND_ROBIN };
        for (settings, keeps_order, field) in [
            (ROUND_ROBIN, false, [0, 1, 2]),
            (resting, false, [2, 0, 1]),
            (challenge, false, [2, 0, 1]),
            (challenge, true, [0, 1, 2]),
        ] {
            let before = journal(&[(settings, &[0, 1, 2])]);
            let season = Season::new(Some(&before), &contestants(&[2, 0, 1]), settings, keeps_order).unwrap();
            assert_eq!(season.stage.field, field, "{settings}");
            assert_eq!(season.resumes, field == [0, 1, 2], "{settings}");
            assert_eq!(season.contestant(2), 0, "its place in the roster");
        }
    }

    #[test]
    fn rounds_that_follow_from_those_before_continue_with_the_same_bots_and_matches_only() {
        let of = |format| Settings { format, ..ROUND_ROBIN };
        let swiss = |rounds| of(Format::Swiss { rounds });
        let (knockout, gauntlet) = (of(Format::Knockout), of(Format::Gauntlet { challengers: 1 }));
        let longer = |settings| Settings { games_per_match: 6, ..settings };
        let all = &[0, 1, 2, 3][..];
        for (before, now, bots, difference) in [
            (ROUND_ROBIN, gauntlet, all, None),
            (gauntlet, longer(ROUND_ROBIN), &all[..2], None),
            (swiss(2), swiss(2), all, None),
            (swiss(2), swiss(3), all, None),
            (swiss(3), swiss(2), all, Some("the format")),
            (swiss(2), ROUND_ROBIN, all, Some("the format")),
            (ROUND_ROBIN, knockout, all, Some("the format")),
            (knockout, longer(knockout), all, Some("the length of a match")),
            (swiss(2), longer(swiss(3)), all, Some("the length of a match")),
            (knockout, knockout, &all[..3], Some("the bot log-half-lines")),
        ] {
            let journal = journal(&[(before, all)]);
            let other = Season::new(Some(&journal), &contestants(bots), now, false).err();
            let found = other.map(|error| match error {
                Error::Mistake(Mistake::OtherContest { difference, .. }) => difference.what.to_string(),
                other => panic!("{other}"),
            });
            assert_eq!(found.as_deref(), difference, "{before} to {now}");
        }
    }

    #[test]
    fn the_games_of_all_stages_of_a_season_are_limited() {
        let stage =
            |games| Stage::new(Settings { games_per_match: games, ..ROUND_ROBIN }, vec![0, 1]).unwrap();
        let most = u32::try_from(GAMES_MAX).unwrap();
        assert_eq!(too_many_games(&[stage(most)]), None);
        assert_eq!(too_many_games(&[stage(most - 2), stage(2)]), None);
        assert_eq!(too_many_games(&[stage(most), stage(2)]), Some(most as usize + 2));
    }

    #[test]
    fn a_disqualified_bot_is_left_out_of_a_new_stage_under_any_file_of_its_owner() {
        let before = journal(&[(ROUND_ROBIN, &[0, 1])]);
        let left_out = |settings: Settings, mut contestants: Vec<Contestant>| {
            let note = Season::leave_out(&before, &mut contestants, &settings, |_| vec![0]);
            let labels = contestants.iter().map(|it| it.id.label.to_string()).collect::<Vec<_>>().join(" ");
            (labels, note)
        };
        let note =
            "disqualified in this season, and left out: sweeper; --max-faults 0 lets every bot play on";
        let with_label = |mut contestants: Vec<Contestant>, at: usize, label: &str| {
            contestants[at].id.label = label.into();
            contestants
        };
        let labels = |text: &str| (text.to_owned(), Some(note.to_owned()));
        assert_eq!(left_out(ROUND_ROBIN, contestants(&[0, 1, 2])), labels("shoots-at-random off-board-once"));
        // A new version under the label, and the same component under another one.
        let renewed = with_label(contestants(&[2, 1]), 0, "sweeper");
        assert_eq!(left_out(ROUND_ROBIN, renewed), labels("shoots-at-random"));
        let (stay, renamed) = left_out(ROUND_ROBIN, with_label(contestants(&[0, 1]), 0, "other"));
        assert_eq!(stay, "shoots-at-random");
        assert!(renamed.is_some_and(|note| note.contains("left out: other;")));
        // The stage goes on, or keeps its field.
        assert_eq!(left_out(ROUND_ROBIN, contestants(&[1, 0])).1, None);
        let knockout = Settings { format: Format::Knockout, ..ROUND_ROBIN };
        assert_eq!(left_out(knockout, contestants(&[0, 1, 2])).1, None);
    }
}
