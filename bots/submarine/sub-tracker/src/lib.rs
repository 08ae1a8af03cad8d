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
//! - **Foresee.** The enemy of the next turn is not where it is now, if it likes to move. [`habits`] counts how often it does, and
//!   where to; so the bot waits for a ship that flees instead of following it.
//! - **Spread.** Ships that begin far apart reach more of the board, and are not found together.
//! - **End it.** Two bots that wait for each other would wait until the last action. So the enemy's attacks are given
//!   less weight from turn to turn, and no weight if it only flees.
//!
//! Measured as a component over `arena serve`, against clients that people wrote for this game, 600 games each, half of them in each
//! seat; ± is half the 95 % interval:
//!
//! | client | won |
//! | --- | ---: |
//! | tracks both sides, hides its last ship; mended where it breaks off | 99.0 ± 0.8 % |
//! | tracks the enemy, hunts what it has found, flees when it is hit | 97.3 ± 1.3 % |
//! | tracks the enemy, moves and attacks at random | all |
//!
//! The tests below play it natively against rivals with the ideas of those clients, and against random play, of which it wins all
//! of 1,000 games in about 22 actions of both sides. A game against itself takes about 110 actions. No turn of 3,000 games took
//! more than 184 million fuel, the first ones most; the budget of `submarine` is 300 million.
//!
//! Playouts of the game with a quick policy, of some 20,000 actions a turn, did not help: both sides waited, and more than a third
//! of the games against a rival that flees were draws.
//!
//! For your own bot: the state is the two trackers and the habits, which are updated once in each turn. The rest is a function of
//! them and of the view.
#![warn(missing_docs)]

pub mod cells;
pub mod habits;
pub mod weigh;

use arena_sdk::Coord;
use arena_sdk::submarine::{Action, Bot, Game, Report, Ship, Tracker, View};
use cells::{Cells, SUNK, positions};
use habits::Habits;
use weigh::Scales;

/// The bot, with what it knows about the game.
#[derive(Default)]
pub struct SubTracker {
    /// The positions that the enemy may have.
    enemy: Tracker,
    /// The positions of the bot that the enemy must consider possible.
    own: Tracker,
    /// The way in which the enemy moves.
    habits: Habits,
}

impl Bot for SubTracker {
    const NAME: &'static str = "sub-tracker";

    fn deploy(&mut self, game: &Game) -> [Coord; 3] {
        let rng = &mut game.rng(0);
        let draws = (0..DRAWS).map(|_| game.random_positions(rng));
        draws.max_by_key(spread).expect("some were drawn")
    }

    fn play(&mut self, game: &Game, view: &View) -> Action {
        self.observe(view);
        let (enemy, own) = (self.enemy_positions(view), positions(&self.own));
        self.habits.observe(view, &enemy);
        let scales = Scales::new(view, enemy, own, &self.habits, caution(view.turn, self.habits.moves()));
        let weighed: Vec<(Action, f64)> =
            view.legal_actions().map(|action| (action, scales.worth(action))).collect();
        let best = weighed.iter().map(|&(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max);
        // Sums of the same numbers in a different order differ in their last digits.
        let good = weighed.iter().filter(|&&(_, worth)| worth > best - 1e-9).map(|&(action, _)| action);
        game.rng(view.turn).pick(good).expect("a ship is afloat, and may attack its own cell")
    }
}

arena_sdk::submarine::export!(SubTracker);

/// The number of random deployments from which the bot takes the most spread one. Measured over 1,000 games with each
/// rival of the tests: with 10 instead of 1, it wins 10 of 100 more against the one that flees. With 20 it would win 2 more still,
/// but its ships would nearly always be in the same corners.
const DRAWS: u32 = 10;

/// The sum of the squares of the distances between the ships. Ships far apart reach more of the board, and an attack that is near
/// to one says nothing of the others.
fn spread([battleship, cruiser, submarine]: &[Coord; 3]) -> u32 {
    let square = |one: Coord, other: Coord| {
        u32::from(one.row.abs_diff(other.row)).pow(2) + u32::from(one.column.abs_diff(other.column)).pow(2)
    };
    square(*battleship, *cruiser) + square(*battleship, *submarine) + square(*cruiser, *submarine)
}

/// The number of turns after which the bot has no caution left. Chosen among 40, 70, 100 and 150: of two bots that attack, the more
/// patient one wins most games, because the other one leaves its cover first, but games become longer.
const PATIENCE: u32 = 100;

/// The weight of a hit by the enemy at this turn, relative to a hit by the bot. An enemy that moves does not attack: one that
/// moves in more than half of its turns is feared less, and one that only flees not at all.
fn caution(turn: u32, moves: f64) -> f64 {
    let left = f64::from(PATIENCE.saturating_sub(turn)) / f64::from(PATIENCE);
    left * (2.0 * (1.0 - moves)).min(1.0)
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
mod rivals;
#[cfg(test)]
mod tests;
