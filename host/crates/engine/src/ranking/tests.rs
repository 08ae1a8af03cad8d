//! The order of bots in each kind of contest.

use super::*;
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

#[track_caller]
fn check(format: Format, results: &Results, expected: [usize; BOTS]) {
    let settings = Settings {
        format,
        games_per_match: 2,
        max_faults: None,
        resting: 0,
        games_before: 0,
        full_round: None,
    };
    let bot = |number: usize| BotId {
        label: format!("bot{number}").as_str().into(),
        name: "".into(),
        sha256: "".into(),
    };
    let bots: Vec<_> = (0..BOTS).map(bot).collect();
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
