//! A small tournament in each form: tables, JSON and CSV.

use super::{Lines, Output, StandingsOutput};
use arena_engine::{BotId, GameSummary, HostError, Ranking, Results, Settings};
use arena_league::{DecidedBy, Fixture, Format, KnockoutMatch, KnockoutPlacing, Placings, SwissPlacing};
use arena_record::{Conditions, Disqualified, FaultCount, GameResult, Limits};
use arena_referee::FaultClass;
use arena_rules::battleship::{FLEET_SUNK, Ruleset};
use arena_rules::{GameRules, Outcome, Reason, Seat};
use std::collections::BTreeMap;

mod authors;
mod games;
mod measured;
mod trial;
mod verified;

const ANN: usize = 0;
const BEN: usize = 1;
const CAT: usize = 2;
const DAN: usize = 3;

fn bots(count: usize) -> Vec<BotId> {
    let label = |bot: usize| {
        ["ann", "ben", "cat", "dan"].get(bot).map_or(format!("bot{bot}"), |label| (*label).into())
    };
    let bot = |bot| BotId {
        label: label(bot).as_str().into(),
        name: format!("name of {bot}").as_str().into(),
        sha256: format!("{bot:064}").into(),
    };
    (0..count).map(bot).collect()
}

/// The settings of a contest in this format.
fn settings(format: Format) -> Settings {
    Settings {
        format,
        games_per_match: 2,
        max_faults: Some(2),
        resting: 0,
        games_before: 0,
        full_round: None,
    }
}

fn conditions() -> Conditions {
    Conditions {
        arena: "0.1.0".into(),
        wasmtime: "1.0.0".into(),
        engine: "engine".into(),
        rules: GameRules::Battleship(Ruleset::guide()),
        limits: Limits { fuel_per_turn: 300_000_000, memory_bytes: 64 << 20 },
        seed: 7.into(),
    }
}

/// A game in which seat 1 wins on the board.
fn won(number: usize, seats: [usize; 2]) -> GameSummary {
    let result = GameResult {
        outcome: Outcome::Win(Seat::First),
        reason: FLEET_SUNK,
        scores: None,
        turns: [30 + number as u32, 29],
        fuel: [1_000, 2_000],
        faults: BTreeMap::new(),
        reproducible: true,
    };
    let fixture = Fixture { seats, pair: 0, game: 1 };
    GameSummary { number, fixture, result: Ok(result), disqualified: [false; 2] }
}

/// The game with this outcome instead.
fn ended(game: GameSummary, outcome: Outcome, reason: Reason) -> GameSummary {
    GameSummary { result: game.result.map(|result| GameResult { outcome, reason, ..result }), ..game }
}

/// The game with faults of seat 2 besides.
fn faulted(mut game: GameSummary, class: FaultClass, count: u32, first_turn: u32) -> GameSummary {
    let fault = FaultCount {
        count,
        first_turn,
        detail: format!("detail of {class}").as_str().into(),
        stack: ["inner", "outer"].map(Into::into).into(),
    };
    if let Ok(result) = &mut game.result {
        result.faults.insert((Seat::Second, class), fault);
    }
    game
}

/// The results of these games between some bots, all of which play on.
fn results(bots: usize, games: impl IntoIterator<Item = GameSummary>) -> Results {
    let mut results = Results { field: (0..bots).collect(), ..Results::new(bots) };
    games.into_iter().for_each(|game| results.count(game, Vec::new(), false));
    results
}

