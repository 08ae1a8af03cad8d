//! The performance of a contestant: the rating that its score speaks for.

use super::scale::elo_of_score;

/// The largest distance from the opponents' mean, in Elo. It is that of a score of 100 % in FIDE's table.
const DISTANCE_MAX: f64 = 800.0;

/// The performance over games against opponents with known ratings.
///
/// It is the mean rating of the opponents plus the difference in rating for which the share of points is the expected one
/// (FIDE Handbook B.02, Rating Regulations, and B.01, Title Regulations: Rp = Ra + dp). The difference follows from Elo's
/// formula instead of FIDE's table of it, and is at most 800, as in the table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Performance {
    games: u32,
    opponents: f64,
    half_points: u32,
}

impl Performance {
    /// Adds a game against an opponent with this rating, and the half points that it brought.
    pub fn add(&mut self, opponent: f64, half_points: u32) {
        self.games += 1;
        self.opponents += opponent;
        self.half_points += half_points;
    }

    /// The performance, in Elo; `None` without games.
    pub fn elo(&self) -> Option<f64> {
        let all = f64::from(self.games);
        // The ends of the scale are infinite, and are cut.
        let distance =
            || elo_of_score(f64::from(self.half_points) / (2.0 * all)).clamp(-DISTANCE_MAX, DISTANCE_MAX);
        (self.games > 0).then(|| self.opponents / all + distance())
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
        assert_eq!(performance([(100.0, 2), (-50.0, 0)]), Some(25.0));
        assert_eq!(performance([]), None);
    }

    #[test]
    fn a_score_is_as_far_from_the_mean_as_elo_says() {
        // 10 of 11 are odds of 10 to 1.
        let games = (0..11).map(|game| (200.0, if game == 0 { 0 } else { 2 }));
        assert!((performance(games).unwrap() - 600.0).abs() < 1e-9);
    }

    #[test]
    fn a_perfect_score_is_800_away() {
        assert_eq!(performance([(0.0, 2), (10.0, 2)]), Some(805.0));
        assert_eq!(performance([(0.0, 0)]), Some(-800.0));
    }
}
