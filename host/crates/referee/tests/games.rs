//! Games of both kinds between scripted players, and the referee's reports.

mod scripted;

use arena_referee::{
    Attempts, End, Event, Fault, FaultClass, GamePlan, HostError, OVERRUNS_BY_CLOCK_MAX, Player,
    RandomPlayer, Solo, Stopped, Verdict, play_game, play_solo,
};
use arena_rules::battleship::{
    Action, BOTH_SKIPPED, Battleship, FLEET_SUNK, FleetSpec, Invalid, OnOverrun, OnSkip, Placing, Ruleset,
    Ship, scatter,
};
use arena_rules::submarine::Submarine;
use arena_rules::{Coord, Game, Outcome, Reason, Rules as _, Seat, random};
use scripted::Act::{Answers, Fails, Faults, Leaves, SeesItsOpponentGone};
use scripted::{FUEL_PER_CALL, Scripted, ScriptedGame, acting, always, deploying, honest};

const FUEL_PER_TURN: u64 = 10_000;

/// A game that was played.
struct Played<G: Game> {
    end: Result<End, Stopped>,
    events: Vec<Event<G>>,
}

impl<G: Game> Played<G> {
    /// The faults, with their consequences and turns.
    fn faults(&self) -> Vec<(FaultClass, Verdict, u32)> {
        let fault = |event: &Event<G>| match event {
            Event::Faulted { fault, verdict, turn, .. } => Some((fault.class, *verdict, *turn)),
            _ => None,
        };
        self.events.iter().filter_map(fault).collect()
    }

    /// The description of the first fault.
    fn detail(&self) -> &str {
        let mut faults = self.events.iter().filter_map(|event| match event {
            Event::Faulted { fault, .. } => Some(fault),
            _ => None,
        });
        &faults.next().expect("there is a fault").detail
    }
}

/// Plays a game by some rules. A turn that the watchdog stops is scored if `scores_clock`.
fn play_by<G: ScriptedGame>(
    rules: &G::Rules,
    scores_clock: bool,
    players: [&mut dyn Player<G>; 2],
) -> Played<G> {
    let plan = GamePlan {
        rules,
        fuel_per_turn: FUEL_PER_TURN,
        side_seeds: [1, 2],
        fleet_seed: 3,
        starter: Seat::First,
        score_wall_clock: scores_clock,
    };
    let mut events = Vec::new();
    let end = play_game(&plan, players, &mut |event| events.push(event));
    Played { end, events }
}

/// Plays a game by the default rules.
fn play<G: ScriptedGame>([first, second]: [&mut Scripted<G>; 2]) -> Played<G> {
    play_by(&G::default_rules(), false, [first, second])
}

/// Plays a game of Battleship by rules that differ from `guide` by a change.
fn play_with(
    change: impl Fn(&mut Ruleset),
    [first, second]: [&mut Scripted<Battleship>; 2],
) -> Played<Battleship> {
    let mut rules = Ruleset::guide();
    change(&mut rules);
    play_by(&rules, false, [first, second])
}

const SECOND_WINS: Result<End, Stopped> = Ok((Outcome::Win(Seat::Second), Reason::Forfeit));

