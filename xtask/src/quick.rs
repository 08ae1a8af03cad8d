//! The checks between one edit and the next: the tests of a crate, clippy, and three games through the real program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::arena;
use crate::bots;
use crate::checks;
use crate::environment;
use crate::step;
use crate::test_programs::Tests;

/// The bots of the three games: each plays each of the others.
const BOTS: [&str; 3] = ["bots/hunter.wasm", "bots/random.wasm", "bots/sweeper.wasm"];

/// The programs of tests that take longer than that: those with workers, and those that try each law or each escape.
const SLOW_PROGRAMS: [&str; 4] = ["confinement", "remote", "workers", "laws"];

/// The tests that take seconds, for each crate with any: the beginnings of their paths. They are left to `cargo xtask test`;
/// CONTRIBUTING.md says how to list their times.
const SLOW_TESTS: &[(&str, &[&str])] = &[
    (
        "arena",
        &[
            "bench::",
            "bombs::",
            "called::",
            "check::a_repeated_cell",
            "club::deployed::",
            "club::live::an_address_that_was_shared",
            "club::organiser::a_club_that_is_killed",
            "club::playing::",
            "club::seasons::",
            "club::term::",
            "club::uploads::",
            "compiling::",
            "confined::",
            "disk::",
            "few_threads::",
            "game_time::",
            "hostile::",
            "isolation::",
            "journal::a_run_that_is_killed",
            "many::",
            "mistakes::",
            "outside::",
            "readme::",
            "report::",
            "rules_files::a_rules_file",
            "screens::",
            "seeds::a_killed_secret_run",
            "solo::",
            "submarine::",
            "zoo::",
        ],
    ),
    ("arena-loaded", &["zoo::"]),
    ("arena-league", &["coverage::", "sprt::error_rates_are_kept"]),
    (
        "arena-sandbox",
        &[
            "admission::a_component_with_any_byte",
            "compiling::",
            "fuel::every_case",
            "functions::",
            "limits::as_many_segments",
        ],
    ),
    ("arena-tui", &["laws::"]),
    ("arena-cluster", &["ledger::simulation::a_thousand"]),
];

/// Folders whose files belong to a crate that is elsewhere: its name, and the folder.
const ELSEWHERE: [(&str, &str); 5] = [
    ("arena", "tests/program"),
    ("arena", "tests/remote"),
    ("arena", "tests/snapshots"),
    ("arena", "tests/workers"),
    ("arena-sandbox", "tests/zoo"),
];

/// Checks some crates, or those with changes since the last commit.
pub fn run(names: &[String]) -> Result<()> {
    let members = members()?;
    let crates = if names.is_empty() { changed(&members)? } else { named(names, &members)? };
    checks::check_format()?;
    let chosen: Vec<&Member> = members.iter().filter(|member| crates.contains(&member.name)).collect();
    // The cheapest builds first: unit tests need a second build of all libraries that depend on the crate's.
    let programs: BTreeSet<String> = chosen.iter().flat_map(|member| member.programs()).collect();
    let units: BTreeSet<String> = chosen.iter().map(|member| member.units()).collect();
    for targets in [&programs, &units] {
        test(&chosen, targets)?;
    }
    let mut clippy = environment::cargo();
    clippy.args(["clippy", "--release", "--workspace"]);
    clippy.args(chosen.iter().flat_map(|member| member.linted()).collect::<BTreeSet<String>>());
    step::run("linting", clippy.args(["--", "-D", "warnings"]))?;
    let is_new = chosen.iter().any(|member| member.folder.starts_with("bots"));
    play(is_new)
}

/// Builds the tests of some crates, and runs them.
fn test(chosen: &[&Member], targets: &BTreeSet<String>) -> Result<()> {
    if targets.is_empty() {
        return Ok(());
    }
    for tests in Tests::build(targets)? {
        let Some(member) = chosen.iter().find(|member| member.has(&tests)) else { continue };
        let mut command = tests.command();
        command.arg("--quiet").args(member.slow_tests().iter().flat_map(|test| ["--skip", test]));
        step::run(&format!("testing {}", member.name), &mut command)?;
    }
    Ok(())
}

