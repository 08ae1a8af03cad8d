//! A game in progress.

use crate::contract::plain_name;
use crate::drawing::plain_drawing;
use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Parts;
use arena_referee::{HostError, Reply};
use arena_rules::Seat;
use arena_rules::loaded::{Applied, BoardResult};
use arena_sandbox::{Function, Instance, OBSERVATION_TEXT_BYTES_MAX, TEXT_BYTES_MAX, Value, ValueType};
use arena_text::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The budget of a call, in units of fuel: a second of the reference machine. Chosen, and a part of the contract: a call of the two
/// examples takes at most 50,000, for a picture.
const CALL_FUEL: u64 = arena_sandbox::FUEL_PER_SECOND;

/// The fuel of the calls of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFuel {
    /// The number of calls.
    pub calls: u64,
    /// Their fuel.
    pub total: u64,
    /// The fuel of the most expensive one.
    pub max: u64,
}

impl CallFuel {
    /// The average fuel of a call, rounded up.
    pub fn average(&self) -> u64 {
        self.total.div_ceil(self.calls.max(1))
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.total = self.total.saturating_add(other.total);
        self.max = self.max.max(other.max);
    }
}

/// An instance, and the fuel of its calls by the name of the function.
pub struct Calls {
    instance: Instance,
    pub fuel: BTreeMap<String, CallFuel>,
}

impl Calls {
    pub fn new(instance: Instance) -> Self {
        Self { instance, fuel: BTreeMap::new() }
    }

    /// Calls a function that has a result.
    pub fn ask(&mut self, function: &Function, args: Vec<Value>) -> Result<Value, Error> {
        let name = plain_name(&function.name);
        let called = self.instance.call(function, args, CALL_FUEL);
        let Reply { answer, fuel_used } = called.map_err(|why| Error::of_call(name, why))?;
        let used = CallFuel { calls: 1, total: fuel_used, max: fuel_used };
        match self.fuel.get_mut(name) {
            Some(fuel) => fuel.add(&used),
            None => {
                self.fuel.insert(name.to_owned(), used);
            }
        }
        answer.ok_or_else(|| HostError::Defect("a checked function has no result".into()).into())
    }

    pub fn memory_bytes(&self) -> usize {
        self.instance.memory_bytes()
    }
}

/// The consequence of an overrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// The turn is lost.
    Turn,
    /// The game is lost.
    Game,
}

/// Everything that a player sees of a state, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The observation.
    pub observation: String,
    /// The picture.
    pub picture: String,
}

/// Views of a state in which everything that is hidden from a viewer was drawn again.
pub struct Resampled {
    /// The viewer's.
    pub seen: Seen,
    /// The other player's.
    pub other: Seen,
    /// The picture for an observer of both.
    pub observer: String,
    /// The viewer's drawing, if it was asked for and the game draws.
    pub drawing: Option<String>,
    /// The player to move.
    pub player: Option<Seat>,
}

/// A state of a game, in an instance of its own.
pub struct State {
    parts: Arc<Parts>,
    pub(crate) calls: Calls,
    /// The handle of the state.
    value: Value,
}

impl State {
    pub(crate) fn new(parts: Arc<Parts>, calls: Calls, value: Value) -> Self {
        Self { parts, calls, value }
    }

    /// The instance, after the state is dropped.
    pub(crate) fn into_calls(mut self) -> Result<Calls, Error> {
        self.calls.drop_handle(self.value, "state")?;
        Ok(self.calls)
    }

    fn ask<const N: usize>(&mut self, function: &Function, further: [Value; N]) -> Result<Value, Error> {
        let args = std::iter::once(self.value.clone()).chain(further).collect();
        self.calls.ask(function, args)
    }

    /// The player to move; `None` after the end.
    ///
    /// # Errors
    /// As of all functions of a state: the fault of the game, or a failure of the arena.
    pub fn current_player(&mut self) -> Result<Option<Seat>, Error> {
        let parts = Arc::clone(&self.parts);
        seat_maybe(self.ask(&parts.functions.current_player, [])?)
    }

