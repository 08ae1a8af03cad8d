//! The protocol's lines as text: lines of a client are parsed, lines to it are formatted. No I/O.
//!
//! A position is `[x, y]` here, which is the column and the row; the rules have `(row, column)`. Lines are without their
//! line ends.

use crate::json::{Entries, Json};
use arena_rules::submarine::{Action, Report, SIZE, Ship, Submarine};
use arena_rules::{Coord, Game, Outcome, Seat};
use serde::{Serialize, Serializer};

/// The first line to each client, once both sides are there.
pub const GREETING: &str = "you are connected. please send me initial state.";
/// The line to the side whose turn begins.
pub const YOUR_TURN: &str = "your turn";
/// The line to the other side then.
pub const WAITING: &str = "waiting";
/// The last line to the winner.
pub const YOU_WIN: &str = "you win";
/// The last line to the loser.
pub const YOU_LOSE: &str = "you lose";
/// The last line to both sides if neither has won.
pub const EVEN: &str = "even";

/// The ships of a side in the order of its placement message, in which every line lists them.
pub type Order = [Ship; 3];

/// A placement message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The ships in the order of the message.
    pub order: Order,
    /// The cells of the battleship, the cruiser and the submarine. They are on the board, but two may be the same.
    pub cells: [Coord; 3],
}

/// The reason why a line of a client is not a message. It repeats whole numbers of the client and nothing else, so it is safe to
/// print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// Bytes that are not text.
    #[error("the line is not UTF-8 text")]
    NotText,
    /// Text that is not JSON, is nested deeper than any message, or has a number that is out of the range of 64-bit floats.
    #[error("the line is not JSON")]
    NotJson,
    /// JSON that is not an object.
    #[error("the line is not a JSON object")]
    NotObject,
    /// A ship that is not placed.
    #[error("\"{0}\" is missing")]
    NotPlaced(&'static str),
    /// Another value instead of a position.
    #[error("\"{0}\" is not a position: two whole numbers, as in [0,4]")]
    NotPosition(&'static str),
    /// A ship that is placed off the board.
    #[error("\"{0}\" is off the board: positions are [0,0] to [4,4]")]
    OffBoard(&'static str),
    /// A target that is off any board, in columns and rows.
    #[error("[{0},{1}] is off the board: positions are [0,0] to [4,4]")]
    FarOff(i128, i128),
    /// An action with neither key.
    #[error("there is neither \"attack\" nor \"move\"")]
    NoAction,
    /// An attack or a move that is not an object.
    #[error("\"{0}\" is not an object")]
    NotAction(&'static str),
    /// A move of another thing than a ship.
    #[error("\"ship\" is not \"w\", \"c\" or \"s\"")]
    NotShip,
}

/// The letter of a ship on the wire.
pub const fn letter(ship: Ship) -> &'static str {
    match ship {
        Ship::Battleship => "w",
        Ship::Cruiser => "c",
        Ship::Submarine => "s",
    }
}

/// Reads a placement line, such as `{"w":[0,1],"c":[0,0],"s":[1,1]}`. Other keys are passed over.
///
/// # Errors
/// The first problem of the line. Ships on one cell are left to the rules.
pub fn placement(line: &[u8]) -> Result<Placed, WireError> {
    let entries = object(line)?;
    let mut order = Vec::with_capacity(Ship::ALL.len());
    for (key, _) in &entries {
        if let Some(ship) = Ship::ALL.into_iter().find(|&ship| letter(ship) == key) {
            order.push(ship);
        }
    }
    let mut cells = [Coord::new(0, 0); 3];
    for ship in Ship::ALL {
        let at = value(&entries, letter(ship)).ok_or(WireError::NotPlaced(letter(ship)))?;
        let [x, y] = position(Some(at)).ok_or(WireError::NotPosition(letter(ship)))?;
        let at = coord(x, y).filter(|&at| SIZE.contains(at));
        cells[ship.index()] = at.ok_or(WireError::OffBoard(letter(ship)))?;
    }
    let order = order.try_into().expect("each of three letters is there once");
    Ok(Placed { order, cells })
}

/// Reads an action line, such as `{"attack":{"to":[0,0]}}` or `{"move":{"ship":"w","to":[0,4]}}`. With both keys, the attack
/// counts. Other keys are passed over.
///
/// A position off the board is an action, which the rules judge, unless a number is negative or above 255. `1.0` and `1e0` are whole
/// numbers, as `1` is; numbers that 64 bits do not hold are not.
///
/// # Errors
/// The first problem of the line.
pub fn action(line: &[u8]) -> Result<Action, WireError> {
    let entries = object(line)?;
    if let Some(attack) = value(&entries, "attack") {
        let attack = attack.as_object().ok_or(WireError::NotAction("attack"))?;
        return Ok(Action::Attack(target(attack)?));
    }
    let sail = value(&entries, "move").ok_or(WireError::NoAction)?;
    let sail = sail.as_object().ok_or(WireError::NotAction("move"))?;
    let named = value(sail, "ship").and_then(Json::as_str);
    let ship = Ship::ALL.into_iter().find(|&ship| Some(letter(ship)) == named).ok_or(WireError::NotShip)?;
    Ok(Action::Move(ship, target(sail)?))
}

/// A kind of action. A line may name it without being a valid action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// An attack.
    Attack,
    /// A move.
    Move,
}

impl ActionKind {
    /// The kind of an action.
    pub fn of(action: &Action) -> Self {
        match action {
            Action::Attack(_) => Self::Attack,
            Action::Move(..) => Self::Move,
        }
    }

    /// The kind that an action line names by its key; `None` when it is not a JSON object, or has neither key.
    pub fn named(line: &[u8]) -> Option<Self> {
        let entries = object(line).ok()?;
        let attack = value(&entries, "attack").map(|_| Self::Attack);
        attack.or_else(|| value(&entries, "move").map(|_| Self::Move))
    }
}

/// The orders in which the lines to one side list ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The order of its own ships.
    pub me: Order,
    /// The order of the enemy's ships.
    pub enemy: Order,
}

