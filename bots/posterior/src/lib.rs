//! `posterior` shoots at the cell where a ship is most likely, given everything known from the shots so far.
//!
//! - **Know.** Before each shot it asks for the fleets that agree with all hits, misses and announced sinkings: all of them if
//!   they are few, or else a sample ([`Game::possible_fleets`] explains the method). All are equally likely, if the
//!   opponent placed at random.
//! - **Shoot.** The probability of a ship on a cell is the share of these fleets that have one there. It shoots where that is
//!   highest. There are no rules for searching or finishing: shots around a hit, and none around a sunk ship, follow from the
//!   fleets.
//! - **Hide.** Of ten random fleets, it places the one that is found last ([`Game::unlikely_fleet`]): `density` needs 1.4 ± 0.4
//!   shots more for it than for a random one under `guide`, and 2.8 ± 0.5 more under `classic` (on 2,000
//!   boards).
//!
//! Its limit: the most likely cell is not always the one that ends the game soonest.
//!
//! Mean numbers of shots over 2,000 uniformly drawn boards, with their standard errors: 62.2 ± 0.1 under the `guide` rules, 44.7 ±
//! 0.2 under `classic`, 39.1 ± 0.1 under `pirates`; by `arena bench bots/posterior.wasm --boards 2000 --seed 1`. A shot costs five
//! million units of fuel under `guide` and three by the others: a sixtieth, a hundredth and a sixteenth of a turn's.
//!
//! For your own bot: all of the calculation is in the SDK. The bot's state holds only what a view does not say: where announced
//! ships were sunk. Without it (after an overrun) the bot still works.
#![warn(missing_docs)]

use arena_sdk::battleship::{Effort, TrackedBoard};
use arena_sdk::shot_board::{ShotBoard, Sunken};
use arena_sdk::{Bot, Coord, Game, Placement, View, for_board};

/// The bot. Its state is the board with the ships that it saw sink.
#[derive(Default)]
pub struct Posterior {
    tracked: TrackedBoard,
}

impl Bot for Posterior {
    const NAME: &'static str = "posterior";

    fn deploy(&mut self, game: &Game) -> Vec<Placement> {
        game.unlikely_fleet(10, &mut game.rng(0))
    }

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        let board = self.tracked.update(game, view);
        for_board!(game.size, WORDS => likeliest::<WORDS>(game, view, board))
    }
}

arena_sdk::export!(Posterior);

/// The number of fleets to draw at most. Measured: with 4,000, it needs as many shots.
const FLEETS_MAX: usize = 600;

/// The number of fleets to ask for: an eighth of the turn's fuel pays for them.
fn fleet_count<const WORDS: usize>(game: &Game) -> usize {
    game.fleets_for_fuel::<WORDS>(game.fuel_per_turn / 8).clamp(1, FLEETS_MAX)
}

/// The cell where most of the possible fleets have a ship. `None` only if every cell was shot at.
fn likeliest<const WORDS: usize>(game: &Game, view: &View, board: &ShotBoard<Sunken>) -> Option<Coord> {
    let mut rng = game.rng(view.turn);
    let effort = Effort::of(fleet_count::<WORDS>(game));
    let fleets = game.possible_fleets::<WORDS>(board, view, effort, &mut rng);
    rng.pick(view.likeliest(&fleets))
}

#[cfg(test)]
mod tests;
