//! The meaning of an error of a bot's call: whose fault it is, and of which class.

use crate::log::Log;
use crate::side_clock::TimeLimit;
use crate::state::Stop;
use arena_referee::{Fault, FaultClass, HostError, NoReply};
use std::io;
use wasmtime::{Error, PoolConcurrencyLimitError, Trap, WasmtimeBug};
use wasmtime_wasi::I32Exit;

/// The longest line of a fault, in characters. Chosen: it goes into one line of a table.
const DETAIL_CHARS_MAX: usize = 200;

/// The stage of a call at which an error occurred.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Making the instance, before any of the bot's code has run.
    Allocating,
    /// Making the instance: its data and its start function.
    Starting,
    /// Calling one of its functions.
    Calling,
}

impl Doing {
    /// The stage in words, as in "failed when it was …".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Allocating | Self::Starting => "started",
            Self::Calling => "asked for its name",
        }
    }
}

/// Classifies a call's error as the bot's fault or as ours. A fault's line is the same on every run: it has no address, no
/// path of ours and no measurement. `limit` is the wall-clock limit that the call was held to.
pub(crate) fn classify(error: &Error, doing: Doing, log: &Log, limit: TimeLimit) -> NoReply {
    let fault = |class, detail: &str| Fault::new(class, arena_text::line(detail, DETAIL_CHARS_MAX)).into();

    if let Some(stop) = error.downcast_ref::<Stop>() {
        return match stop {
            Stop::Space { .. } => fault(FaultClass::OutOfMemory, &stop.to_string()),
            Stop::NotGiven(_) | Stop::Misuse(_) => fault(trap_class(doing), &stop.to_string()),
            Stop::Host(_) => HostError(stop.to_string()).into(),
        };
    }
    if let Some(I32Exit(status)) = error.downcast_ref() {
        return fault(trap_class(doing), &format!("called exit({status})"));
    }
    if let Some(trap) = error.downcast_ref::<Trap>() {
        let class = class(*trap, doing);
        let detail = match trap {
            Trap::OutOfFuel => "used up its fuel".to_owned(),
            Trap::Interrupt => limit.passed(),
            Trap::UnreachableCodeReached => {
                log.panic_message().map_or_else(|| plain(trap), |message| format!("panicked: {message}"))
            }
            trap => plain(trap),
        };
        return fault(class, &detail);
    }
    let cause = error.root_cause().to_string();
    if is_of_the_machine(error) || doing == Doing::Allocating {
        return HostError(format!("cannot run a bot: {cause}")).into();
    }
    // Only errors about values that wasmtime cannot take are left.
    let is_about_handles = cause.contains("handle") || cause.contains("resource");
    let class =
        if is_about_handles || doing == Doing::Starting { trap_class(doing) } else { FaultClass::BadResult };
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

fn class(trap: Trap, doing: Doing) -> FaultClass {
    match trap {
        Trap::OutOfFuel => FaultClass::OutOfFuel,
        Trap::Interrupt => FaultClass::WallClock,
        Trap::StackOverflow => FaultClass::StackOverflow,
        Trap::AllocationTooLarge => FaultClass::OutOfMemory,
        Trap::InvalidChar
        | Trap::StringOutOfBounds
        | Trap::ListOutOfBounds
        | Trap::InvalidDiscriminant
        | Trap::UnalignedPointer => FaultClass::BadResult,
        _ => trap_class(doing),
    }
}

fn trap_class(doing: Doing) -> FaultClass {
    match doing {
        Doing::Allocating | Doing::Starting => FaultClass::InitError,
        Doing::Calling => FaultClass::Trap,
    }
}

fn plain(trap: &Trap) -> String {
    let text = trap.to_string();
    text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
}
