//! The skeleton of a component: everything that decides its machine code, without the data that a bot's author changes.
//!
//! Toolchains for interpreted languages put the same interpreter into every bot, and the author's program as data next to it:
//! a snapshot of memory. So two such bots have the same skeleton. It is a component too, but it is only compiled, never run.

use super::caps;
use crate::refusal::{Refusal, RefusalKind};
use std::ops::Range;
use wasm_encoder::{
    ComponentSectionId, DataSection, Encode, MemorySection, MemoryType, RawSection, Section, SectionId,
};
use wasmparser::{ConstExpr, Encoding, GlobalSectionReader, MemorySectionReader, Operator, Parser, Payload};

/// The multiple of pages to which the initial size of a memory is rounded up, because a snapshot grows with the program in it.
/// Chosen: 8 MiB, of which Python and JavaScript need one and a half.
const PAGES_STEP: u64 = 128;

/// A component or core module that is being read.
struct Level {
    encoding: Encoding,
    /// Its skeleton up to here.
    written: Vec<u8>,
    /// True if it declares the number of its segments of data, because its code names them.
    counts_segments: bool,
}

/// The skeleton of a component: without custom sections and static data, with zero as the initial value of variables, and
/// with the size of memories rounded up.
///
/// The component is not validated. Functions compiled for its skeleton are used for the component only where the compiler
/// finds that their inputs have not changed. So a skeleton that leaves out too much only costs time.
///
/// # Errors
/// The component cannot be parsed, or nests too deep.
pub(crate) fn skeleton(component: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut around: Vec<Level> = Vec::new();
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        if let Payload::Version { encoding, range, .. } = payload {
            let written = part(component, range)?.to_vec();
            around.push(Level { encoding, written, counts_segments: false });
            caps::DEPTH.check(around.len() as u64 - 1)?;
        } else if let Payload::End(_) = payload {
            let Some(level) = around.pop() else { break };
            let Some(outer) = around.last_mut() else { return Ok(level.written) };
            let id = match level.encoding {
                Encoding::Module => ComponentSectionId::CoreModule,
                Encoding::Component => ComponentSectionId::Component,
            };
            append(&mut outer.written, id.into(), &level.written);
        } else if let Some(level) = around.last_mut() {
            level.add(component, payload)?;
        }
    }
    Ok(Vec::new())
}

impl Level {
    fn add(&mut self, component: &[u8], payload: Payload<'_>) -> Result<(), Refusal> {
        match payload {
            // Their contents come next.
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => Ok(()),
            Payload::CustomSection(_) => Ok(()),
            Payload::DataCountSection { range, .. } => {
                self.counts_segments = true;
                append(&mut self.written, SectionId::DataCount.into(), part(component, range)?);
                Ok(())
            }
            Payload::DataSection(data) => {
                if self.counts_segments {
                    let mut segments = DataSection::new();
                    for _ in 0..data.count() {
                        segments.passive([]);
                    }
                    segments.append_to(&mut self.written);
                }
                Ok(())
            }
            Payload::GlobalSection(globals) => self.globals(component, globals),
            Payload::MemorySection(memories) => self.memories(memories),
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    append(&mut self.written, id, part(component, range)?);
                }
                Ok(())
            }
        }
    }

    /// Adds globals. Constants stay as they are, because the compiler puts them into the code.
    fn globals(&mut self, component: &[u8], globals: GlobalSectionReader<'_>) -> Result<(), Refusal> {
        const END: u8 = 0x0b;
        let range = globals.range();
        let mut section = Vec::new();
        globals.count().encode(&mut section);
        let mut starts = Vec::new();
        for global in globals.into_iter_with_offsets() {
            starts.push(global?);
        }
        for (at, (start, global)) in starts.iter().enumerate() {
            let end = starts.get(at + 1).map_or(range.end, |(next, _)| *next);
            let value = global.init_expr.get_binary_reader().original_position();
            match zero(&global.init_expr) {
                Some(opcode) if global.ty.mutable => {
                    section.extend_from_slice(part(component, *start..value)?);
                    section.extend([opcode, 0, END]);
                }
                _ => section.extend_from_slice(part(component, *start..end)?),
            }
        }
        append(&mut self.written, SectionId::Global.into(), &section);
        Ok(())
    }

    fn memories(&mut self, memories: MemorySectionReader<'_>) -> Result<(), Refusal> {
        let mut section = MemorySection::new();
        for memory in memories {
            let memory = memory?;
            let minimum = memory.initial.checked_next_multiple_of(PAGES_STEP).unwrap_or(memory.initial);
            section.memory(MemoryType {
                minimum: memory.maximum.map_or(minimum, |maximum| minimum.min(maximum)),
                maximum: memory.maximum,
                memory64: memory.memory64,
                shared: memory.shared,
                page_size_log2: memory.page_size_log2.map(|log2| log2.min(16)),
            });
        }
        section.append_to(&mut self.written);
        Ok(())
    }
}