    /// The result, after the end.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player), and a reason that is not one of the endings.
    pub fn outcome(&mut self) -> Result<BoardResult, Error> {
        let parts = Arc::clone(&self.parts);
        let outcome = self.ask(&parts.functions.outcome, [])?;
        let winner = seat_maybe(outcome.field("winner").ok_or_else(defect)?)?;
        let reason = outcome.field("reason").ok_or_else(defect)?;
        let reason = reason.as_str().ok_or_else(defect)?;
        if !parts.about.endings.iter().any(|ending| ending.name == reason) {
            let reason = arena_text::line(reason, 64);
            let what = format!(
                "returns the reason `{reason}`, which is not one of the endings that `describe` lists"
            );
            return Err(GameFault::new(FaultKind::BadValue, "outcome", what).into());
        }
        let score = |of: &Value, name| of.field(name)?.as_number();
        let scores = match outcome.field("scores").and_then(Value::into_option).ok_or_else(defect)? {
            Some(of) => Some([score(&of, "one").ok_or_else(defect)?, score(&of, "two").ok_or_else(defect)?]),
            None => None,
        };
        Ok(BoardResult { winner, reason: reason.to_owned(), scores })
    }

    /// Records that the current player overran its budget.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn overrun(&mut self) -> Result<Penalty, Error> {
        let parts = Arc::clone(&self.parts);
        let penalty = self.ask(&parts.functions.overrun, [])?;
        Ok(match penalty.as_case() {
            Some(("turn", _)) => Penalty::Turn,
            Some(("game", _)) => Penalty::Game,
            _ => return Err(defect()),
        })
    }

    /// A picture as a player, or for `None` an observer of both, may see it: several lines that are safe to print.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player), and a picture with characters that cannot be printed.
    pub fn picture(&mut self, viewer: Option<Seat>) -> Result<String, Error> {
        let parts = Arc::clone(&self.parts);
        let picture = self.ask(&parts.functions.picture, [Value::option(viewer.map(seat))])?;
        let picture = picture.as_str().ok_or_else(defect)?;
        let plain = arena_text::lines(picture);
        if plain != picture {
            let what = "returns a text with control, invisible or too many combining characters, or with a tab; use \
                        printable characters and line breaks";
            return Err(GameFault::new(FaultKind::BadValue, "picture", what).into());
        }
        // Right-to-left text is isolated by the console; here only its bounds count.
        if Text::new(&plain).as_str().lines().count() != plain.lines().count() {
            return Err(GameFault::new(FaultKind::BadValue, "picture", "returns too many lines").into());
        }
        Ok(plain)
    }

    /// A drawing as a player, or for `None` an observer of both, may see it, as the game makes it; `None` when the game does not draw.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn picture_svg(&mut self, viewer: Option<Seat>) -> Result<Option<String>, Error> {
        let parts = Arc::clone(&self.parts);
        let Some(function) = &parts.functions.picture_svg else { return Ok(None) };
        let svg = self.ask(function, [Value::option(viewer.map(seat))])?;
        svg.as_str().map(|svg| Some(svg.to_owned())).ok_or_else(defect)
    }

    /// The same, as pages show it.
    ///
    /// # Errors
    /// As of [`picture_svg`](Self::picture_svg), and a drawing that pages do not show.
    pub fn drawing(&mut self, viewer: Option<Seat>) -> Result<Option<String>, Error> {
        let Some(svg) = self.picture_svg(viewer)? else { return Ok(None) };
        let bad = |bad| {
            let what = format!("returns a drawing that pages do not show: {bad}");
            GameFault::new(FaultKind::BadValue, "picture-svg", what)
        };
        Ok(Some(plain_drawing(&svg).map_err(bad)?))
    }

    /// The observation of a player.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn observation(&mut self, viewer: Seat) -> Result<Value, Error> {
        let parts = Arc::clone(&self.parts);
        self.ask(&parts.functions.observe, [seat(viewer)])
    }

    /// Everything that a player sees.
    ///
    /// # Errors
    /// As of [`picture`](Self::picture).
    pub fn seen(&mut self, viewer: Seat) -> Result<Seen, Error> {
        let observation = observation_text(&self.observation(viewer)?)?;
        Ok(Seen { observation, picture: self.picture(Some(viewer))? })
    }

    /// Applies an action of the current player. The effect is `None` in a game without effects.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn apply(&mut self, action: Value) -> Result<Applied<Option<Value>>, Error> {
        let parts = Arc::clone(&self.parts);
        let applied = self.ask(&parts.functions.apply_action, [action])?;
        let refusal = match applied.into_result().ok_or_else(defect)? {
            Ok(effect) => return Ok(Applied::Done(effect)),
            Err(refusal) => refusal.ok_or_else(defect)?,
        };
        let (case, reason) = refusal.as_case().ok_or_else(defect)?;
        let reason = reason.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(if case == "retry" { Applied::Retry(reason) } else { Applied::Lost(reason) })
    }

    /// An action from its text in the notation WAVE.
    ///
    /// # Errors
    /// The reason why it is not one.
    pub fn parse_action(&self, text: &str) -> Result<Value, String> {
        self.parts.action(text)
    }

    /// The type of an action.
    pub fn action_type(&self) -> &ValueType {
        &self.parts.functions.apply_action.params[1]
    }

    /// A legal action of the current player, drawn with a seed.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn random_action(&mut self, seed: u64) -> Result<Value, Error> {
        let parts = Arc::clone(&self.parts);
        self.ask(&parts.functions.random_action, [Value::u64(seed)])
    }

    /// All legal actions of the current player; `None` when the game cannot list them.
    ///
    /// # Errors
    /// As of [`current_player`](Self::current_player).
    pub fn legal_actions(&mut self) -> Result<Option<Vec<Value>>, Error> {
        let parts = Arc::clone(&self.parts);
        let Some(function) = &parts.functions.legal_actions else { return Ok(None) };
        self.ask(function, [])?.into_items().ok_or_else(defect).map(Some)
    }

    /// A state in which everything that is hidden from the viewer was drawn again; `None` when the game cannot draw again.
    ///
    /// # Errors
    /// As of [`picture`](Self::picture).
    pub(crate) fn resampled(
        &mut self,
        viewer: Seat,
        seed: u64,
        draws: bool,
    ) -> Result<Option<Resampled>, Error> {
        let parts = Arc::clone(&self.parts);
        let Some(function) = &parts.functions.resample else { return Ok(None) };
        let other = self.ask(function, [seat(viewer), Value::u64(seed)])?;
        let this = std::mem::replace(&mut self.value, other);
        let looked = self.looked(viewer, draws);
        let other = std::mem::replace(&mut self.value, this);
        let looked = looked?;
        self.calls.drop_handle(other, "resample-from-infostate")?;
        Ok(Some(looked))
    }

    fn looked(&mut self, viewer: Seat, draws: bool) -> Result<Resampled, Error> {
        Ok(Resampled {
            seen: self.seen(viewer)?,
            other: self.seen(viewer.other())?,
            observer: self.picture(None)?,
            drawing: if draws { self.drawing(Some(viewer))? } else { None },
            player: self.current_player()?,
        })
    }

    /// The size of the memories of the game's instance, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.calls.memory_bytes()
    }

    /// The fuel of all calls so far, by the name of the function.
    pub fn fuel(&self) -> &BTreeMap<String, CallFuel> {
        &self.calls.fuel
    }
}

