//! The tests of the report's pages in a real Chromium.

use anyhow::Result;

use crate::debian::{self, Apt};
use crate::environment;
use crate::step;

/// The folder of the tests, a workspace of its own.
pub const TESTS: &str = "tests/browser";

/// The manifest of the tests.
pub const MANIFEST: &str = "--manifest-path=tests/browser/Cargo.toml";

/// The packages with the browser and its driver.
const PACKAGES: &str = "chromium chromium-driver";

/// Runs the tests, after the program and the bots have been built. Where there is no browser and apt may not install one, they
/// say that they are skipped.
pub fn test() -> Result<()> {
    let is_here = || {
        let programs = ["chromium", "chromedriver"];
        programs.iter().all(|program| environment::find_on_path(program).is_some())
    };
    if !is_here() {
        match debian::find_apt() {
            apt @ (Apt::AsRoot | Apt::WithSudo) => debian::install(apt, PACKAGES)?,
            Apt::Absent | Apt::NotPermitted => step::say(&format!(
                "there is no browser, and apt may not install one: the tests of the pages are skipped. As root:\n  \
                 apt-get install --no-install-recommends {PACKAGES}"
            )),
        }
    }
    let mut command = environment::cargo();
    command.args(["test", "--release", MANIFEST]).env("CARGO_TARGET_DIR", environment::target_dir()?);
    if is_here() {
        // A browser that does not start is then a failure, and no reason to skip.
        command.env("ARENA_BROWSER", "required");
    }
    step::run("testing the report's pages in a browser", &mut command)
}
