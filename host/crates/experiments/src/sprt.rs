//! Pairs of games between a new bot and an old one, for a sequential test.

use arena_league::{Fixture, Side, match_games};
use arena_players::worker_pool::{self, WorkerItems};
use arena_players::{Connection, Order, Played, Processes, Queue, Seats, Session, Table};
use arena_record::Header;
use arena_referee::HostError;
use arena_sandbox::Sandbox;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The number of the new bot at its table.
pub const NEW: usize = 0;

/// The number of the old bot at its table.
pub const OLD: usize = 1;

/// A game of a pair: the side of the new bot, and the game.
pub type Sided = (Side, Played);

/// Both games of a pair, numbered from 0.
fn pair_games(pair: usize) -> [Fixture; 2] {
    let pair = u32::try_from(pair).expect("there are fewer pairs");
    let mut games = match_games(NEW, OLD, 2);
    [(); 2].map(|()| {
        let fixture = games.next().expect("a pair has two games");
        Fixture { pair, game: 2 * pair + fixture.game, ..fixture }
    })
}

fn sided(fixture: Fixture, played: Played) -> Sided {
    (if fixture.seats[0] == NEW { Side::First } else { Side::Second }, played)
}

/// Plays both games of a pair.
fn play_pair(table: &Table<'_>, pair: usize) -> Result<[Sided; 2], HostError> {
    let play = |fixture: Fixture| {
        let played = table.play(fixture, None);
        let played = played.map_err(|error| error.in_game(format_args!("game {}", fixture.game)))?;
        Ok::<_, HostError>(sided(fixture, played))
    };
    let [first, second] = pair_games(pair);
    Ok([play(first)?, play(second)?])
}

/// Pairs of games, in which both bots have each seat once.
pub struct Pairs<'a> {
    table: Table<'a>,
    processes: Option<Processes>,
    pairs_max: usize,
}

impl<'a> Pairs<'a> {
    /// At most this number of pairs, at the table of [`NEW`] and [`OLD`].
    ///
    /// # Errors
    /// A failure of the arena: a process cannot be started.
    pub fn start(sandbox: &Sandbox, table: Table<'a>, pairs_max: usize) -> Result<Self, HostError> {
        let at_once = table.plan.jobs.min(pairs_max);
        let processes = Processes::start(sandbox, table.bots(), &Session::of(table.plan, false), at_once)?;
        Ok(Self { table, processes, pairs_max })
    }

    /// Plays them, and delivers each with its number from 0 and in order, until `deliver` breaks or `stop` returns true.
    pub fn play(
        &self,
        stop: impl Fn() -> bool + Sync,
        mut deliver: impl FnMut(usize, Result<[Sided; 2], HostError>) -> ControlFlow<()>,
    ) {
        let Self { table, processes, pairs_max } = self;
        let work = |items: &WorkerItems<'_, Result<[Sided; 2], HostError>>| match processes {
            Some(processes) => {
                processes.work_if_there_is_room(&PairQueue { items, table: *table });
            }
            None => {
                while let Some(pair) = items.take() {
                    items.put(pair, worker_pool::caught(|| play_pair(table, pair)));
                }
            }
        };
        worker_pool::by_workers(table.plan.jobs, *pairs_max, stop, work, |first, batch| {
            (first..).zip(batch).try_for_each(|(pair, games)| deliver(pair, worker_pool::settled(games)))
        });
    }
}

/// The pairs that processes are to play.
struct PairQueue<'a> {
    items: &'a WorkerItems<'a, Result<[Sided; 2], HostError>>,
    table: Table<'a>,
}

impl Queue for PairQueue<'_> {
    type Item = (usize, [(Header, Order); 2]);
    type Game = Played;

    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)> {
        let pair = if may_wait { self.items.take() } else { self.items.take_now() }?;
        let games = pair_games(pair).map(|game| self.table.order(game));
        let orders = games.iter().map(|(_, order)| *order).collect();
        Some(((pair, games), orders))
    }

    fn referee(
        &self,
        (_, games): &Self::Item,
        game: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        let (header, order) = &games[game];
        let number = header.game;
        let refereed = self.table.referee((header.clone(), *order), connection, None);
        refereed.map_err(|error| error.in_game(format_args!("game {number}")))
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(&self, (pair, _): &Self::Item, game: usize, seats: &Seats) -> Result<Played, HostError> {
        self.table.play_by_calls(pair_games(*pair)[game], seats, None)
    }

    fn put(&self, (pair, _): Self::Item, played: Result<Vec<Played>, HostError>) {
        let both = |played: Vec<Played>| -> Result<[Sided; 2], HostError> {
            let games: Vec<Sided> = pair_games(pair)
                .into_iter()
                .zip(played)
                .map(|(fixture, played)| sided(fixture, played))
                .collect();
            games.try_into().map_err(|_| HostError::Defect("a game was not brought".into()))
        };
        self.items.put(pair, Ok(played.and_then(both)));
    }
}
