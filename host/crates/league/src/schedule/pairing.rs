//! The pairing of a round in a Swiss, as a minimum-weight perfect matching over the whole field.
//!
//! The method is Ólafsson's ("Weighted Matching in Chess Tournaments", Journal of the Operational Research Society 41,
//! 1990). Unlike a search from the top of the table down, it cannot get stuck: if a pairing without repeated meetings
//! exists, the one it finds has none. The cost of a match is defined below, and the sum is minimised exactly, in whole
//! numbers. Among pairings of equal cost the choice is deterministic: the same points and meetings give the same
//! pairing.

use super::matching::cheapest_matching;

/// A contestant's standing before the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SwissStanding {
    pub half_points: u32,
    pub byes: u32,
}

/// The matches and the bye of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// The better-placed contestant first, the match with the best-placed one first.
    pub matches: Vec<[usize; 2]>,
    /// `None` when the number of contestants is even.
    pub bye: Option<usize>,
}

/// The cost of a match or a bye. Fields are in the order of their weight, the heaviest first: sums over a whole pairing
/// are compared field by field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// 1 for a bye of a contestant while others have had fewer.
    unfair_byes: u64,
    /// The number of earlier matches between the two.
    meetings: u64,
    /// For a bye: the number of contestants placed behind.
    behind_bye: u64,
    /// The square of the difference of their half points. Squared, so that two small gaps are better than one twice as
    /// wide: from a group of odd size one contestant drops to the next group, not to the last one.
    gap: u64,
    /// The distance from the fold. In a group of equal points the first half meets the second half in order, 1 against
    /// 3 and 2 against 4 of four; a contestant who has dropped to a lower group meets its first. Squared like the gap.
    /// Being too close costs a little more than being too far apart, so that of two similar pairings the one that keeps
    /// the best apart is chosen.
    fold: u64,
    /// For two who are off the fold: the number of contestants placed no better than the better of them. So deviations
    /// are made low in the table.
    moved: u64,
}

impl Cost {
    fn tiers(self) -> [u64; 6] {
        [self.unfair_byes, self.meetings, self.behind_bye, self.gap, self.fold, self.moved]
    }

    /// The cost as one number, with a digit for each tier. No sum of a tier over a pairing may reach its radix.
    ///
    /// At the limits of a format (500 matches between 1,000 contestants, with 10,000 meetings and 40,000 half points
    /// between two of them) it is below 10^37. The matching adds up to eight of these numbers, and an `i128` goes to 1.7·10^38.
    fn number(self, radices: [u64; 6]) -> i128 {
        let digits = self.tiers().into_iter().zip(radices);
        digits.fold(0, |number, (tier, radix)| number * i128::from(radix) + i128::from(tier))
    }
}

/// The contestants in the order of the table, and the costs of pairing them by rank.
struct Field<'a, M> {
    standings: &'a [SwissStanding],
    /// The contestants by rank: by points, then by number.
    ranked: Vec<usize>,
    /// By rank, the ideal distance of two opponents in the group of equal points.
    half_groups: Vec<usize>,
    byes_least: u32,
    meetings: M,
}

impl<'a, M: Fn(usize, usize) -> u32> Field<'a, M> {
    fn new(standings: &'a [SwissStanding], meetings: M) -> Self {
        let mut ranked: Vec<_> = (0..standings.len()).collect();
        ranked.sort_by_key(|&contestant| std::cmp::Reverse(standings[contestant].half_points));
        let half_groups = ranked
            .chunk_by(|&one, &next| standings[one].half_points == standings[next].half_points)
            .flat_map(|group| std::iter::repeat_n(group.len() / 2, group.len()))
            .collect();
        let byes_least = standings.iter().map(|standing| standing.byes).min().unwrap_or(0);
        Self { standings, ranked, half_groups, byes_least, meetings }
    }

    /// The number of ranks to pair. It is even. If the number of contestants is odd, the last rank is the bye.
    fn len(&self) -> usize {
        self.ranked.len().next_multiple_of(2)
    }

