//! The compiler's side: a process that reads one component, judges it and ends; or prepares that for many components.

use super::artifact::Artifact;
use super::functions::{self, Functions};
use super::last_words::last_words;
use super::ready_message::ReadyMessage;
use super::seal::{Key, Kind, Sealed};
use super::slowdown;
use super::work::Work;
use crate::digest;
use crate::engine;
use crate::judge::{self, Linked, Unjudged};
use crate::scan;
use crate::wasi;
use arena_platform::confine::{ChildLimits, Purpose};
use arena_resources::NewThread;
use std::any::Any;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::{env, hint, process};
use wasmtime::Engine;

/// Set once this program has said that it can be a compiler. Any other program would do its own work in the child.
static IS_READY: AtomicBool = AtomicBool::new(false);

/// The first argument of a process that is to be a compiler.
pub(super) const ASK: &str = "__compile";

/// Turns this process into a compiler that then ends, if a sandbox has started it as one; otherwise does nothing.
///
/// A program whose sandboxes compile in a child process of the same program calls this first in its `main`:
///
/// ```
/// // First of all in `main`:
/// arena_sandbox::compiler_main_if_asked();
/// // And then the work of the program.
/// ```
pub fn compiler_main_if_asked() {
    end_if_asked(ASK, serve);
    IS_READY.store(true, Ordering::SeqCst);
}

/// True if this program has called [`compiler_main_if_asked`], so that it can be started again as a compiler.
pub(super) fn is_ready() -> bool {
    IS_READY.load(Ordering::SeqCst)
}

/// Works and ends this process, if its first argument is this one; otherwise does nothing. `work` gets the other arguments.
#[expect(clippy::disallowed_methods, reason = "the parent reads it, and makes it plain")]
pub(crate) fn end_if_asked(ask: &str, work: impl FnOnce(&[String]) -> Result<(), String>) {
    let mut args = env::args_os().skip(1);
    if args.next().is_none_or(|first| first != ask) {
        return;
    }
    let child_args: Vec<String> = args.map(|word| word.to_string_lossy().into_owned()).collect();
    process::exit(match work(&child_args) {
        Ok(()) => 0,
        Err(why) => {
            // The parent reads it. Without a parent it is lost.
            let _ = writeln!(io::stderr(), "{why}");
            1
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "the answer is for the parent")]
fn serve(child_args: &[String]) -> Result<(), String> {
    let child_limits = child_args
        .split_at_checked(ChildLimits::ARGS)
        .and_then(|(child_limits, work)| Some((ChildLimits::read(child_limits)?, Work::read(work)?)));
    let (child_limits, work) =
        child_limits.ok_or("it was started with other arguments than a sandbox gives it")?;
    let has_room = has_room(child_limits.address_space_bytes);
    let (confining, ()) = child_limits.obey(|| Ok(()))?;
    let engine = engine::compiler().map_err(|error| last_words(&error))?;
    let judges_hash = judge::hash(&engine);
    // It judges on a separate thread, because the use of the stack depends on the component.
    let (send, input) = mpsc::channel::<Input>();
    let of_thread = judges_hash.clone();
    let (begin, begun) = mpsc::channel();
    let judging = move || {
        // If the other end is closed, no further input comes either.
        let _ = begin.send(());
        input.recv().map(|input| answer(work, &engine, &of_thread, input))
    };
    let thread = NewThread::named("compiler").with_stack(child_limits.stack_bytes).start(judging);
    let thread = thread.map_err(|error| last_words(&error))?;
    begun.recv().map_err(|_| "its thread did not begin".to_owned())?;
    let ready_message = ReadyMessage { has_room, confinement: confining.finish(Purpose::Compiling)? };
    let say = |sealed: Sealed| {
        sealed.write(&mut io::stdout()).map_err(|error| format!("it cannot answer: {error}"))
    };
    say(Sealed::new(&Key::of_ready_message(&judges_hash), Kind::ReadyMessage, ready_message.to_bytes()))?;
    let input = Input::read(work, io::stdin())?;
    let key = Key::new(&digest::sha256(&input.bytes), &judges_hash);
    // If the thread is gone, joining it shows why.
    let _ = send.send(input);
    say(match thread.join() {
        Ok(Ok(sealed)) => sealed,
        Ok(Err(_)) => Sealed::new(&key, Kind::Failed, b"its thread got no component".to_vec()),
        Err(panic) => Sealed::new(&key, Kind::Panicked, message(&*panic).into_bytes()),
    })
}

/// Returns true if the machine would give this much memory. If so, a later lack of memory is due to the limit and not
/// to the machine. None of the memory is used.
fn has_room(bytes: u64) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has_room = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Otherwise the allocation would be optimised away, as one that succeeds.
    hint::black_box(&mut room);
    has_room
}

/// The input of a child.
struct Input {
    /// Compiled functions, or nothing.
    functions: Vec<u8>,
    /// A component or a skeleton.
    bytes: Vec<u8>,
}

impl Input {
    fn read(work: Work, mut from: impl Read) -> Result<Self, String> {
        let (mut functions, mut bytes) = (Vec::new(), Vec::new());
        let mut read = || {
            if let Work::Judge { functions_bytes } = work {
                from.by_ref().take(functions_bytes as u64).read_to_end(&mut functions)?;
            }
            from.read_to_end(&mut bytes)
        };
        read().map_err(|error| format!("it cannot read the component: {error}"))?;
        Ok(Self { functions, bytes })
    }
}

/// Does the work, and seals the answer for the input.
fn answer(work: Work, engine: &Engine, judges_hash: &str, Input { functions, bytes }: Input) -> Sealed {
    let key = Key::new(&digest::sha256(&bytes), judges_hash);
    let done = match work {
        Work::Judge { .. } => judge(engine, &key, functions, &bytes).map(Artifact::into_sealed),
        Work::Skeleton => scan::skeleton(&bytes)
            .map(|skeleton| Sealed::new(&key, Kind::Skeleton, skeleton))
            .map_err(Unjudged::from),
        Work::Functions => {
            functions::compile(&bytes).map(|functions| Sealed::new(&key, Kind::Functions, functions))
        }
        Work::Slowdown => slowdown::compile_specimen().map(|()| Sealed::new(&key, Kind::Time, Vec::new())),
    };
    match done {
        Ok(sealed) => sealed,
        Err(Unjudged::Refused(refusal)) => Sealed::new(&key, Kind::Refused, refusal.to_bytes()),
        Err(Unjudged::Machine(what)) => Sealed::new(&key, Kind::OutOfMemory, what.into_bytes()),
    }
}

/// Judges a component. It is loaded and linked here as the parent will do it.
fn judge(engine: &Engine, key: &Key, functions: Vec<u8>, component: &[u8]) -> Result<Artifact, Unjudged> {
    let machine = |what: String| Unjudged::Machine(what);
    let with_functions = match Functions::open(functions).filter(|functions| !functions.is_empty()) {
        Some(functions) => {
            Some(engine::compiler_with(Arc::new(functions)).map_err(|error| machine(error.to_string()))?)
        }
        None => None,
    };
    let (facts, code) = judge::compile(with_functions.as_ref().unwrap_or(engine), component)?;
    drop(with_functions);
    let artifact = Artifact::seal(key, facts, &code);
    drop(code);
    let loaded = artifact.load(engine).map_err(|error| Unjudged::of_wasmtime(&error))?;
    let given = wasi::given(engine).map_err(|error| machine(error.to_string()))?;
    Linked::new(&given, &loaded, artifact.facts().contract)?;
    Ok(artifact)
}

/// The message of a panic.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
