//! How many parts a component has, and how deep they lie in each other, found out without following them.
//!
//! What reads and validates components calls itself for a type within a type, and takes time that grows with the square of
//! the depth for a component within a component. For each instance of a component, and for each import, it makes the
//! types of all that is exported anew. So a file of thirty kilobytes can overflow a thread's stack, which ends the process,
//! and one of fifty can take a gigabyte of memory. This is checked before anything else reads those parts.

use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{BinaryReader, BinaryReaderError, ComponentImport, ComponentType, InstanceTypeDeclaration};

/// The deepest nesting of components and modules, and in each of them of types; the outermost counts. Measured: Rust bots
/// keep to two; chosen: ten times as much, for bots that are put together of others.
pub(crate) const NESTING_MAX: usize = 20;

/// The most instances of components and imports of components, in all of a file. Measured: a Rust bot has 26 of both, a
/// Python bot 54; chosen: some five times as many.
pub(crate) const COPIES_MAX: u64 = 250;

/// The most types, declarations in types, and exports of components, in all of a file. Measured: a Rust bot has 171, a
/// Python bot 613; chosen: some four times as many. With as many of both as may be, to validate a file takes a fifth of a
/// second and 120 MiB.
pub(crate) const ENTRIES_MAX: u64 = 2_500;

/// What has been counted so far.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    copies: u64,
    entries: u64,
}

impl Parts {
    /// So many more instances or imports.
    pub(crate) fn add_copies(&mut self, count: u32) -> Result<(), Refusal> {
        self.copies += u64::from(count);
        if self.copies > COPIES_MAX {
            return Err(too_many("component instances and imports", COPIES_MAX));
        }
        Ok(())
    }

    /// So many more exports.
    pub(crate) fn add_entries(&mut self, count: u32) -> Result<(), Refusal> {
        self.entries += u64::from(count);
        if self.entries > ENTRIES_MAX {
            return Err(too_many("component types and exports", ENTRIES_MAX));
        }
        Ok(())
    }

    /// The types of a section, which is given by its bytes and where they are in the file, with all that is in them.
    pub(crate) fn add_types(&mut self, section: &[u8], offset: usize) -> Result<(), AddError> {
        let mut reader = BinaryReader::new(section, offset);
        // How many types are still to come, and then at each level how many declarations.
        let mut left = vec![reader.read_var_u32()?];
        self.add_entries(left[0])?;
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
                    return Err(too_deep("types").into());
                }
                reader.read_u8()?;
                let declarations = reader.read_var_u32()?;
                self.add_entries(declarations)?;
                left.push(declarations);
            } else {
                reader.read::<ComponentType<'_>>()?;
            }
        }
        Ok(())
    }
}

/// Why types were not added.
pub(crate) enum AddError {
    /// They are no types.
    Invalid(BinaryReaderError),
    /// There are too many of them.
    Refused(Refusal),
}

impl From<BinaryReaderError> for AddError {
    fn from(error: BinaryReaderError) -> Self {
        Self::Invalid(error)
    }
}

impl From<Refusal> for AddError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn peek(reader: &BinaryReader<'_>) -> Result<u8, BinaryReaderError> {
    reader.clone().read_u8()
}

// The binary format's own numbers, for the parts that hold others of their kind.
const TYPE_DECLARATION: u8 = 0x01;
const IMPORT_DECLARATION: u8 = 0x03;
const COMPONENT_TYPE: u8 = 0x41;
const INSTANCE_TYPE: u8 = 0x42;

/// The refusal of what lies too deep.
pub(crate) fn too_deep(what: &str) -> Refusal {
    Refusal::new(
        RefusalKind::OverLimits,
        format!("its {what} are nested more than {NESTING_MAX} deep"),
        "build it as one component",
    )
}

fn too_many(what: &str, max: u64) -> Refusal {
    Refusal::new(
        RefusalKind::OverLimits,
        format!("it has more than {max} {what}"),
        "build it as one component, and import and export what it needs alone",
    )
}
