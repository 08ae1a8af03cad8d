//! Ratings, compared with an independent program and exact calculations, and checked by laws. The share of intervals that
//! contain the truth is in `coverage.rs`.

use arena_league::{Difference, InSeat, RatedGame, Ratings, Score, Side, Superiority, rate};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::collections::HashMap;

/// A game in which seat 1 scored this number of half points, `None` for no contest.
fn game(seats: [usize; 2], pair: u32, half_points: Option<u8>) -> RatedGame {
    let score = match half_points {
        None => Score::NoContest,
        Some(0) => Score::Win(Side::Second),
        Some(1) => Score::Draw,
        Some(_) => Score::Win(Side::First),
    };
    RatedGame { seats, pair, score }
}

/// Games that are not in pairs, always with the same seats.
fn single_games(seats: [usize; 2], won: u32, drawn: u32, lost: u32) -> Vec<RatedGame> {
    let scores = [(won, 2), (drawn, 1), (lost, 0)].into_iter();
    let scores = scores.flat_map(|(games, half_points)| (0..games).map(move |_| half_points));
    (0..).zip(scores).map(|(pair, half_points)| game(seats, pair, Some(half_points))).collect()
}

/// Pairs of games with the seats swapped, in which the first contestant scored these numbers of half points.
fn pairs_of_games(contestants: [usize; 2], pairs: &[[u8; 2]]) -> Vec<RatedGame> {
    let [first, second] = contestants;
    let pair = |(pair, scored): (u32, &[u8; 2])| {
        [game([first, second], pair, Some(scored[0])), game([second, first], pair, Some(2 - scored[1]))]
    };
    (0..).zip(pairs).flat_map(pair).collect()
}

/// The difference between the first two contestants.
fn difference(games: impl IntoIterator<Item = RatedGame>) -> Difference {
    rate(2, games).difference(0, 1).unwrap()
}

/// Half the width of an interval.
fn error(difference: Difference) -> f64 {
    (difference.high.unwrap() - difference.low.unwrap()) / 2.0
}

fn likelihood(ratings: &Ratings, contestant: usize, opponent: usize) -> f64 {
    match ratings.los(contestant, opponent) {
        Some(Superiority::Likelihood(likelihood)) => likelihood,
        other => panic!("{other:?}"),
    }
}

fn assert_close(ours: f64, theirs: f64, within: f64) {
    assert!((ours - theirs).abs() <= within, "{ours} is not close to {theirs}");
}

#[test]
fn an_independent_program_computes_the_same_ratings() {
    let data: Value = serde_json::from_str(include_str!("data/tournament.json")).unwrap();
    let played = data["games"].as_array().unwrap().iter().map(|row| {
        let [first, second, pair] = [0, 1, 2].map(|column| row[column].as_u64().unwrap());
        game([first as usize, second as usize], pair as u32, row[3].as_u64().map(|points| points as u8))
    });
    let contestants = data["contestants"].as_u64().unwrap() as usize;
    let ratings = rate(contestants, played);
    assert_close(ratings.first_seat().unwrap().elo.unwrap(), data["first_seat"][0].as_f64().unwrap(), 1e-6);
    for contestant in 0..contestants {
        let (ours, theirs) = (ratings.strength(contestant), &data["elo"][contestant]);
        assert_eq!(ours.is_none(), theirs.is_null());
        if let Some(ours) = ours {
            assert_close(ours, theirs[0].as_f64().unwrap(), 1e-6);
        }
    }
    assert_eq!(ratings.groups(), [vec![0, 1, 2, 3, 4, 5], vec![6, 7], vec![8]]);
}

#[test]
fn intervals_of_single_games_are_the_exact_ones_of_a_share() {
    // The differences at which the tails of the binomial distribution, with half of the observed result, are 2.5 %.
    for (won, games, low, high) in [
        (7, 10, -85.0, Some(418.2)),
        (60, 100, 1.2, Some(141.0)),
        (99, 100, 517.7, Some(1320.3)),
        (199, 200, 640.7, Some(1440.7)),
        (999, 1000, 922.3, Some(1720.3)),
        (10, 10, 182.7, None),
        (20, 20, 316.6, None),
    ] {
        let ours = difference(single_games([0, 1], won, 0, games - won));
        let within = 25.0;
        assert_close(ours.low.unwrap(), low, within);
        assert_eq!((ours.high.is_some(), ours.elo.is_some()), (high.is_some(), high.is_some()));
        if let Some((ours, high)) = ours.high.zip(high) {
            assert_close(ours, high, within);
        }
    }
}

