//! A bot that takes long to compile because it is large, for tests of what happens meanwhile.

use std::fmt::Write;

/// The number of memory fills in each of its functions. Chosen: the machine code of a function has a tenth of a megabyte, as
/// that of an interpreter's largest functions does.
const FILLS: usize = 500;

/// A component with this number of functions that are never called. Each takes some hundredths of a second to compile.
pub fn giant(functions: usize) -> Vec<u8> {
    let fills = "(memory.fill (local.get 0) (local.get 1) (local.get 2))".repeat(FILLS);
    let mut text = String::new();
    for function in 0..functions {
        writeln!(text, "(func $giant-{function} (param i32 i32 i32) {fills})")
            .expect("a string takes any text");
    }
    arena_testkit::component(&text).expect("it can be made")
}
