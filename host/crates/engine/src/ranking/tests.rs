//! The order of bots in each kind of contest.

use super::*;
use crate::season::tests::ROUND_ROBIN;
use crate::tournament::GameSummary;
use arena_league::{Fixture, KnockoutPlacing, SwissPlacing};
use arena_record::{Disqualified, GameResult};
use arena_referee::FaultClass;
use arena_rules::battleship::FLEET_SUNK;
use arena_rules::{Outcome, Seat};
use std::collections::BTreeMap;

const BOTS: usize = 4;

/// Pairs of games in each of which the first bot wins both.
type Wins<'a> = &'a [[usize; 2]];

/// Bot 0 has met the last one only, and bot 1 has met bot 2 only, which is much stronger. By share of points, bot 0 is first, and by rating
/// bot 1.
const UNEVEN: Wins<'_> = &[
    [0, 3],
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 2],
    [2, 1],
    [2, 3],
    [2, 3],
    [2, 3],
    [2, 3],
    [3, 2],
    [3, 0],
    [0, 3],
    [0, 3],
    [0, 3],
    [0, 3],
    [0, 3],
];

/// Each two have met once.
const EVEN: Wins<'_> = &[[0, 1], [0, 2], [3, 0], [1, 2], [3, 1], [2, 3]];

fn results(wins: Wins<'_>) -> Results {
    let mut results = Results { complete: true, field: (0..BOTS).collect(), ..Results::new(BOTS) };
    let seats = |&[winner, loser]: &[usize; 2]| [[winner, loser], [loser, winner]];
    for (index, (seats, winner)) in
        wins.iter().flat_map(|it| seats(it).map(|seats| (seats, it[0]))).enumerate()
    {
        let result = GameResult {
            outcome: Outcome::Win(Seat::BOTH[usize::from(seats[1] == winner)]),
            reason: FLEET_SUNK,
            scores: None,
            turns: [17; 2],
            fuel: [1; 2],
            faults: BTreeMap::new(),
            reproducible: true,
        };
        let fixture = Fixture { seats, pair: index as u32 / 2, game: index as u32 + 1 };
        let game = GameSummary { number: index + 1, fixture, result: Ok(result), disqualified: [false; 2] };
        results.count(game, Vec::new(), false);
    }
    results
}

fn knockout(order: &[usize]) -> Option<Placings> {
    let places = (1..).zip(order).map(|(place, &contestant)| KnockoutPlacing {
        place,
        contestant,
        knocked_out_in: Some(1),
    });
    Some(Placings::Knockout { places: places.collect(), matches: Vec::new() })
}

fn swiss(order: &[usize]) -> Option<Placings> {
    let row =
        |(place, &contestant): (u32, &usize)| SwissPlacing { place, contestant, ..SwissPlacing::default() };
    Some(Placings::Swiss((1..).zip(order).map(row).collect()))
}

fn out(contestant: usize) -> Disqualified {
    Disqualified { contestant, after_game: 1, class: FaultClass::Trap, detail: "it fell over".into() }
}

/// Bots with the labels `bot0`, `bot1` and so on.
fn bots(count: usize) -> Vec<BotId> {
    let bot =
        |number| BotId { label: format!("bot{number}").as_str().into(), name: "".into(), sha256: "".into() };
    (0..count).map(bot).collect()
}