#[test]
fn a_virtual_draw_changes_estimates_little() {
    for (won, drawn, lost) in [(60, 0, 40), (50, 20, 30)] {
        assert_close(difference(single_games([0, 1], won, drawn, lost)).elo.unwrap(), 69.72, 0.01);
    }
}

#[test]
fn a_bot_that_won_or_lost_everything_has_one_bound_and_no_estimate() {
    let all = |pairs: usize| difference(pairs_of_games([0, 1], &vec![[2, 2]; pairs]));
    let low = [5, 50, 500].map(|pairs| all(pairs).low.unwrap());
    assert!(low[0] < low[1] && low[1] < low[2] && all(5).high.is_none() && all(5).elo.is_none());
    // Ten games of five pairs give as much information as five games.
    assert_close(low[0], difference(single_games([0, 1], 5, 0, 0)).low.unwrap(), 1.0);
    let lost = difference(pairs_of_games([0, 1], &[[0, 0]; 5]));
    assert!(lost.elo.is_none() && lost.low.is_none());
    assert_close(lost.high.unwrap(), -low[0], 1e-6);
}

#[test]
fn an_unbeaten_bot_does_not_widen_the_others() {
    let mixed: Vec<_> = (0..50).map(|pair| [[2, 0], [0, 2], [2, 2], [0, 0], [2, 1]][pair % 5]).collect();
    let without = rate(3, pairs_of_games([0, 1], &mixed)).difference(0, 1).unwrap();
    let mut games = pairs_of_games([0, 1], &mixed);
    games.extend([0, 1].into_iter().flat_map(|other| pairs_of_games([2, other], &[[2, 2]; 50])));
    let ratings = rate(3, games);
    let with = ratings.difference(0, 1).unwrap();
    assert_close(with.low.unwrap(), without.low.unwrap(), 2.0);
    assert_close(with.high.unwrap(), without.high.unwrap(), 2.0);
    let unbeaten = ratings.difference(2, 0).unwrap();
    assert!(unbeaten.elo.is_none() && unbeaten.high.is_none() && unbeaten.low.unwrap() > 500.0);
    assert!(ratings.middle(0..3) != Some(2));
}

#[test]
fn two_bots_that_won_everything_against_the_others_are_compared_with_each_other() {
    let mut games = pairs_of_games([0, 1], &[[2, 0], [2, 2], [0, 2], [2, 0]]);
    for first in [0, 1] {
        games.extend([2, 3].into_iter().flat_map(|other| pairs_of_games([first, other], &[[2, 2]; 4])));
    }
    games.extend(pairs_of_games([2, 3], &[[2, 0], [0, 0], [0, 2], [2, 0]]));
    let ratings = rate(4, games);
    let sides = |one, other| {
        let Difference { elo, low, high } = ratings.difference(one, other).unwrap();
        (low.is_some(), elo.is_some(), high.is_some())
    };
    assert_eq!(sides(0, 1), (true, true, true));
    assert_eq!(sides(2, 3), (true, true, true));
    assert_eq!(sides(0, 2), (true, false, false));
    assert_eq!(sides(3, 1), (false, false, true));
}

#[test]
fn two_unbeaten_bots_that_have_not_met_cannot_be_ranked() {
    let games = [0, 1].into_iter().flat_map(|first| pairs_of_games([first, 2], &[[2, 2]; 12]));
    let ratings = rate(3, games);
    assert_eq!(ratings.difference(0, 1), Some(Difference { elo: None, low: None, high: None }));
    assert_close(likelihood(&ratings, 0, 1), 0.5, 1e-9);
}

