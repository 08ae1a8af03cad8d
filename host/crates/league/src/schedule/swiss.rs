//! A Swiss: points, byes and previous meetings. The pairings are made in [`pairing`](super::pairing).

use super::Round;
use super::fixture::match_games_after;
use super::pairing::{Pairing, SwissStanding, pairing_of};
use super::tally::{HALF_POINTS_PER_GAME, MatchTally, Recorded, matches_of};
use serde::{Serialize, Serializer};

/// A contestant's row in the table of a Swiss.
///
/// The order is by points, then by Buchholz, then by games won; contestants who are still equal share the place.
/// Buchholz is the sum of the opponents' points, where an opponent met twice counts twice (FIDE Handbook C.07, article
/// 8.1). A bye counts as an opponent with the contestant's own points (article 16.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SwissPlacing {
    /// The contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// The place, from 1. Contestants who share places have the best of them.
    pub place: u32,
    /// Half points: 2 for a win, 1 for a draw, and for a bye as many as for a match in which every game is won. Both
    /// games of an incomplete pair count as drawn.
    #[serde(rename = "points", serialize_with = "in_points")]
    pub half_points: u32,
    /// Buchholz: the opponents' half points.
    #[serde(rename = "buchholz", serialize_with = "in_points")]
    pub buchholz_half_points: u64,
    /// Games won, in complete pairs. A bye adds none.
    pub wins: u32,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Games without a result because of a failure of the arena.
    pub games_without_result: u32,
}

impl SwissPlacing {
    /// Points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        points(self.half_points.into())
    }

    /// Buchholz: the opponents' points.
    pub fn buchholz(&self) -> f64 {
        points(self.buchholz_half_points)
    }
}

fn points(half_points: u64) -> f64 {
    half_points as f64 / 2.0
}

fn in_points<S: Serializer>(half_points: &(impl Copy + Into<u64>), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(points((*half_points).into()))
}

#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u32,
    games_per_match: u32,
    /// Completed rounds.
    played: u32,
    /// The rows by contestant, without places and Buchholz.
    rows: Vec<SwissPlacing>,
    /// The number of matches between each two contestants.
    meetings: Vec<Vec<u32>>,
}

impl Swiss {
    pub fn new(contestants: usize, rounds: u32, games_per_match: u32) -> Self {
        Self {
            rounds,
            games_per_match,
            played: 0,
            rows: (0..contestants)
                .map(|contestant| SwissPlacing { contestant, ..SwissPlacing::default() })
                .collect(),
            meetings: vec![vec![0; contestants]; contestants],
        }
    }

    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    pub fn next_round(&self) -> Option<Round> {
        if self.played == self.rounds {
            return None;
        }
        let standings: Vec<_> = self
            .rows
            .iter()
            .map(|row| SwissStanding { half_points: row.half_points, byes: row.byes })
            .collect();
        let Pairing { matches, bye } = pairing_of(&standings, |one, other| self.meetings[one][other]);
        let fixtures = matches
            .into_iter()
            .flat_map(|[one, other]| {
                let pairs_before = self.meetings[one][other] * (self.games_per_match / 2);
                match_games_after(pairs_before, one.min(other), one.max(other), self.games_per_match)
            })
            .collect();
        Some(Round { number: self.played + 1, tie_break: 0, fixtures, byes: bye.into_iter().collect() })
    }

    pub fn close_round(&mut self, games: &[Recorded], byes: &[usize]) {
        for games in matches_of(games) {
            let mut tally = MatchTally::default();
            tally.add(games);
            let [first, second] = games[0].0.contestants();
            for (index, contestant) in [first, second].into_iter().enumerate() {
                let row = &mut self.rows[contestant];
                row.half_points += tally.half_points[index];
                row.wins += tally.wins[index];
                row.games_without_result += tally.games_without_result;
            }
            self.meetings[first][second] += 1;
            self.meetings[second][first] += 1;
        }
        for &contestant in byes {
            self.rows[contestant].half_points += HALF_POINTS_PER_GAME * self.games_per_match;
            self.rows[contestant].byes += 1;
        }
        self.played += 1;
    }

    pub fn placings(&self) -> Vec<SwissPlacing> {
        let mut placings: Vec<_> = self
            .rows
            .iter()
            .map(|&row| SwissPlacing { buchholz_half_points: self.buchholz(row), ..row })
            .collect();
        let merit = |row: &SwissPlacing| (row.half_points, row.buchholz_half_points, row.wins);
        placings.sort_by_key(|row| std::cmp::Reverse(merit(row)));
        let mut places_above = 0;
        for equal in placings.chunk_by_mut(|one, next| merit(one) == merit(next)) {
            equal.iter_mut().for_each(|row| row.place = places_above + 1);
            places_above += equal.len() as u32;
        }
        placings
    }

    fn buchholz(&self, row: SwissPlacing) -> u64 {
        let weighted = |times: u32, half_points: u32| u64::from(times) * u64::from(half_points);
        let opponents = self.meetings[row.contestant].iter().zip(&self.rows);
        let of_opponents: u64 = opponents.map(|(&meetings, row)| weighted(meetings, row.half_points)).sum();
        of_opponents + weighted(row.byes, row.half_points)
    }
}
