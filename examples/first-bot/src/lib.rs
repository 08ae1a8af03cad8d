//! A first bot. It shoots beside its hits, and anywhere else if there are no targets beside them.
//!
//! Copy this folder, rename the bot, and improve `play`.
//!
//! - `cargo test -- --nocapture` prints the mean number of shots that it needs.
//! - `cargo build --release --target wasm32-wasip2` builds `target/wasm32-wasip2/release/first_bot.wasm` for the arena
//!   (once before: `rustup target add wasm32-wasip2`).

use arena_sdk::{Bot, Coord, Game, Mark, View};

#[derive(Default)]
struct FirstBot;

impl Bot for FirstBot {
    const NAME: &'static str = "first bot";

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        let mut rng = game.rng(view.turn);
        let hopeful: Vec<Coord> = view.targets().filter(|&at| !is_surely_water(game, view, at)).collect();
        let beside_a_hit = hopeful.iter().copied().filter(|&at| is_beside_a_hit(view, at));

        rng.pick(beside_a_hit).or_else(|| rng.pick(hopeful))
    }
}

arena_sdk::export!(FirstBot);

fn is_beside_a_hit(view: &View, at: Coord) -> bool {
    view.attacks.edge_neighbours(at).any(|(_, mark)| *mark == Mark::Hit)
}

/// If ships may not touch, the cells at the corners of a hit are water.
fn is_surely_water(game: &Game, view: &View, at: Coord) -> bool {
    let is_corner = |near: Coord| near.row != at.row && near.column != at.column;
    !game.may_touch && view.attacks.neighbours(at).any(|(near, mark)| is_corner(near) && *mark == Mark::Hit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::practice::{Ruleset, solo};

    #[test]
    fn it_shoots_beside_a_hit() {
        let game = Game::of(&Ruleset::guide(), 7);
        let mut view = View::first(&game);
        view.attacks[Coord::new(0, 0)] = Mark::Hit;
        view.attacks[Coord::new(0, 1)] = Mark::Miss;
        assert_eq!(FirstBot.play(&game, &view), Some(Coord::new(1, 0)));
    }

    #[test]
    fn it_is_better_than_shooting_anywhere() {
        let score = solo::<FirstBot>(&Ruleset::guide(), 500, 1).unwrap();
        println!("{score}");
        assert!(score.mean_shots < 90.0, "{score}");
    }
}
