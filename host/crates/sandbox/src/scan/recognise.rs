//! The first look at a file: a component, or something that is mistaken for one.

use super::BUILD_AGAIN;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind};

const BUILD_A_COMPONENT: &str =
    "build with `cargo build --target wasm32-wasip2 --release`, or with `cargo component build --release`";

/// The first bytes of a WebAssembly file. The next four are the version and the kind: a core module or a component.
const MAGIC: &[u8] = b"\0asm";
const CORE_MODULE: &[u8] = &[1, 0, 0, 0];
const COMPONENT: &[u8] = &[13, 0, 1, 0];

/// Refuses a file whose first bytes are not those of a component, and says what it is instead.
pub(crate) fn recognise(bytes: &[u8], limits: &SandboxLimits) -> Result<(), Refusal> {
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
    match bytes.strip_prefix(MAGIC) {
        None => Err(not_wasm(bytes)),
        Some(rest) if rest.starts_with(COMPONENT) => Ok(()),
        Some(rest) if rest.starts_with(CORE_MODULE) => refuse(
            RefusalKind::CoreModule,
            "is a core WebAssembly module, not a component",
            BUILD_A_COMPONENT,
        ),
        Some(_) => {
            refuse(RefusalKind::Invalid, "has an incomplete or unknown WebAssembly header", BUILD_AGAIN)
        }
    }
}

/// The refusal of a file over the cap. It is not read to its end.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: RefusalKind) {
        let refusal = recognise(bytes, &SandboxLimits::default()).expect_err("it is not a component");
        assert_eq!(refusal.kind, expected, "{refusal}");
        assert!(!refusal.next_step.is_empty());
    }

    #[test]
    fn files_that_are_not_components_are_distinguished() {
        check(b"", RefusalKind::Empty);
        check(b"(module)", RefusalKind::NotWasm);
        check(b"fn main() {}", RefusalKind::NotWasm);
        check("é".repeat(600).as_bytes(), RefusalKind::NotWasm);
        check(&[0xff; 100], RefusalKind::NotWasm);
        check(b"\0", RefusalKind::NotWasm);
        check(b"\x7fELF\x02\x01\x01", RefusalKind::Precompiled);
        check(b"\0asm\x01\0\0\0", RefusalKind::CoreModule);
        check(b"\0asm", RefusalKind::Invalid);
        check(b"\0asm\x0d\0\x01", RefusalKind::Invalid);
        check(b"\0asm\x0e\0\x01\0", RefusalKind::Invalid);
        assert!(recognise(b"\0asm\x0d\0\x01\0", &SandboxLimits::default()).is_ok());
    }

    #[test]
    fn any_file_over_the_cap_is_too_large() {
        let limits = SandboxLimits { component_bytes_max: 3, ..SandboxLimits::default() };
        let refusal = recognise(b"\0asm", &limits).expect_err("it is over the cap");
        assert_eq!(refusal.kind, RefusalKind::TooLarge);
    }
}