/// Plays three games with the program, after building the house bots if one may be new or is missing.
fn play(is_new: bool) -> Result<()> {
    let program = arena::build()?;
    if is_new || !BOTS.iter().all(|bot| environment::root().join(bot).is_file()) {
        bots::build()?;
    }
    let mut games = Command::new(program);
    games.current_dir(environment::root()).arg("run").args(BOTS).args(["--games", "1", "--strict"]);
    step::run("playing three games", &mut games)
}

/// A crate of the workspace.
struct Member {
    /// Its folder, relative to the root.
    folder: PathBuf,
    name: String,
    /// The names of its programs with integration tests.
    tests: Vec<String>,
}

impl Member {
    fn read(folder: &str) -> Result<Self> {
        let path = environment::root().join(folder);
        let manifest = path.join("Cargo.toml");
        let text =
            fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
        let name_in = |section: &str| {
            let name = section.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
            name.map(str::to_owned).with_context(|| format!("{} has no name", manifest.display()))
        };
        let mut tests = text.split("\n[[test]]\n").skip(1).map(name_in).collect::<Result<Vec<_>>>()?;
        if tests.is_empty() {
            // As cargo finds them.
            let entries =
                fs::read_dir(path.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
            let programs = entries
                .filter(|path| path.extension() == Some("rs".as_ref()) || path.join("main.rs").is_file());
            tests.extend(programs.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())));
        }
        tests.retain(|test| !SLOW_PROGRAMS.contains(&test.as_str()));
        Ok(Self { folder: folder.into(), name: name_in(&text)?, tests })
    }

    /// The arguments of cargo for its integration tests.
    fn programs(&self) -> Vec<String> {
        self.tests.iter().map(|test| format!("--test={test}")).collect()
    }

    /// The argument of cargo for its unit tests.
    fn units(&self) -> String {
        let has_library = environment::root().join(&self.folder).join("src/lib.rs").is_file();
        if has_library { "--lib" } else { "--bins" }.to_owned()
    }

    /// The arguments of cargo for what is linted: with the integration tests, the library is.
    fn linted(&self) -> Vec<String> {
        if self.tests.is_empty() { vec![self.units()] } else { self.programs() }
    }

    /// True if a program tests this crate. Another one with a target of the same name is built, too.
    fn has(&self, tests: &Tests) -> bool {
        tests.folder == environment::root().join(&self.folder)
    }

    /// The tests that are left out.
    fn slow_tests(&self) -> &'static [&'static str] {
        SLOW_TESTS.iter().find(|(name, _)| *name == self.name).map_or(&[], |(_, tests)| *tests)
    }
}

/// The crates of the workspace.
fn members() -> Result<Vec<Member>> {
    let root =
        fs::read_to_string(environment::root().join("Cargo.toml")).context("cannot read Cargo.toml")?;
    let list = root.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.context("Cargo.toml names no members")?;
    list.split('"').skip(1).step_by(2).map(Member::read).collect()
}

/// The crates that the user names, with or without `arena-` before the name.
fn named(names: &[String], members: &[Member]) -> Result<BTreeSet<String>> {
    let known: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    let find = |name: &String| {
        let is_meant = |member: &&&str| **member == name || member.strip_prefix("arena-") == Some(name);
        let found = known.iter().find(is_meant).map(|member| (*member).to_owned());
        found.with_context(|| format!("there is no crate `{name}`, only {}", known.join(", ")))
    };
    names.iter().map(find).collect()
}

/// The crates with changes since the last commit.
fn changed(members: &[Member]) -> Result<BTreeSet<String>> {
    let mut git = Command::new("git");
    git.args(["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"])
        .current_dir(environment::root());
    let files = step::output("listing changes", &mut git)?;
    let files = files.split('\0').filter_map(|line| line.get(3..));
    let crates: BTreeSet<String> = files.filter_map(|file| owner(Path::new(file), members)).collect();
    if crates.is_empty() {
        bail!("no crate has changed since the last commit. Name one, such as `cargo xtask quick rules`");
    }
    Ok(crates)
}

