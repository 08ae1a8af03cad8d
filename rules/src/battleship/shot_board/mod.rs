//! The knowledge of the opponent's board from shots, if sinkings are announced.
//!
//! A hit that sinks a ship gives more information than a plain hit: the ship lies on cells that were all hit, in one of a
//! few ways. A [`ShotBoard`] keeps these ways for each sunk ship, and removes those that later shots contradict. If ships
//! may touch, this is hard to do by hand.
//!
//! ```
//! use arena_rules::battleship::shot_board::{Shot, ShotBoard, Sunken};
//! use arena_rules::{Coord, Size};
//!
//! // Two ships of length 2 and one of 3 on a board of 4 by 4. Only the lengths of sunk ships are announced.
//! let mut board = ShotBoard::new(Size::new(4, 4));
//! board.hit(Coord::new(0, 0));
//! board.hit(Coord::new(0, 1));
//! let ship: Sunken = board.sank_length(Coord::new(1, 0), 2);
//! // It lies on (0, 0) and (1, 0): (1, 1) and (2, 0) were never hit. So (0, 1) belongs to another ship, which is afloat.
//! assert_eq!(board.cell(Coord::new(0, 0)), Shot::Sunk(ship));
//! assert_eq!(board.cell(Coord::new(0, 1)), Shot::Hit);
//! assert_eq!(board.possible().count(), 0, "the sunk ship has one way to lie");
//! ```

mod ships;
mod text;

pub use ships::{ClassicShip, ShipKind, Sunken};

use crate::{CellSet, Coord, Direction, Placement, Size};

/// A cell of a shot board.
///
/// ```
/// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
/// use arena_rules::Coord;
///
/// assert_eq!(ShotBoard::classic().cell(Coord::new(0, 0)), Shot::Unshot);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shot<S> {
    /// Not shot at.
    Unshot,
    /// Shot at: water.
    Miss,
    /// Shot at: part of an unknown ship, afloat or sunk.
    Hit,
    /// Shot at: part of this sunk ship.
    Sunk(S),
}

/// A way in which a sunk ship may lie.
///
/// ```
/// use arena_rules::battleship::shot_board::{ClassicShip, ShotBoard};
/// use arena_rules::Coord;
///
/// let mut board = ShotBoard::classic();
/// board.hit(Coord::new(4, 4));
/// board.hit(Coord::new(4, 5));
/// board.hit(Coord::new(5, 4));
/// board.sank(Coord::new(4, 4), ClassicShip::PatrolBoat);
/// let way = board.possible().next().expect("it lies eastwards or southwards");
/// assert!(way.cells().eq([Coord::new(4, 4), Coord::new(4, 5)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Possible<S> {
    /// The ship.
    pub ship: S,
    /// The placement from its topmost or leftmost cell, southwards or eastwards.
    pub placement: Placement,
}

/// The knowledge of the opponent's board from the shots so far.
///
/// If it starts empty and gets the true results of shots at distinct cells, all its answers are true: about each cell, and about
/// each sunk ship. A sunk ship is either settled, so that all its cells are [`Shot::Sunk`], or it lies in one of the ways
/// that [`ShotBoard::possible`] lists. The results are not checked: after a false one, the answers are meaningless.
///
/// `S` is the type of a ship's name: [`ClassicShip`] for the five ships with names, [`Sunken`] if only lengths are
/// announced, or another [`ShipKind`].
///
/// ```
/// use arena_rules::battleship::shot_board::{ClassicShip, Shot, ShotBoard};
/// use arena_rules::Coord;
///
/// let mut board = ShotBoard::classic();
/// board.hit(Coord::new(4, 4));
/// board.sank(Coord::new(4, 5), ClassicShip::PatrolBoat);
/// assert_eq!(board.cell(Coord::new(4, 4)), Shot::Sunk(ClassicShip::PatrolBoat));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShotBoard<S = ClassicShip> {
    size: Size,
    cells: Vec<Shot<S>>,
    /// The ways of the sunk ships that are not settled, in the order in which the ships were sunk.
    open: Vec<Possible<S>>,
}

impl ShotBoard<ClassicShip> {
    /// A board of 10 by 10 before any shot, for the five ships of the classic game.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::Size;
    ///
    /// let board = ShotBoard::classic();
    /// assert_eq!(board.size(), Size::new(10, 10));
    /// assert!(board.cells().all(|(_, cell)| cell == Shot::Unshot));
    /// ```
    pub fn classic() -> Self {
        Self::new(Size::new(10, 10))
    }
}

