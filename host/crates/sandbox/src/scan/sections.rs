//! The walk over a component's sections, which counts their content and does not validate it.

use super::caps::{self, Cap};
use super::compositions::{Composition, Scope};
use super::shape::Shape;
use super::{Outline, types};
use crate::engine::PAGE_BYTES;
use crate::refusal::{Refusal, RefusalKind};
use std::collections::HashMap;
use wasmparser::{
    ComponentInstance, CompositeInnerType, ConstExpr, CoreType, DataKind, DataSectionReader, ElementItems,
    ElementKind, ElementSectionReader, Encoding, FromReader, FunctionBody, Instance, MemoryType, Operator,
    Parser, Payload, SectionLimited, TableInit, TypeRef,
};

/// Walks over the component's parts.
pub(super) fn walk(bytes: &[u8]) -> Result<Outline, Refusal> {
    let mut walk = Walk {
        bytes,
        outline: Outline { imports: Vec::new(), exports: Vec::new(), shape: Shape::default(), resources: 0 },
        scopes: Vec::new(),
        module: None,
        modules: Vec::new(),
        composition: Composition::default(),
        counts: HashMap::new(),
    };
    for payload in Parser::new(0).parse_all(bytes) {
        walk.payload(payload?)?;
    }
    let Walk { mut outline, counts, .. } = walk;
    let counted = |cap: &Cap| counts.get(cap.what).copied().unwrap_or(0);
    outline.shape.data_bytes = counted(&caps::DATA_BYTES);
    outline.shape.core_instances = counted(&caps::CORE_INSTANCES);
    Ok(outline)
}

struct Walk<'a> {
    bytes: &'a [u8],
    outline: Outline,
    /// The components that the walk is inside of, outermost first.
    scopes: Vec<Scope>,
    /// The core module that the walk is inside of.
    module: Option<Repeated>,
    /// The core modules of each of these components.
    modules: Vec<Vec<Repeated>>,
    composition: Composition,
    /// The numbers counted so far, by the name of their cap.
    counts: HashMap<&'static str, u64>,
}

/// The parts of a core module that each instance of it repeats.
#[derive(Clone, Copy, Debug, Default)]
struct Repeated {
    data_bytes: u64,
    data_segments: u64,
    elements: u64,
    constant_operators: u64,
}

