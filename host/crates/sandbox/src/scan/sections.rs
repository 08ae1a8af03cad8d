//! The walk over a component's sections, which counts what is in them and does not validate it.

use super::types;
use super::{Outline, caps, invalid};
use crate::engine::PAGE_BYTES;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind, mib};
use wasmparser::{
    ComponentInstance, ComponentTypeRef, CompositeInnerType, ConstExpr, CoreType, DataKind,
    DataSectionReader, ElementItems, ElementKind, ElementSectionReader, Encoding, ExternalKind, FromReader,
    Instance, MemoryType, Operator, Parser, Payload, SectionLimited, TableInit, TypeRef, TypeSectionReader,
};

/// Code for calling a function of a type from the host, and for each value of it. Measured: 44 µs, and 3 µs for each of
/// a hundred.
const TYPE_NS: u64 = 45_000;
const TYPE_VALUE_NS: u64 = 4_000;

/// Code for calling a function from outside of its module. Measured: 30 µs.
const ESCAPING_NS: u64 = 35_000;

/// A table element that is written by code. Measured: 6 µs.
const ELEMENT_NS: u64 = 7_000;

/// A segment that is written by code. Measured: 22 µs for one of elements, and for one of data 120 µs where there are
/// 10,000 and 240 where there are 40,000. Segments of data that lie close together at plain addresses cost nothing, but
/// one that does not spoils all of them.
const SEGMENT_NS: u64 = 150_000;

/// An operator of a constant expression. Measured: 4 µs with its operand, 26 µs for a reference to a function.
const CONSTANT_OPERATOR_NS: u64 = 4_000;
const REFERENCE_NS: u64 = 30_000;

/// A function that is lifted or lowered. Measured: 90 µs.
const CANONICAL_NS: u64 = 100_000;

/// What the walk has counted.
#[derive(Debug, Default)]
struct Counts {
    functions: u64,
    core_types: u64,
    core_imports: u64,
    core_exports: u64,
    globals: u64,
    constant_operators: u64,
    tables: u64,
    memories: u64,
    element_segments: u64,
    elements: u64,
    data_segments: u64,
    modules: u64,
    core_instances: u64,
    component_instantiations: u64,
    canonicals: u64,
    copies: u64,
    entries: u64,
    items: u64,
}

/// Walks over the component's parts.
pub(super) fn walk(bytes: &[u8], limits: &SandboxLimits) -> Result<Outline, Refusal> {
    let mut walk =
        Walk { bytes, limits, outline: Outline::new(limits), inside: Vec::new(), counts: Counts::default() };
    for payload in Parser::new(0).parse_all(bytes) {
        walk.payload(payload.map_err(|error| invalid(&error))?)?;
    }
    Ok(walk.outline)
}

struct Walk<'a> {
    bytes: &'a [u8],
    limits: &'a SandboxLimits,
    outline: Outline,
    /// What the walk is inside of, outermost first.
    inside: Vec<Encoding>,
    counts: Counts,
}

impl<'a> Walk<'a> {
    fn payload(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        match payload {
            Payload::Version { encoding, .. } => self.enter(encoding),
            Payload::End(_) => {
                self.inside.pop();
                Ok(())
            }

            Payload::TypeSection(section) => self.core_types(section),
            Payload::ImportSection(section) => {
                let count = u64::from(section.count());
                self.counts.core_imports = self.counts.core_imports.saturating_add(count);
                caps::IMPORTS.check(self.counts.core_imports)?;
                for import in section.into_imports() {
                    match import.map_err(|error| invalid(&error))?.ty {
                        TypeRef::Memory(memory) => self.memory(&memory, 1)?,
                        TypeRef::Table(table) => self.table(table.initial)?,
                        _ => {}
                    }
                }
                Ok(())
            }
            Payload::FunctionSection(section) => {
                self.counts.functions += u64::from(section.count());
                self.outline.shape.functions = self.counts.functions;
                caps::FUNCTIONS.check(self.counts.functions)
            }
            Payload::TableSection(section) => {
                self.counts.tables += u64::from(section.count());
                caps::TABLES.check(self.counts.tables)?;
                each(section, |table| {
                    if let TableInit::Expr(expression) = &table.init {
                        self.constant(expression)?;
                    }
                    self.table(table.ty.initial)
                })
            }
            Payload::MemorySection(section) => each(section, |memory| {
                self.counts.memories += 1;
                self.memory(&memory, self.counts.memories)
            }),
            Payload::GlobalSection(section) => {
                self.counts.globals += u64::from(section.count());
                caps::GLOBALS.check(self.counts.globals)?;
                each(section, |global| self.constant(&global.init_expr))
            }
            Payload::ExportSection(section) => {
                self.counts.core_exports += u64::from(section.count());
                caps::EXPORTS.check(self.counts.core_exports)?;
                each(section, |export| {
                    self.takes(if export.kind == ExternalKind::Func { ESCAPING_NS } else { 0 });
                    Ok(())
                })
            }
            Payload::ElementSection(section) => self.elements(section),
            Payload::DataSection(section) => self.data(section),
            Payload::CodeSectionStart { size, .. } => {
                self.outline.shape.code_bytes += u64::from(size);
                caps::CODE_BYTES.check(self.outline.shape.code_bytes)
            }

            payload => self.component(payload),
        }
    }

