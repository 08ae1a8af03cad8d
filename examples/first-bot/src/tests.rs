//! Tests of the bot on practice boards, natively: `cargo test -- --nocapture` prints its score.

use super::*;
use arena_sdk::practice::{Ruleset, solo};

#[test]
fn it_shoots_beside_a_hit() {
    let game = Game::of(&Ruleset::guide(), 7);
    let mut view = View::first(&game);
    view.attacks[Coord::new(0, 0)] = Mark::Hit;
    view.attacks[Coord::new(0, 1)] = Mark::Miss;
    assert_eq!(MyBot::default().play(&game, &view), Some(Coord::new(1, 0)));
}

/// A bot that shoots anywhere needs about 96 shots.
#[test]
fn it_is_better_than_shooting_anywhere() {
    let score = solo::<MyBot>(&Ruleset::guide(), 500, 1).unwrap();
    println!("{score}");
    assert!(score.mean_shots < 90.0, "{score}");
}
