//! A game that is a component on the screen.

use super::failures::with_game;
use crate::support::Place;
use crate::terminal::Terminal;

#[test]
fn a_game_is_watched_as_it_is_played() {
    let place = Place::with_game("connect-four", "one-ahead");
    let mut terminal =
        Terminal::start(&place, "watch --game connect-four.wasm one-ahead.wasm builtin:random");
    terminal.shows("connect-four");
    terminal.shows("one-ahead wins");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_person_plays_with_actions_as_text() {
    let place = Place::with_game("connect-four", "one-ahead");
    let mut terminal = Terminal::start(&place, "play --game connect-four.wasm one-ahead.wasm");
    terminal.shows("your turn");
    terminal.press("3\r");
    terminal.shows("turn 1: human plays 3: 5");
    // The letters are for an action.
    terminal.press("\u{3}");
    terminal.end();
}

#[test]
fn a_game_that_fails_is_not_called_a_failure_of_the_arena_on_any_screen() {
    let place = with_game("traps-in-observe");
    let run = "run --game game.wasm taker.wasm builtin:random --games 20 --jobs 1 --watch";
    for (args, phrase) in [
        (run, "stopped by an error"),
        ("watch --game game.wasm taker.wasm two.wasm", "the game itself failed"),
    ] {
        let mut terminal = Terminal::start(&place, args);
        terminal.shows(phrase);
        assert!(!terminal.text().contains("the arena failed"), "{}", terminal.text());
        terminal.press("q");
        let (code, said) = terminal.end();
        assert_eq!(code, 3, "{said}");
    }
}
