//! A game that is a component on the screen.

use super::failures::with_game;
use crate::terminal;

#[test]
fn a_game_that_fails_is_not_called_a_failure_of_the_arena_on_any_screen() {
    let place = with_game("traps-in-observe");
    let run = "run --game game.wasm taker.wasm builtin:random --games 20 --jobs 1 --watch";
    for (args, phrase) in [
        (run, "stopped by an error"),
        ("watch --game game.wasm taker.wasm two.wasm", "the game itself failed"),
    ] {
        let mut terminal = terminal::start(&place, args);
        terminal.shows(phrase);
        assert!(!terminal.text().contains("the arena failed"), "{}", terminal.text());
        terminal.press("q");
        let (code, said) = terminal.end();
        assert_eq!(code, 3, "{said}");
    }
}
