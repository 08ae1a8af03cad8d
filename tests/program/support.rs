//! One way to run the program and to look at what it did.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Sends a running program a signal, by its name.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.expect("there is a kill command").success());
}

/// What a run of the program came to.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Runs the program to its end.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        Self {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
        }
    }

    /// The JSON document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }

    /// Its exit code, which is that of a run that went as it should.
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "standard output:\n{}\nstandard error:\n{}", self.stdout, self.stderr);
        for text in [&self.stdout, &self.stderr] {
            assert!(!text.contains('\u{1b}'), "what is not for a terminal has no escape codes:\n{text}");
            assert!(!text.contains("RUST_BACKTRACE"), "{text}");
        }
        self
    }
}

/// The program, about to be run with arguments in a folder.
pub fn command<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env_remove("COLUMNS");
    command.env("XDG_CACHE_HOME", caches());
    command
}

/// The folder that the program keeps compiled bots in when a test runs it: not the user's own. All tests have one, as all
/// runs of a user do.
pub fn caches() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/caches"))
}

/// A folder with bots in it, to run the program in.
pub struct Place(TempDir);

impl Place {
    pub fn empty() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    /// A folder with specimens of the zoo, each as its name and `.wasm`.
    pub fn with_specimens(names: &[&str]) -> Self {
        let place = Self::empty();
        for name in names {
            fs::write(place.path(&format!("{name}.wasm")), arena_testkit::zoo(name))
                .expect("it can be written");
        }
        place
    }

    /// A folder with the house bots as they were built.
    pub fn with_house_bots() -> Self {
        let place = Self::empty();
        for name in ["hunter", "random", "sweeper"] {
            fs::copy(house_bot(name), place.path(&format!("{name}.wasm"))).expect("it can be copied");
        }
        place
    }

    /// A folder with the house bots for submarine as they were built.
    pub fn with_submarine_bots() -> Self {
        let place = Self::empty();
        for name in ["sub-random", "sub-tracker"] {
            fs::copy(house_bot(&format!("submarine/{name}")), place.path(&format!("{name}.wasm")))
                .expect("it can be copied");
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("it can be written");
    }

    /// The transcripts in one of its folders, by the bots and what follows them; the numbers that the games have in their
    /// tournament are left out.
    pub fn games(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let unnumbered = |name: String| name.split_once('-').expect("it begins with a number").1.to_owned();
        self.files(folder).into_iter().map(|(name, bytes)| (unnumbered(name), bytes)).collect()
    }

    /// Runs `arena` with words as arguments.
    pub fn arena(&self, words: &str) -> Run {
        let args: Vec<&str> = words.split_whitespace().collect();
        Run::of(&mut command(self.0.path(), &args))
    }

    /// Starts `arena` with words as arguments, to be listened to and signalled.
    pub fn start(&self, words: &str) -> Child {
        let args: Vec<&str> = words.split_whitespace().collect();
        let mut command = command(self.0.path(), &args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }

    /// The files in one of its folders, by name.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(folder)).expect("the folder is there");
        let file = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.expect("it can be listed").path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
        };
        entries.map(file).collect()
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }
}

/// Where a house bot lies that `cargo xtask bots` has built.
pub fn house_bot(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots").join(name).with_extension("wasm");
    assert!(path.is_file(), "{} is missing: build it with `cargo xtask bots`", path.display());
    path
}
