//! A knockout: its bracket, its ties and who goes on.

use super::fixture::match_games_after;
use super::tally::{Tally, matches_of};
use super::{GameScore, Planned, Round};
use serde::Serialize;
use std::cmp::Ordering;

/// The most pairs of games that a tied match is given. Chosen: as many as a match of FIDE's World Cup of 2025 had
/// before its one decisive game. Two who tie every other pair tie all of these in one match of sixteen; two of the
/// same program always do.
pub const TIE_BREAK_PAIRS_MAX: u32 = 4;

/// What it was that decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// Points in the match's games.
    Points,
    /// Points in a further pair of games.
    TieBreak,
    /// Fewer faults.
    Faults,
    /// Fewer turns in the games won.
    Turns,
    /// Nothing that was played: the one named first goes on.
    Seed,
    /// Nothing: through failures of ours no pair of games is whole. The one named first goes on, since someone must;
    /// it is no defeat of the other.
    NoResult,
}

/// A match of a knockout that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockoutMatch {
    /// The round, from 1.
    pub round: u32,
    /// Who played, in the order in which they are named.
    pub contestants: [usize; 2],
    /// Half points of each, tie-breaks included. A pair of games that is not whole counts as drawn.
    pub half_points: [u32; 2],
    /// Further pairs of games that there were.
    pub tie_break_pairs: u32,
    /// Games that have no result through a failure of ours.
    pub games_without_result: u32,
    /// Who goes on.
    pub winner: usize,
    /// Why.
    pub decided_by: DecidedBy,
}

impl KnockoutMatch {
    /// Points of each, tie-breaks included.
    pub fn points(&self) -> [f64; 2] {
        self.half_points.map(|half_points| f64::from(half_points) / 2.0)
    }
}

/// A contestant's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnockoutPlacing {
    /// The contestant.
    #[serde(skip)]
    pub contestant: usize,
    /// The best place that those knocked out in the same round share: 2 for the loser of the final, 3 for those of the
    /// semi-finals, then 5, 9 and so on. Those who are still in share place 1; at the end it is the champion's alone.
    pub place: u32,
    /// The round in which it was knocked out, from 1. None while it is still in.
    pub knocked_out_in: Option<u32>,
}

