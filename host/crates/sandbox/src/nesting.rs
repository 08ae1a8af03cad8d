//! How deep a component's parts may lie in each other, found out without following them down.
//!
//! What reads and validates components calls itself for a type within a type, and takes time that grows with the square of
//! the depth for a component within a component. A file of thirty kilobytes that holds nothing else overflows a thread's
//! stack, which ends the process; so this is checked before anything else reads those parts.

use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{BinaryReader, ComponentImport, ComponentType, InstanceTypeDeclaration, Result};

/// The deepest nesting of components and modules, and in each of them of types; the outermost counts. Measured: Rust bots
/// keep to two; chosen: ten times as much, for bots that are put together of others.
pub(crate) const NESTING_MAX: usize = 20;

/// The refusal of what lies deeper.
pub(crate) fn too_deep(what: &str) -> Refusal {
    Refusal::new(
        RefusalKind::OverLimits,
        format!("its {what} are nested more than {NESTING_MAX} deep"),
        "build it as one component",
    )
}

/// Whether the types of a section, given by its bytes and where they are in the file, keep to the bound.
pub(crate) fn are_types_flat(section: &[u8], offset: usize) -> Result<bool> {
    let mut reader = BinaryReader::new(section, offset);
    // How many types are still to come, and then at each level how many declarations.
    let mut left = vec![reader.read_var_u32()?];
    while let Some(count) = left.last_mut() {
        if *count == 0 {
            left.pop();
            continue;
        }
        *count -= 1;
        let is_declaration = left.len() > 1;
        if is_declaration {
            match peek(&reader)? {
                TYPE_DECLARATION => drop(reader.read_u8()?),
                IMPORT_DECLARATION => {
                    reader.read_u8()?;
                    reader.read::<ComponentImport<'_>>()?;
                    continue;
                }
                _ => {
                    reader.read::<InstanceTypeDeclaration<'_>>()?;
                    continue;
                }
            }
        }
        if matches!(peek(&reader)?, COMPONENT_TYPE | INSTANCE_TYPE) {
            if left.len() > NESTING_MAX {
                return Ok(false);
            }
            reader.read_u8()?;
            left.push(reader.read_var_u32()?);
        } else {
            reader.read::<ComponentType<'_>>()?;
        }
    }
    Ok(true)
}

fn peek(reader: &BinaryReader<'_>) -> Result<u8> {
    reader.clone().read_u8()
}

// The binary format's own numbers, for the parts that hold others of their kind.
const TYPE_DECLARATION: u8 = 0x01;
const IMPORT_DECLARATION: u8 = 0x03;
const COMPONENT_TYPE: u8 = 0x41;
const INSTANCE_TYPE: u8 = 0x42;
