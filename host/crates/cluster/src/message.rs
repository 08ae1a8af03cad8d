//! The messages between a coordinator and its workers: requests and answers in JSON, batches and results in postcard.

use crate::limits::WorkerLimits;
use arena_record::FORMAT;
use arena_text::Line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The revision of these messages. A worker with another revision is refused.
pub const REVISION: u32 = 4;

/// The name of a worker, at most 32 characters long. Chosen: two names fit into a line.
pub type Name = Line<32>;

/// A reason in plain text, at most 300 characters long.
pub type Why = Line<300>;

/// The secret number of a worker's run. The coordinator draws it when the worker says hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Session(pub u64);

/// The versions on which the bytes of a game depend.
// Unknown fields are allowed, so that the revision of another version's message can be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The version of the arena.
    pub arena: Line<64>,
    /// [`REVISION`].
    pub revision: u32,
    /// The transcript format.
    pub transcript: Line<64>,
    /// A hash of the engine's settings and its compilation target.
    pub engine: Line<64>,
}

impl Versions {
    /// The versions of this program, with this hash of the engine.
    pub fn with_engine(engine: &str) -> Self {
        Self {
            arena: env!("CARGO_PKG_VERSION").into(),
            revision: REVISION,
            transcript: FORMAT.to_string().as_str().into(),
            engine: engine.into(),
        }
    }

    /// The reason why a worker with these versions cannot play for this coordinator; `None` if it can.
    pub(crate) fn difference(&self, coordinator: &Self) -> Option<String> {
        let differ = |what: &str, own: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
            format!("{what} is {own}; the coordinator's is {theirs}")
        };
        if self.arena != coordinator.arena {
            return Some(differ("its arena version", &self.arena, &coordinator.arena));
        }
        if self.revision != coordinator.revision {
            return Some(differ("its message revision", &self.revision, &coordinator.revision));
        }
        if self.transcript != coordinator.transcript {
            return Some(differ("its transcript format", &self.transcript, &coordinator.transcript));
        }
        (self.engine != coordinator.engine)
            .then(|| differ("its engine hash", &self.engine, &coordinator.engine))
    }
}

/// The description of a contest for workers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The identity, in hexadecimal: a digest over everything that determines the games.
    pub id: Line<64>,
    /// Everything that the games have in common, in the program's own format.
    pub common: serde_json::Value,
    /// The memory limit of a bot, in bytes.
    pub memory_bytes: u64,
    /// The bots. Orders name them by their index.
    pub bots: Vec<BotEntry>,
    /// The game, if it is a component.
    pub game: Option<BotEntry>,
}

impl Manifest {
    /// Describes a contest between these bots. `identity` is everything else that determines its games.
    pub fn new(identity: &[u8], common: serde_json::Value, memory_bytes: u64, bots: Vec<BotEntry>) -> Self {
        let hashes: Vec<&str> = bots.iter().map(|bot| bot.sha256.as_str()).collect();
        let id = sha256(&[hashes.join(" ").as_bytes(), identity].concat());
        Self { id: id.as_str().into(), common, memory_bytes, bots, game: None }
    }

    /// The same contest in a game that is a component, which its identity names.
    #[must_use]
    pub fn with_game(self, game: Option<BotEntry>) -> Self {
        Self { game, ..self }
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The component of a bot or a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotEntry {
    /// The SHA-256 in hexadecimal. It is also the name in the object store.
    pub sha256: Line<64>,
    /// The length in bytes.
    pub bytes: u64,
}

/// A worker's request on `arena.NAME.ask`, signed with its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Request {
    /// Registers a run.
    Hello(Hello),
    /// Requests a batch. The answer may take [`BATCH_WAIT`].
    Batch {
        /// The run.
        session: Session,
    },
    /// Asks whether to play a batch that may end the worker. The worker has nothing else in play.
    Alone {
        /// The run.
        session: Session,
        /// The number of the batch.
        batch: u64,
    },
    /// The heartbeat.
    Alive {
        /// The run.
        session: Session,
        /// The number of games that the worker has played.
        played: u64,
        /// The batches that the worker holds.
        held: Vec<u64>,
    },
    /// Leaves, and returns the batches that the worker holds.
    Leave {
        /// The run.
        session: Session,
    },
}

impl Request {
    /// The run that the request names.
    pub fn session(&self) -> Option<Session> {
        match self {
            Self::Hello(_) => None,
            Self::Batch { session }
            | Self::Alone { session, .. }
            | Self::Alive { session, .. }
            | Self::Leave { session } => Some(*session),
        }
    }
}

/// The time for which the coordinator keeps a request for a batch before it answers that there is none. Chosen: shorter than the timeout
/// of a request.
pub(crate) const BATCH_WAIT: Duration = Duration::from_secs(4);

/// The first message of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Its name.
    pub name: Name,
    /// Its machine.
    pub machine: Line<64>,
    /// The number of games that it plays at the same time.
    pub jobs: u16,
    /// Its versions.
    pub versions: Versions,
    /// Its limits. A worker of another revision may have none, and is refused for that.
    #[serde(default)]
    pub limits: WorkerLimits,
}