/// The opcode of a constant expression that is a single integer.
fn zero(expression: &ConstExpr<'_>) -> Option<u8> {
    const I32_CONST: u8 = 0x41;
    const I64_CONST: u8 = 0x42;
    let mut operators = expression.get_operators_reader().into_iter();
    let opcode = match operators.next()?.ok()? {
        Operator::I32Const { .. } => I32_CONST,
        Operator::I64Const { .. } => I64_CONST,
        _ => return None,
    };
    matches!(operators.next()?.ok()?, Operator::End).then_some(opcode)
}

/// The bytes of a part. The parser announces some parts before it has seen all of them.
fn part(component: &[u8], range: Range<usize>) -> Result<&[u8], Refusal> {
    let cut_off = || Refusal::new(RefusalKind::Invalid, "is cut off", super::BUILD_AGAIN);
    component.get(range).ok_or_else(cut_off)
}

fn append(written: &mut Vec<u8>, id: u8, data: &[u8]) {
    RawSection { id, data }.append_to(written);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;

    fn of(text: &str) -> Vec<u8> {
        let component = arena_testkit::component(text).expect("it is a specimen");
        skeleton(&component).expect("it has a skeleton")
    }

    #[test]
    fn the_skeleton_of_each_specimen_is_as_valid_and_its_own_skeleton() {
        for name in arena_testkit::zoo_names() {
            let component = arena_testkit::zoo(&name);
            let Ok(bare) = skeleton(&component) else { continue };
            assert_eq!(scan::validate(&bare).is_ok(), scan::validate(&component).is_ok(), "{name}");
            assert_eq!(skeleton(&bare), Ok(bare.clone()), "{name}");
        }
    }

    #[test]
    fn edits_of_data_variables_and_the_size_of_memory_leave_the_skeleton() {
        let bare = of("");
        for edit in [
            r#"(data $name-text (i32.const 64) "zoo edited!")"#,
            r#"(data $more (i32.const 8192) "more data")"#,
            "(global $heap (mut i32) (i32.const 8192))",
            "(memory $memory 100)",
        ] {
            assert_eq!(of(edit), bare, "{edit}");
        }
    }

    #[test]
    fn edits_of_code_types_and_constants_change_the_skeleton() {
        let bare = of("");
        for edit in [
            "(func $more (nop))",
            "(global $constant i32 (i32.const 1))",
            "(memory $memory 129)",
            "(memory $memory 1 2)",
        ] {
            assert_ne!(of(edit), bare, "{edit}");
        }
        let constant = |value: u32| of(&format!("(global $constant i32 (i32.const {value}))"));
        assert_ne!(constant(1), constant(2));
    }

    #[test]
    fn the_number_of_segments_is_kept_if_code_names_them() {
        let text = |data: &str| {
            format!(
                r#"(data $passive "{data}")
                (func $copies (memory.init $passive (i32.const 0) (i32.const 0) (i32.const 1)))"#
            )
        };
        assert_eq!(of(&text("one")), of(&text("another")));
        scan::validate(&of(&text("one"))).expect("it is valid");
    }

    #[test]
    fn a_component_that_is_cut_off_has_no_skeleton_or_a_complete_one() {
        let component = arena_testkit::zoo("sweeper");
        let mut complete = 0;
        for length in 0..component.len() {
            let Ok(bare) = skeleton(&component[..length]) else { continue };
            // It ends between two parts.
            assert_eq!(skeleton(&bare), Ok(bare.clone()), "{length} bytes");
            complete += 1;
        }
        assert!((2..100).contains(&complete), "{complete}");
        assert!(skeleton(&arena_testkit::bombs::levels_of_components(2_000)).is_err());
    }
}
