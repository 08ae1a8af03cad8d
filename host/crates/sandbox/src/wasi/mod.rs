//! WASI 0.2 without authority, by `wasmtime-wasi`: the few interfaces that a standard library needs are provided, and a
//! call of any other stops the bot with its name.
//!
//! All types and signatures are the library's. So are the functions, on an empty context: no variables, arguments or
//! directories, an input at its end, and a clock and random numbers of the arena. Its traits are implemented again only
//! in [`clocks`] and [`io`], where its own functions would wait on tokio: neither fuel nor the watchdog interrupts a host
//! call, so none may sleep or block. That is also why the library is never added to the linker as a whole.

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
use wasmtime_wasi::p2::bindings as wasi;
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, IoError};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};
use wasmtime_wasi_io::bindings::wasi::io as wasi_io;

/// The library's resources alone, without a context.
struct Table;

impl HasData for Table {
    type Data<'a> = &'a mut ResourceTable;
}

/// Defines [`GIVEN`] and [`given`] from a table: an interface's name, its module of bindings, and what implements it.
macro_rules! interfaces {
    ($($name:literal: $($module:ident)::+, $host:ty, $get:expr;)*) => {
        /// The interfaces that are provided, each completely.
        const GIVEN: &[&str] = &[$($name),*];

        /// A linker with everything that is provided. It serves every patch release of WASI 0.2, because a linker matches
        /// compatible versions.
        pub(crate) fn given(engine: &Engine) -> Result<Linker<State>> {
            let mut linker = Linker::new(engine);
            $($($module)::+::add_to_linker::<State, $host>(&mut linker, $get)?;)*
            Ok(linker)
        }
    };
}

interfaces! {
    // The library's own.
    "wasi:cli/environment": wasi::cli::environment, WasiCli, |state| state.called().cli();
    "wasi:cli/exit": wasi::cli::exit, WasiCli, |state| state.called().cli();
    "wasi:cli/stdin": wasi::cli::stdin, WasiCli, |state| state.called().cli();
    "wasi:cli/terminal-input": wasi::cli::terminal_input, WasiCli, |state| state.called().cli();
    "wasi:cli/terminal-output": wasi::cli::terminal_output, WasiCli, |state| state.called().cli();
    "wasi:cli/terminal-stderr": wasi::cli::terminal_stderr, WasiCli, |state| state.called().cli();
    "wasi:cli/terminal-stdin": wasi::cli::terminal_stdin, WasiCli, |state| state.called().cli();
    "wasi:cli/terminal-stdout": wasi::cli::terminal_stdout, WasiCli, |state| state.called().cli();
    "wasi:clocks/wall-clock": wasi::clocks::wall_clock, WasiClocks, |state| state.called().clocks();
    "wasi:filesystem/preopens": wasi::filesystem::preopens, WasiFilesystem, |state| state.called().filesystem();
    "wasi:random/insecure-seed": wasi::random::insecure_seed, WasiRandom, |state| state.called().random();
    "wasi:io/error": wasi_io::error, Table, |state| state.called().table();

    // The library's, with a price on each byte.
    "wasi:random/random": wasi::random::random, HasSelf<State>, State::called;
    "wasi:random/insecure": wasi::random::insecure, HasSelf<State>, State::called;

    // The library's as far as it does not wait.
    "wasi:cli/stdout": wasi::cli::stdout, HasSelf<State>, State::called;
    "wasi:cli/stderr": wasi::cli::stderr, HasSelf<State>, State::called;
    "wasi:clocks/monotonic-clock": wasi::clocks::monotonic_clock, HasSelf<State>, State::called;
    "wasi:io/poll": wasi::sync::io::poll, HasSelf<State>, State::called;
    "wasi:io/streams": wasi::sync::io::streams, HasSelf<State>, State::called;
}

/// The linker for one component: everything that is provided, and stops for its other imports, whose names have been
/// checked.
///
/// Each stop is defined under the version that is imported. An interface that is provided gets none, since a stop would
/// shadow a definition that differs only in its patch version.
pub(crate) fn linker(given: &Linker<State>, component: &Component) -> Result<Linker<State>> {
    let engine = given.engine();
    let mut linker = given.clone();
    for (import, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(instance) = &item.ty else {
            bail!("`{import}` is not an interface");
        };
        let Some(interface) = imports::interface(import) else {
            // Its name was allowed on the condition that it has types only. They need no definition.
            if instance.exports(engine).any(|(_, item)| !matches!(item.ty, ComponentItem::Type(_))) {
                bail!("`{import}` is of a game's own package and has more than types");
            }
            continue;
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

/// The type of a resource that an interface imports without being provided. If a provided interface has it too, it is the
/// library's, because the same name is the same resource in every interface that uses it. Resources of the others are
/// never made.
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

    /// A component that imports a part of each provided interface, with its right type.
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
    fn the_provided_interfaces_are_those_of_every_patch_release() {
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
            assert_eq!(imported, GIVEN.iter().copied().collect());
        }
    }
}
