//! The residuals of workers: how far the results of a worker deviate from those of other workers, in standard errors.
//!
//! A recheck tests one game; a residual tests all games of a worker. It is the test of Mantel (1963) with each pair of bots as a
//! stratum. If a worker is honest, its games between two bots are a random sample of all games between them. Then the sum of one bot's
//! points in the sample has the expectation and the variance of a draw without replacement. Both are summed over the opponents of a bot.
//! The residual of the bot is the deviation in standard errors; the residual of the worker is the largest one of all bots. The two games
//! of a pair share seeds, so they are one observation.
//!
//! N. Mantel: Chi-square tests with one degree of freedom; extensions of the Mantel–Haenszel procedure. Journal of the American
//! Statistical Association 58 (1963), 690–700. N. Mantel, J. L. Fleiss: Minimum expected cell size requirements for the
//! Mantel–Haenszel one-degree-of-freedom chi-square test and a related rapid procedure. American Journal of Epidemiology 112 (1980),
//! 129–134.

use crate::ledger::WorkerId;
use crate::message::Key;
use std::collections::{BTreeMap, HashMap};

/// The number of first games of pairs that are kept until the second one arrives. Chosen: twice the games in flight.
const HALVES_MAX: usize = 1 << 16;

/// The number of sums, each for a worker and a pair of bots. Chosen: about 30 MB, and a few milliseconds to calculate the residuals.
const SUMS_MAX: usize = 1 << 18;

/// The variance from which on the sum is close enough to a normal distribution, in points². Source: Mantel and Fleiss (1980), who advise
/// five.
const VARIANCE_MIN: f64 = 5.0;

/// A bot's residual in the games of a worker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotResidual {
    /// The number of the bot.
    pub bot: u32,
    /// The points that the bot has in this worker's games above the expectation from the others' games, in standard errors.
    pub standard_errors: f64,
}

/// The results of all games that counted, by their workers.
#[derive(Default)]
pub struct Residuals {
    /// The first game of each incomplete pair: the half points of the first bot, and the workers.
    halves: HashMap<(u32, u32, u32), (u64, Vec<WorkerId>)>,
    /// The pairs of games between each two bots.
    matches: BTreeMap<(u32, u32), Match>,
    sums: usize,
}

/// The pairs of games between two bots.
#[derive(Default)]
struct Match {
    all: Sum,
    of_workers: BTreeMap<WorkerId, Sum>,
}

/// Half points of the first of two bots in pairs of games.
#[derive(Clone, Copy, Default)]
struct Sum {
    pairs: u64,
    half_points: u64,
    squares: u64,
}

impl Sum {
    fn add(&mut self, half_points: u64) {
        self.pairs += 1;
        self.half_points += half_points;
        self.squares += half_points * half_points;
    }
}

impl Residuals {
    /// Counts a game that went to the journal: the half points of the bot in the first seat, and the workers that reported it.
    pub fn count(&mut self, key: &Key, half_points: u8, workers: &[WorkerId]) {
        let [first, second] = key.seats;
        let half_points = u64::from(half_points.min(2));
        let (first, second, half_points) =
            if first < second { (first, second, half_points) } else { (second, first, 2 - half_points) };
        let Some((before, both)) = self.halves.remove(&(first, second, key.pair)) else {
            if self.halves.len() >= HALVES_MAX {
                // A match with an odd number of games leaves an incomplete pair.
                self.halves.clear();
            }
            self.halves.insert((first, second, key.pair), (half_points, workers.to_vec()));
            return;
        };
        let entry = self.matches.entry((first, second)).or_default();
        entry.all.add(before + half_points);
        for worker in both.iter().filter(|worker| workers.contains(worker)) {
            match entry.of_workers.get_mut(worker) {
                Some(sum) => sum.add(before + half_points),
                None if self.sums < SUMS_MAX => {
                    self.sums += 1;
                    entry.of_workers.entry(*worker).or_default().add(before + half_points);
                }
                None => {}
            }
        }
    }

