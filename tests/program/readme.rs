//! The commands of the README and of the guide work as they are written, and the pages are where their links lead.
//!
//! Commands of `arena` are run here, in a terminal if they need one.

use crate::submarine::Serving;
use crate::support::{Place, caches, command, house_bot, signal};
use crate::terminal;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The most bytes that the README may have. Chosen: a stranger reads it whole.
const README_BYTES_MAX: usize = 10_000;

/// The folder of the guide's pages.
const GUIDE: &str = "docs/guide/src";

/// Pages with commands that a test or a task elsewhere runs, and the file of that test or task.
const ELSEWHERE: [(&str, &str); 15] = [
    ("docs/guide/src/club.md", "tests/program/club/season.rs"),
    ("docs/guide/src/privacy.md", "tests/program/club/season.rs"),
    ("docs/guide/src/games.md", "xtask/src/languages/games.rs"),
    ("docs/guide/src/remote-workers.md", "tests/remote/docs.rs"),
    ("docs/guide/src/journal-format.md", "host/crates/store/tests/documented.rs"),
    ("docs/guide/src/tour.md", "xtask/src/languages.rs"),
    ("docs/guide/src/beating-hunter.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/rust.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/python.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/javascript.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/c.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/go.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/cpp.md", "xtask/src/languages.rs"),
    ("docs/guide/src/languages/zig.md", "xtask/src/languages.rs"),
    ("docs/guide/src/toolchain.md", "xtask/src/debian.rs"),
];

/// Commands of cargo and of a new bot's folder: each is also in the file that is named, whose commands CI or a task runs.
const OTHERS: [(&str, &str); 6] = [
    ("cargo xtask demo", ".ci/run"),
    ("cargo xtask test", ".ci/run"),
    ("cargo install --path host --locked", ".ci/run"),
    ("cargo test", "docs/guide/src/languages/rust.md"),
    ("cargo run --example practice", "docs/guide/src/languages/rust.md"),
    (BUILD, "docs/guide/src/languages/rust.md"),
];

/// The command that builds a new bot. Here, this house bot takes the place of what it would build.
const BUILD: &str = "arena build";
const STAND_IN: &str = "bots/sweeper.wasm";

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The README, and the pages of the guide, also those in folders.
fn pages() -> Vec<String> {
    let mut pages = pages_in(GUIDE);
    pages.sort();
    pages.insert(0, "README.md".into());
    pages
}

/// The pages in a folder and the folders inside it.
fn pages_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(file(folder)).expect("it is a folder").map(|entry| entry.expect("an entry"));
    let paths = entries.map(|entry| format!("{folder}/{}", entry.file_name().to_str().expect("a name")));
    let pages = paths.flat_map(|path| if file(&path).is_dir() { pages_in(&path) } else { vec![path] });
    pages.filter(|path| path.ends_with(".md")).collect()
}

/// The blocks of a page in a language, in which a list may indent them.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).map(str::to_owned).collect()
}

