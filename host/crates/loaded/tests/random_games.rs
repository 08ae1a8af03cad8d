//! Games with random actions.

use crate::common::{component, sandbox};
use arena_loaded::{Error, Order, RandomGames, run};
use std::time::Duration;

/// This number of games of the game with these parts replaced, which end early after the given number of them.
fn play(parts: &str, games: u32, seed: u64, wanted: u32) -> Result<RandomGames, Error> {
    let order = Order::Random(games, vec![("matches".into(), 10)], seed);
    let played = run(sandbox(), &component(parts), order, |progress| progress.played < wanted)?;
    Ok(played.random.expect("they were ordered"))
}

#[test]
fn they_follow_from_the_seed_and_each_has_an_end() {
    let at = |seed| RandomGames { time: Duration::ZERO, ..play("", 40, seed, 40).expect("it is right") };
    let games = at(1);
    assert_eq!(games, at(1));
    assert_ne!(games, at(2));
    assert!(games.turns.len() == 40 && games.turns.is_sorted(), "{games:?}");
    assert_eq!(games.wins.iter().sum::<u32>() + games.draws, 40);
    assert!(games.wins.iter().all(|wins| *wins > 0), "{games:?}");
    let turns: u32 = games.turns.iter().sum();
    assert_eq!(games.fuel["observe"].calls, u64::from(turns));
    assert_eq!(games.fuel["new-initial-state"].calls, 40);
    let last = games.last.expect("there is one");
    assert!(last.winner.is_some() && games.turns.contains(&last.turns), "{last:?}");
    assert_eq!(last.picture, "", "no match is left");
}

#[test]
fn they_end_early_with_those_that_were_played() {
    let games = play("", 40, 1, 3).expect("it is right");
    assert_eq!(games.turns.len(), 3);
    assert!(games.last.is_some() && games.time > Duration::ZERO);
}

#[test]
fn a_game_that_refuses_its_own_action_is_at_fault() {
    let refuses = r"
        (func $apply-action (param $state i32) (param $take i32) (result i32)
            (call $refuse (i32.const 0) (i32.const 192) (i32.const 17)))";
    let Err(Error::Game(fault)) = play(refuses, 1, 1, 1) else { panic!("it is at fault") };
    assert_eq!(fault.call, "apply-action");
    assert!(fault.to_string().contains("which `random-action` has as legal: take one to three"), "{fault}");
}
