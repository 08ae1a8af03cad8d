//! The words that a coordinator and its workers exchange: questions and answers in JSON, batches and results in postcard.

use arena_text::Line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The revision of these words. A worker of another one is refused.
pub const REVISION: u32 = 1;

/// The name of a worker, in at most 32 characters. Chosen: two of them fit into a line.
pub type Name = Line<32>;

/// A reason for a reader, in at most 300 characters.
pub type Why = Line<300>;

/// The number of a worker's run, which it draws when it starts: two workers may have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Session(pub u64);

/// The versions on which the bytes of a game depend.
// Other fields of another revision are no reason not to understand which one it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The version of the arena.
    pub arena: Line<64>,
    /// [`REVISION`].
    pub revision: u32,
    /// The format of transcripts.
    pub transcript: Line<64>,
    /// A hash of the engine's settings and of the target it compiles for.
    pub engine: Line<64>,
}

impl Versions {
    /// The reason why a worker of these versions does not play for a coordinator of others; none if it does.
    pub(crate) fn difference(&self, coordinator: &Self) -> Option<String> {
        let differ = |what: &str, own: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
            format!("{what} is {own}, and that of the coordinator is {theirs}")
        };
        if self.arena != coordinator.arena {
            return Some(differ("its arena", &self.arena, &coordinator.arena));
        }
        if self.revision != coordinator.revision {
            return Some(differ("the revision of its words", &self.revision, &coordinator.revision));
        }
        if self.transcript != coordinator.transcript {
            return Some(differ("its format of transcripts", &self.transcript, &coordinator.transcript));
        }
        (self.engine != coordinator.engine)
            .then(|| differ("the hash of its engine", &self.engine, &coordinator.engine))
    }
}

/// A contest, as workers need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The identity, in hexadecimal: a digest over everything that the games follow from.
    pub id: Line<64>,
    /// Everything that the games have in common, in the words of the program.
    pub common: serde_json::Value,
    /// The memory of a bot, in bytes.
    pub memory_bytes: u64,
    /// The bots, in the order in which orders name them.
    pub bots: Vec<BotEntry>,
}

impl Manifest {
    /// The contest between these bots. `identity` is everything else that its games follow from.
    pub fn new(identity: &[u8], common: serde_json::Value, memory_bytes: u64, bots: Vec<BotEntry>) -> Self {
        let hashes: Vec<&str> = bots.iter().map(|bot| bot.sha256.as_str()).collect();
        let id = sha256(&[hashes.join(" ").as_bytes(), identity].concat());
        Self { id: id.as_str().into(), common, memory_bytes, bots }
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// A bot's component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotEntry {
    /// The SHA-256 in hexadecimal, which is its name in the object store.
    pub sha256: Line<64>,
    /// The length in bytes.
    pub bytes: u64,
}

/// A question on `arena.contest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// A coordinator asks if there is another one.
    Coordinator,
    /// A worker asks for the contest.
    Worker {
        /// Its run.
        session: Session,
        /// Its name.
        name: Name,
        /// The number of games that it plays at the same time.
        jobs: u16,
        /// Its versions.
        versions: Versions,
    },
    /// A worker asks if it is to play a batch that may end it. It has nothing else in play.
    Suspect {
        /// The batch.
        batch: [u64; 2],
    },
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Answer {
    /// There is a coordinator.
    Busy,
    /// The contest, for a worker that may play.
    Contest(Manifest),
    /// The worker may not play.
    Refused(Why),
    /// The suspect is to be played.
    Play,
    /// The suspect has ended enough workers.
    GiveUp,
}

/// A worker's sign of life on `arena.workers`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beat {
    /// Its run.
    pub session: Session,
    /// The contest that it plays.
    pub contest: Line<64>,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of games that it holds.
    pub in_flight: u64,
}

/// The answer to a [`Beat`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Beaten {
    /// Go on.
    Known,
    /// Say hello again: this is another coordinator, or another contest.
    Unknown,
    /// It may not play any more.
    Excluded(Why),
}

/// The identity of a game in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The bots of the season, by seat.
    pub seats: [u32; 2],
    /// The number of the pair of games between these two, from 0.
    pub pair: u32,
    /// The number of the game between these two, from 1.
    pub game: u32,
}

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Its identity.
    pub key: Key,
    /// The order, in the words of the program.
    pub order: Vec<u8>,
}

/// A batch as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BatchWord {
    /// The batch.
    pub batch: [u64; 2],
    /// True if it is part of one that was given up.
    pub is_suspect: bool,
    /// The games.
    pub games: Vec<Game>,
}

/// The word of a worker about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Told {
    /// The words of its process.
    Played(Vec<u8>),
    /// It has no result, for this reason.
    Failed(Why),
}

impl Told {
    /// The number of bytes of what was told.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Played(words) => words.len(),
            Self::Failed(why) => why.as_str().len(),
        }
    }
}

/// The games of a batch, with what is told of each.
pub type Games = Vec<(Key, Told)>;

/// The outcome of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was played.
    Played {
        /// The time that one job took for it.
        took: Duration,
        /// The games.
        games: Games,
    },
    /// It was not played: it has ended enough workers, or its result is too large.
    GivenUp(Why),
}

/// A part of a result, as it is sent: the bytes of an [`Outcome`] are cut so that each fits into a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartWord<'a> {
    /// The contest.
    pub contest: &'a str,
    /// The batch.
    pub batch: [u64; 2],
    /// The worker.
    pub session: Session,
    /// The number of this answer of the worker: a batch may come to it twice.
    pub answer: u64,
    /// The number of the part, from 0.
    pub part: u32,
    /// The number of parts.
    pub parts: u32,
    /// The bytes.
    pub bytes: &'a [u8],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_of_another_version_is_told_the_difference() {
        let versions =
            || Versions { arena: "1".into(), revision: 1, transcript: "2.1".into(), engine: "aa".into() };
        assert_eq!(versions().difference(&versions()), None);
        for (other, expected) in [
            (Versions { arena: "2".into(), ..versions() }, "its arena is 2, and"),
            (Versions { revision: 2, ..versions() }, "the revision of its words is 2, and"),
            (Versions { transcript: "3".into(), ..versions() }, "its format of transcripts is 3, and"),
            (Versions { engine: "bb".into(), ..versions() }, "the hash of its engine is bb, and"),
        ] {
            let difference = other.difference(&versions()).expect("it differs");
            assert!(difference.starts_with(expected), "{difference}");
        }
    }
}
