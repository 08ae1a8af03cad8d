//! The part of the machine that the bots of these games get, so that games which count have the rest.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The part of the machine, as one in this number, that all games against persons take at most. Chosen: the games that count keep nine
/// tenths of their rate. Measured with 200 visitors of `posterior` on two busy cores, who shot 50 times a second together: no difference in the
/// season's games a second, and an answer in half a second.
const PART: u32 = 10;

/// Work of bots that is done one piece at a time, with a rest after each.
#[derive(Debug)]
pub(crate) struct Lane {
    /// The rest after a piece of work, in times of the work; `None` if nothing has to wait.
    rest: Option<u32>,
    free_at: Mutex<Instant>,
}

impl Lane {
    /// Work that waits for nothing.
    pub(crate) fn free() -> Self {
        Self { rest: None, free_at: Mutex::new(Instant::now()) }
    }

    /// Work that takes a tenth of a machine with this number of cores at most.
    pub(crate) fn shared(cores: usize) -> Self {
        let cores = u32::try_from(cores.max(1)).unwrap_or(u32::MAX);
        Self { rest: Some(PART.div_ceil(cores) - 1), ..Self::free() }
    }

    /// Does a piece of work when it is its turn. It returns the processor time that it took, for which the lane rests.
    pub(crate) fn work<T>(&self, work: impl FnOnce() -> (T, Duration)) -> T {
        let Some(rest) = self.rest else { return work().0 };
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        thread::sleep(free_at.saturating_duration_since(Instant::now()));
        let (done, took) = work();
        *free_at = Instant::now() + (took * rest).min(REST_MAX);
        done
    }

    /// Does a piece of work when it is its turn, after which there is no rest: each game has one, when it begins.
    pub(crate) fn begin<T>(&self, work: impl FnOnce() -> T) -> T {
        self.work(|| (work(), Duration::ZERO))
    }
}

/// The longest rest. Chosen: the turn of a bot that was stopped by its watchdog does not keep all others waiting for minutes.
const REST_MAX: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_rests_until_a_tenth_of_it_was_worked() {
        let rests = [1, 2, 3, 4, 10, 64].map(|cores| Lane::shared(cores).rest);
        assert_eq!(rests, [9, 4, 3, 2, 0, 0].map(Some));
        let lane = Lane::shared(2);
        let begun = Instant::now();
        let piece = Duration::from_millis(5);
        (0..3).for_each(|_| lane.work(|| ((), piece)));
        assert!(begun.elapsed() >= 8 * piece, "two rests of four pieces lie between three pieces");
    }
}
