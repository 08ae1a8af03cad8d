//! Ratings, compared with an independent program and a calculation by hand, and checked by laws and by the share of
//! error bars that contain the truth.

use arena_league::{Interval, RatedGame, Ratings, Score, Side, rate};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

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

fn elo(ratings: &Ratings, contestant: usize) -> Interval {
    ratings.ratings[contestant].elo.unwrap()
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
    let same = |ours: Option<Interval>, theirs: &Value| {
        assert_eq!(ours.is_none(), theirs.is_null());
        if let Some(ours) = ours {
            assert_close(ours.value, theirs[0].as_f64().unwrap(), 1e-6);
            assert_close(ours.error, theirs[1].as_f64().unwrap(), 1e-6);
        }
    };
    same(ratings.first_seat, &data["first_seat"]);
    for contestant in 0..contestants {
        same(ratings.ratings[contestant].elo, &data["elo"][contestant]);
        for opponent in 0..contestants {
            let los = &data["los"][contestant][opponent];
            match ratings.los(contestant, opponent) {
                None => assert!(los.is_null()),
                Some(ours) => assert_close(ours, los.as_f64().unwrap(), 1e-9),
            }
        }
    }
    assert_eq!(ratings.groups, [vec![0, 1, 2, 3, 4, 5], vec![6, 7], vec![8]]);
}

#[test]
fn two_contestants_are_rated_as_calculated_by_hand() {
    // 7 of 10 from seat 1, in single games. With the virtual draw it is 7.5 of 11, so p = 0.68182 and log odds 0.76214.
    // Information: 11 p (1 − p) = 2.38636. Squares of slopes: 7 (1 − p)² + 3 p² = 2.10331; with a weight of 10 : 1
    // towards 10 p (1 − p) = 2.16942, that is 2.10932; and (p² + (1 − p)²) / 2 = 0.28306 for the virtual draw.
    // Variance: 2.39238 / 2.38636² = 0.42010, error 1.95996 · √0.42010 = 1.27035 in log odds, 220.68 Elo.
    let ratings = rate(2, single_games([0, 1], 7, 0, 3));
    let difference = ratings.difference(0, 1).unwrap();
    assert_close(difference.value, 132.40, 0.01);
    assert_close(difference.error, 220.68, 0.01);
    assert_close(ratings.los(0, 1).unwrap(), 0.8802, 0.0001);
    assert_close(elo(&ratings, 0).value, 66.20, 0.01);
    assert_close(elo(&ratings, 1).error, 110.34, 0.01);
    assert_eq!(ratings.first_seat, None);
}

#[test]
fn a_virtual_draw_makes_full_scores_finite_and_changes_others_little() {
    let difference =
        |won, drawn, lost| rate(2, single_games([1, 0], won, drawn, lost)).difference(1, 0).unwrap();
    assert_close(difference(10, 0, 0).value, 528.89, 0.01);
    assert_close(difference(0, 0, 10).value, -528.89, 0.01);
    assert_close(difference(60, 0, 40).value, 69.72, 0.01);
    assert_close(difference(50, 20, 30).value, 69.72, 0.01);
    // A bot that won ten of ten games may be 90 Elo stronger or 1,000.
    assert!((300.0..600.0).contains(&difference(10, 0, 0).error));
}

#[test]
fn a_seat_that_wins_every_game_has_a_finite_advantage() {
    let ratings = rate(2, pairs_of_games([0, 1], &[[2, 0]; 10]));
    let seat = ratings.first_seat.unwrap();
    assert_close(seat.value, 400.0 * (20.5_f64 / 0.5).log10(), 0.01);
    assert!(seat.error > 100.0 && seat.error < seat.value);
    assert_close(elo(&ratings, 0).value, 0.0, 1e-9);
}

#[test]
fn error_bars_shrink_for_bots_that_split_every_pair() {
    let bars = [5, 50].map(|pairs| {
        let split: Vec<_> = (0..pairs).map(|pair| if pair % 2 == 0 { [2, 0] } else { [0, 2] }).collect();
        rate(2, pairs_of_games([0, 1], &split)).difference(0, 1).unwrap()
    });
    assert!(bars[1].error < bars[0].error / 8.0, "{bars:?}");
    let single = rate(2, single_games([0, 1], 50, 0, 50)).difference(0, 1).unwrap();
    assert!(bars[1].error < single.error / 4.0, "{single:?}");
}

#[test]
fn correlated_games_of_a_pair_make_error_bars_wider() {
    let together: Vec<_> = (0..50).map(|pair| if pair % 2 == 0 { [2, 2] } else { [0, 0] }).collect();
    let pairs = rate(2, pairs_of_games([0, 1], &together)).difference(0, 1).unwrap();
    let single = rate(2, single_games([0, 1], 50, 0, 50)).difference(0, 1).unwrap();
    assert!(pairs.error > 1.35 * single.error, "{pairs:?} {single:?}");
}

#[test]
fn unconnected_groups_are_not_compared() {
    let mut games = single_games([3, 1], 4, 0, 0);
    games.extend(single_games([0, 4], 1, 1, 1));
    games.push(game([1, 0], 0, None));
    games.push(game([2, 2], 0, Some(2)));
    let ratings = rate(5, games);
    assert_eq!(ratings.groups, [vec![0, 4], vec![1, 3], vec![2]]);
    assert_eq!(ratings.ratings.iter().map(|rating| rating.group).collect::<Vec<_>>(), [0, 1, 2, 1, 0]);
    assert!(ratings.los(3, 1).unwrap() > 0.5 && ratings.los(0, 4).unwrap() == 0.5);
    assert!(ratings.los(3, 0).is_none() && ratings.los(2, 0).is_none() && ratings.los(3, 3).is_none());
    assert_eq!((ratings.ratings[2].elo, ratings.ratings[2].games), (None, 0));
    assert_eq!((ratings.games, ratings.draws, ratings.ratings[3].half_points), (7, 1, 8));
}

