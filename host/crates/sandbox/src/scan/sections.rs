//! The walk over a component's sections, which counts what is in them and does not validate it.

use super::caps::{self, Cap};
use super::shape::Shape;
use super::{Outline, types};
use crate::engine::PAGE_BYTES;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind, mib};
use std::collections::HashMap;
use wasmparser::{
    ComponentInstance, ComponentTypeRef, CompositeInnerType, ConstExpr, CoreType, DataKind,
    DataSectionReader, ElementItems, ElementKind, ElementSectionReader, Encoding, ExternalKind, FromReader,
    Instance, MemoryType, Operator, Parser, Payload, SectionLimited, TableInit, TypeRef, TypeSectionReader,
};

/// Code for calling a function of a type from the host, and for each value of the type. Measured: 44 µs, and 3 µs for each
/// of a hundred.
const TYPE_NS: u64 = 45_000;
const TYPE_VALUE_NS: u64 = 4_000;

/// Code for calling a function from outside of its module. Measured: 30 µs.
const ESCAPING_NS: u64 = 35_000;

/// A table element that is written by code. Measured: 6 µs.
const ELEMENT_NS: u64 = 7_000;

/// A segment that is written by code. Measured: 22 µs for one of elements; for one of data 120 µs if there are 10,000, and
/// 240 if there are 40,000. Segments of data that lie close together at plain addresses cost nothing, but a single one that
/// does not makes all of them cost.
const SEGMENT_NS: u64 = 150_000;

/// An operator of a constant expression. Measured: 4 µs with its operand, 26 µs for a reference to a function.
const CONSTANT_OPERATOR_NS: u64 = 4_000;
const REFERENCE_NS: u64 = 30_000;

/// A function that is lifted or lowered. Measured: 90 µs.
const CANONICAL_NS: u64 = 100_000;

/// Advice to an author of more than one part.
const ONE_MODULE: &str = "build one module, not a composition of several components";

/// Walks over the component's parts.
pub(super) fn walk(bytes: &[u8], limits: &SandboxLimits) -> Result<Outline, Refusal> {
    let shape = Shape::new(limits);
    let outline = Outline { imports: Vec::new(), exports: Vec::new(), shape, estimate_ns: 0 };
    let mut walk = Walk { bytes, limits, outline, inside: Vec::new(), counts: HashMap::new(), memories: 0 };
    for payload in Parser::new(0).parse_all(bytes) {
        walk.payload(payload?)?;
    }
    let Walk { mut outline, counts, .. } = walk;
    let counted = |cap: &Cap| counts.get(cap.what).copied().unwrap_or(0);
    outline.shape.functions = counted(&caps::FUNCTIONS);
    outline.shape.code_bytes = counted(&caps::CODE_BYTES);
    outline.shape.data_bytes = counted(&caps::DATA_BYTES);
    outline.shape.core_instances = counted(&caps::CORE_INSTANCES);
    Ok(outline)
}

