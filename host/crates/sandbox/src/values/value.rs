//! Values of any type.

use super::{OBSERVATION_TEXT_BYTES_MAX, RESULT_BYTES_MAX};
use wasmtime::component::Val;
use wasmtime::{Error, Result, format_err};

/// A value that a component returned, or that is passed to one. A handle of a resource belongs to the instance that made it.
#[derive(Clone, Debug)]
pub struct Value(pub(crate) Val);

impl Value {
    /// A case of an enum.
    pub fn case(name: &str) -> Self {
        Self(Val::Enum(name.to_owned()))
    }

    /// An option.
    pub fn option(value: Option<Self>) -> Self {
        Self(Val::Option(value.map(|value| Box::new(value.0))))
    }

    /// A list.
    pub fn list(values: impl IntoIterator<Item = Self>) -> Self {
        Self(Val::List(values.into_iter().map(|value| value.0).collect()))
    }

    /// A record of fields in their order.
    pub fn record<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self(Val::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value.0)).collect()))
    }

    /// A string.
    pub fn string(text: &str) -> Self {
        Self(Val::String(text.to_owned()))
    }

    /// A number of the type `u64`.
    pub fn u64(number: u64) -> Self {
        Self(Val::U64(number))
    }

    /// A number of the type `s64`.
    pub fn s64(number: i64) -> Self {
        Self(Val::S64(number))
    }

    /// The text of the value in the notation WAVE, which is the same for the same value; `None` for a value with a handle in it.
    pub fn text(&self) -> Option<String> {
        self.0.to_wave().ok()
    }

    /// The result of a call, if it is not too large.
    ///
    /// # Errors
    /// Its size, if it is; or the error of the call.
    pub(crate) fn of_call(called: Result<()>, result: Val) -> Result<Self> {
        let hint = "return a smaller one, and numbers or a string instead of many records";
        match called.map(|()| bytes(&result)) {
            Ok(0..=RESULT_BYTES_MAX) => Ok(Self(result)),
            Ok(bytes) => {
                Err(format_err!("its result has {bytes} bytes; it can have {RESULT_BYTES_MAX}: {hint}"))
            }
            Err(error) if is_of_copying(&error) => Err(format_err!(
                "its result has more than {RESULT_BYTES_MAX} bytes, or too many records, lists and names: {hint}"
            )),
            Err(error) => Err(error),
        }
    }

    /// The value of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Val::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a `u32`, or of an `s64`.
    pub fn as_number(&self) -> Option<i64> {
        match self.0 {
            Val::U32(number) => Some(number.into()),
            Val::S64(number) => Some(number),
            _ => None,
        }
    }

    /// A field of a record.
    pub fn field(&self, name: &str) -> Option<Self> {
        match &self.0 {
            Val::Record(fields) => {
                fields.iter().find(|(other, _)| other == name).map(|(_, value)| Self(value.clone()))
            }
            _ => None,
        }
    }

    /// The values of a list.
    pub fn into_items(self) -> Option<Vec<Self>> {
        match self.0 {
            Val::List(values) => Some(values.into_iter().map(Self).collect()),
            _ => None,
        }
    }

    /// The case of an enum or a variant, with its content if it has one.
    pub fn as_case(&self) -> Option<(&str, Option<Self>)> {
        match &self.0 {
            Val::Enum(name) => Some((name, None)),
            Val::Variant(name, content) => Some((name, content.as_deref().cloned().map(Self))),
            _ => None,
        }
    }

    /// The content of an option.
    pub fn into_option(self) -> Option<Option<Self>> {
        match self.0 {
            Val::Option(content) => Some(content.map(|content| Self(*content))),
            _ => None,
        }
    }

    /// The contents of a result.
    pub fn into_result(self) -> Option<Result<Option<Self>, Option<Self>>> {
        let content = |content: Option<Box<Val>>| content.map(|content| Self(*content));
        match self.0 {
            Val::Result(result) => Some(result.map(content).map_err(content)),
            _ => None,
        }
    }
}

/// The size of a value in bytes, as in a component's memory without gaps.
fn bytes(value: &Val) -> usize {
    let content = |content: &Option<Box<Val>>| 1 + content.as_deref().map_or(0, bytes);
    match value {
        Val::String(text) => 8 + text.len(),
        // All elements have one type.
        Val::List(values) => {
            8 + values.first().map_or(0, |first| match width(first) {
                Some(width) => width * values.len(),
                None => all(values),
            })
        }
        Val::Tuple(values) | Val::FixedLengthList(values) => all(values),
        Val::Record(fields) => fields.iter().map(|(_, value)| bytes(value)).sum(),
        Val::Variant(_, inner) | Val::Option(inner) => content(inner),
        Val::Result(Ok(inner) | Err(inner)) => content(inner),
        plain => width(plain).unwrap_or(4),
    }
}

fn all(values: &[Val]) -> usize {
    values.iter().map(bytes).sum()
}

/// The size of a number or an enum; `None` for a value of another kind.
fn width(value: &Val) -> Option<usize> {
    match value {
        Val::Bool(_) | Val::S8(_) | Val::U8(_) | Val::Enum(_) => Some(1),
        Val::S16(_) | Val::U16(_) => Some(2),
        Val::S64(_) | Val::U64(_) | Val::Float64(_) => Some(8),
        Val::S32(_) | Val::U32(_) | Val::Float32(_) | Val::Char(_) => Some(4),
        _ => None,
    }
}

/// True if a call has copied more data than the store allows.
fn is_of_copying(error: &Error) -> bool {
    error.root_cause().to_string().contains("fuel allocated for hostcalls has been exhausted")
}

impl arena_rules::loaded::Observed for Value {
    fn text(&self) -> Result<String, arena_rules::Failure> {
        let text = Self::text(self).ok_or("an observation has a handle in it")?;
        match text.len() {
            0..=OBSERVATION_TEXT_BYTES_MAX => Ok(text),
            bytes => Err(format!(
                "`observe` returns {bytes} bytes as text; it can return {OBSERVATION_TEXT_BYTES_MAX}"
            )
            .into()),
        }
    }
}