    /// What is outside of core modules.
    fn component(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        match payload {
            Payload::InstanceSection(section) => {
                self.items(section.count())?;
                each(section, |instance| match instance {
                    Instance::Instantiate { args, .. } => {
                        self.counts.core_instances += 1;
                        self.outline.shape.core_instances = self.counts.core_instances;
                        caps::CORE_INSTANCES.check(self.counts.core_instances)?;
                        self.items(args.len())
                    }
                    Instance::FromExports(exports) => self.items(exports.len()),
                })
            }
            Payload::ComponentInstanceSection(section) => {
                self.copies(section.count())?;
                each(section, |instance| match instance {
                    ComponentInstance::Instantiate { args, .. } => {
                        self.counts.component_instantiations += 1;
                        caps::COMPONENT_INSTANTIATIONS.check(self.counts.component_instantiations)?;
                        self.items(args.len())
                    }
                    ComponentInstance::FromExports(exports) => self.items(exports.len()),
                })
            }
            Payload::CoreTypeSection(section) => {
                self.items(section.count())?;
                each(section, |of| match of {
                    CoreType::Module(declarations) => self.items(declarations.len()),
                    CoreType::Rec(_) => Ok(()),
                })
            }
            Payload::ComponentAliasSection(section) => self.items(section.count()),
            Payload::ComponentTypeSection(section) => {
                let range = section.range();
                let types = types::count(&self.bytes[range.clone()], range.start)?;
                self.entries(types)?;
                each(section, |defined| types::check(&defined))
            }
            Payload::ComponentCanonicalSection(section) => {
                let count = u64::from(section.count());
                self.counts.canonicals += count;
                caps::CANONICALS.check(self.counts.canonicals)?;
                self.takes(count.saturating_mul(CANONICAL_NS));
                self.items(count)
            }
            Payload::ComponentImportSection(section) => {
                self.copies(section.count())?;
                let is_outermost = self.inside.len() == 1;
                each(section, |import| {
                    if let ComponentTypeRef::Component(_) = import.ty {
                        return Err(composition("it has a component that imports a component"));
                    }
                    if is_outermost {
                        self.outline.imports.push(import.name.name.to_owned());
                    }
                    Ok(())
                })
            }
            Payload::ComponentExportSection(section) => {
                self.entries(section.count())?;
                let is_outermost = self.inside.len() == 1;
                each(section, |export| {
                    if is_outermost {
                        self.outline.exports.push(export.name.name.to_owned());
                    }
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, encoding: Encoding) -> Result<(), Refusal> {
        match encoding {
            Encoding::Module => {
                self.counts.modules += 1;
                caps::MODULES.check(self.counts.modules)?;
                if self.inside.len() > 1 {
                    return Err(composition("it is a composition of components that each have code"));
                }
            }
            Encoding::Component => caps::DEPTH.check(self.inside.len() as u64 + 1)?,
        }
        self.inside.push(encoding);
        Ok(())
    }

    fn copies(&mut self, count: u32) -> Result<(), Refusal> {
        self.counts.copies += u64::from(count);
        caps::COPIES.check(self.counts.copies)?;
        self.items(count)
    }

    fn entries(&mut self, count: impl TryInto<u64> + Copy) -> Result<(), Refusal> {
        self.counts.entries = self.counts.entries.saturating_add(count.try_into().unwrap_or(u64::MAX));
        caps::ENTRIES.check(self.counts.entries)?;
        self.items(count)
    }

    fn items(&mut self, count: impl TryInto<u64>) -> Result<(), Refusal> {
        self.counts.items = self.counts.items.saturating_add(count.try_into().unwrap_or(u64::MAX));
        caps::ITEMS.check(self.counts.items)
    }

    fn takes(&mut self, ns: u64) {
        self.outline.estimate_ns = self.outline.estimate_ns.saturating_add(ns);
    }

    fn core_types(&mut self, section: TypeSectionReader<'a>) -> Result<(), Refusal> {
        self.counts.core_types = self.counts.core_types.saturating_add(section.count().into());
        caps::TYPES.check(self.counts.core_types)?;
        each(section, |group| {
            for of in group.types() {
                let CompositeInnerType::Func(function) = &of.composite_type.inner else { continue };
                let values = function.params().len() + function.results().len();
                caps::SIGNATURE.check(values as u64)?;
                self.takes(TYPE_NS + TYPE_VALUE_NS * values as u64);
            }
            Ok(())
        })
    }

    fn constant(&mut self, expression: &ConstExpr<'_>) -> Result<(), Refusal> {
        for operator in expression.get_operators_reader() {
            let ns = match operator.map_err(|error| invalid(&error))? {
                Operator::End => continue,
                Operator::RefFunc { .. } => REFERENCE_NS,
                _ => CONSTANT_OPERATOR_NS,
            };
            self.counts.constant_operators += 1;
            caps::CONSTANT_OPERATORS.check(self.counts.constant_operators)?;
            self.takes(ns);
        }
        Ok(())
    }

    fn elements(&mut self, section: ElementSectionReader<'a>) -> Result<(), Refusal> {
        self.counts.element_segments += u64::from(section.count());
        caps::ELEMENT_SEGMENTS.check(self.counts.element_segments)?;
        each(section, |segment| {
            self.takes(SEGMENT_NS);
            if let ElementKind::Active { offset_expr, .. } = &segment.kind {
                self.constant(offset_expr)?;
            }
            let count = match &segment.items {
                ElementItems::Functions(functions) => functions.count(),
                ElementItems::Expressions(_, expressions) => expressions.count(),
            };
            self.counts.elements += u64::from(count);
            caps::ELEMENTS.check(self.counts.elements)?;
            self.takes(u64::from(count) * (ELEMENT_NS + ESCAPING_NS));
            match segment.items {
                ElementItems::Functions(_) => Ok(()),
                ElementItems::Expressions(_, expressions) => {
                    each(expressions, |expression| self.constant(&expression))
                }
            }
        })
    }

    fn data(&mut self, section: DataSectionReader<'a>) -> Result<(), Refusal> {
        self.counts.data_segments += u64::from(section.count());
        caps::DATA_SEGMENTS.check(self.counts.data_segments)?;
        each(section, |segment| {
            if let DataKind::Active { offset_expr, .. } = &segment.kind {
                self.takes(SEGMENT_NS);
                self.constant(offset_expr)?;
            }
            self.outline.shape.data_bytes += segment.data.len() as u64;
            caps::DATA_BYTES.check(self.outline.shape.data_bytes)
        })
    }

    fn table(&mut self, elements: u64) -> Result<(), Refusal> {
        self.outline.shape.table_elements = self.outline.shape.table_elements.max(elements);
        caps::TABLE_ELEMENTS.check(elements)
    }

    /// Checks a memory's type, and that it is the only one: the features by name, since validation would only say that
    /// something "is not enabled".
    fn memory(&mut self, memory: &MemoryType, count: u64) -> Result<(), Refusal> {
        let feature = |what: &str, next_step: &str| Err(Refusal::new(RefusalKind::Feature, what, next_step));
        if memory.shared {
            return feature(
                "it has a shared memory, which is for threads; a bot has one thread",
                "build without the `atomics` target feature",
            );
        }
        if memory.memory64 {
            return feature(
                "it has a 64-bit memory; a bot's memory has 32-bit addresses",
                "build for wasm32",
            );
        }
        if memory.page_size_log2.is_some_and(|log2| log2 != 16) {
            return feature(
                "it has a memory with a custom page size",
                "build without the custom-page-sizes feature",
            );
        }
        if count > 1 {
            return feature(
                "it has more than one memory; a bot has one",
                "build it as one module, and not as a composition of several components",
            );
        }
        let bytes = memory.initial.saturating_mul(PAGE_BYTES as u64);
        self.outline.shape.memory_bytes = self.outline.shape.memory_bytes.max(bytes);
        if bytes > self.limits.memory_bytes_max as u64 {
            return Err(Refusal::new(
                RefusalKind::OverLimits,
                format!(
                    "it begins with {} of memory; the cap is {}",
                    mib(bytes),
                    mib(self.limits.memory_bytes_max as u64)
                ),
                "make its static data and its stack smaller, or ask the organiser for more memory (`--memory`)",
            ));
        }
        Ok(())
    }
}

/// Reads a section's items one after the other.
fn each<'a, T: FromReader<'a>>(
    section: SectionLimited<'a, T>,
    mut take: impl FnMut(T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    section.into_iter().try_for_each(|item| take(item.map_err(|error| invalid(&error))?))
}

/// A component of components. Between two that have code of their own there would be adapters, which are compiled as well,
/// and are as large as the types that they pass; and what imports a component may multiply it without a bound.
fn composition(what: &str) -> Refusal {
    Refusal::new(
        RefusalKind::Feature,
        format!("{what}; a bot is one component"),
        "build it as one module, and not as a composition of several components",
    )
}
