//! The meaning of an error of a bot's call: a fault with its class, or a failure of the arena.

use crate::crash_message::{CrashMessage, FRAMES_MAX};
use crate::log::{Log, Prompt};
use crate::side_clock::TimeLimit;
use crate::state::Stop;
use arena_referee::{Fault, FaultClass, Frame, HostError, NoReply};
use arena_rules::Failure;
use std::io;
use wasmtime::{Error, FrameInfo, PoolConcurrencyLimitError, Trap, WasmBacktrace, WasmtimeBug};
use wasmtime_wasi::I32Exit;

/// The longest line of a fault, in characters. Chosen: it goes into one line of a table.
const DETAIL_CHARS_MAX: usize = 200;

/// The line of a fault that is out of fuel.
const USED_UP_ITS_FUEL: &str = "used up its fuel";

/// The line of a fault whose bot has used all of the machine's stack, which its functions count for less than they take.
const MACHINE_STACK: &str =
    "used up the machine's stack, with functions that take more of it than any toolchain makes";

/// The stage of a call at which an error occurred.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallStage {
    /// Making the instance, before any of the bot's code has run.
    Allocating,
    /// Making the instance: its data and its start function.
    Starting,
    /// Calling one of its functions.
    Calling,
}

impl CallStage {
    /// The stage as text, as in "failed when it was …".
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Allocating | Self::Starting => "started",
            Self::Calling => "asked for its name",
        }
    }
}

/// Classifies a call's error as the bot's fault or as a failure of the arena. A fault's line and stack are the same on every
/// run: they have no address, no path and no measurement. `limit` is the wall-clock limit of the call.
pub(crate) fn classify(error: &Error, stage: CallStage, log: &Log, limit: TimeLimit) -> NoReply {
    let told = |class, detail: &str, stack| {
        Fault::new(class, arena_text::line(detail, DETAIL_CHARS_MAX)).with_stack(stack).into()
    };
    let stack = || log.traced().unwrap_or_else(|| stack(error));
    let fault = |class, detail: &str| told(class, detail, stack());
    // Only a bot that ended itself has a crash message. Before another fault it may have printed anything.
    let with_crash_message = |class, detail: &dyn Fn(Option<&str>) -> String| match log.crash_message() {
        None => fault(class, &detail(None)),
        Some(CrashMessage { line, stack: own }) => {
            let stack = if own.is_empty() { stack() } else { own };
            told(class, &detail(Some(&line)), stack)
        }
    };

    if let Some(stop) = error.downcast_ref::<Stop>() {
        return match stop {
            Stop::Space { .. } => fault(FaultClass::OutOfMemory, &stop.to_string()),
            Stop::NotGiven(_) | Stop::Misuse(_) => fault(trap_class(stage), &stop.to_string()),
            Stop::Host(_) => HostError::Machine(stop.to_string().into()).into(),
        };
    }
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return HostError::from(failure.clone()).into();
    }
    if let Some(I32Exit(status)) = error.downcast_ref() {
        let exit = format!("called exit({status})");
        return with_crash_message(trap_class(stage), &|message| match message {
            Some(message) => format!("{exit}: {message}"),
            None => exit.clone(),
        });
    }
    if let Some(trap) = error.downcast_ref::<Trap>() {
        let class = class(*trap, stage);
        return match trap {
            Trap::OutOfFuel if log.prompted() == Some(Prompt::Trace) => {
                with_crash_message(class, &|message| match message {
                    Some(message) => format!("{USED_UP_ITS_FUEL}: {message}"),
                    None => USED_UP_ITS_FUEL.to_owned(),
                })
            }
            Trap::OutOfFuel => fault(class, USED_UP_ITS_FUEL),
            Trap::NullReference => fault(class, &plain(&Trap::StackOverflow)),
            Trap::StackOverflow => told(class, MACHINE_STACK, Vec::new()),
            // The place where the clock stopped it is different in each run.
            Trap::Interrupt => told(class, &limit.passed(), Vec::new()),
            Trap::UnreachableCodeReached => with_crash_message(class, &|message| match message {
                Some(message) => message.to_owned(),
                None => removed_function(error).unwrap_or_else(|| plain(trap)),
            }),
            trap => fault(class, &plain(trap)),
        };
    }
    let cause = error.root_cause().to_string();
    if is_of_the_machine(error) || stage == CallStage::Allocating {
        return HostError::machine("cannot run a bot", cause).into();
    }
    // Only errors about values that wasmtime cannot take remain.
    let is_about_handles = cause.contains("handle") || cause.contains("resource");
    let class = if is_about_handles || stage == CallStage::Starting {
        trap_class(stage)
    } else {
        FaultClass::BadResult
    };
    fault(class, &cause)
}

