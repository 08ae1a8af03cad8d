//! `sub-random` plays submarine, and does anything that is legal, each as likely.
//!
//! It is the lowest rung of that game's ladder: about half of what it does is a move to anywhere, and the rest is attacks
//! on cells where it knows of nothing.
//!
//! To copy: give the type a name of its own, and make `play` clever. What may be done comes from the view, and the random
//! numbers of a turn come from the game's seed, so the same game is played again action for action.
#![warn(missing_docs)]

use arena_sdk::submarine::{Action, Bot, Game, View};

/// The bot: it has no memory.
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
        // Five standard deviations of a binomial with 1,000 draws at 1/2 are 79; the first to move has a small advantage.
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
