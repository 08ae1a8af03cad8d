//! Which imports a bot may have: WASI 0.2, and of it what `std` needs. It is decided by name, before anything is
//! compiled, and says nothing about what a call then does.

use crate::refusal::{Refusal, RefusalKind};
use crate::sanitize;

/// The packages of WASI 0.2 that a bot built on a standard library imports.
const PACKAGES: [&str; 6] = ["cli", "clocks", "filesystem", "io", "random", "sockets"];

/// The last patch release of WASI 0.2 that is known. Measured: `cargo component` emits 0.2.3, native wasip2 0.2.12.
const PATCH_MAX: u32 = 12;

/// The most import names in a refusal. Chosen: they have to fit into its line.
const NAMES_SHOWN_MAX: usize = 3;

/// An import name's length in a refusal. Chosen: the longest of WASI's own is 40.
const NAME_CHARS_MAX: usize = 60;

/// Refuses a component that imports anything else, with the names of what it is.
pub(crate) fn check(imports: &[String]) -> Result<(), Refusal> {
    let refused: Vec<&String> = imports.iter().filter(|name| interface(name).is_none()).collect();
    if refused.is_empty() {
        return Ok(());
    }
    let mut names: Vec<String> = refused
        .iter()
        .take(NAMES_SHOWN_MAX)
        .map(|name| format!("`{}`", sanitize::line(name, NAME_CHARS_MAX)))
        .collect();
    if refused.len() > NAMES_SHOWN_MAX {
        names.push(format!("{} more", refused.len() - NAMES_SHOWN_MAX));
    }
    Err(Refusal::new(
        RefusalKind::Import,
        format!("it imports {}; a bot may import WASI 0.2 only, up to 0.2.{PATCH_MAX}", names.join(", ")),
        "remove the dependency that needs it: a bot gets all it plays by as arguments",
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
            refusal.message.starts_with("it imports `evil:x/y0`, `evil:x/y1`, `evil:x/y2`, 2 more;"),
            "{refusal}"
        );
    }
}