/// A tournament in which ann wins nearly all, dan is disqualified after its second game, ben has left, and a game has no result.
fn tournament() -> Results {
    let forfeit = |game| ended(game, Outcome::Win(Seat::First), Reason::Forfeit);
    let games = [
        won(1, [ANN, BEN]),
        ended(won(2, [BEN, ANN]), Outcome::Draw, Reason::TurnsMax),
        won(3, [CAT, ANN]),
        won(4, [ANN, CAT]),
        faulted(faulted(forfeit(won(5, [ANN, DAN])), FaultClass::Trap, 1, 9), FaultClass::OutOfFuel, 3, 2),
        faulted(forfeit(won(6, [BEN, DAN])), FaultClass::Trap, 1, 0),
        GameSummary { disqualified: [false, true], ..forfeit(won(7, [CAT, DAN])) },
        GameSummary { result: Err(HostError::Defect("no luck".into())), ..won(8, [BEN, CAT]) },
        ended(won(9, [CAT, BEN]), Outcome::NoContest, Reason::BothBadDeploy),
        won(10, [CAT, BEN]),
    ];
    let out = Disqualified {
        contestant: DAN,
        after_game: 6,
        class: FaultClass::Trap,
        detail: "detail of trap".into(),
    };
    let of_games = results(4, games);
    Results { disqualified: vec![out], field: vec![ANN, CAT, DAN], games_planned: 12, ..of_games }
}

/// Checks the text of these results.
#[track_caller]
fn check(name: &str, results: &Results, format: Format, change: impl Fn(&mut StandingsOutput<'_>)) {
    let (settings, bots, conditions) =
        (settings(format), bots(results.standings.contestants()), conditions());
    let mut output = StandingsOutput::new(&conditions, Ranking::new(&settings, &bots, results));
    change(&mut output);
    insta::assert_snapshot!(name, output.text().as_str());
    let placings = &serde_json::to_value(output.json()).unwrap()["placings"];
    if !placings.is_null() {
        insta::assert_snapshot!(format!("{name}_placings"), serde_json::to_string(placings).unwrap());
    }
}

#[test]
fn the_tables_of_a_tournament_say_who_won_what_failed_and_who_is_out() {
    let results = tournament();
    check("standings", &results, Format::RoundRobin, |output| {
        output.locate =
            Some(&|number, [first, second]| format!("games/{number}-{first}-{second}.jsonl").as_str().into());
    });
    check("standings_of_the_top", &results, Format::RoundRobin, |output| output.top = Some(2));
    check("pairings", &results, Format::RoundRobin, |output| output.is_of_pairings = true);
    let even = results_of_even_games();
    check("standings_of_even_games", &even, Format::RoundRobin, |_| ());
}

#[test]
fn one_game_that_was_not_played_was_not() {
    let mut one = tournament();
    one.disqualified[0].contestant = DAN;
    check_contains(&one, "faults in 2 games: 1 of its games was not played and counts as lost last");
    one.games[0].disqualified = [true, false];
    one.disqualified[0].contestant = ANN;
    one.games[1].disqualified = [false, true];
    check_contains(&one, "faults in 2 games: 2 of its games were not played and count as lost last");
}

#[track_caller]
fn check_contains(results: &Results, part: &str) {
    let (settings, bots, conditions) =
        (settings(Format::RoundRobin), bots(results.standings.contestants()), conditions());
    let text = StandingsOutput::new(&conditions, Ranking::new(&settings, &bots, results)).text();
    let words = text.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(part), "{words}");
}

#[test]
fn a_crosstable_has_the_number_of_games_unless_all_have_met_equally_often() {
    let met = |seats: &[[usize; 2]]| results(3, (1..).zip(seats).map(|(number, seats)| won(number, *seats)));
    let once = [[ANN, BEN], [ANN, CAT], [BEN, CAT]];
    check_contains(&met(&once), "1 ann - 1 1 2 ben 0 - 1 3");
    check_contains(
        &met(&[&once[..], &[[BEN, CAT]]].concat()),
        "1 ann - 1 of 1 1 of 1 2 ben 0 of 1 - 2 of 2 3",
    );
}

/// A complete tournament in which each two have met twice.
fn results_of_even_games() -> Results {
    let seats = [[ANN, BEN], [BEN, ANN], [ANN, CAT], [CAT, ANN], [BEN, CAT], [CAT, BEN]];
    let games = (1..).zip(seats).map(|(number, seats)| won(number, seats));
    Results { games_planned: 6, complete: true, ..results(3, games) }
}

