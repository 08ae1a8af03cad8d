//! A bot that shoots next to its hits, and anywhere else if there are no targets next to them.

use arena_sdk::{Bot, Coord, Game, Mark, View};

/// The state. A field has its default at the start of a game, and after a turn that ran out of fuel.
#[derive(Default)]
pub struct MyBot {}

impl Bot for MyBot {
    const NAME: &'static str = "first-bot";

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        let mut rng = game.rng(view.turn);
        let hopeful: Vec<Coord> = view.targets().filter(|&at| !is_surely_water(game, view, at)).collect();
        let beside_a_hit = hopeful.iter().copied().filter(|&at| is_beside_a_hit(view, at));

        rng.pick(beside_a_hit).or_else(|| rng.pick(hopeful)).or_else(|| rng.pick(view.targets()))
    }
}

arena_sdk::export!(MyBot);

fn is_beside_a_hit(view: &View, at: Coord) -> bool {
    view.attacks.edge_neighbours(at).any(|(_, mark)| *mark == Mark::Hit)
}

/// If ships may not touch, the cells at the corners of a hit are water.
fn is_surely_water(game: &Game, view: &View, at: Coord) -> bool {
    let is_corner = |near: Coord| near.row != at.row && near.column != at.column;
    !game.may_touch && view.attacks.neighbours(at).any(|(near, mark)| is_corner(near) && *mark == Mark::Hit)
}

#[cfg(test)]
mod tests;
