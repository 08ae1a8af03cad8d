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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxLimits;
    use std::collections::BTreeSet;

    /// A component that imports something of each interface that is given, with its right type.
    const ALL: &str = r#"(component
        (import "wasi:io/error@V" (instance $error
            (export "error" (type $e (sub resource)))
            (export "[method]error.to-debug-string" (func (param "self" (borrow $e)) (result string)))))
        (import "wasi:io/poll@V" (instance $poll
            (export "pollable" (type $p (sub resource)))
            (export "poll" (func (param "in" (list (borrow $p))) (result (list u32))))))
        (alias export $poll "pollable" (type $pollable))
        (import "wasi:io/streams@V" (instance $streams
            (export "input-stream" (type (sub resource)))
            (export "output-stream" (type $o (sub resource)))
            (alias outer 1 $pollable (type $p))
            (export "pollable" (type $p2 (eq $p)))
            (export "[method]output-stream.subscribe" (func (param "self" (borrow $o)) (result (own $p2))))))
        (alias export $streams "input-stream" (type $input))
        (alias export $streams "output-stream" (type $output))
        (import "wasi:cli/stdin@V" (instance
            (alias outer 1 $input (type $s)) (export "input-stream" (type $s2 (eq $s)))
            (export "get-stdin" (func (result (own $s2))))))
        (import "wasi:cli/stdout@V" (instance
            (alias outer 1 $output (type $s)) (export "output-stream" (type $s2 (eq $s)))
            (export "get-stdout" (func (result (own $s2))))))
        (import "wasi:cli/stderr@V" (instance
            (alias outer 1 $output (type $s)) (export "output-stream" (type $s2 (eq $s)))
            (export "get-stderr" (func (result (own $s2))))))
        (import "wasi:cli/terminal-input@V" (instance $ti (export "terminal-input" (type (sub resource)))))
        (alias export $ti "terminal-input" (type $terminal-input))
        (import "wasi:cli/terminal-output@V" (instance $to (export "terminal-output" (type (sub resource)))))
        (alias export $to "terminal-output" (type $terminal-output))
        (import "wasi:cli/terminal-stdin@V" (instance
            (alias outer 1 $terminal-input (type $t)) (export "terminal-input" (type $t2 (eq $t)))
            (export "get-terminal-stdin" (func (result (option (own $t2)))))))
        (import "wasi:cli/terminal-stdout@V" (instance
            (alias outer 1 $terminal-output (type $t)) (export "terminal-output" (type $t2 (eq $t)))
            (export "get-terminal-stdout" (func (result (option (own $t2)))))))
        (import "wasi:cli/terminal-stderr@V" (instance
            (alias outer 1 $terminal-output (type $t)) (export "terminal-output" (type $t2 (eq $t)))
            (export "get-terminal-stderr" (func (result (option (own $t2)))))))
        (import "wasi:cli/environment@V" (instance (export "get-arguments" (func (result (list string))))))
        (import "wasi:cli/exit@V" (instance (export "exit" (func (param "status" (result))))))
        (import "wasi:clocks/monotonic-clock@V" (instance (export "now" (func (result u64)))))
        (import "wasi:clocks/wall-clock@V" (instance
            (type $d (record (field "seconds" u64) (field "nanoseconds" u32)))
            (export "datetime" (type $d2 (eq $d)))
            (export "now" (func (result $d2)))))
        (import "wasi:random/random@V" (instance (export "get-random-u64" (func (result u64)))))
        (import "wasi:random/insecure@V" (instance (export "get-insecure-random-u64" (func (result u64)))))
        (import "wasi:random/insecure-seed@V" (instance
            (export "insecure-seed" (func (result (tuple u64 u64))))))
        (import "wasi:filesystem/types@V" (instance $files
            (export "descriptor" (type $d (sub resource)))
            (alias outer 1 $input (type $s)) (export "input-stream" (type $s2 (eq $s)))
            (export "[method]descriptor.read-via-stream"
                (func (param "self" (borrow $d)) (param "offset" u64) (result (own $s2))))))
        (alias export $files "descriptor" (type $descriptor))
        (import "wasi:filesystem/preopens@V" (instance
            (alias outer 1 $descriptor (type $d)) (export "descriptor" (type $d2 (eq $d)))
            (export "get-directories" (func (result (list (tuple (own $d2) string))))))))"#;

    #[test]
    fn what_is_given_is_given_in_every_patch_release_and_by_the_library() {
        let engine = crate::engine::engine(&SandboxLimits { workers: 1, ..SandboxLimits::default() })
            .expect("an engine can be made");
        let given = given(&engine).expect("it is defined once");
        for patch in 0..=12 {
            let text = ALL.replace("@V", &format!("@0.2.{patch}"));
            let bytes = arena_testkit::component(&text).expect("it can be made");
            let component = Component::from_binary(&engine, &bytes).expect("it is valid");
            let linker = linker(&given, &component).expect("the rest can be stopped");
            linker.instantiate_pre(&component).unwrap_or_else(|error| panic!("0.2.{patch}: {error:?}"));

            let component_type = component.component_type();
            let mut imported: BTreeSet<&str> =
                component_type.imports(&engine).filter_map(|(name, _)| imports::interface(name)).collect();
            assert!(imported.remove("wasi:filesystem/types"));
            assert_eq!(imported, BTreeSet::from(GIVEN));
        }
    }
}
