//! A list of fleets with weights.

use super::evidence::Evidence;
use crate::{CellSet, Coord, Size};

/// The fleets that agree with the shots, or a sample of them. See [`possible_fleets`](super::possible_fleets).
///
/// ```
/// use arena_rules::battleship::FleetSpec;
/// use arena_rules::battleship::inference::{Effort, possible_fleets};
/// use arena_rules::battleship::shot_board::ShotBoard;
/// use arena_rules::{Coord, Size, random};
///
/// let spec = FleetSpec { size: Size::new(4, 1), lengths: vec![2, 1], may_touch: false };
/// let mut board = ShotBoard::new(spec.size);
/// board.hit(Coord::new(0, 0));
/// let fleets = possible_fleets::<2>(&spec, &board, None, Effort::of(100), &mut random::seeded(7));
/// // The hit is the ship of length 1, or one end of the other.
/// assert_eq!((fleets.is_exact(), fleets.len()), (true, 2));
/// assert!((0..2).all(|fleet| fleets.weight(fleet) == 1.0 && fleets.ships(fleet).len() == 2));
/// ```
#[derive(Clone, Debug)]
pub struct Fleets<const WORDS: usize = 2> {
    size: Size,
    hits: CellSet<WORDS>,
    is_exact: bool,
    /// The lengths of the ships, longest first.
    lengths: Vec<u8>,
    weights: Vec<f64>,
    cells: Vec<CellSet<WORDS>>,
    /// The ships of the first fleet, then those of the second, and so on.
    ships: Vec<CellSet<WORDS>>,
}

/// The probability of a ship on each cell of a board.
///
/// ```
/// use arena_rules::battleship::FleetSpec;
/// use arena_rules::battleship::inference::chances;
/// use arena_rules::battleship::shot_board::ShotBoard;
/// use arena_rules::{Coord, Size, random};
///
/// let spec = FleetSpec { size: Size::new(2, 2), lengths: vec![2], may_touch: false };
/// let mut board = ShotBoard::new(spec.size);
/// board.miss(Coord::new(0, 0));
/// let chances = chances(&spec, &board, None, 100, &mut random::seeded(7)).unwrap();
/// assert_eq!(chances.cells, [0.0, 0.5, 0.5, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// True if all possible fleets were counted, false if the probabilities are estimates from a sample.
    pub is_exact: bool,
    /// The probability, from 0 to 1, of a ship on each cell that was not shot at, row by row from the top left. It is 0 on cells
    /// that were shot at.
    pub cells: Vec<f64>,
}