    /// The cost of pairing two ranks, the better one first.
    fn cost(&self, better: usize, worse: usize) -> Cost {
        let one = self.standings[self.ranked[better]];
        let Some(&opponent) = self.ranked.get(worse) else {
            return Cost {
                unfair_byes: u64::from(one.byes > self.byes_least),
                behind_bye: (self.ranked.len() - 1 - better) as u64,
                ..Cost::default()
            };
        };
        let gap = u64::from(one.half_points - self.standings[opponent].half_points);
        let ideal = if gap == 0 { self.half_groups[better] } else { 1 };
        let apart = worse - better;
        let off = apart.abs_diff(ideal) as u64;
        Cost {
            meetings: u64::from((self.meetings)(self.ranked[better], opponent)),
            gap: gap * gap,
            fold: 2 * off * off + u64::from(apart < ideal),
            moved: if off == 0 { 0 } else { (self.ranked.len() - better) as u64 },
            ..Cost::default()
        }
    }
}

/// The pairing of the next round. `meetings` returns the number of earlier matches between two contestants.
pub(super) fn pairing_of(standings: &[SwissStanding], meetings: impl Fn(usize, usize) -> u32) -> Pairing {
    let field = Field::new(standings, meetings);
    let mates = cheapest(field.len(), |better, worse| field.cost(better, worse));
    let mut pairing = Pairing { matches: Vec::with_capacity(field.len() / 2), bye: None };
    for (better, &worse) in mates.iter().enumerate().filter(|&(better, &worse)| better < worse) {
        match field.ranked.get(worse) {
            Some(&opponent) => pairing.matches.push([field.ranked[better], opponent]),
            None => pairing.bye = Some(field.ranked[better]),
        }
    }
    pairing
}

