//! The identity of a journal: the conditions and the bots of its games.

use arena_record::{BotId, Conditions, Header, RecordedSeed, RulesDigest, Seated, play_the_same};
use arena_rules::GameRules;
use arena_text::Line;
use serde_json::{Map, Value};
use std::fmt::Display;

/// The conditions and the bots of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// The conditions of all its games. Their seed is that of the season: of a secret one its hash, else that of its first stage.
    pub conditions: Conditions,
    /// All bots that have ever played, in the order in which they came.
    pub bots: Vec<BotId>,
}

/// A part of a tournament as text, of at most 200 characters. Chosen: three of them are some lines of a terminal.
pub type Part = Line<200>;

/// The first difference between two tournaments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {journal} in the journal and {now} now")]
pub struct Difference {
    /// The thing that differs.
    pub what: Part,
    /// The value in the journal.
    pub journal: Part,
    /// The value now.
    pub now: Part,
}

impl Tournament {
    /// The first difference between the conditions of this tournament, a journal's, and those of a run; `None` when they are
    /// the same. Names of rules may differ, because only their switches count.
    pub fn difference(&self, now: &Conditions) -> Option<Difference> {
        conditions_difference(&self.conditions, now)
    }

    /// True if both are of loaded games, and the files of the games differ.
    pub(crate) fn has_other_game(&self, now: &Conditions) -> bool {
        let rules = (&self.conditions.rules, &now.rules);
        matches!(rules, (GameRules::Loaded(there), GameRules::Loaded(here)) if there.sha256() != here.sha256())
    }

    /// True if this tournament continues one with these bots: it has the same bots, and perhaps more after them. Labels and
    /// names may differ: a bot is its component.
    pub fn goes_on_from(&self, before: &[BotId]) -> bool {
        let same = |(bot, before): (&BotId, &BotId)| bot.sha256 == before.sha256;
        before.len() <= self.bots.len() && self.bots.iter().zip(before).all(same)
    }

    /// True if a game with this header, between the bots with these numbers, belongs to a stage with this seed.
    pub fn includes(&self, header: &Header, seats: [usize; 2], seed: RecordedSeed) -> bool {
        let sits = |(seat, seated): (usize, &Seated)| {
            self.bots.get(seat).is_some_and(|bot| bot.sha256 == seated.bot.sha256)
        };
        // The slow way hashes the rules of the game. Nearly all games have the same ones.
        let Conditions { arena, wasmtime, engine, rules, limits, seed: _ } = &self.conditions;
        let now = &header.conditions;
        let same = (wasmtime, engine, rules, limits) == (&now.wasmtime, &now.engine, &now.rules, &now.limits)
            && play_the_same(arena.as_str(), now.arena.as_str())
            || difference_but_for_seed(&self.conditions, now).is_none();
        same && now.seed == seed && seats.into_iter().zip(&header.bots).all(sits)
    }
}

/// The difference between two values; `None` when they have the same text.
fn differ(what: &str, journal: impl Display, now: impl Display) -> Option<Difference> {
    let (journal, now) = (journal.to_string(), now.to_string());
    (journal != now).then(|| Difference { what: what.into(), journal: journal.into(), now: now.into() })
}

fn conditions_difference(journal: &Conditions, now: &Conditions) -> Option<Difference> {
    difference_but_for_seed(journal, now).or_else(|| differ("the random seed", journal.seed, now.seed))
}

fn difference_but_for_seed(journal: &Conditions, now: &Conditions) -> Option<Difference> {
    let limits = [&journal.limits, &now.limits];
    differ("the arena's version", &journal.arena, &now.arena)
        .filter(|_| !play_the_same(journal.arena.as_str(), now.arena.as_str()))
        .or_else(|| differ("wasmtime's version", &journal.wasmtime, &now.wasmtime))
        .or_else(|| differ("the hash of the engine", &journal.engine, &now.engine))
        .or_else(|| rules_difference(&journal.rules, &now.rules))
        .or_else(|| differ("the fuel of a turn", limits[0].fuel_per_turn, limits[1].fuel_per_turn))
        .or_else(|| differ("the memory of a bot", size(limits[0].memory_bytes), size(limits[1].memory_bytes)))
}

/// A size in MiB if it is a whole number of them.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

fn rules_difference(journal: &GameRules, now: &GameRules) -> Option<Difference> {
    if RulesDigest::of(journal) == RulesDigest::of(now) {
        return None;
    }
    let plain = |rules| serde_json::to_value(rules).expect("rules are plain data");
    let [switches, others] = [journal, now].map(plain);
    let mut names = [&switches, &others].into_iter().filter_map(Value::as_object).flat_map(Map::keys);
    differ("the game", journal.game(), now.game()).or_else(|| {
        names.find_map(|name| match name.as_str() {
            "name" => None,
            name => differ(&format!("`{name}` of the rules"), &switches[name], &others[name]),
        })
    })
}

/// The difference between the bots of a journal and those of a run, for schedules in which they have to be the same in the same
/// order; `None` when they are. Labels and names may differ: a bot is its component.
pub fn other_field(journal: &[BotId], now: &[BotId]) -> Option<Difference> {
    let hashes = |bots: &[BotId]| bots.iter().map(|bot| bot.sha256.clone()).collect::<Vec<_>>();
    let [there, here] = [journal, now].map(hashes);
    if there == here {
        return None;
    }
    let missing = journal.iter().find(|bot| !here.contains(&bot.sha256));
    let namesake = missing.and_then(|bot| now.iter().find(|other| other.label == bot.label));
    let added = now.iter().find(|bot| !there.contains(&bot.sha256));
    let name = |bot: &BotId| format!("the bot {}", bot.label.as_str());
    match (missing, namesake, added) {
        (Some(bot), Some(namesake), _) => {
            differ(&format!("the SHA-256 of {}", bot.label.as_str()), &bot.sha256, &namesake.sha256)
        }
        (Some(bot), None, _) => differ(&name(bot), "a contestant", "not a contestant"),
        (None, _, Some(bot)) => differ(&name(bot), "not a contestant", "a contestant"),
        (None, _, None) => {
            let bot = |bot: &BotId| format!("{} ({:.8})", bot.label.as_str(), bot.sha256.as_str());
            let list = |bots: &[BotId]| bots.iter().map(bot).collect::<Vec<_>>().join(", ");
            let what = "the list of the bots".into();
            Some(Difference { what, journal: list(journal).into(), now: list(now).into() })
        }
    }
}
