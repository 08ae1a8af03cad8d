//! The checks of a component before anything of it is compiled: what it imports and exports, and if it stays within the
//! sandbox's limits. Only this module parses, and it does not know wasmtime.
//!
//! It runs where the component is compiled: in the child process if there is one. The parent looks at the first bytes of a
//! file ([`recognise()`]), and parses nothing else.

mod additions;
mod calls;
mod caps;
mod compositions;
mod counting;
mod fetching;
mod frames;
mod functions;
mod recognise;
mod rewrite;
mod sections;
mod shape;
mod skeleton;
mod startup;
mod types;

pub(crate) use additions::with_additions;
pub(crate) use frames::ALL_UNITS_MAX;
pub(crate) use functions::Additions;
pub(crate) use recognise::{recognise, too_large};
pub use shape::Figure;
pub(crate) use shape::Shape;
pub(crate) use skeleton::skeleton;

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
    /// The number of resources that it defines.
    pub(crate) resources: u64,
}

/// Reads the outline of a component, or refuses it. The component is not validated.
pub(crate) fn scan(bytes: &[u8]) -> Result<Outline, Refusal> {
    sections::walk(bytes)
}

/// Validates with the features of the engine, which would refuse as well, but without the place; checks the limits of functions; and
/// returns what is [added to them](with_additions).
pub(crate) fn validate(bytes: &[u8]) -> Result<Additions, Refusal> {
    functions::validate(bytes)
}

/// The features of which authors know a cause, by a word of the parser's message, and what to do without them. The first one whose
/// word is there counts.
const WITHOUT: &[(&str, &str)] = &[
    ("async", "build without asynchronous functions; for QuickJS, with `--backend-qjs-disable-async`"),
    ("legacy", WITHOUT_EXCEPTIONS),
    ("exception", WITHOUT_EXCEPTIONS),
    ("thread", "build without threads: without `-pthread` and the `atomics` target feature"),
    (
        "tail call",
        "build without tail calls: without `-mtail-call` or the `tail-call` target feature; languages that need them cannot play",
    ),
    ("relaxed", "build without the `relaxed-simd` target feature"),
    ("memory64", "build for wasm32, not for wasm64"),
    ("64-bit", "build for wasm32, not for wasm64"),
    ("gc", WITHOUT_GC),
    ("subtype", WITHOUT_GC),
    ("references", WITHOUT_GC),
    ("non-nullable", WITHOUT_GC),
];

/// The next step for an author whose language uses WebAssembly's own objects.
const WITHOUT_GC: &str = "garbage collection and typed references of WebAssembly are not supported: Kotlin and Dart need them; for MoonBit, \
     build with `--target wasm`, not `wasm-gc`";

/// The next step for an author whose language uses WebAssembly's own exceptions.
const WITHOUT_EXCEPTIONS: &str =
    "build without WebAssembly's exceptions: in C++ with `-fno-exceptions`, and without `-fwasm-exceptions`";

/// The next step for a feature that bots do not have, by the lower-case message about it.
fn without_feature(message: &str) -> &'static str {
    let known = WITHOUT.iter().find(|(word, _)| message.contains(word));
    known
        .map_or("build without it: bots have WebAssembly 2.0 with SIMD, and no later feature", |(_, next)| {
            next
        })
}

/// A parser's error refuses the component.
impl From<BinaryReaderError> for Refusal {
    fn from(error: BinaryReaderError) -> Self {
        let (message, at) = (error.message(), error.offset());
        if ["not enabled", "feature", "proposal"].iter().any(|word| message.contains(word)) {
            return Self::new(
                RefusalKind::Feature,
                format!("uses a WebAssembly feature that bots do not have, at byte {at}: {message}"),
                without_feature(&message.to_lowercase()),
            );
        }
        let what = if message.contains("unexpected end") { "is cut off" } else { "is not valid" };
        Self::new(RefusalKind::Invalid, format!("{what}, at byte {at}: {message}"), BUILD_AGAIN)
    }
}
