//! Cells as numbers, and sets of cells as bits: the data of all sums.
//!
//! Cells are numbers from 0 to 24, row by row, and a set of cells is the bits of a `u32`.

use arena_sdk::Coord;
use arena_sdk::submarine::{SIZE, Tracker};

/// The cells of the battleship, the cruiser and the submarine; [`SUNK`] for a sunk ship.
pub type Cells = [u8; 3];

/// The cell number of a sunk ship. It is off the board.
pub const SUNK: u8 = 25;

/// The positions that a tracker holds.
pub fn positions(tracker: &Tracker) -> Vec<Cells> {
    tracker.states().map(|cells| cells.map(|cell| cell.map_or(SUNK, cell_of))).collect()
}

/// The number of a cell.
pub fn cell_of(at: Coord) -> u8 {
    // All cells in a view are on the board.
    SIZE.index(at).map_or(SUNK, |index| index as u8)
}

/// The cells of a set.
pub fn bits(mut cells: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// The end of a move that begins at `start` and goes as far as from `from` to `to`; [`SUNK`] if it is off the board.
pub fn end_of_way(start: u8, from: u8, to: u8) -> u8 {
    let side = SIZE.width;
    let is_within_row = from / side == to / side;
    match (start + to).checked_sub(from) {
        Some(end) if start < SUNK && end < SUNK && (!is_within_row || start / side == end / side) => end,
        _ => SUNK,
    }
}

/// The set of cells of the ships that are afloat.
pub fn set(cells: &Cells) -> u32 {
    cells.iter().fold(0, |set, cell| set | 1 << cell) & !(1 << SUNK)
}

/// The set of cells that ships on these cells can attack.
pub fn reach(cells: &Cells) -> u32 {
    cells.iter().fold(0, |reach, &cell| reach | NEAR[usize::from(cell)])
}

/// The digit of a ship in the report of an attack: 0 if it is hit, 1 if it is near, 2 if neither.
pub fn nearness(cell: u8, at: u8) -> usize {
    if cell == at { 0 } else { 2 - usize::from(NEAR[usize::from(at)] >> cell & 1 == 1) }
}

/// By cell, the set of cells within one step, itself included; empty for a sunk ship.
pub const NEAR: [u32; 26] = {
    let mut near = [0; 26];
    let mut pair = 0;
    while pair < 25 * 25 {
        let (from, to) = (pair / 25, pair % 25);
        if (from / 5_usize).abs_diff(to / 5) <= 1 && (from % 5_usize).abs_diff(to % 5) <= 1 {
            near[from] |= 1 << to;
        }
        pair += 1;
    }
    near
};

/// By cell, the set of cells to which a ship may move from it: those in its row and its column.
pub const WAYS: [u32; 26] = {
    let mut ways = [0; 26];
    let mut pair = 0;
    while pair < 25 * 25 {
        let (from, to) = (pair / 25, pair % 25);
        if from != to && (from / 5 == to / 5 || from % 5 == to % 5) {
            ways[from] |= 1 << to;
        }
        pair += 1;
    }
    ways
};

/// The cells of a set after all of them moved as far as from `from` to `to`, without those off the board.
pub fn moved(cells: u32, from: u8, to: u8) -> u32 {
    let far = u32::from(from.abs_diff(to));
    if from / 5 != to / 5 {
        return if to > from { cells << far & BOARD } else { cells >> far };
    }
    // In a row: the columns from which the way stays on the board.
    let columns = if to > from { 0b11111 >> far } else { 0b11111 << far & 0b11111 };
    let cells = cells & (columns * 0b00001_00001_00001_00001_00001);
    if to > from { cells << far } else { cells >> far }
}

/// The set of all cells.
pub const BOARD: u32 = (1 << 25) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(row: u8, column: u8) -> Coord {
        Coord::new(row, column)
    }

    #[test]
    fn near_means_the_same_as_in_the_rules() {
        for from in SIZE.coords() {
            for to in SIZE.coords() {
                let is_near = SIZE.neighbours(from).any(|near| near == to);
                let expected = if from == to { 0 } else { 2 - usize::from(is_near) };
                assert_eq!(nearness(cell_of(from), cell_of(to)), expected, "{from} {to}");
            }
        }
        assert_eq!(nearness(SUNK, 0), 2);
        assert_eq!(reach(&[SUNK; 3]) | set(&[SUNK; 3]), 0);
    }

    #[test]
    fn a_move_goes_equally_far_from_every_cell_or_off_the_board() {
        for (from, to) in
            [(at(2, 1), at(2, 4)), (at(2, 4), at(2, 0)), (at(0, 3), at(4, 3)), (at(3, 3), at(2, 3))]
        {
            let far = |from: u8, to: u8| i32::from(to) - i32::from(from);
            for start in SIZE.coords() {
                let ends = SIZE.coords().find(|end| {
                    far(start.row, end.row) == far(from.row, to.row)
                        && far(start.column, end.column) == far(from.column, to.column)
                });
                let found = end_of_way(cell_of(start), cell_of(from), cell_of(to));
                assert_eq!(found, ends.map_or(SUNK, cell_of), "{start}, as from {from} to {to}");
            }
        }
        assert_eq!(end_of_way(SUNK, 6, 5), SUNK);
    }

    #[test]
    fn a_set_moves_as_its_cells_do() {
        for from in 0..SUNK {
            for to in bits(WAYS[usize::from(from)]) {
                for start in 0..SUNK {
                    let end = end_of_way(start, from, to as u8);
                    let expected = if end == SUNK { 0 } else { 1 << end };
                    assert_eq!(
                        moved(1 << start, from, to as u8),
                        expected,
                        "{start}, as from {from} to {to}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_ship_moves_to_the_destinations_of_the_rules() {
        use arena_sdk::submarine::{Ship, View};
        for from in SIZE.coords() {
            let others = SIZE.coords().filter(|&cell| cell.row != from.row && cell.column != from.column);
            let others: Vec<Coord> = others.take(2).collect();
            let view = View::first([from, others[0], others[1]]);
            let expected = view.destinations(Ship::Battleship).fold(0, |set, to| set | 1 << cell_of(to));
            assert_eq!(WAYS[usize::from(cell_of(from))], expected, "{from}");
        }
    }
}
