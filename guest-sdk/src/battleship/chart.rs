//! The opponent's board as sets of cells.

use super::{Game, Mark, View};
use crate::CellSet;

/// The opponent's board as sets of cells, with what follows from the shots. Each cell is in one of the three sets, or is water.
///
/// [`TrackedBoard::chart`](super::TrackedBoard::chart) makes one for a view.
///
/// ```
/// use arena_sdk::battleship::TrackedBoard;
/// use arena_sdk::practice::Ruleset;
/// use arena_sdk::{Coord, Game, Mark, View};
///
/// let game = Game::of(&Ruleset::guide(), 7);
/// let mut view = View::first(&game);
/// view.attacks[Coord::new(4, 4)] = Mark::Hit;
/// let chart = TrackedBoard::default().chart::<2>(&game, &view);
/// assert!(chart.wounded.iter().eq([Coord::new(4, 4)]));
/// // Under `guide`, ships may not touch, so the four cells at the corners of a hit are water.
/// assert_eq!(chart.open.len(), 95);
/// assert_eq!(chart.wounded.edge_neighbours(chart.open).len(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart<const WORDS: usize = 2> {
    /// The cells where a ship may still be: not shot at, and not known to be water.
    pub open: CellSet<WORDS>,
    /// The hits on ships that may be afloat.
    pub wounded: CellSet<WORDS>,
    /// The hits on ships that are sunk.
    pub sunk: CellSet<WORDS>,
    /// The lengths of the ships that may be afloat, longest first.
    pub afloat: Vec<u8>,
    may_touch: bool,
}

impl<const WORDS: usize> Chart<WORDS> {
    /// The chart for a view. `sunk` are hits that are known to be on sunk ships, in addition to what the view says.
    ///
    /// ```
    /// use arena_sdk::battleship::Chart;
    /// use arena_sdk::practice::Ruleset;
    /// use arena_sdk::{CellSet, Game, View};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let chart = Chart::<2>::new(&game, &View::first(&game), CellSet::EMPTY);
    /// assert_eq!((chart.open.len(), chart.afloat.len()), (100, 10));
    /// ```
    ///
    /// # Panics
    /// If the board is larger than the sets allow; see [`CellSet::SIDE`].
    pub fn new(game: &Game, view: &View, sunk: CellSet<WORDS>) -> Self {
        let hits: CellSet<WORDS> = view.attacks.set_of(Mark::Hit);
        let afloat = view.ships_remaining.as_ref().unwrap_or(&game.fleet).clone();
        let cells_of = |ships: &[u8]| ships.iter().copied().map(usize::from).sum::<usize>();
        // If the ships announced as sunk explain all hits, it does not matter which ship is where.
        let are_all_sunk = hits.len() + cells_of(&afloat) == cells_of(&game.fleet);
        let sunk = if are_all_sunk { hits } else { sunk & hits };
        let open = view.attacks.set_of(Mark::Unknown);
        let mut chart = Self { open, wounded: hits - sunk, sunk, afloat, may_touch: game.may_touch };
        chart.rule_out_water();
        chart
    }

    /// Records that a ship on these hits is sunk: one of its length is no longer afloat. If ships may not touch, the cells around
    /// it are water.
    ///
    /// ```
    /// use arena_sdk::battleship::TrackedBoard;
    /// use arena_sdk::practice::Ruleset;
    /// use arena_sdk::{Coord, Game, Mark, View};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(4, 4)] = Mark::Hit;
    /// let mut chart = TrackedBoard::default().chart::<2>(&game, &view);
    /// chart.sink(chart.wounded);
    /// assert_eq!((chart.open.len(), chart.wounded.len(), chart.afloat.len()), (91, 0, 9));
    /// ```
    pub fn sink(&mut self, ship: CellSet<WORDS>) {
        self.wounded -= ship;
        self.sunk |= ship;
        if let Some(index) = self.afloat.iter().position(|&length| usize::from(length) == ship.len()) {
            self.afloat.remove(index);
        }
        self.rule_out_water();
    }

    /// If ships may not touch: all cells around a sunk ship are water, and so are the cells at the corners of a hit.
    fn rule_out_water(&mut self) {
        if !self.may_touch {
            self.open -= self.sunk.halo(self.open) | self.wounded.corner_neighbours(self.open);
        }
    }
}