impl<'a> Walk<'a> {
    fn payload(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        match payload {
            Payload::Version { encoding: Encoding::Component, .. } => {
                self.scopes.push(Scope::default());
                self.modules.push(Vec::new());
                caps::DEPTH.check(self.scopes.len() as u64)
            }
            Payload::Version { encoding: Encoding::Module, .. } => {
                self.module = Some(Repeated::default());
                self.count(&caps::MODULES, 1_u32)
            }
            Payload::End(_) => self.leave(),

            Payload::TypeSection(section) => each(section, |group| {
                group.types().try_for_each(|of| match &of.composite_type.inner {
                    CompositeInnerType::Func(function) => {
                        caps::PARAMETERS.check(function.params().len() as u64)?;
                        caps::RESULTS.check(function.results().len() as u64)
                    }
                    _ => Ok(()),
                })
            }),
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    match import?.ty {
                        TypeRef::Memory(memory) => self.memory(&memory)?,
                        TypeRef::Table(table) => self.table(table.initial)?,
                        _ => {}
                    }
                }
                Ok(())
            }
            Payload::FunctionSection(section) => {
                self.outline.shape.functions += u64::from(section.count());
                Ok(())
            }
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
                self.memory(&memory)?;
                self.composition.add_memory(self.scopes.last_mut())
            }),
            Payload::GlobalSection(section) => each(section, |global| self.constant(&global.init_expr)),
            Payload::ElementSection(section) => self.elements(section),
            Payload::DataSection(section) => self.data(section),
            Payload::CodeSectionStart { size, .. } => {
                self.outline.shape.code_bytes += u64::from(size);
                Ok(())
            }
            Payload::CodeSectionEntry(body) => self.code(&body),

            payload => self.component(payload),
        }
    }

    /// Counts what is outside of core modules.
    fn component(&mut self, payload: Payload<'a>) -> Result<(), Refusal> {
        let is_outermost = self.scopes.len() == 1;
        match payload {
            Payload::ModuleSection { unchecked_range, .. } => {
                self.scope().add_module(unchecked_range.len() as u64);
                Ok(())
            }
            Payload::InstanceSection(section) => {
                self.count(&caps::ITEMS, section.count())?;
                each(section, |instance| match instance {
                    Instance::Instantiate { module_index, args } => {
                        self.instantiate(module_index)?;
                        self.count(&caps::ITEMS, args.len())
                    }
                    Instance::FromExports(exports) => self.count(&caps::ITEMS, exports.len()),
                })
            }
            Payload::ComponentInstanceSection(section) => {
                self.count_item(&caps::COPIES, section.count())?;
                self.count(&caps::ENTRY_BYTES, section.range().len())?;
                each(section, |instance| match instance {
                    ComponentInstance::Instantiate { component_index, args } => {
                        self.count(&caps::COMPONENT_INSTANTIATIONS, 1_u32)?;
                        self.scope().instantiate(component_index)?;
                        self.count(&caps::ITEMS, args.len())
                    }
                    ComponentInstance::FromExports(exports) => self.count(&caps::ITEMS, exports.len()),
                })
            }
            Payload::CoreTypeSection(section) => {
                self.count(&caps::ITEMS, section.count())?;
                self.count(&caps::ENTRY_BYTES, section.range().len())?;
                each(section, |of| match of {
                    CoreType::Module(declarations) => self.count(&caps::ITEMS, declarations.len()),
                    CoreType::Rec(_) => Ok(()),
                })
            }
            Payload::ComponentAliasSection(section) => {
                self.count(&caps::ITEMS, section.count())?;
                each(section, |alias| self.scope().alias(&alias))
            }
            Payload::ComponentTypeSection(section) => {
                let range = section.range();
                self.count(&caps::ENTRY_BYTES, range.len())?;
                let types = types::count(&self.bytes[range.clone()], range.start)?;
                self.count_item(&caps::ENTRIES, types)?;
                each(section, |defined| {
                    self.outline.resources += u64::from(types::is_resource(&defined));
                    Ok(())
                })
            }
            Payload::ComponentCanonicalSection(section) => {
                self.count_item(&caps::CANONICALS, section.count())
            }
            Payload::ComponentImportSection(section) => {
                self.count_item(&caps::COPIES, section.count())?;
                self.count(&caps::ENTRY_BYTES, section.range().len())?;
                each(section, |import| {
                    types::check_name(import.name.name)?;
                    if is_outermost {
                        self.outline.imports.push(import.name.name.to_owned());
                    }
                    self.scope().import(import.ty)
                })
            }
            Payload::ComponentExportSection(section) => {
                self.count_item(&caps::ENTRIES, section.count())?;
                self.count(&caps::ENTRY_BYTES, section.range().len())?;
                each(section, |export| {
                    types::check_name(export.name.name)?;
                    if is_outermost {
                        self.outline.exports.push(export.name.name.to_owned());
                    }
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }

    /// The component that the walk is in.
    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the parser is inside of a component")
    }

    fn leave(&mut self) -> Result<(), Refusal> {
        if let Some(module) = self.module.take() {
            self.modules.last_mut().expect("a core module is in a component").push(module);
            return Ok(());
        }
        self.modules.pop();
        let Some(scope) = self.scopes.pop() else { return Ok(()) };
        self.composition.leave(&scope, self.scopes.last_mut())
    }

    /// Counts more of what a cap bounds.
    fn count(&mut self, cap: &Cap, more: impl TryInto<u64>) -> Result<(), Refusal> {
        let count = self.counts.entry(cap.what).or_default();
        *count = count.saturating_add(more.try_into().unwrap_or(u64::MAX));
        cap.check(*count)
    }

    /// Counts more of a cap's items, which count as items of the component, too.
    fn count_item(&mut self, cap: &Cap, more: impl TryInto<u64> + Copy) -> Result<(), Refusal> {
        self.count(cap, more)?;
        self.count(&caps::ITEMS, more)
    }

    /// Counts an instance of a core module. Modules come only from their component, so the index counts those; validation
    /// finds one that does not exist.
    fn instantiate(&mut self, module_index: u32) -> Result<(), Refusal> {
        self.count(&caps::CORE_INSTANCES, 1_u32)?;
        let here = self.modules.last().expect("the parser is inside of a component");
        let Some(&module) = here.get(module_index as usize) else { return Ok(()) };
        self.count(&caps::DATA_BYTES, module.data_bytes)?;
        self.count(&caps::DATA_SEGMENTS, module.data_segments)?;
        self.count(&caps::ELEMENTS, module.elements)?;
        self.count(&caps::CONSTANT_OPERATORS, module.constant_operators)
    }

    /// The parts of the core module that the walk is in.
    fn repeated(&mut self) -> &mut Repeated {
        self.module.get_or_insert_default()
    }

    fn constant(&mut self, expression: &ConstExpr<'_>) -> Result<(), Refusal> {
        for operator in expression.get_operators_reader() {
            self.repeated().constant_operators += u64::from(!matches!(operator?, Operator::End));
        }
        Ok(())
    }

    fn elements(&mut self, section: ElementSectionReader<'a>) -> Result<(), Refusal> {
        each(section, |segment| {
            if let ElementKind::Active { offset_expr, .. } = &segment.kind {
                self.constant(offset_expr)?;
            }
            let (count, expressions) = match segment.items {
                ElementItems::Functions(functions) => (functions.count(), None),
                ElementItems::Expressions(_, expressions) => (expressions.count(), Some(expressions)),
            };
            self.repeated().elements += u64::from(count);
            expressions.map_or(Ok(()), |all| each(all, |expression| self.constant(&expression)))
        })
    }

    fn data(&mut self, section: DataSectionReader<'a>) -> Result<(), Refusal> {
        each(section, |segment| {
            if let DataKind::Active { offset_expr, .. } = &segment.kind {
                self.constant(offset_expr)?;
            }
            let repeated = self.repeated();
            repeated.data_segments += 1;
            repeated.data_bytes += segment.data.len() as u64;
            Ok(())
        })
    }

    /// Counts a function's locals, and looks into the code of a component that may be a stub: its memory must stay empty.
    fn code(&mut self, body: &FunctionBody<'a>) -> Result<(), Refusal> {
        let mut locals = 0_u64;
        for group in body.get_locals_reader()? {
            let (count, _) = group?;
            locals += u64::from(count);
        }
        caps::LOCALS.check(locals)?;
        if !self.scope().may_be_stub() {
            return Ok(());
        }
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            if let Operator::MemoryGrow { .. } = operators.read()? {
                self.scope().reach_out();
            }
        }
        Ok(())
    }

    fn table(&mut self, elements: u64) -> Result<(), Refusal> {
        self.outline.shape.table_elements = self.outline.shape.table_elements.max(elements);
        caps::TABLE_ELEMENTS.check(elements)
    }

    /// Checks a memory's type. Features are refused by name, because validation would only say that something "is not
    /// enabled".
    fn memory(&mut self, memory: &MemoryType) -> Result<(), Refusal> {
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
        let bytes = memory.initial.saturating_mul(PAGE_BYTES as u64);
        if bytes > 0 {
            self.scope().reach_out();
        }
        self.outline.shape.memory_bytes = self.outline.shape.memory_bytes.max(bytes);
        Ok(())
    }
}

/// Reads a section's items one after the other.
fn each<'a, T: FromReader<'a>>(
    section: SectionLimited<'a, T>,
    mut take: impl FnMut(T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    section.into_iter().try_for_each(|item| take(item?))
}
