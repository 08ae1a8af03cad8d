//! The canonical ABI of the component model: where the parts of a value are in memory, and which numbers a value is as arguments.

use arena_rules::loaded::{BotContract, Definition, Part, Plain};

/// The largest number of values that are arguments of a function. More are in memory.
pub const VALUES_MAX: usize = 16;

/// A type of a core module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    I32,
    I64,
    F32,
    F64,
}

impl Core {
    /// The type in Go.
    pub const fn ty(self) -> &'static str {
        match self {
            Self::I32 => "uint32",
            Self::I64 => "uint64",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }

    /// An expression for the bits of a value, as an `uint64`.
    pub fn bits(self, value: &str) -> String {
        match self {
            Self::I32 => format!("uint64({value})"),
            Self::I64 => value.to_owned(),
            Self::F32 => format!("uint64(math.Float32bits({value}))"),
            Self::F64 => format!("math.Float64bits({value})"),
        }
    }

    /// The type for a value of either type.
    fn join(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::I32 | Self::F32, Self::I32 | Self::F32) => Self::I32,
            _ => Self::I64,
        }
    }
}

/// The layout of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of bytes in memory.
    pub size: u64,
    /// Its alignment there.
    pub align: u64,
    /// The values as arguments, or the first [`VALUES_MAX`] and one more.
    pub flat: Vec<Core>,
}

/// How a value is given: the two have the same order of parts, at other offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In memory.
    Memory,
    /// As arguments, each of which is in eight bytes.
    Values,
}

