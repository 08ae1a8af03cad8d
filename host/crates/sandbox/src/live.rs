//! A live instance in its store.

use crate::state::State;
use wasmtime::component::{ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower, TypedFunc};
use wasmtime::{Result, Store};

/// A live instance in its store.
pub struct LiveInstance {
    pub(crate) store: Store<State>,
    pub(crate) instance: Instance,
}

impl LiveInstance {
    /// Looks up a function of the instance, whose type has been checked.
    pub(crate) fn function<Params, Return>(
        &mut self,
        export: &ComponentExportIndex,
    ) -> Result<TypedFunc<Params, Return>>
    where
        Params: ComponentNamedList + Lower,
        Return: ComponentNamedList + Lift,
    {
        self.instance.get_typed_func(&mut self.store, export)
    }
}
