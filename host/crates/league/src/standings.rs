//! The table of a tournament.

use serde::Serialize;

/// How a game ended for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The contestant in this seat won.
    Win(Side),
    /// Neither won.
    Draw,
    /// It was no game, and neither scores.
    NoContest,
}

/// A seat, as the table sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Seat 1.
    First,
    /// Seat 2.
    Second,
}

/// A contestant's line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// The contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// Games with a result, no contests included.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games that were none, because neither side placed a legal fleet.
    pub no_contests: u32,
    /// Faults of all classes.
    pub faults: u32,
}

impl Row {
    /// A win is one point, a draw a half. In half points, so that it is exact.
    pub const fn half_points(&self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points()) / 2.0
    }

    /// Points of the points there were, 0 to 1; a half where there were none.
    pub fn share(&self) -> f64 {
        match self.wins + self.draws + self.losses {
            0 => 0.5,
            scored => self.points() / f64::from(scored),
        }
    }
}

/// A tournament's results, added up.
#[derive(Clone, Debug)]
pub struct Standings {
    rows: Vec<Row>,
    /// Half points of the row's contestant against the column's.
    half_points: Vec<Vec<u32>>,
    played: Vec<Vec<u32>>,
}

impl Standings {
    /// An empty table.
    pub fn new(contestants: usize) -> Self {
        Self {
            rows: (0..contestants).map(|contestant| Row { contestant, ..Row::default() }).collect(),
            half_points: vec![vec![0; contestants]; contestants],
            played: vec![vec![0; contestants]; contestants],
        }
    }

    /// Adds a game: its contestants by seat, its score and each one's faults.
    pub fn add(&mut self, seats: [usize; 2], score: Score, faults: [u32; 2]) {
        let [first, second] = seats;
        for (contestant, faults) in seats.into_iter().zip(faults) {
            self.rows[contestant].games += 1;
            self.rows[contestant].faults += faults;
        }
        match score {
            Score::Win(side) => {
                let (winner, loser) = if side == Side::First { (first, second) } else { (second, first) };
                self.rows[winner].wins += 1;
                self.rows[loser].losses += 1;
                self.half_points[winner][loser] += 2;
            }
            Score::Draw => {
                for (contestant, opponent) in [(first, second), (second, first)] {
                    self.rows[contestant].draws += 1;
                    self.half_points[contestant][opponent] += 1;
                }
            }
            Score::NoContest => {
                seats.into_iter().for_each(|contestant| self.rows[contestant].no_contests += 1)
            }
        }
        self.played[first][second] += 1;
        self.played[second][first] += 1;
    }

    /// The lines, best first: by share of points, then by wins, then in the order in which they are named.
    pub fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.share().total_cmp(&a.share()).then(b.wins.cmp(&a.wins)));
        rows
    }

    /// Points of one contestant against another, and the games they have played; none where they have not met.
    pub fn against(&self, contestant: usize, opponent: usize) -> Option<(f64, u32)> {
        match self.played[contestant][opponent] {
            0 => None,
            played => Some((f64::from(self.half_points[contestant][opponent]) / 2.0, played)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_score() -> impl Strategy<Value = Score> {
        prop_oneof![
            Just(Score::Win(Side::First)),
            Just(Score::Win(Side::Second)),
            Just(Score::Draw),
            Just(Score::NoContest)
        ]
    }

    fn any_games() -> impl Strategy<Value = Vec<([usize; 2], Score)>> {
        let game =
            (0usize..5, 1usize..5, any_score()).prop_map(|(a, step, score)| ([a, (a + step) % 5], score));
        prop::collection::vec(game, 0..60)
    }

    fn table(games: &[([usize; 2], Score)]) -> Standings {
        let mut table = Standings::new(5);
        games.iter().for_each(|&(seats, score)| table.add(seats, score, [0, 1]));
        table
    }

    proptest! {
        #[test]
        fn the_order_of_the_games_does_not_change_the_table(games in any_games()) {
            let mut reversed = games.clone();
            reversed.reverse();
            let (forwards, backwards) = (table(&games), table(&reversed));
            prop_assert_eq!(forwards.ranked(), backwards.ranked());
        }

        #[test]
        fn every_game_with_a_score_gives_away_one_point(games in any_games()) {
            let scored = games.iter().filter(|(_, score)| *score != Score::NoContest).count();
            let points: f64 = table(&games).ranked().iter().map(|row| row.points()).sum();
            prop_assert_eq!(points, scored as f64);
        }
    }

    #[test]
    fn a_win_is_a_point_a_draw_a_half_and_no_contest_nothing() {
        let mut table = Standings::new(3);
        table.add([0, 1], Score::Win(Side::Second), [2, 0]);
        table.add([1, 0], Score::Draw, [0, 0]);
        table.add([0, 1], Score::NoContest, [1, 1]);
        let best = table.ranked()[0];
        assert_eq!((best.contestant, best.points(), best.games, best.faults), (1, 1.5, 3, 1));
        assert_eq!(table.against(0, 1), Some((0.5, 3)));
        assert_eq!(table.against(0, 2), None);
    }
}
