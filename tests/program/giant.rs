//! A bot that is as others are and takes long to compile, since there is much of it: for tests of what happens meanwhile.

use std::fmt::Write;

/// How often each of its functions fills some memory. Chosen: the machine code of one takes a tenth of a megabyte, as that of
/// an interpreter's largest functions does.
const FILLS: usize = 500;

/// A component with so many functions that are never called, each of which takes some hundredths of a second to compile.
pub fn giant(functions: usize) -> Vec<u8> {
    let fills = "(memory.fill (local.get 0) (local.get 1) (local.get 2))".repeat(FILLS);
    let mut text = String::new();
    for function in 0..functions {
        writeln!(text, "(func $giant-{function} (param i32 i32 i32) {fills})").expect("a string takes it");
    }
    arena_testkit::component(&text).expect("it can be made")
}