/// The number of bytes for the number of a case.
pub fn discriminant(cases: usize) -> u64 {
    match cases {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// The layouts of all types of a contract.
pub fn of_types(contract: &BotContract) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for it in &contract.types {
        let part = |part: &Part| Layout::of(part, &layouts);
        let layout = match &it.definition {
            Definition::Record(fields) => Layout::of_record(fields.iter().map(|(_, of)| part(of))),
            Definition::Variant(cases) => {
                let parts = cases.iter().filter_map(|(_, of)| of.as_ref());
                Layout::of_variant(cases.len(), parts.map(part))
            }
            Definition::Enum(names) => Layout::of_variant(names.len(), std::iter::empty()),
            Definition::Flags(names) => Layout::scalar(
                match names.len() {
                    0..=8 => 1,
                    9..=16 => 2,
                    _ => 4,
                },
                Core::I32,
            ),
            Definition::Alias(of) => part(of),
        };
        layouts.push(layout);
    }
    layouts
}

impl Layout {
    fn scalar(size: u64, core: Core) -> Self {
        Self { size, align: size, flat: vec![core] }
    }

    /// The layout of a part, after those of the types before.
    pub fn of(part: &Part, types: &[Self]) -> Self {
        let inner = |part: &Part| Self::of(part, types);
        match part {
            Part::Plain(plain) => match plain {
                Plain::Bool | Plain::S8 | Plain::U8 => Self::scalar(1, Core::I32),
                Plain::S16 | Plain::U16 => Self::scalar(2, Core::I32),
                Plain::S32 | Plain::U32 | Plain::Char => Self::scalar(4, Core::I32),
                Plain::S64 | Plain::U64 => Self::scalar(8, Core::I64),
                Plain::F32 => Self::scalar(4, Core::F32),
                Plain::F64 => Self::scalar(8, Core::F64),
                Plain::String => Self { size: 8, align: 4, flat: vec![Core::I32; 2] },
            },
            Part::List(_) => Self { size: 8, align: 4, flat: vec![Core::I32; 2] },
            Part::FixedList(..) => unreachable!("`unsuited` is asked before"),
            Part::Option(some) => Self::of_variant(2, std::iter::once(inner(some))),
            Part::Tuple(parts) => Self::of_record(parts.iter().map(inner)),
            Part::Result(ok, err) => {
                Self::of_variant(2, [ok, err].into_iter().flatten().map(|part| inner(part)))
            }
            Part::Named(index) => types[*index].clone(),
        }
    }

    fn of_record(parts: impl Iterator<Item = Self>) -> Self {
        let mut whole = Self { size: 0, align: 1, flat: Vec::new() };
        for part in parts {
            whole.size = whole.size.next_multiple_of(part.align) + part.size;
            whole.align = whole.align.max(part.align);
            whole.flat.extend(part.flat);
            whole.flat.truncate(VALUES_MAX + 1);
        }
        whole.size = whole.size.next_multiple_of(whole.align);
        whole
    }

    fn of_variant(cases: usize, parts: impl Iterator<Item = Self>) -> Self {
        let tag = discriminant(cases);
        let (mut size, mut align, mut flat) = (0, tag, vec![Core::I32]);
        let mut payload_align = 1;
        for part in parts {
            size = part.size.max(size);
            payload_align = part.align.max(payload_align);
            for (index, core) in part.flat.into_iter().enumerate() {
                match flat.get_mut(index + 1) {
                    Some(other) => *other = core.join(*other),
                    None => flat.push(core),
                }
            }
        }
        align = payload_align.max(align);
        flat.truncate(VALUES_MAX + 1);
        Self { size: (tag.next_multiple_of(payload_align) + size).next_multiple_of(align), align, flat }
    }
}

impl Form {
    /// The number of bytes from the address of a list to its length.
    pub const fn width(self) -> u64 {
        match self {
            Self::Memory => 4,
            Self::Values => 8,
        }
    }

    /// The beginning of the names of functions that read this form.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Memory => "load",
            Self::Values => "take",
        }
    }

    /// The offsets of the parts of a record or a tuple.
    pub fn offsets(self, parts: impl Iterator<Item = Layout>) -> impl Iterator<Item = u64> {
        let mut end = 0;
        parts.map(move |part| {
            let (at, size) = match self {
                Self::Memory => (u64::next_multiple_of(end, part.align), part.size),
                Self::Values => (end, 8 * part.flat.len() as u64),
            };
            end = at + size;
            at
        })
    }

    /// The offset of what a case has, in a variant with a number of cases, from all that they have.
    pub fn payload(self, cases: usize, parts: impl Iterator<Item = Layout>) -> u64 {
        match self {
            Self::Memory => {
                discriminant(cases).next_multiple_of(parts.map(|part| part.align).max().unwrap_or(1))
            }
            Self::Values => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::loaded::{About, NamedType};
    use wit_bindgen_core::wit_parser::abi::{FlatTypes, WasmType};
    use wit_bindgen_core::wit_parser::{Resolve, SizeAlign, Type};

    fn boxed(part: Part) -> Box<Part> {
        Box::new(part)
    }

    /// Types of all kinds, each after its parts.
    fn types() -> Vec<NamedType> {
        let plain = Part::Plain;
        let many = |count: usize| (0..count).map(|index| format!("x{index}"));
        // The words of WIT that are names of types.
        let numbers = Plain::ALL.map(|it| (it.name().to_owned(), plain(it)));
        let mut types = vec![
            Definition::Record(numbers.into()),
            Definition::Enum(many(256).collect()),
            Definition::Enum(many(257).collect()),
            Definition::Flags(many(8).collect()),
            Definition::Flags(many(9).collect()),
            Definition::Flags(many(17).collect()),
            Definition::Variant(
                many(300).map(|name| (name, None)).chain([("b".into(), Some(plain(Plain::U8)))]).collect(),
            ),
            Definition::Variant(vec![
                (
                    "with".into(),
                    Some(Part::Tuple(vec![plain(Plain::F32), plain(Plain::F64), plain(Plain::U8)])),
                ),
                ("error-context".into(), Some(Part::Tuple(vec![plain(Plain::U16), plain(Plain::F32)]))),
                ("map".into(), None),
            ]),
        ];
        types.extend((0..8).map(|index| {
            let inner = Part::Named(index);
            Definition::Alias(match index % 4 {
                0 => Part::Option(boxed(inner)),
                1 => Part::Tuple(vec![plain(Plain::U8), inner, plain(Plain::S16)]),
                2 => Part::Result(Some(boxed(inner)), Some(boxed(plain(Plain::F32)))),
                _ => Part::Tuple(vec![Part::List(boxed(inner)), Part::Result(None, None)]),
            })
        }));
        types.extend((8..15).map(|index| {
            let parts = [Part::Named(index), Part::Named(index + 1), plain(Plain::Char)];
            let name = |part: Part| (format!("x{}", part.parts().len()), Some(part));
            match index % 2 {
                0 => Definition::Variant(vec![name(Part::Tuple(parts.into())), name(plain(Plain::F64))]),
                _ => Definition::Record(vec![("x".into(), Part::Tuple(parts.into()))]),
            }
        }));
        let named = |(index, definition)| NamedType { name: format!("t{index}"), definition };
        types.into_iter().enumerate().map(named).collect()
    }

    #[test]
    fn sizes_and_values_are_those_of_the_canonical_abi() {
        let contract = BotContract {
            package: "games:any".into(),
            version: String::new(),
            types: types(),
            observation: 0,
            action: 0,
        };
        contract.check().unwrap();
        let mut resolve = Resolve::default();
        let package = resolve.push_str("bot.wit", &contract.wit(&About::default())).unwrap();
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve);
        let interface = resolve.packages[package].interfaces["bot"];
        let layouts = of_types(&contract);
        assert!(layouts.len() > 20);
        for (it, layout) in contract.types.iter().zip(&layouts) {
            let ty = Type::Id(resolve.interfaces[interface].types[&it.name]);
            let mut room = [WasmType::I32; VALUES_MAX];
            let mut flat = FlatTypes::new(&mut room);
            let fits = resolve.push_flat(&ty, &mut flat);
            let expected: Vec<WasmType> = layout
                .flat
                .iter()
                .map(|core| match core {
                    Core::I32 => WasmType::I32,
                    Core::I64 => WasmType::I64,
                    Core::F32 => WasmType::F32,
                    Core::F64 => WasmType::F64,
                })
                .collect();
            let size = sizes.size(&ty).size_wasm32() as u64;
            assert_eq!((layout.size, layout.align), (size, sizes.align(&ty).align_wasm32() as u64), "{it:?}");
            assert_eq!(fits, layout.flat.len() <= VALUES_MAX, "{it:?}");
            if fits {
                let flat: Vec<WasmType> = flat.to_vec().into_iter().map(without_pointers).collect();
                assert_eq!(flat, expected, "{it:?}");
            }
        }
    }

    /// A type of a 32-bit module.
    fn without_pointers(ty: WasmType) -> WasmType {
        match ty {
            WasmType::Pointer | WasmType::Length => WasmType::I32,
            WasmType::PointerOrI64 => WasmType::I64,
            other => other,
        }
    }
}
