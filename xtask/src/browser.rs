//! The tests of the report's pages in a real Chromium.

use anyhow::Result;

use crate::debian;
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
    let is_here =
        debian::provide(is_here, PACKAGES, "there is no browser", "the tests of the pages are skipped")?;
    let mut command = environment::cargo();
    command.args(["test", "--release", MANIFEST]).env("CARGO_TARGET_DIR", environment::target_dir()?);
    if is_here {
        // A browser that does not start is then a failure, and no reason to skip.
        command.env("ARENA_BROWSER", "required");
    }
    step::run("testing the report's pages in a browser", &mut command)
}
