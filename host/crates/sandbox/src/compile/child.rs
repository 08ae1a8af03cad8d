//! The compiler's side: a process that reads one component, compiles it and ends.

use super::answer::{self, Answer};
use super::artifact::Artifact;
use super::confine::Orders;
use crate::engine;
use crate::fault;
use std::any::Any;
use std::hint;
use std::io::{self, Read, Write};
use std::{env, process, thread};
use wasmtime::Engine;

/// The first argument of a process that is to be a compiler.
pub(super) const ASK: &str = "__compile";

/// Makes this process a compiler and ends it, where a sandbox has started it as one; otherwise does nothing.
///
/// A program whose sandboxes compile in a child process of itself calls this first in its `main`:
///
/// ```
/// // First of all in `main`:
/// arena_sandbox::compiler_main_if_asked();
/// // And then what the program is for.
/// ```
pub fn compiler_main_if_asked() {
    let mut args = env::args_os().skip(1);
    if args.next().is_none_or(|first| first != ASK) {
        return;
    }
    let words: Vec<String> = args.map(|word| word.to_string_lossy().into_owned()).collect();
    process::exit(match serve(&words) {
        Ok(()) => 0,
        Err(why) => {
            // The parent reads it; without one there is nobody to tell.
            let _ = writeln!(io::stderr(), "{why}");
            1
        }
    });
}

fn serve(words: &[String]) -> Result<(), String> {
    let orders = Orders::read(words).ok_or("it was started with other arguments than a sandbox gives it")?;
    let has_room = has_room(orders.address_space_bytes_max);
    orders.obey()?;
    let engine = engine::compiler().map_err(|error| error.to_string())?;
    let mut out = io::stdout().lock();
    let unheard = |error: io::Error| format!("it cannot answer: {error}");
    answer::greet(&mut out, &engine::hash(&engine), has_room).map_err(unheard)?;
    let mut component = Vec::new();
    io::stdin().lock().read_to_end(&mut component).map_err(|error| format!("it cannot read: {error}"))?;
    compile(engine, component, orders.stack_bytes_max).write(&mut out).map_err(unheard)
}

/// Whether the machine would give so much memory if it were asked for: then what is not given later is over our limit, and
/// not the machine's. Nothing is used of it.
fn has_room(bytes: u64) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has_room = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Or else the whole of it would be optimised away, with the answer that there is.
    hint::black_box(&mut room);
    has_room
}

/// Compiles on a thread with a stack of its own: what the compiler needs of it depends on the component.
fn compile(engine: Engine, component: Vec<u8>, stack_bytes_max: usize) -> Answer {
    let compile = move || engine.precompile_component(&component);
    let compiler =
        match thread::Builder::new().name("compiler".into()).stack_size(stack_bytes_max).spawn(compile) {
            Ok(compiler) => compiler,
            Err(error) => return Answer::Failed(format!("it cannot start its thread: {error}")),
        };
    match compiler.join() {
        Ok(Ok(code)) => Answer::Artifact(Artifact::of_our_compiler(code)),
        Ok(Err(error)) if fault::is_of_the_machine(&error) => {
            Answer::OutOfMemory(error.root_cause().to_string())
        }
        Ok(Err(error)) => Answer::Rejected(error.root_cause().to_string()),
        Err(panic) => Answer::Panicked(message(panic)),
    }
}

fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
