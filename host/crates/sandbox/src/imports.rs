//! The imports that a bot may have: the interfaces of WASI 0.2 that a standard library may need. They are checked by name
//! before compilation; this check does not cover the effect of a call.

use crate::refusal::{Refusal, RefusalKind};

/// The interfaces of WASI 0.2 that a bot may import, sorted: all of these packages, except for `wasi:cli/command`, which is
/// a program's and not imported.
const INTERFACES: [&str; 29] = [
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/run",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/timezone",
    "wasi:clocks/wall-clock",
    "wasi:filesystem/preopens",
    "wasi:filesystem/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
    "wasi:random/random",
    "wasi:sockets/instance-network",
    "wasi:sockets/ip-name-lookup",
    "wasi:sockets/network",
    "wasi:sockets/tcp",
    "wasi:sockets/tcp-create-socket",
    "wasi:sockets/udp",
    "wasi:sockets/udp-create-socket",
];

/// The last known patch release of WASI 0.2. Measured: `cargo component` emits 0.2.3, native wasip2 0.2.12.
const PATCH_MAX: u32 = 12;

/// The number of import names in a refusal. Chosen: they must fit into its line.
const NAMES_SHOWN_MAX: usize = 3;

/// The longest import name in a refusal, in characters. Chosen: the longest of WASI's own has 40.
const NAME_CHARS_MAX: usize = 60;

/// Refuses a component that imports anything else, by the names of those imports. Interfaces [that may have types
/// only](may_be_of_types) are allowed if `types` says so.
pub(crate) fn check(imports: &[String], types: bool) -> Result<(), Refusal> {
    let is_refused = |name: &&String| interface(name).is_none() && !(types && may_be_of_types(name));
    let refused: Vec<&String> = imports.iter().filter(is_refused).collect();
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
    let names = names.join(", ");
    let (message, next_step) = if refused.iter().all(|name| is_of_another_version(name)) {
        let message = format!("imports {names}; a bot may import WASI 0.2.0 to 0.2.{PATCH_MAX}");
        let next_step = if refused.iter().all(|name| is_of_later_patch(name)) {
            "build it with an older version of the toolchain, or use a newer arena"
        } else {
            "build it with a toolchain for WASI 0.2"
        };
        (message, next_step)
    } else {
        let packages = "cli, clocks, filesystem, io, random and sockets of WASI 0.2";
        let is_http = refused.iter().any(|name| name.starts_with("wasi:http/"));
        let next_step = if is_http {
            "remove the dependency that needs it; in JavaScript, build with `-d http -d fetch-event`"
        } else {
            "remove the dependency that needs it; a bot gets everything it needs as arguments"
        };
        (format!("imports {names}; a bot may import only interfaces of {packages}"), next_step)
    };
    Err(Refusal::new(RefusalKind::Import, message, next_step))
}

/// True if an import would be allowed in another version.
fn is_of_another_version(import: &str) -> bool {
    import.split_once('@').is_some_and(|(name, _)| INTERFACES.binary_search(&name).is_ok())
}

/// True if an import is of a later patch release of WASI 0.2 than is known.
fn is_of_later_patch(import: &str) -> bool {
    let patch = import.split_once("@0.2.").and_then(|(_, patch)| patch.parse::<u32>().ok());
    patch.is_some_and(|patch| patch > PATCH_MAX)
}

/// True for the name of an interface of a game's own package, from which a game and its bots may import types. Linking checks that it
/// has nothing else.
pub(crate) fn may_be_of_types(import: &str) -> bool {
    import.split_once(':').is_some_and(|(namespace, rest)| namespace != "wasi" && rest.contains('/'))
}

/// The interface of an allowed import, without its version: `wasi:io/streams` of `wasi:io/streams@0.2.3`.
pub(crate) fn interface(import: &str) -> Option<&'static str> {
    let (name, version) = import.split_once('@')?;
    let at = INTERFACES.binary_search(&name).ok()?;
    let patch = version.strip_prefix("0.2.")?;
    (0..=PATCH_MAX).any(|known| known.to_string() == patch).then_some(INTERFACES[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_interfaces_of_wasi_0_2_are_allowed() {
        assert!(INTERFACES.is_sorted());
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
            "wasi:cli/exit@0.2.03",
            "wasi:cli/exits@0.2.3",
            "wasi:cli/run@0.2.3@0.2.3",
        ] {
            assert_eq!(interface(refused), None, "{refused}");
        }
    }

    #[test]
    fn a_refusal_names_what_it_refuses() {
        let imports: Vec<String> = (0..5).map(|n| format!("evil:\u{202e}x/y{n}")).collect();
        let refusal = check(&imports, false).expect_err("none is allowed");
        assert_eq!(refusal.kind, RefusalKind::Import);
        assert!(
            refusal.message.starts_with("imports `evil:x/y0`, `evil:x/y1`, `evil:x/y2`, 2 more;"),
            "{refusal}"
        );
    }

    #[test]
    fn a_refusal_of_a_package_does_not_speak_of_versions_and_one_of_a_version_does() {
        let refused = |import: &str| check(&[import.to_owned()], false).expect_err("it is not allowed");
        let package = refused("wasi:http/types@0.2.10");
        assert!(!package.message.contains("0.2.12"), "{package}");
        assert!(package.next_step.contains("`-d http -d fetch-event`"), "{}", package.next_step);
        let version = refused("wasi:cli/exit@0.3.0");
        assert_eq!(version.message, "imports `wasi:cli/exit@0.3.0`; a bot may import WASI 0.2.0 to 0.2.12");
        assert_eq!(version.next_step, "build it with a toolchain for WASI 0.2");
        let later = refused("wasi:cli/exit@0.2.13");
        assert_eq!(later.next_step, "build it with an older version of the toolchain, or use a newer arena");
        let candidate = refused("wasi:cli/exit@0.2.0-rc.1");
        assert_eq!(candidate.next_step, "build it with a toolchain for WASI 0.2");
    }

    #[test]
    fn types_may_be_imported_from_other_packages_than_those_of_wasi_where_that_is_allowed() {
        let names = |name: &str| [name.to_owned()];
        assert_eq!(check(&names("games:nim/types@0.1.0"), true), Ok(()));
        for refused in ["wasi:http/types@0.2.3", "wasi:cli/exit@0.3.0", "types", "games:nim"] {
            assert!(check(&names(refused), true).is_err(), "{refused}");
        }
        assert!(check(&names("games:nim/types@0.1.0"), false).is_err());
    }
}
