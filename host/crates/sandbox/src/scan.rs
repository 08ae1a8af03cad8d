//! What can be said of a file before any of it is compiled: whether it is a component at all, what it imports and
//! exports, and whether it stays within the sandbox's limits. Only this module parses, and it does not know wasmtime.

use crate::engine::{PAGE_BYTES, TABLE_ELEMENTS_MAX};
use crate::imports;
use crate::limits::SandboxLimits;
use crate::parts::{self, AddError, NESTING_MAX, Parts};
use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{BinaryReaderError, Encoding, MemoryType, Parser, Payload, Validator, WasmFeatures};

const BUILD_A_COMPONENT: &str =
    "build with `cargo build --target wasm32-wasip2 --release`, or with `cargo component build --release`";
const BUILD_AGAIN: &str = "build it again, and check that the file was copied whole";

/// The WebAssembly that bots may be made of; everything else is off in the engine too. Measured: Rust, JavaScript and
/// Python components load with these alone. Left out are threads, relaxed SIMD (which differs between machines by
/// design), 64-bit memories, more than one memory, garbage collection, function references, exceptions and tail calls.
pub(crate) const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::COMPONENT_MODEL);

/// What was read off a component's outside.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) imports: Vec<String>,
    pub(crate) exports: Vec<String>,
}

/// Reads a component's outside, or says why it is none that the sandbox takes.
pub(crate) fn scan(bytes: &[u8], limits: &SandboxLimits) -> Result<Outline, Refusal> {
    recognise(bytes, limits)?;
    let outline = outline(bytes, limits)?;
    imports::check(&outline.imports)?;
    validate(bytes)?;
    Ok(outline)
}

/// Tells a component from what people take for one.
fn recognise(bytes: &[u8], limits: &SandboxLimits) -> Result<(), Refusal> {
    let refuse = |kind, message: &str, next_step: &str| Err(Refusal::new(kind, message, next_step));
    if bytes.is_empty() {
        return refuse(RefusalKind::Empty, "the file is empty", BUILD_AGAIN);
    }
    if bytes.len() > limits.component_bytes_max {
        return Err(too_large(limits));
    }
    if bytes.starts_with(b"\x7fELF") {
        return refuse(
            RefusalKind::Precompiled,
            "this is machine code (an ELF file: a native program, or a precompiled `.cwasm`), not a component",
            "give the `.wasm` component itself: machine code from others is never run here",
        );
    }
    if !bytes.starts_with(b"\0asm") {
        return not_wasm(bytes);
    }
    if Parser::is_core_wasm(bytes) {
        return refuse(
            RefusalKind::CoreModule,
            "this is a core WebAssembly module, not a component",
            BUILD_A_COMPONENT,
        );
    }
    if !Parser::is_component(bytes) {
        return refuse(RefusalKind::Invalid, "the file's header is no component's", BUILD_AGAIN);
    }
    Ok(())
}

/// A file over the cap, which is not even read to its end.
pub(crate) fn too_large(limits: &SandboxLimits) -> Refusal {
    Refusal::new(
        RefusalKind::TooLarge,
        format!("the file is larger than {} bytes, the most that is taken", limits.component_bytes_max),
        "build with optimisation, and strip the names and debug sections",
    )
}

fn not_wasm(bytes: &[u8]) -> Result<(), Refusal> {
    // A prefix tells text well enough; it may end in the middle of a character.
    let prefix = &bytes[..bytes.len().min(1 << 10)];
    let is_text = match str::from_utf8(prefix) {
        Ok(text) => !text.contains('\0'),
        Err(error) => error.error_len().is_none() && !prefix.contains(&0),
    };
    let is_wat = is_text && prefix.trim_ascii_start().starts_with(b"(");
    Err(if is_wat {
        Refusal::new(
            RefusalKind::NotWasm,
            "this is WebAssembly's text format, not a component's binary",
            "turn it into a binary first: `wasm-tools parse bot.wat -o bot.wasm`",
        )
    } else if is_text {
        Refusal::new(
            RefusalKind::NotWasm,
            "this is a text file, not a WebAssembly component",
            BUILD_A_COMPONENT,
        )
    } else {
        Refusal::new(RefusalKind::NotWasm, "this is not a WebAssembly file", BUILD_A_COMPONENT)
    })
}

