//! Connect Four between random players: a game that the program does not list, refereed, packed and played again.

use arena_connect_four::{ConnectFour, LINE, Rules};
use arena_record::{PackedEvents, Replay, ReplayError, UnpackError};
use arena_referee::{End, Event, GamePlan, HostError, RandomPlayer, Stopped, play_game};
use arena_rules::{Outcome, Reason, Rules as _, Seat};

/// A game between two random players, with this seed for chance.
fn play(rules: &Rules, fleet_seed: u64) -> (Result<End, Stopped>, Vec<Event<ConnectFour>>) {
    rules.validate().expect("they are playable");
    let plan = GamePlan {
        rules,
        fuel_per_turn: 1_000,
        side_seeds: [1, 2],
        fleet_seed,
        starter: Seat::First,
        score_wall_clock: false,
    };
    let mut players = [1, 2].map(|seed| RandomPlayer::<ConnectFour>::new(rules, seed));
    let [first, second] = &mut players;
    let mut events = Vec::new();
    let end = play_game(&plan, [first, second], &mut |event| events.push(event));
    (end, events)
}

/// The end of these events by the rules.
fn replay(rules: &Rules, seed: u64, events: &[Event<ConnectFour>]) -> Result<Option<End>, ReplayError> {
    let mut replay = Replay::<ConnectFour>::new(rules, Seat::First, seed);
    events.iter().try_for_each(|event| replay.step(event))?;
    Ok(replay.end())
}

#[test]
fn a_game_without_a_deployment_begins_with_a_turn_and_is_won_on_the_board() {
    let (end, events) = play(&Rules::default(), 3);
    assert_eq!(events[0].turn(), Some(1));
    let (outcome, reason) = end.unwrap();
    assert!(matches!(outcome, Outcome::Win(_)));
    assert_eq!(reason, LINE);
    assert!(reason.is_own() && Rules::default().reasons().contains(&reason));
    assert!(!Reason::Forfeit.is_own());
}

#[test]
fn a_game_with_chance_is_the_same_again_only_from_the_same_seed() {
    let rules = Rules { neutral: 3, ..Rules::default() };
    let (end, events) = play(&rules, 3);
    assert_eq!(play(&rules, 3), (end.clone(), events.clone()));
    assert_eq!(replay(&rules, 3, &events), Ok(end.ok()));
    let packed = PackedEvents::of(&events).unwrap();
    assert_eq!(packed.unpack::<ConnectFour>(&rules, Seat::First, 3).as_ref(), Ok(&events));
    let others: Vec<u64> = (4..20).filter(|&seed| replay(&rules, seed, &events).is_err()).collect();
    assert!(others.len() > 8, "{others:?}");
    for seed in others {
        assert!(packed.unpack::<ConnectFour>(&rules, Seat::First, seed).as_ref() != Ok(&events), "{seed}");
    }
}

#[test]
fn a_game_whose_own_code_fails_has_no_result_and_charges_no_side() {
    let sound = Rules::default();
    let broken = Rules { fails_with: 5, ..sound.clone() };
    let (end, events) = play(&broken, 3);
    // It takes the fifth disc, and fails when the next turn is due.
    let failure = HostError::Game("it has no room for another disc".into()).in_turn(6, None);
    assert_eq!(failure.to_string(), "the game itself failed in turn 6: it has no room for another disc");
    assert_eq!(end, Err(Stopped::Host(failure)));
    assert_eq!(events.len(), 4, "the turns before");
    assert!(events.iter().all(|event| matches!(event, Event::Acted { .. })));
    // A recording of the sound game cannot be judged by it.
    let (_, events) = play(&sound, 3);
    let error = replay(&broken, 3, &events).unwrap_err();
    assert_eq!(error.event, 5);
    assert!(error.problem.contains("the game itself failed: it has no room"), "{error}");
    let packed = PackedEvents::of(&events).unwrap();
    let unpacked = packed.unpack::<ConnectFour>(&broken, Seat::First, 3);
    assert_eq!(unpacked, Err(UnpackError::GameFailed));
}
