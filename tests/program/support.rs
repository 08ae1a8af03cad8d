//! Helpers of all tests: they run the program, and read what it has printed and written.

use arena_record::Transcript;
use arena_rules::Listed;
use arena_testkit::wait_for;
use rusqlite::{Connection, OpenFlags};
use seccompiler::{SeccompAction, SeccompFilter, apply_filter};
use serde_json::Value;
use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use tempfile::TempDir;

/// A random seed for runs that are to play the same games each time. It is large enough to need no note.
pub const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Sends a running program a signal, by its name.
pub fn signal(child: &Child, name: &str) {
    signal_to(child.id(), name);
}

/// Sends the process with this identifier a signal, by its name.
pub fn signal_to(id: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), id.to_string()]).status();
    assert!(sent.expect("there is a kill command").success());
}

/// Runs something that starts programs on a system that refuses them a call with this error.
pub fn refusing<T: Send>(call: libc::c_long, error: libc::c_int, run: impl FnOnce() -> T + Send) -> T {
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let arch = ARCH.try_into().expect("a processor with seccomp");
    let calls = [(call, Vec::new())].into();
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, refused, arch).expect("a filter");
    let program: Vec<_> = filter.try_into().expect("a program");
    // The filter is for this thread and the programs that it starts.
    let in_thread = || {
        apply_filter(&program).expect("the kernel has seccomp");
        run()
    };
    thread::scope(|scope| scope.spawn(in_thread).join().expect("it does not panic"))
}

/// The result of a run of the program.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// True if standard output is CSV for a program, which has right-to-left text as it is.
    is_csv: bool,
}

impl Run {
    /// Runs the program to its end.
    pub fn of(command: &mut Command) -> Self {
        let is_csv = command.get_args().any(|arg| arg == "csv" || arg == "--csv");
        Self { is_csv, ..Self::ended(command.output().expect("the program starts")) }
    }

    /// A run that has ended, with an output that is not CSV.
    pub fn ended(output: Output) -> Self {
        Self {
            is_csv: false,
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
        }
    }

    /// Returns the JSON document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in:\n{}{}", self.stdout, self.stderr))
    }

    /// Returns the JSON document on standard output without the head of a journal: with and without a journal, the rest is the
    /// same.
    pub fn without_head(&self) -> Value {
        let mut document = self.json();
        document.as_object_mut().expect("a document").remove("head");
        document
    }

    /// Checks the exit code, and that the output is plain text and no panic.
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "standard output:\n{}\nstandard error:\n{}", self.stdout, self.stderr);
        for (text, is_csv) in [(&self.stdout, self.is_csv), (&self.stderr, false)] {
            text.lines().for_each(if is_csv { expect_exact } else { expect_in_order });
            assert!(!text.contains("RUST_BACKTRACE"), "{text}");
        }
        self
    }
}

/// True for an isolate: it keeps the order of what it surrounds.
fn is_isolate(c: char) -> bool {
    c == '\u{2068}' || c == '\u{2069}'
}

/// Checks that a line that is printed has no character that controls, hides or reorders anything, except isolates.
fn expect_visible(line: &str) {
    for c in line.chars() {
        let hides = matches!(c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2067}' | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{feff}' | '\u{fffc}' | '\u{13430}'..='\u{1343f}' | '\u{1d159}' | '\u{e0000}'..='\u{e0fff}');
        assert!(!c.is_control() && !hides, "{c:?} in {line:?}");
    }
}

/// Checks that a line for a program is visible, and has no isolates, which would make a name another one.
fn expect_exact(line: &str) {
    expect_visible(line);
    assert!(!line.contains(is_isolate), "an isolate in {line:?}");
}

/// Checks that a line is visible, and that each text that runs from right to left is between isolates, each of which ends.
fn expect_in_order(line: &str) {
    expect_visible(line);
    let mut is_isolated = false;
    for c in line.chars() {
        let runs_left = matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
        assert!(!runs_left || is_isolated, "{c:?} is not isolated in {line:?}");
        if is_isolate(c) {
            assert!(is_isolated == (c == '\u{2069}'), "isolates are not in pairs in {line:?}");
            is_isolated = !is_isolated;
        }
    }
    assert!(!is_isolated, "an isolate does not end in {line:?}");
}

/// A command that runs the program with these arguments in a folder.
pub fn command<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env_remove("COLUMNS");
    command.env("XDG_CACHE_HOME", caches());
    // The time is in a journal: so the same run makes the same one.
    command.env("SOURCE_DATE_EPOCH", "1769860800");
    command
}

/// The folder of compiled bots, instead of the user's own. All tests share one, as all runs of a user do.
pub fn caches() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/caches"))
}

/// A folder with bots in it, to run the program in.
pub struct Place(TempDir);

impl Place {
    pub fn empty() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    /// A folder with specimens of the zoo, each in a file NAME.wasm.
    pub fn with_specimens(names: &[&str]) -> Self {
        let place = Self::empty();
        for name in names {
            fs::write(place.path(&format!("{name}.wasm")), arena_testkit::zoo(name))
                .expect("it can be written");
        }
        place
    }

    /// A folder with the house bots for Battleship.
    pub fn with_house_bots() -> Self {
        let place = Self::empty();
        for name in ["hunter", "random", "sweeper"] {
            fs::copy(house_bot(name), place.path(&format!("{name}.wasm"))).expect("it can be copied");
        }
        place
    }

