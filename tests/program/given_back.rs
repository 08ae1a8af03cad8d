//! The terminal of a screen: taken, answered, and given back, however the screen ends.

use crate::support::Place;
use crate::terminal::{quit, run, start_line, start_with};
use arena_testkit::{Terminal, wait_for};
use rustix::process::Signal;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const SIZE: (u16, u16) = (80, 24);

/// A file of the tests of the screens.
fn file_of_screens(path: &str) -> String {
    format!("{}/crates/tui/tests/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// The arguments that replay a recorded game.
fn replay(game: &str) -> String {
    format!("replay {}", file_of_screens(&format!("data/{game}.jsonl")))
}

/// A recorded game on a screen, with other values in the environment.
fn replayed(game: &str, environment: &[(&str, &str)]) -> Terminal {
    let mut terminal = start_with(&Place::empty(), &replay(game), environment, SIZE);
    terminal.shows("? help");
    terminal
}

/// A picture of a game's screen, as its own tests have it, without the keys at the bottom: there, the game cannot be saved.
fn picture(name: &str) -> String {
    let path = file_of_screens(&format!("snapshots/tui__pictures__{name}.snap"));
    let text = fs::read_to_string(path).unwrap();
    let picture = text.splitn(3, "---\n").nth(2).unwrap().trim_end();
    picture.rsplit_once('\n').unwrap().0.to_owned()
}

#[test]
fn a_replay_draws_pauses_steps_resizes_and_gives_the_terminal_back() {
    // Without colours, boards are drawn in characters.
    let mut terminal = replayed("guide", &[("NO_COLOR", "1")]);
    assert!(terminal.see(|screen| screen.alternate_screen() && screen.hide_cursor()));
    assert!(terminal.is_taken(), "keys come one by one");
    terminal.shows(&picture("beginning_small"));
    terminal.press("\x1b[C\x1b[C\x1b[C");
    terminal.shows(" 3/124");
    terminal.press(" ");
    terminal.shows("playing 4/s");
    terminal.press(" ");
    terminal.shows("paused");
    terminal.press("\x1b[D");
    terminal.press("g30\r");
    terminal.shows("61/124");
    terminal.resize((120, 40));
    terminal.shows(&picture("middle_large"));
    for size in [(40, 10), (1, 1)] {
        terminal.resize(size);
        terminal.shows(if size.0 > 1 { "too small: needs 60×20, is 40×10" } else { "…" });
    }
    terminal.resize(SIZE);
    terminal.shows(&picture("middle_small"));
    quit(terminal);
}

#[test]
fn a_terminal_without_a_size_is_drawn_as_the_usual_one_until_it_has_one() {
    let mut terminal = start_with(&Place::empty(), &replay("guide"), &[("NO_COLOR", "1")], (0, 0));
    terminal.shows(&picture("beginning_small"));
    terminal.resize((120, 40));
    terminal.press("g30\r");
    terminal.shows(&picture("middle_large"));
    quit(terminal);
}

#[test]
fn ctrl_c_and_signals_that_end_a_program_end_the_screen_first() {
    for signal in [None, Some(Signal::TERM), Some(Signal::HUP), Some(Signal::INT)] {
        let mut terminal = replayed("submarine", &[]);
        match signal {
            None => terminal.press("\x03"),
            Some(signal) => terminal.signal(signal),
        }
        let (code, text) = terminal.end();
        assert_eq!(code, 130, "{signal:?}: {text}");
        assert!(text.contains("interrupted"), "{signal:?}: {text}");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_brings_the_screen_back() {
    let place = Place::with_house_bots();
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap().display();
    for (args, shown) in [
        (replay("guide").as_str(), "the game is about to begin"),
        ("run hunter.wasm random.wasm --games 100000 --watch", " of 100,000 games"),
    ] {
        let line = format!("set -m; arena {args}; echo the job is stopped; read line; fg");
        let mut terminal = start_line(&place, &line, &format!("{program}:/usr/bin:/bin"));
        terminal.shows(shown);
        terminal.press("\x1a");
        terminal.shows("the job is stopped");
        assert!(!terminal.see(|screen| screen.alternate_screen() || screen.hide_cursor()), "{args}");
        terminal.press("\n");
        terminal.shows("? help");
        terminal.shows(shown);
        assert!(terminal.see(|screen| screen.alternate_screen() && screen.hide_cursor()), "{args}");
        terminal.press("\x03");
        terminal.end();
    }
}

#[test]
fn ctrl_l_draws_the_screen_again() {
    let mut terminal = replayed("guide", &[]);
    let drawn = terminal.text();
    terminal.scribble(b"\x1b[2J\x1b[Hlitter");
    terminal.press("\x0c");
    terminal.shows(drawn.trim_end());
    quit(terminal);
}

#[test]
fn the_mouse_is_used_and_given_back() {
    let mut terminal = replayed("guide", &[]);
    assert_ne!(terminal.see(vt100::Screen::mouse_protocol_mode), vt100::MouseProtocolMode::None);
    // The button is pressed on the bar, near its end, as the terminal reports it: column and row from 1.
    terminal.press("\x1b[<0;60;23M");
    let position = |text: String| text.split("/124").next()?.rsplit(' ').next()?.parse::<u32>().ok();
    assert!(wait_for(|| position(terminal.text()).filter(|&at| at >= 80)).is_some(), "{}", terminal.text());
    quit(terminal);
}

#[test]
fn a_screen_on_which_nothing_happens_takes_less_than_a_hundredth_of_a_core() {
    let terminal = replayed("guide", &[]);
    let ticks = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", terminal.id())).unwrap();
        // After the name in brackets: user and system time, in hundredths of a second.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (before, begun) = (ticks(), Instant::now());
    thread::sleep(Duration::from_secs(2));
    let used = ticks() - before;
    assert!(used <= begun.elapsed().as_secs(), "{used} ticks");
    quit(terminal);
}

#[test]
fn the_environment_decides_on_colours_and_characters() {
    for (environment, has_colours, is_ascii) in [
        (&[][..], true, false),
        (&[("NO_COLOR", "1")], false, false),
        (&[("NO_COLOR", "")], true, false),
        (&[("LC_ALL", "C")], true, true),
    ] {
        let mut terminal = replayed("overruns", environment);
        terminal.press("\x1b[F");
        terminal.shows("sweeper wins");
        let is_coloured = terminal.see(|screen| {
            let mut cells =
                (0..24).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
            cells.any(|cell| cell.fgcolor() != vt100::Color::Default)
        });
        assert_eq!(is_coloured, has_colours, "{environment:?}");
        assert_eq!(terminal.text().is_ascii(), is_ascii, "{}", terminal.text());
        quit(terminal);
    }
    let dumb = start_with(&Place::empty(), &replay("guide"), &[("TERM", "dumb")], SIZE);
    let (code, text) = dumb.end();
    assert!(code == 2 && text.contains("not a terminal that can show a screen"), "{text}");
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let place = Place::with_house_bots();
    for args in [
        replay("guide").as_str(),
        "watch hunter.wasm random.wasm",
        "play random.wasm",
        "run hunter.wasm random.wasm --games 4 --watch",
    ] {
        // A terminal that does not control the program sends it no signal.
        for is_told in [true, false] {
            let mut command = Terminal::command(env!("CARGO_BIN_EXE_arena"), args);
            command.set_controlling_tty(is_told);
            let mut terminal = run(&place, command, SIZE);
            terminal.shows("? help");
            terminal.hang_up();
        }
    }
}
