//! The screens in a real pseudo-terminal: the program `screens` draws, answers keys, and gives the terminal back.

use crate::common;
use arena_rules::battleship::Battleship;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use vt100::{Parser, Screen};

/// The time that a test waits for a picture or an end that should come at once. It ends a test that would hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, which cargo builds with the tests.
const PROGRAM: &str = env!("CARGO_BIN_EXE_screens");

pub fn data(name: &str) -> String {
    format!("{}/tests/data/{name}.jsonl", env!("CARGO_MANIFEST_DIR"))
}

fn side(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}

/// The program in a terminal.
pub struct Session {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    picture: Arc<Mutex<Parser>>,
    reader: Option<JoinHandle<()>>,
    /// True if the reader is to end with its next read.
    hangs_up: Arc<AtomicBool>,
    /// The handling of lines and echo by the terminal before.
    modes: Option<String>,
}

impl Session {
    fn start(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start_command(OsStr::new(PROGRAM), arguments, |command| {
            environment.iter().for_each(|(name, value)| command.env(name, value));
        })
    }

    /// The program in a terminal that says that it has these columns and rows. It shows 80 by 24 of them, or fewer.
    pub fn start_sized(arguments: &[&str], (cols, rows): (u16, u16)) -> Self {
        let size = PtySize { rows, cols, ..PtySize::default() };
        Self::start_in(size, OsStr::new(PROGRAM), arguments, |_| {})
    }

    /// The program as a job of a shell, which says so when it is stopped, and continues it after a line.
    fn start_in_shell(arguments: &[&str]) -> Self {
        let script = "set -m; \"$@\"; echo the job is stopped; read line; fg";
        let words = ["-c", script, "sh", PROGRAM];
        Self::start_command("sh".as_ref(), &[&words, arguments].concat(), |_| {})
    }

    fn start_command(program: &OsStr, arguments: &[&str], change: impl FnOnce(&mut CommandBuilder)) -> Self {
        Self::start_in(PtySize { rows: 24, cols: 80, ..PtySize::default() }, program, arguments, change)
    }

