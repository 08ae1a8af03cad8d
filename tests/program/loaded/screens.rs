//! A game that is a component on the screen.

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
