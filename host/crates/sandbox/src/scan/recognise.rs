//! The first look at a file: a component, or something that people mistake for one.

use super::BUILD_AGAIN;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind};
use wasmparser::Parser;

const BUILD_A_COMPONENT: &str =
    "build with `cargo build --target wasm32-wasip2 --release`, or with `cargo component build --release`";

/// Refuses a file that is not a component, and says what it is instead.
pub(super) fn recognise(bytes: &[u8], limits: &SandboxLimits) -> Result<(), Refusal> {
    let refuse = |kind, message: &str, next_step: &str| Err(Refusal::new(kind, message, next_step));
    if bytes.is_empty() {
        return refuse(RefusalKind::Empty, "is an empty file", BUILD_AGAIN);
    }
    if bytes.len() > limits.component_bytes_max {
        return Err(too_large(limits));
    }
    if bytes.starts_with(b"\x7fELF") {
        return refuse(
            RefusalKind::Precompiled,
            "is machine code (an ELF file: a native program or a precompiled `.cwasm`), not a component",
            "submit the `.wasm` component itself: machine code from others is never run here",
        );
    }
    if !bytes.starts_with(b"\0asm") {
        return Err(not_wasm(bytes));
    }
    if Parser::is_core_wasm(bytes) {
        let message = "is a core WebAssembly module, not a component";
        return refuse(RefusalKind::CoreModule, message, BUILD_A_COMPONENT);
    }
    if !Parser::is_component(bytes) {
        return refuse(RefusalKind::Invalid, "has an incomplete or unknown WebAssembly header", BUILD_AGAIN);
    }
    Ok(())
}

/// The refusal of a file over the cap, which is not even read to its end.
pub(crate) fn too_large(limits: &SandboxLimits) -> Refusal {
    Refusal::new(
        RefusalKind::TooLarge,
        format!("is larger than {} bytes, the limit for a file", limits.component_bytes_max),
        "build with optimisation, and strip the name and debug sections",
    )
}

fn not_wasm(bytes: &[u8]) -> Refusal {
    // A prefix is enough to recognise text. It may end in the middle of a character.
    let prefix = &bytes[..bytes.len().min(1 << 10)];
    let is_text = match str::from_utf8(prefix) {
        Ok(text) => !text.contains('\0'),
        Err(error) => error.error_len().is_none() && !prefix.contains(&0),
    };
    let is_wat = is_text && prefix.trim_ascii_start().starts_with(b"(");
    let (message, next_step) = if is_wat {
        ("is WebAssembly text, not a binary component", "convert it: `wasm-tools parse bot.wat -o bot.wasm`")
    } else if is_text {
        ("is a text file, not a WebAssembly component", BUILD_A_COMPONENT)
    } else {
        ("is not a WebAssembly file", BUILD_A_COMPONENT)
    };
    Refusal::new(RefusalKind::NotWasm, message, next_step)
}
