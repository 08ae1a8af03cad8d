//! What is done for an instance of a core module before its first call, and how its memory gets its first content.
//!
//! On Linux, wasmtime maps an image of the memory, which takes no fuel. Elsewhere it copies the data in a function of its own that takes a unit
//! for each byte. Fuel has to be the same, so such a copy is [free](crate::wasi::settle). But the same function also does everything else
//! that precedes the first call. So a module that has more for it to do gets no image on any system: its data is copied everywhere, and paid
//! for.

use crate::engine::{PAGE_BYTES, SPARSE_IMAGE_BYTES_MAX};
use wasm_encoder::{ConstExpr, DataSection, Encode, Instruction};
use wasmparser::{
    ConstExpr as Constant, Data, DataKind, Element, ElementItems, ElementKind, Operator, Payload, RefType,
    TableInit, TypeRef,
};

/// What is done for an instance of a core module before its first call. Where wasmtime's rules have many cases, these here have fewer, and
/// the others are "more".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Startup {
    /// The first size of the memory that the module defines.
    memory_bytes: Option<u64>,
    /// The first number of elements of each table; `None` if its elements are not known before there is an instance.
    tables: Vec<Option<u64>>,
    /// True if data is written to the memory.
    has_data: bool,
    /// The sum of the data, and the range in which it lies.
    data_bytes: u64,
    range: Option<(u64, u64)>,
    /// True if there is more to do than to write data to places that are known.
    does_more: bool,
}

impl Startup {
    /// Takes a valid part of the module.
    pub(super) fn add(&mut self, payload: &Payload<'_>) -> wasmparser::Result<()> {
        match payload {
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports() {
                    if matches!(import?.ty, TypeRef::Table(_)) {
                        self.tables.push(None);
                    }
                }
            }
            Payload::TableSection(section) => {
                for table in section.clone() {
                    let table = table?;
                    self.does_more |= !matches!(table.init, TableInit::RefNull);
                    let is_of_functions = table.ty.element_type == RefType::FUNCREF;
                    self.tables.push(is_of_functions.then_some(table.ty.initial));
                }
            }
            Payload::MemorySection(section) => {
                for memory in section.clone() {
                    self.memory_bytes = Some(memory?.initial.saturating_mul(PAGE_BYTES as u64));
                }
            }
            Payload::GlobalSection(section) => {
                for global in section.clone() {
                    self.does_more |= constant(&global?.init_expr).is_none();
                }
            }
            Payload::StartSection { .. } => self.does_more = true,
            Payload::ElementSection(section) => {
                for segment in section.clone() {
                    self.does_more |= !self.knows(&segment?);
                }
            }
            Payload::DataSection(section) => {
                for segment in section.clone() {
                    self.write(&segment?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// True if wasmtime makes these elements before there is an instance.
    fn knows(&self, segment: &Element<'_>) -> bool {
        match (&segment.kind, &segment.items) {
            (ElementKind::Declared, _) => true,
            (ElementKind::Active { table_index, offset_expr }, ElementItems::Functions(functions)) => {
                let table = self.tables.get(table_index.unwrap_or(0) as usize).copied().flatten();
                let end = offset(offset_expr).map(|start| start + u64::from(functions.count()));
                end.zip(table).is_some_and(|(end, elements)| end <= elements)
            }
            _ => false,
        }
    }

    fn write(&mut self, segment: &Data<'_>) {
        let DataKind::Active { offset_expr, .. } = &segment.kind else { return };
        self.has_data = true;
        let bytes = segment.data.len() as u64;
        match offset(offset_expr) {
            Some(start) if self.memory_bytes.is_some_and(|room| start + bytes <= room) => {
                if bytes > 0 {
                    let (first, last) = self.range.unwrap_or((start, 0));
                    self.range = Some((first.min(start), last.max(start + bytes)));
                    self.data_bytes += bytes;
                }
            }
            _ => self.does_more = true,
        }
    }

    /// True if the memory has room, and gets an image, and nothing else is done.
    pub(super) fn has_image(&self) -> bool {
        let size = self.range.map_or(0, |(first, last)| last - first);
        let is_dense = size < self.data_bytes.saturating_mul(2) || size < SPARSE_IMAGE_BYTES_MAX;
        self.has_data && !self.does_more && is_dense && self.memory_bytes > Some(0)
    }

    /// What is added to the data so that the memory gets no image: a segment of no bytes, at a place that has to be computed. It is the
    /// last one, so no other gets another number.
    pub(super) fn added_data(&self) -> Vec<Vec<u8>> {
        if !self.has_data || self.memory_bytes.is_none() || self.has_image() {
            return Vec::new();
        }
        let zero = Instruction::I32Const(0);
        let place = ConstExpr::extended([zero.clone(), zero, Instruction::I32Add]);
        let mut section = Vec::new();
        DataSection::new().active(0, &place, []).encode(&mut section);
        // After the size of the section, and the number of its segments.
        vec![section.split_off(2)]
    }
}

/// The only operator of an expression, if it is a constant.
fn constant<'a>(expression: &Constant<'a>) -> Option<Operator<'a>> {
    use Operator as O;
    let mut operators = expression.get_operators_reader().into_iter().flatten();
    let (first, second) = (operators.next()?, operators.next()?);
    let is_constant = matches!(
        first,
        O::I32Const { .. }
            | O::I64Const { .. }
            | O::F32Const { .. }
            | O::F64Const { .. }
            | O::V128Const { .. }
    );
    (is_constant && matches!(second, O::End)).then_some(first)
}

/// The place that an expression names, if it is a constant.
fn offset(expression: &Constant<'_>) -> Option<u64> {
    match constant(expression)? {
        Operator::I32Const { value } => Some(value.cast_unsigned().into()),
        _ => None,
    }
}
