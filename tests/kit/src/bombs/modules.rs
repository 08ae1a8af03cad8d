//! Components with too much in all core modules together.

use super::pieces::{
    add_data, add_functions, add_globals, add_memory, add_tables, declare, function, module,
    module_and_instances,
};
use std::iter::repeat_n;
use wasm_encoder::{
    CodeSection, Component, ConstExpr, DataSection, ElementSection, Elements, InstanceSection, Module,
    ModuleSection,
};

/// `count` functions that do nothing.
pub fn functions(count: usize) -> Vec<u8> {
    let functions = vec![function(0, &[]); count];
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

/// `count` segments of a byte at computed addresses.
pub fn computed_segments(count: usize) -> Vec<u8> {
    let mut data = DataSection::new();
    for _ in 0..count {
        let address = ConstExpr::i32_const(1).with_i32_const(1).with_i32_add();
        data.active(0, &address, [1]);
    }
    module(|module| {
        add_memory(module);
        module.section(&data);
    })
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

/// `count` instances of a core module with a megabyte of static data.
pub fn megabytes_of_data(count: usize) -> Vec<u8> {
    module_and_instances(|module| add_data(module, &[vec![0; 1 << 20]]), count)
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
