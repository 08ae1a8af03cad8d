//! WASI 0.2 without authority: of what a standard library imports, the little that is given, and a named stop for
//! everything else.
//!
//! These functions are our own, and not an existing implementation with its parts turned off, for three reasons. What
//! is given is some forty small functions. None of them may wait, since neither fuel nor the watchdog interrupts a host
//! call. And each is charged in fuel, so that cheap calls do not buy host time.

mod cli;
mod clocks;
mod io;
mod random;

use crate::imports;
use crate::state::{State, Stop};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, ComponentNamedList, Lift, Linker, LinkerInstance, Lower, ResourceType};
use wasmtime::{Engine, Result, StoreContextMut, Trap, bail};

/// What a call of a host function costs the bot, besides what its data costs. Measured: a write of one byte takes 0.2
/// µs; chosen: the fuel that computing for as long would use.
const HOST_CALL_FUEL: u64 = 1_000;

/// The most bytes that cross in one call of a host function, in either direction. Chosen: streams write 4 KiB at a
/// time, and a hash map's seed takes 16 bytes.
pub(crate) const HOST_CALL_BYTES_MAX: usize = 64 << 10;

/// The linker for one component: what it imports of WASI, at the very versions that it imports.
///
/// Its imports have been checked by name. Each is defined under its exact name, because a trap that stands in for an
/// unknown import would otherwise shadow a definition that only differs in its patch version.
pub(crate) fn linker(engine: &Engine, component: &Component) -> Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    let component_type = component.component_type();
    for (import, item) in component_type.imports(engine) {
        let (Some(interface), ComponentItem::ComponentInstance(instance)) =
            (imports::interface(import), &item.ty)
        else {
            bail!("`{import}` is not an interface");
        };
        let mut given = Given { linker: linker.instance(import)?, names: Vec::new() };
        given.interface(interface)?;
        for (name, item) in instance.exports(engine) {
            match item.ty {
                ComponentItem::Resource(_) => given.resource(name)?,
                ComponentItem::ComponentFunc(_) => given.stop_unless_given(interface, name)?,
                ComponentItem::Type(_) => {}
                _ => bail!("`{import}` has an item `{name}` that no interface of WASI has"),
            }
        }
    }
    Ok(linker)
}

/// Markers for the resources that a bot may hold a handle of. None of them has anything behind it on our side, so that
/// dropping a handle, or never dropping it, is nothing to us.
enum Descriptor {}
enum Error {}
enum InputStream {}
enum OutputStream {}
enum Pollable {}
enum Terminal {}
enum Nothing {}

/// One interface, as far as it is given.
struct Given<'a> {
    linker: LinkerInstance<'a, State>,
    names: Vec<&'static str>,
}

impl Given<'_> {
    fn interface(&mut self, interface: &str) -> Result<()> {
        match interface {
            "wasi:cli/environment" => cli::environment(self),
            "wasi:cli/exit" => cli::exit(self),
            "wasi:cli/stdin" => cli::stdin(self),
            "wasi:cli/stdout" => cli::stdout(self),
            "wasi:cli/stderr" => cli::stderr(self),
            "wasi:cli/terminal-stdin" => cli::terminal(self, "get-terminal-stdin"),
            "wasi:cli/terminal-stdout" => cli::terminal(self, "get-terminal-stdout"),
            "wasi:cli/terminal-stderr" => cli::terminal(self, "get-terminal-stderr"),
            "wasi:clocks/monotonic-clock" => clocks::monotonic(self),
            "wasi:clocks/wall-clock" => clocks::wall(self),
            "wasi:filesystem/preopens" => cli::preopens(self),
            "wasi:io/error" => io::error(self),
            "wasi:io/poll" => io::poll(self),
            "wasi:io/streams" => io::streams(self),
            "wasi:random/random" => random::random(self),
            "wasi:random/insecure" => random::insecure(self),
            "wasi:random/insecure-seed" => random::insecure_seed(self),
            _ => Ok(()),
        }
    }

    /// Gives a function, at its price.
    fn function<Params, Return>(
        &mut self,
        name: &'static str,
        function: impl Fn(&mut State, Params) -> Result<Return> + Send + Sync + 'static,
    ) -> Result<()>
    where
        Params: ComponentNamedList + Lift + 'static,
        Return: ComponentNamedList + Lower + 'static,
    {
        self.names.push(name);
        self.linker.func_wrap(name, move |mut store: StoreContextMut<'_, State>, params: Params| {
            charge(&mut store, HOST_CALL_FUEL)?;
            let result = function(store.data_mut(), params)?;
            let owed = std::mem::take(&mut store.data_mut().fuel_owed);
            charge(&mut store, owed)?;
            Ok(result)
        })
    }

    /// Gives a resource: the same name is the same resource in every interface that uses it.
    fn resource(&mut self, name: &str) -> Result<()> {
        let resource = match name {
            "descriptor" => ResourceType::host::<Descriptor>(),
            "error" => ResourceType::host::<Error>(),
            "input-stream" => ResourceType::host::<InputStream>(),
            "output-stream" => ResourceType::host::<OutputStream>(),
            "pollable" => ResourceType::host::<Pollable>(),
            "terminal-input" | "terminal-output" => ResourceType::host::<Terminal>(),
            _ => ResourceType::host::<Nothing>(),
        };
        self.linker.resource(name, resource, |_, _| Ok(()))
    }

    /// Makes a function that is not given stop the bot that calls it, with its name.
    fn stop_unless_given(&mut self, interface: &str, name: &str) -> Result<()> {
        if self.names.contains(&name) {
            return Ok(());
        }
        let full_name = format!("{interface}#{name}");
        self.linker.func_new(name, move |_, _, _, _| Err(Stop::NotGiven(full_name.clone()).into()))
    }
}

/// Takes fuel for what the host does, and notes on the bot's clock what is left.
fn charge(store: &mut StoreContextMut<'_, State>, fuel: u64) -> Result<()> {
    let left = store.get_fuel()?;
    let Some(left) = left.checked_sub(fuel) else {
        return Err(Trap::OutOfFuel.into());
    };
    store.set_fuel(left)?;
    store.data_mut().clock.set_fuel_left(left);
    Ok(())
}
