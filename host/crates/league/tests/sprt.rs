//! The sequential test: its likelihood ratios, its decisions and its error rates.

use arena_league::{Decision, EloModel, Pentanomial, ScoreDifferences, ScoreSprt, Sprt, SprtError};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

const MODELS: [EloModel; 2] = [EloModel::Logistic, EloModel::Normalized];

fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

/// Plays pairs until the test decides. Returns the decision and the number of pairs.
fn run(test: &Sprt, mut half_points: impl FnMut() -> usize) -> (Decision, u64) {
    let mut pairs = Pentanomial::default();
    loop {
        pairs.add(half_points());
        match test.decide(&pairs) {
            Decision::Continue => {}
            decided => return (decided, pairs.pairs()),
        }
    }
}

#[test]
fn ratios_are_those_of_a_general_optimiser() {
    let data: Value = serde_json::from_str(include_str!("data/likelihood_ratios.json")).unwrap();
    for case in data["cases"].as_array().unwrap() {
        let pairs = Pentanomial(std::array::from_fn(|cell| case["pairs"][cell].as_u64().unwrap()));
        let [elo0, elo1] = [0, 1].map(|bound| case["elo"][bound].as_f64().unwrap());
        let model = MODELS[usize::from(case["model"] == "normalized")];
        let llr = test(elo0, elo1, model).llr(&pairs);
        assert!((llr - case["llr"].as_f64().unwrap()).abs() < 0.0005, "{case}: {llr}");
    }
}

#[test]
fn identical_bots_end_with_h0() {
    let (decided, pairs) = run(&test(0.0, 10.0, EloModel::Logistic), || 2);
    assert!(decided == Decision::AcceptH0 && pairs < 200, "{pairs}");
    // Without variance, any difference in score is large in normalised Elo, so it takes longer to rule one out.
    let (decided, pairs) = run(&test(0.0, 10.0, EloModel::Normalized), || 2);
    assert!(decided == Decision::AcceptH0 && pairs < 3_000, "{pairs}");
}

#[test]
fn a_test_of_a_bot_that_wins_or_loses_every_pair_ends_within_a_hundred() {
    for model in MODELS {
        let test = test(0.0, 10.0, model);
        let (decided, pairs) = run(&test, || 4);
        assert!(decided == Decision::AcceptH1 && pairs < 100, "{pairs}");
        let (decided, pairs) = run(&test, || 0);
        assert!(decided == Decision::AcceptH0 && pairs < 100, "{pairs}");
    }
}

#[test]
fn a_decision_that_two_more_pairs_would_change_is_not_taken() {
    let test = test(0.0, 10.0, EloModel::Logistic);
    let even = |pairs| Pentanomial([0, 0, pairs, 0, 0]);
    let (_, decided_after) = run(&test, || 2);
    let earlier = even(decided_after - 1);
    assert!(test.llr(&earlier) < test.bounds()[0], "by the ratio alone it would have been decided");
    assert_eq!(test.decide(&earlier), Decision::Continue);
}

#[test]
fn bounds_are_walds() {
    let [lower, upper] = Sprt::new(0.0, 5.0, 0.05, 0.1, EloModel::Logistic).unwrap().bounds();
    assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-12 && (upper - (0.9_f64 / 0.05).ln()).abs() < 1e-12);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic).unwrap_err();
    for (elo0, elo1) in [(f64::NAN, 5.0), (0.0, f64::INFINITY), (0.0, 1000.5), (-2000.0, 0.0)] {
        assert_eq!(new(elo0, elo1, 0.05, 0.05), SprtError::Elo);
    }
    for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (0.0, 0.001)] {
        assert_eq!(new(elo0, elo1, 0.05, 0.05), SprtError::Order);
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, 1.0), (0.5, 0.5), (f64::NAN, 0.05), (-0.1, 0.05)] {
        assert_eq!(new(0.0, 5.0, alpha, beta), SprtError::Rates);
    }
    let texts = [SprtError::Elo, SprtError::Order, SprtError::Rates].map(|error| error.to_string());
    insta::assert_snapshot!(texts.join("\n"));
}

/// Distributions of the results of pairs, before they are tilted: independent games without draws; games that are
/// mostly drawn; seeds that mostly decide for a seat; seeds that mostly decide for a bot; and a bot that often wins
/// narrowly and sometimes loses outright.
const SHAPES: [[f64; 5]; 5] = [
    [0.25, 0.0, 0.5, 0.0, 0.25],
    [0.02, 0.2, 0.56, 0.2, 0.02],
    [0.02, 0.0, 0.96, 0.0, 0.02],
    [0.45, 0.02, 0.06, 0.02, 0.45],
    [0.33, 0.0, 0.0, 0.67, 0.0],
];

