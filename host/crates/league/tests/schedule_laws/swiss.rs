//! Laws of every Swiss.

use super::{Played, any_outcomes, matches, play};
use arena_league::{Format, Placings, Score, SwissPlacing};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;

fn swiss(played: &Played) -> &[SwissPlacing] {
    let Some(Placings::Swiss(placings)) = &played.placings else { panic!("{:?}", played.placings) };
    placings
}

/// True if these can be paired so that no two of them have met. If their number is odd, one of `byes` does not play.
fn can_avoid_meeting_again(left: &[usize], byes: &[usize], met: &BTreeSet<[usize; 2]>) -> bool {
    let Some((&one, others)) = left.split_first() else { return true };
    let without = |other: usize| others.iter().copied().filter(|&left| left != other).collect::<Vec<_>>();
    let has_bye = left.len() % 2 == 1 && byes.contains(&one) && can_avoid_meeting_again(others, byes, met);
    has_bye
        || others
            .iter()
            .any(|&other| !met.contains(&[one, other]) && can_avoid_meeting_again(&without(other), byes, met))
}

proptest! {
    #[test]
    fn in_a_swiss_no_two_meet_twice_if_it_can_be_avoided(
        contestants in 2usize..9, rounds in 1u32..12, outcomes in any_outcomes(),
    ) {
        let all: Vec<_> = (0..contestants).collect();
        let mut met = BTreeSet::new();
        let mut byes = vec![0; contestants];
        for round in play(Format::Swiss { rounds }, contestants, 2, &outcomes).rounds {
            let matches = matches(&round);
            if !met.is_disjoint(&matches) {
                let fewest = byes.iter().min().unwrap();
                let for_a_bye: Vec<_> = all.iter().copied().filter(|&one| byes[one] == *fewest).collect();
                prop_assert!(!can_avoid_meeting_again(&all, &for_a_bye, &met));
                prop_assert!(round.number as usize > contestants.div_ceil(2), "a round of the first half");
            }
            met.extend(matches);
            round.byes.iter().for_each(|&one| byes[one] += 1);
        }
    }

    #[test]
    fn in_a_swiss_everyone_plays_or_has_a_bye_and_no_one_has_two_before_everyone_has_one(
        contestants in 2usize..12, rounds in 1u32..14, pairs in 1u32..3, outcomes in any_outcomes(),
    ) {
        let mut byes = vec![0; contestants];
        for round in play(Format::Swiss { rounds }, contestants, 2 * pairs, &outcomes).rounds {
            let mut here: Vec<_> = matches(&round).into_iter().flatten().chain(round.byes.iter().copied()).collect();
            here.sort_unstable();
            prop_assert_eq!(here, (0..contestants).collect::<Vec<_>>());
            prop_assert_eq!(round.byes.len(), contestants % 2);
            round.byes.iter().for_each(|&one| byes[one] += 1);
            prop_assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn in_a_swiss_matches_and_byes_give_all_points_except_those_of_no_contests(
        contestants in 2usize..10, rounds in 1u32..8, pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        let played = play(Format::Swiss { rounds }, contestants, 2 * pairs, &outcomes);
        let byes: usize = played.rounds.iter().map(|round| round.byes.len()).sum();
        let no_contests: usize = played
            .results
            .chunks_exact(2)
            .filter_map(|pair| Some([pair[0].1?, pair[1].1?]))
            .map(|pair| pair.iter().filter(|game| game.score == Score::NoContest).count())
            .sum();
        let all = 2 * (played.results.len() + byes * 2 * pairs as usize - no_contests);
        let placings = swiss(&played);
        prop_assert_eq!(placings.iter().map(|line| line.half_points as usize).sum::<usize>(), all);
        let best_first = |two: &[SwissPlacing]| {
            let merit = |line: &SwissPlacing| (line.half_points, line.buchholz_half_points, line.wins);
            match merit(&two[0]).cmp(&merit(&two[1])) {
                Ordering::Greater => two[0].place < two[1].place,
                Ordering::Equal => two[0].place == two[1].place && two[0].contestant < two[1].contestant,
                Ordering::Less => false,
            }
        };
        prop_assert!(placings.windows(2).all(best_first));
    }
}
