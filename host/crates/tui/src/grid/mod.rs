//! A board as cells to show, whoever looks at it.

mod boards;
mod rows;

pub(crate) use boards::{Block, draw_blocks};
pub(crate) use rows::{Focus, Window, lines};

use crate::moment::Deed;
use crate::moment::{BattleMoment, Inference, Moment, SubmarineMoment};
use crate::theme::Tone;
use crate::words::letter;
use arena_rules::shot_board::Shot;
use arena_rules::submarine::{SIZE as SUBMARINE_SIZE, Ship};
use arena_rules::{Coord, Seat, Size};

/// Whose eyes a board is seen with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everything is seen.
    Truth,
    /// What the side at this seat knows.
    Of(Seat),
}

impl Sight {
    /// Whether a side's board is seen as it is.
    pub(crate) fn sees(self, owner: Seat) -> bool {
        self == Self::Truth || self == Self::Of(owner)
    }
}

/// How a cell stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// It was shot at, attacked or moved to last.
    Last,
    /// The cursor is on it.
    Cursor,
    /// It is in reach.
    Reach,
}

/// A cell to show: one character, or three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) text: [char; 3],
    pub(crate) tone: Tone,
    pub(crate) mark: Mark,
}

impl Cell {
    const fn of(glyph: char, tone: Tone) -> Self {
        Self { text: [glyph, ' ', ' '], tone, mark: Mark::None }
    }

    const fn of_three(text: [char; 3], tone: Tone) -> Self {
        Self { text, tone, mark: Mark::None }
    }
}

/// A board to show.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) size: Size,
    /// Characters of a cell: 1 or 3.
    pub(crate) cell_width: u8,
    cells: Vec<Cell>,
}

impl Grid {
    /// A side's board in a game.
    pub(crate) fn new(moment: &Moment, owner: Seat, sight: Sight) -> Self {
        match moment {
            Moment::Battleship(moment) if sight.sees(owner) => battle(moment, owner),
            Moment::Battleship(moment) => battle_seen(moment, owner),
            Moment::Submarine(moment) if sight.sees(owner) => submarine(moment, owner),
            Moment::Submarine(moment) => submarine_seen(moment, owner),
        }
    }

    /// A board with a glyph on each cell, one character wide.
    pub(crate) fn of_glyphs(size: Size, glyph: impl FnMut(Coord) -> (char, Tone)) -> Self {
        let cells = size.coords().map(glyph).map(|(glyph, tone)| Cell::of(glyph, tone)).collect();
        Self { size, cell_width: 1, cells }
    }

    /// A board of submarine with three characters on each cell.
    pub(crate) fn of_threes(three: impl FnMut(Coord) -> ([char; 3], Tone)) -> Self {
        let size = SUBMARINE_SIZE;
        let cells = size.coords().map(three).map(|(text, tone)| Cell::of_three(text, tone)).collect();
        Self { size, cell_width: 3, cells }
    }

    pub(crate) fn cell(&self, at: Coord) -> Option<&Cell> {
        self.cells.get(self.size.index(at)?)
    }

    /// Marks a cell. Off the board there is nothing to mark.
    pub(crate) fn mark(&mut self, at: Coord, mark: Mark) {
        if let Some(index) = self.size.index(at) {
            self.cells[index].mark = mark;
        }
    }

    /// Puts something else on a cell.
    pub(crate) fn put(&mut self, at: Coord, glyph: char, tone: Tone) {
        if let Some(index) = self.size.index(at) {
            let text = if self.cell_width == 1 { [glyph, ' ', ' '] } else { [' ', glyph, ' '] };
            self.cells[index] = Cell { text, tone, mark: self.cells[index].mark };
        }
    }
}

