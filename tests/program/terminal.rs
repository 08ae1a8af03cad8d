//! The program in a pseudo-terminal, as its user sees it.

use crate::support::{Place, caches};
use arena_testkit::{CommandBuilder, Terminal};

/// Starts `arena` with words as arguments.
pub fn start(place: &Place, args: &str) -> Terminal {
    start_with(place, args, &[], (80, 24))
}

/// Starts `arena` with words as arguments, other values in its environment, and a terminal that says that it has these columns and rows.
pub fn start_with(place: &Place, args: &str, environment: &[(&str, &str)], size: (u16, u16)) -> Terminal {
    let mut command = Terminal::command(env!("CARGO_BIN_EXE_arena"), args);
    environment.iter().for_each(|(name, value)| command.env(name, value));
    run(place, command, size)
}

/// Starts a line of a shell, with `path` as its PATH.
pub fn start_line(place: &Place, line: &str, path: &str) -> Terminal {
    let mut command = Terminal::command("sh", "-c");
    command.arg(line);
    command.env("PATH", path);
    run(place, command, (80, 24))
}

/// Starts a command in a terminal of a size.
pub fn run(place: &Place, mut command: CommandBuilder, size: (u16, u16)) -> Terminal {
    command.cwd(place.folder());
    command.env("XDG_CACHE_HOME", caches());
    Terminal::start(size, command)
}

/// Places a random fleet and shoots once, in `arena play random.wasm`.
pub fn begin_to_play(terminal: &mut Terminal) {
    terminal.shows("place your ships");
    terminal.press("x");
    terminal.press("\r");
    terminal.shows("your turn");
    terminal.press("b7\r");
    terminal.shows("turn 1: random shoots");
}

/// Leaves a screen that ends at once.
pub fn quit(mut terminal: Terminal) {
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
}

/// Leaves the game of `arena play`. Returns the text that is left on the terminal.
pub fn leave_the_game(mut terminal: Terminal) -> String {
    terminal.press("q");
    terminal.shows("leave the game?");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0);
    text
}
