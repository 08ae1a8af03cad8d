//! Bots with randomly drawn code: a drawn module in a frame that makes it a bot.

use anyhow::{Context, Result};
use arbitrary::Unstructured;
use wasm_smith::{Config, Module};

use crate::{BATTLESHIP, WASI_VERSION, encode};

/// The imports and exports of the drawn module.
const SHAPE: &str = include_str!("../data/drawn-shape.wat");

/// The contract's functions, which call the drawn code.
const FRAME: &str = include_str!("../data/drawn-frame.wat");

/// A component that plays Battleship and runs drawn code in `deploy` and `play`: code derived from `input`, which calls
/// WASI and uses only features of WebAssembly that bots may use. The bot is admitted unless its start function fails.
///
/// If `traps` is true, the code may divide by zero, read beyond its memory and the like, and most such code does.
///
/// Returns `None` when the input does not give a module.
///
/// # Panics
/// If shape and frame do not fit together, which is a bug in this crate.
pub fn drawn_component(input: &mut Unstructured<'_>, traps: bool) -> Option<Vec<u8>> {
    let module = Module::new(config(traps), input).ok()?;
    let component =
        framed(&module.to_bytes()).and_then(|module| encode::component(&BATTLESHIP, &module, WASI_VERSION));
    Some(component.unwrap_or_else(|error| panic!("{error:?}")))
}

/// The text of a bot's module with the drawn module in it.
fn framed(drawn: &[u8]) -> Result<String> {
    let text = wasmprinter::print_bytes(drawn)?;
    let (_, after) =
        text.split_once("(export \"drawn\" (func ").context("the drawn module does not export `drawn`")?;
    let (number, _) = after.split_once(')').context("the export of `drawn` has no number")?;
    let inside =
        text.trim_end().strip_suffix(')').context("the drawn module does not end with a parenthesis")?;
    Ok(format!("{inside}\n{})", FRAME.replace("$drawn", number)))
}

/// The limits of the drawn code: it is small, so that it compiles quickly, and uses only features that bots may use, so
/// that it is admitted.
fn config(traps: bool) -> Config {
    Config {
        module_shape: Some(wat::parse_str(SHAPE).expect("the shape is WebAssembly")),
        disallow_traps: !traps,
        max_data_segments: 4,
        max_element_segments: 2,
        max_elements: 4,
        max_funcs: 8,
        max_globals: 4,
        max_instructions: 300,
        max_memories: 1,
        max_table_elements: 10,
        max_tables: 1,
        max_types: 8,
        custom_page_sizes_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        // Reference types include references to host objects, which bots do not have.
        reference_types_enabled: false,
        relaxed_simd_enabled: false,
        shared_everything_threads_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}
