//! What a bot is given.

use crate::{Grid, Rng};
use arena_rules::{Coord, Fleet, FleetSpec, GameInfo, Mark, OwnCell, Placement, Ruleset, Size};

/// What stays the same all game. It comes with every call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The size of both boards.
    pub size: Size,
    /// The lengths of each side's ships, longest first.
    pub fleet: Vec<u8>,
    /// Whether ships may lie side by side. When not, all eight neighbours of a ship's cells are water or itself.
    pub may_touch: bool,
    /// Whether [`View::ships_remaining`] is given.
    pub sinkings_announced: bool,
    /// Turns each side may take before the game is a draw.
    pub turns_max: u32,
    /// Fuel for one turn, all its retries included, and for `deploy`: about one unit for each WebAssembly instruction
    /// and four for a load from memory.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

impl Game {
    /// A game by a rule set, for practice and for tests. Its fuel is not limited.
    ///
    /// ```
    /// use arena_sdk::{Game, practice::Ruleset};
    ///
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// assert_eq!(game.fleet, [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]);
    /// ```
    pub fn of(rules: &Ruleset, seed: u64) -> Self {
        GameInfo::new(rules, u64::MAX, seed).into()
    }

    /// Random numbers for one turn (and for the deployment as turn 0), from the game's seed.
    ///
    /// They are the same each time in the same turn (so in a retry too), and others in each other turn and game: a bot
    /// that draws from here has no state to lose.
    pub fn rng(&self, turn: u32) -> Rng {
        Rng::of_turn(self.seed, turn)
    }

    /// Every way a ship of a length can lie on the empty board, each as its cells from one end to the other.
    ///
    /// ```
    /// use arena_sdk::{Coord, Game, practice::Ruleset};
    ///
    /// // On how many of its ways does a battleship cover the corner, and on how many the middle?
    /// let game = Game::of(&Ruleset::guide(), 7);
    /// let over = |at| game.ways(4).filter(|ship| ship.contains(&at)).count();
    /// assert_eq!((over(Coord::new(0, 0)), over(Coord::new(4, 4))), (2, 8));
    /// ```
    pub fn ways(&self, length: u8) -> impl Iterator<Item = Vec<Coord>> {
        let (size, spec) = (self.size, self.fleet_spec());
        let ways: Vec<Placement> = spec.ways(length).collect();
        ways.into_iter().map(move |way| {
            (0..length).filter_map(|steps| size.step(way.anchor, way.direction, steps)).collect()
        })
    }

    /// A legal random fleet, made quickly. Where no fleet is found, as on a board that is too small for it, it is empty.
    pub fn random_fleet(&self, rng: &mut Rng) -> Vec<Placement> {
        arena_rules::scatter(&self.fleet_spec(), rng.source())
            .map_or_else(Vec::new, |fleet| fleet.placements().to_vec())
    }

    /// Whether a fleet is legal in this game: the right ships, on the board, neither overlapping nor touching where that
    /// is not allowed.
    pub fn is_legal_fleet(&self, fleet: &[Placement]) -> bool {
        Fleet::parse(&self.fleet_spec(), fleet).is_ok()
    }

    pub(crate) fn fleet_spec(&self) -> FleetSpec {
        FleetSpec { size: self.size, lengths: self.fleet.clone(), may_touch: self.may_touch }
    }
}

impl From<GameInfo> for Game {
    fn from(info: GameInfo) -> Self {
        Self {
            size: info.size,
            fleet: info.fleet,
            may_touch: info.may_touch,
            sinkings_announced: info.sinkings_announced,
            turns_max: info.turns_max,
            fuel_per_turn: info.fuel_per_turn,
            seed: info.seed,
        }
    }
}

/// What a bot may see at its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of this side's turn, from 1. A retry is the same turn.
    pub turn: u32,
    /// One's own board.
    pub board: Grid<OwnCell>,
    /// The opponent's board, as far as one's own shots have uncovered it.
    pub attacks: Grid<Mark>,
    /// The opponent's last shot; none when it skipped its turn, or has had none.
    pub last_spot: Option<Coord>,
    /// One's own last shot; none when one skipped, or has had no turn.
    pub my_last: Option<Coord>,
    /// Whether the last answer in this very turn was not a valid spot, and another is asked for.
    pub retry: bool,
    /// The lengths of the opponent's ships still afloat, longest first; none where the rules do not announce it.
    pub ships_remaining: Option<Vec<u8>>,
}

impl View {
    /// What a bot sees at its first turn, for tests. Its own fleet is not drawn in.
    pub fn first(game: &Game) -> Self {
        Self {
            turn: 1,
            board: Grid::filled(game.size, OwnCell::Water),
            attacks: Grid::filled(game.size, Mark::Unknown),
            last_spot: None,
            my_last: None,
            retry: false,
            ships_remaining: game.sinkings_announced.then(|| game.fleet.clone()),
        }
    }

    /// The cells not shot at yet, row by row from the top left: all legal shots.
    pub fn targets(&self) -> impl Iterator<Item = Coord> {
        self.attacks.coords_of(Mark::Unknown)
    }

    /// The cells where a ship was hit, row by row from the top left.
    pub fn hits(&self) -> impl Iterator<Item = Coord> {
        self.attacks.coords_of(Mark::Hit)
    }

    /// Whether a shot is legal under all rules: on the board, at a cell not shot at yet.
    pub fn is_legal(&self, shot: Coord) -> bool {
        self.attacks.get(shot) == Some(&Mark::Unknown)
    }
}