struct Walk<'a> {
    bytes: &'a [u8],
    limits: &'a SandboxLimits,
    outline: Outline,
    /// The modules and components that the walk is inside of, outermost first.
    inside: Vec<Encoding>,
    /// The numbers counted so far, by the name of their cap.
    counts: HashMap<&'static str, u64>,
    memories: u64,
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
                self.count(&caps::IMPORTS, section.count())?;
                for import in section.into_imports() {
                    match import?.ty {
                        TypeRef::Memory(memory) => self.memory(&memory, 1)?,
                        TypeRef::Table(table) => self.table(table.initial)?,
                        _ => {}
                    }
                }
                Ok(())
            }
            Payload::FunctionSection(section) => self.count(&caps::FUNCTIONS, section.count()),
            Payload::TableSection(section) => {
                self.count(&caps::TABLES, section.count())?;
                each(section, |table| {
                    if let TableInit::Expr(expression) = &table.init {
                        self.constant(expression)?;
                    }
                    self.table(table.ty.initial)
                })
            }
            Payload::MemorySection(section) => each(section, |memory| {
                self.memories += 1;
                self.memory(&memory, self.memories)
            }),
            Payload::GlobalSection(section) => {
                self.count(&caps::GLOBALS, section.count())?;
                each(section, |global| self.constant(&global.init_expr))
            }
            Payload::ExportSection(section) => {
                self.count(&caps::EXPORTS, section.count())?;
                each(section, |export| {
                    self.takes(if export.kind == ExternalKind::Func { ESCAPING_NS } else { 0 });
                    Ok(())
                })
            }
            Payload::ElementSection(section) => self.elements(section),
            Payload::DataSection(section) => self.data(section),
            Payload::CodeSectionStart { size, .. } => self.count(&caps::CODE_BYTES, size),

            payload => self.component(payload),
        }
    }

    /// Counts what is outside of core modules.
    fn component(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        let is_outermost = self.inside.len() == 1;
        match payload {
            Payload::InstanceSection(section) => {
                self.count(&caps::ITEMS, section.count())?;
                each(section, |instance| match instance {
                    Instance::Instantiate { args, .. } => {
                        self.count(&caps::CORE_INSTANCES, 1_u32)?;
                        self.count(&caps::ITEMS, args.len())
                    }
                    Instance::FromExports(exports) => self.count(&caps::ITEMS, exports.len()),
                })
            }
            Payload::ComponentInstanceSection(section) => {
                self.count_item(&caps::COPIES, section.count())?;
                each(section, |instance| match instance {
                    ComponentInstance::Instantiate { args, .. } => {
                        self.count(&caps::COMPONENT_INSTANTIATIONS, 1_u32)?;
                        self.count(&caps::ITEMS, args.len())
                    }
                    ComponentInstance::FromExports(exports) => self.count(&caps::ITEMS, exports.len()),
                })
            }
            Payload::CoreTypeSection(section) => {
                self.count(&caps::ITEMS, section.count())?;
                each(section, |of| match of {
                    CoreType::Module(declarations) => self.count(&caps::ITEMS, declarations.len()),
                    CoreType::Rec(_) => Ok(()),
                })
            }
            Payload::ComponentAliasSection(section) => self.count(&caps::ITEMS, section.count()),
            Payload::ComponentTypeSection(section) => {
                let range = section.range();
                let types = types::count(&self.bytes[range.clone()], range.start)?;
                self.count_item(&caps::ENTRIES, types)?;
                each(section, |defined| types::check(&defined))
            }
            Payload::ComponentCanonicalSection(section) => {
                self.takes(u64::from(section.count()) * CANONICAL_NS);
                self.count_item(&caps::CANONICALS, section.count())
            }
            Payload::ComponentImportSection(section) => {
                self.count_item(&caps::COPIES, section.count())?;
                each(section, |import| {
                    if let ComponentTypeRef::Component(_) = import.ty {
                        return Err(composition("has a component that imports a component"));
                    }
                    if is_outermost {
                        self.outline.imports.push(import.name.name.to_owned());
                    }
                    Ok(())
                })
            }
            Payload::ComponentExportSection(section) => {
                self.count_item(&caps::ENTRIES, section.count())?;
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
                self.count(&caps::MODULES, 1_u32)?;
                if self.inside.len() > 1 {
                    return Err(composition("is a composition of components that each have code"));
                }
            }
            Encoding::Component => caps::DEPTH.check(self.inside.len() as u64 + 1)?,
        }
        self.inside.push(encoding);
        Ok(())
    }

    /// Counts more of what a cap bounds.
    fn count(&mut self, cap: &Cap, more: impl TryInto<u64>) -> Result<(), Refusal> {
        let count = self.counts.entry(cap.what).or_default();
        *count = count.saturating_add(more.try_into().unwrap_or(u64::MAX));
        cap.check(*count)
    }

    /// Counts more of what a cap bounds, which are items as well.
    fn count_item(&mut self, cap: &Cap, more: impl TryInto<u64> + Copy) -> Result<(), Refusal> {
        self.count(cap, more)?;
        self.count(&caps::ITEMS, more)
    }

    fn takes(&mut self, ns: u64) {
        self.outline.estimate_ns = self.outline.estimate_ns.saturating_add(ns);
    }

    fn core_types(&mut self, section: TypeSectionReader<'a>) -> Result<(), Refusal> {
        self.count(&caps::TYPES, section.count())?;
        each(section, |group| {
            for of in group.types() {
                let CompositeInnerType::Func(function) = &of.composite_type.inner else { continue };
                let values = (function.params().len() + function.results().len()) as u64;
                caps::SIGNATURE.check(values)?;
                self.takes(TYPE_NS + TYPE_VALUE_NS * values);
            }
            Ok(())
        })
    }

    fn constant(&mut self, expression: &ConstExpr<'_>) -> Result<(), Refusal> {
        for operator in expression.get_operators_reader() {
            let ns = match operator? {
                Operator::End => continue,
                Operator::RefFunc { .. } => REFERENCE_NS,
                _ => CONSTANT_OPERATOR_NS,
            };
            self.count(&caps::CONSTANT_OPERATORS, 1_u32)?;
            self.takes(ns);
        }
        Ok(())
    }

    fn elements(&mut self, section: ElementSectionReader<'a>) -> Result<(), Refusal> {
        self.count(&caps::ELEMENT_SEGMENTS, section.count())?;
        each(section, |segment| {
            self.takes(SEGMENT_NS);
            if let ElementKind::Active { offset_expr, .. } = &segment.kind {
                self.constant(offset_expr)?;
            }
            let (count, expressions) = match segment.items {
                ElementItems::Functions(functions) => (functions.count(), None),
                ElementItems::Expressions(_, expressions) => (expressions.count(), Some(expressions)),
            };
            self.count(&caps::ELEMENTS, count)?;
            self.takes(u64::from(count) * (ELEMENT_NS + ESCAPING_NS));
            expressions.map_or(Ok(()), |all| each(all, |expression| self.constant(&expression)))
        })
    }

    fn data(&mut self, section: DataSectionReader<'a>) -> Result<(), Refusal> {
        self.count(&caps::DATA_SEGMENTS, section.count())?;
        each(section, |segment| {
            if let DataKind::Active { offset_expr, .. } = &segment.kind {
                self.takes(SEGMENT_NS);
                self.constant(offset_expr)?;
            }
            self.count(&caps::DATA_BYTES, segment.data.len())
        })
    }

    fn table(&mut self, elements: u64) -> Result<(), Refusal> {
        self.outline.shape.table_elements = self.outline.shape.table_elements.max(elements);
        caps::TABLE_ELEMENTS.check(elements)
    }

    /// Checks a memory's type, and that it is the only memory. Features are refused by name, since validation would only
    /// say that something "is not enabled".
    fn memory(&mut self, memory: &MemoryType, count: u64) -> Result<(), Refusal> {
        let feature = |what: &str, next_step: &str| Err(Refusal::new(RefusalKind::Feature, what, next_step));
        if memory.shared {
            let what = "has a shared memory, which is for threads; a bot has one thread";
            return feature(what, "build without the `atomics` target feature");
        }
        if memory.memory64 {
            let what = "has a 64-bit memory; a bot's memory has 32-bit addresses";
            return feature(what, "build for wasm32, not for wasm64");
        }
        if memory.page_size_log2.is_some_and(|log2| log2 != 16) {
            let what = "has a memory with a custom page size; a bot's pages have 64 KiB";
            return feature(what, "build without the `custom-page-sizes` target feature");
        }
        if count > 1 {
            return feature("has more than one memory; a bot has one", ONE_MODULE);
        }
        let (bytes, max) =
            (memory.initial.saturating_mul(PAGE_BYTES as u64), self.limits.memory_bytes_max as u64);
        self.outline.shape.memory_bytes = self.outline.shape.memory_bytes.max(bytes);
        if bytes <= max {
            return Ok(());
        }
        Err(Refusal::new(
            RefusalKind::OverLimits,
            format!("starts with {} of memory; the cap is {}", mib(bytes), mib(max)),
            "reduce its static data and its stack, or ask the organiser for more memory (`--memory`)",
        ))
    }
}

/// Reads a section's items one after the other.
fn each<'a, T: FromReader<'a>>(
    section: SectionLimited<'a, T>,
    mut take: impl FnMut(T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    section.into_iter().try_for_each(|item| take(item?))
}

/// The refusal of a component of components. Between two that have code of their own there would be adapters, which are
/// compiled as well and are as large as the types that they pass; and a component that imports a component may multiply it
/// without a bound.
fn composition(what: &str) -> Refusal {
    Refusal::new(RefusalKind::Feature, format!("{what}; a bot is one component"), ONE_MODULE)
}
