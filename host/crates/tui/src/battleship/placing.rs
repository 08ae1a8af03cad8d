//! Placing a fleet, ship by ship.

use crate::grid::{Block, Focus};
use crate::help::Keys;
use crate::on_screen::{Click, Confirm, Input, Reaction, move_cursor};
use arena_live::Decision;
use arena_pictures::{Emphasis, Grid, Moment, Tone, spot};
use arena_rules::battleship::{Battleship, Fleet, FleetError, FleetSpec, GameInfo, scatter};
use arena_rules::{Coord, Direction, Placement, random};
use crossterm::event::KeyCode;

/// A fleet that is being placed.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    spec: FleetSpec,
    placed: Vec<Placement>,
    cursor: Coord,
    direction: Direction,
    /// The seed of the last random fleet; the next one is drawn from the next number.
    seed: u64,
    /// True if a ship was placed by hand. It is not discarded without a question.
    is_by_hand: bool,
}

impl Placing {
    pub(super) fn new(info: &GameInfo) -> Self {
        Self {
            spec: info.fleet_spec(),
            placed: Vec::new(),
            cursor: Coord::new(0, 0),
            direction: Direction::East,
            seed: info.seed,
            is_by_hand: false,
        }
    }

    /// The length of the ship to place now; `None` when all are placed.
    fn length(&self) -> Option<u8> {
        self.spec.lengths.get(self.placed.len()).copied()
    }

    /// The ship to place now, at the cursor.
    fn ghost(&self) -> Option<(Placement, u8)> {
        Some((Placement::new(self.cursor, self.direction), self.length()?))
    }

    /// Checks the ships placed so far and one more.
    fn check(&self, next: Placement) -> Result<Fleet, FleetError> {
        let placements: Vec<Placement> = self.placed.iter().copied().chain([next]).collect();
        let lengths = self.spec.lengths.iter().copied().take(placements.len()).collect();
        Fleet::parse(&FleetSpec { lengths, ..self.spec.clone() }, &placements)
    }

    /// True if there is room for the next ship.
    fn has_room(&self) -> bool {
        self.length().is_none_or(|length| self.spec.ways(length).any(|way| self.check(way).is_ok()))
    }

    fn enter(&mut self) -> Reaction<Battleship> {
        let Some((placement, _)) = self.ghost() else {
            return Reaction::Decided(Decision::Deployment(self.placed.clone()));
        };
        if let Err(error) = self.check(placement) {
            return Reaction::Notice(format!("not there: {}", self.why(&error)));
        }
        self.placed.push(placement);
        self.is_by_hand = true;
        if !self.has_room() {
            return Reaction::Notice("no room is left for the next ship: Backspace takes one back".into());
        }
        Reaction::Changed
    }

    /// Draws another fleet instead of the present one.
    fn draw_fleet(&mut self) -> Reaction<Battleship> {
        self.seed = self.seed.wrapping_add(1);
        match scatter(&self.spec, &mut random::seeded(self.seed)) {
            Some(fleet) => {
                self.placed = fleet.placements().to_vec();
                self.is_by_hand = false;
                Reaction::Changed
            }
            None => Reaction::Notice("no random fleet was found: place the ships yourself".into()),
        }
    }

    fn rotate(&mut self) {
        let is_east = self.direction == Direction::East;
        self.direction = if is_east { Direction::South } else { Direction::East };
    }

    /// The reason why a ship cannot lie there, as this screen puts it.
    fn why(&self, error: &FleetError) -> String {
        let at = |at: &Coord| spot::name(self.spec.size, *at);
        match error {
            FleetError::OffBoard { .. } => "it leaves the board".into(),
            FleetError::Overlap { other, at: cell, .. } => format!("it lies on ship {other} at {}", at(cell)),
            FleetError::Touch { other, at: cell, .. } => format!("it touches ship {other} at {}", at(cell)),
            FleetError::WrongCount { .. } => error.to_string(),
        }
    }

    /// The board with the ships that are placed and the next one.
    fn grid(&self) -> Grid {
        let lengths = self.spec.lengths.iter().copied();
        let cells = |placement: Placement, length: u8| {
            (0..length)
                .filter_map(move |steps| self.spec.size.step(placement.anchor, placement.direction, steps))
        };
        let mut grid = Grid::of_glyphs(self.spec.size, |_| ('·', Tone::Faint));
        for (placement, length) in self.placed.iter().copied().zip(lengths) {
            let ship: Vec<Coord> = cells(placement, length).collect();
            ship.iter().for_each(|&at| grid.put(at, '■', Tone::Ship));
            grid.join(&ship);
        }
        if let Some((placement, length)) = self.ghost() {
            let is_legal = self.check(placement).is_ok();
            let (glyph, tone) = if is_legal { ('□', Tone::Good) } else { ('x', Tone::Fault) };
            let ship: Vec<Coord> = cells(placement, length).collect();
            ship.iter().for_each(|&at| grid.put(at, glyph, tone));
            grid.join(&ship);
            grid.mark(self.cursor, Emphasis::Cursor);
        }
        grid
    }
}

impl Input<Battleship> for Placing {
    fn key(&mut self, key: KeyCode, _moment: &Moment<Battleship>) -> Reaction<Battleship> {
        match key {
            KeyCode::Char('r') => self.rotate(),
            KeyCode::Char('x') if self.is_by_hand && !self.placed.is_empty() => {
                return Reaction::Confirm(Confirm::Input("throw away the ships that you have placed?"));
            }
            KeyCode::Char('x') => return self.draw_fleet(),
            KeyCode::Backspace if self.placed.pop().is_none() => {
                return Reaction::Notice("no ship is placed yet".into());
            }
            KeyCode::Backspace => {}
            KeyCode::Enter => return self.enter(),
            key => return move_cursor(&mut self.cursor, self.spec.size, key),
        }
        Reaction::Changed
    }

    fn click(&mut self, click: Click, _moment: &Moment<Battleship>) -> Reaction<Battleship> {
        // Only Enter starts the game after ships were placed by clicks.
        if !click.is_own || self.ghost().is_none() {
            return Reaction::Nothing;
        }
        let is_there = self.cursor == click.at;
        self.cursor = click.at;
        match click.decides {
            true if is_there => self.enter(),
            true => Reaction::Changed,
            false => {
                self.rotate();
                Reaction::Changed
            }
        }
    }

    fn confirmed(&mut self) -> Reaction<Battleship> {
        self.draw_fleet()
    }

    fn hint(&self, _moment: &Moment<Battleship>) -> (String, Tone) {
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

    fn draw(&self, _moment: &Moment<Battleship>, [own, _]: [&mut Block; 2]) {
        own.grid = self.grid();
        own.focus = Focus { at: Some(self.cursor), top: None };
    }

    fn keys(&self) -> &'static Keys {
        &[("arrows", "move"), ("r", "rotate"), ("enter", "place"), ("x", "random"), ("backspace", "undo")]
    }
}