/// The commands of a block.
fn commands(block: &str) -> impl Iterator<Item = &str> {
    block.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A command without the comment behind it.
fn bare(line: &str) -> &str {
    line.split(" # ").next().unwrap_or(line).trim()
}

/// True if a command has a screen, and so needs a terminal.
fn has_screen(line: &str) -> bool {
    let args: Vec<&str> = bare(line).split_whitespace().collect();
    match args[1] {
        "watch" | "play" => true,
        "replay" => !args.contains(&"--headless"),
        _ => args.contains(&"--watch"),
    }
}

/// A reader of a page, who types its commands in a folder with the house bots.
struct Reader {
    place: Place,
    /// The PATH, on which the program comes first.
    path: String,
}

impl Reader {
    fn new() -> Self {
        let place = Place::empty();
        fs::create_dir_all(place.path("bots/submarine")).unwrap();
        for bot in ["hunter", "random", "sweeper", "submarine/sub-random", "submarine/sub-tracker"] {
            fs::copy(house_bot(bot), place.path(&format!("bots/{bot}.wasm"))).unwrap();
        }
        let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        Self { place, path }
    }

    /// Types the commands of a block, one after the other.
    fn follow(&self, page: &str, block: &str) {
        let is_in_folder_of_bot = block.contains("my-bot.wasm") && !block.contains("arena new ");
        let mut folder = if is_in_folder_of_bot { "my-bot" } else { "." };
        for line in commands(block) {
            let command = bare(line);
            if let Some(inner) = command.strip_prefix("cd ") {
                folder = inner;
            } else if let Some((_, runs)) = OTHERS.iter().find(|(other, _)| *other == command) {
                assert!(read(runs).contains(command), "{page}: `{command}` is not run by {runs}");
                if command == BUILD {
                    let built = format!("{folder}/{folder}.wasm");
                    fs::copy(self.place.path(STAND_IN), self.place.path(&built)).unwrap();
                }
            } else if let Some(args) = command.strip_prefix("arena serve ") {
                self.serve(args);
            } else if command.ends_with(" --web") {
                self.open(page, command);
            } else {
                assert!(command.starts_with("arena "), "{page}: it is not known what runs `{command}`");
                if has_screen(line) { self.look_at(page, line) } else { self.run(page, folder, line) }
            }
        }
    }

    fn run(&self, page: &str, folder: &str, line: &str) {
        let shell = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.place.path(folder))
            .env("PATH", &self.path)
            .env("XDG_CACHE_HOME", caches())
            .output();
        let output = shell.expect("there is a shell");
        // A machine on which a measure of the sandbox is unavailable is described as well as any other.
        let is_described = line.contains("check --sandbox") && output.status.code() == Some(6);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || is_described, "{page}: {line}\n{error}");
    }

    /// Runs a command in a terminal, waits for its screen and quits it with the keys that the screen shows.
    fn look_at(&self, page: &str, line: &str) {
        let mut terminal = terminal::start_line(&self.place, line, &self.path);
        terminal.shows("? help");
        if line.starts_with("arena play ") {
            terminal.shows("place your ships");
            terminal.press("q");
            terminal.shows("leave the game?");
        }
        terminal.press("q");
        let (code, text) = terminal.end();
        assert_eq!(code, 0, "{page}: {line}\n{text}");
    }

    /// Starts a server on a free port instead of the one that is named, and ends it once it listens.
    /// Runs a command that serves a page, waits for its address, and ends it with Ctrl-C.
    fn open(&self, page: &str, line: &str) {
        let args: Vec<&str> = line.split_whitespace().skip(1).collect();
        let mut child =
            command(self.place.folder(), &args).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut said = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut said).expect("it says something");
        signal(&child, "INT");
        child.wait().expect("it ends");
        assert!(said.contains("http://127.0.0.1:"), "{page}: {line}: {said}");
    }

    fn serve(&self, args: &str) {
        let (_, options) = args.split_once(' ').unwrap_or((args, ""));
        let server = Serving::start(&self.place, &format!("serve 0 {options}"));
        server.interrupt();
        server.end();
    }
}

#[test]
fn every_command_of_the_readme_and_the_guide_succeeds() {
    let mut count = 0;
    for page in pages().into_iter().filter(|page| ELSEWHERE.iter().all(|(other, _)| other != page)) {
        let blocks = blocks(&read(&page), "sh");
        // The commands of a page need what those before them have made, and nothing else.
        let reader = Reader::new();
        for block in &blocks {
            reader.follow(&page, block);
            count += commands(block).count();
        }
    }
    assert!(count >= 80, "only {count} commands were found");
}

#[test]
fn each_page_has_journals_of_its_own() {
    let mut page_of = BTreeMap::new();
    for page in pages() {
        let text = read(&page);
        let blocks = blocks(&text, "sh").join("\n");
        let journals = blocks.split_whitespace().filter(|word| word.ends_with(".db"));
        for journal in journals.map(str::to_owned).collect::<BTreeSet<_>>() {
            if let Some(other) = page_of.insert(journal.clone(), page.clone()) {
                panic!(
                    "{journal} of {other} is used by {page}: a reader of both continues a season of other bots"
                );
            }
        }
    }
    assert!(page_of.len() >= 8, "{page_of:?}");
}

