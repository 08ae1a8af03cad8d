//! `density` shoots where most ways to lay a ship cross.
//!
//! - **Count the ways.** For each ship that is left, it looks at all ways in which that ship can lie: on cells that were not shot
//!   at, and on hits of ships that may be afloat. Each way adds its weight to the heat of its cells, and the hottest cell is shot
//!   at. In search of a ship this prefers the middle of large areas of water, and later the gaps that still hold the longest
//!   ship.
//! - **Weigh the hits.** A way that covers k hits has the weight 10^(k − 1), so lines of hits are finished first, at the end where
//!   there is more room.
//! - **Leave out what cannot be.** Where ships may not touch, a way next to a hit that it does not cover is impossible. Where
//!   sinkings are announced, a way on hits alone is impossible: that ship would have been announced. Where they are not, and ships
//!   may not touch, a line of hits over which no longer ship can lie is a sunk ship.
//!
//! Counting the ways through each cell is the method of Nick Berry's article "Battleship" (DataGenetics, 2011); published means of
//! such bots are 42 to 45 shots by rules like `classic`. The weight of hits is chosen: with 5 or 20 in place of 10, the means are
//! the same.
//!
//! Mean numbers of shots over 2,000 uniformly drawn boards, by `arena bench bots/density.wasm --boards 2000 --seed 1`: 64.3 under
//! the `guide` rules, 44.4 under `classic`, 39.1 under `pirates`. A shot takes 7 µs, and 130,000 to 180,000 units of fuel. No
//! gain, measured in the same way: dividing the weight of a way by the number of ways of its ship.
//!
//! Built with the feature `draws`, it plays the same and draws the heat of each cell by lines of its log, `@shade`, for fuel:
//! `cargo build --release --target wasm32-wasip2 -p density --features draws`.
//!
//! What it does not know: ships are weighed one by one, as if the others were not there. Counting whole fleets is the next step.
#![warn(missing_docs)]

#[cfg(any(test, feature = "draws"))]
mod drawing;
mod heat;

use arena_sdk::battleship::{Chart, TrackedBoard};
use arena_sdk::{Bot, Coord, Game, View, for_board};
use heat::Position;

/// The bot. Its state is what it saw of sinkings.
#[derive(Default)]
pub struct Density {
    tracked: TrackedBoard,
}

impl Bot for Density {
    const NAME: &'static str = "density";

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        for_board!(game.size, WORDS => decide(game, view, self.tracked.chart::<WORDS>(game, view)))
    }
}

arena_sdk::export!(Density);

/// The next shot: at the hottest cell, or one of them. `None` only if every cell was shot at.
pub fn decide<const WORDS: usize>(game: &Game, view: &View, chart: Chart<WORDS>) -> Option<Coord> {
    let position = Position::new(game, chart);
    let (heat, open) = (position.heat(), position.chart.open);
    #[cfg(feature = "draws")]
    print!("{}", drawing::shades(&heat, open));
    let hottest = open.iter().map(|at| heat[at]).fold(0.0, f64::max);
    let mut rng = game.rng(view.turn);
    rng.pick(open.iter().filter(|&at| heat[at] == hottest))
        // Reached only if the chart is wrong, and there are more ship cells than it says.
        .or_else(|| rng.pick(view.targets()))
}

#[cfg(test)]
mod tests;
