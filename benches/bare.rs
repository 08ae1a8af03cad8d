//! The contract in a bare host: typed calls with fuel. The arena's call is measured against these. The host is wasmtime with fuel and WASI,
//! and nothing beyond that: it has no watchdog, no limits of memory, no log and no faults.

use arena_rules::Coord;
use arena_rules::battleship::{GameInfo, View};
use wasmtime::component::{Component, ComponentType, Lift, Linker, Lower, TypedFunc};
use wasmtime::{Config, Engine, Result, Store};
use wasmtime_wasi::{ResourceTable, WasiCtx, WasiCtxView, WasiView};

/// The WASI state of an instance.
struct State {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// A live instance of a bot.
pub struct BareBot {
    store: Store<State>,
    play: TypedFunc<(BareGame<'static>, BareView<'static>), (Option<BareCoord>,)>,
}

impl BareBot {
    /// Compiles a component, and makes an instance of it.
    pub fn new(component: &[u8]) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let component = Component::new(&engine, component)?;
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
        let state = State { wasi: WasiCtx::builder().build(), table: ResourceTable::new() };
        let mut store = Store::new(&engine, state);
        store.set_fuel(u64::MAX)?;
        let instance = linker.instantiate(&mut store, &component)?;
        let contract = instance.get_export_index(&mut store, None, "arena:battleship/bot@0.1.0");
        let export = instance.get_export_index(&mut store, contract.as_ref(), "play");
        let play = instance.get_typed_func(&mut store, export.expect("it has the contract's functions"))?;
        Ok(Self { store, play })
    }

    /// Asks for an action, with this much fuel. Returns the cell, and the fuel that is left.
    pub fn ask(
        &mut self,
        game: &'static GameInfo,
        view: &'static View,
        fuel: u64,
    ) -> Result<(Option<Coord>, u64)> {
        self.store.set_fuel(fuel)?;
        let (cell,) = self.play.call(&mut self.store, (game.into(), view.into()))?;
        Ok((cell.map(|BareCoord { row, column }| Coord::new(row, column)), self.store.get_fuel()?))
    }
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
struct BareCoord {
    row: u8,
    column: u8,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct BareGame<'a> {
    width: u8,
    height: u8,
    fleet: &'a [u8],
    #[component(name = "may-touch")]
    may_touch: bool,
    #[component(name = "sinkings-announced")]
    sinkings_announced: bool,
    #[component(name = "turns-max")]
    turns_max: u32,
    #[component(name = "fuel-per-turn")]
    fuel_per_turn: u64,
    seed: u64,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct BareView<'a> {
    turn: u32,
    board: &'a [u8],
    attacks: &'a [u8],
    #[component(name = "last-spot")]
    last_spot: Option<BareCoord>,
    #[component(name = "my-last")]
    my_last: Option<BareCoord>,
    retry: bool,
    #[component(name = "ships-remaining")]
    ships_remaining: Option<&'a [u8]>,
}

impl<'a> From<&'a GameInfo> for BareGame<'a> {
    fn from(game: &'a GameInfo) -> Self {
        Self {
            width: game.size.width,
            height: game.size.height,
            fleet: &game.fleet,
            may_touch: game.may_touch,
            sinkings_announced: game.sinkings_announced,
            turns_max: game.turns_max,
            fuel_per_turn: game.fuel_per_turn,
            seed: game.seed,
        }
    }
}

impl<'a> From<&'a View> for BareView<'a> {
    fn from(view: &'a View) -> Self {
        let cell = |Coord { row, column }| BareCoord { row, column };
        Self {
            turn: view.turn,
            board: bytemuck::cast_slice(&view.board),
            attacks: bytemuck::cast_slice(&view.attacks),
            last_spot: view.last_spot.map(cell),
            my_last: view.my_last.map(cell),
            retry: view.retry,
            ships_remaining: view.ships_remaining.as_deref(),
        }
    }
}