/// Walks over the component's parts, without validating them.
fn outline(bytes: &[u8], limits: &SandboxLimits) -> Result<Outline, Refusal> {
    let mut outline = Outline::default();
    // What the walk is inside of, outermost first: only the outermost component's imports and exports count.
    let mut inside: Vec<Encoding> = Vec::new();
    let mut parts = Parts::default();
    let mut memories = 0_usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(|error| invalid(&error))? {
            Payload::Version { encoding, .. } => {
                inside.push(encoding);
                if inside.len() > NESTING_MAX {
                    return Err(parts::too_deep("components"));
                }
            }
            Payload::ComponentTypeSection(section) => {
                let range = section.range();
                parts.add_types(&bytes[range.clone()], range.start).map_err(|error| match error {
                    AddError::Invalid(error) => invalid(&error),
                    AddError::Refused(refusal) => refusal,
                })?;
            }
            Payload::ComponentInstanceSection(section) => parts.add_copies(section.count())?,
            Payload::End(_) => {
                inside.pop();
            }
            Payload::ComponentImportSection(section) => {
                parts.add_copies(section.count())?;
                for import in section.into_iter().filter(|_| inside.len() == 1) {
                    outline.imports.push(import.map_err(|error| invalid(&error))?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) => {
                parts.add_entries(section.count())?;
                for export in section.into_iter().filter(|_| inside.len() == 1) {
                    outline.exports.push(export.map_err(|error| invalid(&error))?.name.name.to_owned());
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    memories += 1;
                    check_memory(&memory.map_err(|error| invalid(&error))?, memories, limits)?;
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(|error| invalid(&error))?;
                    if let wasmparser::TypeRef::Memory(memory) = import.ty {
                        check_memory(&memory, 1, limits)?;
                    }
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    check_table(table.map_err(|error| invalid(&error))?.ty.initial)?;
                }
            }
            _ => {}
        }
    }
    Ok(outline)
}

/// Checks a memory's type, and that it is the only one: the features by name, since validation would only say that
/// something "is not enabled".
fn check_memory(memory: &MemoryType, count: usize, limits: &SandboxLimits) -> Result<(), Refusal> {
    let feature = |what: &str, next_step: &str| Err(Refusal::new(RefusalKind::Feature, what, next_step));
    if memory.shared {
        return feature(
            "it has a shared memory, which is for threads; a bot has one thread",
            "build without the `atomics` target feature",
        );
    }
    if memory.memory64 {
        return feature("it has a 64-bit memory; a bot's memory has 32-bit addresses", "build for wasm32");
    }
    if memory.page_size_log2.is_some_and(|log2| log2 != 16) {
        return feature(
            "it has a memory with a custom page size",
            "build without the custom-page-sizes feature",
        );
    }
    if count > 1 {
        return feature(
            "it has more than one memory; a bot has one",
            "build it as one module, and not as a composition of several components",
        );
    }
    let bytes = memory.initial.saturating_mul(PAGE_BYTES as u64);
    if bytes > limits.memory_bytes_max as u64 {
        return Err(Refusal::new(
            RefusalKind::OverLimits,
            format!(
                "it begins with {} of memory; the cap is {}",
                mib(bytes),
                mib(limits.memory_bytes_max as u64)
            ),
            "make its static data and its stack smaller, or ask the organiser for more memory (`--memory`)",
        ));
    }
    Ok(())
}

fn check_table(elements: u64) -> Result<(), Refusal> {
    if elements > TABLE_ELEMENTS_MAX as u64 {
        return Err(Refusal::new(
            RefusalKind::OverLimits,
            format!("it has a table of {elements} elements; the cap is {TABLE_ELEMENTS_MAX}"),
            "build with optimisation, so that unused functions are removed",
        ));
    }
    Ok(())
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

/// Validates with the features that the engine has; the engine would refuse as well, but not say where.
fn validate(bytes: &[u8]) -> Result<(), Refusal> {
    Validator::new_with_features(FEATURES).validate_all(bytes).map(drop).map_err(|error| invalid(&error))
}

fn invalid(error: &BinaryReaderError) -> Refusal {
    let (message, at) = (error.message(), error.offset());
    if message.contains("not enabled") {
        return Refusal::new(
            RefusalKind::Feature,
            format!("it uses a WebAssembly feature that bots do not have, at byte {at}: {message}"),
            "build with your toolchain's default features",
        );
    }
    let what = if message.contains("unexpected end") { "it is cut off" } else { "it is not valid" };
    Refusal::new(RefusalKind::Invalid, format!("{what}, at byte {at}: {message}"), BUILD_AGAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: RefusalKind) {
        let refusal = scan(bytes, &SandboxLimits::default()).expect_err("it is no component");
        assert_eq!(refusal.kind, expected, "{refusal}");
        assert!(!refusal.next_step.is_empty());
    }

    #[test]
    fn what_is_no_component_is_told_apart() {
        check(b"", RefusalKind::Empty);
        check(b"(module)", RefusalKind::NotWasm);
        check(b"fn main() {}", RefusalKind::NotWasm);
        check("é".repeat(600).as_bytes(), RefusalKind::NotWasm);
        check(&[0xff; 100], RefusalKind::NotWasm);
        check(b"\0", RefusalKind::NotWasm);
        check(b"\x7fELF\x02\x01\x01", RefusalKind::Precompiled);
        check(b"\0asm\x01\0\0\0", RefusalKind::CoreModule);
        check(b"\0asm", RefusalKind::Invalid);
        check(b"\0asm\x0d\0\x01", RefusalKind::Invalid);
        check(b"\0asm\x0d\0\x01\0\x07", RefusalKind::Invalid);
    }

    #[test]
    fn a_file_over_the_cap_is_not_parsed() {
        let limits = SandboxLimits { component_bytes_max: 3, ..SandboxLimits::default() };
        let refusal = scan(b"\0asm", &limits).expect_err("it is over the cap");
        assert_eq!(refusal.kind, RefusalKind::TooLarge);
    }
}
