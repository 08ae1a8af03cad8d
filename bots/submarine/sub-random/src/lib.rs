//! `sub-random` plays submarine with random legal actions, all equally likely.
//!
//! It is the weakest house bot for that game: about half of its actions are random moves, and the others are attacks
//! without any knowledge of the target. A game of two of them takes about 310 actions, and it wins none of 1,000 games against
//! `sub-tracker`, which take about 22.
//!
//! To write your own bot, copy this crate, rename the type, and improve `play`. The legal actions come from the view,
//! and the random numbers of a turn from the game's seed, so a replayed game is the same action for action.
#![warn(missing_docs)]

use arena_sdk::submarine::{Action, Bot, Game, View};

/// The bot. It has no state.
#[derive(Default)]
pub struct SubRandom;

impl Bot for SubRandom {
    const NAME: &'static str = "sub-random";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        game.rng(view.turn).pick(view.legal_actions()).expect("a ship is afloat, and may attack its own cell")
    }
}

arena_sdk::submarine::export!(SubRandom);

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::Coord;
    use arena_sdk::submarine::practice::{Rules, play};

    #[test]
    fn it_plays_to_the_end_without_a_foul_and_wins_about_half_of_the_games_with_itself() {
        let score = play::<SubRandom, SubRandom>(1_000, 1).unwrap();
        println!("{score}");
        assert_eq!(score.draws, 0, "{score}");
        // Five standard deviations of a binomial with 1,000 draws at 1/2 are 79. The side that moves first has a small
        // advantage.
        assert!((420..600).contains(&score.wins), "{score}");
    }

    #[test]
    fn in_time_it_does_everything_that_is_legal() {
        let view = View::first([Coord::new(0, 0), Coord::new(2, 1), Coord::new(4, 4)]);
        let games = (0..2_000).map(|seed| Game::of(&Rules::default(), seed));
        let done: Vec<Action> = games.map(|game| SubRandom.play(&game, &view)).collect();
        assert!(view.legal_actions().all(|action| done.contains(&action)));
    }
}
