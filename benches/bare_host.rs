//! A bare host for components: wasmtime with fuel and WASI, and nothing beyond that. It has no watchdog, no limits of memory, no log
//! and no faults.

use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, Instance, InstancePre, Lift, Linker, Lower,
    TypedFunc,
};
use wasmtime::{Config, Engine, Result, Store};
use wasmtime_wasi::{ResourceTable, WasiCtx, WasiCtxView, WasiView};

/// The WASI state of an instance.
pub struct State {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Makes an engine, and compiles a component.
pub fn compile(component: &[u8]) -> Result<InstancePre<State>> {
    let mut config = Config::new();
    config.consume_fuel(true);
    let engine = Engine::new(&config)?;
    let component = Component::new(&engine, component)?;
    let mut linker = Linker::new(&engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    linker.instantiate_pre(&component)
}

/// A live instance of a bot.
pub struct Live {
    pub store: Store<State>,
    instance: Instance,
    contract: ComponentExportIndex,
}

impl Live {
    /// An instance of a component that exports this contract.
    pub fn begin(component: &InstancePre<State>, contract: &str) -> Result<Self> {
        let state = State { wasi: WasiCtx::builder().build(), table: ResourceTable::new() };
        let mut store = Store::new(component.engine(), state);
        store.set_fuel(u64::MAX)?;
        let instance = component.instantiate(&mut store)?;
        let contract = instance.get_export_index(&mut store, None, contract);
        Ok(Self { store, instance, contract: contract.expect("it exports the contract") })
    }

    /// A function of the contract.
    pub fn function<P, R>(&mut self, name: &str) -> Result<TypedFunc<P, R>>
    where
        P: ComponentNamedList + Lower,
        R: ComponentNamedList + Lift,
    {
        let export = self.instance.get_export_index(&mut self.store, Some(&self.contract), name);
        self.instance.get_typed_func(&mut self.store, export.expect("it has the contract's functions"))
    }
}