#[track_caller]
fn check(format: Format, results: &Results, expected: [usize; BOTS]) {
    let settings = Settings { format, games_per_match: 2, ..ROUND_ROBIN };
    let bots = bots(BOTS);
    let ranking = Ranking::new(&settings, &bots, results);
    assert_eq!(ranking.order(), expected);
    let rows = ranking.rows();
    assert_eq!(rows.iter().map(|row| row.score.contestant).collect::<Vec<_>>(), expected);
    assert_eq!(rows.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let placed = ranking.placings().map(|placings| match placings {
        Placings::Swiss(places) => places.iter().map(|it| it.contestant).collect::<Vec<_>>(),
        Placings::Knockout { places, .. } => places.iter().map(|it| it.contestant).collect(),
    });
    if let Some(placed) = placed {
        assert!(placed.iter().eq(expected.iter().filter(|bot| placed.contains(bot))), "{placed:?}");
    }
    // A view that does not rate again yet has the same order.
    let later = Ranking::with_ratings(&settings, &bots, results, ranking.ratings.clone());
    assert_eq!(later.order(), expected);
}

#[test]
fn bots_that_have_all_met_equally_often_are_in_the_order_of_their_points() {
    check(Format::RoundRobin, &results(EVEN), [0, 3, 1, 2]);
}

#[test]
fn bots_that_have_met_others_are_in_the_order_of_their_ratings() {
    for format in
        [Format::RoundRobin, Format::Gauntlet { challengers: 1 }, Format::Neighbours { neighbours: 1 }]
    {
        check(format, &results(UNEVEN), [1, 0, 2, 3]);
    }
    let running = Results { complete: false, ..results(UNEVEN) };
    check(Format::RoundRobin, &running, [1, 0, 2, 3]);
}

#[test]
fn a_format_with_places_has_the_order_of_its_places() {
    let placed = |placings| Results { placings, ..results(UNEVEN) };
    check(Format::Knockout, &placed(knockout(&[2, 3, 0, 1])), [2, 3, 0, 1]);
    check(Format::Swiss { rounds: 2 }, &placed(swiss(&[3, 1, 2, 0])), [3, 1, 2, 0]);
    check(Format::Knockout, &placed(knockout(&[2, 3])), [2, 3, 0, 1]);
}

#[test]
fn disqualified_bots_come_last_in_each_format() {
    let out = |of: Results, bot| Results { disqualified: vec![out(bot)], ..of };
    check(Format::RoundRobin, &out(results(EVEN), 3), [0, 1, 2, 3]);
    check(Format::RoundRobin, &out(results(UNEVEN), 1), [0, 2, 3, 1]);
    let placed = Results { placings: knockout(&[2, 3, 0, 1]), ..results(UNEVEN) };
    check(Format::Knockout, &out(placed, 2), [3, 0, 1, 2]);
}

#[test]
fn without_games_bots_are_in_the_order_in_which_they_were_named() {
    check(Format::Gauntlet { challengers: 1 }, &results(&[]), [0, 1, 2, 3]);
}

#[test]
fn an_interval_is_one_number_unless_its_sides_differ_much() {
    let cells = |low: f64, high: f64| {
        Rating { elo: Some(100.0), low: Some(low), high: Some(high) }.cells()[1].clone()
    };
    assert_eq!(cells(90.0, 110.0), "10");
    assert_eq!(cells(90.0, 112.5), "12");
    assert_eq!(cells(90.0, 113.0), "+13 -10");
    assert_eq!(cells(99.0, 101.9), "2");
    assert_eq!(cells(100.0, 100.0), "");
}

/// The results with one more game between these bots.
fn with_game(mut results: Results, seats: [usize; 2], outcome: Outcome) -> Results {
    let number = results.games.len() + 1;
    let mut game = self::results(&[seats]).games.swap_remove(0);
    game.number = number;
    game.fixture.pair = number as u32;
    game.result = game.result.map(|result| GameResult { outcome, ..result });
    results.count(game, Vec::new(), false);
    results
}

#[test]
fn of_bots_with_the_same_share_of_points_the_one_with_more_wins_comes_first() {
    let [won, lost, drawn] = [Outcome::Win(Seat::First), Outcome::Win(Seat::Second), Outcome::Draw];
    // Each two have met twice. Bot 0 has drawn all, and the others have won and lost as often.
    let games = [
        ([0, 1], drawn),
        ([0, 1], drawn),
        ([0, 2], drawn),
        ([0, 2], drawn),
        ([0, 3], drawn),
        ([0, 3], drawn),
        ([1, 2], won),
        ([1, 2], lost),
        ([1, 3], drawn),
        ([1, 3], drawn),
        ([2, 3], won),
        ([2, 3], lost),
    ];
    let all = games.into_iter().fold(results(&[]), |all, (seats, outcome)| with_game(all, seats, outcome));
    check(Format::RoundRobin, &all, [2, 1, 3, 0]);
    // A no contest is no game for the share of points.
    let no_contest = with_game(all, [2, 2], Outcome::NoContest);
    assert_eq!(by_points(&no_contest), [2, 1, 3, 0]);
}

#[test]
fn the_first_seat_has_an_advantage_once_games_determine_it() {
    let (settings, bots) = (ROUND_ROBIN, bots(BOTS));
    let advantage = |results: &Results| Ranking::new(&settings, &bots, results).first_seat();
    assert_eq!(advantage(&results(&[])), None);
    // In each pair, the same bot wins from both seats.
    let even = advantage(&results(EVEN)).expect("there are games");
    assert!(even.elo.expect("it is known").abs() < 1.0, "{even:?}");
    let won_by_first =
        (0..40).fold(results(EVEN), |results, _| with_game(results, [0, 1], Outcome::Win(Seat::First)));
    let of_first = advantage(&won_by_first).expect("there are games");
    assert!(of_first.elo.expect("it is known") > 50.0, "{of_first:?}");
}

#[test]
fn ratings_are_differences_to_the_anchor_and_the_notes_name_it() {
    let settings = Settings { games_per_match: 2, ..ROUND_ROBIN };
    let bots = bots(BOTS + 1);
    let of = |results: &Results, anchor: Option<usize>| {
        let ranking = Ranking::new(&settings, &bots, results).with_anchor(anchor);
        let elo: Vec<Option<f64>> = (0..BOTS).map(|bot| ranking.rating(bot).elo).collect();
        (ranking.anchors.clone(), elo, ranking.notes())
    };
    let mut results = results(UNEVEN);
    results.sums.rated.grow(BOTS + 1);
    results.standings.grow(BOTS + 1);
    let (_, by_2, _) = of(&results, Some(2));
    let (_, by_0, notes) = of(&results, Some(0));
    assert_eq!((by_2[2], by_0[0]), (Some(0.0), Some(0.0)));
    for bot in 0..BOTS {
        let shift = by_0[bot].unwrap() - by_2[bot].unwrap();
        assert!((shift - by_0[2].unwrap()).abs() < 0.25, "{bot}: {shift}");
    }
    let note = |bot: usize| format!("elo is the difference to bot{bot}; ± is of that difference, 95 %");
    assert_eq!(notes, [note(0), "no longer play: bot4".to_owned()]);
    // The anchor of the season, unless another one is chosen that has a rating.
    results.anchor = Some(3);
    results.field.push(BOTS);
    assert_eq!(of(&results, None).2, [note(3)]);
    assert_eq!(of(&results, Some(1)).2, [note(1)]);
    let unrated = "bot4 has no rating, so it is not the anchor".to_owned();
    assert_eq!(of(&results, Some(BOTS)).2[0], unrated);
    results.disqualified.push(out(3));
    let (anchors, elo, _) = of(&results, None);
    assert!(anchors.iter().all(|anchor| *anchor != Some(3)));
    assert_eq!(elo[3], None, "a disqualified bot has no rating");
    let ranking = Ranking::new(&settings, &bots, &results);
    let rated = ranking.by_rating().iter().map(|bot| bot.label.to_string()).collect::<Vec<_>>();
    assert_eq!(rated, ["bot1", "bot0", "bot2"]);
    assert_eq!((ranking.los(1, 3), ranking.los(3, 1)), (None, None));
}

#[test]
fn figures_are_rounded_and_a_likelihood_is_left_out_while_it_is_too_early() {
    let likelihoods = [Some(Superiority::Likelihood(0.123_46)), Some(Superiority::TooEarly), None].map(known);
    assert_eq!(likelihoods, [Some(0.123), None, None]);
    assert_eq!([1.25, -1.24, 0.0].map(tenths), [1.3, -1.2, 0.0]);
    assert!(tenths(-0.04).is_sign_positive());
    let range = |low, high| Rating { elo: None, low, high };
    assert_eq!(range(Some(1.0), Some(2.0)).about(), Some(1.0));
    assert_eq!([range(None, Some(2.0)).about(), range(None, None).about()], [Some(2.0), None]);
    assert_eq!([range(None, Some(2.0)).is_unknown(), range(None, None).is_unknown()], [false, true]);
}

#[test]
fn by_score_bots_are_in_the_order_of_the_mean_that_the_game_gives() {
    let mut results = results(EVEN);
    for (index, &[winner, loser]) in EVEN.iter().enumerate() {
        // The more the later, and most for bot 1, which loses two of three.
        let of = |bot: usize| if bot == 1 { 10 } else { bot as i64 };
        results.sums.scores.add([winner, loser], index as u32, [of(winner), of(loser)]);
    }
    results.disqualified = vec![out(2)];
    let settings = Settings { games_per_match: 2, ..ROUND_ROBIN };
    let bots = vec![BotId { label: "bot".into(), name: "".into(), sha256: "".into() }; BOTS];
    let ranking = Ranking::new(&settings, &bots, &results).by(OrderBy::Score);
    assert_eq!(ranking.order(), [1, 3, 0, 2], "a disqualified bot stands last");
    let best = ranking.rows()[0].mean_score.unwrap();
    assert_eq!((best.mean, best.error), (10.0, Some(0.0)));
}

#[test]
fn bots_are_tied_if_only_the_order_of_their_names_decides() {
    let settings = &Settings { games_per_match: 2, ..ROUND_ROBIN };
    let bots = bots(BOTS);
    // All have met: 0 and 3 have won two matches each, and 1 and 2 one.
    let even = results(EVEN);
    let tied = |results: &Results, two: [usize; 2]| Ranking::new(settings, &bots, results).ties(&two)[1];
    assert_eq!([[0, 3], [1, 2], [0, 1], [0, 2]].map(|two| tied(&even, two)), [true, true, false, false]);
    let uneven = results(UNEVEN);
    assert!(!tied(&uneven, [1, 2]));
    let mut placed = results(EVEN);
    placed.placings = knockout(&[0, 3, 1, 2]);
    assert!(!tied(&placed, [0, 3]), "a champion shares its place with no one, whatever the games");
    if let Some(Placings::Knockout { places, .. }) = &mut placed.placings {
        places[3].place = 3;
    }
    assert!(tied(&placed, [1, 2]), "the losers of the semi-finals");
    let placed = Results { placings: swiss(&[0, 3, 1, 2]), ..results(EVEN) };
    assert!(!tied(&placed, [0, 3]));
    let disqualified = Results { disqualified: vec![out(2)], ..results(EVEN) };
    assert!(!tied(&disqualified, [1, 2]));
    assert!(!tied(&Results::new(BOTS), [0, 1]), "bots that have played nothing are not tied");
}
