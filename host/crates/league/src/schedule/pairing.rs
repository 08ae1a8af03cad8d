//! A round of a Swiss: the cheapest perfect matching of everyone with everyone.
//!
//! Pairing by a minimum-weight matching over the whole field is Ólafsson's method ("Weighted Matching in Chess
//! Tournaments", Journal of the Operational Research Society 41, 1990). Unlike a search from the top of the table
//! down, it cannot get stuck: where a pairing without a second meeting exists, none that it finds has one. What it
//! costs to pair two is below; the library finds the least sum exactly, in whole numbers. Of pairings that cost the
//! same it takes one, always the same one for the same points and meetings.

use integer_blossom::min_weight_perfect_matching;

/// Where a contestant stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entrant {
    pub half_points: u32,
    pub byes: u32,
}

/// Who meets whom in a round, and who does not play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// The better placed first, best placed match first.
    pub matches: Vec<[usize; 2]>,
    /// None where their number is even.
    pub bye: Option<usize>,
}

/// What is wrong with a pairing, the worst first: a sum of these over all pairs is compared as a whole, from the
/// first on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// A bye for someone while others have had fewer.
    unfair_byes: u64,
    /// How often the two have met.
    meetings: u64,
    /// How many are placed behind the one with the bye.
    behind_bye: u64,
    /// The square of the difference of their half points. Squared, so that two small gaps are better than one twice as
    /// wide: of a group of an odd size one drops to the next group, not to the last.
    gap: u64,
    /// How far they are from the fold: in a group of equal points the first half meets the second in order, 1 against
    /// 3 and 2 against 4 of four; one that has dropped to a lower group meets its first. Squared like the gap, and a
    /// little more for two that are too close than for two that are too far apart: of two ways that are alike, the
    /// one that keeps the best apart.
    fold: u64,
    /// How many are placed no better than the better one of two that are off the fold: what has to be moved is moved
    /// low in the table.
    moved: u64,
}

impl Cost {
    fn tiers(self) -> [u64; 6] {
        [self.unfair_byes, self.meetings, self.behind_bye, self.gap, self.fold, self.moved]
    }

    /// The cost as one number, where no sum of a tier reaches its radix.
    ///
    /// At the limits of a format, 500 pairs of 1,000 contestants with 10,000 meetings and 40,000 half points between
    /// two, it is below 10^37. The library adds up to four of them, and wants that to be below a quarter of an
    /// `i128`, 4·10^37.
    fn number(self, radices: [u64; 6]) -> i128 {
        self.tiers()
            .into_iter()
            .zip(radices)
            .fold(0, |number, (tier, radix)| number * i128::from(radix) + i128::from(tier))
    }
}

/// The field in the order of the table, best first, and what it costs to pair two of it.
struct Field<'a, M> {
    entrants: &'a [Entrant],
    /// Contestants by rank: by points, then as they are named.
    ranked: Vec<usize>,
    /// The ideal distance of two in a group of equal points, by rank.
    half_groups: Vec<usize>,
    byes_least: u32,
    meetings: M,
}

impl<'a, M: Fn(usize, usize) -> u32> Field<'a, M> {
    fn new(entrants: &'a [Entrant], meetings: M) -> Self {
        let mut ranked: Vec<_> = (0..entrants.len()).collect();
        ranked.sort_by_key(|&contestant| std::cmp::Reverse(entrants[contestant].half_points));
        let half_groups = ranked
            .chunk_by(|&one, &next| entrants[one].half_points == entrants[next].half_points)
            .flat_map(|group| std::iter::repeat_n(group.len() / 2, group.len()))
            .collect();
        let byes_least = entrants.iter().map(|entrant| entrant.byes).min().unwrap_or(0);
        Self { entrants, ranked, half_groups, byes_least, meetings }
    }

    /// Places at the boards: an even number. The last one is the bye's where the field is odd.
    fn len(&self) -> usize {
        self.ranked.len().next_multiple_of(2)
    }

    /// What it costs to pair two ranks, the better one first.
    fn cost(&self, better: usize, worse: usize) -> Cost {
        let one = self.entrants[self.ranked[better]];
        let Some(&opponent) = self.ranked.get(worse) else {
            return Cost {
                unfair_byes: u64::from(one.byes > self.byes_least),
                behind_bye: (self.ranked.len() - 1 - better) as u64,
                ..Cost::default()
            };
        };
        let other = self.entrants[opponent];
        let gap = u64::from(one.half_points - other.half_points);
        let ideal = if gap == 0 { self.half_groups[better] } else { 1 };
        let apart = worse - better;
        let off = apart.abs_diff(ideal) as u64;
        let too_close = u64::from(apart < ideal);
        let no_better = (self.ranked.len() - better) as u64;
        Cost {
            meetings: u64::from((self.meetings)(self.ranked[better], opponent)),
            gap: gap * gap,
            fold: 2 * off * off + too_close,
            moved: if off == 0 { 0 } else { no_better },
            ..Cost::default()
        }
    }
}

