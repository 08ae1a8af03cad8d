//! The messages that a coordinator and its workers exchange: questions and answers in JSON, batches and results in postcard.

use arena_text::Line;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The revision of these messages. A worker of another one is refused.
pub const REVISION: u32 = 2;

/// The name of a worker, in at most 32 characters. Chosen: two of them fit into a line.
pub type Name = Line<32>;

/// A reason for a reader, in at most 300 characters.
pub type Why = Line<300>;

/// The secret number of a worker's run. The coordinator draws it when the worker says hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Session(pub u64);

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
    /// The reason why a worker of these versions does not play for a coordinator of others; `None` if it does.
    pub(crate) fn difference(&self, coordinator: &Self) -> Option<String> {
        let differ = |what: &str, own: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
            format!("{what} is {own}, and that of the coordinator is {theirs}")
        };
        if self.arena != coordinator.arena {
            return Some(differ("its arena", &self.arena, &coordinator.arena));
        }
        if self.revision != coordinator.revision {
            return Some(differ("the revision of its messages", &self.revision, &coordinator.revision));
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
    /// Everything that the games have in common, in the form of the program.
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
    /// The SHA-256 in hexadecimal: the component's name in the object store.
    pub sha256: Line<64>,
    /// The length in bytes.
    pub bytes: u64,
}

/// A question of a worker on `arena.NAME.ask`, signed with its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// It says hello.
    Hello(Hello),
    /// It asks for a batch. The answer may take [`BATCH_WAIT`].
    Batch {
        /// Its run.
        session: Session,
    },
    /// It asks if it is to play a batch that may end it. It has nothing else in play.
    Alone {
        /// Its run.
        session: Session,
        /// The number of the batch.
        batch: u64,
    },
    /// It is alive.
    Alive {
        /// Its run.
        session: Session,
        /// The number of games that it has played.
        played: u64,
        /// The batches that it holds.
        held: Vec<u64>,
    },
    /// It leaves, and gives back the batches that it holds.
    Leave {
        /// Its run.
        session: Session,
    },
}

impl Question {
    /// The run that it names.
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

/// The time for which the coordinator keeps a question for a batch before it answers that there is nothing. Chosen: shorter than a
/// request waits.
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
}

/// The answer to a [`Question`]. A batch is answered by a [`BatchAnswer`] instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Answer {
    /// The contest, for a worker that may play.
    Welcome {
        /// The number of its run.
        session: Session,
        /// The contest.
        manifest: Manifest,
    },
    /// The worker may not play.
    Refused(Why),
    /// The batch that may end it is to be played.
    Play,
    /// The batch is not to be played any more.
    GiveUp,
    /// The coordinator knows this run.
    Known,
    /// Say hello again: this is another coordinator, or another contest.
    Unknown,
}

/// The answer to a question for a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BatchAnswer {
    /// A batch.
    Batch(BatchMessage),
    /// There is none at the moment.
    Nothing,
    /// The coordinator does not know this run.
    Unknown,
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
    /// The order, in the form of the program.
    pub order: Vec<u8>,
}

/// A batch as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BatchMessage {
    /// The number of the batch.
    pub number: u64,
    /// A secret for its result.
    pub secret: u64,
    /// True if it may end the worker: it is played with nothing else in play.
    pub is_alone: bool,
    /// The games.
    pub games: Vec<Game>,
}

/// The message of a worker about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Told {
    /// The messages of its process.
    Played(Vec<u8>),
    /// It has no result, for this reason.
    Failed(Why),
}

impl Told {
    /// The number of bytes of what was told.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Played(messages) => messages.len(),
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
    /// Its result is too large for the server.
    TooLarge,
}

/// A part of a result, as it is sent, signed with the worker's key: the bytes of an [`Outcome`] are cut so that each fits into a
/// message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartMessage<'a> {
    /// The identity of the contest.
    pub contest: &'a str,
    /// The number of the batch.
    pub batch: u64,
    /// The secret that came with it.
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
    fn a_worker_of_another_version_is_told_the_difference() {
        let versions =
            || Versions { arena: "1".into(), revision: 1, transcript: "2.1".into(), engine: "aa".into() };
        assert_eq!(versions().difference(&versions()), None);
        for (other, expected) in [
            (Versions { arena: "2".into(), ..versions() }, "its arena is 2, and"),
            (Versions { revision: 2, ..versions() }, "the revision of its messages is 2, and"),
            (Versions { transcript: "3".into(), ..versions() }, "its format of transcripts is 3, and"),
            (Versions { engine: "bb".into(), ..versions() }, "the hash of its engine is bb, and"),
        ] {
            let difference = other.difference(&versions()).expect("it differs");
            assert!(difference.starts_with(expected), "{difference}");
        }
    }
}
