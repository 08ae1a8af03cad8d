//! Components with too many things outside core modules.

use super::pieces::{declare, function};
use wasm_encoder::{
    Alias, CanonicalFunctionSection, CodeSection, Component, ComponentAliasSection, ComponentImportSection,
    ComponentInstanceSection, ComponentTypeRef, ComponentTypeSection, ExportKind, ExportSection,
    InstanceSection, InstanceType, Module, ModuleSection, NestedComponentSection, PrimitiveValType,
    RawSection, TypeBounds,
};

/// `count` levels of nested components, including the outermost.
pub fn levels_of_components(count: usize) -> Vec<u8> {
    (1..count).fold(Component::new().finish(), |inner, _| raw_section(COMPONENT_SECTION, &inner))
}

/// `count` instances of a nested component.
pub fn component_instantiations(count: usize) -> Vec<u8> {
    let mut instances = ComponentInstanceSection::new();
    for _ in 0..count {
        instances.instantiate::<_, String>(0, []);
    }
    Component::new().section(&NestedComponentSection(&Component::new())).section(&instances).clone().finish()
}

/// `count` instances that are made from an empty list of exports.
pub fn copies(count: usize) -> Vec<u8> {
    let mut instances = ComponentInstanceSection::new();
    for _ in 0..count {
        instances.export_items::<&str, _>([]);
    }
    Component::new().section(&instances).clone().finish()
}

/// `count` component types.
pub fn entries(count: usize) -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    for _ in 0..count {
        types.defined_type().primitive(PrimitiveValType::U8);
    }
    Component::new().section(&types).clone().finish()
}

/// `count` items: one core instance, and aliases of its export.
pub fn items(count: usize) -> Vec<u8> {
    let mut code_module = Module::new();
    let mut exports = ExportSection::new();
    exports.export("f", ExportKind::Func, 0);
    let (types, functions) = declare(1);
    let mut code = CodeSection::new();
    code.function(&function(0, &[]));
    code_module.section(&types).section(&functions).section(&exports).section(&code);

    let mut instances = InstanceSection::new();
    instances.instantiate::<_, String>(0, []);
    let mut aliases = ComponentAliasSection::new();
    for _ in 1..count {
        aliases.alias(Alias::CoreInstanceExport { instance: 0, kind: ExportKind::Func, name: "f" });
    }
    Component::new()
        .section(&ModuleSection(&code_module))
        .section(&instances)
        .section(&aliases)
        .clone()
        .finish()
}

/// `count` functions that core modules may call, in a nested component. Each drops a resource.
pub fn canonicals(count: usize) -> Vec<u8> {
    let mut imports = ComponentImportSection::new();
    imports.import("resource", ComponentTypeRef::Type(TypeBounds::SubResource));
    let mut functions = CanonicalFunctionSection::new();
    for _ in 0..count {
        functions.resource_drop(0);
    }
    let inner = Component::new().section(&imports).section(&functions).clone();
    Component::new().section(&NestedComponentSection(&inner)).clone().finish()
}

/// `count` levels of nested component types.
pub fn levels_of_component_types(count: usize) -> Vec<u8> {
    levels_of_types(0x41, count)
}

/// `count` levels of nested instance types.
pub fn levels_of_instance_types(count: usize) -> Vec<u8> {
    levels_of_types(0x42, count)
}

/// `count` levels of nested types of a kind, written as bytes, because building them from values needs a stack as deep.
fn levels_of_types(kind: u8, count: usize) -> Vec<u8> {
    const ONE_TYPE_DECLARED: [u8; 2] = [1, 1];
    let mut section = vec![1];
    for _ in 1..count {
        section.push(kind);
        section.extend(ONE_TYPE_DECLARED);
    }
    section.extend([kind, 0]);
    raw_section(TYPE_SECTION, &section)
}

/// Types of `count` bytes in all, which are enums.
pub fn entry_bytes(count: usize) -> Vec<u8> {
    // A length in one byte, and a name.
    const NAME_MAX: usize = 1 + 100;
    // The kind, the number of names in one byte, and the names.
    const ENUM_MAX: usize = 2 + 100 * NAME_MAX;
    const NUMBER_OF_ENUMS: usize = 1;
    let mut types = ComponentTypeSection::new();
    for bytes in pieces(count - NUMBER_OF_ENUMS, ENUM_MAX, 4) {
        let lengths = pieces(bytes - 2, NAME_MAX, 2).into_iter().enumerate();
        let names: Vec<String> = lengths.map(|(number, bytes)| format!("{number:n>0$}", bytes - 1)).collect();
        types.defined_type().enum_type(names.iter().map(String::as_str));
    }
    Component::new().section(&types).clone().finish()
}

/// A length in pieces of at most `max` and at least `min`.
fn pieces(length: usize, max: usize, min: usize) -> Vec<usize> {
    let mut pieces = Vec::new();
    let mut left = length;
    while left > 0 {
        let piece = if left > max && left < max + min { max - min } else { left.min(max) };
        pieces.push(piece);
        left -= piece;
    }
    pieces
}

/// An enum with a name of `count` bytes.
pub fn name_bytes(count: usize) -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    types.defined_type().enum_type(["n".repeat(count).as_str()]);
    Component::new().section(&types).clone().finish()
}

/// `instances` imported instances with `exports` types each, the first of which has a name of `name_bytes` bytes.
pub fn long_names_of_instances(exports: usize, instances: usize, name_bytes: usize) -> Vec<u8> {
    imported_instances(exports, instances, &"n".repeat(name_bytes))
}

/// `instances` imported instances with `exports` types each. Validation creates new types for each instance.
pub fn types_of_instances(exports: usize, instances: usize) -> Vec<u8> {
    imported_instances(exports, instances, "n")
}

fn imported_instances(exports: usize, instances: usize, first_name: &str) -> Vec<u8> {
    let any = ComponentTypeRef::Type(TypeBounds::SubResource);
    let mut declared = InstanceType::new();
    declared.export(first_name, any);
    for number in 1..exports {
        declared.export(format!("e{number}"), any);
    }
    let mut types = ComponentTypeSection::new();
    types.instance(&declared);
    let mut imports = ComponentImportSection::new();
    for number in 0..instances {
        imports.import(format!("i{number}"), ComponentTypeRef::Instance(0));
    }
    let inner = Component::new().section(&types).section(&imports).clone();
    Component::new().section(&NestedComponentSection(&inner)).clone().finish()
}

const COMPONENT_SECTION: u8 = 4;
const TYPE_SECTION: u8 = 7;

fn raw_section(id: u8, data: &[u8]) -> Vec<u8> {
    let mut component = Component::new();
    component.section(&RawSection { id, data });
    component.finish()
}
