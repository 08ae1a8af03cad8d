//! JSON as clients send it, and as the original server understood it: a number is whole by its value, however it is written; and of a
//! key that comes twice, the last value counts, in the place of the first.

use crate::wire::WireError;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The largest number with a fraction or an exponent that counts as whole. Up to it, 64-bit floats have each whole number.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// The entries of an object, in their order. No two have the same key.
pub type Entries = Vec<(String, Json)>;

/// A value. For kinds that no message uses, only their presence is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// An object.
    Object(Entries),
    /// An array.
    Array(Vec<Self>),
    /// A string.
    Text(String),
    /// A whole number that fits 64 bits, with or without a sign; if it is written with a fraction or an exponent, as in `1.0`, of at most
    /// 53 bits.
    Whole(i128),
    /// Another number, a truth value or null.
    Other,
}

impl Json {
    /// The value in a line.
    ///
    /// # Errors
    /// The line is not text, or not JSON.
    pub fn of(line: &[u8]) -> Result<Self, WireError> {
        let text = std::str::from_utf8(line).map_err(|_| WireError::NotText)?;
        serde_json::from_str(text).map_err(|_| WireError::NotJson)
    }

    /// The entries, if it is an object.
    pub fn as_object(&self) -> Option<&Entries> {
        if let Self::Object(entries) = self { Some(entries) } else { None }
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Entries::new();
        while let Some((key, value)) = map.next_entry::<String, Json>()? {
            // A line has too few bytes for more than some hundred keys.
            match entries.iter_mut().find(|(before, _)| *before == key) {
                Some((_, before)) => *before = value,
                None => entries.push((key, value)),
            }
        }
        Ok(Json::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = array.next_element()? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Whole(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Whole(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        // `-0` comes here, too.
        let is_whole = number.fract() == 0.0 && number.abs() <= WHOLE_MAX;
        Ok(if is_whole { Json::Whole(number as i128) } else { Json::Other })
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }
}
