//! The share of intervals that contain the truth, in simulated tournaments. The guide's page about ratings has the table.

use arena_league::{
    Decision, EloModel, Pentanomial, RatedGame, Ratings, Score, Side, Sprt, Superiority, rate,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The number of differences of a set-up that are compared with the truth. Chosen: 95 % of them has a standard error of
/// 0.5 %.
const DIFFERENCES: u32 = 2_000;

/// A set-up of simulated tournaments.
#[derive(Clone, Debug)]
struct SetUp {
    /// The true strengths, in Elo.
    strengths: Vec<f64>,
    /// Pairs of games of each two contestants.
    pairs: u32,
    /// The share of pairs whose two games have the same luck: for the same contestant if it is positive, for the same seat
    /// if it is negative.
    luck: f64,
    /// The Elo that seat 1 is worth.
    seat: f64,
    /// The share of the games of equals that are drawn.
    draws: f64,
    /// Those who meet.
    meetings: Meetings,
}

/// Those who meet in a tournament.
#[derive(Clone, Copy, Debug)]
enum Meetings {
    All,
    /// The first contestant meets all others.
    Gauntlet,
    /// Each contestant meets its two neighbours; the last one also meets the first.
    Ring,
}

/// The true strengths of a field.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// Equal steps from the best to the worst, who are this many Elo apart.
    Spread(f64),
    /// All are equal but the first, who is this many Elo above.
    Outlier(f64),
}

impl Field {
    fn strengths(self, contestants: usize) -> Vec<f64> {
        let strength = |contestant: usize| match self {
            Self::Spread(elo) => -elo * contestant as f64 / (contestants - 1) as f64,
            Self::Outlier(elo) => {
                if contestant == 0 {
                    elo
                } else {
                    0.0
                }
            }
        };
        (0..contestants).map(strength).collect()
    }
}

/// The number of statements about differences, and of those that are true.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    all: u32,
    held: u32,
    /// Those without an upper or a lower end.
    one_sided: u32,
    /// Those of them that are true.
    one_sided_held: u32,
}

impl Held {
    fn share(self) -> f64 {
        f64::from(self.held) / f64::from(self.all)
    }
}

impl SetUp {
    fn of(field: Field, contestants: usize, pairs: u32) -> Self {
        let strengths = field.strengths(contestants);
        Self { strengths, pairs, luck: 0.0, seat: 50.0, draws: 0.1, meetings: Meetings::All }
    }

    /// The luck below which seat 1 wins, and below which it does not lose, in both games of a pair, between a contestant and one that it
    /// is this much ahead of. It has seat 1 in the first of them.
    fn chances(&self, ahead: f64) -> [[f64; 2]; 2] {
        [ahead + self.seat, ahead - self.seat].map(|elo| {
            let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let draw = 2.0 * self.draws * expected * (1.0 - expected);
            [expected - draw, expected + draw]
        })
    }

    /// The half points of seat 1 in both games of a pair with these chances.
    fn half_points(&self, [one, swapped]: [[f64; 2]; 2], random: &mut Pcg64Mcg) -> [usize; 2] {
        let half_points =
            |luck: f64, chances: [f64; 2]| chances.iter().filter(|&&chance| luck < chance).count();
        let luck: f64 = random.random();
        let other = match (random.random_bool(self.luck.abs()), self.luck > 0.0) {
            (true, true) => luck,
            (true, false) => 1.0 - luck,
            (false, _) => random.random(),
        };
        [half_points(luck, one), 2 - half_points(other, swapped)]
    }

    /// The half points of the first of two contestants in a pair of games.
    fn pair(&self, random: &mut Pcg64Mcg) -> usize {
        let chances = self.chances(self.strengths[0] - self.strengths[1]);
        let [one, swapped] = self.half_points(chances, random);
        one + 2 - swapped
    }

    fn play(&self, random: &mut Pcg64Mcg) -> Ratings {
        let score = |half_points| match half_points {
            0 => Score::Win(Side::Second),
            1 => Score::Draw,
            _ => Score::Win(Side::First),
        };
        let contestants = self.strengths.len();
        let two =
            (0..contestants).flat_map(|first| (first + 1..contestants).map(move |second| (first, second)));
        let two = two.filter(|&(first, second)| match self.meetings {
            Meetings::All => true,
            Meetings::Gauntlet => first == 0,
            Meetings::Ring => second - first == 1 || second - first == contestants - 1,
        });
        let games = two.flat_map(|(first, second)| {
            let chances = self.chances(self.strengths[first] - self.strengths[second]);
            let pair = |pair| {
                let [one, swapped] = self.half_points(chances, random);
                [
                    RatedGame { seats: [first, second], pair, score: score(one) },
                    RatedGame { seats: [second, first], pair, score: score(swapped) },
                ]
            };
            (0..self.pairs).flat_map(pair).collect::<Vec<_>>()
        });
        rate(contestants, games.collect::<Vec<_>>())
    }

