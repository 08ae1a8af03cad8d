//! All checks of the project. The checks that find a mistake soonest come first.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arena;
use crate::bots;
use crate::browser;
use crate::deny;
use crate::environment;
use crate::package;
use crate::passed;
use crate::python;
use crate::step;
use crate::toolchain::{self, TARGET, Toolchain};
use crate::workspace::{self, Job};

/// The bot that an author copies. It is a crate outside the workspace, as theirs will be.
pub const EXAMPLE_BOT: &str = "examples/first-bot";

/// The manifest of the example bot.
const EXAMPLE: &str = "--manifest-path=examples/first-bot/Cargo.toml";

/// The most time for a task of its own. Chosen: the check of all languages takes 20 to 28 minutes alone, and has taken more than 40 on a
/// busy machine.
const TASK_TIME_MAX: Duration = Duration::from_secs(60 * 60);

/// Runs the checks. Those that find a mistake in seconds are done one by one, and the first that fails ends the run; the others run at the
/// same time, and all failures are named at the end. With `is_all`, those of all languages, of the archive and of other platforms are among them. With
/// `changed_only`, a check with a record is left out if it has passed with the same inputs.
pub fn run(is_all: bool, changed_only: bool) -> Result<()> {
    require_rustfmt_and_clippy()?;
    check_format()?;
    step::run("checking the example's format", &mut cargo(&format!("fmt {EXAMPLE} --check")))?;
    let browser = browser::MANIFEST;
    step::run("checking the browser tests' format", &mut cargo(&format!("fmt {browser} --check")))?;
    for folder in [".", EXAMPLE_BOT, browser::TESTS] {
        check_lock_file(folder)?;
    }
    let browsers = passed::BROWSERS.begin(changed_only)?;
    let toolchain = toolchain::prepare(TARGET)?;
    let bots = || {
        bots::build_all_hidden(&toolchain)?;
        check_example(&toolchain)
    };
    let program = step::run_beside(bots, || {
        if let Some(begun) = passed::LINTS.begin(changed_only)? {
            lint()?;
            begun.passed()?;
        }
        arena::build()
    })?;
    arena::try_demo(&program)?;
    python::test(&program)?;
    // The longest first.
    let mut others: Vec<Job> = Vec::new();
    if is_all {
        deny::run(false)?;
        package::check()?;
        others.push(task("languages", changed_only));
        others.push(task("dist --release-profile", changed_only));
        others.push(task("platforms --check", changed_only));
    }
    others.extend(browsers.map(browser::build).transpose()?);
    // Last, so that a log ends with its summary.
    workspace::test(changed_only, others)
}