    fn start_in(
        size: PtySize,
        program: &OsStr,
        arguments: &[&str],
        change: impl FnOnce(&mut CommandBuilder),
    ) -> Self {
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = modes(pair.master.as_ref());
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        command.env_remove("COLORTERM");
        command.env("LC_ALL", "C.UTF-8");
        change(&mut command);
        let child = pair.slave.spawn_command(command).unwrap();
        let mut output = pair.master.try_clone_reader().unwrap();
        let shown = |cells: u16, usual: u16| side(if cells == 0 { usual } else { cells.min(usual) });
        let picture = Arc::new(Mutex::new(Parser::new(shown(size.rows, 24), shown(size.cols, 80), 0)));
        let hangs_up = Arc::new(AtomicBool::new(false));
        let reader = Some({
            let (picture, hangs_up) = (Arc::clone(&picture), Arc::clone(&hangs_up));
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                // It ends when the program does: with the end of the file, or with an error.
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    picture.lock().unwrap().process(&bytes[..count]);
                    if hangs_up.load(Ordering::SeqCst) {
                        break;
                    }
                }
            })
        });
        let keys = Some(pair.master.take_writer().unwrap());
        Self { master: Some(pair.master), keys, child, picture, reader, hangs_up, modes }
    }

    fn see<T>(&self, look: impl FnOnce(&Screen) -> T) -> T {
        look(self.picture.lock().unwrap().screen())
    }

    /// The contents of the screen, without the spaces at the ends of lines.
    fn contents(&self) -> String {
        let contents = self.see(Screen::contents);
        contents.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Waits until the screen shows something.
    pub fn wait_for(&self, words: &str) {
        let begun = Instant::now();
        while !self.contents().contains(words) {
            assert!(begun.elapsed() < PATIENCE, "{words:?} is not on the screen:\n{}", self.contents());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    pub fn resize(&self, cols: u16, rows: u16) {
        self.picture.lock().unwrap().screen_mut().set_size(side(rows), side(cols));
        self.master.as_ref().unwrap().resize(PtySize { rows, cols, ..PtySize::default() }).unwrap();
    }

    /// Closes the terminal, as a window is closed.
    fn hang_up(&mut self) {
        self.hangs_up.store(true, Ordering::SeqCst);
        self.press("?");
        self.reader.take().unwrap().join().unwrap();
        self.keys = None;
        self.master = None;
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    fn wait_for_end(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the program goes on:\n{}", self.contents());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end, and checks that the terminal is as it was: what is on its main screen then.
    pub fn end(mut self, exit_code: u32) -> String {
        let status = self.wait_for_end();
        let modes = modes(self.master.as_deref().unwrap());
        self.reader.take().unwrap().join().unwrap();
        let picture = self.picture.lock().unwrap();
        let screen = picture.screen();
        assert!(!screen.alternate_screen(), "the main screen is back");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert_eq!(modes, self.modes, "lines and echo are as they were");
        assert_eq!(status.exit_code(), exit_code, "{}", screen.contents());
        screen.contents()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Processes that a failed test has left running.
        let _ = self.child.kill();
    }
}

/// The settings of a terminal for lines and echo.
fn modes(terminal: &(dyn MasterPty + Send)) -> Option<String> {
    Some(format!("{:?}", terminal.get_termios()?.local_flags))
}

#[test]
fn a_replay_draws_pauses_steps_resizes_and_gives_the_terminal_back() {
    // Without colours, boards are drawn in characters.
    let mut session = Session::start(&["replay", &data("guide")], &[("NO_COLOR", "1")]);
    session.wait_for("the game is about to begin");
    assert!(session.see(|screen| screen.alternate_screen() && screen.hide_cursor()));
    assert_ne!(modes(session.master.as_deref().unwrap()), session.modes, "keys come one by one");
    let mut expected = common::saving(common::replay::<Battleship>("guide"));
    session.wait_for(common::picture(&expected, (80, 24)).trim_end());
    session.press("\x1b[C\x1b[C\x1b[C");
    session.wait_for(" 3/124");
    session.press(" ");
    session.wait_for("playing 4/s");
    session.press(" ");
    session.wait_for("paused");
    session.press("\x1b[D");
    session.press("g20\r");
    session.wait_for("41/124");
    session.resize(120, 40);
    common::press(&mut expected, "g20<enter>");
    session.wait_for(common::picture(&expected, (120, 40)).trim_end());
    session.resize(40, 10);
    session.wait_for("too small: needs 60×20, is 40×10");
    session.resize(80, 24);
    session.wait_for("41/124");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit");
}

#[test]
fn ctrl_c_is_a_key_that_ends_the_screen() {
    let mut session = Session::start(&["replay", &data("submarine")], &[]);
    session.wait_for("the game is about to begin");
    session.press("\x03");
    assert_eq!(session.end(0).trim(), "Interrupted");
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_brings_the_screen_back() {
    for (mode, what) in [("replay", data("guide")), ("dashboard", data("guide"))] {
        let mut session = Session::start_in_shell(&[mode, &what]);
        session.wait_for("? help");
        let drawn = if mode == "replay" { session.contents() } else { "a tournament for show".to_owned() };
        session.press("\x1a");
        session.wait_for("the job is stopped");
        assert!(!session.see(|screen| screen.alternate_screen() || screen.hide_cursor()), "{mode}");
        session.press("\n");
        session.wait_for("? help");
        session.wait_for(drawn.trim_end());
        assert!(session.see(|screen| screen.alternate_screen() && screen.hide_cursor()), "{mode}");
        session.press("q");
        assert!(session.end(0).trim().ends_with("Quit"), "{mode}");
    }
}

#[test]
fn ctrl_l_draws_the_screen_again() {
    let mut session = Session::start(&["replay", &data("guide")], &[]);
    session.wait_for("? help");
    let drawn = session.contents();
    // Something else has written on the terminal.
    session.picture.lock().unwrap().process(b"\x1b[2J\x1b[Hlitter");
    session.press("\x0c");
    session.wait_for(drawn.trim_end());
    session.press("q");
    session.end(0);
}

#[test]
fn the_mouse_is_used_and_given_back() {
    let mut session = Session::start(&["replay", &data("guide")], &[]);
    session.wait_for("? help");
    let mode = |session: &Session| session.see(Screen::mouse_protocol_mode);
    assert_ne!(mode(&session), vt100::MouseProtocolMode::None);
    // The button is pressed on the bar, near its end, as the terminal reports it: column and row from 1.
    session.press("\x1b[<0;60;23M");
    session.wait_for("/124");
    let position = |session: &Session| {
        let contents = session.contents();
        let before = contents.split("/124").next().unwrap().rsplit(' ').next().unwrap().to_owned();
        before.parse::<u32>().unwrap()
    };
    let begun = Instant::now();
    while position(&session) < 80 {
        assert!(begun.elapsed() < PATIENCE, "{}", session.contents());
        thread::sleep(Duration::from_millis(5));
    }
    session.press("q");
    session.wait_for_end();
    // The thread that reads the terminal may have the last bytes to come.
    let ended = Instant::now();
    while mode(&session) != vt100::MouseProtocolMode::None {
        assert!(ended.elapsed() < PATIENCE, "the mouse was not given back");
        thread::sleep(Duration::from_millis(5));
    }
    session.end(0);
}

#[test]
fn a_screen_on_which_nothing_happens_takes_less_than_a_hundredth_of_a_core() {
    let mut session = Session::start(&["replay", &data("guide")], &[]);
    session.wait_for("? help");
    let ticks = |session: &Session| {
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", session.child.process_id().unwrap())).unwrap();
        // After the name in brackets: user and system time, in hundredths of a second.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let before = ticks(&session);
    thread::sleep(Duration::from_secs(2));
    assert!(ticks(&session) - before <= 2, "{} ticks", ticks(&session) - before);
    session.press("q");
    session.end(0);
}

#[test]
fn a_locale_without_utf_8_gets_ascii_only() {
    let mut session = Session::start(&["replay", &data("guide")], &[("LC_ALL", "C")]);
    session.wait_for("? help");
    assert!(session.contents().is_ascii(), "{}", session.contents());
    session.press("q");
    session.end(0);
}

#[test]
fn signals_that_end_a_program_end_the_screen_first() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let session = Session::start(&["replay", &data("guide")], &[]);
        session.wait_for("the game is about to begin");
        session.signal(signal);
        assert_eq!(session.end(0).trim(), "Stopped");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let mut session = Session::start(&["replay", &data("panic")], &[]);
    session.wait_for("the game is about to begin");
    // The example panics when it is to save this game.
    session.press("w");
    assert!(session.end(101).contains("a panic to be tried out"));
}

#[test]
fn a_panic_of_the_game_is_shown_after_the_screen() {
    let mut session = Session::start(&["watch", &data("panic")], &[]);
    session.wait_for("hunter wins");
    session.press("q");
    let left = session.end(101);
    assert!(left.contains("thread 'game' panicked") && left.contains("a panic to be tried out"), "{left}");
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    for is_told in [true, false] {
        for (mode, what) in [
            ("replay", data("guide")),
            ("watch", data("guide")),
            ("play", "guide".into()),
            ("dashboard", data("guide")),
        ] {
            // A terminal that does not control the program sends it no signal.
            let control = |command: &mut CommandBuilder| command.set_controlling_tty(is_told);
            let mut session = Session::start_command(OsStr::new(PROGRAM), &[mode, &what], control);
            session.wait_for("? help");
            session.hang_up();
            session.wait_for_end();
        }
    }
}

#[test]
fn without_colours_none_is_sent() {
    for (environment, has_colours) in
        [(&[("NO_COLOR", "1")][..], false), (&[], true), (&[("NO_COLOR", "")], true)]
    {
        let mut session = Session::start(&["replay", &data("overruns")], environment);
        session.wait_for("the game is about to begin");
        session.press("\x1b[F");
        session.wait_for("sweeper wins");
        let coloured = session.see(|screen| {
            let cells = (0..24).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
            cells.into_iter().any(|cell| cell.fgcolor() != vt100::Color::Default)
        });
        assert_eq!(coloured, has_colours, "{environment:?}");
        session.press("q");
        session.end(0);
    }
}

#[test]
fn a_game_is_watched_as_it_is_played_and_ends_with_its_screen() {
    let mut session = Session::start(&["watch", &data("submarine")], &[]);
    session.wait_for("playing 4/s");
    session.press("\x1b[F");
    session.wait_for("sub-tracker wins");
    session.press("w");
    session.wait_for("saved: 29 events, nowhere");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit after 29 events");
}

#[test]
fn the_next_games_of_a_series_begin_by_themselves() {
    let mut session = Session::start(&["series", &data("classic")], &[]);
    session.wait_for("0 of 4, 0–0");
    session.press("++++++");
    session.wait_for("2 of 4, 2–0");
    session.wait_for("game 3");
    // Two boards do not fit side by side here: the other one is a key away.
    session.press("\t");
    session.wait_for("game 4");
    session.wait_for("4 of 4, 4–0");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit");
}

#[test]
fn a_person_plays_and_leaves() {
    let mut session = Session::start(&["play", "guide"], &[]);
    session.wait_for("place your ships");
    session.press("x\r");
    session.wait_for("your turn");
    session.press("b7\r");
    session.wait_for("turn 1: sweeper shoots a0");
    session.press("q");
    session.wait_for("leave the game?");
    session.press("r");
    session.wait_for("sweeper wins: person resigned");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit: Win(Second), Forfeit");

    let mut session = Session::start(&["play", "submarine"], &[]);
    session.wait_for("place your ships");
    session.press("q");
    session.wait_for("leave the game?");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit: the game is no longer played or watched");
}

#[test]
fn a_tournament_goes_on_when_its_dashboard_is_left() {
    let mut session = Session::start(&["dashboard", &data("panic")], &[]);
    session.wait_for("playing 4");
    session.wait_for("2 of 1,000 games");
    session.press("\r");
    session.wait_for("all games");
    session.press("q");
    assert_eq!(session.end(0).trim(), "Quit");
}

#[test]
fn without_a_terminal_there_is_an_error_and_no_escape_code() {
    for mode in ["replay", "watch", "dashboard"] {
        let output = Command::new(PROGRAM).args([mode, &data("guide")]).output().unwrap();
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("NotATerminal"), "{error}");
    }
    let output = Command::new(PROGRAM).args(["headless", &data("guide")]).output().unwrap();
    assert!(output.status.success());
    assert!(!output.stdout.contains(&0x1b));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("turn 20: hunter shoots")
            && text.trim_end().ends_with("hunter wins: all ships of sweeper are sunk")
    );
}

#[test]
fn a_dumb_terminal_shows_no_screen() {
    let session = Session::start(&["replay", &data("guide")], &[("TERM", "dumb")]);
    assert!(session.end(1).contains("NotATerminal"));
}
