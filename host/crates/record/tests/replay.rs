//! The events that a replay refuses, because by the rules they do not follow from those before them.

use crate::support;
use arena_record::{Event, Replay, Transcript};
use arena_referee::{Attempts, Fault, FaultClass, Verdict};
use arena_rules::battleship::{
    Action, Battleship, Effect, FLEET_SUNK, Invalid, OnInvalid, OnOverrun, ShotResult,
};
use arena_rules::submarine::{Report, Submarine};
use arena_rules::{Coord, Game, GameRules, Listed, Outcome, Reason, Seat};

/// Replays a game with a change, which must be refused, and returns the event's number and the problem.
fn refusal<G: Listed>(mut played: Transcript<G>, change: impl FnOnce(&mut Vec<Event<G>>)) -> (usize, String) {
    assert!(played.replay().is_ok(), "the game is good without the change");
    change(&mut played.events);
    let error = played.replay().unwrap_err();
    (error.event, error.problem.as_str().to_owned())
}

/// The refusal of a game of Battleship under `guide` with a change.
fn guide(change: impl FnOnce(&mut Vec<Event<Battleship>>)) -> (usize, String) {
    refusal(support::battleship(), change)
}

fn fault<G: Game>(seat: Seat, turn: u32, class: FaultClass, verdict: Verdict) -> Event<G> {
    Event::Faulted { seat, turn, fault: Fault::new(class, "as changed"), verdict, attempts: None }
}

fn shot(row: u8, column: u8) -> Action {
    Action::Shot(Coord::new(row, column))
}

#[test]
fn a_replay_stands_at_each_event() {
    let played = support::submarine();
    let rules = Submarine::rules(&played.header.conditions.rules).unwrap();
    let mut replay = Replay::new(rules, played.header.starter, played.header.fleet_seed);
    let [first, second, turns @ .., end] = &played.events[..] else { panic!() };
    assert!(replay.setup(Seat::First).is_none());
    replay.step(first).unwrap();
    assert!(replay.setup(Seat::First).is_some() && replay.game().is_none());
    replay.step(second).unwrap();
    for turn in turns {
        assert_eq!((replay.to_move(), replay.end()), (turn.seat(), None));
        replay.step(turn).unwrap();
    }
    assert_eq!((replay.to_move(), replay.end()), (None, None), "the end is not recorded yet");
    replay.step(end).unwrap();
    assert_eq!(replay.end(), Some((Outcome::Draw, Reason::TurnsMax)));
    assert_eq!((replay.rules(), replay.end()), (rules, played.end()));
}

#[test]
fn a_wrong_turn_number_is_refused() {
    let (event, problem) = guide(|events| {
        let Event::Acted { turn, .. } = &mut events[4] else { panic!() };
        *turn = 3;
    });
    assert_eq!(event, 5);
    assert_eq!(problem, "the turn is recorded as 3, but by the rules it is 2");
}

#[test]
fn a_turn_of_the_wrong_side_is_refused() {
    let (event, problem) = guide(|events| events.swap(2, 3));
    assert_eq!(event, 3);
    assert_eq!(problem, "the side to move is recorded as seat 2, but by the rules it is seat 1");
}

#[test]
fn a_wrong_effect_is_refused() {
    for altered in 2..6 {
        let (event, problem) = guide(|events| {
            let Event::Acted { effect: Effect::Shot(result), .. } = &mut events[altered] else { panic!() };
            *result = if *result == ShotResult::Miss { ShotResult::Hit } else { ShotResult::Miss };
        });
        assert_eq!(event, altered + 1);
        assert!(problem.starts_with("the effect is recorded as"), "{problem}");
    }
    let (event, _) = refusal(support::submarine(), |events| {
        let [_, _, Event::Acted { effect, .. }, Event::Acted { effect: other, .. }, ..] = &mut events[..]
        else {
            panic!()
        };
        std::mem::swap(effect, other);
        let Report::Attacked { at, .. } = effect else { panic!() };
        *at = Coord::new(4, 4);
    });
    assert_eq!(event, 3);
}