impl<const WORDS: usize> Fleets<WORDS> {
    pub(super) fn new(evidence: &Evidence<WORDS>, is_exact: bool) -> Self {
        let of_kind = |kind: &super::evidence::Kind<WORDS>| std::iter::repeat_n(kind.length, kind.count);
        Self {
            size: evidence.size,
            hits: evidence.hits,
            is_exact,
            lengths: evidence.kinds.iter().flat_map(of_kind).collect(),
            weights: Vec::new(),
            cells: Vec::new(),
            ships: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, ships: &[CellSet<WORDS>], weight: f64) {
        let unshot = ships.iter().map(|&ship| ship - self.hits);
        let mut cells = CellSet::EMPTY;
        self.ships.extend(unshot.inspect(|&ship| cells |= ship));
        self.cells.push(cells);
        self.weights.push(weight);
    }

    /// True if all possible fleets are in the list, each with weight 1; false if it is a sample.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, Ruleset, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::random;
    /// let spec = FleetSpec::of(&Ruleset::guide());
    /// let fleets = possible_fleets::<2>(&spec, &ShotBoard::new(spec.size), None, Effort::of(100), &mut random::seeded(7));
    /// assert!(!fleets.is_exact(), "before the first shot, there are far too many");
    /// ```
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The number of fleets.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Size, random};
    /// let spec = FleetSpec { size: Size::new(4, 1), lengths: vec![2], may_touch: false };
    /// let fleets = possible_fleets::<2>(&spec, &ShotBoard::new(spec.size), None, Effort::of(100), &mut random::seeded(7));
    /// assert_eq!(fleets.len(), 3);
    /// ```
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns true if there are no fleets: the evidence contradicts itself, or no draw succeeded.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Coord, Size, random};
    /// let spec = FleetSpec { size: Size::new(4, 1), lengths: vec![2], may_touch: false };
    /// let mut board = ShotBoard::new(spec.size);
    /// [0, 3].map(|column| board.hit(Coord::new(0, column)));
    /// assert!(possible_fleets::<2>(&spec, &board, None, Effort::of(100), &mut random::seeded(7)).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The lengths of the ships, longest first: the order of [`Self::ships`].
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Size, random};
    /// let spec = FleetSpec { size: Size::new(9, 1), lengths: vec![1, 3, 1], may_touch: false };
    /// let fleets = possible_fleets::<2>(&spec, &ShotBoard::new(spec.size), None, Effort::of(100), &mut random::seeded(7));
    /// assert_eq!(fleets.lengths(), [3, 1, 1]);
    /// ```
    pub fn lengths(&self) -> &[u8] {
        &self.lengths
    }

    /// The cells of a fleet that were not shot at. Fleets are numbered from 0.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Coord, Size, random};
    /// let spec = FleetSpec { size: Size::new(4, 1), lengths: vec![3], may_touch: false };
    /// let mut board = ShotBoard::new(spec.size);
    /// board.hit(Coord::new(0, 0));
    /// let fleets = possible_fleets::<2>(&spec, &board, None, Effort::of(100), &mut random::seeded(7));
    /// assert!(fleets.cells(0).iter().eq([Coord::new(0, 1), Coord::new(0, 2)]));
    /// ```
    ///
    /// # Panics
    /// If there is no such fleet.
    #[inline]
    pub fn cells(&self, fleet: usize) -> CellSet<WORDS> {
        self.cells[fleet]
    }

    /// The ships of a fleet. Each is the set of its cells that were not shot at, empty for a sunk ship.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Coord, Size, random};
    /// let spec = FleetSpec { size: Size::new(3, 1), lengths: vec![1, 1], may_touch: false };
    /// let mut board = ShotBoard::new(spec.size);
    /// board.hit(Coord::new(0, 0));
    /// let fleets = possible_fleets::<2>(&spec, &board, None, Effort::of(100), &mut random::seeded(7));
    /// assert_eq!(fleets.ships(0).iter().map(|ship| ship.len()).sum::<usize>(), 1);
    /// ```
    ///
    /// # Panics
    /// If there is no such fleet.
    #[inline]
    pub fn ships(&self, fleet: usize) -> &[CellSet<WORDS>] {
        let count = self.lengths.len();
        &self.ships[fleet * count..(fleet + 1) * count]
    }

    /// The weight of a fleet in a sample, above 0. Sums of weights are proportional to numbers of possible fleets.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, Ruleset, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::random;
    /// let spec = FleetSpec::of(&Ruleset::guide());
    /// let fleets = possible_fleets::<2>(&spec, &ShotBoard::new(spec.size), None, Effort::of(100), &mut random::seeded(7));
    /// assert!((0..fleets.len()).all(|fleet| fleets.weight(fleet) > 0.0));
    /// ```
    ///
    /// # Panics
    /// If there is no such fleet.
    #[inline]
    pub fn weight(&self, fleet: usize) -> f64 {
        self.weights[fleet]
    }

    /// The probability of a ship on each cell; `None` when there are no fleets.
    ///
    /// ```
    /// # use arena_rules::battleship::{FleetSpec, inference::Effort, inference::possible_fleets, shot_board::ShotBoard};
    /// # use arena_rules::{Size, random};
    /// let spec = FleetSpec { size: Size::new(4, 1), lengths: vec![3], may_touch: false };
    /// let fleets = possible_fleets::<2>(&spec, &ShotBoard::new(spec.size), None, Effort::of(100), &mut random::seeded(7));
    /// assert_eq!(fleets.chances().unwrap().cells, [0.5, 1.0, 1.0, 0.5]);
    /// ```
    pub fn chances(&self) -> Option<Chances> {
        let total: f64 = self.weights.iter().sum();
        let mut sums = vec![0.0; self.size.cells()];
        for (&cells, &weight) in self.cells.iter().zip(&self.weights) {
            cells.iter().for_each(|at| sums[self.index(at)] += weight);
        }
        sums.iter_mut().for_each(|sum| *sum /= total);
        (!self.is_empty()).then_some(Chances { is_exact: self.is_exact, cells: sums })
    }

    fn index(&self, at: Coord) -> usize {
        usize::from(at.row) * usize::from(self.size.width) + usize::from(at.column)
    }
}
