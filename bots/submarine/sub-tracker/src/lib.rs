//! `sub-tracker` plays submarine by calculation: it keeps all positions that the enemy may have, and all positions that
//! it may have itself as far as the enemy knows.
//!
//! - **Know.** A [`Tracker`] holds all positions of the enemy that agree with the reports, up to 13,800. A second one,
//!   fed with the same reports from the other side, holds the bot's own positions that the enemy must consider
//!   possible.
//! - **Weigh.** The worth of each legal action is the damage that it is expected to do, plus the expected damage of the
//!   best attack after it (so the bot attacks where it learns most, and moves to where ships are), minus the expected
//!   damage of the enemy's best attack in between (so the bot moves out of reach when its position is known). See
//!   [`weigh`].
//! - **End it.** Two bots that wait for each other would wait until the last action. So the enemy's attacks are given
//!   less weight from turn to turn.
//!
//! Measured by the tests below: it wins all of 1,000 games against random play, in about 24 actions of both sides, and
//! its games against itself take about 70. In hundreds of games in the arena no turn took more than 190 million fuel;
//! the budget of `submarine` is 300 million.
//!
//! For your own bot: the state is the two trackers, which are updated once in each turn. The rest is a function of them
//! and of the view.
#![warn(missing_docs)]

pub mod weigh;

use arena_sdk::submarine::{Action, Bot, Game, Report, Ship, Tracker, View};
use weigh::{Cells, SUNK, Scales, positions};

/// The bot, with what it knows about the game.
#[derive(Default)]
pub struct SubTracker {
    /// The positions that the enemy may have.
    enemy: Tracker,
    /// The positions that the bot may have, as far as the enemy knows.
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
        // Sums of the same numbers in a different order differ in their last digits.
        let good = weighed.iter().filter(|&&(_, worth)| worth > best - 1e-9).map(|&(action, _)| action);
        game.rng(view.turn).pick(good).expect("a ship is afloat, and may attack its own cell")
    }
}

arena_sdk::submarine::export!(SubTracker);

/// The number of turns after which the bot has no caution left.
///
/// Chosen: of two such bots the more patient one wins most games, because the other one leaves its cover first, but
/// games become longer.
const PATIENCE: u32 = 50;

/// The weight of a hit by the enemy at this turn, relative to a hit by the bot.
fn caution(turn: u32) -> f64 {
    f64::from(PATIENCE.saturating_sub(turn)) / f64::from(PATIENCE)
}

impl SubTracker {
    /// Updates the trackers from the reports: first of the bot's own last action, then of the enemy's.
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
    /// The true one is always among them. If reports contradict each other and none is left, all positions are possible
    /// again.
    fn enemy_positions(&mut self, view: &View) -> Vec<Cells> {
        if self.enemy.count() == 0 {
            self.enemy = Tracker::new();
        }
        let mut positions = positions(&self.enemy);
        // A tracker that was restarted in the middle of the game does not know which ships are sunk.
        for ship in Ship::ALL.into_iter().filter(|&ship| view.enemy.iter().all(|enemy| enemy.ship != ship)) {
            positions.iter_mut().for_each(|cells| cells[ship.index()] = SUNK);
        }
        positions
    }
}

#[cfg(test)]
mod tests;
