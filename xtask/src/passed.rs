//! Records of the checks that take minutes. A check that passed is left out until something that it depends on has changed.
//!
//! A record is a small file in `.ci/passed`, which is committed: a hash of the check's inputs. The check writes it itself when it passes.
//! A record that is missing or has another hash runs the check, and `cargo xtask all` runs each check whatever was recorded.
//!
//! The inputs are the compilers and the files that git lists (`git ls-files`, with new ones that are not ignored), as they are in the
//! folder and not as they were committed. A check has its files by what it does *not* depend on, so that a new file is an input until
//! somebody says otherwise. What cargo knows about the program is a second opinion: a file that it was built from has to be an input.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::debian;
use crate::environment;
use crate::step;

/// The folder of the records.
const FOLDER: &str = ".ci/passed";

/// A check with a record.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name, and that of its record.
    pub name: &'static str,
    /// The patterns of git for its files.
    files: &'static [&'static str],
}

/// The files that decide nothing about the program, its bots and its guide: the code and data of tests and of benchmarks. Manifests stay
/// inputs, because each can change the features with which a dependency is compiled.
macro_rules! all_but_tests_and {
    ($($other:literal),*) => {
        &[
            ".",
            ":(exclude).ci/passed",
            ":(exclude,glob)benches/**/*.rs",
            ":(exclude)benches/tests",
            ":(exclude,glob)fuzz/**/*.rs",
            ":(exclude)fuzz/corpus",
            ":(exclude,glob)host/crates/*/tests/**",
            ":(exclude)python",
            ":(exclude)rules/tests",
            ":(exclude)tests/connect-four/src",
            ":(exclude)tests/kit/data",
            ":(exclude,glob)tests/kit/**/*.rs",
            ":(exclude,glob)tests/program/*.rs",
            ":(exclude)tests/remote",
            ":(exclude)tests/snapshots",
            ":(exclude)tests/wire",
            ":(exclude)tests/workers",
            ":(exclude)tests/zoo",
            ":(exclude)ARCHITECTURE.md",
            ":(exclude)BENCHMARKS.md",
            ":(exclude)CONTRIBUTING.md",
            $(concat!(":(exclude)", $other)),*
        ]
    };
}

/// `cargo xtask languages`. It runs the commands of the guide, and makes the mistakes in `tests/program/mistakes.txt`.
pub const LANGUAGES: Check =
    Check { name: "languages", files: all_but_tests_and!["tests/browser", "CHANGELOG.md", "README.md"] };

/// `cargo xtask browsers`. The guide is not a part of a report.
pub const BROWSERS: Check =
    Check { name: "browsers", files: all_but_tests_and!["docs", "CHANGELOG.md", "README.md"] };

/// `cargo xtask dist`. The archive has the guide and some documents.
pub const DIST: Check = Check { name: "dist", files: all_but_tests_and!["tests/browser", "README.md"] };

/// The simulations of `arena-league`, which depends on no other crate of the workspace, as a test of this file knows.
pub const SIMULATIONS: Check = Check {
    name: "simulations",
    files: &["host/crates/league", ":(glob)*", ":(glob).cargo/**", "xtask", ":(exclude,glob)*.md"],
};

/// The list of the files that the program was last built from, as cargo writes it.
const BUILT_FROM: &str = "release/arena.d";

/// A check that runs, with the inputs that it has.
pub struct Begun {
    check: Check,
    inputs: String,
    root: PathBuf,
}

impl Begun {
    /// Writes that the check has passed, unless its inputs have changed since it began.
    pub fn passed(self) -> Result<()> {
        let Self { check, inputs, root } = self;
        if check.inputs(&root)? != inputs {
            step::say(&format!("{}: not recorded as passed: its inputs have changed meanwhile", check.name));
            return Ok(());
        }
        check.require_files_of_the_program(&root)?;
        let path = check.record(&root);
        fs::create_dir_all(path.parent().unwrap_or(&root))?;
        fs::write(&path, inputs).with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Check {
    /// Begins the check, before anything is built for it. With `changed_only`, it is left out, and `None` is returned, if it has passed with
    /// the same inputs.
    pub fn begin(self, changed_only: bool) -> Result<Option<Begun>> {
        self.begin_in(environment::root(), changed_only)
    }

    fn begin_in(self, root: &Path, changed_only: bool) -> Result<Option<Begun>> {
        let inputs = self.inputs(root)?;
        let is_recorded = fs::read_to_string(self.record(root)).is_ok_and(|recorded| recorded == inputs);
        if changed_only && is_recorded {
            step::say(&format!(
                "{}: left out: passed with the same inputs (`cargo xtask all` runs it)",
                self.name
            ));
            return Ok(None);
        }
        Ok(Some(Begun { check: self, inputs, root: root.to_path_buf() }))
    }

    fn record(&self, root: &Path) -> PathBuf {
        root.join(FOLDER).join(self.name)
    }

    /// The hash of all inputs as they are now. The list of them stays in the target directory, for whoever asks what has changed.
    fn inputs(&self, root: &Path) -> Result<String> {
        let compilers = [environment::rustc(), Command::new(debian::RUSTC)];
        let mut list: String = compilers
            .map(|mut rustc| environment::output_of(rustc.arg("-vV")).unwrap_or_default() + "\n")
            .concat();
        let files = self.files(root)?;
        let hashed = hashes(root, &files)?;
        ensure!(hashed.lines().count() == files.len(), "git has not hashed each input");
        list.extend(files.iter().zip(hashed.lines()).map(|(file, hash)| format!("{hash} {file}\n")));
        let kept = environment::target_dir()?.join(format!("inputs-{}.txt", self.name));
        fs::write(&kept, list).with_context(|| format!("cannot write {}", kept.display()))?;
        hashes(root, [&kept])
    }

    /// The paths of the files, relative to the root, sorted. A file that was removed is not among them.
    fn files(&self, root: &Path) -> Result<Vec<String>> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]).args(self.files);
        let listed = step::output("listing the inputs of a check", git.current_dir(root))?;
        let mut files: Vec<String> = listed.split_terminator('\0').map(str::to_owned).collect();
        files.retain(|file| root.join(file).is_file());
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// Requires that each file of the repository that the program is built from is an input, unless the program is none.
    fn require_files_of_the_program(&self, root: &Path) -> Result<()> {
        if self.files.first() != Some(&".") {
            return Ok(());
        }
        let (root, target) = (root.canonicalize()?, environment::target_dir()?.canonicalize()?);
        let sources = fs::read_to_string(target.join(BUILT_FROM)).unwrap_or_default();
        let files = self.files(&root)?;
        let unknown: Vec<PathBuf> = sources
            .split_whitespace()
            // Cargo's paths have `..` where a file is embedded.
            .filter_map(|source| Path::new(source).canonicalize().ok())
            .filter(|source| source.is_file() && !source.starts_with(&target))
            .filter_map(|source| Some(source.strip_prefix(&root).ok()?.to_path_buf()))
            .filter(|source| !files.iter().any(|file| Path::new(file) == source))
            .collect();
        ensure!(
            unknown.is_empty(),
            "{}: the program is built from {unknown:?}, which is no input",
            self.name
        );
        Ok(())
    }
}

