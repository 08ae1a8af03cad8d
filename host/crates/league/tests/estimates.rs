//! Estimates from matches in pairs, compared with published results and checked by laws.

use arena_league::{EloModel, Estimate, PairTally, Pentanomial, Score, Side, Sprt, summary};
use proptest::prelude::*;
use serde_json::Value;

fn published() -> Value {
    serde_json::from_str(include_str!("data/published.json")).unwrap()
}

fn pairs_of(value: &Value) -> Pentanomial {
    Pentanomial(std::array::from_fn(|cell| value["pairs"][cell].as_u64().unwrap()))
}

fn test_of(value: &Value) -> Option<Sprt> {
    let model = match value.get("model")?.as_str().unwrap() {
        "logistic" => EloModel::Logistic,
        "normalized" => EloModel::Normalized,
        other => panic!("{other}"),
    };
    let [elo0, elo1] = [0, 1].map(|bound| value["elo"][bound].as_f64().unwrap());
    Some(Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap())
}

/// The estimate from the numbers of pairs with 0, ½, 1, 1½ and 2 points.
fn estimate(pairs: [u64; 5]) -> Estimate {
    Pentanomial(pairs).estimate().unwrap()
}

/// A match with these pairs, each with the fewest draws that its score allows.
fn tally(pairs: [u64; 5]) -> PairTally {
    let lost = Score::Win(Side::Second);
    let won = Score::Win(Side::First);
    let games = [[lost, lost], [lost, Score::Draw], [won, lost], [won, Score::Draw], [won, won]];
    let mut tally = PairTally::default();
    for (times, games) in pairs.into_iter().zip(games) {
        (0..times).for_each(|_| tally.add(games.map(|score| (Side::First, Some(score)))));
    }
    tally
}

#[test]
fn a_match_is_given_up_after_fifty_pairs_of_which_none_counts() {
    let uncounted = |pairs| PairTally { incomplete: pairs, ..PairTally::default() };
    assert!(!PairTally::default().never_counts() && !uncounted(49).never_counts());
    assert!(uncounted(50).never_counts() && uncounted(51).never_counts());
    // One that counts shows that others may.
    let mut one = uncounted(50);
    one.add([(Side::First, Some(Score::Draw)), (Side::Second, Some(Score::Draw))]);
    assert!(!one.never_counts());
}

#[test]
fn published_matches_print_the_same() {
    for published in published()["matches"].as_array().unwrap() {
        let count = |name: &str| published[name].as_u64().unwrap();
        let tally = PairTally {
            pairs: pairs_of(published),
            wins: count("wins"),
            draws: count("draws"),
            losses: count("losses"),
            incomplete: 0,
        };
        let text: Vec<_> =
            published["text"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        // Fastchess does not name the unit of a test's bounds.
        let unit = if published["model"] == "normalized" { " normalised Elo" } else { "" };
        let expected = text.join("\n") + unit;
        assert_eq!(summary(&tally, test_of(published).as_ref()), expected, "{}", published["from"]);
    }
}

#[test]
fn published_likelihood_ratios_are_reproduced() {
    for published in published()["ratios"].as_array().unwrap() {
        let llr = test_of(published).unwrap().llr(&pairs_of(published));
        let [theirs, within] = ["llr", "within"].map(|name| published[name].as_f64().unwrap());
        assert!((llr - theirs).abs() < within, "{}: {llr}", published["from"]);
    }
}

#[test]
fn results_at_the_edge_have_finite_estimates() {
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Logistic).unwrap();
    let texts: Vec<_> = [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 10],
        [0, 0, 0, 1, 9],
        [10, 0, 0, 0, 0],
        [0, 0, 10, 0, 0],
        [0, 0, 100, 0, 0],
        [5, 0, 0, 0, 5],
    ]
    .into_iter()
    .map(|pairs| summary(&tally(pairs), Some(&test)))
    .collect();
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn a_pair_is_scored_for_the_tested_contestant_in_either_seat() {
    let mut tally = PairTally::default();
    let first = |score| (Side::First, Some(score));
    let second = |score| (Side::Second, Some(score));
    tally.add([first(Score::Win(Side::First)), second(Score::Win(Side::Second))]);
    tally.add([second(Score::Win(Side::First)), first(Score::Draw)]);
    tally.add([first(Score::Win(Side::First)), second(Score::Win(Side::First))]);
    tally.add([first(Score::Draw), second(Score::Draw)]);
    assert_eq!(tally.pairs, Pentanomial([0, 1, 2, 0, 1]));
    assert_eq!((tally.wins, tally.draws, tally.losses), (3, 3, 2));
    assert_eq!((tally.games(), tally.points(), tally.incomplete), (8, 4.5, 0));
}

#[test]
fn a_pair_with_a_missing_game_or_a_no_contest_does_not_count() {
    let mut tally = PairTally::default();
    let won = (Side::First, Some(Score::Win(Side::First)));
    tally.add([won, (Side::Second, Some(Score::NoContest))]);
    tally.add([(Side::First, None), won]);
    tally.add([(Side::First, None), (Side::Second, None)]);
    assert_eq!(tally, PairTally { incomplete: 3, ..PairTally::default() });
    assert_eq!(tally.pairs.estimate(), None);
}

#[test]
fn error_bars_are_from_pairs_and_not_from_games() {
    // Ten games won and ten lost in each case: with no pair even, with most pairs even, and with all pairs even.
    let bars = [[5, 0, 0, 0, 5], [2, 0, 6, 0, 2], [0, 0, 10, 0, 0]].map(|pairs| estimate(pairs).elo);
    assert!(bars.iter().all(|bar| bar.value.abs() < 1e-9));
    assert!(bars[0].error > 1.4 * bars[1].error && bars[1].error > 1.4 * bars[2].error);
}

fn any_pairs() -> impl Strategy<Value = [u64; 5]> {
    let count = prop_oneof![3 => Just(0), 3 => 0_u64..5, 2 => 0_u64..300, 1 => 0_u64..1_000_000];
    prop::array::uniform5(count)
}

proptest! {
    #[test]
    fn estimates_are_finite_and_error_bars_are_not_empty(pairs in any_pairs()) {
        if let Some(estimate) = Pentanomial(pairs).estimate() {
            for interval in [estimate.elo, estimate.nelo] {
                prop_assert!(interval.value.is_finite() && interval.error.is_finite() && interval.error > 0.0);
            }
            prop_assert!((0.0..=1.0).contains(&estimate.los) && (0.0..=1.0).contains(&estimate.draw_ratio));
            prop_assert!(estimate.pairs_ratio.is_none_or(|ratio| ratio.is_finite() && ratio >= 0.0));
        } else {
            prop_assert_eq!(pairs, [0; 5]);
        }
    }

    #[test]
    fn reversing_all_results_reverses_the_sign(pairs in any_pairs()) {
        let mut reversed = pairs;
        reversed.reverse();
        let [ours, theirs] = [pairs, reversed].map(|pairs| Pentanomial(pairs).estimate());
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
            prop_assert!(close(ours.elo.value, -theirs.elo.value) && close(ours.elo.error, theirs.elo.error));
            prop_assert!(close(ours.nelo.value, -theirs.nelo.value) && close(ours.los, 1.0 - theirs.los));
        }
    }

    #[test]
    fn more_points_are_more_elo(mut pairs in any_pairs(), cell in 0_usize..4) {
        let mut better = pairs;
        pairs[cell] += 1;
        better[cell + 1] += 1;
        prop_assert!(estimate(better).elo.value > estimate(pairs).elo.value);
    }
}
