//! The games of a tournament's round, as processes take them.

use super::Queue;
use crate::dashboard::Dashboard;
use crate::game::{Nobody, Onlooker, Playable, Played};
use crate::season::Season;
use crate::tournament::{Asked, Games, Source};
use arena_league::Fixture;
use arena_referee::HostError;

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
    /// The season.
    pub season: &'a Season,
    /// The dashboard, if there is one.
    pub dashboard: Option<&'a Dashboard<G>>,
    /// A game that was played before.
    pub known: &'a dyn Fn(Fixture) -> Option<Source>,
    /// A game that was played now.
    pub ready: &'a dyn Fn(Played) -> Source,
}

impl<G: Playable> Queue<G> for Wanted<'_, G> {
    type Item = Asked;

    fn take(&self, may_wait: bool) -> Option<(Asked, Vec<Fixture>)> {
        loop {
            let asked = self.games.take(may_wait)?;
            match (self.known)(asked.fixture) {
                Some(taken) => self.games.put(&asked, Ok(Ok(taken))),
                None => {
                    let fixture = self.season.of_roster(asked.fixture);
                    return Some((asked, vec![fixture]));
                }
            }
        }
    }

    fn onlooker(&self, asked: &Asked) -> Box<dyn Onlooker<G> + '_> {
        onlooker(self.dashboard, asked.number)
    }

    fn put(&self, asked: Asked, played: Result<Vec<Played>, HostError>) {
        let game = |played: Vec<Played>| played.into_iter().next().map(self.ready);
        let missing = || HostError("a game was not brought".into());
        self.games.put(&asked, Ok(played.and_then(|played| game(played).ok_or_else(missing))));
    }
}
