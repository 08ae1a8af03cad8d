//! A Swiss: points, byes and who has met whom. Who meets whom next is [`pairing`](super::pairing)'s.

use super::fixture::match_games_after;
use super::pairing::{Entrant, Pairing, pair};
use super::tally::{Tally, half_points_of_wins, matches_of};
use super::{GameScore, Round};
use serde::{Serialize, Serializer};

/// A contestant's line.
///
/// Places go by points, then by Buchholz, then by games won; who is still equal shares the place. Buchholz is the sum
/// of the points of the opponents, one met twice counted twice: FIDE's Handbook, C.07, article 8.1. A bye counts
/// there as an opponent with the contestant's own points, article 16.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SwissPlacing {
    /// The contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// The best of the places that those equal to it share, from 1.
    pub place: u32,
    /// Half points: two for a win, one for a draw, and for a bye as for winning every game of a match. A pair of games
    /// that is not whole counts as drawn.
    #[serde(rename = "points", serialize_with = "in_points")]
    pub half_points: u32,
    /// Half points of the opponents.
    #[serde(rename = "buchholz", serialize_with = "in_points")]
    pub buchholz_half_points: u64,
    /// Games won, in whole pairs. A bye is none.
    pub wins: u32,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Games that have no result through a failure of ours.
    pub games_without_result: u32,
}

impl SwissPlacing {
    /// Points.
    pub fn points(&self) -> f64 {
        points(self.half_points.into())
    }

    /// Points of the opponents.
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
    /// Rounds played to their end.
    played: u32,
    entrants: Vec<Entrant>,
    wins: Vec<u32>,
    games_without_result: Vec<u32>,
    meetings: Meetings,
}

impl Swiss {
    pub fn new(contestants: usize, rounds: u32, games_per_match: u32) -> Self {
        Self {
            rounds,
            games_per_match,
            played: 0,
            entrants: vec![Entrant::default(); contestants],
            wins: vec![0; contestants],
            games_without_result: vec![0; contestants],
            meetings: Meetings::new(contestants),
        }
    }

    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    pub fn next_round(&self) -> Option<Round> {
        if self.played == self.rounds {
            return None;
        }
        let Pairing { matches, bye } = pair(&self.entrants, |one, other| self.meetings.of(one, other));
        let fixtures = matches
            .into_iter()
            .flat_map(|[one, other]| {
                let pairs_before = self.meetings.of(one, other) * (self.games_per_match / 2);
                match_games_after(pairs_before, one.min(other), one.max(other), self.games_per_match)
            })
            .collect();
        Some(Round { number: self.played + 1, tie_break: 0, fixtures, byes: bye.into_iter().collect() })
    }

    pub fn close_round(&mut self, round: &Round, results: &[Option<GameScore>]) {
        for (fixtures, results) in matches_of(&round.fixtures, results) {
            let tally = Tally::of(fixtures, results);
            let contestants = fixtures[0].contestants();
            for (index, contestant) in contestants.into_iter().enumerate() {
                self.entrants[contestant].half_points += tally.half_points[index];
                self.wins[contestant] += tally.wins[index];
                self.games_without_result[contestant] += tally.games_without_result;
            }
            self.meetings.add(contestants);
        }
        for &contestant in &round.byes {
            self.entrants[contestant].half_points += half_points_of_wins(self.games_per_match);
            self.entrants[contestant].byes += 1;
        }
        self.played += 1;
    }

    pub fn placings(&self) -> Vec<SwissPlacing> {
        let mut placings: Vec<_> = (0..self.entrants.len()).map(|contestant| self.line(contestant)).collect();
        let merit =
            |placing: &SwissPlacing| (placing.half_points, placing.buchholz_half_points, placing.wins);
        placings.sort_by_key(|placing| std::cmp::Reverse(merit(placing)));
        for index in 1..placings.len() {
            let above = placings[index - 1];
            let equal = merit(&above) == merit(&placings[index]);
            placings[index].place = if equal { above.place } else { index as u32 + 1 };
        }
        placings
    }

    fn line(&self, contestant: usize) -> SwissPlacing {
        let Entrant { half_points, byes } = self.entrants[contestant];
        let of_opponents: u64 = (0..self.entrants.len())
            .filter(|&opponent| opponent != contestant)
            .map(|opponent| {
                let meetings = u64::from(self.meetings.of(contestant, opponent));
                meetings * u64::from(self.entrants[opponent].half_points)
            })
            .sum();
        SwissPlacing {
            contestant,
            place: 1,
            half_points,
            buchholz_half_points: of_opponents + u64::from(byes) * u64::from(half_points),
            wins: self.wins[contestant],
            byes,
            games_without_result: self.games_without_result[contestant],
        }
    }
}

/// How often each two have met.
#[derive(Clone, Debug)]
struct Meetings {
    contestants: usize,
    counts: Vec<u32>,
}

impl Meetings {
    fn new(contestants: usize) -> Self {
        Self { contestants, counts: vec![0; contestants * contestants] }
    }

    fn of(&self, one: usize, other: usize) -> u32 {
        self.counts[one * self.contestants + other]
    }

    fn add(&mut self, [one, other]: [usize; 2]) {
        self.counts[one * self.contestants + other] += 1;
        self.counts[other * self.contestants + one] += 1;
    }
}
