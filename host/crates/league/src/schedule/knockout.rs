//! A knockout: the bracket, tied matches and who advances.

use super::fixture::match_games_after;
use super::tally::{MatchTally, Recorded, matches_of};
use super::{Planned, Round};
use serde::Serialize;
use std::cmp::Ordering;

/// The most pairs of games that are added to a tied match. Chosen: the number that a match of the FIDE World Cup 2025
/// had before its single decisive game. For two bots who tie half of their pairs, one in sixteen tied matches is still
/// tied after all of these; for two copies of one program, all are.
pub const TIE_BREAK_PAIRS_MAX: u32 = 4;

/// The criterion that decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// Points in the games of the match.
    Points,
    /// Points after one or more tie-breaks.
    TieBreak,
    /// Fewer faults.
    Faults,
    /// Fewer turns in won games.
    Turns,
    /// Seeding: all criteria are equal, so the higher-seeded contestant advances.
    Seeding,
    /// Seeding, because failures of the arena left no complete pair of games. It does not count as a defeat of the
    /// other contestant.
    NoResult,
}

impl DecidedBy {
    /// The criterion in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::TieBreak => "tie-break",
            Self::Faults => "fewer faults",
            Self::Turns => "fewer turns in won games",
            Self::Seeding => "seeding",
            Self::NoResult => "seeding: the arena failed",
        }
    }
}

/// A decided match of a knockout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockoutMatch {
    /// The round, from 1.
    pub round: u32,
    /// The two contestants in ascending order, so the higher-seeded one first.
    pub contestants: [usize; 2],
    /// The half points of each, tie-breaks included. Both games of an incomplete pair count as drawn.
    pub half_points: [u32; 2],
    /// The number of tie-breaks. They are pairs of games.
    pub tie_break_pairs: u32,
    /// Games without a result because of a failure of the arena.
    pub games_without_result: u32,
    /// The contestant who advances.
    pub winner: usize,
    /// The criterion that decided it.
    pub decided_by: DecidedBy,
}

impl KnockoutMatch {
    /// The points of each, tie-breaks included.
    pub fn points(&self) -> [f64; 2] {
        self.half_points.map(|half_points| f64::from(half_points) / 2.0)
    }
}

/// A contestant's place in a knockout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnockoutPlacing {
    /// The contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// The place. Contestants who were eliminated in the same round share the best of their places: 2 for the loser of
    /// the final, 3 for the losers of the semi-finals, then 5, 9 and so on. Contestants who are still in share place 1;
    /// in the end only the champion has it.
    pub place: u32,
    /// The round in which the contestant was eliminated, from 1. `None` while it is still in.
    pub knocked_out_in: Option<u32>,
}

/// A match of the current round.
#[derive(Clone, Debug)]
struct OpenMatch {
    contestants: [usize; 2],
    tally: MatchTally,
    tie_break_pairs: u32,
}

impl OpenMatch {
    /// True if more games are needed: those of the match itself, or another tie-break.
    fn is_undecided(&self) -> bool {
        let [first, second] = self.tally.half_points;
        first == second && self.tie_break_pairs < TIE_BREAK_PAIRS_MAX
    }