/// The answer to a [`Request`], except that requests for a batch get a [`BatchAnswer`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Answer {
    /// The contest, for a worker that may play.
    Welcome {
        /// The secret number of the run.
        session: Session,
        /// The contest.
        manifest: Manifest,
    },
    /// The worker may not play.
    Refused(Why),
    /// Play the batch that may end the worker.
    Play,
    /// Drop the batch.
    GiveUp,
    /// The coordinator knows this run.
    Known,
    /// Say hello again: the coordinator or the contest is a new one.
    Unknown,
}

/// The answer to a request for a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BatchAnswer {
    /// A batch.
    Batch(BatchMessage),
    /// There is no batch at the moment.
    Nothing,
    /// The coordinator does not know this run.
    Unknown,
}

/// The identity of a game in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The numbers of the bots in the season, by seat.
    pub seats: [u32; 2],
    /// The number of the pair of games between these two, from 0.
    pub pair: u32,
    /// The number of the game between these two, from 1.
    pub game: u32,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Its identity.
    pub key: Key,
    /// The order, in the program's own format.
    pub order: Vec<u8>,
}

/// A batch as sent to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BatchMessage {
    /// The number of the batch.
    pub number: u64,
    /// A secret for its result.
    pub secret: u64,
    /// True if it may end the worker, so that it must be played alone.
    pub is_alone: bool,
    /// The games.
    pub games: Vec<Game>,
}

/// A worker's report about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameReport {
    /// The messages from the worker's process.
    Played(Vec<u8>),
    /// The reason why the game has no result.
    Failed(Why),
}

impl GameReport {
    /// The length of the report, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Played(messages) => messages.len(),
            Self::Failed(why) => why.as_str().len(),
        }
    }
}

/// The games of a batch, with the report about each.
pub type Games = Vec<(Key, GameReport)>;

/// The outcome of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The batch was played.
    Played {
        /// The time that one job took.
        took: Duration,
        /// The games.
        games: Games,
    },
    /// The result is too large for the server.
    TooLarge,
}

/// A part of a result as it is sent, signed with the worker's key. The bytes of an [`Outcome`] are split so that each part fits into a
/// message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartMessage<'a> {
    /// The identity of the contest.
    pub contest: &'a str,
    /// The number of the batch.
    pub batch: u64,
    /// The secret that came with the batch.
    pub secret: u64,
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
    fn a_contest_is_known_by_its_bots_and_by_all_that_determines_its_games() {
        let bots = |hashes: &[&str]| -> Vec<BotEntry> {
            hashes.iter().map(|&hash| BotEntry { sha256: hash.into(), bytes: 1 }).collect()
        };
        let id = |identity: &[u8], hashes: &[&str]| {
            Manifest::new(identity, serde_json::Value::Null, 1, bots(hashes)).id
        };
        assert_eq!(id(b"a", &["1", "2"]), id(b"a", &["1", "2"]));
        for other in [id(b"b", &["1", "2"]), id(b"a", &["2", "1"]), id(b"a", &["1"]), id(b"a", &["12"])] {
            assert_ne!(other, id(b"a", &["1", "2"]));
        }
    }

    #[test]
    fn a_worker_of_another_version_learns_the_difference() {
        let versions =
            || Versions { arena: "1".into(), revision: 1, transcript: "2.1".into(), engine: "aa".into() };
        assert_eq!(versions().difference(&versions()), None);
        for (other, expected) in [
            (Versions { arena: "2".into(), ..versions() }, "its arena version is 2;"),
            (Versions { revision: 2, ..versions() }, "its message revision is 2;"),
            (Versions { transcript: "3".into(), ..versions() }, "its transcript format is 3;"),
            (Versions { engine: "bb".into(), ..versions() }, "its engine hash is bb;"),
        ] {
            let difference = other.difference(&versions()).expect("it differs");
            assert!(difference.starts_with(expected), "{difference}");
        }
    }
}
