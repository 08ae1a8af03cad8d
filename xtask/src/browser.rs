//! The tests of the report's pages in Chromium and Firefox.

use std::env;

use anyhow::{Context, Result, ensure};

use crate::debian;
use crate::environment;
use crate::passed::{self, Begun};
use crate::step;
use crate::test_programs::{MESSAGES, Tests};
use crate::tools;
use crate::workspace::Job;

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

/// Builds and runs the tests, after the program and the bots have been built, unless only changed checks are to run and these have passed.
pub fn test(changed_only: bool) -> Result<()> {
    let Some(begun) = passed::BROWSERS.begin(changed_only)? else { return Ok(()) };
    build(begun)?()
}

/// Builds the tests, and returns the job that runs them. Where a browser is missing and apt may not install it, they say that they are
/// skipped in it; `ARENA_NO_SKIP` makes that a failure.
pub fn build(begun: Begun) -> Result<Job<'static>> {
    let is_here = || PROGRAMS.iter().all(|program| environment::find_on_path(program).is_some());
    let missing = "a browser is missing";
    let is_here = debian::provide(is_here, PACKAGES, missing, "the tests of the pages are skipped in it")?;
    ensure!(
        is_here || env::var_os("ARENA_NO_SKIP").is_none(),
        "{missing}. As root: apt-get install --no-install-recommends {PACKAGES}"
    );
    let mut cargo = environment::cargo();
    cargo
        .args(["test", "--no-run", "--release", MANIFEST])
        .env("CARGO_TARGET_DIR", environment::target_dir()?);
    let tests = Tests::read_all(&step::run_for_output("building the browser tests", cargo.arg(MESSAGES))?);
    let mut command = tests.first().context("cargo has built no tests for browsers")?.command();
    let has_npm = environment::find_on_path("npm").is_some();
    if is_here {
        // A browser that does not start is then a failure, and no reason to skip.
        command.env("ARENA_BROWSER", "required");
        if has_npm {
            command.env("ARENA_AXE", tools::fetch_from_npm("axe", &[AXE])?.join("axe-core/axe.min.js"));
        } else {
            step::say("npm is missing: the test of the pages with axe-core is skipped");
        }
    }
    Ok(Box::new(move || {
        step::run_tests(
            "testing the report's pages in Chromium and Firefox",
            &mut command,
            step::TESTS_TIME_MAX,
        )?;
        if is_here && has_npm { begun.passed() } else { Ok(()) }
    }))
}
