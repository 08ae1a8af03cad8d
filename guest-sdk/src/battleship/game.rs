//! The arguments of a bot's calls.

use crate::program::fuel_of_milliseconds;
use crate::shot_board::{ShotBoard, Sunken};
use crate::{CellsOf, Grid, Rng};
use arena_rules::battleship::inference::{self, Effort, Fleets};
use arena_rules::battleship::{self, Battleship, Fleet, FleetSpec, GameInfo, Mark, OwnCell, Ruleset, Ship};
use arena_rules::{Coord, Game as _, Placement, Size};
use std::collections::BTreeSet;

/// The number of fleets from which [`Game::unlikely_fleet`] learns where ships are rare. Chosen: it gives the chances to within
/// 0.02, and on most boards the chances of two cells differ by more.
const FLEETS_BEFORE_PLACING: usize = 1_000;

/// The fuel for drawing one ship, for each word of a set. Measured: 400 to 550 on a board of 10 by 10 cells, including all work
/// that is done once.
const FUEL_PER_SHIP: u64 = 500;

/// The facts of a game that never change during the game. They come with every call.
///
/// ```
/// use arena_sdk::{Game, practice::Ruleset};
///
/// let game = Game::of(&Ruleset::guide(), 7);
/// assert_eq!((game.size.width, game.size.height, game.may_touch), (10, 10, false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The size of both boards.
    pub size: Size,
    /// The lengths of each side's ships, longest first.
    pub fleet: Vec<u8>,
    /// True if ships may touch, side by side or corner to corner. If false, each of the eight neighbours of a ship's
    /// cell is water or belongs to the same ship.
    pub may_touch: bool,
    /// True if the rules announce which ships are sunk; see [`View::ships_remaining`].
    pub sinkings_announced: bool,
    /// The number of turns of each side after which the game is a draw.
    pub turns_max: u32,
    /// The budget of fuel for one turn with all its retries, and for `deploy`: about one unit for each WebAssembly
    /// instruction, 12 for a load from memory, and 13 for a call.
    pub fuel_per_turn: u64,
    /// The random seed of this side in this game.
    pub seed: u64,
}

impl Game {
    /// A game under these rules, for practice and for tests. Its budget of fuel is that of a game in the arena, but natively fuel is not
    /// counted, and the clock is the machine's.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// assert_eq!(game.fleet, [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]);
    /// assert_eq!(game.fuel_per_turn, 300_000_000);
    /// ```
    pub fn of(rules: &Ruleset, seed: u64) -> Self {
        let GameInfo { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed } =
            Battleship::info(rules, fuel_of_milliseconds(rules.turn_budget_ms), seed);
        Self { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed }
    }

    /// The random numbers for one turn, from the game's seed. The deployment is turn 0.
    ///
    /// They are the same in every call for the same turn, also in a retry, and different in every other turn and game.
    /// A bot that uses them has no random state to lose.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// assert_eq!(game.rng(3), game.rng(3));
    /// assert_ne!(game.rng(3), game.rng(4));
    /// ```
    pub fn rng(&self, turn: u32) -> Rng {
        Rng::of_turn(self.seed, turn)
    }

    /// A legal random fleet, by a fast method. Empty if no fleet is found, for example because the board is too small.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let fleet = game.random_fleet(&mut game.rng(0));
    /// assert_eq!(fleet.len(), game.fleet.len());
    /// assert!(game.is_legal_fleet(&fleet));
    /// ```
    pub fn random_fleet(&self, rng: &mut Rng) -> Vec<Placement> {
        battleship::scatter(&self.fleet_spec(), rng.source())
            .map_or_else(Vec::new, |fleet| fleet.placements().to_vec())
    }

    /// A legal random fleet that is found late: the best of this many random fleets. Empty if no fleet is found.
    ///
    /// Where ships may touch, it is the one whose cells are covered least often in a sample of all fleets. Where they may not,
    /// it is the one with the fewest cells around its ships, such as along the edge: a shooter that has found a ship need not
    /// shoot at the cells around it.
    ///
    /// A shooter who shoots where ships are likely finds it later. But the more fleets it is chosen from, the more similar are
    /// the fleets of different games, and a shooter can learn them: ten are enough, a hundred too many.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let fleet = game.unlikely_fleet(10, &mut game.rng(0));
    /// assert!(game.is_legal_fleet(&fleet));
    /// ```
    pub fn unlikely_fleet(&self, choices: usize, rng: &mut Rng) -> Vec<Placement> {
        let spec = self.fleet_spec();
        let nothing_known = ShotBoard::new(self.size);
        let sample = |rng: &mut Rng| {
            inference::chances(&spec, &nothing_known, None, FLEETS_BEFORE_PLACING, rng.source())
        };
        let chances = if self.may_touch { sample(rng) } else { None };
        let cost = |fleet: &Fleet| match &chances {
            Some(chances) => {
                cells_of(fleet).filter_map(|at| self.size.index(at)).map(|cell| chances.cells[cell]).sum()
            }
            None => cells_around(fleet) as f64,
        };
        let fleets = (0..choices.max(1)).map_while(|_| battleship::scatter(&spec, rng.source()));
        let least = fleets.min_by(|one, other| cost(one).total_cmp(&cost(other)));
        least.map_or_else(Vec::new, |fleet| fleet.placements().to_vec())
    }

