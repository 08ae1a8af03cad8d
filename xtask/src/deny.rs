//! The check of what comes in from elsewhere, by `deny.toml`: licences, bans, sources, and advisories where their database
//! is at hand. It is fetched when that is asked for, and never by itself: CI reaches the registry of crates and no more.
//!
//! It is a check of its own, since cargo-deny takes minutes to compile.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::environment;
use crate::step;
use crate::tools::Tool;

const CARGO_DENY: Tool =
    Tool { name: "cargo-deny", version: "0.20.2", takes: "some two minutes of compiling" };

/// What is checked by what is here alone, the lock file and the sources of the crates in it.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Runs all checks. What is found is a failure; that there are no advisories at hand is none.
pub fn run(fetch: bool) -> Result<()> {
    let program = CARGO_DENY.program(&CARGO_DENY.find_or_install()?);
    step::run("checking licences, bans and sources", check(&program).args(CHECKS))?;

    if fetch {
        step::run("fetching the advisory database", deny(&program).args(["fetch", "db"]))?;
    } else if !has_database() {
        step::say(
            "advisories were NOT checked, since their database is not on this machine\n  \
             What to do: run `cargo xtask deny --fetch` where https://github.com can be reached",
        );
        return Ok(());
    }
    step::run("checking advisories", check(&program).args(["--disable-fetch", "advisories"]))
}

/// Whether a database of advisories is where cargo-deny keeps it.
fn has_database() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.and_then(|home| std::fs::read_dir(home.join("advisory-dbs")).ok())
        .is_some_and(|mut databases| databases.any(|entry| entry.is_ok_and(|entry| entry.path().is_dir())))
}

/// cargo-deny on what is locked: a check that changed the lock file would be of something else.
fn deny(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(environment::root()).arg("--locked");
    command
}

/// A check that names the crates it is about, and not all that depends on them.
fn check(program: &Path) -> Command {
    let mut command = deny(program);
    command.args(["check", "--hide-inclusion-graph"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_is_what_is_locked() {
        let command = step::show(check(Path::new("cargo-deny")).args(CHECKS));
        assert!(command.starts_with("cargo-deny --locked check "), "{command}");
        assert!(command.contains(" licenses bans sources"), "{command}");
    }

    #[test]
    fn each_section_of_the_settings_is_checked() {
        let settings = std::fs::read_to_string(environment::root().join("deny.toml")).unwrap();
        let sections: Vec<&str> =
            settings.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).collect();
        for check in CHECKS.into_iter().chain(["advisories"]) {
            assert!(sections.contains(&check), "{check}");
        }
    }
}
