//! The standings of a tournament, with a crosstable.

use serde::Serialize;

/// The result of a game, as the standings count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// A win of the contestant in this seat.
    Win(Side),
    /// A draw.
    Draw,
    /// No contest: neither side scores.
    NoContest,
}

impl Score {
    /// The half points of each seat: 2 for a win, 1 each for a draw. `None` for no contest.
    pub const fn half_points(self) -> Option<[u32; 2]> {
        match self {
            Self::Win(Side::First) => Some([2, 0]),
            Self::Win(Side::Second) => Some([0, 2]),
            Self::Draw => Some([1, 1]),
            Self::NoContest => None,
        }
    }
}

/// A seat in a game. As a number (`side as usize`), it is the seat's index in arrays of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Seat 1.
    First,
    /// Seat 2.
    Second,
}

/// A contestant's row in the standings.
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
    /// Games that ended as no contest, because neither side placed a legal fleet.
    pub no_contests: u32,
    /// Faults of all classes.
    pub faults: u32,
}

impl Row {
    /// Half points: 2 for a win, 1 for a draw. Whole numbers, so that sums are exact.
    pub const fn half_points(&self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points()) / 2.0
    }
}

/// The sums of a tournament's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    rows: Vec<Row>,
    /// For the row's contestant against the column's: its half points, and the games.
    crosstable: Vec<Vec<(u32, u32)>>,
}

impl Standings {
    /// Empty standings.
    pub fn new(contestants: usize) -> Self {
        let mut standings = Self { rows: Vec::new(), crosstable: Vec::new() };
        standings.grow(contestants);
        standings
    }

    /// Adds contestants without games, up to this number.
    pub fn grow(&mut self, contestants: usize) {
        let new = self.rows.len()..contestants;
        self.rows.extend(new.map(|contestant| Row { contestant, ..Row::default() }));
        self.crosstable.resize(self.rows.len(), Vec::new());
        self.crosstable.iter_mut().for_each(|row| row.resize(self.rows.len(), (0, 0)));
    }

    /// Adds a game. `seats` are the contestants by seat, `faults` the number of faults by seat.
    pub fn add(&mut self, seats: [usize; 2], score: Score, faults: [u32; 2]) {
        for (seat, contestant) in seats.into_iter().enumerate() {
            let half_points = score.half_points().map(|half_points| half_points[seat]);
            let row = &mut self.rows[contestant];
            row.games += 1;
            row.faults += faults[seat];
            *match half_points {
                Some(0) => &mut row.losses,
                Some(1) => &mut row.draws,
                Some(_) => &mut row.wins,
                None => &mut row.no_contests,
            } += 1;
            let cell = &mut self.crosstable[contestant][seats[1 - seat]];
            cell.0 += half_points.unwrap_or(0);
            cell.1 += 1;
        }
    }

    /// The rows, by the contestants' numbers. They have no other order: a format may place by other things than points.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of contestants.
    pub fn contestants(&self) -> usize {
        self.crosstable.len()
    }

    /// The points of a contestant against an opponent, and the number of their games. `None` when they have not met.
    pub fn against(&self, contestant: usize, opponent: usize) -> Option<(f64, u32)> {
        let (half_points, games) = self.crosstable[contestant][opponent];
        (games > 0).then_some((f64::from(half_points) / 2.0, games))
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
            prop_assert_eq!(forwards.rows(), backwards.rows());
        }

        #[test]
        fn every_game_with_a_score_gives_away_one_point(games in any_games()) {
            let scored = games.iter().filter(|(_, score)| *score != Score::NoContest).count();
            let points: f64 = table(&games).rows().iter().map(Row::points).sum();
            prop_assert_eq!(points, scored as f64);
        }
    }

    #[test]
    fn a_win_is_a_point_a_draw_a_half_and_no_contest_nothing() {
        let mut table = Standings::new(3);
        table.add([0, 1], Score::Win(Side::Second), [2, 0]);
        table.add([1, 0], Score::Draw, [0, 0]);
        table.add([0, 1], Score::NoContest, [1, 1]);
        let best = &table.rows()[1];
        assert_eq!((best.contestant, best.points(), best.games, best.faults), (1, 1.5, 3, 1));
        assert_eq!(table.against(0, 1), Some((0.5, 3)));
        assert_eq!(table.against(0, 2), None);
    }
}
