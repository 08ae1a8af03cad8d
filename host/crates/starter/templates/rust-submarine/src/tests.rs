//! Tests of the bot in practice games, natively: `cargo test -- --nocapture` prints its score.

use super::*;
use arena_sdk::submarine::practice::play;

/// Plays random legal actions.
#[derive(Default)]
struct Anything;

impl Bot for Anything {
    const NAME: &'static str = "anything";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        game.rng(view.turn).pick(view.legal_actions()).expect("there is always a legal action")
    }
}

#[test]
fn it_wins_most_games_against_random_actions() {
    let score = play::<MyBot, Anything>(200, 1).unwrap();
    println!("{score}");
    assert!(score.wins > 160, "{score}");
}

#[test]
fn it_plays_to_the_end_against_itself() {
    let score = play::<MyBot, MyBot>(50, 1).unwrap();
    println!("{score}");
    assert_eq!(score.wins + score.draws + score.losses, 50);
}
