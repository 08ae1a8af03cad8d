//! Placing a fleet, ship by ship.

use super::{Answer, Said, move_cursor};
use crate::grid::{Grid, Mark};
use crate::key::Key;
use crate::spot;
use crate::theme::Tone;
use arena_rules::{Coord, Direction, Fleet, FleetError, FleetSpec, Placement, random, scatter};

/// A fleet that is being placed.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    spec: FleetSpec,
    placed: Vec<Placement>,
    cursor: Coord,
    direction: Direction,
    /// What random fleets are drawn from: one after the other.
    seed: u64,
}

impl Placing {
    pub(super) fn new(spec: FleetSpec, seed: u64) -> Self {
        Self { spec, placed: Vec::new(), cursor: Coord::new(0, 0), direction: Direction::East, seed }
    }

    pub(super) fn cursor(&self) -> Coord {
        self.cursor
    }

    /// The length of the ship to place now; none when all are placed.
    fn length(&self) -> Option<u8> {
        self.spec.lengths.get(self.placed.len()).copied()
    }

    /// The ship to place now, where the cursor is.
    fn ghost(&self) -> Option<(Placement, u8)> {
        Some((Placement::new(self.cursor, self.direction), self.length()?))
    }

    /// Whether the ships placed so far and one more are legal.
    fn check(&self, next: Placement) -> Result<Fleet, FleetError> {
        let placements: Vec<Placement> = self.placed.iter().copied().chain([next]).collect();
        let lengths = self.spec.lengths.iter().copied().take(placements.len()).collect();
        Fleet::parse(&FleetSpec { lengths, ..self.spec.clone() }, &placements)
    }

    /// Whether some way is left for the next ship.
    fn has_room(&self) -> bool {
        self.length().is_none_or(|length| self.spec.ways(length).any(|way| self.check(way).is_ok()))
    }

    pub(super) fn key(&mut self, key: Key) -> Answer {
        match key {
            Key::Char('r') => {
                let is_east = self.direction == Direction::East;
                self.direction = if is_east { Direction::South } else { Direction::East };
            }
            Key::Char('x') => {
                self.seed = self.seed.wrapping_add(1);
                match scatter(&self.spec, &mut random::seeded(self.seed)) {
                    Some(fleet) => self.placed = fleet.placements().to_vec(),
                    None => {
                        return Answer::Told("no random fleet was found: place the ships yourself".into());
                    }
                }
            }
            Key::Backspace if self.placed.pop().is_none() => {
                return Answer::Told("no ship is placed yet".into());
            }
            Key::Backspace => {}
            Key::Enter => return self.enter(),
            key => return move_cursor(&mut self.cursor, self.spec.size, key),
        }
        Answer::Changed
    }

    fn enter(&mut self) -> Answer {
        let Some((placement, _)) = self.ghost() else {
            return Answer::Said(Said::Fleet(self.placed.clone()));
        };
        match self.check(placement) {
            // The line about the ship says why.
            Err(error) => return Answer::Told(format!("not there: {}", self.why(&error))),
            Ok(_) => self.placed.push(placement),
        }
        if !self.has_room() {
            return Answer::Told("no room is left for the next ship: Backspace takes one back".into());
        }
        Answer::Changed
    }

    /// What can be done now, and whether it is legal.
    pub(super) fn hint(&self) -> (String, Tone) {
        let Some((placement, length)) = self.ghost() else {
            return (
                "all ships are placed: Enter begins, x draws others, Backspace takes one back".into(),
                Tone::Good,
            );
        };
        let number = self.placed.len() + 1;
        let count = self.spec.lengths.len();
        let at = spot::name(self.spec.size, self.cursor);
        let heading = if self.direction == Direction::East { "to the right" } else { "downwards" };
        let ship = format!("ship {number} of {count}, {length} long, from {at} {heading}");
        match self.check(placement) {
            Ok(_) => (format!("{ship}: Enter places it"), Tone::Good),
            Err(error) => (format!("{ship}: {}", self.why(&error)), Tone::Fault),
        }
    }

    /// Why a ship cannot lie where it is, in words of this screen.
    fn why(&self, error: &FleetError) -> String {
        let at = |at: &Coord| spot::name(self.spec.size, *at);
        match error {
            FleetError::OffBoard { .. } => "it leaves the board".into(),
            FleetError::Overlap { other, at: cell, .. } => format!("it lies on ship {other} at {}", at(cell)),
            FleetError::Touch { other, at: cell, .. } => format!("it touches ship {other} at {}", at(cell)),
            FleetError::WrongCount { .. } => error.to_string(),
        }
    }

    /// The board with the ships that are placed and the one to place.
    pub(super) fn grid(&self) -> Grid {
        let lengths = self.spec.lengths.iter().copied();
        let cells = |placement: Placement, length: u8| {
            (0..length)
                .filter_map(move |steps| self.spec.size.step(placement.anchor, placement.direction, steps))
        };
        let mut grid = Grid::of_glyphs(self.spec.size, |_| ('·', Tone::Faint));
        for (placement, length) in self.placed.iter().copied().zip(lengths) {
            cells(placement, length).for_each(|at| grid.put(at, '■', Tone::Ship));
        }
        if let Some((placement, length)) = self.ghost() {
            let is_legal = self.check(placement).is_ok();
            let (glyph, tone) = if is_legal { ('□', Tone::Good) } else { ('x', Tone::Fault) };
            cells(placement, length).for_each(|at| grid.put(at, glyph, tone));
            grid.mark(self.cursor, Mark::Cursor);
        }
        grid
    }
}