    /// Compares the differences to an anchor with the truth.
    fn compare(&self, anchor: impl Fn(&Ratings) -> usize) -> Held {
        self.compare_times(DIFFERENCES, anchor)
    }

    /// The same with this number of differences.
    fn compare_times(&self, differences: u32, anchor: impl Fn(&Ratings) -> usize) -> Held {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut held = Held::default();
        let contestants = self.strengths.len();
        while held.all < differences {
            let ratings = self.play(&mut random);
            let anchor = anchor(&ratings);
            for contestant in (0..contestants).filter(|&contestant| contestant != anchor) {
                let difference = ratings.difference(contestant, anchor).expect("all have met");
                let truth = self.strengths[contestant] - self.strengths[anchor];
                let holds = difference.low.is_none_or(|low| low <= truth)
                    && difference.high.is_none_or(|high| truth <= high);
                held.all += 1;
                held.held += u32::from(holds);
                held.one_sided += u32::from(difference.elo.is_none());
                held.one_sided_held += u32::from(difference.elo.is_none() && holds);
            }
        }
        held
    }
}

/// The columns of the table.
const FIELDS: [(&str, Field); 4] = [
    ("equal", Field::Spread(0.0)),
    ("spread over 300 Elo", Field::Spread(300.0)),
    ("spread over 1,500 Elo", Field::Spread(1_500.0)),
    ("one 1,500 Elo above", Field::Outlier(1_500.0)),
];

#[test]
fn intervals_contain_the_truth_in_93_to_97_of_100_cases_and_at_the_edges_in_more() {
    let mut table = format!("| bots | {} |\n|---:|", FIELDS.map(|(name, _)| name).join(" | "));
    table += &":---:|".repeat(FIELDS.len());
    for contestants in [2, 3, 6, 12, 24] {
        let cells = FIELDS.map(|(name, field)| {
            let shares = [10, 100, 1_000].map(|games| {
                let middle = |_: &Ratings| contestants / 2;
                let held = SetUp::of(field, contestants, games / 2).compare(middle);
                let percent = 100.0 * held.share();
                assert!(percent >= 93.0, "{contestants} {name} {games}: {held:?}");
                // In a field in which a bot often wins everything, the bounds hold by themselves.
                let bounds_hold = f64::from(held.one_sided_held) >= 0.93 * f64::from(held.one_sided);
                assert!(
                    held.one_sided < DIFFERENCES / 10 || bounds_hold,
                    "{contestants} {name} {games}: {held:?}"
                );
                // Few games have few different scores, and an interval without an end cannot miss on that side.
                let is_at_the_edge = games == 10 || held.one_sided > 0;
                assert!(percent <= 97.0 || is_at_the_edge, "{contestants} {name} {games}: {held:?}");
                format!("{percent:.0}")
            });
            shares.join(" / ")
        });
        table += &format!("\n| {contestants} | {} |", cells.join(" | "));
    }
    let page = include_str!("../../../../docs/guide/src/ratings.md");
    assert!(page.contains(&table), "docs/guide/src/ratings.md has other numbers than:\n{table}");
}

#[test]
fn common_luck_of_a_pair_of_games_changes_the_width_and_not_the_truth() {
    for luck in [-0.9, 0.9] {
        for (contestants, elo, pairs) in
            [(2, 0.0, 50), (3, 300.0, 20), (6, 300.0, 5), (12, 300.0, 5), (24, 300.0, 5)]
        {
            let set_up = SetUp { luck, ..SetUp::of(Field::Spread(elo), contestants, pairs) };
            let percent = 100.0 * set_up.compare(|_| contestants / 2).share();
            assert!((93.0..=99.8).contains(&percent), "{luck} {contestants} {elo} {pairs}: {percent}");
        }
    }
}

#[test]
fn intervals_are_as_true_if_seats_decide_games_are_drawn_or_few_bots_meet() {
    let usual = |contestants, elo, pairs| SetUp::of(Field::Spread(elo), contestants, pairs);
    let fields = [usual(2, 200.0, 100), usual(3, 300.0, 20), usual(6, 300.0, 20), usual(12, 600.0, 20)];
    for set_up in fields {
        for changed in [
            SetUp { seat: 300.0, ..set_up.clone() },
            SetUp { seat: 0.0, ..set_up.clone() },
            SetUp { draws: 0.45, ..set_up.clone() },
            SetUp { meetings: Meetings::Gauntlet, ..set_up.clone() },
            SetUp { meetings: Meetings::Ring, ..set_up.clone() },
        ] {
            let percent = 100.0 * changed.compare(|_| changed.strengths.len() / 2).share();
            assert!((93.0..=98.0).contains(&percent), "{changed:?}: {percent}");
        }
    }
}

#[test]
fn the_middle_of_the_table_as_the_anchor_makes_intervals_too_safe_rather_than_too_narrow() {
    for (contestants, elo) in [(2, 0.0), (3, 0.0), (12, 0.0), (12, 300.0), (24, 1_500.0)] {
        let middle = |ratings: &Ratings| ratings.middle(0..contestants).unwrap();
        let percent = 100.0 * SetUp::of(Field::Spread(elo), contestants, 20).compare(middle).share();
        assert!((93.0..=99.8).contains(&percent), "{contestants} {elo}: {percent}");
    }
}

