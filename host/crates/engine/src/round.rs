//! The games of a tournament's round, as a queue for processes and workers.

use crate::control::Control;
use crate::run::Watch;
use crate::season::Season;
use crate::tournament::{Asked, RoundGames, Source};
use arena_league::Fixture;
use arena_players::{CalledBots, Connection, Order, Played, Queue, Runner, worker_pool};
use arena_record::Header;
use arena_referee::HostError;
use std::cell::RefCell;

/// The games of a round that are to be played.
pub struct RoundQueue<'a, 'w> {
    /// The games.
    pub games: &'a RoundGames<'a>,
    /// The runner of all games.
    pub runner: Runner<'a>,
    /// The season.
    pub season: &'a Season,
    /// The watcher of a game, by its number; `None` when the game is not watched.
    pub watch: &'a Watch<'w>,
    /// The control of the run.
    pub control: &'a Control,
    /// A game that was played before.
    pub known: &'a dyn Fn(Fixture) -> Option<Source>,
    /// A game that was played now.
    pub ready: &'a dyn Fn(Played) -> Source,
}

impl RoundQueue<'_, '_> {
    /// The next game to play; `None` at the end, or, unless it `may_wait`, when none is available at the moment.
    pub fn next(&self, may_wait: bool) -> Option<Asked> {
        loop {
            if may_wait {
                self.control.wait_while_paused();
            } else if self.control.is_paused() {
                return None;
            }
            let asked = self.games.take(may_wait)?;
            match (self.known)(asked.fixture) {
                Some(taken) => self.games.put(&asked, Ok(Ok(taken))),
                None => return Some(asked),
            }
        }
    }

    /// The order for a game, with its header.
    pub fn order(&self, asked: &Asked) -> (Header, Order) {
        self.runner.order(self.season.of_roster(asked.fixture))
    }

    /// Referees a game with the answers of the process or worker that plays it.
    ///
    /// # Errors
    /// The game has no result.
    pub fn referee(
        &self,
        asked: &Asked,
        game: (Header, Order),
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        let mut watcher = (self.watch)(asked.number);
        self.runner.referee(game, connection, watcher.as_deref_mut())
    }

    /// Plays all of them in this process, as one worker.
    pub fn play_here(&self) {
        while let Some(asked) = self.next(true) {
            let played = worker_pool::caught(|| {
                let mut watcher = (self.watch)(asked.number);
                let fixture = self.season.of_roster(asked.fixture);
                Ok((self.ready)(self.runner.play(fixture, watcher.as_deref_mut())?))
            });
            self.games.put(&asked, played);
        }
    }
}

impl Queue for RoundQueue<'_, '_> {
    type Item = (Asked, (Header, Order));
    type Game = Played;

    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)> {
        let asked = self.next(may_wait)?;
        let game = self.order(&asked);
        let order = game.1;
        Some(((asked, game), vec![order]))
    }

    fn referee(
        &self,
        (asked, game): &Self::Item,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        self.referee(asked, game.clone(), connection)
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(
        &self,
        (asked, _): &Self::Item,
        _: usize,
        seats: &CalledBots,
    ) -> Result<Played, HostError> {
        let mut watcher = (self.watch)(asked.number);
        self.runner.play_by_calls(self.season.of_roster(asked.fixture), seats, watcher.as_deref_mut())
    }

    fn put(&self, (asked, _): Self::Item, played: Result<Vec<Played>, HostError>) {
        let game = |played: Vec<Played>| played.into_iter().next().map(self.ready);
        let missing = || HostError::Defect("a game was not brought".into());
        self.games.put(&asked, Ok(played.and_then(|played| game(played).ok_or_else(missing))));
    }

    fn is_over(&self) -> bool {
        self.games.is_over()
    }

    fn leave(&self, (asked, _): Self::Item) {
        self.games.put(&asked, Ok(Ok(Source::Missing)));
    }
}
