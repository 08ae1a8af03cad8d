//! The mean of the scores that a game gives its sides besides the result.

use crate::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// The mean score of a contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanScore {
    /// The mean over its games.
    #[serde(rename = "score")]
    pub mean: f64,
    /// Half the width of the mean's 95 % interval; `None` for fewer than two pairs of games, whose spread is not known.
    #[serde(rename = "score-error")]
    pub error: Option<f64>,
}

/// The sums over the scores of some games. Whole numbers, so they do not depend on the order of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeanScores {
    contestants: Vec<Sums>,
    /// The pairs of which one game was counted, by the contestants in ascending order and the number of the pair, with the scores of
    /// that game in this order.
    halves: BTreeMap<([usize; 2], u32), [i64; 2]>,
}

/// The sums of a contestant over pairs of games, or the games that were played of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    pairs: i128,
    /// Of the numbers of games, and of their squares.
    games: i128,
    games_squared: i128,
    /// Of the scores of a pair, of their squares, and of their products with the number of games.
    scores: i128,
    scores_squared: i128,
    scores_by_games: i128,
}

impl Sums {
    fn add(&mut self, games: i128, score: i128) {
        self.pairs += 1;
        self.games += games;
        self.games_squared += games * games;
        self.scores += score;
        self.scores_squared += score * score;
        self.scores_by_games += score * games;
    }

    fn mean(&self) -> Option<MeanScore> {
        let Self { pairs, games, games_squared, scores, scores_squared, scores_by_games } = *self;
        if games == 0 {
            return None;
        }
        // The sum of the squares of `score - games * mean` over the pairs. A whole number near the mean is taken off first, exactly:
        // the difference of large squares would lose digits.
        let whole = scores.div_euclid(games);
        let rest = scores.rem_euclid(games) as f64 / games as f64;
        let by_games = scores_by_games - whole * games_squared;
        let squared = scores_squared - whole * (scores_by_games + by_games);
        let spread = squared as f64 - rest * (2.0 * by_games as f64 - rest * games_squared as f64);
        let games = games as f64;
        let error = (pairs > 1).then(|| {
            let pairs = pairs as f64;
            Interval::of(0.0, spread.max(0.0) * pairs / (pairs - 1.0)).error / games
        });
        Some(MeanScore { mean: scores as f64 / games, error })
    }
}

impl MeanScores {
    /// Adds a game: the contestants by seat, the number of its pair among the games of these two, and the scores.
    pub fn add(&mut self, seats: [usize; 2], pair: u32, scores: [i64; 2]) {
        let is_swapped = seats[1] < seats[0];
        let [lower, upper] = if is_swapped { [seats[1], seats[0]] } else { seats };
        let scores = if is_swapped { [scores[1], scores[0]] } else { scores };
        if upper == lower {
            return;
        }
        let key = ([lower, upper], pair);
        let Some(half) = self.halves.remove(&key) else {
            self.halves.insert(key, scores);
            return;
        };
        let length = self.contestants.len().max(upper + 1);
        self.contestants.resize(length, Sums::default());
        for (contestant, place) in [(lower, 0), (upper, 1)] {
            self.contestants[contestant].add(2, i128::from(half[place]) + i128::from(scores[place]));
        }
    }

