//! WASI 0.2 without authority, by `wasmtime-wasi`: of what a standard library imports, the little that is given, and a
//! named stop for everything else.
//!
//! Types and signatures are all the library's. So are the functions, on a context that holds nothing of the world: no
//! variables, arguments or directories, an input at its end, and a clock and random numbers of ours. Only where the
//! library's own would wait, on tokio, are its traits implemented anew, in [`clocks`] and [`io`]: neither fuel nor the
//! watchdog interrupts a host call, so that none may sleep or block. That is also why the library is never added to the
//! linker as a whole.

mod charge;
mod clocks;
mod io;
mod random;
mod world;

pub(crate) use charge::{HOST_CALL_BYTES_MAX, settle};
pub(crate) use world::{HANDLES_MAX, World};

use crate::imports;
use crate::state::{State, Stop};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, HasData, HasSelf, Linker, ResourceTable, ResourceType};
use wasmtime::{Engine, Result, bail};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::{cli, clocks as time, filesystem, random as chance, sync};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, IoError};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};
use wasmtime_wasi_io::bindings::wasi::io as wasi_io;

/// The interfaces that are given, each whole.
const GIVEN: [&str; 19] = [
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:filesystem/preopens",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
    "wasi:random/random",
];

/// The library's resources as such, without a context.
struct Table;

impl HasData for Table {
    type Data<'a> = &'a mut ResourceTable;
}

/// A linker with all that is given. It serves every patch release of WASI 0.2: a linker matches versions that are
/// compatible.
pub(crate) fn given(engine: &Engine) -> Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;

    // The library's own.
    cli::environment::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::exit::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::stdin::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(l, |state| state.called().cli())?;
    time::wall_clock::add_to_linker::<State, WasiClocks>(l, |state| state.called().clocks())?;
    filesystem::preopens::add_to_linker::<State, WasiFilesystem>(l, |state| state.called().filesystem())?;
    chance::insecure_seed::add_to_linker::<State, WasiRandom>(l, |state| state.called().random())?;
    wasi_io::error::add_to_linker::<State, Table>(l, |state| state.called().table())?;

    // The library's, with a price on each byte.
    chance::random::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    chance::insecure::add_to_linker::<State, HasSelf<State>>(l, State::called)?;

    // The library's as far as it does not wait.
    cli::stdout::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    cli::stderr::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    time::monotonic_clock::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    sync::io::poll::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    sync::io::streams::add_to_linker::<State, HasSelf<State>>(l, State::called)?;
    Ok(linker)
}

/// The linker for one component: what is given, and stops for the rest of what it imports, whose names have been
/// checked.
///
/// Each stop is defined under the very version that is imported, and none beside what is given: it would shadow a
/// definition that only differs in its patch version.
pub(crate) fn linker(given: &Linker<State>, component: &Component) -> Result<Linker<State>> {
    let engine = given.engine();
    let mut linker = given.clone();
    for (import, item) in component.component_type().imports(engine) {
        let (Some(interface), ComponentItem::ComponentInstance(instance)) =
            (imports::interface(import), &item.ty)
        else {
            bail!("`{import}` is not an interface");
        };
        if GIVEN.contains(&interface) {
            continue;
        }
        let mut stops = linker.instance(import)?;
        for (name, item) in instance.exports(engine) {
            match item.ty {
                ComponentItem::Resource(_) => stops.resource(name, resource(name), |_, _| Ok(()))?,
                ComponentItem::ComponentFunc(_) => {
                    let full_name = format!("{interface}#{name}");
                    stops.func_new(name, move |_, _, _, _| Err(Stop::NotGiven(full_name.clone()).into()))?;
                }
                ComponentItem::Type(_) => {}
                _ => bail!("`{import}` has an item `{name}` that no interface of WASI has"),
            }
        }
    }
    Ok(linker)
}

/// A resource that is not given. What it has in common with an interface that is given is the library's resource, since
/// the same name is the same resource in every interface that uses it; of the others there is never one.
fn resource(name: &str) -> ResourceType {
    enum Nothing {}

    match name {
        "descriptor" => ResourceType::host::<Descriptor>(),
        "error" => ResourceType::host::<IoError>(),
        "input-stream" => ResourceType::host::<DynInputStream>(),
        "output-stream" => ResourceType::host::<DynOutputStream>(),
        "pollable" => ResourceType::host::<DynPollable>(),
        _ => ResourceType::host::<Nothing>(),
    }
}