/// A board with its ships.
fn battle(moment: &BattleMoment, owner: Seat) -> Grid {
    let fleet = moment.fleet(owner);
    let ship_on = |at| fleet.and_then(|fleet| Some(&fleet.ships()[fleet.ship_index(at)?]));
    let mut grid =
        Grid::of_glyphs(moment.rules.size(), |at| match (ship_on(at), moment.was_shot(owner, at)) {
            (None, false) => ('·', Tone::Faint),
            (None, true) => ('o', Tone::Miss),
            (Some(_), false) => ('■', Tone::Ship),
            (Some(ship), true) if ship.cells.iter().all(|&cell| moment.was_shot(owner, cell)) => {
                ('#', Tone::Sunk)
            }
            (Some(_), true) => ('X', Tone::Hit),
        });
    mark_last_shot(&mut grid, moment, owner);
    grid
}

/// A board as the other side knows it.
fn battle_seen(moment: &BattleMoment, owner: Seat) -> Grid {
    let board = &moment.learned[owner.other().index()];
    let afloat =
        if moment.rules.sinkings_announced { moment.afloat(owner) } else { moment.rules.fleet.clone() };
    let inference = Inference::new(&moment.rules, board, &afloat);
    let mut grid = Grid::of_glyphs(board.size(), |at| match board.cell(at) {
        Shot::Unshot if inference.is_empty(at) => ('-', Tone::Faint),
        Shot::Unshot => ('·', Tone::Text),
        Shot::Miss => ('o', Tone::Miss),
        Shot::Hit => ('X', Tone::Hit),
        Shot::Sunk(_) => ('#', Tone::Sunk),
    });
    mark_last_shot(&mut grid, moment, owner);
    grid
}

fn mark_last_shot(grid: &mut Grid, moment: &BattleMoment, owner: Seat) {
    if let Some(at) = moment.last[owner.other().index()] {
        grid.mark(at, Mark::Last);
    }
}

/// A board with its ships and their hit points.
fn submarine(moment: &SubmarineMoment, owner: Seat) -> Grid {
    let ships = moment.ships(owner);
    let mut grid = Grid::of_threes(|at| match ships.iter().find(|&&(_, _, place)| place == at) {
        Some(&(ship, hit_points, _)) => {
            ([letter(ship), char::from_digit(hit_points.into(), 10).unwrap_or('?'), ' '], Tone::Ship)
        }
        None => ([' ', '·', ' '], Tone::Faint),
    });
    match moment.last {
        Some((mover, Deed::Attacked(at))) if mover != owner => attack(&mut grid, at),
        Some((mover, Deed::Moved { from, to })) if mover == owner => {
            grid.put(from, arrow(from, to), Tone::Last);
            grid.mark(to, Mark::Last);
        }
        _ => {}
    }
    grid
}

/// A board as the other side knows it: on each cell the ships that may be there.
fn submarine_seen(moment: &SubmarineMoment, owner: Seat) -> Grid {
    let possible = moment.possible(owner.other());
    let mut grid = Grid::of_threes(|at| {
        let known = possible.as_ref().zip(SUBMARINE_SIZE.index(at)).map(|((cells, _), index)| cells[index]);
        match known {
            None => ([' ', '·', ' '], Tone::Faint),
            Some([false, false, false]) => ([' ', '-', ' '], Tone::Faint),
            Some(ships) => {
                let glyph = |ship: Ship| if ships[ship.index()] { letter(ship) } else { '·' };
                (Ship::ALL.map(glyph), Tone::Text)
            }
        }
    });
    if let Some((mover, Deed::Attacked(at))) = moment.last
        && mover != owner
    {
        attack(&mut grid, at);
    }
    grid
}

/// Marks an attacked cell, beside the ship that may be on it.
fn attack(grid: &mut Grid, at: Coord) {
    grid.mark(at, Mark::Last);
    if let Some(index) = grid.size.index(at) {
        let cell = &mut grid.cells[index];
        let is_water = cell.text[0] == ' ';
        cell.text[if is_water { 1 } else { 2 }] = '!';
        cell.tone = Tone::Hit;
    }
}

fn arrow(from: Coord, to: Coord) -> char {
    if to.row < from.row {
        '↑'
    } else if to.row > from.row {
        '↓'
    } else if to.column < from.column {
        '←'
    } else {
        '→'
    }
}
