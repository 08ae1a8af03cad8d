//! `sub-tracker` plays submarine by what it knows: all that the enemy's positions may be, and all that its own may be in
//! the enemy's eyes.
//!
//! - **Know.** A [`Tracker`] holds each of the up to 13,800 positions that agree with the reports. A second one, told the
//!   same reports from the other side, holds what the enemy can know of the bot's own.
//! - **Weigh.** Each legal action is worth the damage that it is expected to do, plus what the best attack after it is
//!   expected to do (so it attacks where it learns most, and moves to where something is), minus what the enemy's best
//!   attack in between is expected to do (so it moves out of reach when it is found out). See [`weigh`].
//! - **End it.** Two bots that wait for each other would wait to the last action. So what the enemy may do counts for less
//!   from turn to turn.
//!
//! Measured by the tests below: it wins all of 1,000 games from random play, in about 24 actions of both sides, and its games
//! with itself take about 70. In the arena no turn of hundreds of games took more than 140 million fuel; `submarine` has 300.
//!
//! To copy: the bot's memory is the two trackers, told once in each turn what is new. The rest is a function of them and of
//! the view.
#![warn(missing_docs)]

pub mod weigh;

use arena_sdk::submarine::{Action, Bot, Game, Report, Ship, Tracker, View};
use weigh::{Cells, SUNK, Scales, positions};

/// The bot, and what it remembers of the game.
#[derive(Default)]
pub struct SubTracker {
    /// What is known of the enemy.
    enemy: Tracker,
    /// What the enemy knows of the bot.
    own: Tracker,
}

impl Bot for SubTracker {
    const NAME: &'static str = "sub-tracker";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        self.observe(view);
        let scales = Scales::new(view, self.enemy_positions(view), positions(&self.own), caution(view.turn));
        let weighed: Vec<(Action, f64)> =
            view.legal_actions().map(|action| (action, scales.worth(action))).collect();
        let best = weighed.iter().map(|&(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max);
        // Sums of the same numbers in another order differ in their last digits.
        let good = weighed.iter().filter(|&&(_, worth)| worth > best - 1e-9).map(|&(action, _)| action);
        game.rng(view.turn).pick(good).expect("a ship is afloat, and may attack its own cell")
    }
}

arena_sdk::submarine::export!(SubTracker);

/// The number of turns in which caution ends.
///
/// Of two such bots the more patient wins most games, as the other one leaves its cover first, but a game takes the longer.
const PATIENCE: u32 = 50;

/// What a hit by the enemy counts at a turn, where an own hit counts 1.
fn caution(turn: u32) -> f64 {
    f64::from(PATIENCE.saturating_sub(turn)) / f64::from(PATIENCE)
}

impl SubTracker {
    /// Takes in what is new: first what came of one's own last action, then what the enemy did.
    fn observe(&mut self, view: &View) {
        self.enemy.observe(view);
        match &view.my_last {
            Some(Report::Attacked { at, .. }) => self.own.was_attacked(*at),
            Some(Report::Moved { ship, down, right }) => self.own.moved(*ship, *down, *right),
            None => {}
        }
        if let Some(Report::Attacked { at, hit, near }) = &view.enemy_last {
            let sunk = hit.is_some_and(|hit| view.at(hit).is_none());
            self.own.attacked(*at, *hit, near, sunk);
        }
    }

    /// The positions that the enemy may have.
    ///
    /// The true one is always among them. Should it ever seem that there is none, then all is possible again.
    fn enemy_positions(&mut self, view: &View) -> Vec<Cells> {
        if self.enemy.count() == 0 {
            self.enemy = Tracker::new();
        }
        let mut positions = positions(&self.enemy);
        // A tracker that began again in the middle of the game does not know which ships are sunk.
        for ship in Ship::ALL.into_iter().filter(|&ship| view.enemy.iter().all(|enemy| enemy.ship != ship)) {
            positions.iter_mut().for_each(|cells| cells[ship.index()] = SUNK);
        }
        positions
    }
}

#[cfg(test)]
mod tests;
