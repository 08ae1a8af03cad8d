//! Laws of every tournament, for any results.

mod knockout;
mod swiss;

use arena_league::{
    Fixture, Format, GameScore, Placings, Planned, Round, Schedule, Score, Side, match_games,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Outcome = Option<GameScore>;

/// A complete tournament.
#[derive(Debug, PartialEq)]
struct Played {
    rounds: Vec<Round>,
    results: Vec<(Fixture, Outcome)>,
    /// The number of games planned before and after each round.
    planned: Vec<Planned>,
    rounds_planned: u32,
    placings: Option<Placings>,
}

/// Plays a tournament in which the games have these results, in order and cyclically.
fn play(format: Format, contestants: usize, games_per_match: u32, outcomes: &[Outcome]) -> Played {
    let mut schedule = Schedule::new(format, contestants, games_per_match).unwrap();
    let mut outcomes = outcomes.iter().copied().cycle();
    let (mut rounds, mut results, mut planned) = (Vec::new(), Vec::new(), vec![schedule.games_planned()]);
    while let Some(round) = schedule.next_round() {
        planned.push(schedule.games_planned());
        for (fixture, outcome) in round.fixtures.iter().zip(&mut outcomes) {
            schedule.record(fixture, outcome);
            results.push((fixture, outcome));
        }
        planned.push(schedule.games_planned());
        rounds.push(round);
        assert!(results.len() < 100_000, "the tournament does not end");
    }
    let (rounds_planned, placings) = (schedule.rounds(), schedule.placings());
    Played { rounds, results, planned, rounds_planned, placings }
}

fn any_game() -> impl Strategy<Value = GameScore> {
    let score = prop_oneof![
        3 => Just(Score::Win(Side::First)),
        3 => Just(Score::Win(Side::Second)),
        1 => Just(Score::Draw),
        1 => Just(Score::NoContest),
    ];
    (score, [0u32..2, 0..2], [1u32..4, 1..4]).prop_map(|(score, faults, turns)| GameScore {
        score,
        faults,
        turns,
    })
}

/// Results of games: a single one for all games, such as a draw or a failure, or many.
fn any_outcomes() -> impl Strategy<Value = Vec<Outcome>> {
    let mostly = |share: f64| prop::collection::vec(prop::option::weighted(share, any_game()), 1..60);
    let always = |score| Just(vec![Some(GameScore { score, faults: [0, 0], turns: [40, 39] })]);
    prop_oneof![
        4 => prop::collection::vec(any_game().prop_map(Some), 1..60),
        2 => mostly(0.9),
        2 => mostly(0.1),
        1 => Just(vec![None]),
        1 => always(Score::Draw),
        1 => always(Score::NoContest),
        // Seat 1 always wins: copies of one program.
        1 => always(Score::Win(Side::First)),
    ]
}

fn any_format() -> impl Strategy<Value = (Format, usize)> {
    let gauntlet = (1u32..5, 1usize..6)
        .prop_map(|(challengers, others)| (Format::Gauntlet { challengers }, challengers as usize + others));
    prop_oneof![
        1 => (2usize..9).prop_map(|contestants| (Format::RoundRobin, contestants)),
        1 => gauntlet,
        1 => (1_u32..5, 2_usize..9)
            .prop_map(|(neighbours, contestants)| (Format::Neighbours { neighbours }, contestants)),
        2 => any_format_of_rounds(),
    ]
}

/// A format in which results decide the pairings.
fn any_format_of_rounds() -> impl Strategy<Value = (Format, usize)> {
    prop_oneof![
        (1u32..10, 2usize..10).prop_map(|(rounds, contestants)| (Format::Swiss { rounds }, contestants)),
        (2usize..20).prop_map(|contestants| (Format::Knockout, contestants)),
    ]
}

/// The pairings of a round.
fn matches(round: &Round) -> BTreeSet<[usize; 2]> {
    round.fixtures.iter().map(|fixture| fixture.contestants()).collect()
}

proptest! {
    #[test]
    fn the_same_results_give_the_same_tournament(
        (format, contestants) in any_format(), pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        let played = play(format, contestants, 2 * pairs, &outcomes);
        prop_assert_eq!(&played, &play(format, contestants, 2 * pairs, &outcomes));
        let rounds = played.rounds.iter().filter(|round| round.tie_break == 0).count();
        prop_assert_eq!(rounds as u32, played.rounds_planned);
    }

    #[test]
    fn games_of_the_same_two_are_numbered_without_gaps_and_swap_seats_in_each_pair(
        (format, contestants) in any_format(), pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        let mut games: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        for (fixture, _) in play(format, contestants, 2 * pairs, &outcomes).results {
            let [first, second] = fixture.contestants();
            prop_assert!(first < second && second < contestants);
            let before = games.entry([first, second]).or_default();
            let seats = if before.is_multiple_of(2) { [first, second] } else { [second, first] };
            prop_assert_eq!(fixture, Fixture { seats, pair: *before / 2, game: *before + 1 });
            *before += 1;
        }
        prop_assert!(games.values().all(|games| games % 2 == 0));
    }

    #[test]
    fn each_contestant_plays_one_match_in_a_round_if_results_decide_the_pairings(
        (format, contestants) in any_format_of_rounds(), pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        for round in play(format, contestants, 2 * pairs, &outcomes).rounds {
            let mut busy: Vec<_> = matches(&round).into_iter().flatten().chain(round.byes).collect();
            let all = busy.len();
            busy.sort_unstable();
            busy.dedup();
            prop_assert_eq!(busy.len(), all);
        }
    }

    #[test]
    fn the_bounds_of_the_number_of_games_close_in_on_the_games_played(
        (format, contestants) in any_format(), pairs in 1u32..4, outcomes in any_outcomes(),
    ) {
        let played = play(format, contestants, 2 * pairs, &outcomes);
        for two in played.planned.windows(2) {
            prop_assert!(two[0].at_least <= two[1].at_least && two[1].at_most <= two[0].at_most, "{:?}", two);
        }
        prop_assert_eq!(played.planned.last().unwrap().exact(), Some(played.results.len() as u64));
        if format != Format::Knockout {
            prop_assert!(played.planned[0].exact().is_some());
        }
    }

    #[test]
    fn a_round_robin_is_one_round_of_all_matches_pair_by_pair(
        contestants in 2usize..12, games in 1u32..9,
    ) {
        let played = play(Format::RoundRobin, contestants, games, &[None]);
        prop_assert_eq!(played.rounds.len(), 1);
        let order = |fixture: &Fixture| (fixture.pair, fixture.contestants(), fixture.game);
        let mut fixtures: Vec<_> = (0..contestants)
            .flat_map(|first| (first + 1..contestants).flat_map(move |second| match_games(first, second, games)))
            .collect();
        fixtures.sort_by_key(order);
        let mut scheduled = played.rounds[0].fixtures.iter().collect::<Vec<_>>();
        prop_assert!(scheduled.is_sorted_by_key(|fixture| fixture.pair));
        scheduled.sort_by_key(order);
        prop_assert_eq!(scheduled, fixtures);
    }

    #[test]
    fn in_a_gauntlet_each_challenger_meets_every_other_contestant_and_no_challenger(
        challengers in 1usize..6, others in 1usize..7, games in 1u32..5,
    ) {
        let played = play(Format::Gauntlet { challengers: challengers as u32 }, challengers + others, games, &[None]);
        prop_assert_eq!(played.rounds.len(), 1);
        let mut met = BTreeMap::new();
        for fixture in played.rounds[0].fixtures.iter() {
            let [challenger, other] = fixture.contestants();
            prop_assert!(challenger < challengers && other >= challengers);
            *met.entry([challenger, other]).or_insert(0) += 1;
        }
        prop_assert_eq!(met.len(), challengers * others);
        prop_assert!(met.values().all(|&played| played == games));
    }

    #[test]
    fn if_a_game_of_a_pair_has_no_result_the_other_changes_nothing(
        swiss in any::<bool>(), contestants in 2usize..9,
        outcomes in prop::collection::vec([prop::option::of(any_game()), prop::option::of(any_game())], 1..20),
        others in prop::collection::vec(any_game(), 40),
    ) {
        let format = if swiss { Format::Swiss { rounds: 5 } } else { Format::Knockout };
        // Pairs in the list are pairs of games, because each match consists of complete pairs.
        let changed: Vec<_> = outcomes.iter().zip(others).flat_map(|(pair, other)| match pair {
            [Some(_), None] => [Some(other), None],
            [None, Some(_)] => [None, Some(other)],
            whole => *whole,
        }).collect();
        let played = play(format, contestants, 4, &outcomes.concat());
        let after = play(format, contestants, 4, &changed);
        prop_assert_eq!((played.rounds, played.placings), (after.rounds, after.placings));
    }
}
