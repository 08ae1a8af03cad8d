//! The calls between the functions of a component, in all its core modules, and the functions that have to count the stack.
//!
//! A function calls those that it names; with an indirect call, all functions of that type that any table may have; and with an import, the
//! functions of that name and type that other modules export. An import that cannot be traced by its name calls all exported functions of its
//! type. The host calls none, except for the one that gives memory, which can call no import.

use super::frames::{BETWEEN_MAX, UNCOUNTED_MAX};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wasmparser::{
    CanonicalFunction, ComponentAlias, ComponentOuterAliasKind, CompositeInnerType, ConstExpr, ElementItems,
    ElementKind, Encoding, ExternalKind, FuncType, Instance, Operator, Payload, TableInit, TypeRef,
};

/// A core module: what decides which functions call each other.
#[derive(Debug, Default)]
pub(super) struct Module<'a> {
    pub(super) types: Vec<Option<FuncType>>,
    /// The types of its functions, by their index.
    pub(super) functions: Vec<u32>,
    /// The names of those that are imported.
    imports: Vec<&'a str>,
    exports: Vec<(&'a str, u32)>,
    /// The functions that tables may have.
    referred: BTreeSet<u32>,
    pub(super) globals: u32,
    /// The bodies of the other functions, in order.
    pub(super) bodies: Vec<Body>,
    /// The times that it is instantiated.
    pub(super) instances: u64,
}

/// The calls of a function, and the size of its frame.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) frame: u64,
    pub(super) calls: BTreeSet<u32>,
    /// The types of its indirect calls.
    pub(super) indirect: BTreeSet<u32>,
    pub(super) referred: BTreeSet<u32>,
    /// The places of its returns.
    pub(super) returns: Vec<usize>,
    /// The place of its first operator, and the one of its last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if it also returns by a branch.
    pub(super) returns_by_branch: bool,
}

impl Body {
    /// Takes an operator at this place.
    pub(super) fn add(&mut self, operator: &Operator<'_>, place: usize) {
        match *operator {
            Operator::Call { function_index } => drop(self.calls.insert(function_index)),
            Operator::CallIndirect { type_index, .. } => drop(self.indirect.insert(type_index)),
            Operator::RefFunc { function_index } => drop(self.referred.insert(function_index)),
            Operator::Return => self.returns.push(place),
            _ => {}
        }
        self.end = place;
    }
}

impl Module<'_> {
    /// The type of a function.
    pub(super) fn type_of(&self, function: u32) -> Option<&FuncType> {
        let index = *self.functions.get(function as usize)?;
        self.types.get(index as usize)?.as_ref()
    }

    fn refer(&mut self, expression: &ConstExpr<'_>) {
        for operator in expression.get_operators_reader().into_iter().flatten() {
            if let Operator::RefFunc { function_index } = operator {
                self.referred.insert(function_index);
            }
        }
    }
}

/// The core modules of a component, and what it does with their names.
#[derive(Debug, Default)]
pub(super) struct Modules<'a> {
    /// In the order in which they begin.
    pub(super) all: Vec<Module<'a>>,
    /// The components that are being read, outermost first, and the core module in them.
    around: Vec<Level<'a>>,
    /// The names by which functions are passed on that are not their own.
    renamed: BTreeSet<&'a str>,
}

/// A component: its core modules, and the names by which its core functions were exported.
#[derive(Debug, Default)]
struct Level<'a> {
    modules: Vec<Option<usize>>,
    functions: Vec<Option<&'a str>>,
}

