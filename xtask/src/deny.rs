//! The check of what comes in from elsewhere, by `deny.toml`: licences, bans, sources, and advisories where their database
//! can be reached.
//!
//! It is a check of its own, since cargo-deny takes minutes to compile.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::environment;
use crate::step;
use crate::tools::Tool;

const CARGO_DENY: Tool =
    Tool { name: "cargo-deny", version: "0.20.2", takes: "some two minutes of compiling" };

/// What is checked by what is here alone, the lock file and the sources of the crates in it.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Runs all checks. What is found is a failure; that there is no network is none.
pub fn run() -> Result<()> {
    let program = CARGO_DENY.program(&CARGO_DENY.find_or_install()?);
    step::run("checking licences, bans and sources", check(&program).args(CHECKS))?;

    if let Err(error) =
        step::run_hidden("fetching the advisory database", deny(&program).args(["fetch", "db"]))
    {
        step::say(&format!(
            "advisories were NOT checked, since their database cannot be reached: {error:#}\n  \
             What to do: run `cargo xtask deny` again where https://github.com can be reached"
        ));
        return Ok(());
    }
    step::run("checking advisories", check(&program).args(["--disable-fetch", "advisories"]))
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
