//! The state machine: positions, actions and what they do.

use crate::{Coord, Outcome, Reason, Seat, Size};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The board.
pub const SIZE: Size = Size::new(5, 5);

/// A kind of ship. Each side has one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ship {
    /// 3 hit points; `w` on the wire.
    Battleship,
    /// 2 hit points; `c` on the wire.
    Cruiser,
    /// 1 hit point; `s` on the wire.
    Submarine,
}

impl Ship {
    /// All three, strongest first.
    pub const ALL: [Self; 3] = [Self::Battleship, Self::Cruiser, Self::Submarine];

    /// 0 to 2, to index a triple by.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Hits it takes to sink it.
    pub const fn hit_points(self) -> u8 {
        match self {
            Self::Battleship => 3,
            Self::Cruiser => 2,
            Self::Submarine => 1,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Battleship => "battleship",
            Self::Cruiser => "cruiser",
            Self::Submarine => "submarine",
        }
    }
}

impl fmt::Display for Ship {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rules of a game of submarine, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Rules {
    /// A name to show.
    pub name: String,
    /// The budget of a turn, and of a deployment, in milliseconds of the reference machine.
    pub turn_budget_ms: u32,
    /// Actions of both sides together; after them the game is even.
    pub actions_max: u32,
}

impl Default for Rules {
    /// The rules of the server: 10,000 actions in all. It has no budget; 3 seconds are as by `guide`.
    fn default() -> Self {
        Self { name: "submarine".into(), turn_budget_ms: 3_000, actions_max: 10_000 }
    }
}

/// Where a side's ships begin: each on a cell of its own. It is legal if there is one.
///
/// Its JSON form is the three cells, battleship, cruiser, submarine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "[Coord; 3]", into = "[Coord; 3]")]
pub struct Positions([Coord; 3]);

/// Why positions are not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// A ship is off the board.
    #[error("the {0} at {1} is off the board")]
    OffBoard(Ship, Coord),
    /// Two ships share a cell.
    #[error("the {0} and the {1} are both at {2}")]
    Shared(Ship, Ship, Coord),
}

impl Positions {
    /// Checks where the battleship, the cruiser and the submarine are to be.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(cells: [Coord; 3]) -> Result<Self, PositionsError> {
        for (index, ship) in Ship::ALL.into_iter().enumerate() {
            let at = cells[index];
            if !SIZE.contains(at) {
                return Err(PositionsError::OffBoard(ship, at));
            }
            if let Some(other) = cells[..index].iter().position(|&cell| cell == at) {
                return Err(PositionsError::Shared(Ship::ALL[other], ship, at));
            }
        }
        Ok(Self(cells))
    }

    /// Where a ship is.
    pub const fn of(&self, ship: Ship) -> Coord {
        self.0[ship.index()]
    }
}

impl TryFrom<[Coord; 3]> for Positions {
    type Error = PositionsError;

    fn try_from(cells: [Coord; 3]) -> Result<Self, PositionsError> {
        Self::new(cells)
    }
}

impl From<Positions> for [Coord; 3] {
    fn from(positions: Positions) -> Self {
        positions.0
    }
}

/// What a side answers at its turn. It may not be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Attack a cell.
    Attack(Coord),
    /// Move a ship to a cell.
    Move(Ship, Coord),
}

/// Why an action is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Illegal {
    /// The cell is off the board.
    OffBoard,
    /// No living ship of one's own is within one step of the attacked cell.
    OutOfReach,
    /// The ship to move is sunk.
    Sunk,
    /// The ship is there already.
    NoDistance,
    /// The move is not along a row or a column.
    NotStraight,
    /// Another ship of one's own is there.
    Occupied,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "off the board",
            Self::OutOfReach => "not within one step of any own ship afloat",
            Self::Sunk => "a move of a ship that is sunk",
            Self::NoDistance => "a move to where the ship is already",
            Self::NotStraight => "a move that is not along a row or a column",
            Self::Occupied => "a move onto another own ship",
        })
    }
}

/// What both sides are told of a legal action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// A cell was attacked.
    Attacked {
        /// Which.
        at: Coord,
        /// The ship on it that lost a hit point.
        hit: Option<Ship>,
        /// The target's ships afloat within one step of the cell, but not on it, strongest first.
        near: Vec<Ship>,
    },
    /// A ship moved. The opponent is not told from where.
    Moved {
        /// Which.
        ship: Ship,
        /// Rows it went down; negative for up.
        down: i8,
        /// Columns it went right; negative for left.
        right: i8,
    },
}

/// What an action did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It was legal: this is what both sides are told.
    Done(Report),
    /// It was not, and the side has lost.
    Illegal(Illegal),
}

/// An own ship that is afloat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnShip {
    /// Which.
    pub ship: Ship,
    /// Its hit points, at least 1.
    pub hit_points: u8,
    /// Where it is.
    pub at: Coord,
}

/// An enemy ship that is afloat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyShip {
    /// Which.
    pub ship: Ship,
    /// Its hit points, at least 1.
    pub hit_points: u8,
}

/// What a side may see at its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of this side's turn, from 1.
    pub turn: u32,
    /// One's own ships afloat, strongest first.
    pub own: Vec<OwnShip>,
    /// The enemy's ships afloat, strongest first.
    pub enemy: Vec<EnemyShip>,
    /// What came of one's own last action; none before the first.
    pub my_last: Option<Report>,
    /// What the enemy did last; none before its first action.
    pub enemy_last: Option<Report>,
}