#[test]
fn a_first_attempt_after_which_the_rules_do_not_ask_again_is_refused() {
    let attempts = |first, why| Some(Attempts { invalid: 1, first, why });
    let on_the_board = attempts(shot(5, 5), Invalid::OffBoard);
    let off_the_board = attempts(shot(10, 0), Invalid::OffBoard);
    let acted = |attempted: &Option<Attempts<Battleship>>| {
        let attempted = attempted.clone();
        move |events: &mut Vec<Event<Battleship>>| {
            let Event::Acted { attempts, .. } = &mut events[2] else { panic!() };
            *attempts = attempted;
        }
    };
    let faulted = |attempted: &Option<Attempts<Battleship>>| {
        let attempted = attempted.clone();
        move |events: &mut Vec<Event<Battleship>>| {
            events[2] = fault(Seat::First, 1, FaultClass::Trap, Verdict::Loses);
            let Event::Faulted { attempts, .. } = &mut events[2] else { panic!() };
            *attempts = attempted;
            events.truncate(3);
        }
    };
    for (event, problem) in [guide(acted(&on_the_board)), guide(faulted(&on_the_board))] {
        assert_eq!(event, 3);
        assert!(problem.starts_with("the first attempt is recorded as not valid ("), "{problem}");
    }
    let strict = || support::battleship_with(|rules| rules.off_board = OnInvalid::Lose);
    for (event, _) in [refusal(strict(), acted(&off_the_board)), refusal(strict(), faulted(&off_the_board))] {
        assert_eq!(event, 3);
    }
    let mut played = support::battleship();
    acted(&off_the_board)(&mut played.events);
    assert!(played.replay().is_ok(), "an attempt off the board, for which these rules ask again");
}

#[test]
fn an_event_after_the_end_is_refused() {
    let more = fault(Seat::First, 1, FaultClass::Trap, Verdict::Loses);
    let (event, problem) = guide(|events| events.push(more));
    assert_eq!(event, support::battleship().events.len() + 1);
    assert_eq!(problem, "the game is over already");
    let (_, problem) = guide(|events| events.push(events.last().unwrap().clone()));
    assert_eq!(problem, "the game is over already");
}

#[test]
fn a_verdict_that_the_rules_do_not_have_is_refused() {
    let skipped = |class| fault(Seat::First, 1, class, Verdict::TurnSkipped);
    let strict = support::battleship_with(|rules| rules.overrun = OnOverrun::Lose);
    let (event, problem) = refusal(strict, |events| events[2] = skipped(FaultClass::OutOfFuel));
    assert_eq!((event, problem.as_str()), (3, "the verdict \"turn-skipped\" is not in these rules"));
    let (event, _) = guide(|events| events[2] = skipped(FaultClass::Trap));
    assert_eq!(event, 3, "no rules forgive a trap");
    let (event, _) = guide(|events| events[2] = fault(Seat::First, 1, FaultClass::Trap, Verdict::NotPlaced));
    assert_eq!(event, 3, "a turn is not a deployment");
    let (event, _) = guide(|events| events[0] = fault(Seat::First, 0, FaultClass::Trap, Verdict::Loses));
    assert_eq!(event, 1, "a deployment is not a turn");
}

#[test]
fn a_client_may_go_away_in_the_turn_of_the_other_side_and_only_then() {
    let left = |seat, turn, class| {
        move |events: &mut Vec<Event<Submarine>>| {
            events.truncate(4);
            events.push(fault(seat, turn, class, Verdict::Loses));
            let outcome = Outcome::Win(seat.other());
            events.push(Event::Ended { outcome, reason: Reason::Forfeit, scores: None, reproducible: true });
        }
    };
    // Both have taken one turn, so the first is to move.
    for seat in Seat::BOTH {
        let mut played = support::submarine();
        left(seat, 2, FaultClass::Disconnected)(&mut played.events);
        assert_eq!(played.replay().unwrap().end(), Some((Outcome::Win(seat.other()), Reason::Forfeit)));
    }
    let (event, problem) = refusal(support::submarine(), left(Seat::Second, 3, FaultClass::Disconnected));
    assert_eq!((event, problem.as_str()), (5, "the turn is recorded as 3, but by the rules it is 2"));
    let (event, _) = refusal(support::submarine(), left(Seat::Second, 2, FaultClass::Trap));
    assert_eq!(event, 5, "a fault of another class is an answer in one's turn");
    let (event, problem) = refusal(support::submarine(), |events| {
        let last = events.len() - 1;
        events.insert(last, fault(Seat::Second, 6, FaultClass::Disconnected, Verdict::Loses));
    });
    assert_eq!((event, problem.as_str()), (13, "the game is over, so no side is to move"));
}

