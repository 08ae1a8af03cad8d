//! The performance of a contestant: the rating that its score speaks for.

use super::scale::score_of_elo;

/// The largest distance from the opponents' mean, in Elo. It is that of a score of 100 % in FIDE's table.
const DISTANCE_MAX: f64 = 800.0;

/// The number of times that the range of 1,600 Elo is halved. Chosen: the rest is far below a thousandth, to which the result is rounded.
const HALVINGS: usize = 40;

/// The performance over games against opponents with known ratings: the rating for which the expected points against these very opponents
/// are the points that were scored, at most 800 Elo from the opponents' mean.
///
/// FIDE's performance takes the mean of the opponents as one opponent (Rp = Ra + dp), which is far off in a field of strong and weak ones:
/// a bot that wins against all weak ones and loses against all strong ones then has less than its rating.
#[derive(Clone, Debug, Default)]
pub struct Performance {
    /// The number of games against each rating.
    opponents: Vec<(f64, u32)>,
    half_points: u32,
}

impl Performance {
    /// Adds a game against an opponent with this rating, and the half points that it brought.
    pub fn add(&mut self, opponent: f64, half_points: u32) {
        match self.opponents.iter_mut().find(|(rating, _)| *rating == opponent) {
            Some((_, games)) => *games += 1,
            None => self.opponents.push((opponent, 1)),
        }
        self.half_points += half_points;
    }

    /// The performance, in Elo; `None` without games.
    pub fn elo(&self) -> Option<f64> {
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.opponents.iter().map(|&(rating, games)| f64::from(games) * of(rating)).sum()
        };
        let games = sum(&|_| 1.0);
        if games == 0.0 {
            return None;
        }
        let mean = sum(&|rating| rating) / games;
        let points = f64::from(self.half_points) / 2.0;
        let (mut low, mut high) = (mean - DISTANCE_MAX, mean + DISTANCE_MAX);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if sum(&|rating| score_of_elo(middle - rating)) < points { low = middle } else { high = middle }
        }
        // Without the sign of a zero.
        Some((low * 1_000.0).round() / 1_000.0 + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn performance(games: impl IntoIterator<Item = (f64, u32)>) -> Option<f64> {
        let mut all = Performance::default();
        games.into_iter().for_each(|(opponent, half_points)| all.add(opponent, half_points));
        all.elo()
    }

    #[test]
    fn half_of_the_points_are_the_mean_of_the_opponents() {
        assert!((performance([(100.0, 2), (-50.0, 0)]).unwrap() - 25.0).abs() < 1e-6);
        assert_eq!(performance([]), None);
    }

    #[test]
    fn a_score_is_as_far_from_the_mean_as_elo_says() {
        // 10 of 11 are odds of 10 to 1.
        let games = (0..11).map(|game| (200.0, if game == 0 { 0 } else { 2 }));
        assert!((performance(games).unwrap() - 600.0).abs() < 1e-6);
    }

    #[test]
    fn who_wins_against_the_weak_and_loses_against_the_strong_is_between_them() {
        // By the mean of its opponents, FIDE's performance of the same games is 3 odds of 1 above -250: -59.
        let games = [(500.0, 0), (-500.0, 2), (-500.0, 2), (-500.0, 2)];
        assert!((performance(games).unwrap() - 120.0).abs() < 60.0, "{:?}", performance(games));
    }

    #[test]
    fn a_perfect_score_is_800_away() {
        assert!((performance([(0.0, 2), (10.0, 2)]).unwrap() - 805.0).abs() < 1e-6);
        assert!((performance([(0.0, 0)]).unwrap() + 800.0).abs() < 1e-6);
    }
}
