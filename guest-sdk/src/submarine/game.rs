//! What a bot is given.

use super::{Action, EnemyShip, OwnShip, SIZE, Ship};
use crate::Rng;
use arena_rules::{Coord, submarine};
use std::ops::{Deref, DerefMut};

/// What stays the same all game. It comes with every call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Actions of both sides together; after them the game is even.
    pub actions_max: u32,
    /// Fuel for one turn, and for `deploy`: about one unit for each WebAssembly instruction
    /// and four for a load from memory.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

impl Game {
    /// A game by a rule set, for practice and for tests. Its fuel is not limited.
    ///
    /// ```
    /// use arena_sdk::submarine::{Game, practice::Rules};
    ///
    /// assert_eq!(Game::of(&Rules::default(), 7).actions_max, 10_000);
    /// ```
    pub fn of(rules: &submarine::Rules, seed: u64) -> Self {
        Self { actions_max: rules.actions_max, fuel_per_turn: u64::MAX, seed }
    }

    /// Random numbers for one turn (and for the deployment as turn 0), from the game's seed.
    ///
    /// They are the same each time in the same turn, and others in each other turn and game.
    pub fn rng(&self, turn: u32) -> Rng {
        Rng::of_turn(self.seed, turn)
    }

    /// Random cells for the battleship, the cruiser and the submarine, each on its own.
    pub fn random_positions(&self, rng: &mut Rng) -> [Coord; 3] {
        let mut cells: Vec<Coord> = SIZE.coords().collect();
        rng.shuffle(&mut cells);
        [cells[0], cells[1], cells[2]]
    }
}

/// What a bot may see at its turn, and what it may do.
///
/// Its fields are those of the [rules' view](submarine::View), and are used as if they were its own: `view.turn`,
/// `view.own`, `view.enemy`, `view.my_last`, `view.enemy_last`. It goes to [`Tracker::observe`](super::Tracker::observe)
/// as it is.
///
/// ```
/// use arena_sdk::Coord;
/// use arena_sdk::submarine::{Action, Ship, View};
///
/// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
/// assert_eq!(view.at(Ship::Submarine), Some(Coord::new(4, 4)));
/// assert_eq!(view.reach().count(), 6 + 4);
///
/// let ahead = Action::Move(Ship::Battleship, Coord::new(0, 3));
/// assert!(view.is_legal(ahead), "it may jump");
/// assert!(!view.is_legal(Action::Move(Ship::Battleship, Coord::new(0, 1))), "but not land on another ship");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View(submarine::View);

impl View {
    /// What a bot sees at its first turn when it moves first, for tests.
    ///
    /// The cells are those of the battleship, the cruiser and the submarine.
    pub fn first(own: [Coord; 3]) -> Self {
        Self(submarine::View {
            turn: 1,
            own: Ship::ALL
                .map(|ship| OwnShip { ship, hit_points: ship.hit_points(), at: own[ship.index()] })
                .to_vec(),
            enemy: Ship::ALL.map(|ship| EnemyShip { ship, hit_points: ship.hit_points() }).to_vec(),
            my_last: None,
            enemy_last: None,
        })
    }

    /// Where an own ship is, if it is afloat.
    pub fn at(&self, ship: Ship) -> Option<Coord> {
        self.own.iter().find(|own| own.ship == ship).map(|own| own.at)
    }

    /// The cells that may be attacked: those within one step of an own ship afloat. Row by row from the top left.
    pub fn reach(&self) -> impl Iterator<Item = Coord> {
        SIZE.coords().filter(|&cell| self.own.iter().any(|own| own.at == cell || is_beside(own.at, cell)))
    }

    /// The cells that an own ship may move to; none for one that is sunk. Row by row from the top left.
    pub fn destinations(&self, ship: Ship) -> impl Iterator<Item = Coord> {
        let from = self.at(ship);
        let in_line =
            move |to: Coord| from.is_some_and(|from| from.row == to.row || from.column == to.column);
        SIZE.coords().filter(move |&to| in_line(to) && self.own.iter().all(|own| own.at != to))
    }

    /// All that may be done: the attacks, then the moves. There is always something.
    pub fn legal_actions(&self) -> impl Iterator<Item = Action> {
        let moves = |ship| self.destinations(ship).map(move |to| Action::Move(ship, to));
        self.reach().map(Action::Attack).chain(Ship::ALL.into_iter().flat_map(moves))
    }

    /// Whether an action may be done. One that may not loses the game.
    pub fn is_legal(&self, action: Action) -> bool {
        self.legal_actions().any(|legal| legal == action)
    }
}

fn is_beside(one: Coord, other: Coord) -> bool {
    SIZE.neighbours(one).any(|near| near == other)
}

impl From<submarine::View> for View {
    fn from(view: submarine::View) -> Self {
        Self(view)
    }
}

impl Deref for View {
    type Target = submarine::View;

    fn deref(&self) -> &submarine::View {
        &self.0
    }
}

impl DerefMut for View {
    fn deref_mut(&mut self) -> &mut submarine::View {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Seat;
    use arena_rules::submarine::{Effect, Positions, Rules};

    /// Every attack and every move there is, the illegal ones off the board too.
    fn all_actions() -> impl Iterator<Item = Action> {
        let cells = || (0..7).flat_map(|row| (0..7).map(move |column| Coord::new(row, column)));
        let moves = move |ship| cells().map(move |to| Action::Move(ship, to));
        cells().map(Action::Attack).chain(Ship::ALL.into_iter().flat_map(moves))
    }

    #[test]
    fn what_is_called_legal_is_what_the_rules_allow() {
        let rules = Rules::default();
        let game = Game::of(&rules, 3);
        for number in 0..20 {
            let mut rng = game.rng(number);
            let mut draw = || Positions::new(game.random_positions(&mut rng)).expect("three cells");
            let mut battle = submarine::Game::new(&rules, [draw(), draw()], Seat::First);
            // Random games, so that views with ships sunk come up too.
            while let Some(seat) = battle.to_move() {
                let view = View::from(battle.view(seat));
                let legal: Vec<Action> = view.legal_actions().collect();
                if view.turn.is_multiple_of(10) {
                    for action in all_actions() {
                        let is_done = matches!(battle.clone().act(seat, action), Effect::Done(_));
                        assert_eq!(is_done, legal.contains(&action), "{action:?} {view:?}");
                    }
                }
                battle.act(seat, rng.pick(legal).expect("there is always something"));
            }
        }
    }

    #[test]
    fn the_first_view_is_the_one_that_the_rules_show() {
        let cells = [Coord::new(0, 0), Coord::new(3, 1), Coord::new(4, 4)];
        let positions = Positions::new(cells).expect("three cells");
        let battle = submarine::Game::new(&Rules::default(), [positions; 2], Seat::First);
        assert_eq!(View::first(cells), battle.view(Seat::First).into());
    }

    #[test]
    fn random_positions_are_three_cells_others_in_each_game() {
        let of = |seed| {
            let game = Game::of(&Rules::default(), seed);
            game.random_positions(&mut game.rng(0))
        };
        assert!((0..1_000).all(|seed| Positions::new(of(seed)).is_ok()));
        assert!((0..20).filter(|&seed| of(seed) != of(seed + 1)).count() >= 19);
        assert_eq!(of(3), of(3));
    }
}
