//! Component types, which are small in a file and can be large once they are taken apart.

use super::caps;
use crate::refusal::Refusal;
use wasmparser::{BinaryReader, ComponentDefinedType, ComponentType, ComponentTypeDeclaration};

/// Counts the types of a section and their declarations.
///
/// Types that nest too deep are refused before anything else reads them: `wasmparser` reads a type within a type by
/// recursion without a bound, so a file of some 9 KB overflows the stack of a thread and ends the process. This function
/// keeps the open types in a list instead.
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

/// Reads one type or declaration, and checks its names. Of a type with declarations in it only the beginning is read, and
/// their number returned.
fn item(reader: &mut BinaryReader<'_>, is_type: bool) -> Result<Option<u32>, Refusal> {
    const TYPE_DECLARATION: u8 = 0x01;
    const COMPONENT_TYPE: u8 = 0x41;
    const INSTANCE_TYPE: u8 = 0x42;

    if !is_type {
        if reader.clone().read_u8()? != TYPE_DECLARATION {
            // A declaration of an instance type is one of a component type as well.
            match reader.read()? {
                ComponentTypeDeclaration::Export { name, .. } => check_name(name.name)?,
                ComponentTypeDeclaration::Import(import) => check_name(import.name.name)?,
                _ => {}
            }
            return Ok(None);
        }
        reader.read_u8()?;
    }
    match reader.clone().read_u8()? {
        COMPONENT_TYPE | INSTANCE_TYPE => {
            reader.read_u8()?;
            Ok(Some(reader.read_var_u32()?))
        }
        _ => {
            check_names(&reader.read()?)?;
            Ok(None)
        }
    }
}

/// Checks the names of a type's parts. Every copy of the type has them again.
fn check_names(of: &ComponentType<'_>) -> Result<(), Refusal> {
    match of {
        ComponentType::Defined(ComponentDefinedType::Record(fields)) => {
            fields.iter().try_for_each(|(name, _)| check_name(name))
        }
        ComponentType::Defined(ComponentDefinedType::Variant(cases)) => {
            cases.iter().try_for_each(|case| check_name(case.name))
        }
        ComponentType::Defined(ComponentDefinedType::Flags(names) | ComponentDefinedType::Enum(names)) => {
            names.iter().try_for_each(|name| check_name(name))
        }
        ComponentType::Func(function) => function.params.iter().try_for_each(|(name, _)| check_name(name)),
        _ => Ok(()),
    }
}

/// Checks the name of a part of a component.
pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    caps::NAME_BYTES.check(name.len() as u64)
}

/// True for a resource that the component defines.
pub(super) fn is_resource(defined: &ComponentType<'_>) -> bool {
    matches!(defined, ComponentType::Resource { .. })
}
