//! The first check of a file: whether it is a component, and if not, what it is instead.

use super::BUILD_AGAIN;
use crate::limits::SandboxLimits;
use crate::refusal::{Refusal, RefusalKind};

const BUILD_A_COMPONENT: &str =
    "build a component: `arena new FOLDER --lang LANGUAGE` makes a folder with a build script";

/// The languages of source files, with the words by which they are recognised, and the next step. Chosen: in almost any bot some line
/// begins with one of its language's words. Of languages with the same number of lines the first counts, so rarer words come first.
const LANGUAGES: &[Source] = &[
    Source {
        words: &["#include"],
        name: "C",
        next_step: "build it: `arena new FOLDER --lang c` makes a folder, `arena build` a component",
    },
    Source {
        words: &["package "],
        name: "Go",
        next_step: "build it: `arena new FOLDER --lang go` makes a folder, `arena build` a component",
    },
    Source {
        words: &["use ", "fn ", "pub ", "impl ", "mod ", "#![", "#[", "struct "],
        name: "Rust",
        next_step: "build it: `cargo build --target wasm32-wasip2 --release`, and name the .wasm file below target/wasm32-wasip2",
    },
    Source {
        words: &["const ", "let ", "export ", "function ", "\"use strict\"", "'use strict'", "// @ts"],
        name: "JavaScript",
        next_step: "build it: `arena new FOLDER --lang javascript` makes a folder, `arena build` a component of `bot.js`",
    },
    Source {
        words: &["def ", "class ", "from ", "import ", "async def ", "\"\"\"", "#!/usr/bin/env python"],
        name: "Python",
        next_step: "build it: `arena new FOLDER --lang python` makes a folder, `arena build` a component of `bot.py`",
    },
];

/// A language whose source an author may have passed instead of the component.
struct Source {
    words: &'static [&'static str],
    name: &'static str,
    next_step: &'static str,
}

impl Source {
    /// The language of a source file: the one with the most lines that begin with its words.
    fn of(text: &str) -> Option<&'static Self> {
        let begins = |source: &Self, line: &str| source.words.iter().any(|word| line.starts_with(word));
        let lines = |source: &&Self| text.lines().filter(|line| begins(source, line)).count();
        // Of equals the first counts, but `max_by_key` returns the last: hence `rev`.
        LANGUAGES.iter().rev().max_by_key(lines).filter(|source| lines(source) > 0)
    }
}

/// The imports of a core module by the toolchain that made it, and the next step.
const CORE_MODULES: &[(&str, &str)] = &[
    (
        "__wbindgen",
        "it is for a browser: build with `cargo build --target wasm32-wasip2 --release`, without wasm-bindgen and wasm-pack",
    ),
    (
        "wasi_snapshot_preview1",
        "make a component of it: in Rust build for the target wasm32-wasip2; else `wasm-tools component embed`, and `wasm-tools \
         component new --adapt` with the WASI adapter for reactors",
    ),
    ("arena:", "make a component of it: `wasm-tools component new bot.wasm -o component.wasm`"),
];

/// The next step for any other core module.
const CORE_MODULE_NEXT: &str = "build a component: in Rust for the target wasm32-wasip2; in other languages with `wasm-tools component embed` \
                                and the contract of `arena wit`, then `wasm-tools component new`";

/// The number of bytes at the start of a core module that are searched for its imports. Chosen: imports come before code, and those of
/// the largest known bot, in Python, take some 20 KB.
const IMPORTS_BYTES: usize = 256 << 10;

fn has(bytes: &[u8], sign: &[u8]) -> bool {
    bytes.windows(sign.len()).any(|some| some == sign)
}

/// The first bytes of archives in which bots are packed.
const ARCHIVES: &[(&[u8], &str)] =
    &[(b"PK\x03\x04", "a zip archive"), (b"\x1f\x8b", "a gzip archive"), (b"\xfd7zXZ", "an xz archive")];

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
            CORE_MODULES
                .iter()
                .find(|(sign, _)| has(&bytes[..bytes.len().min(IMPORTS_BYTES)], sign.as_bytes()))
                .map_or(CORE_MODULE_NEXT, |(_, next_step)| next_step),
        ),
        Some(_) => {
            refuse(RefusalKind::Invalid, "has an incomplete or unknown WebAssembly header", BUILD_AGAIN)
        }
    }
}

/// The refusal of a file over the size limit. Such a file is not read to its end.
pub(crate) fn too_large(limits: &SandboxLimits) -> Refusal {
    Refusal::new(
        RefusalKind::TooLarge,
        format!("is larger than {} bytes, the limit for a file", limits.component_bytes_max),
        "build with optimisation, and strip the name and debug sections",
    )
}

fn not_wasm(bytes: &[u8]) -> Refusal {
    if let Some((_, what)) = ARCHIVES.iter().find(|(start, _)| bytes.starts_with(start)) {
        let message = format!("is {what}, not a WebAssembly component");
        return Refusal::new(RefusalKind::NotWasm, message, "unpack it, and name the .wasm file in it");
    }
    // A prefix is enough to recognise text. It may end in the middle of a character.
    let prefix = &bytes[..bytes.len().min(1 << 10)];
    let is_text = match str::from_utf8(prefix) {
        Ok(text) => !text.contains('\0'),
        Err(error) => error.error_len().is_none() && !prefix.contains(&0),
    };
    let is_wat = is_text && prefix.trim_ascii_start().starts_with(b"(");
    if is_text
        && !is_wat
        && let Some(source) = Source::of(&String::from_utf8_lossy(prefix))
    {
        let message = format!("is source text, probably in {}, not a WebAssembly component", source.name);
        return Refusal::new(RefusalKind::NotWasm, message, source.next_step);
    }
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
        check(b"PK\x03\x04 and more", RefusalKind::NotWasm);
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
    fn the_language_of_a_source_file_is_recognised() {
        let language = |text: &str| Source::of(text).map(|source| source.name);
        for (text, expected) in [
            ("from random import Random\n\nclass Bot:\n    pass\n", Some("Python")),
            ("import { unknown } from \"./arena.js\";\n\nexport class Bot {\n}\n", Some("JavaScript")),
            ("//! A bot.\nuse arena_sdk::*;\nfn play() {}\n", Some("Rust")),
            ("#include <stdio.h>\nint main(void) { return 0; }\n", Some("C")),
            ("package main\n\nimport \"fmt\"\n\nfunc main() {}\n", Some("Go")),
            ("notes on the fleet\n", None),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }

    #[test]
    fn any_file_over_the_size_limit_is_too_large() {
        let refusal = |component_bytes_max| {
            let limits = SandboxLimits { component_bytes_max, ..SandboxLimits::default() };
            recognise(&[MAGIC, COMPONENT].concat(), &limits).err().map(|refusal| refusal.kind)
        };
        assert_eq!([8, 7].map(refusal), [None, Some(RefusalKind::TooLarge)]);
    }
}
