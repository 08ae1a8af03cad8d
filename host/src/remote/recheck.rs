//! Games that are played again on this machine, which is the authority on them: workers that agree to lie are found too.

use super::coordinate::depends_on_a_clock;
use arena_engine::round::RoundQueue;
use arena_engine::seed;
use arena_engine::tournament::Asked;
use arena_players::{Connection, Order, Played, Processes, Queue};
use arena_record::Header;
use arena_referee::HostError;
use std::cell::{Cell, RefCell};

/// Games that are played again: which ones, and where.
pub struct Recheck {
    /// At least 1.
    percent: u8,
    processes: Processes,
}

/// The verdict on a game that was played again.
pub enum Verdict {
    /// It is the same, or nothing can be said of it.
    Same,
    /// It depends on a clock, and this is how this machine played it.
    Instead(Box<Played>),
    /// It is another one.
    Another,
}

impl Recheck {
    /// Plays this percentage of games again, in these processes.
    pub fn new(percent: u8, processes: Processes) -> Self {
        Self { percent, processes }
    }

    /// The games of a batch that are played again, by their places in it: each with the same probability, and at least one. Nobody
    /// can know which. Nothing of a batch counts before.
    pub fn choose(&self, games: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = (0..games).filter(|_| self.chooses()).collect();
        if chosen.is_empty() && games > 0 {
            chosen.push(seed::fresh_number().map_or(0, |drawn| (drawn % games as u64) as usize));
        }
        chosen
    }

    fn chooses(&self) -> bool {
        // A number below 100 is drawn with an error of 2⁻⁵⁷. Without random numbers, every game is played again.
        seed::fresh_number().map_or(true, |drawn| drawn % 100 < u64::from(self.percent))
    }

    /// Plays games again, and compares. They are in their order.
    pub fn verdicts(&self, queue: &RoundQueue<'_, '_>, games: &[(&Asked, &Played)]) -> Vec<Verdict> {
        let queue = Games { queue, games, next: Cell::new(0), played: RefCell::default() };
        self.processes.work(&queue);
        let verdict = |((_, theirs), ours): (&(&Asked, &Played), Result<Played, HostError>)| match ours {
            Ok(ours) if ours.is_same_as(theirs) => Verdict::Same,
            Ok(ours) if depends_on_a_clock([&ours, theirs]) => Verdict::Instead(Box::new(ours)),
            Ok(_) => Verdict::Another,
            // A failure of ours proves nothing.
            Err(_) => Verdict::Same,
        };
        games.iter().zip(queue.played.into_inner()).map(verdict).collect()
    }
}

/// Games for a process of this machine.
struct Games<'a, 'g, 'w> {
    queue: &'a RoundQueue<'g, 'w>,
    games: &'a [(&'a Asked, &'a Played)],
    next: Cell<usize>,
    played: RefCell<Vec<Result<Played, HostError>>>,
}

impl Queue for Games<'_, '_, '_> {
    type Item = Header;
    type Game = Played;

    fn take(&self, _: bool) -> Option<(Header, Vec<Order>)> {
        let (asked, _) = self.games.get(self.next.replace(self.next.get() + 1))?;
        let (header, order) = self.queue.order(asked);
        Some((header, vec![order]))
    }

    fn referee(
        &self,
        header: &Header,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        self.queue.table.referee(header.clone(), connection, None)
    }

    fn put(&self, _: Header, played: Result<Vec<Played>, HostError>) {
        let missing = || HostError::Defect("a game was not brought".into());
        let game = played.and_then(|played| played.into_iter().next().ok_or_else(missing));
        self.played.borrow_mut().push(game);
    }
}
