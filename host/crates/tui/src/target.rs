//! The parts of a picture that can be clicked on.

use arena_rules::Coord;
use ratatui::layout::{Position, Rect};

/// A thing to click on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A board: the first one drawn is 0. Its first cell that is shown, and the columns and rows of a cell.
    Board { number: usize, first: Coord, pitch: (u16, u16) },
    /// A bar that stands for the whole game.
    Bar,
    /// A line of a list, by its place in the list.
    Row(usize),
    /// A game among several.
    Game(usize),
    /// One of a person's choices, by its place among them.
    Choice(usize),
}

/// A thing that was clicked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clicked {
    /// A cell of a board.
    Cell { board: usize, at: Coord },
    /// A place of the bar, in columns from its left, and the number of its columns.
    Bar { column: u16, columns: u16 },
    /// A line of a list.
    Row(usize),
    /// A game among several.
    Game(usize),
    /// One of a person's choices.
    Choice(usize),
}

/// The parts of the last picture that can be clicked on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets(pub(crate) Vec<(Rect, Target)>);

impl Targets {
    /// The thing at a place of the screen, if there is one.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Clicked> {
        let place = Position { x: column, y: row };
        let (area, target) = self.0.iter().rev().find(|(area, _)| area.contains(place))?;
        let (right, down) = (column - area.x, row - area.y);
        Some(match *target {
            Target::Board { number, first, pitch } => {
                // A board has 32 rows and columns at most.
                let of = |first: u8, cells: u16, pitch: u16| first + (cells / pitch.max(1)) as u8;
                let at = Coord::new(of(first.row, down, pitch.1), of(first.column, right, pitch.0));
                Clicked::Cell { board: number, at }
            }
            Target::Bar => Clicked::Bar { column: right, columns: area.width },
            Target::Row(row) => Clicked::Row(row),
            Target::Game(game) => Clicked::Game(game),
            Target::Choice(place) => Clicked::Choice(place),
        })
    }
}
