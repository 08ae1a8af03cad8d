//! The observations of a loaded game.

use super::{AnyState, Observed};
use crate::{Failure, Seat};
use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;

/// The part of a state that a side sees. The code is asked for it when somebody looks at it: most referees never do.
#[derive(Clone)]
pub struct Observation(Origin);

#[derive(Clone)]
enum Origin {
    /// It was recorded or sent as text.
    Text(String),
    /// It is that of a side in this state.
    State(AnyState, Seat),
}

/// There is no observation after the end: its text is empty.
impl Default for Observation {
    fn default() -> Self {
        Self(Origin::Text(String::new()))
    }
}

impl Observation {
    /// The observation of a side in a state.
    pub(super) fn of(state: AnyState, seat: Seat) -> Self {
        Self(Origin::State(state, seat))
    }

    /// The code's text.
    ///
    /// # Errors
    /// The code failed.
    pub fn text(&self) -> Result<Cow<'_, str>, Failure> {
        match &self.0 {
            Origin::Text(text) => Ok(text.into()),
            Origin::State(state, seat) => Ok(state.observe(*seat)?.text()?.into()),
        }
    }

    /// The same observation as it can be sent: its text is known.
    ///
    /// # Errors
    /// The code failed.
    pub fn to_text(&self) -> Result<Self, Failure> {
        Ok(Self(Origin::Text(self.text()?.into_owned())))
    }

    /// An action that the code draws with this seed.
    ///
    /// # Errors
    /// The code failed, or the observation is only a text.
    pub fn random_action(&self, seed: u64) -> Result<String, Failure> {
        match &self.0 {
            Origin::Text(_) => Err("an observation that is only a text has no actions".into()),
            Origin::State(state, _) => state.random_action(seed),
        }
    }

    /// True if the code can still be asked about it.
    pub fn has_code(&self) -> bool {
        matches!(self.0, Origin::State(..))
    }

    /// The observation in the type that the code has for it; `None` if it has another one, or the observation is only a text.
    ///
    /// # Errors
    /// The code failed.
    pub fn observed<T: Observed>(&self) -> Result<Option<Box<T>>, Failure> {
        let Origin::State(state, seat) = &self.0 else { return Ok(None) };
        let observed: Box<dyn Any> = state.observe(*seat)?;
        Ok(observed.downcast().ok())
    }
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text().map_err(S::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Observation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Origin::Text(text)))
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl PartialEq for Observation {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}