    /// A folder with the house bots for submarine.
    pub fn with_submarine_bots() -> Self {
        let place = Self::empty();
        for name in ["sub-random", "sub-tracker"] {
            fs::copy(house_bot(&format!("submarine/{name}")), place.path(&format!("{name}.wasm")))
                .expect("it can be copied");
        }
        place
    }

    /// A folder with an example game and its bot in Rust, in files with their names.
    pub fn with_game(game: &str, bot: &str) -> Self {
        let place = Self::empty();
        place.copy_game(game, bot);
        place
    }

    /// Copies an example game and its bot in Rust to files with their names.
    pub fn copy_game(&self, game: &str, bot: &str) {
        for (from, name) in
            [(format!("{game}/{game}.wasm"), game), (format!("{game}/bots/{bot}/{bot}.wasm"), bot)]
        {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games").join(from);
            assert!(from.is_file(), "{} is missing: build it with `cargo xtask bots`", from.display());
            fs::copy(from, self.path(&format!("{name}.wasm"))).expect("it can be copied");
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("it can be written");
    }

    /// Returns the transcripts in a folder, by file name without the number that the game has in its tournament.
    pub fn games(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let unnumbered = |name: String| name.split_once('-').expect("it begins with a number").1.to_owned();
        self.files(folder).into_iter().map(|(name, bytes)| (unnumbered(name), bytes)).collect()
    }

    /// Reads the transcripts in a folder, by file name, and checks that their events follow from each other by the rules.
    pub fn replayed<G: Listed>(&self, folder: &str) -> Vec<Transcript<G>> {
        let replayed = |(name, bytes): (String, Vec<u8>)| {
            let transcript = Transcript::read(&bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
            transcript.replay().unwrap_or_else(|error| panic!("{name}: {error}"));
            transcript
        };
        self.files(folder).into_iter().map(replayed).collect()
    }

    /// Changes a line, numbered from 1, of a transcript.
    pub fn alter(&self, transcript: &str, line: usize, change: impl Fn(&mut Value)) {
        let text = fs::read_to_string(self.path(transcript)).expect("it is a transcript");
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let mut value: Value = serde_json::from_str(&lines[line - 1]).expect("each line is JSON");
        change(&mut value);
        lines[line - 1] = value.to_string();
        self.write(transcript, lines.join("\n") + "\n");
    }

    /// Runs `arena` to its end with these arguments.
    pub fn arena(&self, args: &str) -> Run {
        let args: Vec<&str> = args.split_whitespace().collect();
        Run::of(&mut command(self.0.path(), &args))
    }

    /// Starts `arena` with these arguments, and returns the running process.
    pub fn start(&self, args: &str) -> Child {
        let args: Vec<&str> = args.split_whitespace().collect();
        let mut command = command(self.0.path(), &args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }

    /// Starts `arena run` with a journal, and returns the running process when it has played this number of games more.
    #[track_caller]
    pub fn start_and_play(&self, args: &str, journal: &str, more: u64) -> Child {
        let before = self.games_in(journal);
        let mut child = self.start(args);
        let played = wait_for(|| {
            assert!(child.try_wait().expect("it is ours").is_none(), "it ended before it could be disturbed");
            (self.games_in(journal) >= before + more).then_some(())
        });
        played.unwrap_or_else(|| panic!("{args}: {} games are played", self.games_in(journal)));
        child
    }

    /// The number of games in a journal, which may be being written. It is read without the program: a look has to take less time
    /// than the games that are left, or the run is over before the test sees that it goes on.
    pub fn games_in(&self, journal: &str) -> u64 {
        let open = || -> rusqlite::Result<u64> {
            let journal = Connection::open_with_flags(self.path(journal), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            journal.query_row("SELECT count(*) FROM game", [], |row| row.get(0))
        };
        // The journal does not exist from the start.
        open().unwrap_or(0)
    }

    /// Returns the files in a folder, by name.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(folder)).expect("the folder exists");
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

/// A file or a folder: its path, its permissions, and the content of a file.
type Entry = (PathBuf, Permissions, Option<Vec<u8>>);

/// What several tests begin with: it is made once, and each test gets a copy.
pub struct Beginning(OnceLock<Vec<Entry>>);

impl Beginning {
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub fn copy(&self, make: impl FnOnce() -> Place) -> Place {
        let entries = self.0.get_or_init(|| {
            let made = make();
            let mut entries = Vec::new();
            add_entries(made.folder(), Path::new(""), &mut entries);
            entries
        });
        let place = Place::empty();
        for (path, permissions, content) in entries {
            let to = place.folder().join(path);
            match content {
                Some(content) => fs::write(&to, content),
                None => fs::create_dir(&to),
            }
            .and_then(|()| fs::set_permissions(&to, permissions.clone()))
            .expect("it can be written");
        }
        place
    }
}

/// Adds the files and folders at a path below a folder, each folder before what is in it. A folder has no content.
fn add_entries(below: &Path, path: &Path, entries: &mut Vec<Entry>) {
    for entry in fs::read_dir(below.join(path)).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let (path, metadata) = (path.join(entry.file_name()), entry.metadata().expect("it is there"));
        let content = metadata.is_file().then(|| fs::read(entry.path()).expect("it can be read"));
        entries.push((path.clone(), metadata.permissions(), content));
        if metadata.is_dir() {
            add_entries(below, &path, entries);
        }
    }
}

/// The path of a house bot that `cargo xtask bots` has built.
pub fn house_bot(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots").join(name).with_extension("wasm");
    assert!(path.is_file(), "{} is missing: build it with `cargo xtask bots`", path.display());
    path
}
