//! The README's commands work as they are written.
//!
//! Commands of `arena` are run here, in a terminal if they need one. Those of cargo are run by `cargo xtask test` itself.

use crate::support::{Place, caches, house_bot};
use crate::terminal::Terminal;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// The blocks in a language.
fn blocks(language: &str) -> impl Iterator<Item = &'static str> {
    let starts = README.split("```").skip(1).step_by(2);
    starts.filter_map(move |block| block.strip_prefix(language)?.strip_prefix('\n'))
}

/// The lines of all blocks marked `sh`.
fn commands() -> Vec<&'static str> {
    blocks("sh").flat_map(str::lines).collect()
}

/// True if a command has a screen, and so needs a terminal.
fn has_screen(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
    match words[1] {
        "watch" | "play" => true,
        "replay" => !words.contains(&"--headless"),
        _ => words.contains(&"--watch"),
    }
}

/// Runs a command in a terminal, waits for its screen and quits it with the keys that the screen shows.
fn look_at(place: &Place, line: &str, path: &str) {
    let mut terminal = Terminal::start_line(place, line, path);
    terminal.shows("? help");
    if line.starts_with("arena play ") {
        terminal.shows("place your ships");
        terminal.press("q");
        terminal.shows("leave the game?");
    }
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{line}:\n{text}");
}

#[test]
fn every_command_of_the_arena_in_the_readme_succeeds() {
    let place = Place::empty();
    std::fs::create_dir_all(place.path("bots/submarine")).unwrap();
    for bot in ["hunter", "random", "sweeper", "submarine/sub-random", "submarine/sub-tracker"] {
        std::fs::copy(house_bot(bot), place.path(&format!("bots/{bot}.wasm"))).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    // Bots that an author builds are not here; `cargo xtask test --all-languages` builds and runs one in each language.
    let here = |line: &&&str| line.starts_with("arena ") && !line.contains("my-bot.wasm");
    let lines = commands();
    let mut run = 0;
    for line in lines.iter().filter(here) {
        run += 1;
        if has_screen(line) {
            look_at(&place, line, &path);
            continue;
        }
        let shell = Command::new("sh")
            .args(["-c", line])
            .current_dir(place.folder())
            .env("PATH", &path)
            .env("XDG_CACHE_HOME", caches())
            .output();
        let output = shell.expect("there is a shell");
        assert!(output.status.success(), "{line}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(run >= 5, "the README shows more than {run} commands of the arena");
}

#[test]
fn the_rules_that_the_readme_shows_can_be_played() {
    let files: Vec<&str> = blocks("toml").collect();
    assert!(!files.is_empty(), "the README shows a rules file");
    for rules in files {
        let (place, bots) = if rules.contains("submarine") {
            (Place::with_submarine_bots(), "sub-random.wasm sub-tracker.wasm")
        } else {
            (Place::with_house_bots(), "hunter.wasm random.wasm")
        };
        place.write("rules.toml", rules);
        place.arena(&format!("run {bots} --rules rules.toml --games 2")).expect_code(0);
    }
}

#[test]
fn the_bot_that_the_readme_shows_is_the_one_that_it_names() {
    let bot = include_str!("../../examples/first-bot/src/lib.rs");
    assert_eq!(blocks("rust").collect::<Vec<_>>(), [bot]);
    assert!(README.contains("(examples/first-bot/src/lib.rs)"));
}

#[test]
fn every_xtask_command_in_the_readme_is_known() {
    let tasks: Vec<&str> =
        commands().into_iter().filter_map(|line| line.strip_prefix("cargo xtask ")).collect();
    assert_eq!(tasks, ["demo", "test"]);
}

#[test]
fn every_file_that_the_readme_links_to_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let links = README.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    for link in links.filter(|link| !link.starts_with("https://")) {
        assert!(root.join(link).exists(), "{link}");
    }
}