#[test]
fn a_crosstable_has_three_to_twelve_bots() {
    for (bots, expected) in [(2, false), (3, true), (12, true), (13, false)] {
        let (results, all, settings, conditions) =
            (results(bots, []), self::bots(bots), settings(Format::RoundRobin), conditions());
        let output = StandingsOutput::new(&conditions, Ranking::new(&settings, &all, &results));
        assert_eq!(output.text().as_str().contains("points against"), expected, "{bots}");
    }
}

#[test]
fn the_documents_of_a_tournament_have_all_that_its_tables_have() {
    let results = tournament();
    let (settings, bots, conditions) = (settings(Format::RoundRobin), bots(4), conditions());
    let mut output = StandingsOutput::new(&conditions, Ranking::new(&settings, &bots, &results));
    output.has_games = true;
    let json = serde_json::to_string_pretty(&output.json()).unwrap();
    insta::assert_snapshot!("json", json);
    let csv: Vec<String> = output.csv().iter().map(|part| part.as_str().to_owned()).collect();
    insta::assert_snapshot!("csv", csv.join("\n"));
    let lines = Lines::new(&bots, 10);
    let mut games: Vec<String> =
        results.games.iter().map(|game| lines.game(game).as_str().to_owned()).collect();
    games.extend(results.disqualified.iter().map(|out| lines.disqualified(out).as_str().to_owned()));
    insta::assert_snapshot!("lines", games.join("\n"));
    let [label, other] = [&bots[0].label, &bots[1].label];
    let served = super::served(7, [label, other], &results.games[0].result);
    assert_eq!(served.as_str(), "7  ann  1 - 0  ben  fleet sunk in turn 31");
}

#[test]
fn a_swiss_has_its_places_and_a_knockout_its_bracket_and_champion() {
    let place = |(place, contestant): (u32, usize)| SwissPlacing {
        place,
        contestant,
        half_points: 9 - 2 * place,
        buchholz_half_points: 7,
        wins: 3 - place,
        byes: u32::from(contestant == CAT),
        games_without_result: 0,
    };
    let swiss = Placings::Swiss((1..).zip([ANN, CAT, BEN, DAN]).take(3).map(place).collect());
    let swiss = Results { placings: Some(swiss), ..tournament() };
    check("swiss", &swiss, Format::Swiss { rounds: 3 }, |_| ());
    let match_of = |round, contestants, winner, half_points, decided_by, tie_break_pairs| KnockoutMatch {
        round,
        contestants,
        half_points,
        tie_break_pairs,
        games_without_result: 0,
        winner,
        decided_by,
    };
    let matches = vec![
        match_of(1, [ANN, DAN], DAN, [1, 3], DecidedBy::Points, 0),
        match_of(1, [BEN, CAT], BEN, [5, 3], DecidedBy::TieBreak, 1),
        match_of(2, [BEN, DAN], DAN, [6, 6], DecidedBy::Seeding, 4),
    ];
    let places = |order: [usize; 4]| {
        (1..)
            .zip(order)
            .map(|(place, contestant)| KnockoutPlacing { place, contestant, knocked_out_in: None })
            .collect()
    };
    let knockout = |order, matches: &[KnockoutMatch]| Results {
        placings: Some(Placings::Knockout { places: places(order), matches: matches.to_vec() }),
        complete: true,
        ..tournament()
    };
    check("knockout", &knockout([BEN, DAN, ANN, CAT], &matches), Format::Knockout, |_| ());
    check("knockout_long", &knockout([DAN, BEN, ANN, CAT], &[matches[1]; 32]), Format::Knockout, |_| ());
    let out = |contestant| Disqualified { contestant, ..tournament().disqualified[0].clone() };
    let disqualified = (0..4).map(out).collect();
    let nobody = Results { disqualified, ..knockout([DAN, BEN, ANN, CAT], &matches) };
    check_contains(&nobody, "champion: dan, which was disqualified");
}