    /// Calculates the residual of each worker: the largest one of all bots. Workers with too few games are missing.
    pub fn calculate(&self) -> HashMap<WorkerId, BotResidual> {
        // The deviation and the variance in half points, by worker and bot.
        let mut sums: BTreeMap<(WorkerId, u32), (f64, f64)> = BTreeMap::new();
        for ((first, second), Match { all, of_workers }) in &self.matches {
            let pairs = all.pairs as f64;
            let mean = all.half_points as f64 / pairs;
            let variance = all.squares as f64 / pairs - mean * mean;
            for (worker, own) in of_workers.iter().filter(|(_, own)| own.pairs < all.pairs) {
                let count = own.pairs as f64;
                let distance = own.half_points as f64 - count * mean;
                // The variance of a sum of values drawn without replacement.
                let variance = count * (pairs - count) / (pairs - 1.0) * variance;
                for (bot, distance) in [(*first, distance), (*second, -distance)] {
                    let sum = sums.entry((*worker, bot)).or_default();
                    *sum = (sum.0 + distance, sum.1 + variance);
                }
            }
        }
        let mut residuals: HashMap<WorkerId, BotResidual> = HashMap::new();
        for ((worker, bot), (distance, variance)) in sums {
            // Two half points are a point.
            if variance / 4.0 < VARIANCE_MIN {
                continue;
            }
            let standard_errors = distance / variance.sqrt();
            let residual = residuals.entry(worker).or_insert(BotResidual { bot, standard_errors });
            if standard_errors.abs() > residual.standard_errors.abs() {
                *residual = BotResidual { bot, standard_errors };
            }
        }
        residuals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    const WORKERS: usize = 10;
    const BOTS: u32 = 6;
    const BATCH: usize = 20;

    /// The probability that the first of two bots wins. Bots with smaller numbers are better.
    fn chance(first: u32, second: u32) -> f64 {
        1.0 / (1.0 + 10_f64.powf((f64::from(first) - f64::from(second)) / 4.0))
    }

    /// A contest with this number of batches for each worker. The first worker lies in this share of the games that are not rechecked: the
    /// bot that it favours wins. One game of each batch is rechecked, and it is never a lie: the worst case.
    fn contest(batches: usize, lies: f64, seed: u64) -> Residuals {
        let (mut rng, mut residuals) = (Pcg64Mcg::seed_from_u64(seed), Residuals::default());
        let mut next = HashMap::<[u32; 2], u32>::new();
        for batch in 0..batches * WORKERS {
            let worker = WorkerId(batch % WORKERS);
            let checked = rng.random_range(0..BATCH);
            let first = rng.random_range(0..BOTS - 1);
            let seats = [first, rng.random_range(first + 1..BOTS)];
            for place in 0..BATCH {
                let game = next.entry(seats).or_default();
                let is_second = *game % 2 == 1;
                let key = Key {
                    seats: if is_second { [seats[1], seats[0]] } else { seats },
                    pair: *game / 2,
                    game: *game + 1,
                };
                *game += 1;
                let is_lie = worker.0 == 0 && place != checked && rng.random_bool(lies);
                let wins = match (is_lie, seats[1] == BOTS - 1) {
                    // It favours the last bot.
                    (true, true) => false,
                    _ => rng.random_bool(chance(seats[0], seats[1])),
                };
                residuals.count(&key, if wins == is_second { 0 } else { 2 }, &[worker]);
            }
        }
        residuals
    }

    #[test]
    fn a_worker_that_favours_a_bot_in_unchecked_games_is_found_and_no_honest_one_is_accused() {
        for seed in 0..20 {
            let residuals = contest(300, 0.1, seed).calculate();
            let liar = residuals[&WorkerId(0)];
            assert!(liar.bot == BOTS - 1 && liar.standard_errors > 4.0, "{seed}: {liar:?}");
            for worker in 1..WORKERS {
                let honest = residuals[&WorkerId(worker)];
                assert!(honest.standard_errors.abs() < 4.0, "{seed}: {worker}: {honest:?}");
            }
        }
    }

    #[test]
    fn residuals_of_honest_workers_are_as_large_as_by_chance() {
        let of_all: Vec<f64> = (0..40)
            .flat_map(|seed| contest(100, 0.0, seed).calculate().into_values())
            .map(|residual| residual.standard_errors.abs())
            .collect();
        assert_eq!(of_all.len(), 40 * WORKERS);
        let mean = of_all.iter().sum::<f64>() / of_all.len() as f64;
        // The largest of six nearly independent normal variables is 1.6 on average.
        assert!((1.4..1.8).contains(&mean), "{mean}");
        assert!(of_all.iter().all(|residual| *residual < 4.0), "{of_all:?}");
    }

    #[test]
    fn a_residual_is_unknown_without_games_from_others_or_with_too_few_games() {
        assert!(contest(1, 0.0, 1).calculate().is_empty());
        let mut residuals = Residuals::default();
        for game in 0..1_000 {
            let key = Key { seats: [0, 1], pair: game / 2, game: game + 1 };
            residuals.count(&key, if game % 3 == 0 { 2 } else { 0 }, &[WorkerId(0)]);
        }
        assert!(residuals.calculate().is_empty());
    }

    #[test]
    fn a_residual_equals_the_textbook_value_for_two_bots_and_two_workers() {
        let mut residuals = Residuals::default();
        let mut pair = 0;
        // The pairs of games that the first bot wins and loses, for each of two workers.
        for (worker, won, lost) in [(0, 40, 60), (1, 60, 40)] {
            for is_won in (0..won).map(|_| true).chain((0..lost).map(|_| false)) {
                for game in [0, 1] {
                    let seats = if game == 0 { [0, 1] } else { [1, 0] };
                    let key = Key { seats, pair, game: 2 * pair + game + 1 };
                    residuals.count(&key, if is_won == (game == 0) { 2 } else { 0 }, &[WorkerId(worker)]);
                }
                pair += 1;
            }
        }
        // (40 − 50) / √(100 · 100 · 100 · 100 / (200² · 199)), for a two-by-two table.
        let expected = -10.0 / (100_f64.powi(4) / (200.0 * 200.0 * 199.0)).sqrt();
        let residual = residuals.calculate()[&WorkerId(0)];
        assert_eq!(residual.bot, 0);
        assert!((residual.standard_errors - expected).abs() < 1e-9, "{residual:?} {expected}");
    }

    #[test]
    fn games_that_two_owners_played_count_for_both_and_once_for_all() {
        let mut residuals = Residuals::default();
        for game in 0..2 {
            let key = Key { seats: [0, 1], pair: 0, game: game + 1 };
            residuals.count(&key, 1, &[WorkerId(0), WorkerId(1)]);
        }
        let entry = &residuals.matches[&(0, 1)];
        assert_eq!((entry.all.pairs, entry.all.half_points, entry.of_workers.len()), (1, 2, 2));
    }
}
