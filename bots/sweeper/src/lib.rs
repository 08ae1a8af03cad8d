//! `sweeper` shoots row by row, from the top left to the bottom right.
//!
//! It is the simplest bot, and a starting point for your own: copy this crate, rename the type, and improve `play`.
#![warn(missing_docs)]

use arena_sdk::{Bot, Coord, Game, View};

/// The bot. It has no state.
#[derive(Default)]
pub struct Sweeper;

impl Bot for Sweeper {
    const NAME: &'static str = "sweeper";

    fn play(&mut self, _game: &Game, view: &View) -> Option<Coord> {
        view.targets().next()
    }
}

arena_sdk::export!(Sweeper);

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::practice::{Ruleset, solo};
    use arena_sdk::{Grid, Mark};

    #[test]
    fn it_goes_row_by_row_past_the_cells_already_shot_at() {
        let game = Game::of(&Ruleset::guide().with_size(arena_sdk::Size::new(4, 3)), 7);
        let mut view = View::first(&game);
        assert_eq!(Sweeper.play(&game, &view), Some(Coord::new(0, 0)));

        view.attacks = "
            o X o o
            o . o .
            . . . .
        "
        .parse()
        .unwrap();
        assert_eq!(Sweeper.play(&game, &view), Some(Coord::new(1, 1)));

        view.attacks = Grid::filled(game.size, Mark::Miss);
        assert_eq!(Sweeper.play(&game, &view), None, "it skips only when no cell is left");
    }

    #[test]
    fn it_clears_every_board_without_a_foul() {
        let score = solo::<Sweeper>(&Ruleset::guide(), 20, 1).unwrap();
        println!("{score}");
        assert!((90.0..100.0).contains(&score.mean_shots), "{score}");
    }
}
