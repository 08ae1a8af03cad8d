//! The checks of a file before any of it is compiled: whether it is a component, what it imports and exports, and whether
//! it stays within the sandbox's limits. Only this module parses, and it does not know wasmtime.
//!
//! There are two walks. The first goes over sections and counts what is in them ([`sections`]). The second validates and
//! weighs each function's operators on the way ([`functions`]). The limits and their reasons are in [`caps`] and [`cost`].

mod caps;
mod cost;
mod functions;
mod recognise;
mod sections;
mod shape;
mod types;

pub(crate) use recognise::too_large;
pub use shape::{Figure, Shape};

use crate::imports;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{BinaryReaderError, WasmFeatures};

const BUILD_AGAIN: &str = "build it again, and check that the file was copied completely";

/// The WebAssembly features that bots may use. All others are off in the engine too. Measured: Rust, JavaScript and
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

/// The facts that are read from a component.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) imports: Vec<String>,
    pub(crate) exports: Vec<String>,
    pub(crate) shape: Shape,
    /// The estimated time to compile everything but its functions.
    estimate_ns: u64,
}

/// Reads the outline of a component, or refuses the file.
pub(crate) fn scan(bytes: &[u8], limits: &SandboxLimits) -> Result<Outline, Refusal> {
    recognise::recognise(bytes, limits)?;
    let mut outline = sections::walk(bytes, limits)?;
    imports::check(&outline.imports)?;
    functions::validate(bytes, outline.estimate_ns, &mut outline.shape)?;
    Ok(outline)
}

/// A parser's error refuses the component.
impl From<BinaryReaderError> for Refusal {
    fn from(error: BinaryReaderError) -> Self {
        let (message, at) = (error.message(), error.offset());
        if ["not enabled", "feature", "proposal"].iter().any(|word| message.contains(word)) {
            return Self::new(
                RefusalKind::Feature,
                format!("uses a WebAssembly feature that bots do not have, at byte {at}: {message}"),
                "build with your toolchain's default features",
            );
        }
        let what = if message.contains("unexpected end") { "is cut off" } else { "is not valid" };
        Self::new(RefusalKind::Invalid, format!("{what}, at byte {at}: {message}"), BUILD_AGAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: RefusalKind) {
        let refusal = scan(bytes, &SandboxLimits::default()).expect_err("it is not a component");
        assert_eq!(refusal.kind, expected, "{refusal}");
        assert!(!refusal.next_step.is_empty());
    }

    #[test]
    fn files_that_are_not_components_are_told_apart() {
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
