//! Games that are played again on this machine, which is the authority on them: workers that agree to lie are found too.

use arena_engine::round::RoundQueue;
use arena_engine::seed;
use arena_engine::tournament::Asked;
use arena_league::Fixture;
use arena_players::{Connection, Order, Played, Processes, Queue, Seats};
use arena_record::Header;
use arena_referee::HostError;
use std::cell::{Cell, RefCell};

/// Games that are played again: which ones, and where.
pub struct Recheck {
    percent: u8,
    processes: Processes,
}

/// The verdict on a worker's game that was played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the same, or a clock decided here, so that nothing can be said of it.
    Same,
    /// The worker says that a clock decided it, and here none did.
    ClockClaim,
    /// It is another one.
    Different,
}

impl Verdict {
    /// Compares a worker's game with the one that was played here.
    pub fn of(ours: &Played, theirs: &Played) -> Self {
        match (ours.result.reproducible, theirs.result.reproducible) {
            (false, _) => Self::Same,
            (true, false) => Self::ClockClaim,
            // Where there is no clock, the output of the bots is always the same, too.
            (true, true) if ours == theirs => Self::Same,
            (true, true) => Self::Different,
        }
    }
}

impl Recheck {
    /// Plays this percentage of games again, in these processes.
    pub fn new(percent: u8, processes: Processes) -> Self {
        Self { percent, processes }
    }

    /// The games of a batch that are played again, by their places in it: each with the same probability, whatever the size of the
    /// batch, so that the share is kept for slow bots, too. All of them if the worker `is_new`, unless the share is 0. No worker can know
    /// which; nothing of a batch counts before.
    pub fn choose(&self, games: usize, is_new: bool) -> Vec<usize> {
        (0..games).filter(|_| is_chosen(self.percent, is_new)).collect()
    }

    /// Plays games again. They are in their order.
    pub fn play(&self, queue: &RoundQueue<'_, '_>, games: &[&Asked]) -> Vec<Result<Played, HostError>> {
        let queue = Games { queue, games, next: Cell::new(0), played: RefCell::default() };
        self.processes.work(&queue);
        queue.played.into_inner()
    }
}

/// True if a game is played again, at this percentage.
fn is_chosen(percent: u8, is_new: bool) -> bool {
    // A number below 100 is drawn with an error of 2⁻⁵⁷. Without random numbers, every game is played again.
    let is_drawn = || seed::fresh_number().map_or(true, |drawn| drawn % 100 < u64::from(percent));
    percent > 0 && (is_new || is_drawn())
}

/// Games for a process of this machine.
struct Games<'a, 'g, 'w> {
    queue: &'a RoundQueue<'g, 'w>,
    games: &'a [&'a Asked],
    next: Cell<usize>,
    played: RefCell<Vec<Result<Played, HostError>>>,
}

impl Queue for Games<'_, '_, '_> {
    type Item = (Fixture, Header);
    type Game = Played;

    fn take(&self, _: bool) -> Option<(Self::Item, Vec<Order>)> {
        let asked = *self.games.get(self.next.replace(self.next.get() + 1))?;
        let (header, order) = self.queue.order(asked);
        Some(((self.queue.season.of_roster(asked.fixture), header), vec![order]))
    }

    fn referee(
        &self,
        (_, header): &Self::Item,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        self.queue.table.referee(header.clone(), connection, None)
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(&self, (game, _): &Self::Item, _: usize, seats: &Seats) -> Result<Played, HostError> {
        self.queue.table.play_by_calls(*game, seats, None)
    }

    fn put(&self, _: Self::Item, played: Result<Vec<Played>, HostError>) {
        let missing = || HostError::Defect("a game was not brought".into());
        let game = played.and_then(|played| played.into_iter().next().ok_or_else(missing));
        self.played.borrow_mut().push(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_games_that_are_played_again_is_kept_on_average_one_game_at_a_time() {
        let chosen = |percent, is_new| (0..20_000).filter(|_| is_chosen(percent, is_new)).count();
        // Seven standard errors around 1,000.
        assert!((785..1_215).contains(&chosen(5, false)));
        assert_eq!(
            [chosen(0, false), chosen(0, true), chosen(100, false), chosen(1, true)],
            [0, 0, 20_000, 20_000]
        );
    }
}
