//! Screens of a program that panics, in a pseudo-terminal. The tests of the program have all else about terminals.

use arena_testkit::Terminal;

/// Shows a recorded game in one of the two ways of the program `screens`, and presses a key. Returns what is left on the terminal.
fn panic(mode: &str, shown: &str, key: &str) -> String {
    let game = format!("{}/tests/data/panic.jsonl", env!("CARGO_MANIFEST_DIR"));
    let command = Terminal::command(env!("CARGO_BIN_EXE_screens"), &format!("{mode} {game}"));
    let mut terminal = Terminal::start((80, 24), command);
    terminal.shows(shown);
    terminal.press(key);
    let (code, text) = terminal.end();
    assert_eq!(code, 101, "{text}");
    text
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let left = panic("replay", "the game is about to begin", "w");
    assert!(left.contains("a panic to be tried out"), "{left}");
}

#[test]
fn a_panic_of_the_game_is_shown_after_the_screen() {
    let left = panic("watch", "hunter wins", "q");
    assert!(left.contains("thread 'game' panicked") && left.contains("a panic to be tried out"), "{left}");
}
