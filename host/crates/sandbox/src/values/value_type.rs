//! The types of values, as trees.

use std::fmt;
use wasmtime::component::ResourceType;
use wasmtime::component::types::Type;

/// The largest number of parts of all types of a component, counted where they are used. Chosen: a game of a hundred records has a
/// tenth of it, and a type that doubles with each level is found after a millisecond.
pub(crate) const PARTS_MAX: usize = 10_000;

/// The type of a value. Two types are the same if they have the same parts with the same names: a name of the whole is no part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A type without parts, by its name in WIT: `bool`, `u8`, `string`.
    Plain(&'static str),
    /// A list.
    List(Box<Self>),
    /// A list of a fixed length.
    FixedList(Box<Self>, u32),
    /// A record.
    Record(Vec<(String, Self)>),
    /// A tuple.
    Tuple(Vec<Self>),
    /// A variant.
    Variant(Vec<(String, Option<Self>)>),
    /// An enum.
    Enum(Vec<String>),
    /// An option.
    Option(Box<Self>),
    /// A result.
    Result(Option<Box<Self>>, Option<Box<Self>>),
    /// Flags.
    Flags(Vec<String>),
    /// A handle of a resource, by its name if the component exports it.
    Own(Option<String>),
    /// A handle of a resource that is lent.
    Borrow(Option<String>),
    /// A type that a game cannot have, by its name: a map, a stream, a future.
    Unsuited(&'static str),
}

/// Reads the types of a component.
pub(super) struct Reader<'a> {
    /// The number of parts that may still be read.
    left: usize,
    /// The resources that the component exports, by name.
    resources: &'a [(String, ResourceType)],
}

impl<'a> Reader<'a> {
    pub(super) fn new(resources: &'a [(String, ResourceType)]) -> Self {
        Self { left: PARTS_MAX, resources }
    }

    /// A type as a tree; `None` when there are too many parts.
    pub(super) fn read(&mut self, of: &Type) -> Option<ValueType> {
        self.left = self.left.checked_sub(1)?;
        Some(match of {
            Type::Bool => ValueType::Plain("bool"),
            Type::S8 => ValueType::Plain("s8"),
            Type::U8 => ValueType::Plain("u8"),
            Type::S16 => ValueType::Plain("s16"),
            Type::U16 => ValueType::Plain("u16"),
            Type::S32 => ValueType::Plain("s32"),
            Type::U32 => ValueType::Plain("u32"),
            Type::S64 => ValueType::Plain("s64"),
            Type::U64 => ValueType::Plain("u64"),
            Type::Float32 => ValueType::Plain("f32"),
            Type::Float64 => ValueType::Plain("f64"),
            Type::Char => ValueType::Plain("char"),
            Type::String => ValueType::Plain("string"),
            Type::List(list) => ValueType::List(self.boxed(&list.ty())?),
            Type::FixedLengthList(list) => ValueType::FixedList(self.boxed(&list.ty())?, list.len()),
            Type::Record(record) => ValueType::Record(
                record
                    .fields()
                    .map(|field| Some((field.name.to_owned(), self.read(&field.ty)?)))
                    .collect::<Option<_>>()?,
            ),
            Type::Tuple(tuple) => {
                ValueType::Tuple(tuple.types().map(|ty| self.read(&ty)).collect::<Option<_>>()?)
            }
            Type::Variant(variant) => ValueType::Variant(
                variant
                    .cases()
                    .map(|case| {
                        self.left = self.left.checked_sub(1)?;
                        let payload = case.ty.as_ref().map(|ty| self.read(ty));
                        Some((case.name.to_owned(), transposed(payload)?))
                    })
                    .collect::<Option<_>>()?,
            ),
            Type::Enum(names) => ValueType::Enum(self.names(names.names())?),
            Type::Flags(names) => ValueType::Flags(self.names(names.names())?),
            Type::Option(option) => ValueType::Option(self.boxed(&option.ty())?),
            Type::Result(result) => {
                let ok = result.ok().map(|ty| self.boxed(&ty));
                let err = result.err().map(|ty| self.boxed(&ty));
                ValueType::Result(transposed(ok)?, transposed(err)?)
            }
            Type::Own(resource) => ValueType::Own(self.resource(resource)),
            Type::Borrow(resource) => ValueType::Borrow(self.resource(resource)),
            Type::Map(_) => ValueType::Unsuited("map"),
            Type::Future(_) => ValueType::Unsuited("future"),
            Type::Stream(_) => ValueType::Unsuited("stream"),
            Type::ErrorContext => ValueType::Unsuited("error-context"),
        })
    }

    fn boxed(&mut self, of: &Type) -> Option<Box<ValueType>> {
        self.read(of).map(Box::new)
    }

    fn names<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Option<Vec<String>> {
        names
            .map(|name| {
                self.left = self.left.checked_sub(1)?;
                Some(name.to_owned())
            })
            .collect()
    }

    fn resource(&self, resource: &ResourceType) -> Option<String> {
        let found = self.resources.iter().find(|(_, exported)| exported == resource);
        found.map(|(name, _)| name.clone())
    }
}

/// `None` inside, as opposed to the failure outside.
fn transposed<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(read) => read.map(Some),
    }
}

impl fmt::Display for ValueType {
    /// The type in the notation of WIT, with its parts instead of their names: `record { row: u8, column: u8 }`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, word: &str, names: &[String]| {
            write!(f, "{word} {{ {} }}", names.join(", "))
        };
        let optional = |part: &Option<Box<Self>>| part.as_ref().map_or("_".into(), ToString::to_string);
        match self {
            Self::Plain(name) | Self::Unsuited(name) => f.write_str(name),
            Self::List(element) => write!(f, "list<{element}>"),
            Self::FixedList(element, length) => write!(f, "list<{element}, {length}>"),
            Self::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
                list(f, "record", &fields)
            }
            Self::Tuple(types) => {
                let types: Vec<String> = types.iter().map(ToString::to_string).collect();
                write!(f, "tuple<{}>", types.join(", "))
            }
            Self::Variant(cases) => {
                let case = |(name, payload): &(String, Option<Self>)| match payload {
                    Some(payload) => format!("{name}({payload})"),
                    None => name.clone(),
                };
                list(f, "variant", &cases.iter().map(case).collect::<Vec<_>>())
            }
            Self::Enum(names) => list(f, "enum", names),
            Self::Flags(names) => list(f, "flags", names),
            Self::Option(some) => write!(f, "option<{some}>"),
            Self::Result(None, None) => f.write_str("result"),
            Self::Result(Some(ok), None) => write!(f, "result<{ok}>"),
            Self::Result(ok, err) => write!(f, "result<{}, {}>", optional(ok), optional(err)),
            Self::Own(name) => f.write_str(name.as_deref().unwrap_or("resource")),
            Self::Borrow(name) => write!(f, "borrow<{}>", name.as_deref().unwrap_or("resource")),
        }
    }
}
