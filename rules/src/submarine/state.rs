//! The state machine of submarine: positions, actions, and their effects.

use super::{EnemyShip, GameInfo, OwnShip, View, steps};
use crate::random::SeededRng;
use crate::{
    Coord, Failure, Game, GameKind, GameRules, Listed, Outcome, Reason, RulesError, Ruling, Seat, Size,
    Unsuited,
};
use rand::seq::IteratorRandom;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The size of the board.
pub const SIZE: Size = Size::new(5, 5);

/// All of one side's ships were sunk.
pub const FLEET_SUNK: Reason = Reason::own("fleet-sunk");

/// A kind of ship. Each side has one of each.
///
/// ```
/// use arena_rules::submarine::Ship;
///
/// assert_eq!(Ship::ALL.map(Ship::hit_points), [3, 2, 1]);
/// ```
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
    /// All three ships, strongest first.
    pub const ALL: [Self; 3] = [Self::Battleship, Self::Cruiser, Self::Submarine];

    /// The index into a triple: 0 to 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number of hits that sink it.
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
///
/// A switch that a recording does not mention has the value of [`Rules::default`].
///
/// ```
/// use arena_rules::submarine::Rules;
///
/// let short = Rules { actions_max: 100, ..Rules::default() };
/// assert_eq!(short.turn_budget_ms, 3_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Rules {
    /// The name to show.
    pub name: String,
    /// The budget of a turn, and of a deployment, in milliseconds of the reference machine.
    pub turn_budget_ms: u32,
    /// The number of actions of both sides together after which the game is a draw.
    pub actions_max: u32,
}

/// The switches with the comments of a rules file.
const COMMENTS: &[(&str, &str)] = &[
    ("name", "The name that tables show."),
    (
        "turn-budget-ms",
        "The budget of a turn, and of a deployment, in milliseconds. It is measured in fuel, which is the same on every \
         machine: 100,000 units a millisecond.",
    ),
    ("actions-max", "Actions of both sides together, after which the game is even."),
];

impl Default for Rules {
    /// The rules of the old server: 10,000 actions in all. It has no budget; 3 seconds are as under `guide`.
    ///
    /// They are the frozen values that seeds and recordings are relative to: no value here may ever change, and a new switch
    /// gets the value that stands for the behaviour before it.
    fn default() -> Self {
        Self { name: "submarine".into(), turn_budget_ms: 3_000, actions_max: 10_000 }
    }
}

impl crate::Rules for Rules {
    fn game(&self) -> &str {
        GameKind::Submarine.name()
    }

    fn reasons(&self) -> Cow<'_, [Reason]> {
        Cow::Borrowed(&[FLEET_SUNK])
    }

    fn reason_sentence(&self, reason: Reason, loser: &str) -> String {
        match reason {
            FLEET_SUNK => format!("all ships of {loser} are sunk"),
            _ => reason.sentence(loser),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn size(&self) -> Option<Size> {
        Some(SIZE)
    }

    fn turn_budget_ms(&self) -> u32 {
        self.turn_budget_ms
    }

    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        COMMENTS.iter().map(|&(switch, comment)| (switch.into(), comment.into())).collect()
    }

    fn validate(&self) -> Result<(), RulesError> {
        let switches = [("turn-budget-ms", self.turn_budget_ms), ("actions-max", self.actions_max)];
        match switches.into_iter().find(|&(_, value)| value == 0) {
            Some((switch, _)) => Err(RulesError {
                switch: switch.into(),
                cause: format!("{switch} must be at least 1").into(),
            }),
            None => Ok(()),
        }
    }
}

/// The cells on which a side's ships begin, each on one of its own. Every value of this type is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Positions([Coord; 3]);

/// The reason why positions are illegal.
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
    /// Checks the cells of the battleship, the cruiser and the submarine.
    ///
    /// # Errors
    /// The first problem.
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

    /// The cell of a ship.
    pub const fn of(&self, ship: Ship) -> Coord {
        self.0[ship.index()]
    }
}

/// The answer of a side at its turn. It may be illegal.
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Action, Ship};
///
/// let attack = Action::Attack(Coord::new(2, 2));
/// let sail = Action::Move(Ship::Cruiser, Coord::new(2, 4));
/// assert_ne!(attack, sail);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Attack a cell.
    Attack(Coord),
    /// Move a ship to a cell.
    Move(Ship, Coord),
}

/// The reason why an action is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Illegal {
    /// The cell is off the board.
    OffBoard,
    /// No own ship afloat is within one step of the attacked cell.
    OutOfReach,
    /// The ship to move is sunk.
    Sunk,
    /// The ship is on the cell already.
    NoDistance,
    /// The move is not along a row or a column.
    NotStraight,
    /// Another own ship is on the cell.
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

