//! Component types, which are small in a file and can be large once they are taken apart.

use super::caps;
use crate::refusal::{Refusal, RefusalKind};
use std::collections::HashMap;
use wasmparser::component_types::{
    ComponentAnyTypeId, ComponentDefinedType, ComponentEntityType, ComponentValType,
};
use wasmparser::types::TypesRef;
use wasmparser::{BinaryReader, ComponentType, ComponentTypeDeclaration, Result as Read};

/// Counts the types of a section and their declarations.
///
/// Types that nest too deep are refused before anything else reads them: `wasmparser` reads a type within a type by
/// recursion without a bound, so a file of some 9 KB overflows the stack of a thread, which ends the process. This function
/// keeps the open types in a list.
pub(super) fn count(section: &[u8], offset: usize) -> Result<u64, Refusal> {
    let mut reader = BinaryReader::new(section, offset);
    let mut items = 0;
    // The number of declarations left in each open type, outermost first: the section itself.
    let mut left = vec![reader.read_var_u32()?];
    while let Some(here) = left.last_mut() {
        let Some(fewer) = here.checked_sub(1) else {
            left.pop();
            continue;
        };
        *here = fewer;
        items += 1;
        let is_type = left.len() == 1;
        if let Some(declarations) = item(&mut reader, is_type)? {
            left.push(declarations);
            caps::TYPE_DEPTH.check(left.len() as u64 - 1)?;
        }
    }
    Ok(items)
}

/// Reads one type or declaration. Of a type with declarations in it only the beginning is read, and their number returned.
fn item(reader: &mut BinaryReader<'_>, is_type: bool) -> Read<Option<u32>> {
    const TYPE_DECLARATION: u8 = 0x01;
    const COMPONENT_TYPE: u8 = 0x41;
    const INSTANCE_TYPE: u8 = 0x42;

    if !is_type {
        if reader.clone().read_u8()? != TYPE_DECLARATION {
            return reader.read::<ComponentTypeDeclaration<'_>>().map(|_| None);
        }
        reader.read_u8()?;
    }
    match reader.clone().read_u8()? {
        COMPONENT_TYPE | INSTANCE_TYPE => {
            reader.read_u8()?;
            reader.read_var_u32().map(Some)
        }
        _ => reader.read::<ComponentType<'_>>().map(|_| None),
    }
}

/// Refuses a resource that the component defines. Fuel does not cover its cost to the host, some 35 ns for each one that is
/// made, and no bot needs one.
pub(super) fn check(defined: &ComponentType<'_>) -> Result<(), Refusal> {
    if let ComponentType::Resource { .. } = defined {
        return Err(Refusal::new(
            RefusalKind::Feature,
            "defines a resource of its own, which bots do not have",
            "build against the contract's world only, which has no resources",
        ));
    }
    Ok(())
}

/// The sizes of types once they are taken apart: a pair of pairs of pairs doubles with each line. Lifting, lowering and
/// comparing values goes through all of it.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    known: HashMap<ComponentAnyTypeId, u64>,
}

impl Sizes {
    /// Checks the types of the innermost component, which are valid, from an index on, and returns their number.
    pub(super) fn check(&mut self, types: TypesRef<'_>, checked: u32) -> Result<u32, Refusal> {
        let count = types.component_type_count();
        for index in checked..count {
            caps::TYPE_SIZE.check(self.of(types, types.component_any_type_at(index)))?;
        }
        Ok(count)
    }

    /// The number of parts of a type. It recurses as deep as the validator lets types refer to types: a hundred levels.
    fn of(&mut self, types: TypesRef<'_>, id: ComponentAnyTypeId) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let size = match id {
            ComponentAnyTypeId::Resource(_) => 0,
            ComponentAnyTypeId::Defined(id) => self.defined(types, &types[id]),
            ComponentAnyTypeId::Func(id) => {
                let function = &types[id];
                let values = function.params.iter().map(|(_, param)| *param).chain(function.result);
                self.values(types, values)
            }
            ComponentAnyTypeId::Instance(id) => {
                self.entities(types, types[id].exports.values().map(|item| item.ty))
            }
            ComponentAnyTypeId::Component(id) => {
                let component = &types[id];
                let items = component.imports.values().chain(component.exports.values());
                self.entities(types, items.map(|item| item.ty))
            }
        };
        let size = size.saturating_add(1);
        self.known.insert(id, size);
        size
    }

    fn defined(&mut self, types: TypesRef<'_>, defined: &ComponentDefinedType) -> u64 {
        use ComponentDefinedType as D;

        match defined {
            D::Primitive(_) | D::Own(_) | D::Borrow(_) => 0,
            D::Flags(names) | D::Enum(names) => names.len() as u64,
            D::Record(record) => self.values(types, record.fields.values().copied()),
            D::Tuple(tuple) => self.values(types, tuple.types.iter().copied()),
            D::Variant(variant) => {
                let payloads = self.values(types, variant.cases.values().filter_map(|case| case.ty));
                payloads.saturating_add(variant.cases.len() as u64)
            }
            D::List { element, .. } => self.values(types, [*element]),
            D::FixedLengthList { element, length, .. } => {
                self.values(types, [*element]).saturating_mul(u64::from(*length))
            }
            D::Map { key, value, .. } => self.values(types, [*key, *value]),
            D::Option { ty, .. } => self.values(types, [*ty]),
            D::Result { ok, err, .. } => self.values(types, ok.iter().chain(err).copied()),
            D::Future { ty, .. } | D::Stream { ty, .. } => self.values(types, *ty),
        }
    }

    fn values(&mut self, types: TypesRef<'_>, values: impl IntoIterator<Item = ComponentValType>) -> u64 {
        let size = |value| match value {
            ComponentValType::Primitive(_) => 1,
            ComponentValType::Type(id) => self.of(types, id.into()),
        };
        values.into_iter().map(size).fold(0, u64::saturating_add)
    }

    fn entities(&mut self, types: TypesRef<'_>, of: impl Iterator<Item = ComponentEntityType>) -> u64 {
        let size = |entity| match entity {
            ComponentEntityType::Module(_) => 1,
            ComponentEntityType::Value(value) => self.values(types, [value]),
            ComponentEntityType::Func(id) => self.of(types, id.into()),
            ComponentEntityType::Type { created, .. } => self.of(types, created),
            ComponentEntityType::Instance(id) => self.of(types, id.into()),
            ComponentEntityType::Component(id) => self.of(types, id.into()),
        };
        of.map(size).fold(0, u64::saturating_add)
    }
}
