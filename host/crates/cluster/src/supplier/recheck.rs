//! Rechecks: games replayed on this machine. Its result is authoritative, so colluding workers are found too.

use arena_engine::internals::seed;
use arena_engine::{Asked, RoundQueue};
use arena_league::Fixture;
use arena_players::{CalledBots, Connection, Order, Played, Processes, Queue};
use arena_record::Header;
use arena_referee::HostError;
use std::cell::{Cell, RefCell};

/// The selection of games to recheck, and the processes that replay them.
pub struct Recheck {
    percent: u8,
    processes: Processes,
}

/// The verdict on a rechecked game of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game is the same; or a clock decided it here, so the comparison is meaningless.
    Same,
    /// The worker reports that a clock decided the game, and no clock did here.
    ClockClaim,
    /// The game differs.
    Different,
}

impl Verdict {
    /// Compares a worker's game with the replay.
    pub fn of(ours: &Played, theirs: &Played) -> Self {
        // When no clock decides, the bots' output is reproducible too.
        Self::by([ours, theirs].map(|game| game.result.reproducible), ours == theirs)
    }

    fn by(are_reproducible: [bool; 2], are_same: bool) -> Self {
        match are_reproducible {
            [false, _] => Self::Same,
            [true, false] => Self::ClockClaim,
            [true, true] if are_same => Self::Same,
            [true, true] => Self::Different,
        }
    }
}

impl Recheck {
    /// Rechecks this percentage of games, in these processes.
    pub fn new(percent: u8, processes: Processes) -> Self {
        Self { percent, processes }
    }

    /// Chooses the games of a batch to recheck, by their indices. Each has the same probability regardless of the size of the batch, so the
    /// share also holds for slow bots. Chooses all games if the worker `is_new`, unless the share is 0. Workers cannot predict the choice,
    /// and no game of the batch counts before the recheck.
    pub fn choose(&self, games: usize, is_new: bool) -> Vec<usize> {
        (0..games).filter(|_| is_chosen(self.percent, is_new)).collect()
    }

    /// Replays games. The results are in the same order.
    pub fn play(&self, queue: &RoundQueue<'_, '_>, games: &[&Asked]) -> Vec<Result<Played, HostError>> {
        let queue = Games { queue, games, next: Cell::new(0), played: RefCell::default() };
        self.processes.work(&queue);
        queue.played.into_inner()
    }
}

/// True if a game is to be rechecked, at this percentage.
fn is_chosen(percent: u8, is_new: bool) -> bool {
    // The modulo bias is 2⁻⁵⁷. Without random numbers, every game is rechecked.
    let is_drawn = || seed::fresh_number().map_or(true, |drawn| drawn % 100 < u64::from(percent));
    percent > 0 && (is_new || is_drawn())
}

/// The games for a process on this machine.
struct Games<'a, 'g, 'w> {
    queue: &'a RoundQueue<'g, 'w>,
    games: &'a [&'a Asked],
    next: Cell<usize>,
    played: RefCell<Vec<Result<Played, HostError>>>,
}

impl Queue for Games<'_, '_, '_> {
    type Item = (Fixture, (Header, Order));
    type Game = Played;

    fn take(&self, _: bool) -> Option<(Self::Item, Vec<Order>)> {
        let asked = *self.games.get(self.next.replace(self.next.get() + 1))?;
        let game = self.queue.order(asked);
        let order = game.1;
        Some(((self.queue.season.of_roster(asked.fixture), game), vec![order]))
    }

    fn referee(
        &self,
        (_, game): &Self::Item,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        self.queue.runner.referee(game.clone(), connection, None)
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(
        &self,
        (game, _): &Self::Item,
        _: usize,
        seats: &CalledBots,
    ) -> Result<Played, HostError> {
        self.queue.runner.play_by_calls(*game, seats, None)
    }

    fn put(&self, _: Self::Item, played: Result<Vec<Played>, HostError>) {
        let missing = || HostError::Defect("a process delivered no game".into());
        let game = played.and_then(|played| played.into_iter().next().ok_or_else(missing));
        self.played.borrow_mut().push(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_another_one_only_if_no_clock_decided_it_here_or_there() {
        for are_same in [false, true] {
            for theirs in [false, true] {
                assert_eq!(Verdict::by([false, theirs], are_same), Verdict::Same);
            }
            assert_eq!(Verdict::by([true, false], are_same), Verdict::ClockClaim);
        }
        assert_eq!(
            [false, true].map(|same| Verdict::by([true; 2], same)),
            [Verdict::Different, Verdict::Same]
        );
    }

    #[test]
    fn each_game_is_rechecked_with_the_given_probability() {
        let chosen = |percent, is_new| (0..20_000).filter(|_| is_chosen(percent, is_new)).count();
        // Seven standard errors around 1,000.
        assert!((785..1_215).contains(&chosen(5, false)));
        assert_eq!(
            [chosen(0, false), chosen(0, true), chosen(100, false), chosen(1, true)],
            [0, 0, 20_000, 20_000]
        );
    }
}