#[test]
fn a_likelihood_of_superiority_has_to_wait_for_ten_pairs_of_each() {
    let of = |pairs: usize| rate(2, pairs_of_games([0, 1], &vec![[2, 1]; pairs]));
    assert_eq!(of(9).los(0, 1), Some(Superiority::TooEarly));
    assert!(likelihood(&of(10), 0, 1) > 0.95);
    assert_close(likelihood(&of(10), 0, 1) + likelihood(&of(10), 1, 0), 1.0, 1e-9);
}

#[test]
fn the_middle_is_the_median_and_the_weaker_of_two() {
    let ladder = (0..4).flat_map(|place| pairs_of_games([place, place + 1], &[[2, 2], [2, 0], [0, 2]]));
    let ratings = rate(5, ladder);
    assert_eq!(ratings.middle(0..5), Some(2));
    assert_eq!(ratings.middle([3, 0, 1, 2]), Some(2));
    assert_eq!(ratings.middle([1, 0]), Some(1));
    assert_eq!(ratings.middle([]), None);
    // Equal ones are in the order of their numbers.
    assert_eq!(rate(3, []).middle([2, 1, 0]), Some(1));
}

#[test]
fn a_seat_that_wins_every_game_has_an_advantage() {
    let ratings = rate(2, pairs_of_games([0, 1], &[[2, 0]; 10]));
    let seat = ratings.first_seat().unwrap();
    assert!(seat.low.unwrap() > 200.0 && seat.elo.is_none() && seat.high.is_none(), "{seat:?}");
    assert_close(ratings.difference(0, 1).unwrap().elo.unwrap(), 0.0, 1e-9);
}

#[test]
fn intervals_shrink_for_bots_that_split_every_pair() {
    let errors = [5, 50].map(|pairs| {
        let split: Vec<_> = (0..pairs).map(|pair| if pair % 2 == 0 { [2, 0] } else { [0, 2] }).collect();
        error(difference(pairs_of_games([0, 1], &split)))
    });
    assert!(errors[1] < errors[0] / 6.0, "{errors:?}");
    let single = error(difference(single_games([0, 1], 50, 0, 50)));
    assert!(errors[1] < single / 3.0, "{single:?}");
}

#[test]
fn a_few_drawn_games_leave_a_wide_interval() {
    let errors = [1, 4, 40].map(|games| error(difference(single_games([0, 1], 0, games, 0))));
    assert!(errors[0] > 200.0 && errors[1] > 50.0 && errors[2] > 2.0, "{errors:?}");
    assert!(errors.is_sorted_by(|one, other| one > other));
}

#[test]
fn correlated_games_of_a_pair_make_intervals_wider() {
    let together: Vec<_> = (0..50).map(|pair| if pair % 2 == 0 { [2, 2] } else { [0, 0] }).collect();
    let pairs = error(difference(pairs_of_games([0, 1], &together)));
    let single = error(difference(single_games([0, 1], 50, 0, 50)));
    assert!(pairs > 1.35 * single, "{pairs:?} {single:?}");
}