    /// Returns true if a fleet is legal in this game: it has the right ships, all are on the board, none overlap, and
    /// none touch if that is not allowed.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut fleet = game.random_fleet(&mut game.rng(0));
    /// fleet[1] = fleet[0];
    /// assert!(!game.is_legal_fleet(&fleet), "two ships overlap");
    /// ```
    pub fn is_legal_fleet(&self, fleet: &[Placement]) -> bool {
        Fleet::parse(&self.fleet_spec(), fleet).is_ok()
    }

    /// The opponent's fleets that agree with all shots so far: all of them if a bound says that they are few, or else a
    /// weighted sample. `board` is that of a [`TrackedBoard`](super::TrackedBoard) after this view.
    ///
    /// `WORDS` is the size of the sets; see [`CellSet`](crate::CellSet). On a board of 10 by 10 cells, a fleet of a sample costs
    /// some thousand units of fuel.
    ///
    /// ```
    /// use arena_sdk::battleship::{Effort, TrackedBoard};
    /// use arena_sdk::practice::Ruleset;
    /// use arena_sdk::{Coord, Game, Grid, Mark, View};
    ///
    /// let game = Game::of(&Ruleset::classic(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(4, 4)] = Mark::Hit;
    /// let mut tracked = TrackedBoard::default();
    /// let board = tracked.update(&game, &view);
    /// let fleets = game.possible_fleets::<2>(board, &view, Effort::of(500), &mut game.rng(view.turn));
    ///
    /// let chances = Grid::from_cells(game.size, fleets.chances().unwrap().cells);
    /// assert!(chances[Coord::new(4, 5)] > 0.3 && chances[Coord::new(0, 0)] < 0.2);
    /// ```
    ///
    /// # Panics
    /// If a side of the board is too long for sets of this size.
    pub fn possible_fleets<const WORDS: usize>(
        &self,
        board: &ShotBoard<Sunken>,
        view: &View,
        effort: Effort,
        rng: &mut Rng,
    ) -> Fleets<WORDS> {
        let afloat = view.ships_remaining.as_deref();
        inference::possible_fleets(&self.fleet_spec(), board, afloat, effort, rng.source())
    }

    /// The number of fleets for which [`Self::possible_fleets`] may use this much fuel, about: it may need half as much again to
    /// explain many hits. The measurements behind it are of boards of 10 by 10 cells.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// assert_eq!(game.fleets_for_fuel::<2>(30_000_000), 3_000);
    /// ```
    pub fn fleets_for_fuel<const WORDS: usize>(&self, fuel: u64) -> usize {
        let fuel_per_fleet = FUEL_PER_SHIP * WORDS as u64 * self.fleet.len() as u64;
        usize::try_from(fuel / fuel_per_fleet.max(1)).unwrap_or(usize::MAX)
    }

    pub(crate) fn fleet_spec(&self) -> FleetSpec {
        FleetSpec { size: self.size, lengths: self.fleet.clone(), may_touch: self.may_touch }
    }
}

/// The state of the game that a bot may know at its turn.
///
/// ```
/// use arena_sdk::{Coord, Game, Mark, View, practice::Ruleset};
///
/// let game = Game::of(&Ruleset::guide(), 7);
/// let mut view = View::first(&game);
/// view.attacks[Coord::new(2, 3)] = Mark::Hit;
/// println!("turn {}\n{}", view.turn, view.attacks);
/// assert_eq!(view.targets().len(), 99);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of this side's turn, from 1. A skipped turn counts. A retry is the same turn.
    pub turn: u32,
    /// The bot's own board.
    pub board: Grid<OwnCell>,
    /// The opponent's board, as far as the bot's own shots have revealed it.
    pub attacks: Grid<Mark>,
    /// The cell that the opponent shot at in its last turn. `None` when it has had no turn yet, or if that turn had no
    /// shot on the board: a skip, an overrun, or a turn that the rules wasted for a shot off the board.
    pub last_spot: Option<Coord>,
    /// The cell that the bot shot at in its last turn. `None` in the same cases as for `last_spot`.
    pub my_last: Option<Coord>,
    /// True if this call is a retry: the previous answer in the same turn was off the board or already shot at, and the
    /// rules ask for another one.
    pub retry: bool,
    /// The lengths of the opponent's ships that are still afloat, longest first. `None` when the rules do not announce
    /// sinkings.
    pub ships_remaining: Option<Vec<u8>>,
}

