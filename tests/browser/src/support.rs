//! Helpers of the tests: the built program, its bots, and a site that it has written.

use crate::browser::Kind;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// Programs that the tests need.
pub struct Requirements;

impl Requirements {
    /// The browsers that are installed. For each other one it prints how to install it. CI installs all, and sets
    /// `ARENA_BROWSER=required`; a missing one is then a failure.
    pub fn browsers() -> Vec<Kind> {
        let runs = |program: &&str| {
            Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        let is_required = std::env::var("ARENA_BROWSER").is_ok_and(|value| value == "required");
        let is_here = |kind: &Kind| {
            let is_here = kind.programs().iter().all(runs);
            let advice = format!("{kind:?} is missing: apt-get install {}", kind.packages());
            assert!(is_here || !is_required, "{advice}");
            if !is_here {
                eprintln!("skipped: {advice}");
            }
            is_here
        };
        Kind::ALL.into_iter().filter(is_here).collect()
    }

    /// The source of axe-core, which finds faults of accessibility, from the file that `ARENA_AXE` names. `cargo xtask test` fetches it
    /// from npm. Without it, the test that uses it is skipped.
    pub fn axe() -> Option<String> {
        let Some(path) = std::env::var_os("ARENA_AXE") else {
            eprintln!("skipped: ARENA_AXE does not name the file axe.min.js of npm's axe-core");
            return None;
        };
        Some(std::fs::read_to_string(path).expect("ARENA_AXE names the file axe.min.js"))
    }

    /// True if this process runs as root.
    pub fn as_root() -> bool {
        let id = Command::new("id").arg("-u").output().expect("there is an id command");
        id.stdout.trim_ascii() == b"0"
    }
}

/// A folder with journals, and the sites that the program has made from them. All tests share it and only read it.
pub struct Place(PathBuf);

impl Place {
    /// Makes an empty folder in place of that of an earlier run.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("the folder of an earlier run can be removed");
        }
        std::fs::create_dir_all(&folder).expect("a new folder");
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs the program with words as arguments. Returns its output.
    pub fn arena(&self, words: &str) -> String {
        let output = Command::new(program())
            .args(words.split_whitespace())
            .current_dir(&self.0)
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {error}");
        String::from_utf8(output.stdout).expect("it prints UTF-8")
    }

    /// A contest of the bots for Battleship, with the site of it.
    pub fn contest() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| {
            let place = Place::new("contest");
            let bots = ["hunter", "random", "sweeper"].map(bot).join(" ");
            place.arena(&format!("run {bots} --games 12 --journal arena.db --seed 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
            place.arena("report arena.db -o site --title Contest");
            place
        });
        &PLACE
    }

