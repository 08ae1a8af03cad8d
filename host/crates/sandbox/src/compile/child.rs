//! The compiler's side: a process that reads one component, compiles it and ends.

use super::confine::Orders;
use super::seal::{Key, Kind, Sealed};
use crate::bot;
use crate::engine;
use crate::fault;
use std::any::Any;
use std::hint;
use std::io::{self, Read, Write};
use std::{env, process, thread};
use wasmtime::Engine;

/// The first argument of a process that is to be a compiler.
pub(super) const ASK: &str = "__compile";

/// Turns this process into a compiler, which then ends, if a sandbox has started it as one; otherwise does nothing.
///
/// A program whose sandboxes compile in a child process of the same program calls this first in its `main`:
///
/// ```
/// // First of all in `main`:
/// arena_sandbox::compiler_main_if_asked();
/// // And then the work of the program.
/// ```
#[expect(clippy::disallowed_methods, reason = "the parent reads it, and makes it plain")]
pub fn compiler_main_if_asked() {
    let mut args = env::args_os().skip(1);
    if args.next().is_none_or(|first| first != ASK) {
        return;
    }
    let words: Vec<String> = args.map(|word| word.to_string_lossy().into_owned()).collect();
    process::exit(match serve(&words) {
        Ok(()) => 0,
        Err(why) => {
            // The parent reads it. If there is none, nobody does.
            let _ = writeln!(io::stderr(), "{why}");
            1
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "the answer is for the parent")]
fn serve(words: &[String]) -> Result<(), String> {
    let orders = Orders::read(words).ok_or("it was started with other arguments than a sandbox gives it")?;
    let has_room = has_room(orders.address_space_bytes_max);
    orders.obey()?;
    let engine = engine::compiler().map_err(|error| error.to_string())?;
    let engine_hash = engine::hash(&engine);
    let say = |sealed: Sealed| {
        sealed.write(&mut io::stdout()).map_err(|error| format!("it cannot answer: {error}"))
    };
    say(Sealed::new(&Key::of_greeting(&engine_hash), Kind::Greeting, vec![u8::from(has_room)]))?;
    let mut component = Vec::new();
    io::stdin()
        .read_to_end(&mut component)
        .map_err(|error| format!("it cannot read the component: {error}"))?;
    let key = Key::new(&bot::hash(&component), &engine_hash);
    let (kind, contents) = compile(engine, component, orders.stack_bytes_max);
    say(Sealed::new(&key, kind, contents))
}

/// Returns true if the machine would give this much memory. If it would, a later lack of memory is due to our limit and
/// not to the machine. None of the memory is used.
fn has_room(bytes: u64) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has_room = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Otherwise the allocation would be optimised away, as one that succeeds.
    hint::black_box(&mut room);
    has_room
}

/// Compiles on a thread with a stack of its own, because the compiler's use of it depends on the component.
fn compile(engine: Engine, component: Vec<u8>, stack_bytes_max: usize) -> (Kind, Vec<u8>) {
    let compile = move || engine.precompile_component(&component);
    let thread = thread::Builder::new().name("compiler".into()).stack_size(stack_bytes_max).spawn(compile);
    let (kind, text) = match thread.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => return (Kind::Code, code),
        Ok(Ok(Err(error))) if fault::is_of_the_machine(&error) => {
            (Kind::OutOfMemory, error.root_cause().to_string())
        }
        Ok(Ok(Err(error))) => (Kind::Rejected, error.root_cause().to_string()),
        Ok(Err(panic)) => (Kind::Panicked, message(&*panic)),
        Err(error) => (Kind::Failed, format!("it cannot start its thread: {error}")),
    };
    (kind, text.into_bytes())
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
