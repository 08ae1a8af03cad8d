//! The arguments of a bot's calls.

use super::SIZE;
use crate::Rng;
use crate::program::fuel_of_milliseconds;
use arena_rules::Coord;
use arena_rules::submarine::Rules;

/// The facts of a game that never change during the game. They come with every call.
///
/// ```
/// use arena_sdk::submarine::{Game, practice::Rules};
///
/// let game = Game::of(&Rules::default(), 7);
/// assert_eq!((game.actions_max, game.seed), (10_000, 7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of actions of both sides together after which the game is a draw.
    pub actions_max: u32,
    /// The budget of fuel for one turn, and for `deploy`: about one unit for each WebAssembly
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
    /// use arena_sdk::submarine::{Game, practice::Rules};
    ///
    /// let game = Game::of(&Rules::default(), 7);
    /// assert_eq!((game.actions_max, game.fuel_per_turn), (10_000, 300_000_000));
    /// ```
    pub fn of(rules: &Rules, seed: u64) -> Self {
        let fuel_per_turn = fuel_of_milliseconds(rules.turn_budget_ms);
        Self { actions_max: rules.actions_max, fuel_per_turn, seed }
    }

    /// The random numbers for one turn, from the game's seed. The deployment is turn 0.
    ///
    /// They are the same in every call for the same turn, and different in every other turn and game.
    ///
    /// ```
    /// use arena_sdk::submarine::{Game, practice::Rules};
    ///
    /// let game = Game::of(&Rules::default(), 7);
    /// assert_eq!(game.rng(3), game.rng(3));
    /// assert_ne!(game.rng(3), game.rng(4));
    /// ```
    pub fn rng(&self, turn: u32) -> Rng {
        Rng::of_turn(self.seed, turn)
    }

    /// Three different random cells for the battleship, the cruiser and the submarine.
    ///
    /// ```
    /// use arena_sdk::submarine::{Game, practice::Rules};
    ///
    /// let game = Game::of(&Rules::default(), 7);
    /// let [battleship, cruiser, submarine] = game.random_positions(&mut game.rng(0));
    /// assert!(battleship != cruiser && cruiser != submarine && submarine != battleship);
    /// ```
    pub fn random_positions(&self, rng: &mut Rng) -> [Coord; 3] {
        let mut cells: Vec<Coord> = SIZE.coords().collect();
        rng.shuffle(&mut cells);
        [cells[0], cells[1], cells[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::submarine::Positions;

    #[test]
    fn random_positions_are_three_cells_and_differ_between_games() {
        let of = |seed| {
            let game = Game::of(&Rules::default(), seed);
            game.random_positions(&mut game.rng(0))
        };
        assert!((0..1_000).all(|seed| Positions::new(of(seed)).is_ok()));
        assert!((0..20).filter(|&seed| of(seed) != of(seed + 1)).count() >= 19);
        assert_eq!(of(3), of(3));
    }
}
