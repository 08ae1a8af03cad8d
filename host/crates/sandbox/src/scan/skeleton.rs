//! The skeleton of a component: everything that decides its machine code, without the data that a bot's author changes.
//!
//! Toolchains for interpreted languages put the same interpreter into every bot, and the author's program as data next to it:
//! a snapshot of memory. So two such bots have the same skeleton. It is a component too, but it is only compiled, never run.

use super::rewrite::{append, keep, part, rewritten};
use crate::refusal::Refusal;
use wasm_encoder::{DataSection, Encode, MemorySection, MemoryType, Section, SectionId};
use wasmparser::{ConstExpr, GlobalSectionReader, MemorySectionReader, Operator, Payload};

/// The multiple of pages to which the initial size of a memory is rounded up, because a snapshot grows with the program in it.
/// Chosen: 8 MiB, of which Python and JavaScript need one and a half.
const PAGES_STEP: u64 = 128;

/// Facts of the earlier parts of a component or core module that its skeleton depends on.
#[derive(Default)]
struct Bare {
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
    rewritten(component, |_| Bare::default(), |bare, written, payload| bare.add(written, component, payload))
}

impl Bare {
    fn add(&mut self, written: &mut Vec<u8>, component: &[u8], payload: Payload<'_>) -> Result<(), Refusal> {
        match payload {
            Payload::CustomSection(_) => Ok(()),
            Payload::DataCountSection { range, .. } => {
                self.counts_segments = true;
                append(written, SectionId::DataCount.into(), part(component, range)?);
                Ok(())
            }
            Payload::DataSection(data) => {
                if self.counts_segments {
                    let mut segments = DataSection::new();
                    for _ in 0..data.count() {
                        segments.passive([]);
                    }
                    segments.append_to(written);
                }
                Ok(())
            }
            Payload::GlobalSection(globals) => add_globals(written, component, globals),
            Payload::MemorySection(memories) => add_memories(written, memories),
            payload => keep(written, component, &payload),
        }
    }
}

/// Adds globals. Constants stay as they are, because the compiler puts them into the code.
fn add_globals(
    written: &mut Vec<u8>,
    component: &[u8],
    globals: GlobalSectionReader<'_>,
) -> Result<(), Refusal> {
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
    append(written, SectionId::Global.into(), &section);
    Ok(())
}

fn add_memories(written: &mut Vec<u8>, memories: MemorySectionReader<'_>) -> Result<(), Refusal> {
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
    section.append_to(written);
    Ok(())
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