#[test]
fn without_games_there_are_no_ratings() {
    let ratings = rate(2, []);
    assert_eq!(ratings.ratings.iter().map(|rating| rating.elo).collect::<Vec<_>>(), [None, None]);
    assert_eq!((ratings.games, ratings.draws, ratings.first_seat, ratings.groups.len()), (0, 0, None, 2));
    assert_eq!(rate(0, []).ratings, []);
}

#[test]
fn a_long_ladder_of_full_scores_is_rated() {
    let games = (0..39).flat_map(|place| {
        let pairs = pairs_of_games([place, place + 1], &[[2, 2]; 500]);
        pairs.into_iter()
    });
    let ratings = rate(40, games);
    for place in 0..39 {
        let step = ratings.difference(place, place + 1).unwrap();
        assert!(step.value > 1000.0 && step.error > 100.0 && step.error < 2000.0, "{step:?}");
    }
    assert_close(ratings.first_seat.unwrap().value, 0.0, 1e-6);
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
    let off = (0..100).map(|contestant| {
        let truth = (49.5 - contestant as f64) / 40.0 * 400.0 / 10_f64.ln();
        let elo = elo(&ratings, contestant);
        u32::from((elo.value - truth).abs() > elo.error)
    });
    assert!(off.sum::<u32>() <= 5 + 7);
    assert!(ratings.first_seat.unwrap().value.abs() < 5.0);
}

/// The number of tournaments in which the error bar of the difference between the first two contestants contained the
/// truth. Contestants are 100 Elo apart, seat 1 is worth 50, and a tenth of the games are drawn. `common_luck` is the
/// share of pairs whose two games have the same luck: for the same contestant if it is positive, for the same seat if
/// it is negative.
fn bars_with_the_truth(common_luck: f64, contestants: usize, pairs: u32, tournaments: u32) -> u32 {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let expected = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let half_points = |luck: f64, expected: f64| match luck {
        luck if luck < expected - 0.05 => 2,
        luck if luck < expected + 0.05 => 1,
        _ => 0,
    };
    let mut pair = |ahead: f64| {
        let first: f64 = random.random();
        let second = match (random.random_bool(common_luck.abs()), common_luck > 0.0) {
            (true, true) => first,
            (true, false) => 1.0 - first,
            (false, _) => random.random(),
        };
        [half_points(first, expected(ahead + 50.0)), half_points(second, expected(ahead - 50.0))]
    };
    let tournament = |_: &u32| {
        let games =
            (0..contestants).flat_map(|first| (first + 1..contestants).map(move |second| [first, second]));
        let games = games.flat_map(|[first, second]| {
            let ahead = 100.0 * (second - first) as f64;
            let scored: Vec<_> = (0..pairs).map(|_| pair(ahead)).collect();
            pairs_of_games([first, second], &scored)
        });
        let difference = rate(contestants, games).difference(0, 1).unwrap();
        (difference.value - 100.0).abs() <= difference.error
    };
    (0..tournaments).filter(tournament).count() as u32
}

#[test]
fn error_bars_contain_the_truth_in_95_of_100_cases() {
    for common_luck in [-0.9, 0.0, 0.9] {
        for (contestants, pairs) in [(2, 10), (2, 60), (4, 3), (4, 20)] {
            let held = bars_with_the_truth(common_luck, contestants, pairs, 500);
            // 95 % less three standard errors for 500 tournaments. Bars may be slightly too wide.
            assert!((475 - 15..=495).contains(&held), "{common_luck} {contestants} {pairs}: {held}");
        }
    }
}

fn any_games() -> impl Strategy<Value = Vec<RatedGame>> {
    let half_points = prop_oneof![1 => Just(None), 8 => (0_u8..3).prop_map(Some)];
    let game = (0_usize..6, 1_usize..6, 0_u32..6, half_points)
        .prop_map(|(first, step, pair, half_points)| game([first, (first + step) % 6], pair, half_points));
    prop::collection::vec(game, 0..80)
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
    fn ratings_are_finite_and_the_mean_of_a_group_is_0(games in any_games()) {
        let ratings = rate(6, games);
        for group in &ratings.groups {
            let values: Vec<_> = group.iter().filter_map(|&member| ratings.ratings[member].elo).collect();
            prop_assert_eq!(values.len(), if group.len() == 1 { 0 } else { group.len() });
            prop_assert!(values.iter().map(|elo| elo.value).sum::<f64>().abs() < 1e-6);
            prop_assert!(values.iter().all(|elo| elo.error.is_finite() && elo.error > 0.0));
        }
        prop_assert!(ratings.first_seat.is_none_or(|seat| seat.value.is_finite() && seat.error > 0.0));
        for (first, second) in (0..6).flat_map(|first| (0..6).map(move |second| (first, second))) {
            if let Some(los) = ratings.los(first, second) {
                let other = ratings.los(second, first).unwrap();
                prop_assert!((0.0..=1.0).contains(&los) && (los + other - 1.0).abs() < 1e-9);
            }
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
        let elos = |ratings: &Ratings| -> Vec<_> {
            let all = ratings.ratings.iter().map(|rating| rating.elo);
            all.chain([ratings.first_seat]).flatten().collect()
        };
        for (elo, turned) in elos(&ratings).into_iter().zip(elos(&turned)) {
            prop_assert!((elo.value + turned.value).abs() < 1e-6 && (elo.error - turned.error).abs() < 1e-6);
        }
    }
}