#[test]
fn a_wrong_end_is_refused() {
    let ended = |outcome, reason| Event::Ended { outcome, reason, scores: None, reproducible: true };
    let played = support::battleship();
    let last = played.events.len();
    assert_eq!(played.end(), Some((Outcome::Win(Seat::Second), FLEET_SUNK)));
    for wrong in [
        ended(Outcome::Win(Seat::First), FLEET_SUNK),
        ended(Outcome::Win(Seat::Second), Reason::Forfeit),
        ended(Outcome::Draw, Reason::TurnsMax),
    ] {
        let (event, problem) = guide(|events| events[last - 1] = wrong);
        assert_eq!(event, last);
        assert!(problem.starts_with("the end is recorded as"), "{problem}");
    }
    for too_early in [0, 1, 2, 10] {
        let (event, _) = guide(|events| drop(events.drain(too_early..last - 1)));
        assert_eq!(event, too_early + 1);
    }
}

#[test]
fn other_scores_than_those_of_the_game_are_refused() {
    let played = support::battleship();
    let last = played.events.len();
    let Some(Event::Ended { scores: Some(scores), .. }) = played.events.last() else { panic!() };
    assert!(scores[0] == 0 && (1..400).contains(&scores[1]), "{scores:?}");
    for wrong in [None, Some([0, scores[1] + 1]), Some([scores[1], 0])] {
        let (event, problem) = guide(|events| {
            let Some(Event::Ended { scores, .. }) = events.last_mut() else { panic!() };
            *scores = wrong;
        });
        assert_eq!(event, last);
        assert!(problem.starts_with("the score is recorded as"), "{problem}");
    }
    let (_, problem) = refusal(support::submarine(), |events| {
        let Some(Event::Ended { scores, .. }) = events.last_mut() else { panic!() };
        *scores = Some([0, 0]);
    });
    assert_eq!(problem, "the score is recorded as [0,0], but by the rules it is null");
}

#[test]
fn rules_of_another_game_and_rules_that_are_not_playable_are_refused() {
    let mut played = support::battleship();
    played.header.conditions.rules = GameRules::named("submarine").unwrap();
    let error = played.replay().unwrap_err();
    assert_eq!((error.event, error.problem.as_str()), (1, "the header has rules of another game"));
    let unplayable = support::battleship().header.conditions.rules;
    let GameRules::Battleship(mut rules) = unplayable else { panic!() };
    rules.turns_max = 0;
    played.header.conditions.rules = GameRules::Battleship(rules);
    assert_eq!(played.replay().unwrap_err().problem, "turns-max must be at least 1");
}

#[test]
fn a_deployment_twice_is_refused() {
    for at in [2, 6] {
        let (event, problem) = guide(|events| {
            let again = events[..2].to_vec();
            events.splice(at..at, again);
        });
        assert_eq!((event, problem.as_str()), (at + 1, "this side has deployed already"));
    }
    let (event, _) = refusal(support::submarine(), |events| events.insert(1, events[0].clone()));
    assert_eq!(event, 2);
}

#[test]
fn a_turn_before_both_deployments_and_an_illegal_deployment_are_refused() {
    let (event, problem) = guide(|events| drop(events.remove(1)));
    assert_eq!((event, problem.as_str()), (2, "the deployments are not complete"));
    let (event, problem) = guide(|events| {
        let Event::Placed { deployment, .. } = &mut events[1] else { panic!() };
        deployment.pop();
    });
    let expected = "the deployment is not legal: the number of ships placed is 9, but the fleet has 10";
    assert_eq!((event, problem.as_str()), (2, expected));
}