/// Makes a test for each game of a function that is generic over the game.
macro_rules! for_both_games {
    ($($test:ident,)*) => {
        mod battleship { $(#[test] fn $test() { super::$test::<super::Battleship>(); })* }
        mod submarine { $(#[test] fn $test() { super::$test::<super::Submarine>(); })* }
    };
}

for_both_games! {
    a_game_is_two_deployments_then_turns_in_turn_then_its_end,
    every_fault_but_an_overrun_loses_at_once,
    an_action_that_the_rules_do_not_forgive_loses_at_once,
    a_bad_or_late_deployment_loses_before_the_first_turn,
    two_bad_deployments_are_no_contest,
    a_failure_of_the_arena_is_neither_a_result_nor_a_fault,
    a_game_that_a_person_leaves_has_no_result,
    a_side_that_goes_away_in_the_turn_of_the_other_loses_at_its_next_turn_number,
    a_turn_that_the_watchdog_stopped_is_no_result_unless_it_is_scored,
    both_sides_hear_of_each_turn_and_of_the_end,
    players_that_are_built_in_play_to_the_end_without_a_fault_and_the_same_for_the_same_seed,
}

fn a_game_is_two_deployments_then_turns_in_turn_then_its_end<G: ScriptedGame>() {
    let Played { end, events } = play::<G>([&mut honest(), &mut honest()]);
    let (outcome, reason) = end.unwrap();
    let [first, second, turns @ .., last] = &events[..] else { panic!("{events:?}") };
    for (event, expected) in [first, second].into_iter().zip(Seat::BOTH) {
        let Event::Placed { seat, fuel, .. } = event else { panic!("{event:?}") };
        assert_eq!((*seat, *fuel), (expected, Some(FUEL_PER_CALL)));
    }
    for (index, event) in turns.iter().enumerate() {
        let Event::Acted { seat, turn, fuel, attempts: None, .. } = event else { panic!("{event:?}") };
        assert_eq!((seat.index(), *turn as usize, *fuel), (index % 2, index / 2 + 1, FUEL_PER_CALL));
    }
    let Event::Ended { scores, .. } = *last else { panic!("{last:?}") };
    assert_eq!(*last, Event::Ended { outcome, reason, scores, reproducible: true });
    assert_eq!(scores.is_some(), G::default_rules().score_range().is_some());
}

fn every_fault_but_an_overrun_loses_at_once<G: ScriptedGame>() {
    use FaultClass::{BadResult, Disconnected, InitError, OutOfMemory, Resigned, StackOverflow, Trap};
    for class in [BadResult, Disconnected, InitError, OutOfMemory, Resigned, StackOverflow, Trap] {
        let played = play::<G>([&mut acting(&[Faults(class)]), &mut honest()]);
        assert_eq!(played.end, SECOND_WINS, "{class}");
        assert_eq!(played.faults(), [(class, Verdict::Loses, 1)], "{class}");
    }
}

fn an_action_that_the_rules_do_not_forgive_loses_at_once<G: ScriptedGame>() {
    let (rules, action, complaint) = G::unforgiven();
    let played = play_by::<G>(&rules, false, [&mut acting(&[Answers(action)]), &mut honest()]);
    assert_eq!(played.end, SECOND_WINS);
    assert_eq!(played.faults(), [(FaultClass::IllegalAction, Verdict::Loses, 1)]);
    assert_eq!(played.detail(), complaint);
}

fn a_bad_or_late_deployment_loses_before_the_first_turn<G: ScriptedGame>() {
    let late = [FaultClass::OutOfFuel, FaultClass::Trap].map(Err);
    for deployment in G::bad_deployments().into_iter().map(Ok).chain(late) {
        let played = play::<G>([&mut deploying(deployment), &mut honest()]);
        assert_eq!(played.end, Ok((Outcome::Win(Seat::Second), Reason::BadDeploy)));
        assert!(matches!(played.faults()[..], [(_, Verdict::NotPlaced, 0)]));
        assert_eq!(played.events.len(), 3, "a fault, the other side's deployment, the end");
    }
}

fn two_bad_deployments_are_no_contest<G: ScriptedGame>() {
    let bad = G::bad_deployments().swap_remove(0);
    let played = play::<G>([&mut deploying(Ok(bad)), &mut deploying(Err(FaultClass::Trap))]);
    assert_eq!(played.end, Ok((Outcome::NoContest, Reason::BothBadDeploy)));
    let expected = [FaultClass::BadDeploy, FaultClass::Trap].map(|class| (class, Verdict::NotPlaced, 0));
    assert_eq!(played.faults(), expected);
}

fn a_failure_of_the_arena_is_neither_a_result_nor_a_fault<G: ScriptedGame>() {
    let failure = HostError::Machine("no memory for it".into());
    let played = play::<G>([&mut acting(&[Fails(failure.clone())]), &mut honest()]);
    assert_eq!(played.end, Err(Stopped::Host(failure)));
    assert_eq!(played.faults(), []);
}

fn a_game_that_a_person_leaves_has_no_result<G: ScriptedGame>() {
    let played = play::<G>([&mut honest(), &mut acting(&[Leaves])]);
    assert_eq!(played.end, Err(Stopped::Left));
    assert_eq!(played.faults(), []);
}

fn a_side_that_goes_away_in_the_turn_of_the_other_loses_at_its_next_turn_number<G: ScriptedGame>() {
    let (mut first, mut second) = (honest(), acting(&[SeesItsOpponentGone]));
    let played = play::<G>([&mut first, &mut second]);
    assert_eq!(played.end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
    assert_eq!(played.faults(), [(FaultClass::Disconnected, Verdict::Loses, 2)]);
    assert_eq!(played.events.iter().rev().nth(1).and_then(Event::seat), Some(Seat::First));
    assert_eq!(second.heard, ["theirs", "they acted", "mine", "they faulted", "Win(Second)"]);
}

fn a_turn_that_the_watchdog_stopped_is_no_result_unless_it_is_scored<G: ScriptedGame>() {
    let stalled = || acting::<G>(&[Faults(FaultClass::WallClock)]);
    let played = play([&mut stalled(), &mut honest()]);
    assert!(matches!(played.end, Err(Stopped::WallClock { seat: Seat::First, .. })));

    let played = play_by(&G::default_rules(), true, [&mut stalled(), &mut honest()]);
    assert!(played.end.is_ok());
    assert_eq!(played.faults().len(), 1);
    assert!(matches!(played.events.last(), Some(Event::Ended { reproducible: false, .. })));
}

fn both_sides_hear_of_each_turn_and_of_the_end<G: ScriptedGame>() {
    let (mut first, mut second) = (honest(), acting(&[Faults(FaultClass::Trap)]));
    play::<G>([&mut first, &mut second]).end.unwrap();
    assert_eq!(first.heard, ["mine", "I acted", "theirs", "they faulted", "Win(First)"]);
    assert_eq!(second.heard, ["theirs", "they acted", "mine", "I faulted", "Win(First)"]);
}

#[test]
fn an_overrun_loses_a_game_of_submarine() {
    let played = play::<Submarine>([&mut acting(&[Faults(FaultClass::OutOfFuel)]), &mut honest()]);
    assert_eq!(played.end, SECOND_WINS);
    assert_eq!(played.faults(), [(FaultClass::OutOfFuel, Verdict::Loses, 1)]);
}

fn shot(row: u8, column: u8) -> Action {
    Action::Shot(Coord::new(row, column))
}

#[test]
fn a_spot_that_is_not_valid_is_asked_for_again_within_the_turn_and_its_budget() {
    let mut eager = acting(&[Answers(shot(200, 200)), Answers(shot(10, 0))]);
    let played = play::<Battleship>([&mut eager, &mut honest()]);
    let Event::Acted { turn: 1, action, attempts, fuel, .. } = &played.events[2] else { panic!() };
    assert_eq!((*action, *fuel), (shot(0, 0), 3 * FUEL_PER_CALL));
    let expected = Attempts { invalid: 2, first: shot(200, 200), why: Invalid::OffBoard };
    assert_eq!(*attempts, Some(expected));
    // Each attempt is charged a thousandth of the budget, although it used less.
    assert_eq!(eager.fuels[..3], [FUEL_PER_TURN, FUEL_PER_TURN - 10, FUEL_PER_TURN - 20]);
    assert_eq!(eager.turns, 1 + eager.calls - 2, "the deployment, and a turn for every call but the retries");
}

#[test]
fn a_bot_that_always_answers_invalid_spots_has_a_thousand_attempts_a_turn_and_loses_only_its_turns() {
    let mut stubborn = always(Answers(shot(200, 200)));
    let played = play::<Battleship>([&mut stubborn, &mut honest()]);
    assert_eq!(played.end, Ok((Outcome::Win(Seat::Second), FLEET_SUNK)));
    let turns = played.faults().len();
    assert_eq!(stubborn.calls, turns * 1_000);
    assert_eq!(stubborn.restarts, turns);
    let Event::Faulted { fault, attempts: Some(attempts), .. } = &played.events[2] else { panic!() };
    assert_eq!((fault.class, attempts.invalid), (FaultClass::OutOfFuel, 1_000));
    assert_eq!(
        fault.detail,
        "after 1000 invalid attempts (the first: the cell (200, 200) is off the board): no valid action within the \
         turn's budget of 10000 fuel"
    );
}

#[test]
fn a_fault_after_an_invalid_spot_mentions_it() {
    let mut faulty = acting(&[Answers(shot(200, 200)), Faults(FaultClass::Trap)]);
    let played = play::<Battleship>([&mut faulty, &mut honest()]);
    assert_eq!(
        played.detail(),
        "after an invalid attempt (the cell (200, 200) is off the board): as scripted"
    );
}

fn players_that_are_built_in_play_to_the_end_without_a_fault_and_the_same_for_the_same_seed<
    G: ScriptedGame,
>() {
    let rules = G::default_rules();
    let played = |seed| {
        let mut players = [RandomPlayer::<G>::new(&rules, seed), RandomPlayer::new(&rules, seed + 1)];
        let [first, second] = &mut players;
        let Played { end, events } = play_by(&rules, true, [first, second]);
        end.expect("the arena does not fail");
        events
    };
    for seed in 0..20 {
        let events = played(seed);
        assert!(events.iter().all(|event| !matches!(event, Event::Faulted { .. })), "{events:?}");
        assert_eq!(events, played(seed));
        assert_ne!(events, played(seed + 100));
    }
}

#[test]
fn a_bot_that_overran_goes_on_as_a_fresh_instance_with_its_fleet() {
    let mut slow = acting(&[Faults(FaultClass::OutOfFuel)]);
    let played = play::<Battleship>([&mut slow, &mut always(Answers(shot(0, 0)))]);
    assert_eq!(played.faults()[0], (FaultClass::OutOfFuel, Verdict::TurnSkipped, 1));
    assert_eq!(slow.restarts, 1);
    assert_eq!(played.end, Ok((Outcome::Win(Seat::First), FLEET_SUNK)));
}

#[test]
fn two_bots_that_skip_or_overrun_in_a_row_draw() {
    let slow = || always(Faults(FaultClass::OutOfFuel));
    let lazy = || always(Answers(Action::Skip));
    for [mut first, mut second] in [[slow(), slow()], [lazy(), lazy()], [slow(), lazy()]] {
        let played = play::<Battleship>([&mut first, &mut second]);
        assert_eq!(played.end, Ok((Outcome::Draw, BOTH_SKIPPED)));
    }
}

#[test]
fn if_the_rules_say_so_an_overrun_loses_and_so_does_a_skip() {
    let strict = |rules: &mut Ruleset| {
        rules.overrun = OnOverrun::Lose;
        rules.skip = OnSkip::Lose;
    };
    let played = play_with(strict, [&mut always(Faults(FaultClass::OutOfFuel)), &mut honest()]);
    assert_eq!(played.end, SECOND_WINS);
    assert_eq!(played.faults(), [(FaultClass::OutOfFuel, Verdict::Loses, 1)]);
    let played = play_with(strict, [&mut honest(), &mut always(Answers(Action::Skip))]);
    assert_eq!(played.faults(), [(FaultClass::IllegalAction, Verdict::Loses, 1)]);
    assert_eq!(played.detail(), "a skip, where a shot is required");
}

#[test]
fn a_bot_that_the_watchdog_stops_turn_after_turn_loses_and_does_not_hold_up_the_tournament() {
    let mut stalls = always(Faults(FaultClass::WallClock));
    let played = play_by::<Battleship>(&Ruleset::guide(), true, [&mut stalls, &mut honest()]);
    assert_eq!(played.end, SECOND_WINS);
    let faults = played.faults();
    assert_eq!(faults.len() as u32, OVERRUNS_BY_CLOCK_MAX + 1);
    assert!(matches!(faults.last(), Some((FaultClass::WallClock, Verdict::Loses, _))));
}

#[test]
fn if_the_engine_places_no_bot_is_asked_and_the_fleets_come_from_the_seed() {
    let engine = |rules: &mut Ruleset| {
        rules.placing = Placing::Engine;
        rules.fleet = vec![5, 4, 3, 3, 2];
    };
    let never = || deploying::<Battleship>(Err(FaultClass::Trap));
    let played = play_with(engine, [&mut never(), &mut never()]);
    assert!(matches!(played.end, Ok((Outcome::Win(_), FLEET_SUNK))));
    assert!(matches!(&played.events[0], Event::Placed { fuel: None, .. }));
    let again = play_with(engine, [&mut never(), &mut never()]);
    assert_eq!(played.events, again.events);
}

#[test]
fn a_game_alone_counts_the_turns_until_the_fleet_is_sunk() {
    let rules = Ruleset::guide();
    let info = Battleship::info(&rules, FUEL_PER_TURN, 1);
    let fleet = scatter(&FleetSpec::of(&rules), &mut random::seeded(4)).unwrap();
    let cells = fleet.ships().iter().flat_map(Ship::cells);
    let turns = cells.filter_map(|at| rules.size().index(at)).max().unwrap() as u32 + 1;
    let alone = |player: &mut Scripted<Battleship>| {
        let game = Battleship::solo(&rules, [fleet.clone(), fleet.clone()]);
        play_solo(&info, game, FUEL_PER_TURN, player)
    };
    assert_eq!(alone(&mut honest()), Ok(Solo::Cleared { turns, fuel: u64::from(turns) * FUEL_PER_CALL }));
    for answer in [Answers(Action::Skip), Answers(shot(99, 99)), Faults(FaultClass::Trap)] {
        assert!(matches!(alone(&mut acting(&[answer])), Ok(Solo::Failed(_))));
    }
    let repeats = alone(&mut acting(&[Answers(shot(0, 0)), Answers(shot(0, 0))]));
    let words = "turn 2: the cell (0, 0) is already shot at";
    assert_eq!(repeats, Ok(Solo::Failed(Fault::new(FaultClass::IllegalAction, words))));
    assert_eq!(alone(&mut acting(&[Leaves])), Err(Stopped::Left));
}
