//! Overlays of bots on boards.

use crate::grid::{Grid, Stroke};
use crate::heat::{is_open, put_shade};
use crate::tone::Tone;
use arena_record::Overlay;
use arena_rules::Coord;

/// Draws an overlay over a board: lines below, then shades as digits, then texts. A cell that was shot at keeps its sign.
pub fn draw_overlay(grid: &mut Grid, overlay: &Overlay) {
    let size = grid.size;
    let is_open: Vec<bool> = size.coords().map(|at| is_open(grid, at)).collect();
    for &[from, to] in overlay.lines() {
        for (at, stroke) in strokes(from, to) {
            if let Some(cell) = grid.cell_mut(at) {
                cell.stroke |= stroke;
            }
        }
    }
    let shades = overlay.shades();
    for (index, at) in size.coords().enumerate().filter(|(index, _)| is_open[*index]) {
        match shades.get(&index) {
            Some(&shade) => put_shade(grid, at, shade),
            None => put_stroke(grid, at),
        }
        if let Some(text) = overlay.text(index) {
            put_text(grid, at, text);
        }
    }
}

/// Puts the sign of a line on a cell, if one goes over it.
fn put_stroke(grid: &mut Grid, at: Coord) {
    if let Some(sign) = grid.cell(at).and_then(|cell| cell.stroke.sign()) {
        grid.put(at, sign, Tone::Key);
    }
}

/// Puts one or two characters on a cell.
fn put_text(grid: &mut Grid, at: Coord, text: &str) {
    let mut chars = text.chars();
    let [first, second] = [chars.next().unwrap_or(' '), chars.next().unwrap_or(' ')];
    let is_narrow = grid.cell_width == 1;
    if let Some(cell) = grid.cell_mut(at) {
        // In a cell of three, one character is in the middle.
        cell.text = if is_narrow || second != ' ' { [first, second, ' '] } else { [' ', first, ' '] };
        (cell.tone, cell.is_written) = (Tone::Strong, true);
    }
}

/// The cells that a line goes over, each with the directions in which it leaves the cell's middle.
fn strokes(from: Coord, to: Coord) -> Vec<(Coord, Stroke)> {
    let cells = cells_between(from.min(to), from.max(to));
    let stroke = |place: usize| {
        let here = cells[place];
        let near = [place.checked_sub(1), Some(place + 1)];
        let others = near.into_iter().flatten().filter_map(|other| cells.get(other));
        others.fold(Stroke::default(), |stroke, &other| stroke | Stroke::towards(here, other))
    };
    (0..cells.len()).map(|place| (cells[place], stroke(place))).collect()
}

/// The cells nearest to a straight line, each a neighbour of the one before. Of two that are as near, it is the one further on.
fn cells_between(from: Coord, to: Coord) -> Vec<Coord> {
    let [rows, columns] =
        [(from.row, to.row), (from.column, to.column)].map(|(from, to)| i32::from(to) - i32::from(from));
    let steps = rows.abs().max(columns.abs());
    let place = |start: u8, way: i32, step: i32| {
        let moved = (2 * way.abs() * step + steps) / (2 * steps.max(1)) * way.signum();
        (i32::from(start) + moved) as u8
    };
    (0..=steps)
        .map(|step| Coord::new(place(from.row, rows, step), place(from.column, columns, step)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Size;

    fn drawn(printed: &str, size: Size) -> Vec<String> {
        let mut grid = Grid::of_glyphs(size, |at| {
            if at == Coord::new(0, 0) { ('o', Tone::Miss) } else { ('·', Tone::Faint) }
        });
        draw_overlay(&mut grid, &Overlay::of(printed, size));
        let cell = |row, column| grid.cell(Coord::new(row, column)).expect("it is on the board").text[0];
        (0..size.height).map(|row| (0..size.width).map(|column| cell(row, column)).collect()).collect()
    }

    #[test]
    fn lines_go_in_all_directions_over_open_cells() {
        let size = Size::new(7, 5);
        assert_eq!(
            drawn("@line a0 c0\n@line g0 g3", size)[..4],
            ["o──···│", "······│", "······│", "······│"]
        );
        assert_eq!(
            drawn("@line a0 e4\n@line e0 a4", size),
            ["o···╱··", "·╲·╱···", "··┼····", "·╱·╲···", "╱···╲··"]
        );
        assert_eq!(drawn("@line a1 g3", size), ["o······", "──·····", "··───··", "·····──", "·······"]);
        assert_eq!(drawn("@line a1 c2", size), drawn("@line c2 a1", size));
    }

    #[test]
    fn a_digit_covers_a_line_and_a_text_covers_both() {
        let size = Size::new(5, 1);
        assert_eq!(drawn("@line a0 e0\n@mark c0 2\n@mark d0 1\n@text d0 x1", size), ["o─9x─"]);
        assert_eq!(
            drawn("@mark a0 1\n@text a0 x1", size),
            ["o····"],
            "a cell that was shot at keeps its sign"
        );
    }

    #[test]
    fn a_line_has_each_cell_once_and_its_ends() {
        let size = Size::new(9, 9);
        for from in size.coords() {
            for to in size.coords() {
                let cells = cells_between(from, to);
                assert_eq!((cells[0], *cells.last().unwrap()), (from, to));
                for pair in cells.windows(2) {
                    let [rows, columns] =
                        [pair[0].row.abs_diff(pair[1].row), pair[0].column.abs_diff(pair[1].column)];
                    assert_eq!(rows.max(columns), 1, "{from} {to}: {pair:?}");
                }
            }
        }
    }
}
