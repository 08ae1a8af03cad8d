//! The imports that a bot may have: the part of WASI 0.2 that `std` needs. They are checked by name before anything is
//! compiled; the check says nothing about the effect of a call.

use crate::refusal::{Refusal, RefusalKind};

/// The packages of WASI 0.2 that a bot built on a standard library imports.
const PACKAGES: [&str; 6] = ["cli", "clocks", "filesystem", "io", "random", "sockets"];

/// The last known patch release of WASI 0.2. Measured: `cargo component` emits 0.2.3, native wasip2 0.2.12.
const PATCH_MAX: u32 = 12;

/// The number of import names in a refusal. Chosen: they must fit into its line.
const NAMES_SHOWN_MAX: usize = 3;

/// The longest import name in a refusal, in characters. Chosen: the longest of WASI's own has 40.
const NAME_CHARS_MAX: usize = 60;

/// Refuses a component that imports anything else, by the names of those imports.
pub(crate) fn check(imports: &[String]) -> Result<(), Refusal> {
    let refused: Vec<&String> = imports.iter().filter(|name| interface(name).is_none()).collect();
    if refused.is_empty() {
        return Ok(());
    }
    let mut names: Vec<String> = refused
        .iter()
        .take(NAMES_SHOWN_MAX)
        .map(|name| format!("`{}`", arena_text::line(name, NAME_CHARS_MAX)))
        .collect();
    let more = refused.len() - names.len();
    names.extend((more > 0).then(|| format!("{more} more")));
    Err(Refusal::new(
        RefusalKind::Import,
        format!("imports {}; a bot may import only WASI 0.2, up to 0.2.{PATCH_MAX}", names.join(", ")),
        "remove the dependency that needs it; a bot gets everything it needs as arguments",
    ))
}

/// The interface of an allowed import, without its version: `wasi:io/streams` of `wasi:io/streams@0.2.3`.
pub(crate) fn interface(import: &str) -> Option<&str> {
    let (interface, version) = import.split_once('@')?;
    let (package, _) = interface.strip_prefix("wasi:")?.split_once('/')?;
    let patch = version.strip_prefix("0.2.")?;
    let is_known = patch.bytes().all(|byte| byte.is_ascii_digit())
        && patch.parse::<u32>().is_ok_and(|patch| patch <= PATCH_MAX);
    (PACKAGES.contains(&package) && is_known).then_some(interface)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_packages_of_wasi_0_2_are_allowed() {
        for allowed in ["wasi:cli/exit@0.2.0", "wasi:io/streams@0.2.3", "wasi:sockets/tcp@0.2.12"] {
            assert!(interface(allowed).is_some(), "{allowed}");
        }
        for refused in [
            "wasi:cli/exit",
            "wasi:cli/exit@0.2",
            "wasi:cli/exit@0.2.13",
            "wasi:cli/exit@0.2.0-rc.1",
            "wasi:cli/exit@0.3.0",
            "wasi:http/types@0.2.3",
            "wasi:cli",
            "cli/exit@0.2.0",
            "wasi:cli/exit@0.2.+1",
            "arena:cli/exit@0.2.0",
            "host",
            "",
            "wasi:cli/exit@0.2.99999999999999999999",
        ] {
            assert_eq!(interface(refused), None, "{refused}");
        }
    }

    #[test]
    fn a_refusal_names_what_it_refuses() {
        let imports: Vec<String> = (0..5).map(|n| format!("evil:\u{202e}x/y{n}")).collect();
        let refusal = check(&imports).expect_err("none is allowed");
        assert_eq!(refusal.kind, RefusalKind::Import);
        assert!(
            refusal.message.starts_with("imports `evil:x/y0`, `evil:x/y1`, `evil:x/y2`, 2 more;"),
            "{refusal}"
        );
    }
}
