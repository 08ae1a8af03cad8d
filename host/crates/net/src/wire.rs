//! The protocol's lines as text: what a client says is parsed, what it is told is formatted. No I/O.
//!
//! A position is `[x, y]` here, which is the column and the row; the rules have `(row, column)`. Lines are without their
//! line ends.

use arena_rules::submarine::{Action, Effect, Game, Report, SIZE, Ship};
use arena_rules::{Coord, Outcome, Seat};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::error::Category;
use std::fmt;

/// Sent to each client when both sides are there.
pub const GREETING: &str = "you are connected. please send me initial state.";
/// Sent to the side whose turn begins.
pub const YOUR_TURN: &str = "your turn";
/// Sent to the other side then.
pub const WAITING: &str = "waiting";
/// Sent to the winner, last.
pub const YOU_WIN: &str = "you win";
/// Sent to the loser, last.
pub const YOU_LOSE: &str = "you lose";
/// Sent to both sides, last, when neither has won.
pub const EVEN: &str = "even";

/// The ships of a side in the order of its placement message, in which every line lists them.
pub type Order = [Ship; 3];

/// What a client says of where its ships begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The ships, as the message orders them.
    pub order: Order,
    /// The cells of the battleship, the cruiser and the submarine. They are on the board, but may be the same.
    pub cells: [Coord; 3],
}

/// Why a line of a client is not a message. It never repeats the client's text, so it is safe to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// Bytes that are no text.
    #[error("the line is not UTF-8 text")]
    NotText,
    /// Text that is no JSON, or is nested deeper than any message.
    #[error("the line is not JSON")]
    NotJson,
    /// Some other JSON.
    #[error("the line is not a JSON object")]
    NotObject,
    /// A key is there twice.
    #[error("\"{0}\" is there twice")]
    Twice(&'static str),
    /// A ship is not placed.
    #[error("there is no \"{0}\"")]
    NotPlaced(&'static str),
    /// What should be a position is something else.
    #[error("\"{0}\" is not a position: two whole numbers, as in [0,4]")]
    NotPosition(&'static str),
    /// A ship is placed off the board.
    #[error("\"{0}\" is off the board: positions are [0,0] to [4,4]")]
    OffBoard(&'static str),
    /// Neither key is there.
    #[error("there is neither \"attack\" nor \"move\"")]
    NoAction,
    /// An attack or a move without an object.
    #[error("\"{0}\" is not an object")]
    NotAction(&'static str),
    /// A move of something else than a ship.
    #[error("\"ship\" is not \"w\", \"c\" or \"s\"")]
    NotShip,
}

/// A ship's letter on the wire.
pub const fn letter(ship: Ship) -> &'static str {
    match ship {
        Ship::Battleship => "w",
        Ship::Cruiser => "c",
        Ship::Submarine => "s",
    }
}

/// Reads a placement line, as `{"w":[0,1],"c":[0,0],"s":[1,1]}`. Other keys are passed over.
///
/// # Errors
/// The first thing that is wrong with it. Ships on one cell are not found here, but by the rules.
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
        let at = only(&entries, letter(ship))?.ok_or(WireError::NotPlaced(letter(ship)))?;
        let at = position(Some(at)).ok_or(WireError::NotPosition(letter(ship)))?;
        if !SIZE.contains(at) {
            return Err(WireError::OffBoard(letter(ship)));
        }
        cells[ship.index()] = at;
    }
    let order = order.try_into().expect("each of three letters is there once");
    Ok(Placed { order, cells })
}

/// Reads an action line, as `{"attack":{"to":[0,0]}}` or `{"move":{"ship":"w","to":[0,4]}}`. With both keys, the attack
/// counts. Other keys are passed over.
///
/// A position off the board is an action, which the rules judge. A number that is negative or above 255 becomes 255, which
/// is as far off the board as any.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn action(line: &[u8]) -> Result<Action, WireError> {
    let entries = object(line)?;
    if let Some(attack) = only(&entries, "attack")? {
        let attack = attack.as_object().ok_or(WireError::NotAction("attack"))?;
        let to = position(attack.get("to")).ok_or(WireError::NotPosition("to"))?;
        return Ok(Action::Attack(to));
    }
    let sail = only(&entries, "move")?.ok_or(WireError::NoAction)?;
    let sail = sail.as_object().ok_or(WireError::NotAction("move"))?;
    let named = sail.get("ship").and_then(Value::as_str);
    let ship = Ship::ALL.into_iter().find(|&ship| Some(letter(ship)) == named).ok_or(WireError::NotShip)?;
    let to = position(sail.get("to")).ok_or(WireError::NotPosition("to"))?;
    Ok(Action::Move(ship, to))
}

/// The ship orders by which one side's lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Its own.
    pub me: Order,
    /// The enemy's.
    pub enemy: Order,
}

