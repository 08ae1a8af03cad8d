//! Bots with much code that is never called: a further core module of the component, of which no instance is made.

use crate::bombs::pieces::{LOCAL_GET, NOP, declare, function, memory};
use wasm_encoder::{CodeSection, ComponentSection, Function, ImportSection, Module, ModuleSection};

/// The operator that fills memory, with its memory.
const MEMORY_FILL: [u8; 3] = [0xfc, 0x0b, 0];

/// The number of memory fills in each function of a giant. Chosen: the machine code of a function has a tenth of a megabyte, as
/// that of an interpreter's largest functions does.
const FILLS: usize = 500;

/// A sweeper with this number of functions, each of which takes some hundredths of a second to compile.
pub fn giant(functions: usize) -> Vec<u8> {
    let operands = [LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET, 2];
    let fills = [&operands[..], &MEMORY_FILL].concat().repeat(FILLS);
    with_functions(crate::zoo("sweeper"), &vec![function(3, &fills); functions])
}

/// A component with this number of further functions, which do nothing.
pub fn with_idle_functions(component: Vec<u8>, functions: usize) -> Vec<u8> {
    with_functions(component, &vec![function(0, &[]); functions])
}

/// A component with this number of further instructions, which do nothing.
pub fn with_nops(component: Vec<u8>, instructions: usize) -> Vec<u8> {
    with_functions(component, &[function(0, &vec![NOP; instructions])])
}

/// A component with a module that has these functions. It imports a memory, because a bot has only one.
fn with_functions(mut component: Vec<u8>, bodies: &[Function]) -> Vec<u8> {
    let (types, functions) = declare(bodies.len());
    let mut module = Module::new();
    let mut imports = ImportSection::new();
    imports.import("", "memory", memory());
    module.section(&types).section(&imports).section(&functions);
    let mut code = CodeSection::new();
    bodies.iter().for_each(|body| {
        code.function(body);
    });
    module.section(&code);
    ModuleSection(&module).append_to_component(&mut component);
    component
}
