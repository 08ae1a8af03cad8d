//! The journal of a tournament or a season: every game that was played, with everything needed to play it again; and the
//! [`Register`] of a standing contest.
//!
//! A journal is an SQLite database, and this is the only crate that knows SQLite. Games are added in the order in which they
//! are delivered. Nothing that can be derived from them is stored, so a journal cannot disagree with the standings, and one
//! that was cut off at any point is a shorter journal of the same tournament. A chain of hashes over all rows shows if one
//! was changed or removed. Rows are never removed.
//!
//! A journal has one set of conditions: versions, rules and limits. A [`Writer`] opens it for the same ones only, and names the
//! first difference otherwise. Bots may be added, changed and retired: a [`Stage`] records which bots play from then on, with which
//! settings and seed. A [`Reader`] works while a writer is running. Of a game's moves a journal has the players' answers, as bytes:
//! [`arena_record::PackedEvents`] makes the transcript of them, and this crate is independent of the games.
//!
//! A file is untrusted. A reader takes each row once, hashes it, compares it with its link, and checks that a run could have
//! written it after the rows before it; every answer is from these rows. See `docs/guide/src/journal-format.md`.
#![warn(missing_docs)]

// The support module of the tests names the crate as its users do, in here too.
#[cfg(test)]
extern crate self as arena_store;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;

mod bounds;
mod chain;
mod clock;
mod columns;
mod copying;
mod database;
mod error;
mod game_set;
mod hex;
mod model;
mod moment;
mod reader;
mod reading;
mod register;
mod result_text;
mod schema;
mod side;
mod stage;
mod tournament;
mod trail;
mod writer;
mod zoned;

pub use bounds::{BOTS_MAX, ENTRANTS_MAX, FAULTS_MAX, SETTINGS_BYTES_MAX, STAGES_MAX, TRANSCRIPT_BYTES_MAX};
pub use chain::ChainHead;
pub use error::JournalError;
pub use game_set::GameSet;
pub use moment::{seconds_now, time_now};
pub use reader::{Content, LinkDifference, LinkedRow, Reader};
pub use reading::Pass;
pub use register::{
    ANNOUNCEMENT_CHARS_MAX, ANNOUNCEMENTS_MAX, Account, Action, Announcement, Author, CHALLENGES_KEPT,
    Challenge, ChallengeState, Challenged, Challenger, ClassCode, Dates, Deleted, Deleter, Invited, JoinLink,
    Joined, ListedAuthor, NewAction, REFUSED_LISTED, Register, RegisterError, Renamed, Season, Submission,
    Version, VersionState,
};
pub use schema::FORMAT;
pub use stage::{Draw, Entrant, Moment, Stage};
pub use tournament::{Difference, Part, Tournament, other_field};
pub use trail::{GameRange, TRAIL_MAX, Trail, TrailEntry, TrailEvent};
pub use writer::{NewGame, Unkept, Writer};
pub use zoned::{WrongTime, ZonedTime};

use arena_record::GameResult;

/// The place of a game in its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKey {
    /// The bots by seat, as they are numbered in the [`Tournament`].
    pub seats: [usize; 2],
    /// The number of the pair of games of these two, from 0.
    pub pair: u32,
    /// The number of the game of these two, from 1.
    pub game: u32,
}

/// A game in a journal, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The number in the journal, from 1, in the order in which games were added.
    pub number: u64,
    /// The number of the stage in which it was played, from 1.
    pub stage: usize,
    /// The place in the tournament.
    pub key: GameKey,
    /// The result.
    pub result: GameResult,
}
