//! Components within a component: one of them has the bot's code; the others have no code, or that of a stub.
//!
//! Between two components that have code there are adapters, which copy everything that is passed from one memory to the
//! other: they are as large as the types that are passed, and what they copy costs no fuel. Some toolchains nevertheless
//! add a small component in place of an import that the bot never calls. Such a stub is admitted if it is small and if
//! nothing can be passed to it, because it has no memory.

use crate::engine::MEMORIES_MAX;
use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{ComponentAlias, ComponentExternalKind, ComponentOuterAliasKind, ComponentTypeRef};

/// The core modules of a stub, in bytes. Chosen: QuickJS has 442 in two.
const STUB_BYTES_MAX: u64 = 4 << 10;

/// Advice to an author of more than one part. With that option, QuickJS has a stub that passes texts on.
const ONE_MODULE: &str = "build one module, not a composition of several components; for QuickJS, leave out `--backend-qjs-stub-wasi`";

/// Advice to an author of more than one memory.
const ONE_MEMORY: &str = "build it with one memory, without the multi-memory feature; for QuickJS, leave out `--backend-qjs-stub-wasi`";

/// A component, outermost or nested, that is being read.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The bytes of its own core modules.
    module_bytes: u64,
    /// True if it has something that a stub must not have: imports, the types of the components around it, or a memory with
    /// room.
    reaches_out: bool,
    memories: usize,
    /// The nested components, by their index.
    nested: Vec<Nested>,
}

/// A nested component that has been read.
#[derive(Clone, Copy, Debug)]
struct Nested {
    /// True if there is code in it or in a component within it.
    has_code: bool,
    is_instantiated: bool,
}

/// The components with code that have been read.
#[derive(Debug, Default)]
pub(super) struct Composition {
    memories: usize,
    with_code: u32,
    that_are_no_stubs: u32,
}

impl Scope {
    pub(super) fn add_module(&mut self, bytes: u64) {
        self.module_bytes = self.module_bytes.saturating_add(bytes);
    }

    /// True as long as the component may be a stub, so that looking at its code is cheap and matters.
    pub(super) fn may_be_stub(&self) -> bool {
        !self.reaches_out && self.module_bytes <= STUB_BYTES_MAX
    }

    /// Notes that the component has something that a stub must not have.
    pub(super) fn reach_out(&mut self) {
        self.reaches_out = true;
    }

    pub(super) fn import(&mut self, of: ComponentTypeRef) -> Result<(), Refusal> {
        self.reach_out();
        match of {
            // It may multiply its imports without a bound.
            ComponentTypeRef::Component(_) => refuse("has a component that imports a component"),
            ComponentTypeRef::Module(_) => refuse("has a component that imports a core module"),
            _ => Ok(()),
        }
    }

    pub(super) fn alias(&mut self, alias: &ComponentAlias<'_>) -> Result<(), Refusal> {
        match alias {
            ComponentAlias::Outer {
                kind: ComponentOuterAliasKind::CoreModule | ComponentOuterAliasKind::Component,
                ..
            }
            | ComponentAlias::InstanceExport {
                kind: ComponentExternalKind::Module | ComponentExternalKind::Component,
                ..
            } => refuse("uses a component or a core module in another place than its own"),
            ComponentAlias::Outer { .. } => {
                self.reach_out();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts an instance of a nested component. Validation finds an index that does not exist.
    pub(super) fn instantiate(&mut self, component_index: u32) -> Result<(), Refusal> {
        let index = usize::try_from(component_index).unwrap_or(usize::MAX);
        let Some(nested) = self.nested.get_mut(index) else { return Ok(()) };
        if nested.has_code && nested.is_instantiated {
            return refuse("has several instances of a component that has code");
        }
        nested.is_instantiated = true;
        Ok(())
    }
}

impl Composition {
    /// Counts a memory of a component. A component has at most one.
    pub(super) fn add_memory(&mut self, scope: Option<&mut Scope>) -> Result<(), Refusal> {
        self.memories += 1;
        let of_scope = scope.map_or(0, |scope| {
            scope.memories += 1;
            scope.memories
        });
        if of_scope > 1 || self.memories > MEMORIES_MAX {
            let what = "has more than one memory; a bot has one";
            return Err(Refusal::new(RefusalKind::Feature, what, ONE_MEMORY));
        }
        Ok(())
    }

    /// Counts a component that has been read to its end, and notes it in the component around it.
    pub(super) fn leave(&mut self, scope: &Scope, around: Option<&mut Scope>) -> Result<(), Refusal> {
        if scope.module_bytes > 0 {
            self.with_code += 1;
            self.that_are_no_stubs += u32::from(!scope.may_be_stub());
            if self.with_code > 1 && self.that_are_no_stubs > 1 {
                return refuse("is a composition of components that each have code");
            }
        }
        if let Some(around) = around {
            let has_code = scope.module_bytes > 0 || scope.nested.iter().any(|nested| nested.has_code);
            around.nested.push(Nested { has_code, is_instantiated: false });
        }
        Ok(())
    }
}

fn refuse(what: &str) -> Result<(), Refusal> {
    Err(Refusal::new(RefusalKind::Feature, format!("{what}; a bot is one component"), ONE_MODULE))
}
