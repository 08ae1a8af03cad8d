//! The size of batches, and the number of games in flight.

use std::time::Duration;

/// The target time of a batch on one job. Chosen: long compared with the milliseconds of a message, and a worker that dies costs little
/// more than that.
const BATCH: Duration = Duration::from_millis(500);

/// The number of batches in flight for each job. Chosen: a worker holds two, and one waits at the server.
const BATCHES_PER_JOB: usize = 3;

/// The largest number of games that are in flight or wait for earlier ones. Chosen: at 3 KiB each, 100 MiB.
const GAMES_MAX: usize = 32_768;

/// The length assumed for an order in a batch, in bytes. Chosen: it has four seeds and a few numbers, of at most 10 bytes each.
const ORDER_BYTES_MAX: usize = 96;

/// The cap on the time that a worker reports for a batch. Chosen: a longer time would not make batches smaller, and averages stay in
/// range.
const TOOK_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The batch size for all workers.
#[derive(Clone, Copy, Debug)]
pub struct BatchSize {
    /// The message size limit, in bytes.
    message_bytes_max: usize,
    /// The time of a game on one job and the length of its report, averaged over recent batches; `None` before the first one.
    game: Option<(Duration, usize)>,
    /// The number of games in the largest batch so far.
    largest: usize,
}

impl BatchSize {
    /// Creates an unknown batch size, with this message size limit.
    pub fn new(message_bytes_max: usize) -> Self {
        Self { message_bytes_max, game: None, largest: 1 }
    }

    /// The number of batches in flight for this number of jobs: at least one for each thread.
    pub fn batches(jobs: usize, threads: usize) -> usize {
        (jobs * BATCHES_PER_JOB).max(threads)
    }

    /// The number of games in the next batch, at least 1.
    pub fn games(&self, jobs: usize, threads: usize) -> usize {
        let Some((time, bytes)) = self.game else { return 1 };
        let by_time = BATCH.as_nanos() / time.as_nanos().max(1);
        // Half of a message is reserved for games with longer reports than the average.
        let by_bytes = self.message_bytes_max / 2 / bytes.max(ORDER_BYTES_MAX);
        // Batches grow slowly, because the first games are a poor estimate for the others.
        let by_growth = self.largest * 2;
        let by_room = GAMES_MAX / 2 / Self::batches(jobs, threads);
        usize::try_from(by_time).unwrap_or(usize::MAX).min(by_bytes).min(by_growth).min(by_room).max(1)
    }

    /// The same when this number of games is left. Batches become smaller towards the end, so that all jobs end at the same time
    /// (guided self-scheduling; Polychronopoulos and Kuck, 1987).
    pub fn games_of(&self, left: usize, jobs: usize, threads: usize) -> usize {
        self.games(jobs, threads).min(left.div_ceil(Self::batches(jobs, threads))).max(1)
    }

    /// The number of games that may be taken before the first one of them is in the journal.
    pub fn lead(&self, jobs: usize, threads: usize) -> usize {
        // A slow game delays the ones after it; as many again can be played in the meantime.
        (2 * Self::batches(jobs, threads) * self.games(jobs, threads)).min(GAMES_MAX)
    }

    /// Counts a completed batch with this number of games.
    pub fn played(&mut self, games: usize, took: Duration, bytes: usize) {
        let Ok(count) = u32::try_from(games.max(1)) else { return };
        let now = (took.min(TOOK_MAX) / count, bytes / games.max(1));
        self.largest = self.largest.max(games);
        // Exponential moving average: the latest batch has a weight of a quarter.
        self.game = Some(match self.game {
            Some((time, bytes)) => ((time * 3 + now.0) / 4, (bytes * 3 + now.1) / 4),
            None => now,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(games: usize, millis: u64, bytes: usize) -> BatchSize {
        let mut batch_size = BatchSize::new(1 << 20);
        (0..40).for_each(|_| batch_size.played(games, Duration::from_millis(millis), bytes));
        batch_size
    }

    #[test]
    fn a_batch_takes_half_a_second_and_fits_into_a_message() {
        assert_eq!(BatchSize::new(1 << 20).games(4, 2), 1);
        assert_eq!(after(10, 100, 1_000).games(4, 2), 20, "it doubles at most");
        assert_eq!(after(100, 1_000, 10_000).games(4, 2), 50);
        assert_eq!(after(1_000, 10, 1_000_000).games(4, 2), 524, "half a message at 1,000 bytes a game");
        assert_eq!(after(1, 10_000, 1_000).games(4, 2), 1);
        assert_eq!(after(1, 10_000, 100 << 20).games(4, 2), 1);
    }

    #[test]
    fn the_latest_batch_has_a_quarter_of_the_weight_and_each_job_three_batches() {
        let mut batch_size = after(64, 64, 64 * 1_000);
        assert_eq!(batch_size.games(1, 1), 128, "a game takes 1 ms, and 64 were the most");
        batch_size.played(64, Duration::from_millis(64 * 9), 64 * 1_000);
        assert_eq!(batch_size.games(1, 1), 128, "it takes 3 ms");
        batch_size.played(64, Duration::from_millis(64 * 9), 64 * 17_000);
        assert_eq!(batch_size.games(1, 1), 104, "half a message at 5,000 bytes, rather than 4.5 ms");
        assert_eq!(
            [(4, 2), (0, 2), (1, 4)].map(|(jobs, threads)| BatchSize::batches(jobs, threads)),
            [12, 2, 4]
        );
        assert_eq!(after(1, 500, 1_000).lead(4, 2), 24);
        assert_eq!(after(1_000_000, 1, 1).games(1, 1), 5_461, "half of those in flight, for three batches");
        assert_eq!(after(1_000_000, 1, 1).lead(1, 1), 32_766);
        assert_eq!(after(1_000_000, 1, 1).lead(1, 5), 32_760);
    }

    #[test]
    fn the_last_batches_are_small_so_that_no_job_waits_long_for_another() {
        let batch_size = after(100, 500, 1_000);
        assert_eq!(batch_size.games_of(10_000, 4, 2), 100);
        let (mut left, mut batches) = (1_000, Vec::new());
        while left > 0 {
            batches.push(batch_size.games_of(left, 4, 2));
            left -= batches.last().unwrap();
        }
        assert!(batches.is_sorted_by(|one, next| one >= next), "{batches:?}");
        assert!(batches.iter().rev().take(10).all(|&games| games == 1), "{batches:?}");
        assert_eq!(batch_size.games_of(0, 4, 2), 1);
    }

    #[test]
    fn a_worker_that_claims_an_endless_time_does_not_crash_the_contest() {
        let mut batch_size = after(1, 100, 1_000);
        (0..3).for_each(|_| batch_size.played(1, Duration::MAX, 1_000));
        assert_eq!(batch_size.games(4, 2), 1);
        let mut batch_size = BatchSize::new(1 << 20);
        batch_size.played(1, Duration::MAX, 1_000);
        assert_eq!(batch_size.game, Some((Duration::from_secs(86_400), 1_000)), "a day at most");
    }

    #[test]
    fn very_many_workers_have_small_batches_and_the_games_in_flight_are_bounded() {
        let batch_size = after(1_000, 10, 100_000);
        for jobs in [0, 1, 10, 1_000, 100_000] {
            assert!(batch_size.lead(jobs, 2) <= GAMES_MAX);
            assert!(batch_size.games(jobs, 2) >= 1);
        }
        assert!(batch_size.games(4_000, 2) < batch_size.games(4, 2));
    }
}
