//! Records of the checks that take minutes. A check that passed is left out until something that it depends on has changed.
//!
//! A record is a small file in `.ci/passed`, which is committed: the compilers, and git's hash of the files that the check depends on, as
//! they are in the folder and not as they were committed. The check writes it itself when it passes. A record that is missing or differs
//! runs the check, and `cargo xtask all` runs each check whatever was recorded.
//!
//! A check depends on all files but those excluded here, so that a new file counts until somebody says otherwise. What cargo knows about
//! the program is a second opinion: a file that it was built from must count.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result};

use crate::debian;
use crate::environment;
use crate::step;

/// The folder of the records.
const FOLDER: &str = ".ci/passed";

/// A check with a record.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name, and that of its record.
    name: &'static str,
    /// The files that it depends on, as patterns of git.
    files: &'static [&'static str],
    /// More files, among those that the patterns exclude.
    also: &'static [&'static str],
}

/// All files but tests, benchmarks, the reader in Python and documents, which decide nothing about the program and its bots. A file
/// `tests.rs` of a crate of the host is a module of unit tests; those of examples and templates are in the program.
const PROGRAM: &[&str] = &[
    ".",
    ":(exclude).ci/passed",
    ":(exclude,glob)**/tests/**",
    ":(exclude,glob)host/src/**/tests.rs",
    ":(exclude,glob)host/crates/*/src/**/tests.rs",
    ":(exclude)benches",
    ":(exclude)fuzz",
    ":(exclude)python",
    ":(exclude)docs",
    ":(exclude,glob)*.md",
];

/// The manifests of all crates: each can change the features with which a dependency is compiled.
const MANIFESTS: &str = ":(glob)**/Cargo.toml";

/// `cargo xtask languages`, which runs the commands of the guide.
pub const LANGUAGES: Check = Check {
    name: "languages",
    files: PROGRAM,
    also: &[MANIFESTS, "docs", "tests/foreseer", "tests/program/mistakes.txt"],
};

/// `cargo xtask browsers`.
pub const BROWSERS: Check = Check { name: "browsers", files: PROGRAM, also: &[MANIFESTS, "tests/browser"] };

/// `cargo xtask dist`, whose archive has the guide and some documents.
pub const DIST: Check =
    Check { name: "dist", files: PROGRAM, also: &[MANIFESTS, "docs", "CHANGELOG.md", "SECURITY.md"] };

/// `cargo xtask platforms --check`.
pub const PLATFORMS: Check = Check { name: "platforms", files: PROGRAM, also: &[MANIFESTS] };

/// The simulations of `arena-league`, which depends on no other crate of the workspace, as a test of this file requires.
pub const SIMULATIONS: Check = Check {
    name: "simulations",
    files: &["host/crates/league", "xtask", ".cargo", "Cargo.toml", "Cargo.lock"],
    also: &[],
};

/// Linting, with the check of the documentation in the code.
pub const LINTS: Check = Check {
    name: "lints",
    files: &[
        ".",
        ":(exclude).ci/passed",
        ":(exclude)docs",
        ":(exclude)python",
        ":(exclude,glob)*.md",
        ":(exclude,glob)**/*.snap",
    ],
    also: &[],
};

/// The list of the files that the program was last built from, as cargo writes it.
const BUILT_FROM: &str = "release/arena.d";

/// A check that runs, with the record that it gets if it passes.
pub struct Begun {
    check: Check,
    root: PathBuf,
    record: String,
}

impl Begun {
    /// Writes that the check has passed, unless what it depends on has changed since it began.
    pub fn passed(self) -> Result<()> {
        let Self { check, root, record } = self;
        let sources = if check.files == PROGRAM { sources_of_the_program(&root)? } else { Vec::new() };
        if check.record(&root, &sources)? != record {
            step::say(&format!("{}: not recorded as passed: its files have changed meanwhile", check.name));
            return Ok(());
        }
        let place = check.place(&root);
        fs::create_dir_all(root.join(FOLDER))?;
        fs::write(&place, record).with_context(|| format!("cannot write {}", place.display()))
    }
}

impl Check {
    /// Begins the check, before anything is built for it. With `changed_only`, it is left out, and `None` is returned, if it has passed with
    /// the same files and compilers.
    pub fn begin(self, changed_only: bool) -> Result<Option<Begun>> {
        self.begin_in(environment::root(), changed_only)
    }

    fn begin_in(self, root: &Path, changed_only: bool) -> Result<Option<Begun>> {
        let record = self.record(root, &[])?;
        if changed_only && fs::read_to_string(self.place(root)).is_ok_and(|recorded| recorded == record) {
            step::say(&format!(
                "{}: left out: passed with the same files (`cargo xtask all` runs it)",
                self.name
            ));
            return Ok(None);
        }
        Ok(Some(Begun { check: self, root: root.to_path_buf(), record }))
    }

    fn place(&self, root: &Path) -> PathBuf {
        root.join(FOLDER).join(self.name)
    }

    /// The record of everything as it is now. These files must be among those that the check depends on.
    fn record(&self, root: &Path, required: &[String]) -> Result<String> {
        // An index of its own, next to that of the clone: its tree has the hash of all files.
        let index = environment::target_dir()?.join(format!("files-of-{}-{}", self.name, process::id()));
        let git = |args: &[&str], files: &[&str]| {
            let mut git = Command::new("git");
            git.args(args).args(files).current_dir(root).env("GIT_INDEX_FILE", &index);
            step::output(&format!("hashing the files of the check `{}`", self.name), &mut git)
        };
        git(&["add", "--"], self.files)?;
        git(&["add", "--"], self.also)?;
        let required: Vec<&str> = required.iter().map(String::as_str).collect();
        git(&["ls-files", "--error-unmatch", "--"], &required)
            .context("the program is built from more files")?;
        let tree = git(&["write-tree"], &[])?;
        fs::remove_file(&index).with_context(|| format!("cannot remove {}", index.display()))?;
        let compilers = [environment::rustc(), Command::new(debian::RUSTC)];
        let compilers =
            compilers.map(|mut rustc| environment::output_of(rustc.arg("-V")).unwrap_or_default());
        Ok(format!("{}\n{tree}", compilers.join("\n")))
    }
}

