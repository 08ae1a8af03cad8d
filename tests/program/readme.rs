//! The README's commands work as they are written.
//!
//! Those of `arena` are run here, in a terminal where they need one, those of cargo by `cargo xtask test` itself.

use crate::support::{Place, caches, house_bot};
use crate::terminal::Terminal;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// The lines of all shell blocks.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    blocks.flat_map(|(block, _)| block.lines()).collect()
}

/// Whether a command has a screen, and so needs a terminal.
fn has_screen(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
    match words[1] {
        "watch" | "play" => true,
        "replay" => !words.contains(&"--headless"),
        _ => words.contains(&"--watch"),
    }
}

/// Runs a command in a terminal, looks at its screen and leaves it, as its footer says.
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
fn every_command_of_the_arena_in_the_readme_ends_well() {
    let place = Place::empty();
    std::fs::create_dir_all(place.path("bots/submarine")).unwrap();
    for bot in ["hunter", "random", "sweeper", "submarine/sub-random", "submarine/sub-tracker"] {
        std::fs::copy(house_bot(bot), place.path(&format!("bots/{bot}.wasm"))).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    // Bots that an author builds are not here; building and running one is for `cargo xtask test`.
    let here = |line: &&&str| line.starts_with("arena ") && !line.contains("target/");
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
    assert!(run >= 5, "the README shows more than {run} commands");
}

#[test]
fn the_rules_that_the_readme_writes_can_be_played() {
    let rules =
        README.split("```toml\n").nth(1).and_then(|rest| rest.split_once("```")).expect("a block of rules").0;
    let place = Place::with_house_bots();
    place.write("small.toml", rules);
    place.arena("run hunter.wasm random.wasm --rules small.toml --games 2").expect_code(0);
}

#[test]
fn every_chore_in_the_readme_is_one_that_xtask_knows() {
    let chores: Vec<&str> =
        commands().into_iter().filter_map(|line| line.strip_prefix("cargo xtask ")).collect();
    assert_eq!(chores, ["demo", "test"]);
}

#[test]
fn every_file_that_the_readme_links_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let links = README.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    for link in links.filter(|link| !link.starts_with("https://")) {
        assert!(root.join(link).exists(), "{link}");
    }
}