/// The line to one side, `me`, after a turn of `mover`. Without an effect the mover has lost: by an illegal action or by a line
/// that was not one, whose kind is named if it is known, or by another fault.
pub fn acted(
    me: Seat,
    mover: Seat,
    kind: Option<ActionKind>,
    effect: Option<&Report>,
    game: &Submarine,
    orders: Orders,
) -> String {
    let target_order = if me == mover { orders.enemy } else { orders.me };
    let result = match (kind, effect) {
        (_, Some(report)) => Some(legal(report, target_order)),
        (Some(ActionKind::Attack), None) => Some(TurnResult::Attacked(Judged::Illegal(false))),
        (Some(ActionKind::Move), None) => Some(TurnResult::Moved(Judged::Illegal(false))),
        (None, None) => None,
    };
    // The mover knows its own action, and needs only the result of an attack, including that it was illegal.
    let needs_result = me != mover || matches!(result, Some(TurnResult::Attacked(_)));
    let outcome = match game.end() {
        Some((Outcome::Win(winner), _)) => Some(winner == me),
        _ => None,
    };
    let condition = Condition {
        me: Fleet::of(game, me, orders.me, true),
        enemy: Fleet::of(game, me.other(), orders.enemy, false),
    };
    let line = ResultLine { result: result.filter(|_| needs_result), outcome, condition };
    serde_json::to_string(&line).expect("a line is plain data")
}

/// The last line to one side.
pub fn end(me: Seat, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(winner) if winner == me => YOU_WIN,
        Outcome::Win(_) => YOU_LOSE,
        // The protocol has no other word for a game without a winner.
        Outcome::Draw | Outcome::NoContest => EVEN,
    }
}

fn object(line: &[u8]) -> Result<Entries, WireError> {
    match Json::of(line)? {
        Json::Object(entries) => Ok(entries),
        _ => Err(WireError::NotObject),
    }
}

/// The value of a key.
fn value<'a>(entries: &'a [(String, Json)], key: &str) -> Option<&'a Json> {
    entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// The target of an attack or a move.
fn target(entries: &Entries) -> Result<Coord, WireError> {
    let [x, y] = position(value(entries, "to")).ok_or(WireError::NotPosition("to"))?;
    coord(x, y).ok_or(WireError::FarOff(x, y))
}

/// A position on the board or off it; `None` for a value that is not two whole numbers.
fn position(value: Option<&Json>) -> Option<[i128; 2]> {
    match value?.as_array()? {
        &[Json::Whole(x), Json::Whole(y)] => Some([x, y]),
        _ => None,
    }
}

/// A position as the rules have it, if they can.
fn coord(x: i128, y: i128) -> Option<Coord> {
    Some(Coord::new(u8::try_from(y).ok()?, u8::try_from(x).ok()?))
}

fn xy(at: Coord) -> [u8; 2] {
    [at.column, at.row]
}

fn legal(report: &Report, target_order: Order) -> TurnResult {
    match report {
        Report::Attacked { at, hit, near } => TurnResult::Attacked(Judged::Legal(Attacked {
            position: xy(*at),
            hit: hit.map(letter),
            near: target_order.into_iter().filter(|ship| near.contains(ship)).map(letter).collect(),
        })),
        Report::Moved { ship, down, right } => {
            TurnResult::Moved(Judged::Legal(Moved { ship: letter(*ship), distance: [*right, *down] }))
        }
    }
}

// The fields below are in the order of the wire: a structure is written as it is declared.

#[derive(Serialize)]
struct ResultLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<TurnResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<bool>,
    condition: Condition,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum TurnResult {
    Attacked(Judged<Attacked>),
    Moved(Judged<Moved>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Judged<T> {
    Legal(T),
    /// Always false, as the wire has it.
    Illegal(bool),
}

#[derive(Serialize)]
struct Attacked {
    position: [u8; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<&'static str>,
    near: Vec<&'static str>,
}

#[derive(Serialize)]
struct Moved {
    ship: &'static str,
    distance: [i8; 2],
}

#[derive(Serialize)]
struct Condition {
    me: Fleet,
    enemy: Fleet,
}

/// The ships afloat of a side by their letters, in a client's order.
struct Fleet(Vec<(&'static str, Afloat)>);

#[derive(Serialize)]
struct Afloat {
    hp: u8,
    /// None for an enemy's ship.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<[u8; 2]>,
}

impl Fleet {
    fn of(game: &Submarine, seat: Seat, order: Order, is_own: bool) -> Self {
        let ships = game.ships(seat);
        let afloat = order.into_iter().filter_map(|ship| ships.iter().find(|afloat| afloat.ship == ship));
        let entry = afloat.map(|ship| {
            let position = is_own.then(|| xy(ship.at));
            (letter(ship.ship), Afloat { hp: ship.hit_points, position })
        });
        Self(entry.collect())
    }
}

impl Serialize for Fleet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(letter, afloat)| (letter, afloat)))
    }
}