/// Returns true if an error is the machine's or the sandbox's own, which no bot can cause.
pub(crate) fn is_of_the_machine(error: &Error) -> bool {
    error.is::<io::Error>()
        || error.is::<wasmtime::OutOfMemory>()
        || error.is::<PoolConcurrencyLimitError>()
        || error.is::<WasmtimeBug>()
        // System calls fail with a type that is not exported. Its text is the standard library's.
        || error.root_cause().to_string().contains("os error")
}

/// The watchdog's fault of a bot whose time was over before the call began.
pub(crate) fn too_late(limit: TimeLimit) -> Fault {
    Fault::new(FaultClass::WallClock, limit.too_late())
}

fn class(trap: Trap, stage: CallStage) -> FaultClass {
    match trap {
        Trap::OutOfFuel => FaultClass::OutOfFuel,
        // The machine's own limits. Another one may have others.
        Trap::Interrupt | Trap::StackOverflow => FaultClass::WallClock,
        // The operators that count the stack end in it, and no other ones of a bot.
        Trap::NullReference => FaultClass::StackOverflow,
        Trap::AllocationTooLarge => FaultClass::OutOfMemory,
        Trap::InvalidChar
        | Trap::StringOutOfBounds
        | Trap::ListOutOfBounds
        | Trap::InvalidDiscriminant
        | Trap::UnalignedPointer => FaultClass::BadResult,
        _ => trap_class(stage),
    }
}

fn trap_class(stage: CallStage) -> FaultClass {
    match stage {
        CallStage::Allocating | CallStage::Starting => FaultClass::InitError,
        CallStage::Calling => FaultClass::Trap,
    }
}

/// The functions on the stack of an error, the innermost first, by their names in the component. Functions without a name are
/// left out, and so are those that a language's runtime calls after the author's.
fn stack(error: &Error) -> Vec<Frame> {
    let Some(trace) = error.downcast_ref::<WasmBacktrace>() else { return Vec::new() };
    let names = trace.frames().iter().filter_map(FrameInfo::func_name);
    // Without the hash at their end.
    let names: Vec<String> = names.map(|name| format!("{:#}", rustc_demangle::demangle(name))).collect();
    if names.iter().any(|name| INTERPRETERS.contains(&name.as_str())) {
        return Vec::new();
    }
    let own = names.iter().position(|name| !is_of_a_runtime(name)).unwrap_or(0);
    names[own..].iter().take(FRAMES_MAX).map(Frame::from).collect()
}

/// The function of WASI that a build has replaced by a trap, as that of SpiderMonkey does for features that are turned off.
fn removed_function(error: &Error) -> Option<String> {
    let name = error.downcast_ref::<WasmBacktrace>()?.frames().first()?.func_name()?;
    let is_of_wasi = ["[constructor]", "[method]", "[static]"].iter().any(|start| name.starts_with(start));
    is_of_wasi.then(|| format!("called `{name}`, a function of WASI that its build has left out"))
}

/// The loops of interpreters. A stack with one of them is the interpreter's, and names nothing of the author's.
const INTERPRETERS: [&str; 4] = [
    "_PyEval_EvalFrameDefault",
    "_PyEval_Vector",
    "JS_CallInternal",
    "js::RunScript(JSContext*, js::RunState&)",
];

/// True for a function that is called after the author's: by a panic in Rust, to get memory in Go, or to end a program by WASI.
fn is_of_a_runtime(name: &str) -> bool {
    const STARTS: [&str; 17] = [
        "runtime.",
        "wasi_snapshot_preview1::",
        "adapt-wasi_snapshot_preview1-",
        "proc_exit",
        "__wasi_",
        "__rust",
        "rust_",
        "abort",
        "std::panicking",
        "std::process::abort",
        "std::sys",
        "core::panicking",
        "core::option::unwrap_failed",
        "core::option::expect_failed",
        "core::result::unwrap_failed",
        "core::slice::index",
        "core::cell::panic",
    ];
    STARTS.iter().any(|start| name.starts_with(start))
}

fn plain(trap: &Trap) -> String {
    let text = trap.to_string();
    text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
}
