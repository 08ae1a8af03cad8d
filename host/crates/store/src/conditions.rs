//! What a journal's games were played under.

use arena_record::{Header, Limits};
use arena_rules::GameRules;
use std::fmt;

/// Everything that all games of a journal have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The version of the arena.
    pub arena: String,
    /// The version of wasmtime.
    pub wasmtime: String,
    /// The hash of the engine's settings.
    pub engine: String,
    /// The game and its rules.
    pub rules: GameRules,
    /// What a turn may use.
    pub limits: Limits,
    /// The seed of the tournament.
    pub seed: u64,
    /// The contestants, in the order in which they were named.
    pub contestants: Vec<Entrant>,
}

/// A contestant of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// What tables call it.
    pub label: String,
    /// What it calls itself.
    pub name: String,
    /// The SHA-256 of its component, in hexadecimal: its identity.
    pub sha256: String,
}

/// The first thing in which two sets of conditions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub what: String,
    /// As it is in the journal.
    pub journal: String,
    /// As it is now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} there and {} now", self.what, self.journal, self.now)
    }
}

impl Conditions {
    /// Where these conditions, which are a journal's, differ from those of a run; nothing where they do not. Labels and
    /// names may differ: a bot is its component.
    pub fn difference(&self, now: &Self) -> Option<Difference> {
        let differ = |what: &str, journal: &dyn fmt::Display, now: &dyn fmt::Display| {
            let (journal, now) = (journal.to_string(), now.to_string());
            (journal != now).then(|| Difference { what: what.into(), journal, now })
        };
        let mebibytes = |limits: &Limits| format!("{} MiB", limits.memory_bytes >> 20);
        differ("the arena's version", &self.arena, &now.arena)
            .or_else(|| differ("wasmtime's version", &self.wasmtime, &now.wasmtime))
            .or_else(|| differ("the engine", &self.engine, &now.engine))
            .or_else(|| self.rules_difference(now))
            .or_else(|| differ("fuel for a turn", &self.limits.fuel_per_turn, &now.limits.fuel_per_turn))
            .or_else(|| differ("the memory of a bot", &mebibytes(&self.limits), &mebibytes(&now.limits)))
            .or_else(|| differ("the seed", &self.seed, &now.seed))
            .or_else(|| self.contestants_difference(now))
    }

    fn rules_difference(&self, now: &Self) -> Option<Difference> {
        if self.rules == now.rules {
            return None;
        }
        // Two rule sets may have the same name: then it takes the first switch in which they differ.
        let [journal, now] =
            [&self.rules, &now.rules].map(|rules| serde_json::to_value(rules).expect("rules are plain data"));
        let switches = journal.as_object()?;
        let what = switches.iter().find(|(name, value)| now.get(name.as_str()) != Some(value));
        let (name, value) = what?;
        let now = now.get(name).map_or("not there".into(), ToString::to_string);
        Some(Difference { what: format!("`{name}` of the rules"), journal: value.to_string(), now })
    }

    fn contestants_difference(&self, now: &Self) -> Option<Difference> {
        let hashes = |of: &Self| of.contestants.iter().map(|bot| bot.sha256.clone()).collect::<Vec<_>>();
        let (there, here) = (hashes(self), hashes(now));
        if there == here {
            return None;
        }
        let difference = |what: String, journal: &str, now: &str| {
            Some(Difference { what, journal: journal.into(), now: now.into() })
        };
        let missing = self.contestants.iter().find(|bot| !here.contains(&bot.sha256));
        let added = now.contestants.iter().find(|bot| !there.contains(&bot.sha256));
        match (missing, added) {
            (Some(missing), _) => match now.contestants.iter().find(|bot| bot.label == missing.label) {
                Some(namesake) => difference(
                    format!("the file of {}, by its hash,", missing.label),
                    &missing.sha256,
                    &namesake.sha256,
                ),
                None => difference(format!("the bot {}", missing.label), "a contestant", "none"),
            },
            (None, Some(added)) => difference(format!("the bot {}", added.label), "no contestant", "one"),
            (None, None) => {
                let labels = |of: &Self| {
                    of.contestants.iter().map(|bot| bot.label.as_str()).collect::<Vec<_>>().join(", ")
                };
                difference("the order of the bots".into(), &labels(self), &labels(now))
            }
        }
    }

    /// Whether a recording was made under these conditions, by the contestants with these numbers.
    pub fn are_of(&self, header: &Header, seats: [usize; 2]) -> bool {
        let is = |seat: usize| {
            self.contestants.get(seats[seat]).is_some_and(|bot| bot.sha256 == header.bots[seat].sha256)
        };
        self.arena == header.arena
            && self.wasmtime == header.wasmtime
            && self.engine == header.engine
            && self.rules == header.rules
            && self.limits == header.limits
            && self.seed == header.seed
            && is(0)
            && is(1)
    }
}