    /// A season of two stages, with the site of it: `hunter` has an older version, which plays like `random`.
    pub fn season() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| {
            let place = Place::new("season");
            for (stage, files) in
                [("first", ["random", "sweeper", "random"]), ("second", ["hunter", "sweeper", "random"])]
            {
                std::fs::create_dir(place.path(stage)).expect("a new folder");
                for (file, label) in files.into_iter().zip(["hunter", "sweeper", "random"]) {
                    // Two bots of a stage need two components: the first version has a section more.
                    let mut bytes = std::fs::read(bot(file)).expect("it is built");
                    if stage == "first" && label == "hunter" {
                        bytes.extend([0, 2, 1, b'v']);
                    }
                    std::fs::write(place.path(stage).join(label).with_extension("wasm"), bytes)
                        .expect("it is written");
                }
                let seed = if stage == "first" { "1" } else { "2" }.repeat(64);
                place.arena(&format!("run {stage} --games 8 --journal arena.db --seed {seed}"));
            }
            place.arena("report arena.db -o site --title Season --downloads all");
            place
        });
        &PLACE
    }

    /// A match of submarine, with the site of it.
    pub fn submarine() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| {
            let place = Place::new("submarine");
            let bots = ["submarine/sub-random", "submarine/sub-tracker"].map(bot).join(" ");
            place.arena(&format!("run {bots} --games 2 --journal arena.db --seed 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
            place.arena("report arena.db -o site --title Submarine");
            place
        });
        &PLACE
    }

    /// A match in a game that is a component, with pictures of its own as text, and the site of it.
    pub fn pictured() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| Place::with_game("pictured", "matches"));
        &PLACE
    }

    /// The same in a game that also draws.
    pub fn drawn() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| Place::with_game("drawn", "drawn"));
        &PLACE
    }

    fn with_game(name: &str, game: &str) -> Self {
        let place = Place::new(name);
        let [game, taker, other] = [game, "taker", "other"].map(component);
        place.arena(&format!("run --game {game} {taker} {other} --games 2 --journal arena.db --seed 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
        std::fs::create_dir(place.path("logs")).expect("a new folder");
        std::fs::write(place.path("logs/1-taker-vs-other.seat1.log"), "turn 1: one taken\n")
            .expect("it is written");
        place.arena("report arena.db -o site --title Pictured --logs logs");
        place
    }

    /// A game of Battleship with logs, which have marks and notes, and the site of it.
    pub fn logged() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| Place::with_logs("logged", ""));
        &PLACE
    }

    /// A game on the largest boards, with logs, and the site of it.
    pub fn large() -> &'static Self {
        static PLACE: LazyLock<Place> = LazyLock::new(|| Place::with_logs("large", "--width 32 --height 32"));
        &PLACE
    }

    /// A game of bots that print nothing, with logs as if they did. Their lines are in the form of `arena run --logs`.
    fn with_logs(name: &str, options: &str) -> Self {
        let place = Self::new(name);
        let bots = ["density", "hunter"].map(bot).join(" ");
        place.arena(&format!("run {bots} --games 1 {options} --journal arena.db --seed 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
        std::fs::create_dir(place.path("logs")).expect("a new folder");
        let turn = |turn: u32| {
            format!(
                "turn {turn}: @mark b9 1\nturn {turn}: @mark a9 0.{}\nturn {turn}: @text c9 <x\nturn {turn}: @line d9 j9\nturn {turn}: @line k9 j9\nturn {turn}: @note thought {turn}\nturn {turn}: it is so{}\n",
                turn % 10,
                " and so".repeat(100)
            )
        };
        let log: String = (1..=1_000).map(turn).collect();
        std::fs::write(place.path("logs/1-density-vs-hunter.seat1.log"), log).expect("it is written");
        place.arena("report arena.db -o site --title Logs --logs logs");
        place
    }

    /// True if the site has a page.
    pub fn has_page(&self, path: &str) -> bool {
        self.path("site").join(path.split('#').next().unwrap_or(path)).is_file()
    }

    /// The address of a page of the site on the disk.
    pub fn page(&self, path: &str) -> String {
        format!("file://{}/{path}", self.path("site").display())
    }
}

/// The program that was built with the profile of these tests.
pub fn program() -> PathBuf {
    let tests = std::env::current_exe().expect("the tests are a program");
    let program = tests.ancestors().nth(2).expect("it is in a target directory").join("arena");
    assert!(
        program.is_file(),
        "{} is missing: cargo build --release --workspace --bin arena",
        program.display()
    );
    program
}

/// The path of a component of `data`, which a test of `arena-testkit` makes.
pub fn component(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/{name}.wasm")).display().to_string()
}

/// The path of a house bot.
pub fn bot(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../bots/{name}.wasm"));
    assert!(path.is_file(), "{} is missing: build it with `cargo xtask bots`", path.display());
    path.display().to_string()
}

/// The program while it serves pages. It ends with this value.
pub struct Serving {
    child: Child,
    pub address: String,
}

impl Serving {
    /// Starts a command that prints the address of its pages first.
    pub fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its address");
        Self { child, address: line.trim().to_owned() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
