//! JSON as clients send it. Objects keep the order of their keys, and one with a key that comes twice is refused.

use crate::wire::WireError;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use std::fmt;

/// The entries of an object, in their order.
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
    /// A number without fraction and exponent that fits 64 bits, with or without a sign.
    Whole(i128),
    /// Another number, a truth value or null.
    Other,
}

impl Json {
    /// The value in a line.
    ///
    /// # Errors
    /// The line is not text, not JSON, or has an object with a key that comes twice.
    pub fn of(line: &[u8]) -> Result<Self, WireError> {
        let text = std::str::from_utf8(line).map_err(|_| WireError::NotText)?;
        serde_json::from_str(text).map_err(|error| match error.classify() {
            // The visitor has no other complaint.
            Category::Data => WireError::Twice,
            Category::Io | Category::Syntax | Category::Eof => WireError::NotJson,
        })
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
        while let Some(entry) = map.next_entry::<String, Json>()? {
            // A line has too few bytes for more than some hundred keys.
            if entries.iter().any(|(key, _)| *key == entry.0) {
                return Err(A::Error::custom("a key comes twice"));
            }
            entries.push(entry);
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

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }
}