impl ShotBoard<Sunken> {
    /// Records that the shot at a cell sank a ship, if only its length is known. Returns the name of the ship: two
    /// sunk ships of the same length get two names.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::{Coord, Size};
    ///
    /// let mut board = ShotBoard::new(Size::new(4, 4));
    /// let [first, second] = [Coord::new(0, 0), Coord::new(2, 2)].map(|at| board.sank_length(at, 1));
    /// assert_eq!((first.number, second.number), (1, 2));
    /// assert_eq!(board.cell(Coord::new(2, 2)), Shot::Sunk(second));
    /// ```
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn sank_length(&mut self, at: Coord, length: u8) -> Sunken {
        let of_length = |ship: &Sunken| ship.length == length;
        let in_cells = self.cells.iter().filter_map(|cell| match cell {
            Shot::Sunk(ship) => Some(ship),
            _ => None,
        });
        // The cell of the shot that sank a ship stays a cell of that ship, so each sunk ship is found among the cells.
        let sunk_before = in_cells.filter(|&ship| of_length(ship)).map(|ship| ship.number).max();
        let ship = Sunken { length, number: sunk_before.map_or(1, |number| number.saturating_add(1)) };
        self.sank(at, ship);
        ship
    }
}

impl<S: ShipKind> ShotBoard<S> {
    /// A board before any shot.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{ShotBoard, Sunken};
    /// use arena_rules::Size;
    ///
    /// let board: ShotBoard<Sunken> = ShotBoard::new(Size::new(12, 8));
    /// assert_eq!(board.cells().count(), 96);
    /// ```
    pub fn new(size: Size) -> Self {
        Self { size, cells: vec![Shot::Unshot; size.cells()], open: Vec::new() }
    }

    /// The size of the board.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::ShotBoard;
    /// use arena_rules::Size;
    ///
    /// assert_eq!(ShotBoard::classic().size(), Size::new(10, 10));
    /// ```
    pub fn size(&self) -> Size {
        self.size
    }

    /// The knowledge of a cell.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::Coord;
    ///
    /// let mut board = ShotBoard::classic();
    /// board.hit(Coord::new(2, 3));
    /// assert_eq!(board.cell(Coord::new(2, 3)), Shot::Hit);
    /// assert_eq!(board.cell(Coord::new(3, 2)), Shot::Unshot);
    /// ```
    ///
    /// # Panics
    /// If it is off the board.
    pub fn cell(&self, at: Coord) -> Shot<S> {
        self.cells[self.index(at)]
    }

    /// All cells with the knowledge of each, row by row from the top left.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::Coord;
    ///
    /// let mut board = ShotBoard::classic();
    /// board.miss(Coord::new(0, 1));
    /// let shot_at = board.cells().filter(|(_, cell)| *cell != Shot::Unshot);
    /// assert!(shot_at.eq([(Coord::new(0, 1), Shot::Miss)]));
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = (Coord, Shot<S>)> {
        self.size.coords().zip(self.cells.iter().copied())
    }

    /// The cells whose knowledge is chosen, as a set.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let mut board = ShotBoard::classic();
    /// board.hit(Coord::new(2, 3));
    /// let hits: CellSet = board.set_of(|shot| shot == Shot::Hit);
    /// assert!(hits.iter().eq([Coord::new(2, 3)]));
    /// ```
    ///
    /// # Panics
    /// If the board is larger than the set allows; see [`CellSet::SIDE`].
    pub fn set_of<const WORDS: usize>(&self, is_chosen: impl Fn(Shot<S>) -> bool) -> CellSet<WORDS> {
        CellSet::from_values(self.size, &self.cells, |&shot| is_chosen(shot))
    }

    /// The ways in which the sunk ships that are not settled may lie, sorted by ship, then eastwards before southwards, then
    /// by position.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{ClassicShip, ShotBoard};
    /// use arena_rules::{Coord, Direction};
    ///
    /// let mut board = ShotBoard::classic();
    /// board.hit(Coord::new(4, 5));
    /// board.hit(Coord::new(5, 4));
    /// board.sank(Coord::new(4, 4), ClassicShip::PatrolBoat);
    /// let directions = board.possible().map(|way| way.placement.direction);
    /// assert!(directions.eq([Direction::East, Direction::South]));
    /// ```
    pub fn possible(&self) -> impl Iterator<Item = Possible<S>> {
        let mut possible = self.open.clone();
        possible
            .sort_by_key(|way| (way.ship, way.placement.direction != Direction::East, way.placement.anchor));
        possible.into_iter()
    }

