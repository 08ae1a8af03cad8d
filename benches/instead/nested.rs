//! A first attempt at a host for components: boards as nested lists of enums, an engine with wasmtime's default settings and
//! fuel, and a bot that is compiled in this process.

use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::battleship::{Action, Battleship, GameInfo, Mark, OwnCell, View};
use arena_rules::{Coord, Direction, Placement};
use std::path::Path;
use wasmtime::component::{Component, ComponentType, InstancePre, Lift, Linker, Lower, TypedFunc};
use wasmtime::{Config, Engine, Result, Store};
use wasmtime_wasi::{ResourceTable, WasiCtx, WasiCtxView, WasiView};

/// A compiled component, with the engine it belongs to.
pub struct NestedBot {
    pre: InstancePre<State>,
}

struct State {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl NestedBot {
    /// Makes an engine and compiles the component in a file.
    pub fn load(file: &Path) -> Self {
        let load = || {
            let mut config = Config::new();
            config.consume_fuel(true);
            let engine = Engine::new(&config)?;
            let component = Component::from_file(&engine, file)?;
            let mut linker = Linker::new(&engine);
            wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
            linker.instantiate_pre(&component)
        };
        let pre: Result<_> = load();
        Self { pre: pre.expect("the component has been built by `cargo xtask bench`") }
    }

    /// A player for one game, with an instance of its own.
    pub fn player(&self) -> NestedPlayer {
        let make = || {
            let state = State { wasi: WasiCtx::builder().build(), table: ResourceTable::new() };
            let mut store = Store::new(self.pre.engine(), state);
            store.set_fuel(u64::MAX)?;
            let instance = self.pre.instantiate(&mut store)?;
            let bot = instance
                .get_export_index(&mut store, None, "bench:nested/bot@0.1.0")
                .expect("it exports the contract");
            let mut find = |name| {
                instance
                    .get_export_index(&mut store, Some(&bot), name)
                    .expect("it has the contract's functions")
            };
            let (deploy, play) = (find("deploy"), find("play"));
            let deploy = instance.get_typed_func(&mut store, deploy)?;
            let play = instance.get_typed_func(&mut store, play)?;
            Ok(NestedPlayer { store, deploy, play })
        };
        let player: Result<_> = make();
        player.expect("the bot starts")
    }
}

/// An instance that plays one game.
pub struct NestedPlayer {
    store: Store<State>,
    deploy: TypedFunc<(NestedGame,), (Vec<NestedPlacement>,)>,
    play: TypedFunc<(NestedGame, NestedView), (Option<NestedCoord>,)>,
}

impl NestedPlayer {
    fn reply<T>(&mut self, answer: Result<T>, before: u64) -> Result<Reply<T>, NoReply> {
        let left = self.store.get_fuel().unwrap_or_default();
        match answer {
            Ok(answer) => Ok(Reply { answer, fuel_used: before - left }),
            Err(error) => Err(HostError::Machine(error.to_string()).into()),
        }
    }

    /// Fills up the fuel of a call, and returns it.
    fn refuel(&mut self, fuel: u64) -> u64 {
        self.store.set_fuel(fuel).expect("the engine counts fuel");
        fuel
    }
}

impl Player<Battleship> for NestedPlayer {
    fn deploy(&mut self, game: &GameInfo, fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fuel = self.refuel(fuel);
        let fleet = self.deploy.call(&mut self.store, (game.into(),));
        self.reply(fleet.map(|(fleet,)| fleet.into_iter().map(Into::into).collect()), fuel)
    }

    fn play(&mut self, game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Action>, NoReply> {
        let fuel = self.refuel(fuel);
        let view = NestedView::of(view, game.size.width.into());
        let shot = self.play.call(&mut self.store, (game.into(), view));
        self.reply(shot.map(|(shot,)| shot.map(Coord::from).into()), fuel)
    }
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
struct NestedCoord {
    row: u8,
    column: u8,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "lifting makes its values from their numbers")]
enum NestedDirection {
    #[component(name = "north")]
    North,
    #[component(name = "east")]
    East,
    #[component(name = "south")]
    South,
    #[component(name = "west")]
    West,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(record)]
struct NestedPlacement {
    anchor: NestedCoord,
    direction: NestedDirection,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
enum NestedOwnCell {
    #[component(name = "water")]
    Water,
    #[component(name = "ship")]
    Ship,
    #[component(name = "missed")]
    Missed,
    #[component(name = "hit")]
    Hit,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
enum NestedMark {
    #[component(name = "unknown")]
    Unknown,
    #[component(name = "miss")]
    Miss,
    #[component(name = "hit")]
    Hit,
}

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct NestedGame {
    width: u8,
    height: u8,
    fleet: Vec<u8>,
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

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct NestedView {
    turn: u32,
    board: Vec<Vec<NestedOwnCell>>,
    attacks: Vec<Vec<NestedMark>>,
    #[component(name = "last-spot")]
    last_spot: Option<NestedCoord>,
    #[component(name = "my-last")]
    my_last: Option<NestedCoord>,
    retry: bool,
    #[component(name = "ships-remaining")]
    ships_remaining: Option<Vec<u8>>,
}

impl NestedView {
    fn of(view: &View, width: usize) -> Self {
        let own = |cell: &OwnCell| match cell {
            OwnCell::Water => NestedOwnCell::Water,
            OwnCell::Ship => NestedOwnCell::Ship,
            OwnCell::Missed => NestedOwnCell::Missed,
            OwnCell::Hit => NestedOwnCell::Hit,
        };
        let mark = |mark: &Mark| match mark {
            Mark::Unknown => NestedMark::Unknown,
            Mark::Miss => NestedMark::Miss,
            Mark::Hit => NestedMark::Hit,
        };
        Self {
            turn: view.turn,
            board: view.board.chunks(width).map(|row| row.iter().map(own).collect()).collect(),
            attacks: view.attacks.chunks(width).map(|row| row.iter().map(mark).collect()).collect(),
            last_spot: view.last_spot.map(Into::into),
            my_last: view.my_last.map(Into::into),
            retry: view.retry,
            ships_remaining: view.ships_remaining.clone(),
        }
    }
}

impl From<&GameInfo> for NestedGame {
    fn from(game: &GameInfo) -> Self {
        Self {
            width: game.size.width,
            height: game.size.height,
            fleet: game.fleet.clone(),
            may_touch: game.may_touch,
            sinkings_announced: game.sinkings_announced,
            turns_max: game.turns_max,
            fuel_per_turn: game.fuel_per_turn,
            seed: game.seed,
        }
    }
}

impl From<Coord> for NestedCoord {
    fn from(at: Coord) -> Self {
        Self { row: at.row, column: at.column }
    }
}

impl From<NestedCoord> for Coord {
    fn from(at: NestedCoord) -> Self {
        Self::new(at.row, at.column)
    }
}

impl From<NestedPlacement> for Placement {
    fn from(placement: NestedPlacement) -> Self {
        let direction = match placement.direction {
            NestedDirection::North => Direction::North,
            NestedDirection::East => Direction::East,
            NestedDirection::South => Direction::South,
            NestedDirection::West => Direction::West,
        };
        Self::new(placement.anchor.into(), direction)
    }
}
