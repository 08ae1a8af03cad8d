//! `random` shoots at a random cell that it has not shot at yet, all equally likely.
//!
//! It is the weakest house bot, and the baseline for others: a bot that needs the same number of shots learns nothing
//! from its hits. Under `guide` that number is about 96, on a board of 100 cells.
//!
//! To write your own bot, copy this crate. Each call has everything that a bot needs, and the random numbers of a turn
//! come from the game's seed. So there is no state, and a replayed game is the same move for move.
#![warn(missing_docs)]

use arena_sdk::{Bot, Coord, Game, View};

/// The bot. It has no state.
#[derive(Default)]
pub struct Random;

impl Bot for Random {
    const NAME: &'static str = "random";

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        game.rng(view.turn).pick(view.targets())
    }
}

arena_sdk::export!(Random);

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::practice::{Ruleset, solo};
    use arena_sdk::{Grid, Mark};

    #[test]
    #[cfg_attr(
        debug_assertions,
        ignore = "drawing these boards takes minutes without optimisation: use --release"
    )]
    fn it_needs_about_96_shots_by_the_guide_rules() {
        let score = solo::<Random>(&Ruleset::guide(), 2_000, 1).unwrap();
        println!("{score}");
        assert!((95.0..97.0).contains(&score.mean_shots), "{score}");
    }

    #[test]
    fn it_needs_about_95_shots_where_ships_may_touch() {
        let fleet = vec![5, 4, 3, 3, 2];
        let rules = Ruleset { fleet, may_touch: true, sinkings_announced: true, ..Ruleset::guide() };
        let score = solo::<Random>(&rules, 2_000, 1).unwrap();
        println!("{score}");
        assert!((94.4..96.4).contains(&score.mean_shots), "{score}");
    }

    #[test]
    fn it_skips_only_when_no_cell_is_left() {
        let game = Game::of(&Ruleset::guide(), 7);
        let mut view = View::first(&game);
        view.attacks = Grid::filled(game.size, Mark::Miss);
        assert_eq!(Random.play(&game, &view), None);

        let last = Coord::new(9, 4);
        view.attacks[last] = Mark::Unknown;
        assert_eq!(Random.play(&game, &view), Some(last));
    }
}