    /// Records that the shot at a cell was a miss.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::Coord;
    ///
    /// let mut board = ShotBoard::classic();
    /// board.miss(Coord::new(0, 0));
    /// assert_eq!(board.cell(Coord::new(0, 0)), Shot::Miss);
    /// ```
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn miss(&mut self, at: Coord) {
        self.set(at, Shot::Miss);
    }

    /// Records that the shot at a cell hit a ship and did not sink it.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{Shot, ShotBoard};
    /// use arena_rules::Coord;
    ///
    /// let mut board = ShotBoard::classic();
    /// board.hit(Coord::new(0, 0));
    /// assert_eq!(board.cell(Coord::new(0, 0)), Shot::Hit);
    /// ```
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn hit(&mut self, at: Coord) {
        self.set(at, Shot::Hit);
    }

    /// Records that the shot at a cell sank a ship. No two ships of a fleet may be equal.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{ClassicShip, Shot, ShotBoard};
    /// use arena_rules::Coord;
    ///
    /// let mut board = ShotBoard::classic();
    /// board.hit(Coord::new(4, 4));
    /// board.sank(Coord::new(4, 5), ClassicShip::PatrolBoat);
    /// // A ship of length 2 lies on both cells, since no other beside the last shot was hit.
    /// assert_eq!(board.cell(Coord::new(4, 4)), Shot::Sunk(ClassicShip::PatrolBoat));
    /// ```
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn sank(&mut self, at: Coord, ship: S) {
        self.set(at, Shot::Sunk(ship));
        self.open
            .extend(ways_over(self.size, at, ship.length()).map(|placement| Possible { ship, placement }));
        while self.strike_out() || self.settle() {}
    }

    /// Removes the ways that contradict the cells. Returns true if there were any.
    fn strike_out(&mut self) -> bool {
        let before = self.open.len();
        let (size, cells) = (self.size, &self.cells);
        let agrees = |cell: Coord, ship| {
            let known = size.index(cell).map(|index| cells[index]);
            known == Some(Shot::Hit) || known == Some(Shot::Sunk(ship))
        };
        self.open.retain(|way| way.cells().all(|cell| agrees(cell, way.ship)));
        self.open.len() < before
    }

    /// Settles a ship that has one way left. Returns true if there was one.
    fn settle(&mut self) -> bool {
        let ways_of = |ship| self.open.iter().filter(|way| way.ship == ship).count();
        let Some(index) = self.open.iter().position(|way| ways_of(way.ship) == 1) else { return false };
        let way = self.open.remove(index);
        for cell in way.cells() {
            self.set(cell, Shot::Sunk(way.ship));
        }
        true
    }

    fn set(&mut self, at: Coord, shot: Shot<S>) {
        let index = self.index(at);
        self.cells[index] = shot;
    }

    fn index(&self, at: Coord) -> usize {
        self.size.index(at).unwrap_or_else(|| panic!("{at} is off a board of {}", self.size))
    }
}

/// The ways in which a ship of a length can lie on the board and cover a cell: eastwards ones first.
fn ways_over(size: Size, at: Coord, length: u8) -> impl Iterator<Item = Placement> {
    let directions = [(Direction::East, Direction::West), (Direction::South, Direction::North)];
    // A ship of length 1 has one way to lie on a cell, not two.
    directions.into_iter().take(length.into()).flat_map(move |(onward, back)| {
        let anchors = (0..length).rev().filter_map(move |steps| size.step(at, back, steps));
        let fits = move |&anchor: &Coord| size.step(anchor, onward, length - 1).is_some();
        anchors.filter(fits).map(move |anchor| Placement::new(anchor, onward))
    })
}

impl<S: ShipKind> Possible<S> {
    /// The cells that the ship covers if it lies in this way.
    ///
    /// ```
    /// use arena_rules::battleship::shot_board::{ClassicShip, Possible};
    /// use arena_rules::{Coord, Direction, Placement};
    ///
    /// let placement = Placement::new(Coord::new(1, 2), Direction::South);
    /// let way = Possible { ship: ClassicShip::PatrolBoat, placement };
    /// assert!(way.cells().eq([Coord::new(1, 2), Coord::new(2, 2)]));
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = Coord> + use<S> {
        let (Coord { row, column }, direction) = (self.placement.anchor, self.placement.direction);
        // The way is on a board, so no sum overflows.
        (0..self.ship.length()).map(move |steps| match direction {
            Direction::South => Coord::new(row + steps, column),
            _ => Coord::new(row, column + steps),
        })
    }
}