/// The files of the repository that the program was built from, relative to the root.
fn sources_of_the_program(root: &Path) -> Result<Vec<String>> {
    let target = environment::target_dir()?;
    let list = fs::read_to_string(target.join(BUILT_FROM)).unwrap_or_default();
    let sources = list.split_whitespace().map(Path::new).filter(|source| !source.starts_with(&target));
    let sources = sources.filter_map(|source| Some(source.strip_prefix(root).ok()?.to_str()?.to_owned()));
    Ok(sources.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A clone in a temporary folder.
    struct Clone(TempDir);

    impl Clone {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir(root.path().join("tests")).unwrap();
            fs::create_dir_all(root.path().join("host/crates/club/src")).unwrap();
            step::output("making a repository", Command::new("git").arg("init").arg(root.path())).unwrap();
            let clone = Self(root);
            clone.write("source", "1");
            clone.write("tests/of-others", "1");
            clone.write("host/crates/club/src/tests.rs", "1");
            clone.write(".gitignore", "built");
            clone
        }

        fn write(&self, file: &str, text: &str) {
            fs::write(self.0.path().join(file), text).unwrap();
        }

        /// Begins a check of this clone.
        fn begin(&self, changed_only: bool) -> Option<Begun> {
            let check = Check { name: "a-check-of-a-test", files: PROGRAM, also: &[] };
            check.begin_in(self.0.path(), changed_only).unwrap()
        }
    }

    #[test]
    fn a_check_runs_until_it_passes_and_again_when_a_file_changes() {
        let clone = Clone::new();
        assert!(clone.begin(true).is_some(), "there is no record");
        clone.begin(true).expect("one that did not pass is not recorded").passed().unwrap();
        assert!(clone.begin(true).is_none(), "it has passed");
        assert!(clone.begin(false).is_some(), "all are to run");
        clone.write("tests/of-others", "2");
        clone.write("host/crates/club/src/tests.rs", "2");
        clone.write("built", "1");
        assert!(clone.begin(true).is_none(), "only other files changed");
        for (file, text) in [("source", "2"), ("new", "1"), ("new", "2")] {
            clone.write(file, text);
            clone.begin(true).unwrap_or_else(|| panic!("{file} has changed")).passed().unwrap();
            assert!(clone.begin(true).is_none(), "it has passed with {file}");
        }
        fs::remove_file(clone.0.path().join("new")).unwrap();
        clone.begin(true).expect("a file was removed").passed().unwrap();
        clone.write(".ci/passed/a-check-of-a-test", "another record");
        let begun = clone.begin(true).expect("the record is another one");
        clone.write("source", "3");
        begun.passed().unwrap();
        assert!(clone.begin(true).is_some(), "a file changed while it ran");
        clone.write("source", "2");
        assert!(clone.begin(true).is_some(), "it was not recorded with what it began with either");
    }

    #[test]
    fn checks_depend_on_what_they_read_besides_the_program() {
        let zoo = "tests/zoo/specimens.txt";
        for (check, files, others) in [
            (
                LANGUAGES,
                &["docs/guide/src/tour.md", "tests/program/mistakes.txt", "tests/foreseer/src/lib.rs"][..],
                &[zoo][..],
            ),
            (
                BROWSERS,
                &[
                    "tests/browser/src/main.rs",
                    "tests/browser/Cargo.lock",
                    "bots/hunter/src/lib.rs",
                    "examples/first-bot/src/tests.rs",
                    "host/crates/starter/templates/rust-submarine/src/tests.rs",
                ],
                &[zoo, "host/crates/club/src/stages/tests.rs"],
            ),
            (DIST, &["docs/guide/book.toml", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT"], &[zoo]),
            (PLATFORMS, &["host/crates/platform/src/lib.rs"], &[zoo]),
            (SIMULATIONS, &["host/crates/league/tests/coverage.rs"], &[zoo]),
            (
                LINTS,
                &["tests/browser/src/main.rs", "wit/game/v0.1.0/game.wit", zoo],
                &["docs/guide/src/tour.md"],
            ),
        ] {
            let own = ["Cargo.lock", "Cargo.toml", ".cargo/config.toml", "xtask/src/passed.rs"];
            let files: Vec<String> = own.iter().chain(files).map(|file| file.to_string()).collect();
            check.record(environment::root(), &files).unwrap();
            for &other in others {
                let others = check.record(environment::root(), &[other.to_owned()]);
                others.expect_err("a check does not depend on what others read");
            }
        }
    }

    #[test]
    fn the_simulations_depend_on_no_other_crate_of_the_workspace() {
        let mut tree = environment::cargo();
        tree.args(["tree", "--locked", "-p", "arena-league", "--edges=all", "--prefix=none"]);
        let tree = step::output("listing dependencies", &mut tree).unwrap();
        let ours: Vec<&str> = tree.lines().filter(|line| line.contains(" (/")).collect();
        assert!(!ours.is_empty() && ours.iter().all(|line| line.starts_with("arena-league ")), "{ours:?}");
    }
}