    /// The match with its winner.
    fn decide(&self, round: u32) -> KnockoutMatch {
        let Self { contestants, tally, tie_break_pairs } = *self;
        let by_points = if tie_break_pairs == 0 { DecidedBy::Points } else { DecidedBy::TieBreak };
        let by_seeding = if tally.complete_pairs == 0 { DecidedBy::NoResult } else { DecidedBy::Seeding };
        let [first, second] = tally.half_points;
        let criteria = [
            (second.cmp(&first), by_points),
            (tally.faults[0].cmp(&tally.faults[1]), DecidedBy::Faults),
            (tally.turns_of_wins[0].cmp(&tally.turns_of_wins[1]), DecidedBy::Turns),
        ];
        let (order, decided_by) =
            criteria.into_iter().find(|(order, _)| order.is_ne()).unwrap_or((Ordering::Less, by_seeding));
        KnockoutMatch {
            round,
            contestants,
            half_points: tally.half_points,
            tie_break_pairs,
            games_without_result: tally.games_without_result,
            winner: contestants[usize::from(order.is_gt())],
            decided_by,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Knockout {
    games_per_match: u32,
    /// The number of the current round, from 1.
    round: u32,
    /// The number of the next tie-break in this round, from 1; 0 before the games of the matches themselves.
    tie_break: u32,
    /// The contestants in this round, in bracket order. Neighbours play each other; one without a neighbour has a bye.
    /// In the end only the champion is left.
    bracket: Vec<Option<usize>>,
    /// The matches of this round, in bracket order.
    open: Vec<OpenMatch>,
    decided: Vec<KnockoutMatch>,
    /// The places by contestant.
    placings: Vec<KnockoutPlacing>,
}

impl Knockout {
    pub fn new(contestants: usize, games_per_match: u32) -> Self {
        let placing = |contestant| KnockoutPlacing { contestant, place: 1, knocked_out_in: None };
        let mut knockout = Self {
            games_per_match,
            round: 0,
            tie_break: 0,
            bracket: seeding(contestants)
                .into_iter()
                .map(|seed| (seed < contestants).then_some(seed))
                .collect(),
            open: Vec::new(),
            decided: Vec::new(),
            placings: (0..contestants).map(placing).collect(),
        };
        knockout.begin_round();
        knockout
    }

    /// The number of rounds.
    pub fn rounds(&self) -> u32 {
        self.placings.len().next_power_of_two().ilog2()
    }

    pub fn next_round(&self) -> Option<Round> {
        if self.open.is_empty() {
            return None;
        }
        let (pairs_before, games) = match self.tie_break {
            0 => (0, self.games_per_match),
            tie_break => (self.games_per_match / 2 + tie_break - 1, 2),
        };
        let undecided = self.open.iter().filter(|open| open.is_undecided());
        let fixtures = undecided
            .flat_map(|open| {
                let [first, second] = open.contestants;
                match_games_after(pairs_before, first, second, games)
            })
            .collect();
        let neighbours = self.bracket.chunks_exact(2).filter(|_| self.tie_break == 0);
        let mut byes: Vec<_> = neighbours.filter_map(|two| two[0].xor(two[1])).collect();
        byes.sort_unstable();
        Some(Round { number: self.round, tie_break: self.tie_break, fixtures, byes })
    }

    pub fn close_round(&mut self, games: &[Recorded]) {
        for (open, games) in self.open.iter_mut().filter(|open| open.is_undecided()).zip(matches_of(games)) {
            open.tally.add(games);
            open.tie_break_pairs = self.tie_break;
        }
        if self.open.iter().any(OpenMatch::is_undecided) {
            self.tie_break += 1;
        } else {
            self.end_round();
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        self.round += 1;
        self.tie_break = 0;
        let matches = self.bracket.chunks_exact(2).filter_map(|two| Some([two[0]?, two[1]?]));
        let open = matches.map(|[one, other]| OpenMatch {
            contestants: [one.min(other), one.max(other)],
            tally: MatchTally::default(),
            tie_break_pairs: 0,
        });
        self.open = open.collect();
    }

    fn end_round(&mut self) {
        // The losers of this round place below all who advance.
        let place = self.bracket.len() as u32 / 2 + 1;
        for decided in self.open.iter().map(|open| open.decide(self.round)) {
            let [first, second] = decided.contestants;
            let loser = &mut self.placings[if decided.winner == first { second } else { first }];
            (loser.place, loser.knocked_out_in) = (place, Some(self.round));
            self.decided.push(decided);
        }
        let is_in = |contestant: &usize| self.placings[*contestant].knocked_out_in.is_none();
        let neighbours = self.bracket.chunks_exact(2);
        self.bracket = neighbours.map(|two| two.iter().copied().flatten().find(is_in)).collect();
    }

    /// The bounds of the number of games: a tied match has at least the next tie-break, a later one may have none.
    pub fn games_planned(&self) -> Planned {
        let decided = self.decided.iter().map(|decided| [decided.tie_break_pairs; 2]);
        let open = self.open.iter().map(|open| {
            if open.is_undecided() {
                [self.tie_break, TIE_BREAK_PAIRS_MAX]
            } else {
                [open.tie_break_pairs; 2]
            }
        });
        let matches = self.placings.len() - 1;
        let later =
            std::iter::repeat_n([0, TIE_BREAK_PAIRS_MAX], matches - self.decided.len() - self.open.len());
        let [at_least, at_most] = decided.chain(open).chain(later).fold([0, 0], |games: [u64; 2], pairs| {
            let of_match = pairs.map(|pairs| u64::from(self.games_per_match) + 2 * u64::from(pairs));
            [games[0] + of_match[0], games[1] + of_match[1]]
        });
        Planned { at_least, at_most }
    }

    pub fn placings(&self) -> Vec<KnockoutPlacing> {
        let mut placings = self.placings.clone();
        placings.sort_by_key(|placing| placing.place);
        placings
    }

    pub fn matches(&self) -> &[KnockoutMatch] {
        &self.decided
    }
}

/// The standard seeding of the smallest bracket with room for this number of contestants, in bracket order: neighbours
/// meet, then the winners of neighbouring matches. Each doubling of the bracket puts next to every seed the one with
/// which it adds up to the same sum, so that the two best of those still in are kept apart until no others are left.
fn seeding(contestants: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < contestants {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}
