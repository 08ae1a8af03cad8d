//! The heat of each cell, as the arena draws it.

use arena_sdk::{CellSet, Coord, Grid};
use std::fmt::Write;

/// A line of the log for each row with open cells, which shades them: `@shade 3 - 12 40`.
pub fn shades<const WORDS: usize>(heat: &Grid<f64>, open: CellSet<WORDS>) -> String {
    let size = heat.size();
    let mut lines = String::new();
    for row in 0..size.height {
        let cells = (0..size.width).map(|column| Coord { row, column });
        if !cells.clone().any(|at| open.contains(at)) {
            continue;
        }
        let _ = write!(lines, "@shade {row}");
        for at in cells {
            // Whole numbers are short; only parts of the largest one are seen.
            let _ = if open.contains(at) { write!(lines, " {:.0}", heat[at]) } else { write!(lines, " -") };
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::Size;

    #[test]
    fn each_row_with_open_cells_is_a_line() {
        let mut heat = Grid::filled(Size::new(3, 3), 2.0);
        let at = Coord { row: 2, column: 1 };
        heat[at] = 1234.4;
        let open = CellSet::<2>::of(at) | CellSet::of(Coord { row: 0, column: 0 });
        assert_eq!(shades(&heat, open), "@shade 0 2 - -\n@shade 2 - 1234 -\n");
    }
}