#[test]
fn the_rules_that_the_guide_shows_can_be_played() {
    let mut count = 0;
    for page in pages() {
        for rules in blocks(&read(&page), "toml") {
            let place = Place::with_house_bots();
            place.write("rules.toml", rules);
            place.arena("run hunter.wasm random.wasm --rules rules.toml --games 2").expect_code(0);
            count += 1;
        }
    }
    assert_eq!(count, 1);
}

#[test]
fn the_bot_that_the_pages_show_is_the_one_that_they_name() {
    let bot = read("examples/first-bot/src/lib.rs");
    assert_eq!(blocks(&read("docs/guide/src/authors.md"), "rust"), [bot.as_str()]);
    let shown = blocks(&read("README.md"), "rust");
    assert!(shown.len() == 1 && bot.contains(&shown[0]), "{shown:?}");
    for page in ["README.md", "docs/guide/src/authors.md"] {
        assert!(read(page).contains("examples/first-bot/src/lib.rs)"), "{page} names its file");
    }
}

#[test]
fn the_readme_can_be_read_whole() {
    let bytes = read("README.md").len();
    assert!(bytes <= README_BYTES_MAX, "README.md has {bytes} bytes: move something to {GUIDE}");
}

#[test]
fn the_readme_and_the_changelog_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("README.md").contains(&format!("arena-{version}-x86_64-pc-windows-gnu.zip")));
    let changelog = read("CHANGELOG.md");
    let latest = changelog.lines().find(|line| line.starts_with("## ["));
    assert!(latest.is_some_and(|line| line.starts_with(&format!("## [{version}] - "))), "{latest:?}");
}

#[test]
fn the_summary_lists_every_page_of_the_guide_once() {
    let summary = read("docs/guide/src/SUMMARY.md");
    let mut listed: Vec<&str> = links(&summary).collect();
    listed.sort_unstable();
    let pages = pages();
    let guide = pages.iter().filter_map(|page| page.strip_prefix("docs/guide/src/"));
    let others: Vec<&str> = guide.filter(|page| *page != "SUMMARY.md").collect();
    assert_eq!(listed, others);
}

#[test]
fn every_file_that_a_page_links_to_exists() {
    for page in pages() {
        for link in links(&read(&page)).filter(|link| !link.starts_with("https://")) {
            let target = link.split('#').next().unwrap_or(link);
            let target = file(&page).parent().unwrap().join(target);
            assert!(target.exists(), "{page}: {link} leads nowhere");
        }
    }
}

#[test]
fn pages_whose_commands_are_run_elsewhere_are_named_there() {
    for (page, runs) in ELSEWHERE {
        let folder = Path::new(page).parent().unwrap().file_name().unwrap().to_str().unwrap();
        let name = Path::new(page).file_name().unwrap().to_str().unwrap();
        let text = read(runs);
        assert!(
            text.contains(name) || folder == "languages" && text.contains("languages/"),
            "{runs}: {page}"
        );
    }
}

/// The targets of a page's links and pictures.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link)
}

#[test]
fn the_picture_of_the_readme_is_a_game_of_two_house_bots() {
    const PICTURE: &str = "docs/guide/src/images/game.gif";
    let place = Place::empty();
    // Those that are built in: the games of files depend on the compiler that made them.
    place.arena("run builtin:hunter builtin:random --games 1 --seed 12 --journal season.db").expect_code(0);
    place.arena("replay season.db 1 --gif game.gif").expect_code(0);
    let picture = fs::read(place.path("game.gif")).expect("it was written");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(file(PICTURE), &picture).expect("the picture can be written");
    }
    let kept = fs::read(file(PICTURE)).expect("the picture is there");
    assert!(kept == picture, "{PICTURE} is not current: write it with INSTA_UPDATE=always");
}