/// The number of simulations behind a figure in the guide. Chosen: 5 % has a standard error of 0.15 %.
const RUNS: u32 = 20_000;

/// Checks that docs/guide/src/ratings.md has a figure, in percent, as it is simulated.
#[track_caller]
fn check_figure(sentence: &str, count: u32, runs: u32) {
    let percent = format!("{:.1} %", 100.0 * f64::from(count) / f64::from(runs));
    let page = include_str!("../../../../docs/guide/src/ratings.md")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let expected = sentence.replace("{}", &percent);
    assert!(page.contains(&expected), "docs/guide/src/ratings.md does not say: {expected}");
}

#[test]
fn one_of_two_equal_bots_seems_stronger_by_luck_as_often_as_the_guide_says() {
    let set_up = SetUp::of(Field::Spread(0.0), 2, 10);
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let likelihood = |_| match set_up.play(&mut random).los(0, 1) {
        Some(Superiority::Likelihood(likelihood)) => likelihood,
        other => panic!("{other:?}"),
    };
    let sure = (0..RUNS).map(likelihood).filter(|los| !(0.05..=0.95).contains(los)).count();
    check_figure(
        "of two equal bots with ten pairs, one or the other has 95 % or more in {} of tables",
        u32::try_from(sure).unwrap(),
        RUNS,
    );
}

#[test]
fn the_los_of_a_sequential_test_with_ten_pairs_is_as_often_sure_by_luck_as_the_guide_says() {
    let set_up = SetUp::of(Field::Spread(0.0), 2, 10);
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let los = |_| {
        let mut pairs = Pentanomial::default();
        (0..set_up.pairs).for_each(|_| pairs.add(set_up.pair(&mut random)));
        pairs.estimate().expect("there are pairs").los
    };
    let sure = (0..RUNS).map(los).filter(|los| !(0.05..=0.95).contains(los)).count();
    check_figure(
        "of two equal bots, it is 95 % or more, or 5 % or less, in {} of tests after ten pairs",
        u32::try_from(sure).unwrap(),
        RUNS,
    );
}

#[test]
fn ten_games_of_two_bots_with_common_luck_are_covered_as_the_guide_says() {
    for luck in [0.9, -0.9] {
        let set_up = SetUp { luck, ..SetUp::of(Field::Spread(0.0), 2, 5) };
        let held = set_up.compare_times(RUNS, |_| 1);
        let sentence = match luck {
            0.9 => "For two bots with ten games, it is {} if the bot is lucky in both games",
            _ => "and {} if the seat is",
        };
        check_figure(sentence, held.held, held.all);
    }
}

/// Plays pairs until a test decides. It is evaluated only when the pairs since the last evaluation could have decided it: one pair
/// changes the ratio by at most as much as the best or the worst one would now, and twice that is safe.
fn decide(test: &Sprt, mut pair: impl FnMut() -> usize) -> Decision {
    let mut pairs = Pentanomial::default();
    loop {
        let llr = test.llr(&pairs);
        let change = [0, 4].map(|half_points| {
            let mut next = pairs;
            next.add(half_points);
            (test.llr(&next) - llr).abs()
        });
        let [lower, upper] = test.bounds();
        let skipped = (llr - lower).min(upper - llr) / (2.0 * change[0].max(change[1]));
        for _ in 0..(skipped.max(0.0) as u32).saturating_sub(1) {
            pairs.add(pair());
        }
        pairs.add(pair());
        match test.decide(&pairs) {
            Decision::Continue => {}
            decided => return decided,
        }
    }
}

#[test]
#[ignore = "takes ten minutes of processor time: run it after a change to the test, with `--ignored`"]
fn tests_of_pairs_with_common_luck_are_wrong_as_often_as_the_guide_says() {
    for (model, elo1, luck, sentence) in [
        (
            EloModel::Logistic,
            10.0,
            0.9,
            "tests of 0 to 10 Elo are wrong in {} of 20,000 simulations if the bot is lucky in both games",
        ),
        (EloModel::Logistic, 10.0, -0.9, "and in {} if the seat is"),
        (EloModel::Normalized, 5.0, 0.9, "tests of 0 to 5 normalised Elo in {}"),
        (EloModel::Normalized, 5.0, -0.9, "normalised Elo in 5.1 % and {}"),
    ] {
        let set_up = SetUp { luck, ..SetUp::of(Field::Spread(0.0), 2, 1) };
        let test = Sprt::new(0.0, elo1, 0.05, 0.05, model).unwrap();
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let is_wrong = |_: &u32| decide(&test, || set_up.pair(&mut random)) == Decision::AcceptH1;
        let wrong = (0..RUNS).filter(is_wrong).count();
        check_figure(sentence, u32::try_from(wrong).unwrap(), RUNS);
    }
}
