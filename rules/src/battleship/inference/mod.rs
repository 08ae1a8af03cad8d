//! The fleets that agree with the shots so far: all of them if they are few, or else a weighted sample.
//!
//! A shooter knows its hits and misses, and which ships are afloat if the rules announce sinkings. All fleets that agree with
//! this are equally likely if the fleet was drawn uniformly, so the probability of a ship on a cell is the share of the fleets
//! with a ship there.
//!
//! ```
//! use arena_rules::battleship::FleetSpec;
//! use arena_rules::battleship::inference::chances;
//! use arena_rules::battleship::shot_board::ShotBoard;
//! use arena_rules::{Coord, Size, random};
//!
//! // A ship of length 2 on a board of 3 columns and one row: a hit in the middle leaves two ways.
//! let spec = FleetSpec { size: Size::new(3, 1), lengths: vec![2], may_touch: false };
//! let mut board = ShotBoard::new(spec.size);
//! board.hit(Coord::new(0, 1));
//! let chances = chances(&spec, &board, Some(&[2]), 100, &mut random::seeded(7)).unwrap();
//! assert!(chances.is_exact);
//! assert_eq!(chances.cells, [0.5, 0.0, 0.5]);
//! ```
//!
//! # Method
//! 1. **Explain the hits.** A *cover* is a set of ships that explains all hits: a ship on every hit, no ship on a miss, sunk
//!    ships where they were seen to sink. Covers are searched in order: a ship for the first hit that has none, in each way,
//!    and so on. Hits are never explained by trial and error, so it is as quick late in a game as early.
//! 2. **Weigh the covers.** The other ships lie on cells that were not shot at. If n ways are free for a length, and r ships of it
//!    are left, there are at most n^r / r! ways to lay them; the product over all lengths is the cover's weight.
//! 3. **Complete them.** If the weights add up to no more than the number of fleets that was asked for, each completion is
//!    listed. Otherwise a cover is drawn by weight, and the other ships are laid at random, longest first. A fleet's weight
//!    corrects for the ways that earlier ships took from later ones: importance sampling, as in Owen, *Monte Carlo theory,
//!    methods and examples*, chapter 9.
//!
//! If there are too many covers to list, they are drawn at random as well, with weights that correct for it.

mod complete;
mod covers;
mod evidence;
mod fleets;

pub use fleets::{Chances, Fleets};

use super::FleetSpec;
use super::free_cells::is_possible;
use super::shot_board::{ShotBoard, Sunken};
use crate::for_board;
use covers::Covers;
use evidence::Evidence;
use rand::Rng;

/// The number of steps of the search for covers, for each fleet to draw; a step lists the ways to explain one hit. Chosen: a step
/// costs about as much as drawing a fleet of five ships, and few games need more than one for each fleet.
const COVER_STEPS_PER_FLEET: usize = 2;

/// The limits of the work of [`possible_fleets`].
///
/// ```
/// use arena_rules::battleship::inference::Effort;
///
/// assert_eq!(Effort::of(500), Effort { listed_max: 500, drawn_max: 500 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of fleets up to which all are listed.
    pub listed_max: usize,
    /// The number of fleets to draw if there are more.
    pub drawn_max: usize,
}

impl Effort {
    /// The same number of fleets, listed or drawn.
    ///
    /// ```
    /// use arena_rules::battleship::inference::Effort;
    ///
    /// assert_eq!(Effort::of(500).drawn_max, 500);
    /// ```
    pub fn of(count: usize) -> Self {
        Self { listed_max: count, drawn_max: count }
    }
}

/// The fleets that agree with the shots: all of them if a bound says that they are few, or else a weighted sample.
///
/// `afloat` has the lengths of the ships that are afloat; `None` when the rules do not announce it. The board may miss sinkings,
/// as that of a bot that has lost its memory does: the hits of those ships are explained, too.
///
/// There are no fleets if the board contradicts itself, or if ships lie so tightly that no draw succeeded.
///
/// The cost grows with the effort, the number of ships and the size of the board. A board's sides fit `WORDS`; see
/// [`for_board!`].
///
/// ```
/// use arena_rules::battleship::inference::{Effort, possible_fleets};
/// use arena_rules::battleship::shot_board::ShotBoard;
/// use arena_rules::battleship::{FleetSpec, Ruleset};
/// use arena_rules::{Coord, random};
///
/// let spec = FleetSpec::of(&Ruleset::classic());
/// let mut board = ShotBoard::new(spec.size);
/// board.hit(Coord::new(4, 4));
/// let (afloat, effort) = (Some(&spec.lengths[..]), Effort::of(500));
/// let fleets = possible_fleets::<2>(&spec, &board, afloat, effort, &mut random::seeded(7));
/// assert!(!fleets.is_exact() && fleets.len() > 400);
/// // Each fleet has 17 cells, of which one is hit.
/// assert!((0..fleets.len()).all(|fleet| fleets.cells(fleet).len() == 16));
/// ```
pub fn possible_fleets<const WORDS: usize>(
    spec: &FleetSpec,
    board: &ShotBoard<Sunken>,
    afloat: Option<&[u8]>,
    effort: Effort,
    rng: &mut impl Rng,
) -> Fleets<WORDS> {
    let evidence = Evidence::<WORDS>::new(spec, board, afloat);
    let steps_max = COVER_STEPS_PER_FLEET * effort.drawn_max;
    match Covers::all(&evidence, steps_max) {
        Some(covers) if covers.weight() <= effort.listed_max as f64 => complete::each(&evidence, &covers),
        Some(covers) => complete::sample(&evidence, &covers, effort.drawn_max, rng),
        None => complete::sample_covers(&evidence, steps_max, effort.drawn_max, rng),
    }
}

/// The probability of a ship on each cell: exact if there are at most `count` fleets, or else from a sample of `count`. `None` when
/// none was found, or if a side of the board is not 1 to [`SIDE_MAX`](crate::SIDE_MAX) cells.
///
/// See [`possible_fleets`]. The other arguments are the same.
///
/// ```
/// use arena_rules::battleship::inference::chances;
/// use arena_rules::battleship::shot_board::ShotBoard;
/// use arena_rules::battleship::{FleetSpec, Ruleset};
/// use arena_rules::random;
///
/// let spec = FleetSpec::of(&Ruleset::guide());
/// let chances = chances(&spec, &ShotBoard::new(spec.size), None, 500, &mut random::seeded(7)).unwrap();
/// assert!((chances.cells.iter().sum::<f64>() - 20.0).abs() < 1e-6, "a fleet of `guide` has 20 cells");
/// ```
pub fn chances(
    spec: &FleetSpec,
    board: &ShotBoard<Sunken>,
    afloat: Option<&[u8]>,
    count: usize,
    rng: &mut impl Rng,
) -> Option<Chances> {
    if !is_possible(spec.size) {
        return None;
    }
    for_board!(spec.size, WORDS => possible_fleets::<WORDS>(spec, board, afloat, Effort::of(count), rng).chances())
}