/// A match that is being played.
#[derive(Clone, Debug)]
struct Contest {
    contestants: [usize; 2],
    tally: Tally,
    tie_break_pairs: u32,
    /// Nothing is to be played any more.
    settled: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Knockout {
    games_per_match: u32,
    /// The first round's places in the bracket, all of them: a power of two.
    size: usize,
    /// The number of the round that is played, or was played last.
    round: u32,
    /// The next tie-break of this round; 0 for the round itself.
    tie_break: u32,
    /// Who is in this round, in the order of the bracket. Two that are next to each other meet; one next to nobody
    /// has a bye. At the end it is the champion alone.
    bracket: Vec<Option<usize>>,
    /// The matches of this round, in the order of the bracket.
    contests: Vec<Contest>,
    decided: Vec<KnockoutMatch>,
    placings: Vec<KnockoutPlacing>,
}

impl Knockout {
    pub fn new(contestants: usize, games_per_match: u32) -> Self {
        let bracket: Vec<_> =
            seeded(contestants).into_iter().map(|seed| (seed < contestants).then_some(seed)).collect();
        let placings = (0..contestants)
            .map(|contestant| KnockoutPlacing { contestant, place: 1, knocked_out_in: None })
            .collect();
        let mut knockout = Self {
            games_per_match,
            size: bracket.len(),
            round: 0,
            tie_break: 0,
            bracket,
            contests: Vec::new(),
            decided: Vec::new(),
            placings,
        };
        knockout.begin_round();
        knockout
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u32 {
        self.size.ilog2()
    }

    pub fn next_round(&self) -> Option<Round> {
        if self.contests.is_empty() {
            return None;
        }
        let (pairs_before, games) = match self.tie_break {
            0 => (0, self.games_per_match),
            tie_break => (self.games_per_match / 2 + tie_break - 1, 2),
        };
        let fixtures = self
            .contests
            .iter()
            .filter(|contest| !contest.settled)
            .flat_map(|contest| {
                let [first, second] = contest.contestants;
                match_games_after(pairs_before, first, second, games)
            })
            .collect();
        let byes = if self.tie_break == 0 { self.byes() } else { Vec::new() };
        Some(Round { number: self.round, tie_break: self.tie_break, fixtures, byes })
    }

    pub fn close_round(&mut self, round: &Round, results: &[Option<GameScore>]) {
        let mut matches = matches_of(&round.fixtures, results);
        for contest in self.contests.iter_mut().filter(|contest| !contest.settled) {
            let (fixtures, results) = matches.next().expect("a round has games for each match that goes on");
            contest.tally.add(&Tally::of(fixtures, results));
            contest.tie_break_pairs = round.tie_break;
            let [first, second] = contest.tally.half_points;
            contest.settled = first != second || round.tie_break == TIE_BREAK_PAIRS_MAX;
        }
        if self.contests.iter().all(|contest| contest.settled) {
            self.end_round();
            self.begin_round();
        } else {
            self.tie_break += 1;
        }
    }

    fn begin_round(&mut self) {
        self.round += 1;
        self.tie_break = 0;
        self.contests = self
            .bracket
            .chunks_exact(2)
            .filter_map(|two| Some([two[0]?, two[1]?]))
            .map(|[one, other]| Contest {
                contestants: [one.min(other), one.max(other)],
                tally: Tally::default(),
                tie_break_pairs: 0,
                settled: false,
            })
            .collect();
    }

    fn end_round(&mut self) {
        let mut contests = std::mem::take(&mut self.contests).into_iter();
        // Who goes out now has a place behind all who go on.
        let place = self.bracket.len() as u32 / 2 + 1;
        let bracket = std::mem::take(&mut self.bracket);
        for two in bracket.chunks_exact(2) {
            let winner = if let [Some(_), Some(_)] = two {
                let contest = contests.next().expect("two next to each other have a match");
                let decided = decide(self.round, &contest);
                let [first, second] = contest.contestants;
                let loser = if decided.winner == first { second } else { first };
                self.placings[loser] =
                    KnockoutPlacing { contestant: loser, place, knocked_out_in: Some(self.round) };
                self.decided.push(decided);
                Some(decided.winner)
            } else {
                two[0].or(two[1])
            };
            self.bracket.push(winner);
        }
    }

    fn byes(&self) -> Vec<usize> {
        let alone = |two: &[Option<usize>]| two[0].xor(two[1]);
        let mut byes: Vec<_> = self.bracket.chunks_exact(2).filter_map(alone).collect();
        byes.sort_unstable();
        byes
    }

    pub fn games_planned(&self) -> Planned {
        let games = u64::from(self.games_per_match);
        let further = 2 * u64::from(TIE_BREAK_PAIRS_MAX);
        let games_with = |tie_break_pairs: u32| games + 2 * u64::from(tie_break_pairs);
        let mut known: u64 = self.decided.iter().map(|decided| games_with(decided.tie_break_pairs)).sum();
        let mut open: u64 = 0;
        let mut open_at_least: u64 = 0;
        for contest in &self.contests {
            if contest.settled {
                known += games_with(contest.tie_break_pairs);
            } else {
                open += 1;
                // What is still tied has at least the tie-break that comes next.
                open_at_least += games_with(self.tie_break);
            }
        }
        let matches = self.placings.len() - 1;
        let later = (matches - self.decided.len() - self.contests.len()) as u64;
        Planned {
            at_least: known + open_at_least + later * games,
            at_most: known + (open + later) * (games + further),
        }
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

/// The order of the smallest bracket with room for so many: whoever is next to each other meets, and so do the
/// winners of what is next to each other. Doubling a bracket puts beside each the one that makes up the sum, so that
/// the best of those left is kept from the second best as long as there is anyone else.
fn seeded(contestants: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < contestants {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}

/// Who goes on. The one named first is the higher seed.
fn decide(round: u32, contest: &Contest) -> KnockoutMatch {
    let tally = &contest.tally;
    let points = if contest.tie_break_pairs == 0 { DecidedBy::Points } else { DecidedBy::TieBreak };
    let [first, second] = tally.half_points;
    let criteria = [
        (second.cmp(&first), points),
        (tally.faults[0].cmp(&tally.faults[1]), DecidedBy::Faults),
        (tally.turns_of_wins[0].cmp(&tally.turns_of_wins[1]), DecidedBy::Turns),
    ];
    let by_seed = if tally.whole_pairs == 0 { DecidedBy::NoResult } else { DecidedBy::Seed };
    let (order, decided_by) =
        criteria.into_iter().find(|(order, _)| order.is_ne()).unwrap_or((Ordering::Less, by_seed));
    KnockoutMatch {
        round,
        contestants: contest.contestants,
        half_points: tally.half_points,
        tie_break_pairs: contest.tie_break_pairs,
        games_without_result: tally.games_without_result,
        winner: contest.contestants[usize::from(order.is_gt())],
        decided_by,
    }
}