#[derive(Clone, Debug)]
struct Side {
    at: [Coord; 3],
    hit_points: [u8; 3],
    turns: u32,
    last: Option<Report>,
}

impl Side {
    fn afloat(&self) -> impl Iterator<Item = Ship> {
        Ship::ALL.into_iter().filter(|ship| self.hit_points[ship.index()] > 0)
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    sides: [Side; 2],
    mover: Seat,
    end: Option<(Outcome, Reason)>,
}

impl Game {
    /// A game about to begin. `starter` moves first.
    pub fn new(rules: &Rules, positions: [Positions; 2], starter: Seat) -> Self {
        let side = |positions: Positions| Side {
            at: positions.0,
            hit_points: Ship::ALL.map(Ship::hit_points),
            turns: 0,
            last: None,
        };
        Self { rules: rules.clone(), sides: positions.map(side), mover: starter, end: None }
    }

    /// Whose turn it is; none when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.mover)
    }

    /// How the game ended; none while it goes on.
    pub fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    /// Legal actions a side has taken.
    pub fn turns(&self, seat: Seat) -> u32 {
        self.sides[seat.index()].turns
    }

    /// A side's ships afloat, strongest first.
    pub fn ships(&self, seat: Seat) -> Vec<OwnShip> {
        let side = &self.sides[seat.index()];
        let own = |ship: Ship| OwnShip {
            ship,
            hit_points: side.hit_points[ship.index()],
            at: side.at[ship.index()],
        };
        side.afloat().map(own).collect()
    }

    /// What a side may see now.
    pub fn view(&self, seat: Seat) -> View {
        let enemy = self.ships(seat.other());
        View {
            turn: self.turns(seat).saturating_add(1),
            own: self.ships(seat),
            enemy: enemy
                .into_iter()
                .map(|OwnShip { ship, hit_points, .. }| EnemyShip { ship, hit_points })
                .collect(),
            my_last: self.sides[seat.index()].last.clone(),
            enemy_last: self.sides[seat.other().index()].last.clone(),
        }
    }

    /// What the side to move answers, and what that does. An action that is not legal loses.
    ///
    /// # Panics
    /// When the game is over or it is the other side's turn.
    pub fn act(&mut self, seat: Seat, action: Action) -> Effect {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let report = match action {
            Action::Attack(at) => self.attack(seat, at),
            Action::Move(ship, to) => self.sail(seat, ship, to),
        };
        match report {
            Err(illegal) => {
                self.forfeit(seat);
                Effect::Illegal(illegal)
            }
            Ok(report) => {
                let side = &mut self.sides[seat.index()];
                side.turns += 1;
                side.last = Some(report.clone());
                self.mover = seat.other();
                self.end = self.judge(seat);
                Effect::Done(report)
            }
        }
    }

    /// A side lost by a fault, or by going away.
    pub fn forfeit(&mut self, seat: Seat) {
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn attack(&mut self, seat: Seat, at: Coord) -> Result<Report, Illegal> {
        if !SIZE.contains(at) {
            return Err(Illegal::OffBoard);
        }
        let own = &self.sides[seat.index()];
        if !own.afloat().any(|ship| steps(own.at[ship.index()], at) <= 1) {
            return Err(Illegal::OutOfReach);
        }
        let target = &mut self.sides[seat.other().index()];
        let near = target.afloat().filter(|ship| steps(target.at[ship.index()], at) == 1).collect();
        let hit = target.afloat().find(|ship| target.at[ship.index()] == at);
        if let Some(ship) = hit {
            target.hit_points[ship.index()] -= 1;
        }
        Ok(Report::Attacked { at, hit, near })
    }

    fn sail(&mut self, seat: Seat, ship: Ship, to: Coord) -> Result<Report, Illegal> {
        let own = &mut self.sides[seat.index()];
        let from = own.at[ship.index()];
        if own.hit_points[ship.index()] == 0 {
            return Err(Illegal::Sunk);
        }
        if !SIZE.contains(to) {
            return Err(Illegal::OffBoard);
        }
        if from == to {
            return Err(Illegal::NoDistance);
        }
        if from.row != to.row && from.column != to.column {
            return Err(Illegal::NotStraight);
        }
        if own.afloat().any(|other| own.at[other.index()] == to) {
            return Err(Illegal::Occupied);
        }
        own.at[ship.index()] = to;
        // On a board of 5 by 5 both differences fit.
        let far = |from: u8, to: u8| to as i8 - from as i8;
        Ok(Report::Moved { ship, down: far(from.row, to.row), right: far(from.column, to.column) })
    }

    /// Whether the action that was just taken, by the side given, ended the game.
    fn judge(&self, moved: Seat) -> Option<(Outcome, Reason)> {
        if self.sides[moved.other().index()].afloat().next().is_none() {
            return Some((Outcome::Win(moved), Reason::FleetSunk));
        }
        let actions = u64::from(self.sides[0].turns) + u64::from(self.sides[1].turns);
        (actions >= self.rules.actions_max.into()).then_some((Outcome::Draw, Reason::TurnsMax))
    }
}

/// Steps between two cells, diagonal ones included.
fn steps(from: Coord, to: Coord) -> u8 {
    from.row.abs_diff(to.row).max(from.column.abs_diff(to.column))
}