    /// The mean score of each of this number of contestants, with its 95 % interval; `None` for one without a score.
    ///
    /// The games of a pair have the same seeds, so the pair is the unit, as for the error bars of ratings: the interval is that of a ratio
    /// of two sums over a sample of clusters (Cochran, "Sampling Techniques", 3rd edition, section 6.3), which for complete pairs is
    /// [`Interval::of_mean`] of half their sums. It assumes that the mean is normally distributed, which is accurate for some tens of pairs
    /// or more.
    ///
    /// ```
    /// use arena_league::MeanScores;
    ///
    /// let mut scores = MeanScores::default();
    /// for (pair, first, second) in [(0, 3, -1), (1, 0, 0), (2, 5, -1)] {
    ///     scores.add([0, 1], pair, [first, 0]);
    ///     scores.add([1, 0], pair, [0, second]);
    /// }
    /// let mean = scores.of(2)[0].unwrap();
    /// // Of 1, 0 and 2: 1.95996 · √(1 / 3)
    /// assert_eq!(mean.mean, 1.0);
    /// assert!((mean.error.unwrap() - 1.131_6).abs() < 0.000_1);
    /// ```
    pub fn of(&self, contestants: usize) -> Vec<Option<MeanScore>> {
        let mut all = self.contestants.clone();
        all.resize(contestants, Sums::default());
        for ((pair, _), scores) in &self.halves {
            for (&contestant, &score) in pair.iter().zip(scores) {
                all[contestant].add(1, score.into());
            }
        }
        all.iter().map(Sums::mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The scores of games: the lower contestant, the other one, the pair, and the scores of both games of it, the second one of which may
    /// be missing.
    type Pairs = Vec<(usize, usize, [i64; 2], Option<[i64; 2]>)>;

    fn any_pairs() -> impl Strategy<Value = Pairs> {
        let score = || prop_oneof![-3_i64..=3, -1_000_000_000_i64..=1_000_000_000];
        let scores = move || [score(), score()];
        let pair = (0_usize..4, 1_usize..4, scores(), prop::option::of(scores()));
        prop::collection::vec(pair.prop_map(|(one, step, a, b)| (one, (one + step) % 4, a, b)), 0..40)
    }

    fn games(pairs: &Pairs) -> Vec<([usize; 2], u32, [i64; 2])> {
        let games = pairs.iter().zip(0..).flat_map(|(&(one, other, first, second), pair)| {
            let swapped = second.map(|scores| ([other, one], pair, scores));
            [Some(([one, other], pair, first)), swapped].into_iter().flatten()
        });
        games.collect()
    }

    fn means(games: &[([usize; 2], u32, [i64; 2])]) -> Vec<Option<MeanScore>> {
        let mut scores = MeanScores::default();
        games.iter().for_each(|&(seats, pair, of)| scores.add(seats, pair, of));
        scores.of(4)
    }

    proptest! {
        #[test]
        fn the_order_of_the_games_does_not_change_the_means_to_the_last_bit(
            (games, mixed) in any_pairs().prop_map(|pairs| games(&pairs)).prop_flat_map(|games| {
                (Just(games.clone()), Just(games).prop_shuffle())
            })
        ) {
            prop_assert_eq!(means(&games), means(&mixed));
        }

        #[test]
        fn complete_pairs_have_the_interval_of_the_mean_of_their_sums(
            scores in prop::collection::vec([-1_000_000_000_i64..=1_000_000_000, -5..=5], 2..40)
        ) {
            let pairs = scores.iter().map(|&[first, second]| (0, 1, [first, 0], Some([0, second]))).collect();
            let mean = means(&games(&pairs))[0].unwrap();
            let sums = Interval::of_mean(scores.iter().map(|[first, second]| first + second)).unwrap();
            let (expected, error) = (sums.value / 2.0, sums.error / 2.0);
            let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * (1.0 + other.abs());
            prop_assert!(is_near(mean.mean, expected) && is_near(mean.error.unwrap(), error), "{mean:?}, {sums:?}");
        }
    }

    #[test]
    fn a_game_without_the_other_one_of_its_pair_counts_once() {
        // Of the means 4, 4 and 1: the last pair has one game only.
        let pairs = vec![(0, 1, [4, 0], Some([0, 4])), (0, 1, [5, 0], Some([0, 3])), (0, 1, [1, 0], None)];
        let [first, second, third, _] = means(&games(&pairs))[..] else { panic!("there are four") };
        let mean = first.unwrap();
        assert_eq!((mean.mean, second.unwrap().mean, third), (17.0 / 5.0, 0.0, None));
        // 8 − 2 · 3.4 twice, and 1 − 3.4: √((1.2² + 1.2² + 2.4²) · 3/2) / 5.
        assert!((mean.error.unwrap() - 1.959_964 * (8.64_f64 * 1.5).sqrt() / 5.0).abs() < 1e-6, "{mean:?}");
        let single = means(&games(&vec![(0, 1, [7, 2], Some([2, 7]))]));
        assert_eq!(single[0], Some(MeanScore { mean: 7.0, error: None }));
        assert_eq!(second.unwrap().error, Some(0.0), "all have the same score");
    }
}
