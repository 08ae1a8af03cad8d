//! `hunter` hunts like a person: it searches until it hits, then finishes what it has hit.
//!
//! - **Finish first.** While a ship is hit and afloat, shoot at the ends of the line of hits; around a single hit, at all
//!   four sides.
//! - **Know what is sunk.** Where the rules announce sinkings, the last shot tells which ship it was. Where they do not,
//!   but ships may not touch, a line that can grow no further is a sunk ship, and so is one as long as the longest ship
//!   left.
//! - **Leave out the water.** Where ships may not touch, all around a sunk ship is water, and so is each corner of a hit.
//! - **Search one colour.** On a board coloured like a chess board, every ship of two cells or more lies on both colours,
//!   so it is enough to search one of them. (A ship of length 1 hides on either, so with such afloat all cells count.)
//!
//! Mean shots over 2,000 uniformly drawn boards, measured by the tests below: 66.6 by the rules of `guide`; with the fleet
//! 5, 4, 3, 3, 2 and sinkings announced, 51.5 where ships may touch and 44.6 where they may not.
//!
//! To copy: [`decide`] is a function of what it is given. The bot's memory holds only what a view does not tell, where
//! announced ships were sunk, and without it (after an overrun) the bot still gets on.
#![warn(missing_docs)]

mod chart;

use arena_sdk::{Bot, Coord, Game, Mark, View};
use chart::Chart;

/// The bot, and what it remembers of the game. Both are empty where the rules announce no sinkings.
#[derive(Default)]
pub struct Hunter {
    /// The lengths of the ships that were afloat at the last turn.
    afloat: Option<Vec<u8>>,
    /// The cells of the ships seen to sink.
    sunk: Vec<Coord>,
}

impl Bot for Hunter {
    const NAME: &'static str = "hunter";

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        self.remember(game, view);
        decide(game, view, &self.sunk)
    }
}

arena_sdk::export!(Hunter);

impl Hunter {
    /// Finds out whether the last shot sank a ship, and which cells were its.
    fn remember(&mut self, game: &Game, view: &View) {
        let Some(afloat) = &view.ships_remaining else { return };
        // With no turn to compare with, as after an overrun, nobody knows which shot sank what.
        let Some(before) = self.afloat.replace(afloat.clone()) else { return };
        let (Some(length), Some(shot)) = (missing(&before, afloat), view.my_last) else { return };
        let is_wounded = |at: &Coord| view.attacks[*at] == Mark::Hit && !self.sunk.contains(at);
        let mut ships = game.ways(length).filter(|ship| ship.contains(&shot) && ship.iter().all(is_wounded));
        // Where ships touch, there can be two such; one is as good a guess as the other.
        let ship = ships.next().unwrap_or_default();
        self.sunk.extend(ship);
    }
}

/// The first length that is in one list and not in the other. Both have the longest first.
fn missing(before: &[u8], after: &[u8]) -> Option<u8> {
    before
        .iter()
        .enumerate()
        .find(|&(index, length)| after.get(index) != Some(length))
        .map(|(_, &length)| length)
}

/// The next shot: at a ship that was hit, or else in search of one. None only when every cell was shot at.
///
/// `sunk` are the cells of ships that are known to be sunk, over and above what the view tells.
pub fn decide(game: &Game, view: &View, sunk: &[Coord]) -> Option<Coord> {
    let chart = Chart::new(game, view, sunk);
    let mut rng = game.rng(view.turn);
    // The colour changes from game to game, so that no opponent can lay its small ships around it.
    let on_black = game.seed.is_multiple_of(2);
    let on_colour = |at: &Coord| (at.row % 2 == at.column % 2) == on_black;
    let searches_both = chart.shortest_afloat() < 2;
    let on_search = |at: &Coord| searches_both || on_colour(at);

    rng.pick(chart.finishing_shots())
        .or_else(|| rng.pick(chart.open().filter(on_search)))
        .or_else(|| rng.pick(chart.open()))
        // Only where the chart is wrong: there is more to find than it says.
        .or_else(|| rng.pick(view.targets()))
}

#[cfg(test)]
mod tests;
