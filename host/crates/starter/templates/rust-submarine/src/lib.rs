//! A bot that attacks where the enemy's ships most likely are, or moves towards them.

use arena_sdk::Coord;
use arena_sdk::submarine::{Action, Bot, Game, Ship, Tracker, View};

/// The state: all positions of the enemy that agree with the reports so far.
#[derive(Default)]
pub struct MyBot {
    enemy: Tracker,
}

impl Bot for MyBot {
    const NAME: &'static str = "first-bot";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        self.enemy.observe(view);
        let mut rng = game.rng(view.turn);
        let most = view.reach().map(|at| self.positions_with_a_ship_at(at)).max().unwrap_or(0);
        if most == 0 {
            let anywhere = rng.pick(view.legal_actions().filter(|action| matches!(action, Action::Move(..))));
            return anywhere.unwrap_or_else(|| Action::Attack(view.own[0].at));
        }
        let best = rng.pick(view.reach().filter(|&at| self.positions_with_a_ship_at(at) == most));
        Action::Attack(best.expect("a cell in reach has the most"))
    }
}

arena_sdk::submarine::export!(MyBot);

impl MyBot {
    /// The number of positions of the enemy with one of its ships on a cell, counted once for each ship.
    fn positions_with_a_ship_at(&self, at: Coord) -> usize {
        let ships = self.enemy.states().flat_map(|cells| Ship::ALL.map(|ship| cells[ship.index()]));
        ships.filter(|cell| *cell == Some(at)).count()
    }
}

#[cfg(test)]
mod tests;
