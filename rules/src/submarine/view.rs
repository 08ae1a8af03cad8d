//! The information for players: the contract of `wit/submarine` as Rust values.

use super::{Action, Report, SIZE, Ship, steps};
use crate::Coord;
use serde::{Deserialize, Serialize};

/// The part of the rules that a side gets, with its own random seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameInfo {
    /// The number of actions of both sides together after which the game is a draw.
    pub actions_max: u32,
    /// The fuel for one turn, and for the deployment.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

/// An own ship that is afloat.
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Ship, View};
///
/// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
/// assert_eq!((view.own[1].ship, view.own[1].hit_points, view.own[1].at), (Ship::Cruiser, 2, Coord::new(0, 1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct OwnShip {
    /// The ship.
    pub ship: Ship,
    /// The hit points, at least 1.
    pub hit_points: u8,
    /// The cell.
    pub at: Coord,
}

/// An enemy ship that is afloat.
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Ship, View};
///
/// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
/// assert_eq!((view.enemy[0].ship, view.enemy[0].hit_points), (Ship::Battleship, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EnemyShip {
    /// The ship.
    pub ship: Ship,
    /// The hit points, at least 1.
    pub hit_points: u8,
}

/// The view of a side at its turn, and its legal actions.
///
/// It can be passed to [`Tracker::observe`](super::Tracker::observe).
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Action, Ship, View};
///
/// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
/// assert_eq!(view.at(Ship::Submarine), Some(Coord::new(4, 4)));
/// assert_eq!(view.reach().count(), 6 + 4);
///
/// let ahead = Action::Move(Ship::Battleship, Coord::new(0, 3));
/// assert!(view.is_legal(ahead), "a ship may jump over another one");
/// let onto = Action::Move(Ship::Battleship, Coord::new(0, 1));
/// assert!(!view.is_legal(onto), "it may not land on another one");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    /// The number of this side's turn, from 1.
    pub turn: u32,
    /// The side's own ships afloat, strongest first.
    pub own: Vec<OwnShip>,
    /// The enemy's ships afloat, strongest first.
    pub enemy: Vec<EnemyShip>,
    /// The report of the side's own last action; `None` before the first.
    pub my_last: Option<Report>,
    /// The report of the enemy's last action; `None` before its first.
    pub enemy_last: Option<Report>,
}

impl View {
    /// The view at the first turn of the side that moves first, for tests.
    ///
    /// The cells are those of the battleship, the cruiser and the submarine.
    pub fn first(own: [Coord; 3]) -> Self {
        let own =
            Ship::ALL.map(|ship| OwnShip { ship, hit_points: ship.hit_points(), at: own[ship.index()] });
        let enemy = Ship::ALL.map(|ship| EnemyShip { ship, hit_points: ship.hit_points() });
        Self { turn: 1, own: own.to_vec(), enemy: enemy.to_vec(), my_last: None, enemy_last: None }
    }

    /// The cell of an own ship; `None` when it is sunk.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Ship, View};
    ///
    /// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
    /// assert_eq!(view.at(Ship::Cruiser), Some(Coord::new(0, 1)));
    /// ```
    pub fn at(&self, ship: Ship) -> Option<Coord> {
        self.own.iter().find(|own| own.ship == ship).map(|own| own.at)
    }

    /// The cells that can be attacked: those on or within one step of an own ship afloat, row by row from the top left.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::View;
    ///
    /// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
    /// assert!(view.reach().any(|at| at == Coord::new(1, 2)));
    /// ```
    pub fn reach(&self) -> impl Iterator<Item = Coord> {
        SIZE.coords().filter(|&cell| self.own.iter().any(|own| steps(own.at, cell) <= 1))
    }

    /// The cells that an own ship can move to, row by row from the top left. A sunk ship has none.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Ship, View};
    ///
    /// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
    /// assert_eq!(view.destinations(Ship::Submarine).count(), 8);
    /// ```
    pub fn destinations(&self, ship: Ship) -> impl Iterator<Item = Coord> {
        let from = self.at(ship);
        let in_line =
            move |to: Coord| from.is_some_and(|from| from.row == to.row || from.column == to.column);
        SIZE.coords().filter(move |&to| in_line(to) && self.own.iter().all(|own| own.at != to))
    }

    /// All legal actions: the attacks, then the moves. There is always at least one.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Action, View};
    ///
    /// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
    /// assert!(view.legal_actions().any(|action| action == Action::Attack(Coord::new(1, 1))));
    /// ```
    pub fn legal_actions(&self) -> impl Iterator<Item = Action> {
        let moves = |ship| self.destinations(ship).map(move |to| Action::Move(ship, to));
        self.reach().map(Action::Attack).chain(Ship::ALL.into_iter().flat_map(moves))
    }

    /// Returns true if an action is legal. An illegal action loses the game.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Action, Ship, View};
    ///
    /// let view = View::first([Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)]);
    /// assert!(!view.is_legal(Action::Move(Ship::Cruiser, Coord::new(1, 2))), "not in a straight line");
    /// ```
    pub fn is_legal(&self, action: Action) -> bool {
        self.legal_actions().any(|legal| legal == action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_read_as_it_was_written() {
        let at = Coord::new(4, 4);
        let mut view = View::first([Coord::new(0, 0), Coord::new(0, 1), at]);
        view.my_last = Some(Report::Attacked { at, hit: Some(Ship::Submarine), near: vec![Ship::Cruiser] });
        view.enemy_last = Some(Report::Moved { ship: Ship::Battleship, down: -2, right: 0 });
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
    }
}