/// The line that one side, `me`, gets after a turn of `mover`; `action` and `effect` are as in `News::Acted`.
pub fn acted(
    me: Seat,
    mover: Seat,
    action: Option<Action>,
    effect: Option<&Effect>,
    game: &Game,
    orders: Orders,
) -> String {
    let target_order = if me == mover { orders.enemy } else { orders.me };
    let result = match (effect, action) {
        (Some(Effect::Done(report)), _) => Some(told(report, target_order)),
        (Some(Effect::Illegal(_)), Some(Action::Attack(_))) => Some(Told::Attacked(Answer::Illegal(false))),
        (Some(Effect::Illegal(_)), Some(Action::Move(..))) => Some(Told::Moved(Answer::Illegal(false))),
        _ => None,
    };
    // Whose turn it was knows what it did, and is told only what its attack met.
    let met = matches!(effect, Some(Effect::Done(Report::Attacked { .. })));
    let result = result.filter(|_| me != mover || met);
    let outcome = match game.end() {
        Some((Outcome::Win(winner), _)) => Some(winner == me),
        _ => None,
    };
    let own = in_order(orders.me, |ship| {
        let own = game.ships(me).into_iter().find(|own| own.ship == ship)?;
        Some(Own { hp: own.hit_points, position: xy(own.at) })
    });
    let enemy = in_order(orders.enemy, |ship| {
        let enemy = game.ships(me.other()).into_iter().find(|enemy| enemy.ship == ship)?;
        Some(Enemy { hp: enemy.hit_points })
    });
    let line = Line { result, outcome, condition: Condition { me: own, enemy } };
    serde_json::to_string(&line).expect("a line is plain data")
}

/// The line that one side gets last.
pub fn end(me: Seat, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(winner) if winner == me => YOU_WIN,
        Outcome::Win(_) => YOU_LOSE,
        // The protocol has no other word for a game that neither side has won.
        Outcome::Draw | Outcome::NoContest => EVEN,
    }
}

/// An object's entries as they come: their order counts, and so does a key that comes twice.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

fn object(line: &[u8]) -> Result<Vec<(String, Value)>, WireError> {
    let text = std::str::from_utf8(line).map_err(|_| WireError::NotText)?;
    let Entries(entries) = serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => WireError::NotObject,
        Category::Io | Category::Syntax | Category::Eof => WireError::NotJson,
    })?;
    Ok(entries)
}

/// The value of a key that may be there once.
fn only<'a>(entries: &'a [(String, Value)], key: &'static str) -> Result<Option<&'a Value>, WireError> {
    let mut values = entries.iter().filter(|(name, _)| name == key).map(|(_, value)| value);
    let value = values.next();
    if values.next().is_some() {
        return Err(WireError::Twice(key));
    }
    Ok(value)
}

/// A position, whether or not it is on the board; none for what is not two whole numbers.
fn position(value: Option<&Value>) -> Option<Coord> {
    let [x, y] = value?.as_array()?.as_slice() else { return None };
    Some(Coord::new(whole(y)?, whole(x)?))
}

fn whole(value: &Value) -> Option<u8> {
    match (value.as_u64(), value.as_i64()) {
        (Some(number), _) => Some(u8::try_from(number).unwrap_or(u8::MAX)),
        // Negative.
        (None, Some(_)) => Some(u8::MAX),
        (None, None) => None,
    }
}

fn xy(at: Coord) -> [u8; 2] {
    [at.column, at.row]
}

fn told(report: &Report, target_order: Order) -> Told {
    match report {
        Report::Attacked { at, hit, near } => Told::Attacked(Answer::Legal(Attacked {
            position: xy(*at),
            hit: hit.map(letter),
            near: target_order.into_iter().filter(|ship| near.contains(ship)).map(letter).collect(),
        })),
        Report::Moved { ship, down, right } => {
            Told::Moved(Answer::Legal(Moved { ship: letter(*ship), distance: [*right, *down] }))
        }
    }
}

// The fields below are in the order of the wire: a structure is written as it is declared.

#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<bool>,
    condition: Condition,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Told {
    Attacked(Answer<Attacked>),
    Moved(Answer<Moved>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer<T> {
    Legal(T),
    /// Always false, as the wire says it.
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
    me: Fleet<Own>,
    enemy: Fleet<Enemy>,
}

#[derive(Serialize)]
struct Own {
    hp: u8,
    position: [u8; 2],
}

#[derive(Serialize)]
struct Enemy {
    hp: u8,
}

/// The ships afloat by their letters, in the order given.
struct Fleet<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Fleet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(letter, state)| (letter, state)))
    }
}

fn in_order<T>(order: Order, state: impl Fn(Ship) -> Option<T>) -> Fleet<T> {
    Fleet(order.into_iter().filter_map(|ship| Some((letter(ship), state(ship)?))).collect())
}