#[test]
fn a_pairing_has_its_own_difference_and_the_points_in_each_seat() {
    let mut games = pairs_of_games([1, 0], &[[2, 0], [2, 1], [2, 2], [1, 0]]);
    games.extend(pairs_of_games([2, 1], &[[0, 0]; 3]));
    let ratings = rate(3, games.clone());
    let pairings: Vec<_> = ratings.pairings().collect();
    assert_eq!(pairings.iter().map(|pairing| pairing.contestants).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
    let in_seat = |games, half_points| InSeat { games, half_points };
    assert_eq!(pairings[0].seats, [in_seat(4, 5), in_seat(4, 1)]);
    assert!(pairings[0].difference.elo.unwrap() < 0.0);
    assert_eq!(pairings[1].seats, [in_seat(3, 6), in_seat(3, 6)]);
    let Difference { elo, low, high } = pairings[1].difference;
    assert!(elo.is_none() && low.is_some() && high.is_none());
    // 5 + 1 of 16 half points, and all of 6 games lost.
    let [ours, theirs] = [0, 1].map(|contestant| pairings[0].share(contestant).unwrap());
    assert_eq!([ours.value, theirs.value], [0.375, 0.625]);
    assert!(ours.low > 0.0 && ours.low < 0.375 && ours.high > 0.375 && ours.high < 1.0, "{ours:?}");
    assert_close(ours.low, 1.0 - theirs.high, 1e-12);
    assert_close(ours.high, 1.0 - theirs.low, 1e-12);
    let lost = pairings[1].share(2).unwrap();
    assert_eq!([lost.value, lost.low], [0.0, 0.0]);
    assert!(lost.high > 0.0 && lost.high < 1.0, "{lost:?}");
    // Games with others do not change it.
    let alone = rate(3, pairs_of_games([2, 1], &[[0, 0]; 3]));
    assert_eq!(alone.pairings().next().unwrap(), pairings[1]);
}

#[test]
fn unconnected_groups_are_not_compared() {
    let mut games = single_games([3, 1], 14, 0, 0);
    games.extend(single_games([0, 4], 4, 4, 4));
    games.push(game([1, 0], 0, None));
    games.push(game([2, 2], 0, Some(2)));
    let ratings = rate(5, games);
    assert_eq!(ratings.groups(), [vec![0, 4], vec![1, 3], vec![2]]);
    assert_eq!([0, 1, 2, 3, 4].map(|contestant| ratings.group_of(contestant)), [0, 1, 2, 1, 0]);
    assert!(likelihood(&ratings, 3, 1) > 0.5);
    assert_close(likelihood(&ratings, 0, 4), 0.5, 1e-9);
    assert!(ratings.los(3, 0).is_none() && ratings.los(2, 0).is_none() && ratings.los(3, 3).is_none());
    assert!(ratings.difference(3, 0).is_none() && ratings.strength(2).is_none());
    assert_eq!((ratings.games(), ratings.draws()), (26, 4));
}

#[test]
fn without_games_there_are_no_ratings() {
    let ratings = rate(2, []);
    assert_eq!([0, 1].map(|contestant| ratings.strength(contestant)), [None, None]);
    assert_eq!((ratings.games(), ratings.draws(), ratings.first_seat()), (0, 0, None));
    assert_eq!((ratings.groups().len(), ratings.pairings().count()), (2, 0));
    assert_eq!(rate(0, []).groups().len(), 0);
}

#[test]
fn a_long_ladder_of_full_scores_is_rated() {
    let games = (0..39).flat_map(|place| pairs_of_games([place, place + 1], &[[2, 2]; 500]));
    let ratings = rate(40, games);
    for place in 0..39 {
        let step = ratings.difference(place, place + 1).unwrap();
        assert!(step.low.unwrap() > 800.0 && step.high.is_none(), "{step:?}");
        assert!(ratings.strength(place) > ratings.strength(place + 1));
    }
    assert_close(ratings.first_seat().unwrap().elo.unwrap_or(0.0), 0.0, 1e-6);
}

#[test]
fn a_hundred_contestants_are_rated_by_a_hundred_thousand_games() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let games: Vec<_> = (0..100_000)
        .map(|index| {
            let first = random.random_range(0..100_usize);
            let second = (first + random.random_range(1..100)) % 100;
            let stronger = 1.0 / (1.0 + ((first as f64 - second as f64) / 40.0).exp());
            game([first, second], index, Some(if random.random_bool(stronger) { 2 } else { 0 }))
        })
        .collect();
    let ratings = rate(100, games);
    let truth = |contestant: usize| -(contestant as f64) / 40.0 * 400.0 / 10_f64.ln();
    let is_off = |contestant: usize| {
        let Difference { low, high, .. } = ratings.difference(contestant, 50).unwrap();
        !(low.unwrap()..=high.unwrap()).contains(&(truth(contestant) - truth(50)))
    };
    assert!((0..100).filter(|&contestant| contestant != 50 && is_off(contestant)).count() <= 5 + 7);
    assert!(ratings.first_seat().unwrap().elo.unwrap().abs() < 5.0);
}

fn any_games() -> impl Strategy<Value = Vec<RatedGame>> {
    let half_points = prop_oneof![1 => Just(None), 8 => (0_u8..3).prop_map(Some)];
    let game = (0_usize..6, 1_usize..6, 0_u32..6, half_points)
        .prop_map(|(first, step, pair, half_points)| game([first, (first + step) % 6], pair, half_points));
    prop::collection::vec(game, 0..80).prop_map(|mut games| {
        // A pair has two games at most.
        let mut pairs = HashMap::new();
        games.retain(|game: &RatedGame| {
            let [first, second] = game.seats;
            let games = pairs.entry((first.min(second), first.max(second), game.pair)).or_insert(0);
            *games += 1;
            *games <= 2
        });
        games
    })
}

