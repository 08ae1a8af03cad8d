//! The games of a tournament's round, as processes take them.

use super::{Order, Queue, Talk};
use crate::dashboard::Dashboard;
use crate::game::{Nobody, Onlooker, Playable, Played, Table};
use crate::season::Season;
use crate::tournament::{Asked, Games, Source};
use arena_league::Fixture;
use arena_record::Header;
use arena_referee::HostError;
use std::cell::RefCell;

/// The onlooker of a game of a tournament.
pub(crate) fn onlooker<'a, G: Playable>(
    dashboard: Option<&'a Dashboard<G>>,
    number: usize,
) -> Box<dyn Onlooker<G> + 'a> {
    match dashboard {
        Some(dashboard) => Box::new(dashboard.onlooker(number)),
        None => Box::new(Nobody),
    }
}

/// The games of a round that processes are to play.
pub(crate) struct Wanted<'a, G: Playable> {
    /// The games.
    pub games: &'a Games<'a>,
    /// The table of all games.
    pub table: Table<'a>,
    /// The season.
    pub season: &'a Season,
    /// The dashboard, if there is one.
    pub dashboard: Option<&'a Dashboard<G>>,
    /// A game that was played before.
    pub known: &'a dyn Fn(Fixture) -> Option<Source>,
    /// A game that was played now.
    pub ready: &'a dyn Fn(Played) -> Source,
}

impl<G: Playable> Wanted<'_, G> {
    /// The next game that nobody has played; none if there is none, or, unless it `may_wait`, none at the moment.
    pub fn next(&self, may_wait: bool) -> Option<Asked> {
        loop {
            let asked = self.games.take(may_wait)?;
            match (self.known)(asked.fixture) {
                Some(taken) => self.games.put(&asked, Ok(Ok(taken))),
                None => return Some(asked),
            }
        }
    }

    /// The order for a game, with its header.
    pub fn order(&self, asked: &Asked) -> (Header, Order) {
        self.table.order(self.season.of_roster(asked.fixture))
    }

    /// Referees a game with the answers of whoever plays it.
    ///
    /// # Errors
    /// The game has no result.
    pub fn referee(&self, asked: &Asked, header: Header, talk: &RefCell<Talk>) -> Result<Played, HostError> {
        self.table.referee::<G>(header, talk, &mut *onlooker(self.dashboard, asked.number))
    }
}

impl<G: Playable> Queue<G> for Wanted<'_, G> {
    type Item = (Asked, Header);
    type Game = Played;

    fn take(&self, may_wait: bool) -> Option<((Asked, Header), Vec<Order>)> {
        let asked = self.next(may_wait)?;
        let (header, order) = self.order(&asked);
        Some(((asked, header), vec![order]))
    }

    fn referee(
        &self,
        (asked, header): &(Asked, Header),
        _: usize,
        talk: &RefCell<Talk>,
    ) -> Result<Played, HostError> {
        self.referee(asked, header.clone(), talk)
    }

    fn put(&self, (asked, _): (Asked, Header), played: Result<Vec<Played>, HostError>) {
        let game = |played: Vec<Played>| played.into_iter().next().map(self.ready);
        let missing = || HostError("a game was not brought".into());
        self.games.put(&asked, Ok(played.and_then(|played| game(played).ok_or_else(missing))));
    }
}
