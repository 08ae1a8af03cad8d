//! The games that were served.

use arena_referee::{End, Event, Stopped};
use arena_rules::submarine::Submarine;
use arena_rules::{Outcome, Seat};
use std::fmt;
use std::net::SocketAddr;

/// A game that is over.
#[derive(Clone, Debug)]
pub struct ServedGame {
    /// The number, from 1, in the order in which games began.
    pub number: u64,
    /// The participants by seat. The first seat moved first.
    pub participants: [Participant; 2],
    /// The random seed of each seat, which matters to a bot only.
    pub side_seeds: [u64; 2],
    /// The events. The end is missing if there is no result.
    pub events: Vec<Event<Submarine>>,
    /// The result, or the reason why there is none: a failure of the arena.
    pub outcome: Result<End, Stopped>,
}

/// A side of a game that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Participant {
    /// A client, by its address.
    Client(SocketAddr),
    /// The server's bot.
    Bot,
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(address) => address.fmt(f),
            Self::Bot => f.write_str("the bot"),
        }
    }
}

/// The numbers of games that were served, by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games.
    pub games: u64,
    /// Games won, by seat; the first seat moved first.
    pub wins: [u64; 2],
    /// Games that were even.
    pub even: u64,
    /// Games without a contest: neither side placed its ships.
    pub no_contest: u64,
    /// Games without a result, because the arena failed.
    pub failed: u64,
}

impl Tally {
    /// Counts a game.
    pub(crate) fn count(&mut self, game: &ServedGame) {
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
