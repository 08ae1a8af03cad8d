//! Components with too much in all core modules together.

use super::pieces::{
    NOP, add_data, add_functions, add_globals, add_tables, add_types, declare, function, module,
};
use std::iter::repeat_n;
use wasm_encoder::{
    CodeSection, Component, ElementSection, Elements, EntityType, ExportKind, ExportSection, ImportSection,
    InstanceSection, Module, ModuleSection,
};

/// `count` functions that do nothing.
pub fn functions(count: usize) -> Vec<u8> {
    let functions = vec![function(0, &[]); count];
    module(|module| add_functions(module, &functions))
}

/// A code section of `count` bytes, made of long functions that do nothing.
pub fn code_bytes(count: usize) -> Vec<u8> {
    // A function takes five bytes in addition to its operators: for its length, its locals and its end.
    const NOPS: usize = 1 << 20;
    const LONG: usize = NOPS + 5;
    let (long, rest) = (count / LONG, count % LONG);
    assert!((1..100).contains(&long) && rest > (1 << 14) + 5, "all lengths take three bytes");
    let nops = repeat_n(NOPS, long).chain([rest - 5]);
    let functions: Vec<_> = nops.map(|nops| function(0, &vec![NOP; nops])).collect();
    module(|module| add_functions(module, &functions))
}

/// `count` bytes of static data.
pub fn data_bytes(count: usize) -> Vec<u8> {
    module(|module| add_data(module, &[vec![0; count]]))
}

/// `count` empty segments of static data.
pub fn data_segments(count: usize) -> Vec<u8> {
    module(|module| add_data(module, &vec![Vec::new(); count]))
}

/// `count` empty core modules.
pub fn modules(count: usize) -> Vec<u8> {
    let mut component = Component::new();
    for _ in 0..count {
        component.section(&ModuleSection(&Module::new()));
    }
    component.finish()
}

/// `count` instances of a core module.
pub fn core_instances(count: usize) -> Vec<u8> {
    let mut instances = InstanceSection::new();
    for _ in 0..count {
        instances.instantiate::<_, String>(0, []);
    }
    Component::new().section(&ModuleSection(&Module::new())).section(&instances).clone().finish()
}

/// `count` function types.
pub fn types(count: usize) -> Vec<u8> {
    module(|module| add_types(module, repeat_n((0, 0), count)))
}

/// A function type with `count` parameters.
pub fn signature(count: usize) -> Vec<u8> {
    module(|module| add_types(module, [(count, 0)]))
}

/// `count` imports of a core module.
pub fn imports(count: usize) -> Vec<u8> {
    let mut imports = ImportSection::new();
    for number in 0..count {
        imports.import("", &number.to_string(), EntityType::Function(0));
    }
    module(|module| {
        add_types(module, [(0, 0)]);
        module.section(&imports);
    })
}

/// `count` exports of a core module.
pub fn exports(count: usize) -> Vec<u8> {
    let mut exports = ExportSection::new();
    for number in 0..count {
        exports.export(&number.to_string(), ExportKind::Func, 0);
    }
    module(|module| {
        let (types, functions) = declare(1);
        let mut code = CodeSection::new();
        code.function(&function(0, &[]));
        module.section(&types).section(&functions).section(&exports).section(&code);
    })
}

/// `count` globals.
pub fn globals(count: usize) -> Vec<u8> {
    module(|module| add_globals(module, repeat_n(0, count)))
}

/// `count` operators in one or two constant expressions.
pub fn constant_operators(count: usize) -> Vec<u8> {
    // An expression is a constant and any number of additions of two operators each.
    let additions = if count % 2 == 1 { vec![count / 2] } else { vec![0, (count - 2) / 2] };
    module(|module| add_globals(module, additions))
}

/// `count` tables.
pub fn tables(count: usize) -> Vec<u8> {
    module(|module| add_tables(module, repeat_n(0, count)))
}

/// A table with an initial size of `count` elements.
pub fn table_elements(count: usize) -> Vec<u8> {
    module(|module| add_tables(module, [count]))
}

/// `count` empty segments of table elements.
pub fn element_segments(count: usize) -> Vec<u8> {
    let mut elements = ElementSection::new();
    for _ in 0..count {
        elements.passive(Elements::Functions([].as_slice().into()));
    }
    module(|module| {
        module.section(&elements);
    })
}

/// `count` table elements in one segment.
pub fn elements(count: usize) -> Vec<u8> {
    let mut elements = ElementSection::new();
    elements.passive(Elements::Functions(vec![0; count].into()));
    module(|module| {
        let (types, functions) = declare(1);
        let mut code = CodeSection::new();
        code.function(&function(0, &[]));
        module.section(&types).section(&functions).section(&elements).section(&code);
    })
}