/// A task of this program, with words as arguments, as a job.
fn task(words: &'static str, changed_only: bool) -> Job<'static> {
    Box::new(move || {
        let mut command = Command::new(env::current_exe().context("cannot find the path of this program")?);
        command.args(words.split(' ')).args(changed_only.then_some("--changed"));
        step::run_tests(&format!("cargo xtask {words}"), &mut command, TASK_TIME_MAX)
    })
}

/// Checks the format of the workspace.
pub fn check_format() -> Result<()> {
    step::run("checking the format (to fix it: `cargo fmt --all`)", &mut cargo("fmt --all --check"))
}

/// The features for linting the workspace. The fuzz targets run by hand, with a nightly toolchain; this checks on stable that they
/// compile. Nothing is linked, so libFuzzer needs no C++ compiler.
const LINTED_FEATURES: &str = "arena-fuzz/targets,density/draws";

/// Lints the workspace with all features and the browser tests, and checks the documentation in the code.
fn lint() -> Result<()> {
    let mut clippy = environment::cargo();
    clippy.args(["clippy", "--release", "--workspace", "--all-targets", "--features", LINTED_FEATURES]);
    step::run("linting the workspace", clippy.args(["--", "-D", "warnings"]))?;
    let mut browser = cargo(&format!("clippy {} --release --all-targets -- -D warnings", browser::MANIFEST));
    browser.env("CARGO_TARGET_DIR", environment::target_dir()?);
    step::run("linting the browser tests", &mut browser)?;
    let mut doc = environment::cargo();
    doc.args(["doc", "--release", "--workspace", "--no-deps"]);
    step::run("checking the documentation", doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Cargo with arguments, which are separated by spaces.
fn cargo(args: &str) -> Command {
    let mut command = environment::cargo();
    command.args(args.split(' '));
    command
}

/// Checks that rustfmt and clippy, which are optional in a toolchain, are installed. Cargo's own message would not help.
fn require_rustfmt_and_clippy() -> Result<()> {
    let mut missing = vec![("fmt", "rustfmt"), ("clippy", "clippy")];
    missing.retain(|(subcommand, _)| {
        environment::output_of(&mut cargo(&format!("{subcommand} --version"))).is_none()
    });
    let missing: Vec<&str> = missing.into_iter().map(|(_, component)| component).collect();
    ensure!(
        missing.is_empty(),
        "the checks need {}. Install with `rustup component add {}`",
        missing.join(" and "),
        missing.join(" ")
    );
    Ok(())
}

/// Checks that the `Cargo.lock` of a crate or workspace fits its manifests. Every later command of cargo would update it.
fn check_lock_file(folder: &str) -> Result<()> {
    let update = format!("cargo metadata --format-version 1 --manifest-path {folder}/Cargo.toml");
    let name = format!("checking {folder}/Cargo.lock (to fix it: `{update} > /dev/null`)");
    let mut command = environment::cargo();
    command.args(update.split(' ').skip(1)).arg("--locked");
    step::run_hidden(&name, &mut command)
}

fn check_example(toolchain: &Toolchain) -> Result<()> {
    let target_dir = toolchain::target_dir()?;
    let clippy = format!("clippy {EXAMPLE} --release --all-targets -- -D warnings");
    step::run_hidden("linting the example bot", cargo(&clippy).env("CARGO_TARGET_DIR", &target_dir))?;
    let test = format!("test {EXAMPLE} --release");
    step::run_hidden("testing the example bot", cargo(&test).env("CARGO_TARGET_DIR", &target_dir))?;
    step::run_hidden("building the example bot", toolchain.build(TARGET, &target_dir)?.arg(EXAMPLE))?;
    bots::read_component(&toolchain::artifact(&target_dir, TARGET, Path::new(EXAMPLE_BOT))).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    /// The packages in a lock file: their names and versions.
    fn packages(folder: &str) -> BTreeSet<(String, String)> {
        let text = fs::read_to_string(environment::root().join(folder).join("Cargo.lock")).unwrap();
        let value = |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
        let lines: Vec<&str> = text.lines().collect();
        let package = |pair: &[&str]| Some((value(pair[0], "name = ")?, value(pair[1], "version = ")?));
        lines.windows(2).filter_map(package).collect()
    }

    /// The part of a version that another one has to have to take its place: `1` of `1.2.3`, `0.22` of `0.22.1`.
    fn series(version: &str) -> &str {
        let numbers = if version.starts_with("0.") { 2 } else { 1 };
        let end = version.match_indices('.').nth(numbers - 1).map_or(version.len(), |(end, _)| end);
        &version[..end]
    }

    #[test]
    fn crates_outside_the_workspace_use_its_versions_of_the_dependencies_they_share() {
        let workspace = packages(".");
        let shares = |(name, version): &(String, String)| {
            workspace.iter().any(|(other, its)| other == name && series(its) == series(version))
        };
        for folder in [EXAMPLE_BOT, browser::TESTS] {
            let packages = packages(folder);
            let mut shared = packages.iter().filter(|package| shares(package)).peekable();
            assert!(shared.peek().is_some(), "{folder}/Cargo.lock has no package of the workspace");
            let other: Vec<_> = shared.filter(|package| !workspace.contains(package)).collect();
            assert!(other.is_empty(), "{folder}/Cargo.lock has other versions than Cargo.lock: {other:?}");
        }
    }

    /// The modules that the first file of a program of tests names.
    fn named(first_file: &Path) -> BTreeSet<String> {
        let text = fs::read_to_string(first_file).unwrap();
        let name = |line: &str| {
            Some(line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
        };
        text.lines().filter_map(name).collect()
    }

    /// The modules next to a file: the other files of its folder except programs, and the folders with a `mod.rs`.
    fn modules_next_to(first_file: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(first_file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let is_part = |path: &Path| {
            path.extension() == Some("rs".as_ref())
                && !fs::read_to_string(path).unwrap().contains("\nfn main() ")
        };
        let modules =
            entries.filter(|path| path != first_file && (is_part(path) || path.join("mod.rs").is_file()));
        modules.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn each_file_of_tests_is_named_by_its_program() {
        let mut git = Command::new("git");
        git.args(["ls-files", "*tests/*all.rs", "*tests/*/main.rs", ":!*/src/*"])
            .current_dir(environment::root());
        let files = environment::output_of(&mut git).expect("this is a clone");
        assert!(files.lines().count() >= 10, "{files}");
        for file in files.lines().map(|line| environment::root().join(line)) {
            let unnamed: Vec<String> = modules_next_to(&file).difference(&named(&file)).cloned().collect();
            assert!(
                unnamed.is_empty(),
                "{} does not name {unnamed:?}: their tests are not run",
                file.display()
            );
        }
    }
}
