//! The program in a pseudo-terminal, as its user sees it.

use crate::support::{Place, caches};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a test waits for a text on the screen. Chosen: it ends a test that would hang, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal, of which 80 columns by 24 rows are seen.
pub struct Terminal {
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    picture: Arc<Mutex<vt100::Parser>>,
    reader: thread::JoinHandle<()>,
}

impl Terminal {
    /// Starts `arena` with words as arguments.
    pub fn start(place: &Place, args: &str) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args.split_whitespace());
        Self::run(place, command)
    }

    /// Starts `arena` with words as arguments in a terminal that says that it has these columns and rows.
    pub fn start_sized(place: &Place, args: &str, size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args.split_whitespace());
        Self::run_in(place, command, size)
    }

    /// Places a random fleet and shoots once, in `arena play random.wasm`.
    pub fn begin_to_play(&mut self) {
        self.shows("place your ships");
        self.press("x");
        self.press("\r");
        self.shows("your turn");
        self.press("b7\r");
        self.shows("turn 1: random shoots");
    }

    /// Leaves the game of `arena play`. Returns the text that is left on the terminal.
    pub fn leave_the_game(mut self) -> String {
        self.press("q");
        self.shows("leave the game?");
        self.press("q");
        let (code, text) = self.end();
        assert_eq!(code, 0);
        text
    }

    /// Starts a line of a shell, with `path` as its PATH.
    pub fn start_line(place: &Place, line: &str, path: &str) -> Self {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", line]);
        command.env("PATH", path);
        Self::run(place, command)
    }

    fn run(place: &Place, command: CommandBuilder) -> Self {
        Self::run_in(place, command, (80, 24))
    }

    fn run_in(place: &Place, mut command: CommandBuilder, (cols, rows): (u16, u16)) -> Self {
        let size = PtySize { rows, cols, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).expect("there are pseudo-terminals");
        command.cwd(place.folder());
        command.env("TERM", "xterm-256color");
        command.env("XDG_CACHE_HOME", caches());
        command.env_remove("NO_COLOR");
        command.env_remove("COLORTERM");
        command.env("LC_ALL", "C.UTF-8");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut output = pair.master.try_clone_reader().unwrap();
        let rows = 24.try_into().unwrap();
        let picture = Arc::new(Mutex::new(vt100::Parser::new(rows, 80.try_into().unwrap(), 0)));
        let reader = thread::spawn({
            let picture = Arc::clone(&picture);
            move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    picture.lock().unwrap().process(&bytes[..count]);
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { _master: pair.master, keys, child, picture, reader }
    }

    /// The identifier of the program's process.
    pub fn id(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.picture.lock().unwrap().screen().contents()
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub fn shows(&mut self, phrase: &str) {
        let start = Instant::now();
        while !self.text().contains(phrase) {
            assert!(start.elapsed() < PATIENCE, "`{phrase}` was not shown:\n{}", self.text());
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "it ended without `{phrase}`:\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the end of the program. Returns its exit code and the text that is then on the terminal.
    pub fn end(mut self) -> (u32, String) {
        let code = self.child.wait().unwrap().exit_code();
        drop(self.keys);
        drop(self._master);
        self.reader.join().unwrap();
        let picture = self.picture.lock().unwrap();
        assert!(!picture.screen().alternate_screen(), "the main screen is back");
        assert!(!picture.screen().hide_cursor(), "the cursor is shown");
        (code, picture.screen().contents())
    }
}