impl View {
    /// The view at the first turn, for tests. The bot's own fleet is not on the board.
    ///
    /// ```
    /// use arena_sdk::{Coord, Game, Mark, View, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(0, 0)] = Mark::Miss;
    /// assert_eq!((view.turn, view.my_last, view.targets().len()), (1, None, 99));
    /// ```
    pub fn first(game: &Game) -> Self {
        let ships_remaining = game.sinkings_announced.then(|| game.fleet.clone());
        Self::of(game.size, battleship::View::first(game.size, ships_remaining))
    }

    /// A view of the rules on a board of this size.
    pub(crate) fn of(size: Size, view: battleship::View) -> Self {
        let battleship::View { turn, board, attacks, last_spot, my_last, retry, ships_remaining } = view;
        let (board, attacks) = (Grid::from_cells(size, board), Grid::from_cells(size, attacks));
        Self { turn, board, attacks, last_spot, my_last, retry, ships_remaining }
    }

    /// The cells not shot at yet, row by row from the top left. These are all legal shots.
    ///
    /// ```
    /// use arena_sdk::{Coord, Game, Mark, View, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(0, 0)] = Mark::Miss;
    /// assert_eq!(view.targets().next(), Some(Coord::new(0, 1)));
    /// ```
    pub fn targets(&self) -> CellsOf<'_, Mark> {
        self.attacks.coords_of(Mark::Unknown)
    }

    /// The targets where most of these fleets have a ship, by weight; all targets if there are no fleets.
    ///
    /// ```
    /// use arena_sdk::battleship::{Effort, TrackedBoard};
    /// use arena_sdk::practice::Ruleset;
    /// use arena_sdk::{Coord, Game, Mark, Size, View};
    ///
    /// let rules = Ruleset { fleet: vec![3], ..Ruleset::guide() }.with_size(Size::new(4, 1));
    /// let game = Game::of(&rules, 7);
    /// let view = View::first(&game);
    /// let mut tracked = TrackedBoard::default();
    /// let board = tracked.update(&game, &view);
    /// let fleets = game.possible_fleets::<2>(board, &view, Effort::of(100), &mut game.rng(1));
    /// // Both ways to lay the ship cover the two cells in the middle.
    /// assert_eq!(view.likeliest(&fleets), [Coord::new(0, 1), Coord::new(0, 2)]);
    /// ```
    pub fn likeliest<const WORDS: usize>(&self, fleets: &Fleets<WORDS>) -> Vec<Coord> {
        let chances = fleets.chances().map(|chances| Grid::from_cells(self.attacks.size(), chances.cells));
        let chance = |at: Coord| chances.as_ref().map_or(0.0, |chances| chances[at]);
        let highest = self.targets().map(chance).fold(0.0, f64::max);
        self.targets().filter(|&at| chance(at) >= highest).collect()
    }

    /// The cells where a ship was hit, row by row from the top left.
    ///
    /// ```
    /// use arena_sdk::{Coord, Game, Mark, View, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(4, 5)] = Mark::Hit;
    /// assert!(view.hits().eq([Coord::new(4, 5)]));
    /// ```
    pub fn hits(&self) -> CellsOf<'_, Mark> {
        self.attacks.coords_of(Mark::Hit)
    }

    /// Returns true if a shot is legal under all rules: on the board, at a cell not shot at yet.
    ///
    /// ```
    /// use arena_sdk::{Coord, Game, Mark, View, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let mut view = View::first(&game);
    /// view.attacks[Coord::new(0, 0)] = Mark::Miss;
    /// assert!(!view.is_legal(Coord::new(0, 0)), "already shot at");
    /// assert!(!view.is_legal(Coord::new(0, 10)), "off the board");
    /// assert!(view.is_legal(Coord::new(0, 9)));
    /// ```
    pub fn is_legal(&self, shot: Coord) -> bool {
        self.attacks.get(shot) == Some(&Mark::Unknown)
    }
}

fn cells_of(fleet: &Fleet) -> impl Iterator<Item = Coord> {
    fleet.ships().iter().flat_map(Ship::cells)
}

/// The number of cells next to a ship of the fleet, side by side or corner to corner, its own cells included.
fn cells_around(fleet: &Fleet) -> usize {
    let around: BTreeSet<Coord> = cells_of(fleet).flat_map(|at| fleet.size().neighbours(at)).collect();
    around.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_ships_may_not_touch_an_unlikely_fleet_has_few_cells_around_it() {
        let game = Game::of(&Ruleset::guide(), 7);
        let around = |placements: &[Placement]| {
            cells_around(&Fleet::parse(&game.fleet_spec(), placements).expect("the fleet is legal"))
        };
        let [mut unlikely, mut random] = [0, 0];
        for number in 0..100 {
            unlikely += around(&game.unlikely_fleet(10, &mut game.rng(number)));
            random += around(&game.random_fleet(&mut game.rng(number)));
        }
        assert!(unlikely + 300 < random, "{unlikely} and {random} cells around 100 fleets");
    }
}