/// A shape, tilted so that the true difference is `elo` in this model.
fn tilted(shape: [f64; 5], elo: f64, model: EloModel) -> [f64; 5] {
    let by = |tilt: f64| {
        let weights: [f64; 5] = std::array::from_fn(|cell| shape[cell] * (tilt * cell as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let moment = |shares: [f64; 5], of: &dyn Fn(f64) -> f64| -> f64 {
        (0..5).map(|cell| shares[cell] * of(cell as f64 / 4.0)).sum()
    };
    let true_elo = |shares: [f64; 5]| {
        let mean = moment(shares, &|score| score);
        let variance = moment(shares, &|score| (score - mean) * (score - mean));
        match model {
            EloModel::Logistic => 400.0 * (mean / (1.0 - mean)).log10(),
            EloModel::Normalized => 800.0 / 10_f64.ln() * (mean - 0.5) / (2.0 * variance).sqrt(),
        }
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if true_elo(by(middle)) < elo { low = middle } else { high = middle }
    }
    by(low)
}

/// The number of tests with a wrong decision: H1 with a true difference of `elo0`, and H0 with `elo1`.
fn mistakes(test: &Sprt, shape: [f64; 5], model: EloModel, tests: usize) -> [usize; 2] {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    [(test.elo0(), Decision::AcceptH1), (test.elo1(), Decision::AcceptH0)].map(|(elo, wrong)| {
        let shares = tilted(shape, elo, model);
        let mut pair = || {
            let drawn: f64 = random.random();
            let mut sum = 0.0;
            let below = |share: &&f64| {
                sum += **share;
                sum <= drawn
            };
            shares[..4].iter().take_while(below).count()
        };
        (0..tests).filter(|_| run(test, &mut pair).0 == wrong).count()
    })
}

#[test]
fn error_rates_are_kept() {
    const TESTS: usize = 1_000;
    // 5 % plus three standard errors.
    const MISTAKES_MAX: usize = 50 + 21;
    for model in MODELS {
        for shape in SHAPES {
            for (elo0, elo1) in [(0.0, 60.0), (-30.0, 30.0), (0.0, 200.0), (-100.0, 0.0)] {
                let wrong = mistakes(&test(elo0, elo1, model), shape, model, TESTS);
                assert!(
                    wrong.iter().all(|&wrong| wrong <= MISTAKES_MAX),
                    "{model:?} {shape:?} {elo1}: {wrong:?}"
                );
            }
        }
    }
}

#[test]
fn unequal_error_rates_are_kept() {
    let test = Sprt::new(0.0, 40.0, 0.01, 0.2, EloModel::Logistic).unwrap();
    let [alpha, beta] = mistakes(&test, SHAPES[0], EloModel::Logistic, 2000);
    assert!(alpha <= 20 + 13 && beta <= 400 + 54, "{alpha} {beta}");
    assert!(beta > 200, "a test that is wrong too rarely takes longer than necessary: {beta}");
}

fn any_pairs() -> impl Strategy<Value = [u64; 5]> {
    let count = prop_oneof![2 => Just(0), 3 => 0_u64..5, 2 => 0_u64..300, 1 => 0_u64..1_000_000];
    prop::array::uniform5(count)
}

fn any_model() -> impl Strategy<Value = EloModel> {
    prop::sample::select(MODELS.to_vec())
}

proptest! {
    #[test]
    fn a_ratio_is_always_finite(
        pairs in any_pairs(), elo0 in -1000.0..999.0, gap in 0.01..1.0, model in any_model()
    ) {
        let elo1 = elo0 + f64::max(gap * (1000.0 - elo0), Sprt::ELO_GAP_MIN * 1.01);
        prop_assert!(test(elo0, elo1, model).llr(&Pentanomial(pairs)).is_finite());
    }

    #[test]
    fn reversing_all_results_and_bounds_reverses_the_ratio(
        pairs in any_pairs(), elo0 in -50.0..50.0, gap in 0.1..50.0, model in any_model()
    ) {
        let mut reversed = pairs;
        reversed.reverse();
        let ours = test(elo0, elo0 + gap, model).llr(&Pentanomial(pairs));
        let theirs = test(-elo0 - gap, -elo0, model).llr(&Pentanomial(reversed));
        prop_assert!((ours + theirs).abs() <= 1e-6 * (1.0 + ours.abs()), "{} {}", ours, theirs);
    }

    #[test]
    fn a_better_pair_is_not_evidence_for_h0(
        mut pairs in any_pairs(), cell in 0_usize..4, elo0 in -50.0..50.0, gap in 0.1..50.0
    ) {
        let mut better = pairs;
        pairs[cell] += 1;
        better[cell + 1] += 1;
        let test = test(elo0, elo0 + gap, EloModel::Logistic);
        let [before, after] = [pairs, better].map(|pairs| test.llr(&Pentanomial(pairs)));
        // An empty cell counts as a thousandth of a pair.
        prop_assert!(after >= before - 0.01, "{} {}", before, after);
    }
}

/// Distributions of the mean difference of a pair, in half points, with the largest one of a game and the standard deviation: even
/// numbers, wins and losses of some 300 with some 20 of noise, rare large differences, and a tenth that loses or wins a lot.
type Scores = (&'static str, fn(&mut Pcg64Mcg) -> i64, i64, f64);

const SCORES: [Scores; 5] = [
    ("even", |rng| rng.random_range(-60..=60), 60, 17.6),
    (
        "wins",
        |rng| (0..2).map(|_| [-1, 1][rng.random_range(0..2)] * rng.random_range(280..=320)).sum(),
        400,
        212.5,
    ),
    (
        "rare",
        |rng| if rng.random_range(0..10) == 0 { [-100, 100][rng.random_range(0..2)] } else { 0 },
        60,
        15.8,
    ),
    ("losing", |rng| if rng.random_range(0..10) == 0 { -36 } else { 4 }, 24, 6.0),
    ("winning", |rng| if rng.random_range(0..10) == 0 { 36 } else { -4 }, 24, 6.0),
];

#[test]
fn error_rates_of_scores_are_kept() {
    const TESTS: usize = 400;
    // 5 % plus three standard errors; and 8 % where the first pairs of a test often lack what decides it.
    let mistakes_max = |name| if matches!(name, "losing" | "winning") { 32 + 16 } else { 20 + 13 };
    for (name, difference, most, deviation) in SCORES {
        for share in [0.2, 0.4, 0.8] {
            // A whole number of half points.
            let score1 = (2.0 * share * deviation).round().max(1.0) / 2.0;
            let test = ScoreSprt::new(0.0, score1, 0.05, 0.05, most).unwrap();
            for (shift, wrong) in [(0.0, Decision::AcceptH1), (score1, Decision::AcceptH0)] {
                let mut rng = Pcg64Mcg::seed_from_u64(7);
                let run = |_: &usize| {
                    let mut differences = ScoreDifferences::default();
                    loop {
                        differences.add(difference(&mut rng) + (2.0 * shift) as i64);
                        match test.decide(&differences) {
                            Decision::Continue => {}
                            decided => return decided == wrong,
                        }
                    }
                };
                let count = (0..TESTS).filter(run).count();
                assert!(count <= mistakes_max(name), "{name}, {score1}, {wrong:?}: {count} of {TESTS}");
            }
        }
    }
}

#[test]
fn a_test_of_scores_is_finite_and_ends_for_bots_without_a_difference_or_with_a_constant_one() {
    let test = ScoreSprt::new(0.0, 2.0, 0.05, 0.05, 40).unwrap();
    for (difference, expected) in [
        (0, Decision::AcceptH0),
        (-80, Decision::AcceptH0),
        (4, Decision::AcceptH1),
        (80, Decision::AcceptH1),
    ] {
        let mut differences = ScoreDifferences::default();
        let decided = (0..10_000).find_map(|_| {
            differences.add(difference);
            assert!(test.llr(&differences).is_finite());
            Some(test.decide(&differences)).filter(|&decision| decision != Decision::Continue)
        });
        assert_eq!(decided, Some(expected), "{difference}: {differences:?}");
        assert!(differences.pairs() > 2, "a first pair decides nothing: {differences:?}");
    }
    assert_eq!(test.llr(&ScoreDifferences::default()), 0.0);
}

#[test]
fn parameters_of_a_test_of_scores_are_checked() {
    let new = |score0, score1, alpha| ScoreSprt::new(score0, score1, alpha, 0.05, 40).map(|_| ());
    assert_eq!(new(-40.0, 40.0, 0.05), Ok(()));
    assert_eq!(new(-40.5, 1.0, 0.05), Err(SprtError::Score(40)));
    assert_eq!(new(0.0, f64::NAN, 0.05), Err(SprtError::Score(40)));
    assert_eq!(new(1.0, 1.0, 0.05), Err(SprtError::ScoreOrder));
    assert_eq!(new(0.0, 1.0, 0.0), Err(SprtError::Rates));
}

proptest! {
    #[test]
    fn reversing_all_differences_and_bounds_reverses_the_ratio_of_scores(
        differences in prop::collection::vec(-80_i64..=80, 1..50), score0 in -20.0..20.0, gap in 0.1..20.0
    ) {
        let llr = |sign: i64, score0: f64, score1: f64| {
            let mut all = ScoreDifferences::default();
            differences.iter().for_each(|difference| all.add(sign * difference));
            ScoreSprt::new(score0, score1, 0.05, 0.05, 40).unwrap().llr(&all)
        };
        let [ours, theirs] = [llr(1, score0, score0 + gap), llr(-1, -score0 - gap, -score0)];
        prop_assert!((ours + theirs).abs() <= 1e-6 * (1.0 + ours.abs()), "{} {}", ours, theirs);
    }
}