/// The pairing of a round. `meetings` says how often two have met.
pub(super) fn pair(entrants: &[Entrant], meetings: impl Fn(usize, usize) -> u32) -> Pairing {
    let field = Field::new(entrants, meetings);
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

/// The mate of each in the perfect matching of the least cost.
fn cheapest(len: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<usize> {
    let mates = min_weight_perfect_matching(&numbers(len, cost), len);
    let paired = |(one, &mate): (usize, &usize)| one != mate && mates[mate] == one;
    assert!(mates.iter().enumerate().all(paired), "a perfect matching gives each a mate of its own");
    mates
}

/// The costs as numbers whose sums are in the order of the sums of the costs, row by row. Only what is above the
/// diagonal counts.
fn numbers(len: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<i128> {
    let pairs = len as u64 / 2;
    // A sum over a pairing has one bye at the most.
    let summands = [1, pairs, 1, pairs, pairs, pairs];
    let above_diagonal = |one: usize| (one + 1..len).map(move |other| (one, other));
    let mut radices = [1; 6];
    for (one, other) in (0..len).flat_map(above_diagonal) {
        for ((radix, tier), summands) in radices.iter_mut().zip(cost(one, other).tiers()).zip(summands) {
            *radix = (*radix).max(summands * tier + 1);
        }
    }
    let mut numbers = vec![0; len * len];
    for (one, other) in (0..len).flat_map(above_diagonal) {
        numbers[one * len + other] = cost(one, other).number(radices);
    }
    numbers
}

#[cfg(test)]
mod tests {
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

    /// A field of up to eight, with any points, byes and meetings.
    fn any_field() -> impl Strategy<Value = (Vec<Entrant>, Vec<u32>)> {
        let entrant = (0u32..6, 0u32..3).prop_map(|(half_points, byes)| Entrant { half_points, byes });
        let entrants = prop::collection::vec(entrant, 2..9);
        (entrants, prop::collection::vec(0u32..3, 64))
    }

    fn met(meetings: &[u32], one: usize, other: usize) -> u32 {
        meetings[8 * one.min(other) + one.max(other)]
    }

    fn sum(mates: &[(usize, usize)], cost: &impl Fn(usize, usize) -> Cost) -> Cost {
        mates.iter().map(|&(one, other)| cost(one, other)).fold(Cost::default(), Add::add)
    }

    /// Every way to pair these.
    fn every_pairing(left: &[usize]) -> Vec<Vec<(usize, usize)>> {
        let Some((&one, others)) = left.split_first() else { return vec![Vec::new()] };
        let mut pairings = Vec::new();
        for &other in others {
            let rest: Vec<_> = others.iter().copied().filter(|&left| left != other).collect();
            for mut pairing in every_pairing(&rest) {
                pairing.push((one, other));
                pairings.push(pairing);
            }
        }
        pairings
    }

    proptest! {
        #[test]
        fn no_other_pairing_costs_less((entrants, meetings) in any_field()) {
            let field = Field::new(&entrants, |one, other| met(&meetings, one, other));
            let cost = |better, worse| field.cost(better, worse);
            let mates = cheapest(field.len(), cost);
            let found: Vec<_> =
                mates.iter().copied().enumerate().filter(|&(better, worse)| better < worse).collect();
            let ranks: Vec<_> = (0..field.len()).collect();
            let least = every_pairing(&ranks).iter().map(|pairing| sum(pairing, &cost)).min().unwrap();
            prop_assert_eq!(sum(&found, &cost), least);
        }

        #[test]
        fn the_same_field_is_paired_the_same_way_whatever_was_paired_before(
            (entrants, meetings) in any_field(),
            (others, other_meetings) in any_field(),
        ) {
            let paired = || pair(&entrants, |one, other| met(&meetings, one, other));
            let before = paired();
            pair(&others, |one, other| met(&other_meetings, one, other));
            prop_assert_eq!(paired(), before);
        }
    }

    #[test]
    fn at_the_limits_of_a_format_the_costs_leave_the_library_room() {
        // 999 with a bye; rounds and games as many as there may be.
        let entrants: Vec<_> =
            (0..999).map(|index| Entrant { half_points: (index % 2) * 40_000, byes: index % 2 }).collect();
        let field = Field::new(&entrants, |_, _| 10_000);
        let numbers = numbers(field.len(), |better, worse| field.cost(better, worse));
        let most = numbers.into_iter().max().unwrap();
        assert!(most > 0 && most < 10_i128.pow(37), "{most}");
        assert_eq!(pair(&entrants, |_, _| 10_000).matches.len(), 499);
    }

    /// Everyone by rank, with half points, and those who have met; and who is to meet whom.
    #[track_caller]
    fn check<const N: usize>(half_points: [u32; N], met: &[[usize; 2]], matches: &[[usize; 2]]) {
        let entrants = half_points.map(|half_points| Entrant { half_points, byes: 0 });
        let pairing =
            pair(&entrants, |one, other| u32::from(met.contains(&[one.min(other), one.max(other)])));
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
    fn what_is_to_be_moved_is_moved_low_in_the_table() {
        check([0; 6], &[[1, 4]], &[[0, 3], [1, 5], [2, 4]]);
        check([0; 8], &[[1, 5]], &[[0, 4], [1, 6], [2, 5], [3, 7]]);
        check([0; 8], &[[2, 6]], &[[0, 4], [1, 5], [2, 7], [3, 6]]);
    }

    #[test]
    fn who_meets_again_is_who_has_met_least_and_is_nearest() {
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        check([4, 4, 2, 2], &all, &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &all[1..5], &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &all[..5], &[[0, 1], [2, 3]]);
        check([4, 4, 2, 2], &[[0, 1], [0, 2], [1, 3], [2, 3]], &[[0, 3], [1, 2]]);
    }
}