/// The crate to which a file belongs: the innermost folder decides.
fn owner(file: &Path, members: &[Member]) -> Option<String> {
    let elsewhere = ELSEWHERE.iter().map(|(name, folder)| (Path::new(*folder), *name));
    let here = members.iter().map(|member| (member.folder.as_path(), member.name.as_str()));
    let owners = here.chain(elsewhere).filter(|(folder, _)| file.starts_with(folder));
    owners.max_by_key(|(folder, _)| folder.components().count()).map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_innermost_crate_above_it() {
        let members = members().unwrap();
        for (file, expect) in [
            ("rules/src/lib.rs", Some("arena-rules")),
            ("rules/tests/games/guide.txt", Some("arena-rules")),
            ("host/src/main.rs", Some("arena")),
            ("host/crates/tui/src/lib.rs", Some("arena-tui")),
            ("tests/program/zoo.rs", Some("arena")),
            ("tests/kit/src/lib.rs", Some("arena-testkit")),
            ("bots/submarine/sub-random/src/lib.rs", Some("sub-random")),
            ("README.md", None),
        ] {
            assert_eq!(owner(Path::new(file), &members).as_deref(), expect, "{file}");
        }
        for (name, folder) in ELSEWHERE {
            assert!(environment::root().join(folder).is_dir(), "{folder}");
            assert!(members.iter().any(|member| member.name == name), "{name}");
        }
    }

    #[test]
    fn a_crate_is_named_in_full_or_by_its_folder() {
        let members = members().unwrap();
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            named(&names, &members).map(|found| found.into_iter().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names(&["rules"]).unwrap(), "arena-rules");
        assert_eq!(names(&["arena-tui", "arena", "hunter"]).unwrap(), "arena arena-tui hunter");
        let error = names(&["rule"]).unwrap_err().to_string();
        assert!(error.contains("no crate `rule`, only arena-rules, arena, "), "{error}");
    }

    #[test]
    fn a_crate_has_the_programs_of_its_manifest_or_else_those_of_its_folder() {
        let members = members().unwrap();
        let targets = |name: &str| {
            let member = members.iter().find(|member| member.name == name).unwrap();
            [member.programs(), vec![member.units()]].concat().join(" ")
        };
        assert_eq!(targets("arena"), "--test=program --lib");
        assert_eq!(targets("arena-rules"), "--test=rules --lib");
        assert_eq!(targets("arena-sandbox"), "--test=sandbox --lib");
        assert_eq!(targets("arena-pages"), "--test=pages --lib");
        assert_eq!(targets("xtask"), "--bins");
    }

    #[test]
    fn the_programs_of_a_crate_are_those_of_its_folder() {
        let root = environment::root();
        let members = members().unwrap();
        let rules = members.iter().find(|member| member.name == "arena-rules").unwrap();
        for (folder, expect) in [("rules", true), ("rules/of/others", false), ("host", false)] {
            let tests = Tests::of("/target/release/deps/rules-00fe", root.join(folder));
            assert_eq!(rules.has(&tests), expect, "{folder}");
        }
    }

    #[test]
    fn each_slow_test_is_a_test_of_its_crate() {
        let members = members().unwrap();
        for (name, tests) in SLOW_TESTS {
            let member = members.iter().find(|member| member.name == *name).unwrap();
            let root = environment::root();
            let folder = if *name == "arena" {
                root.join("tests/program")
            } else {
                root.join(&member.folder).join("tests")
            };
            // Those of the public face, and unit tests.
            let folders = [folder, root.join(&member.folder).join("src")];
            for test in *tests {
                let (module, function) = test.rsplit_once("::").unwrap();
                let file = format!("{}.rs", module.replace("::", "/"));
                let text = folders.iter().find_map(|folder| fs::read_to_string(folder.join(&file)).ok());
                let text = text.unwrap_or_default();
                assert!(text.contains(&format!("\nfn {function}")), "{name}: {test}");
            }
        }
    }
}