impl<'a> Modules<'a> {
    /// Takes a valid part.
    pub(super) fn add(&mut self, payload: &Payload<'a>) -> wasmparser::Result<()> {
        match payload {
            Payload::Version { encoding, .. } => {
                if let (Encoding::Module, Some(level)) = (encoding, self.around.last_mut()) {
                    level.modules.push(Some(self.all.len()));
                    self.all.push(Module::default());
                }
                // A core module is a level without parts of a component.
                self.around.push(Level::default());
            }
            Payload::End(_) => drop(self.around.pop()),
            payload => self.add_to_component(payload)?,
        }
        let Some(module) = self.all.last_mut() else { return Ok(()) };
        match payload {
            Payload::TypeSection(section) => {
                for group in section.clone() {
                    module.types.extend(group?.into_types().map(|of| match of.composite_type.inner {
                        CompositeInnerType::Func(function) => Some(function),
                        _ => None,
                    }));
                }
            }
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports() {
                    let import = import?;
                    match import.ty {
                        TypeRef::Func(of) | TypeRef::FuncExact(of) => {
                            module.functions.push(of);
                            module.imports.push(import.name);
                        }
                        TypeRef::Global(_) => module.globals += 1,
                        _ => {}
                    }
                }
            }
            Payload::FunctionSection(section) => {
                for of in section.clone() {
                    module.functions.push(of?);
                }
            }
            Payload::TableSection(section) => {
                for table in section.clone() {
                    if let TableInit::Expr(expression) = table?.init {
                        module.refer(&expression);
                    }
                }
            }
            Payload::GlobalSection(section) => {
                module.globals += section.count();
                for global in section.clone() {
                    module.refer(&global?.init_expr);
                }
            }
            Payload::ExportSection(section) => {
                for export in section.clone() {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        module.exports.push((export.name, export.index));
                    }
                }
            }
            Payload::ElementSection(section) => {
                for segment in section.clone() {
                    let segment = segment?;
                    if let ElementKind::Active { offset_expr, .. } = &segment.kind {
                        module.refer(offset_expr);
                    }
                    match segment.items {
                        ElementItems::Functions(functions) => {
                            for function in functions {
                                module.referred.insert(function?);
                            }
                        }
                        ElementItems::Expressions(_, expressions) => {
                            for expression in expressions {
                                module.refer(&expression?);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_to_component(&mut self, payload: &Payload<'a>) -> wasmparser::Result<()> {
        let Some(level) = self.around.last_mut() else { return Ok(()) };
        match payload {
            Payload::ComponentAliasSection(section) => {
                for alias in section.clone() {
                    match alias? {
                        ComponentAlias::CoreInstanceExport { kind: ExternalKind::Func, name, .. } => {
                            level.functions.push(Some(name));
                        }
                        // A module of another component is not known here: it is taken to be instantiated wherever it may be.
                        ComponentAlias::Outer { kind: ComponentOuterAliasKind::CoreModule, .. } => {
                            level.modules.push(None);
                        }
                        _ => {}
                    }
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for function in section.clone() {
                    if !matches!(function?, CanonicalFunction::Lift { .. }) {
                        level.functions.push(None);
                    }
                }
            }
            Payload::InstanceSection(section) => {
                for instance in section.clone() {
                    match instance? {
                        Instance::Instantiate { module_index, .. } => {
                            if let Some(Some(module)) = level.modules.get(module_index as usize) {
                                self.all[*module].instances += 1;
                            }
                        }
                        Instance::FromExports(exports) => {
                            let functions = exports.iter().filter(|export| export.kind == ExternalKind::Func);
                            self.renamed.extend(functions.filter_map(|export| {
                                let own = level.functions.get(export.index as usize).copied().flatten();
                                own.filter(|own| *own != export.name).map(|_| export.name)
                            }));
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The functions that count, by module and place among its bodies, each with the stack that it counts.
    pub(super) fn counted(&self) -> Vec<BTreeMap<usize, u64>> {
        let graph = Graph::of(self);
        let counted = graph.counted();
        let mut rest = counted.into_iter();
        self.all
            .iter()
            .map(|module| {
                let of_module = rest.by_ref().take(module.bodies.len());
                of_module.enumerate().filter_map(|(body, counts)| Some((body, counts?))).collect()
            })
            .collect()
    }
}

/// The calls as a graph. A node is a function, or a group of functions that are called together.
struct Graph {
    frames: Vec<u64>,
    /// The number of nodes that are functions; they come first.
    functions: usize,
    calls: Vec<Vec<usize>>,
}

impl Graph {
    fn of(modules: &Modules<'_>) -> Self {
        let all = &modules.all;
        let mut starts = Vec::with_capacity(all.len());
        let mut functions = 0;
        for module in all {
            starts.push(functions);
            functions += module.bodies.len();
        }
        let mut graph = Self {
            frames: all.iter().flat_map(|module| module.bodies.iter().map(|body| body.frame)).collect(),
            functions,
            calls: vec![Vec::new(); functions],
        };
        let own = |module: usize, function: u32| {
            let body = (function as usize).checked_sub(all[module].imports.len())?;
            Some(starts[module] + body)
        };

        // The functions that are exported: by name and type, and by type.
        let mut named: HashMap<(&str, &FuncType), Vec<usize>> = HashMap::new();
        let mut exported: HashMap<&FuncType, Vec<usize>> = HashMap::new();
        for (at, module) in all.iter().enumerate() {
            for &(name, function) in &module.exports {
                let (Some(of), Some(node)) = (module.type_of(function), own(at, function)) else { continue };
                named.entry((name, of)).or_default().push(node);
                exported.entry(of).or_default().push(node);
            }
        }
        // An import that is exported again is not a function of its own, and is found by its type.
        let of_import = |module: &Module<'_>, import: usize| -> Vec<usize> {
            let Some(of) = module.type_of(import as u32) else { return Vec::new() };
            let name = module.imports[import];
            let traced = named.get(&(name, of)).filter(|_| !modules.renamed.contains(name));
            traced.or_else(|| exported.get(of)).cloned().unwrap_or_default()
        };
        let mut in_tables: HashMap<&FuncType, Vec<usize>> = HashMap::new();
        let mut import_nodes: Vec<Vec<usize>> = Vec::with_capacity(all.len());
        for (at, module) in all.iter().enumerate() {
            let nodes =
                (0..module.imports.len()).map(|import| graph.group(of_import(module, import))).collect();
            import_nodes.push(nodes);
            let referred = module.bodies.iter().flat_map(|body| &body.referred).chain(&module.referred);
            for &function in referred.collect::<BTreeSet<_>>() {
                let Some(of) = module.type_of(function) else { continue };
                let group = in_tables.entry(of).or_default();
                match own(at, function) {
                    Some(node) => group.push(node),
                    None => group.extend(of_import(module, function as usize)),
                }
            }
        }
        let mut tables: HashMap<&FuncType, usize> = HashMap::new();
        for (at, module) in all.iter().enumerate() {
            for (body, calls) in module.bodies.iter().enumerate() {
                let mut to: Vec<usize> = Vec::with_capacity(calls.calls.len() + calls.indirect.len());
                to.extend(calls.calls.iter().map(|&function| {
                    own(at, function).unwrap_or_else(|| import_nodes[at][function as usize])
                }));
                for &of in &calls.indirect {
                    let Some(Some(of)) = module.types.get(of as usize) else { continue };
                    let node = match tables.get(of) {
                        Some(node) => *node,
                        None => graph.group(in_tables.get(of).cloned().unwrap_or_default()),
                    };
                    tables.insert(of, node);
                    to.push(node);
                }
                graph.calls[starts[at] + body] = to;
            }
        }
        graph
    }

    /// Adds a group of functions.
    fn group(&mut self, functions: Vec<usize>) -> usize {
        self.frames.push(0);
        self.calls.push(functions);
        self.frames.len() - 1
    }

    /// Walks over all nodes but those in `without`, each after those that it calls. Returns the order, and the calls of nodes that were still
    /// being walked over: each circle has one.
    fn walk(&self, without: &[bool]) -> (Vec<usize>, Vec<(usize, usize)>) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.calls.len()];
        let (mut order, mut back) = (Vec::new(), Vec::new());
        let mut open: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.calls.len() {
            if states[root] != State::New || without[root] {
                continue;
            }
            states[root] = State::Open;
            open.push((root, 0));
            while let Some((node, next)) = open.last_mut() {
                let Some(&to) = self.calls[*node].get(*next) else {
                    states[*node] = State::Done;
                    order.push(*node);
                    open.pop();
                    continue;
                };
                *next += 1;
                match states[to] {
                    _ if without[to] => {}
                    State::New => {
                        states[to] = State::Open;
                        open.push((to, 0));
                    }
                    State::Open => back.push((*node, to)),
                    State::Done => {}
                }
            }
        }
        (order, back)
    }

    /// The stack that each function counts, if it does. One function of each circle counts, and so does one that others would take too far
    /// without counting.
    fn counted(&self) -> Vec<Option<u64>> {
        let mut counts = vec![false; self.calls.len()];
        let (_, back) = self.walk(&counts);
        for (from, to) in back {
            // A circle does not go through a group alone.
            counts[if to < self.functions { to } else { from }] = true;
        }
        let (order, circles) = self.walk(&counts);
        debug_assert!(circles.is_empty(), "each circle has a function that counts");
        // The most stack from a node on, up to the functions that count, and the same only on ways to one.
        let mut below = vec![0; self.calls.len()];
        let mut between: Vec<Option<u64>> = vec![None; self.calls.len()];
        let of_calls = |node: usize, counts: &[bool], between: &[Option<u64>]| {
            let ways = self.calls[node].iter().map(|&to| if counts[to] { Some(0) } else { between[to] });
            ways.max().flatten()
        };
        for node in order {
            let calls = self.calls[node].iter();
            let most = calls.map(|&to| if counts[to] { 0 } else { below[to] }).max().unwrap_or(0);
            below[node] = self.frames[node] + most;
            between[node] = of_calls(node, &counts, &between).map(|most| self.frames[node] + most);
            let is_far =
                below[node] > UNCOUNTED_MAX || between[node].is_some_and(|units| units > BETWEEN_MAX);
            counts[node] |= is_far && node < self.functions;
        }
        (0..self.functions)
            .map(|node| {
                let most = of_calls(node, &counts, &between).unwrap_or(0);
                counts[node].then(|| self.frames[node] + most)
            })
            .collect()
    }
}
