//! Bots of any code: a drawn module, and around it a frame by which it is a bot.

use anyhow::{Context, Result};
use arbitrary::Unstructured;
use wasm_smith::{Config, Module};

use crate::{BATTLESHIP, WASI_VERSION, encode};

/// What the drawn module imports and exports.
const SHAPE: &str = include_str!("../data/drawn-shape.wat");

/// The contract's functions, which call what is drawn.
const FRAME: &str = include_str!("../data/drawn-frame.wat");

/// A component that plays Battleship and runs any code in `deploy` and `play`: whatever the input says, of WebAssembly
/// that bots may be made of, with calls of WASI in it. It is admitted unless its start function fails.
///
/// `traps` says whether the code may divide by zero, read beyond its memory and the like; code that may mostly does.
///
/// It is none where the input holds no module.
///
/// # Panics
/// When shape and frame do not fit together, which is a mistake here.
pub fn drawn_component(input: &mut Unstructured<'_>, traps: bool) -> Option<Vec<u8>> {
    let module = Module::new(config(traps), input).ok()?;
    let component =
        framed(&module.to_bytes()).and_then(|module| encode::component(&BATTLESHIP, &module, WASI_VERSION));
    Some(component.unwrap_or_else(|error| panic!("{error:?}")))
}

/// The text of a bot's module, with what is drawn in it.
fn framed(drawn: &[u8]) -> Result<String> {
    let text = wasmprinter::print_bytes(drawn)?;
    let (_, after) = text.split_once("(export \"drawn\" (func ").context("the shape exports it")?;
    let (number, _) = after.split_once(')').context("a number and a parenthesis follow")?;
    let inside = text.trim_end().strip_suffix(')').context("a module ends so")?;
    Ok(format!("{inside}\n{})", FRAME.replace("$drawn", number)))
}

/// Code that is small, so that it compiles in a moment, and keeps to what bots may be made of, so that it is admitted.
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
        // It would draw references to the host's objects, which bots have none of.
        reference_types_enabled: false,
        relaxed_simd_enabled: false,
        shared_everything_threads_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}
