//! The tests of the report's pages in Chromium and Firefox.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::debian;
use crate::environment;
use crate::step;

/// The folder of the tests, a workspace of its own.
pub const TESTS: &str = "tests/browser";

/// The manifest of the tests.
pub const MANIFEST: &str = "--manifest-path=tests/browser/Cargo.toml";

/// The programs that the tests start. Firefox needs no driver: it speaks WebDriver BiDi itself.
const PROGRAMS: [&str; 3] = ["chromium", "chromedriver", "firefox-esr"];

/// Debian's packages with these programs.
const PACKAGES: &str = "chromium chromium-driver firefox-esr";

/// axe-core, which finds faults of accessibility in a page. Only these tests use it: its licence, MPL-2.0, does not concern the program.
const AXE: &str = "axe-core@4.14.1";

/// Fetches axe-core from npm into the target directory, and returns the path of its script. Nothing of the package is run.
fn fetch_axe() -> Result<PathBuf> {
    let folder = environment::target_dir()?.join("tools/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix"]);
        step::run_hidden("fetching axe-core from npm", npm.arg(&folder).arg(AXE))?;
    }
    Ok(script)
}

/// Runs the tests, after the program and the bots have been built. Where a browser is missing and apt may not install it, they
/// say that they are skipped in it; `ARENA_NO_SKIP` makes that a failure.
pub fn test() -> Result<()> {
    let is_here = || PROGRAMS.iter().all(|program| environment::find_on_path(program).is_some());
    let missing = "a browser is missing";
    let is_here = debian::provide(is_here, PACKAGES, missing, "the tests of the pages are skipped in it")?;
    ensure!(
        is_here || env::var_os("ARENA_NO_SKIP").is_none(),
        "{missing}. As root: apt-get install --no-install-recommends {PACKAGES}"
    );
    let mut command = environment::cargo();
    command.args(["test", "--release", MANIFEST]).env("CARGO_TARGET_DIR", environment::target_dir()?);
    if is_here {
        // A browser that does not start is then a failure, and no reason to skip.
        command.env("ARENA_BROWSER", "required");
        if environment::find_on_path("npm").is_some() {
            command.env("ARENA_AXE", fetch_axe()?);
        } else {
            step::say("npm is missing: the test of the pages with axe-core is skipped");
        }
    }
    step::run("testing the report's pages in Chromium and Firefox", &mut command)
}
