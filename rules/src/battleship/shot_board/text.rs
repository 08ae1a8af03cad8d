//! The text of a shot board.

use super::{Possible, ShipKind, Shot, ShotBoard};
use crate::{Coord, Direction};
use std::fmt;

impl<S: ShipKind> ShotBoard<S> {
    /// The board as lines: a frame with rows and columns named by letters, and then a line for each way in which a sunk
    /// ship may still lie.
    ///
    /// A cell that was not shot at is a space. A miss is `*`, a hit of an unknown ship `+`, and a hit of a sunk ship the
    /// ship's symbol. Capital letters follow after `z`.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{ShotBoard, Sunken};
    /// use arena_rules::{Coord, Size};
    ///
    /// let mut board: ShotBoard<Sunken> = ShotBoard::new(Size::new(2, 1));
    /// board.miss(Coord::new(0, 0));
    /// board.hit(Coord::new(0, 1));
    /// assert_eq!(board.to_strings()[2], "a | * | + |");
    /// ```
    pub fn to_strings(&self) -> Vec<String> {
        let divider = format!("--{}|", "+---".repeat(self.size.width.into()));
        let row = |name: char, cells: &mut dyn Iterator<Item = char>| {
            let cells: String = cells.map(|cell| format!("| {cell} ")).collect();
            format!("{name} {cells}|")
        };
        let mut lines = vec![row(' ', &mut (0..self.size.width).map(letter)), divider.clone()];
        for (number, cells) in (0..).zip(self.cells.chunks_exact(self.size.width.into())) {
            lines.push(row(letter(number), &mut cells.iter().copied().map(symbol)));
            lines.push(divider.clone());
        }
        lines.extend(self.possible().map(|way| way.to_string()));
        lines
    }
}

/// Prints the lines of [`ShotBoard::to_strings`].
impl<S: ShipKind> fmt::Display for ShotBoard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_strings().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Prints a line such as `patrol boat could be at ea:h`: row, column, and `h` for eastwards or `v` for southwards.
impl<S: ShipKind> fmt::Display for Possible<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coord { row, column } = self.placement.anchor;
        let orientation = if self.placement.direction == Direction::East { 'h' } else { 'v' };
        let name = self.ship.name();
        write!(f, "{name} could be at {}{}:{orientation}", letter(row), letter(column))
    }
}

fn letter(number: u8) -> char {
    let letters = ('a'..='z').chain('A'..='Z');
    letters.into_iter().nth(number.into()).unwrap_or('?')
}

fn symbol<S: ShipKind>(shot: Shot<S>) -> char {
    match shot {
        Shot::Unshot => ' ',
        Shot::Miss => '*',
        Shot::Hit => '+',
        Shot::Sunk(ship) => ship.symbol(),
    }
}
