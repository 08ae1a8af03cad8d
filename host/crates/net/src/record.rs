//! What is told of a game that was served.

use arena_referee::Event;
use arena_rules::{Outcome, Reason, Seat};
use std::fmt;
use std::net::SocketAddr;

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Its number, from 1, in the order of beginning.
    pub number: u64,
    /// Who played. The first seat moved first.
    pub players: [Seated; 2],
    /// What each seat was given as its own seed, which matters to a bot alone.
    pub side_seeds: [u64; 2],
    /// What happened. It has no end where there is no result.
    pub events: Vec<Event>,
    /// How it ended, or why it has no result: a failure of ours, in words.
    pub outcome: Result<(Outcome, Reason), String>,
}

/// Who sits in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seated {
    /// A client, by its address.
    Client(SocketAddr),
    /// The bot that the server was given.
    Bot,
}

impl fmt::Display for Seated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(address) => address.fmt(f),
            Self::Bot => f.write_str("the bot"),
        }
    }
}

/// How the games that were served ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub games: u64,
    /// Won, by seat; the first seat moved first.
    pub wins: [u64; 2],
    /// Even.
    pub even: u64,
    /// No contest: neither side placed its ships.
    pub no_contest: u64,
    /// Without a result, by a failure of ours.
    pub failed: u64,
}

impl Tally {
    /// Counts a game.
    pub(crate) fn count(&mut self, game: &GameRecord) {
        self.games += 1;
        *match &game.outcome {
            Ok((Outcome::Win(Seat::First), _)) => &mut self.wins[0],
            Ok((Outcome::Win(Seat::Second), _)) => &mut self.wins[1],
            Ok((Outcome::Draw, _)) => &mut self.even,
            Ok((Outcome::NoContest, _)) => &mut self.no_contest,
            Err(_) => &mut self.failed,
        } += 1;
    }
}
