//! The probability of a ship on each cell, as a side can know it: a map over the board.

use crate::grid::Grid;
use crate::tone::Tone;
use arena_record::overlay::tenths_of;
use arena_rules::Coord;

/// The probability of a ship on each cell of a board that was not shot at, as the other side can know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The probabilities, from 0 to 1, row by row.
    pub cells: Vec<f64>,
    /// True if all possible fleets were counted, false if the probabilities are estimates from a sample.
    pub is_exact: bool,
}

impl Heat {
    /// The source of the figures, in words.
    pub fn source(&self) -> &'static str {
        if self.is_exact { "counted" } else { "sampled" }
    }

    /// Draws the map over a board: a digit for the tenths of the largest chance on each cell that was not shot at.
    pub fn draw(&self, grid: &mut Grid) {
        let open = grid.size.coords().zip(&self.cells).filter(|(at, _)| is_open(grid, *at));
        let largest = open.map(|(_, &chance)| chance).fold(0.0, f64::max);
        for (at, &chance) in grid.size.coords().zip(&self.cells) {
            if chance > 0.0 {
                put_shade(grid, at, tenths_of(chance, largest));
            } else if is_open(grid, at) {
                grid.put(at, '-', Tone::Faint);
            }
        }
    }
}

/// True if a cell was not shot at.
pub fn is_open(grid: &Grid, at: Coord) -> bool {
    grid.cell(at).is_some_and(|cell| {
        cell.text.iter().all(|c| matches!(c, '·' | '-' | '■' | ' ')) || cell.tone == Tone::Text
    })
}

/// Puts a shade in tenths, from 0 to 9, on a cell, unless it was shot at.
pub fn put_shade(grid: &mut Grid, at: Coord, shade: u8) {
    if !is_open(grid, at) {
        return;
    }
    let tone = match shade {
        0 | 1 => Tone::Faint,
        2..5 => Tone::Text,
        5..8 => Tone::Last,
        _ => Tone::Hit,
    };
    grid.put(at, char::from_digit(shade.into(), 10).unwrap_or('9'), tone);
    if let Some(cell) = grid.cell_mut(at) {
        (cell.shade, cell.is_written) = (Some(shade), true);
    }
}
