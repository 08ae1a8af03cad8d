//! A whole term of a club: the tests of small ones, with more authors, versions and weeks, and bots in all languages.

use std::fs;

use anyhow::{Context, Result};

use crate::bots;
use crate::environment;
use crate::languages::NAMES;
use crate::step;

/// The authors, of whom ten are hostile, the versions of the others, and the weeks.
const SIZE: &str = "50,200,15";

/// The pupils of a class, and the weeks of its term.
const CLASS: &str = "30,12";

/// The tests.
const TEST: &str = "club::term::";

/// Plays the terms, with a bot in each language that `cargo xtask languages` has built.
pub fn run() -> Result<()> {
    bots::build()?;
    let built = environment::target_dir()?.join("languages");
    let folder = environment::target_dir()?.join("term");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    let mut missing = Vec::new();
    for name in NAMES {
        let bot = built.join(name).join(format!("{name}.wasm"));
        if bot.is_file() {
            fs::copy(&bot, folder.join(format!("{name}.wasm")))?;
        } else {
            missing.push(name);
        }
    }
    let mut tests = environment::cargo();
    tests.args(["test", "--release", "--workspace", "--test", "program", "--", TEST, "--nocapture"]);
    tests.env("ARENA_CLUB_TERM", SIZE).env("ARENA_CLUB_CLASS", CLASS).env("ARENA_CLUB_LANGUAGES", &folder);
    step::run("playing a term of a club", &mut tests)?;
    if !missing.is_empty() {
        step::say(&format!(
            "without bots in {}: `cargo xtask languages` builds them into {}",
            missing.join(", "),
            built.display()
        ));
    }
    Ok(())
}
