//! Values of any type.

use wasmtime::component::Val;

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
    pub fn items(&self) -> Option<Vec<Self>> {
        match &self.0 {
            Val::List(values) => Some(values.iter().cloned().map(Self).collect()),
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
    pub fn as_option(&self) -> Option<Option<Self>> {
        match &self.0 {
            Val::Option(content) => Some(content.as_deref().cloned().map(Self)),
            _ => None,
        }
    }

    /// The contents of a result.
    pub fn as_result(&self) -> Option<Result<Option<Self>, Option<Self>>> {
        let content = |content: &Option<Box<Val>>| content.as_deref().cloned().map(Self);
        match &self.0 {
            Val::Result(result) => Some(result.as_ref().map(content).map_err(content)),
            _ => None,
        }
    }
}

impl arena_rules::loaded::Sight for Value {
    fn text(&self) -> Result<String, arena_rules::Failure> {
        let text = Self::text(self).ok_or("an observation has a handle in it")?;
        match text.len() {
            0..=super::TEXT_BYTES_MAX => Ok(text),
            bytes => Err(format!(
                "an observation has {bytes} bytes as text; it can have {}",
                super::TEXT_BYTES_MAX
            )
            .into()),
        }
    }
}