proptest! {
    #[test]
    fn the_order_of_the_games_does_not_change_a_bit(
        (games, shuffled) in any_games().prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle()))
    ) {
        let [ratings, again] = [games, shuffled].map(|games| rate(6, games));
        prop_assert_eq!(format!("{ratings:?}"), format!("{again:?}"));
        prop_assert_eq!(ratings, again);
    }

    #[test]
    fn intervals_are_around_their_estimates_and_the_mean_of_a_group_is_0(games in any_games()) {
        let ratings = rate(6, games);
        for group in ratings.groups() {
            let strengths: Vec<_> = group.iter().filter_map(|&member| ratings.strength(member)).collect();
            prop_assert_eq!(strengths.len(), if group.len() == 1 { 0 } else { group.len() });
            prop_assert!(strengths.iter().sum::<f64>().abs() < 1e-6);
        }
        for (first, second) in (0..6).flat_map(|first| (0..6).map(move |second| (first, second))) {
            let Some(difference) = ratings.difference(first, second) else { continue };
            let Difference { elo, low, high } = difference;
            prop_assert_eq!(elo.is_some(), low.is_some() && high.is_some());
            prop_assert!(low.is_none_or(f64::is_finite) && high.is_none_or(f64::is_finite));
            if let (Some(elo), Some(low), Some(high)) = (elo, low, high) {
                prop_assert!(low < elo && elo < high, "{:?}", difference);
            }
            let turned = ratings.difference(second, first).unwrap().reversed();
            let close = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs() < 1e-6,
                (one, other) => one == other,
            };
            prop_assert!(close(turned.low, low) && close(turned.high, high), "{:?} {:?}", difference, turned);
        }
    }

    #[test]
    fn reversing_all_results_reverses_the_ratings(games in any_games()) {
        let turned = games.iter().map(|game| {
            let score = match game.score {
                Score::Win(Side::First) => Score::Win(Side::Second),
                Score::Win(Side::Second) => Score::Win(Side::First),
                other => other,
            };
            RatedGame { score, ..*game }
        });
        let [ratings, turned] = [rate(6, games.iter().copied()), rate(6, turned)];
        for (one, other) in (0..6).flat_map(|one| (0..6).map(move |other| (one, other))) {
            let [ours, theirs] = [&ratings, &turned].map(|ratings| ratings.difference(one, other));
            let (Some(ours), Some(theirs)) = (ours, theirs.map(Difference::reversed)) else {
                prop_assert_eq!(ours, theirs);
                continue;
            };
            for (ours, theirs) in [(ours.low, theirs.low), (ours.high, theirs.high), (ours.elo, theirs.elo)] {
                prop_assert_eq!(ours.is_some(), theirs.is_some());
                prop_assert!(ours.zip(theirs).is_none_or(|(ours, theirs)| (ours - theirs).abs() < 1e-5));
            }
        }
    }

    #[test]
    fn a_pairing_is_the_same_from_both_sides_and_around_its_estimate(
        pairs in prop::collection::vec(prop::array::uniform2(0_u8..3), 1..60)
    ) {
        let ratings = rate(2, pairs_of_games([0, 1], &pairs));
        let Difference { elo, low, high } = ratings.pairings().next().unwrap().difference;
        if let (Some(elo), Some(low), Some(high)) = (elo, low, high) {
            prop_assert!(low < elo && elo < high);
        }
        let turned: Vec<_> = pairs.iter().map(|pair| pair.map(|half_points| 2 - half_points)).collect();
        let turned = rate(2, pairs_of_games([0, 1], &turned)).pairings().next().unwrap().difference.reversed();
        for (one, other) in [(elo, turned.elo), (low, turned.low), (high, turned.high)] {
            prop_assert_eq!(one.is_some(), other.is_some());
            prop_assert!(one.zip(other).is_none_or(|(one, other)| (one - other).abs() < 1e-6));
        }
    }
}