impl Calls {
    /// Drops the handle of a state.
    fn drop_handle(&mut self, handle: Value, call: &str) -> Result<(), Error> {
        self.instance.drop_handle(handle, CALL_FUEL).map_err(|why| Error::of_call(call, why))
    }
}

/// The text of an action or an effect, whose type has no handles, as this function returns it.
pub(crate) fn text_of(call: &str, value: &Value) -> Result<String, Error> {
    bounded(call, value.text().ok_or_else(defect)?, TEXT_BYTES_MAX)
}

/// The text of an observation.
pub(crate) fn observation_text(value: &Value) -> Result<String, Error> {
    bounded("observe", value.text().ok_or_else(defect)?, OBSERVATION_TEXT_BYTES_MAX)
}

/// A text that this function returns, if it is not too long.
fn bounded(call: &str, text: String, bytes_max: usize) -> Result<String, Error> {
    if text.len() <= bytes_max {
        return Ok(text);
    }
    let what = format!("returns {} bytes as text; it can return {bytes_max}: return less", text.len());
    Err(GameFault::new(FaultKind::BadValue, call, what).into())
}

/// A seat as a value.
pub(crate) fn seat(seat: Seat) -> Value {
    Value::case(match seat {
        Seat::First => "one",
        Seat::Second => "two",
    })
}

fn seat_maybe(value: Value) -> Result<Option<Seat>, Error> {
    let Some(seat) = value.into_option().ok_or_else(defect)? else { return Ok(None) };
    match seat.as_case() {
        Some(("one", _)) => Ok(Some(Seat::First)),
        Some(("two", _)) => Ok(Some(Seat::Second)),
        _ => Err(defect()),
    }
}

/// The error for a value that does not have its type, which has been checked.
fn defect() -> Error {
    HostError::Defect("a game's value does not have its checked type".into()).into()
}