/// The hashes of files by git, as they are in the folder, each in a line.
fn hashes<P: AsRef<OsStr>>(root: &Path, files: impl IntoIterator<Item = P>) -> Result<String> {
    let mut git = Command::new("git");
    git.args(["hash-object", "--"]).args(files).current_dir(root);
    step::output("hashing the inputs of a check", &mut git)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: [Check; 4] = [LANGUAGES, BROWSERS, DIST, SIMULATIONS];

    /// A clone in a temporary folder, removed at the end of its test.
    struct Clone(PathBuf);

    impl Clone {
        fn new() -> Self {
            let root = std::env::temp_dir().join(format!("xtask-passed-{}", std::process::id()));
            fs::create_dir_all(root.join("tests")).unwrap();
            step::output("making a repository", Command::new("git").arg("init").arg(&root)).unwrap();
            let clone = Self(root);
            clone.write("source", "1");
            clone.write("tests/of-others", "1");
            clone.write(".gitignore", "built");
            clone
        }

        fn write(&self, file: &str, text: &str) {
            fs::write(self.0.join(file), text).unwrap();
        }

        /// Begins a check of this clone.
        fn begin(&self, changed_only: bool) -> Option<Begun> {
            let check = Check { name: "a-check-of-a-test", files: &["source", "new", ".gitignore"] };
            check.begin_in(&self.0, changed_only).unwrap()
        }
    }

    impl Drop for Clone {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_check_runs_until_it_passes_and_again_when_an_input_changes() {
        let clone = Clone::new();
        assert!(clone.begin(true).is_some(), "there is no record");
        clone.begin(true).expect("one that did not pass is not recorded").passed().unwrap();
        assert!(clone.begin(true).is_none(), "it has passed");
        assert!(clone.begin(false).is_some(), "all are to run");
        clone.write("tests/of-others", "2");
        clone.write("built", "1");
        assert!(clone.begin(true).is_none(), "only other files changed");
        for (file, text) in [("source", "2"), ("new", "1"), ("new", "2")] {
            clone.write(file, text);
            clone.begin(true).unwrap_or_else(|| panic!("{file} has changed")).passed().unwrap();
            assert!(clone.begin(true).is_none(), "it has passed with {file}");
        }
        fs::remove_file(clone.0.join("new")).unwrap();
        clone.begin(true).expect("a file was removed").passed().unwrap();
        clone.write(".ci/passed/a-check-of-a-test", "another hash");
        let begun = clone.begin(true).expect("the record is another one");
        clone.write("source", "3");
        begun.passed().unwrap();
        assert!(clone.begin(true).is_some(), "an input changed while it ran");
        clone.write("source", "2");
        assert!(clone.begin(true).is_some(), "it was not recorded with what it began with either");
    }

    #[test]
    fn the_inputs_of_each_check_have_the_lock_file_and_this_program_but_no_record() {
        for check in CHECKS {
            let files = check.files(environment::root()).unwrap();
            for file in ["Cargo.lock", "Cargo.toml", ".cargo/config.toml", "xtask/src/passed.rs"] {
                assert!(files.iter().any(|it| it == file), "{}: {file}", check.name);
            }
            assert!(!files.iter().any(|file| file.starts_with(FOLDER)), "{}", check.name);
        }
    }

    #[test]
    fn checks_have_the_files_that_they_read_besides_the_program() {
        for (check, file) in [
            (LANGUAGES, "docs/guide/src/tour.md"),
            (LANGUAGES, "tests/program/mistakes.txt"),
            (LANGUAGES, "examples/games/connect-four/src/lib.rs"),
            (LANGUAGES, "tests/foreseer/src/lib.rs"),
            (BROWSERS, "tests/browser/src/main.rs"),
            (BROWSERS, "tests/browser/Cargo.lock"),
            (BROWSERS, "bots/hunter/src/lib.rs"),
            (DIST, "docs/guide/book.toml"),
            (DIST, "CHANGELOG.md"),
            (SIMULATIONS, "host/crates/league/tests/coverage.rs"),
        ] {
            let files = check.files(environment::root()).unwrap();
            assert!(files.iter().any(|it| it == file), "{}: {file}", check.name);
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
