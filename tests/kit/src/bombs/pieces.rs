//! Helpers that build the parts of bombs.

use wasm_encoder::{
    CodeSection, Component, ConstExpr, DataSection, Encode, Function, FunctionSection, GlobalSection,
    GlobalType, InstanceSection, MemorySection, MemoryType, Module, ModuleSection, RefType, TableSection,
    TableType, TypeSection, ValType,
};

// The opcodes of WebAssembly's operators.
pub(super) const UNREACHABLE: u8 = 0x00;
pub(crate) const NOP: u8 = 0x01;
pub(super) const BLOCK: u8 = 0x02;
pub(super) const LOOP: u8 = 0x03;
pub(super) const END: u8 = 0x0b;
pub(super) const BR_IF: u8 = 0x0d;
pub(super) const BR_TABLE: u8 = 0x0e;
pub(super) const DROP: u8 = 0x1a;
pub(crate) const LOCAL_GET: u8 = 0x20;
pub(super) const LOCAL_SET: u8 = 0x21;
pub(super) const I32_CONST: u8 = 0x41;
pub(super) const I32_ADD: u8 = 0x6a;

/// The type of a block without parameters and results.
pub(super) const EMPTY: u8 = 0x40;

/// A component with one core module and an instance of it.
pub(super) fn module(fill: impl FnOnce(&mut Module)) -> Vec<u8> {
    module_and_instances(fill, 1)
}

/// A component with one core module and this number of instances of it.
pub(super) fn module_and_instances(fill: impl FnOnce(&mut Module), count: usize) -> Vec<u8> {
    let mut module = Module::new();
    fill(&mut module);
    let mut instances = InstanceSection::new();
    for _ in 0..count {
        instances.instantiate::<_, String>(0, []);
    }
    let mut component = Component::new();
    component.section(&ModuleSection(&module)).section(&instances);
    component.finish()
}

pub(super) fn one_function(locals: usize, operators: &[u8]) -> Vec<u8> {
    module(|module| add_functions(module, &[function(locals, operators)]))
}

pub(crate) fn function(locals: usize, operators: &[u8]) -> Function {
    let mut function = Function::new((locals > 0).then_some((index(locals), ValType::I32)));
    function.raw(operators.iter().copied());
    function.raw([END]);
    function
}

/// The type section and the function section of a module with `count` functions without parameters and results.
pub(crate) fn declare(count: usize) -> (TypeSection, FunctionSection) {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut functions = FunctionSection::new();
    for _ in 0..count {
        functions.function(0);
    }
    (types, functions)
}

pub(super) fn add_functions(module: &mut Module, bodies: &[Function]) {
    let (types, functions) = declare(bodies.len());
    let mut code = CodeSection::new();
    for body in bodies {
        code.function(body);
    }
    module.section(&types).section(&functions).section(&code);
}

/// A memory of one page.
pub(crate) fn memory() -> MemoryType {
    MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None }
}

pub(super) fn add_memory(module: &mut Module) {
    let mut memories = MemorySection::new();
    memories.memory(memory());
    module.section(&memories);
}

pub(super) fn add_data(module: &mut Module, segments: &[Vec<u8>]) {
    add_memory(module);
    let mut data = DataSection::new();
    for segment in segments {
        data.active(0, &ConstExpr::i32_const(0), segment.iter().copied());
    }
    module.section(&data);
}

/// Adds a global for each number of `additions`: its initial value is a sum of ones with this number of additions.
pub(super) fn add_globals(module: &mut Module, additions: impl IntoIterator<Item = usize>) {
    let mut globals = GlobalSection::new();
    for additions in additions {
        let sum = [vec![I32_CONST, 1], [I32_CONST, 1, I32_ADD].repeat(additions)].concat();
        let global = GlobalType { val_type: ValType::I32, mutable: false, shared: false };
        globals.global(global, &ConstExpr::raw(sum));
    }
    module.section(&globals);
}

pub(super) fn add_tables(module: &mut Module, elements: impl IntoIterator<Item = usize>) {
    let mut tables = TableSection::new();
    for elements in elements {
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: elements as u64,
            maximum: None,
            shared: false,
        });
    }
    module.section(&tables);
}

pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).expect("WebAssembly's indices have 32 bits")
}

/// A number in WebAssembly's variable-length encoding (LEB128).
pub(super) fn leb(number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    index(number).encode(&mut bytes);
    bytes
}
