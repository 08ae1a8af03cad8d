//! Placing three ships.

use crate::grid::{Block, Focus};
use crate::help::Keys;
use crate::on_screen::{Click, Confirm, Input, Reaction, move_cursor};
use arena_live::Decision;
use arena_pictures::submarine::{WATER, letter, three};
use arena_pictures::{Emphasis, Grid, Moment, Tone, spot};
use arena_rules::battleship::{FleetSpec, uniform};
use arena_rules::submarine::{SIZE, Ship, Submarine};
use arena_rules::{Coord, random};
use crossterm::event::KeyCode;

/// Three ships that are being placed.
#[derive(Clone, Debug)]
pub(super) struct Positioning {
    placed: Vec<Coord>,
    cursor: Coord,
    /// The seed of the last random positions; the next ones are drawn from the next number.
    seed: u64,
    /// True if a ship was placed by hand. It is not discarded without a question.
    is_by_hand: bool,
}

impl Positioning {
    pub(super) fn new(seed: u64) -> Self {
        Self { placed: Vec::new(), cursor: Coord::new(2, 2), seed, is_by_hand: false }
    }

    /// The ship to place now; `None` when all are placed.
    fn ship(&self) -> Option<Ship> {
        Ship::ALL.get(self.placed.len()).copied()
    }

    /// The ship that is placed at the cursor, if there is one.
    fn taken_by(&self) -> Option<Ship> {
        let index = self.placed.iter().position(|&at| at == self.cursor)?;
        Ship::ALL.get(index).copied()
    }

    fn enter(&mut self) -> Reaction<Submarine> {
        if let Ok(cells) = <[Coord; 3]>::try_from(self.placed.as_slice()) {
            return Reaction::Decided(Decision::Deployment(cells));
        }
        if let Some(other) = self.taken_by() {
            return Reaction::Notice(format!("the {other} is there already"));
        }
        self.placed.push(self.cursor);
        self.is_by_hand = true;
        Reaction::Changed
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::of_threes(SIZE, |at| {
            let ship = self.placed.iter().zip(Ship::ALL).find(|&(&cell, _)| cell == at);
            ship.map_or(WATER, |(_, ship)| (three(ship, ship.hit_points()), Tone::Ship))
        });
        if let (Some(ship), None) = (self.ship(), self.taken_by()) {
            grid.put(self.cursor, letter(ship), Tone::Good);
        }
        grid.mark(self.cursor, Emphasis::Cursor);
        grid
    }
}

impl Input<Submarine> for Positioning {
    fn key(&mut self, key: KeyCode, _moment: &Moment<Submarine>) -> Reaction<Submarine> {
        match key {
            KeyCode::Char('x') if self.is_by_hand && !self.placed.is_empty() => {
                return Reaction::Confirm(Confirm::Input("throw away the ships that you have placed?"));
            }
            KeyCode::Char('x') => return self.confirmed(),
            KeyCode::Backspace if self.placed.pop().is_none() => {
                return Reaction::Notice("no ship is placed yet".into());
            }
            KeyCode::Backspace => {}
            KeyCode::Enter => return self.enter(),
            key => return move_cursor(&mut self.cursor, SIZE, key),
        }
        Reaction::Changed
    }

    fn click(&mut self, click: Click, _moment: &Moment<Submarine>) -> Reaction<Submarine> {
        // What is placed by clicks begins with Enter alone.
        if !click.is_own || self.ship().is_none() {
            return Reaction::Nothing;
        }
        self.cursor = click.at;
        if click.decides { self.enter() } else { Reaction::Changed }
    }

    /// Draws other positions.
    fn confirmed(&mut self) -> Reaction<Submarine> {
        self.seed = self.seed.wrapping_add(1);
        self.placed = random_cells(self.seed);
        self.is_by_hand = false;
        Reaction::Changed
    }

    fn hint(&self, _moment: &Moment<Submarine>) -> (String, Tone) {
        let at = spot::name(SIZE, self.cursor);
        match (self.ship(), self.taken_by()) {
            (None, _) => (
                "all ships are placed: Enter begins, x draws others, Backspace takes one back".into(),
                Tone::Good,
            ),
            (Some(ship), Some(other)) => {
                (format!("the {ship} to {at}: the {other} is there already"), Tone::Fault)
            }
            (Some(ship), None) => {
                let points = ship.hit_points();
                (format!("the {ship}, {points} hit points, to {at}: Enter places it"), Tone::Good)
            }
        }
    }

    fn draw(&self, _moment: &Moment<Submarine>, [own, _]: [&mut Block; 2]) {
        own.grid = self.grid();
        own.focus = Focus { at: Some(self.cursor), top: None };
    }

    fn keys(&self) -> &'static Keys {
        &[("arrows", "move"), ("enter", "place"), ("x", "random"), ("backspace", "undo")]
    }
}

/// Three different cells, drawn uniformly.
fn random_cells(seed: u64) -> Vec<Coord> {
    // The positions are those of a Battleship fleet of three ships of one cell that may touch.
    let spec = FleetSpec { size: SIZE, lengths: vec![1; 3], may_touch: true };
    let fleet = uniform(&spec, &mut random::seeded(seed));
    fleet.map_or_else(Vec::new, |fleet| fleet.placements().iter().map(|ship| ship.anchor).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::submarine::Positions;

    #[test]
    fn random_positions_are_legal() {
        for seed in 0..100 {
            let cells: [Coord; 3] = random_cells(seed).try_into().unwrap();
            Positions::new(cells).unwrap();
        }
    }
}