/// For each rank, its mate in the perfect matching of least cost.
fn cheapest(len: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<usize> {
    cheapest_matching(len, &numbers(len, cost))
}

/// A matrix of the costs as numbers, row by row, such that sums of these numbers are in the same order as sums of the
/// costs. Only the numbers above the diagonal are used.
fn numbers(len: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<i128> {
    let pairs = len as u64 / 2;
    // A pairing has at most one bye.
    let summands = [1, pairs, 1, pairs, pairs, pairs];
    let above_diagonal = || (0..len).flat_map(|one| (one + 1..len).map(move |other| (one, other)));
    let mut radices = [1; 6];
    for (one, other) in above_diagonal() {
        for ((radix, tier), summands) in radices.iter_mut().zip(cost(one, other).tiers()).zip(summands) {
            *radix = (*radix).max(summands * tier + 1);
        }
    }
    let mut numbers = vec![0; len * len];
    for (one, other) in above_diagonal() {
        numbers[one * len + other] = cost(one, other).number(radices);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::matching::every_matching;
    use super::*;
    use proptest::prelude::*;
    use std::ops::Add;

    impl Add for Cost {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self {
                unfair_byes: self.unfair_byes + other.unfair_byes,
                meetings: self.meetings + other.meetings,
                behind_bye: self.behind_bye + other.behind_bye,
                gap: self.gap + other.gap,
                fold: self.fold + other.fold,
                moved: self.moved + other.moved,
            }
        }
    }

    /// A field of up to eight contestants with any points, byes and meetings.
    fn any_field() -> impl Strategy<Value = (Vec<SwissStanding>, Vec<u32>)> {
        let standing = (0u32..6, 0u32..3).prop_map(|(half_points, byes)| SwissStanding { half_points, byes });
        let standings = prop::collection::vec(standing, 2..9);
        (standings, prop::collection::vec(0u32..3, 64))
    }

    fn met(meetings: &[u32], one: usize, other: usize) -> u32 {
        meetings[8 * one.min(other) + one.max(other)]
    }

    fn sum(mates: &[[usize; 2]], cost: &impl Fn(usize, usize) -> Cost) -> Cost {
        mates.iter().map(|&[one, other]| cost(one, other)).fold(Cost::default(), Add::add)
    }

    proptest! {
        #[test]
        fn no_other_pairing_costs_less((standings, meetings) in any_field()) {
            let field = Field::new(&standings, |one, other| met(&meetings, one, other));
            let cost = |better, worse| field.cost(better, worse);
            let mates = cheapest(field.len(), cost);
            let pairs = mates.iter().enumerate().map(|(better, &worse)| [better, worse]);
            let found: Vec<_> = pairs.filter(|[better, worse]| better < worse).collect();
            let ranks: Vec<_> = (0..field.len()).collect();
            let least = every_matching(&ranks).iter().map(|pairing| sum(pairing, &cost)).min().unwrap();
            prop_assert_eq!(sum(&found, &cost), least);
        }

        #[test]
        fn the_pairing_of_a_field_does_not_depend_on_earlier_pairings(
            (standings, meetings) in any_field(),
            (others, other_meetings) in any_field(),
        ) {
            let paired = || pairing_of(&standings, |one, other| met(&meetings, one, other));
            let before = paired();
            pairing_of(&others, |one, other| met(&other_meetings, one, other));
            prop_assert_eq!(paired(), before);
        }
    }

    #[test]
    fn at_the_limits_of_a_format_the_costs_leave_the_matching_room() {
        // 999 contestants, so with a bye, and the most rounds and games.
        let standings: Vec<_> = (0..999)
            .map(|index| SwissStanding { half_points: (index % 2) * 40_000, byes: index % 2 })
            .collect();
        let field = Field::new(&standings, |_, _| 10_000);
        let numbers = numbers(field.len(), |better, worse| field.cost(better, worse));
        let most = numbers.into_iter().max().unwrap();
        assert!(most > 0 && most < 10_i128.pow(37), "{most}");
        assert_eq!(pairing_of(&standings, |_, _| 10_000).matches.len(), 499);
    }

    /// Checks the pairing of contestants with these half points, by rank, of whom some have met.
    #[track_caller]
    fn check<const N: usize>(half_points: [u32; N], met: &[[usize; 2]], matches: &[[usize; 2]]) {
        let standings = half_points.map(|half_points| SwissStanding { half_points, byes: 0 });
        let pairing =
            pairing_of(&standings, |one, other| u32::from(met.contains(&[one.min(other), one.max(other)])));
        assert_eq!(pairing, Pairing { matches: matches.to_vec(), bye: None });
    }

    #[test]
    fn two_small_gaps_are_better_than_one_twice_as_wide() {
        let met = [[0, 1], [0, 2], [0, 3], [2, 5], [3, 5], [4, 5]];
        check([3, 2, 2, 2, 2, 1], &met, &[[0, 4], [1, 5], [2, 3]]);
    }

    #[test]
    fn two_small_moves_from_the_fold_are_better_than_one_twice_as_wide() {
        check([0; 6], &[[0, 1], [0, 2], [0, 3], [0, 4]], &[[0, 5], [1, 3], [2, 4]]);
    }

    #[test]
    fn the_best_are_kept_apart() {
        check([0; 4], &[[0, 2]], &[[0, 3], [1, 2]]);
    }

    #[test]
    fn deviations_from_the_fold_are_made_low_in_the_table() {
        check([0; 6], &[[1, 4]], &[[0, 3], [1, 5], [2, 4]]);
        check([0; 8], &[[1, 5]], &[[0, 4], [1, 6], [2, 5], [3, 7]]);
        check([0; 8], &[[2, 6]], &[[0, 4], [1, 5], [2, 7], [3, 6]]);
    }

    #[test]
    fn repeated_meetings_are_between_those_who_met_least_and_are_nearest() {
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        check([4, 4, 2, 2], &all, &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &all[1..5], &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &all[..5], &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &[[0, 1], [0, 2], [1, 3], [2, 3]], &[[0, 3], [1, 2]]);
    }
}