/// The report of a legal action. Both sides get it.
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Report, Ship};
///
/// let report = Report::Attacked { at: Coord::new(2, 2), hit: Some(Ship::Cruiser), near: vec![] };
/// assert!(matches!(report, Report::Attacked { hit: Some(_), .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// A cell was attacked.
    Attacked {
        /// The ship.
        at: Coord,
        /// The ship on it that lost a hit point.
        hit: Option<Ship>,
        /// The target's ships afloat within one step of the cell, but not on it, strongest first.
        near: Vec<Ship>,
    },
    /// A ship moved. The report does not say from where.
    Moved {
        /// The ship.
        ship: Ship,
        /// Rows it went down; negative for up.
        down: i8,
        /// Columns it went right; negative for left.
        right: i8,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    at: [Coord; 3],
    hit_points: [u8; 3],
    turns: u32,
    /// The side's view, kept up to date by each action.
    view: View,
}

impl Side {
    fn afloat(&self) -> impl Iterator<Item = Ship> {
        Ship::ALL.into_iter().filter(|ship| self.hit_points[ship.index()] > 0)
    }
}

/// A game of submarine in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submarine {
    rules: Rules,
    sides: [Side; 2],
    mover: Seat,
    end: Option<(Outcome, Reason)>,
}

impl Submarine {
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

    /// Shows both sides the report of an action of `seat`, and the ships that are afloat after it.
    fn show(&mut self, seat: Seat, report: &Report) {
        for side in Seat::BOTH {
            let (own, enemy) = (self.ships(side), self.ships(side.other()));
            let view = &mut self.sides[side.index()].view;
            view.own = own;
            view.enemy = enemy
                .into_iter()
                .map(|OwnShip { ship, hit_points, .. }| EnemyShip { ship, hit_points })
                .collect();
            let last = if side == seat { &mut view.my_last } else { &mut view.enemy_last };
            *last = Some(report.clone());
        }
    }

    /// Returns the end of the game if the action that `moved` has just taken ended it.
    fn judge(&self, moved: Seat) -> Option<(Outcome, Reason)> {
        if self.sides[moved.other().index()].afloat().next().is_none() {
            return Some((Outcome::Win(moved), FLEET_SUNK));
        }
        let actions = u64::from(self.sides[0].turns) + u64::from(self.sides[1].turns);
        (actions >= self.rules.actions_max.into()).then_some((Outcome::Draw, Reason::TurnsMax))
    }
}

impl Listed for Submarine {
    const KIND: GameKind = GameKind::Submarine;

    fn built_in() -> Vec<Rules> {
        vec![Rules::default()]
    }

    fn rules(any: &GameRules) -> Option<&Rules> {
        if let GameRules::Submarine(rules) = any { Some(rules) } else { None }
    }
}

impl Game for Submarine {
    type Rules = Rules;
    type Info = GameInfo;
    type Deployment = [Coord; 3];
    type Setup = Positions;
    type SetupError = PositionsError;
    type View = View;
    type Action = Action;
    type Invalid = Illegal;
    type Effect = Report;

    fn info(rules: &Rules, fuel_per_turn: u64, seed: u64) -> GameInfo {
        GameInfo { actions_max: rules.actions_max, fuel_per_turn, seed }
    }

    fn setup(_rules: &Rules, cells: &[Coord; 3]) -> Result<Positions, PositionsError> {
        Positions::new(*cells)
    }

    fn deployment(positions: &Positions) -> [Coord; 3] {
        positions.0
    }

    fn any_setup(_rules: &Rules, rng: &mut SeededRng) -> Result<Positions, Unsuited> {
        let mut cells = [Coord::new(0, 0); 3];
        SIZE.coords().sample_fill(rng, &mut cells);
        Ok(Positions(cells))
    }

    fn any_action(_info: &GameInfo, view: &View, rng: &mut SeededRng) -> Result<Action, Failure> {
        Ok(view.legal_actions().choose(rng).expect("a ship is afloat, and may attack its own cell"))
    }

    fn new(rules: &Rules, positions: [Positions; 2], starter: Seat) -> Self {
        let side = |positions: Positions| Side {
            at: positions.0,
            hit_points: Ship::ALL.map(Ship::hit_points),
            turns: 0,
            view: View::first(positions.0),
        };
        Self { rules: rules.clone(), sides: positions.map(side), mover: starter, end: None }
    }

    fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.mover)
    }

    fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    fn turns(&self, seat: Seat) -> u32 {
        self.sides[seat.index()].turns
    }

    fn view(&self, seat: Seat) -> &View {
        &self.sides[seat.index()].view
    }

    fn act(&mut self, seat: Seat, action: &Action) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let report = match *action {
            Action::Attack(at) => self.attack(seat, at),
            Action::Move(ship, to) => self.sail(seat, ship, to),
        };
        match report {
            Err(illegal) => {
                self.forfeit(seat);
                Ruling::Lost(illegal)
            }
            Ok(report) => {
                let side = &mut self.sides[seat.index()];
                side.turns += 1;
                side.view.turn = side.turns.saturating_add(1);
                self.show(seat, &report);
                self.mover = seat.other();
                self.end = self.judge(seat);
                Ruling::Done(report)
            }
        }
    }

    fn forfeit(&mut self, seat: Seat) {
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn complaint(action: &Action, why: &Illegal) -> String {
        match action {
            Action::Attack(at) => format!("the attack on {at} is {why}"),
            Action::Move(ship, to) => format!("the move of the {ship} to {to} is {why}"),
        }
    }
}
