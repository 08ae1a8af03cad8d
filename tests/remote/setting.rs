//! A server, a coordinator and workers, and the journal that they must produce.

use crate::support::{Place, SEED, command};
use arena_testkit::nats::{Server, server_or_skip};
use arena_testkit::wait_for;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::OnceLock;

/// The contest of all these tests: a few seconds of play for one job.
const CONTEST: &str = "run hunter.wasm hunter.wasm --games 2000 --output json";

/// The tables of a journal whose rows depend on the games.
const TABLES: [&str; 8] = ["bot", "code", "stage", "entrant", "draw", "clock", "game", "link"];

/// A server, and a folder with bots.
pub struct Setting {
    pub server: Server,
    pub place: Place,
}

/// A running program, killed at the end of the test.
pub struct Running {
    name: String,
    child: Child,
    /// The file with its output.
    output: PathBuf,
}

impl Setting {
    /// `None` when no NATS server is installed.
    pub fn new() -> Option<Self> {
        Self::with(Place::with_house_bots())
    }

    /// A server, and a folder with other bots.
    pub fn with(place: Place) -> Option<Self> {
        Some(Self { server: server_or_skip(&[])?, place })
    }

    /// Starts or resumes the contest with workers.
    pub fn coordinate(&self, options: &str) -> Running {
        let args =
            format!("{CONTEST} --seed {SEED} --journal remote.db --workers {} {options}", self.server.url());
        self.start("coordinator", &args)
    }

    /// Resumes the contest on this machine, without workers.
    pub fn play_here(&self) -> Running {
        self.start("here", &format!("{CONTEST} --seed {SEED} --journal remote.db --resume"))
    }

    /// Starts a worker of one job.
    pub fn worker(&self, name: &str) -> Running {
        self.start(name, &format!("worker {} --jobs 1 --name {name}", self.server.url()))
    }

    fn start(&self, name: &str, args: &str) -> Running {
        Running::start(&self.place, name, args, &[])
    }

    /// The number of games in the journal, which is being written.
    pub fn games(&self) -> u64 {
        self.place.games_in("remote.db")
    }

    /// Waits until the journal has more than this number of games, while the contest goes on.
    pub fn wait_for_games(&self, run: &mut Running, more_than: u64) {
        wait_for(|| {
            run.expect_running();
            (self.games() > more_than).then_some(())
        })
        .expect("games are played");
    }

    /// Waits until more than this number of batches have been handed out, and returns their number.
    pub fn wait_for_batches(&self, more_than: u64) -> u64 {
        let batches = || self.server.request("arena.arena.status", b"")["batches_given_out"].as_u64();
        wait_for(|| batches().filter(|number| *number > more_than)).expect("batches are played")
    }

    /// Checks that the journal is the same as that of an undisturbed run on one machine.
    #[track_caller]
    pub fn expect_same_as_here(&self) {
        static HERE: OnceLock<Vec<(&str, Vec<Value>)>> = OnceLock::new();
        let here = HERE.get_or_init(|| {
            let place = Place::with_house_bots();
            place.arena(&format!("{CONTEST} --seed {SEED} --journal here.db")).expect_code(0);
            rows(&place.path("here.db"))
        });
        let remote = rows(&self.place.path("remote.db"));
        let different = here.iter().zip(&remote).find(|(here, remote)| here != remote);
        if let Some(((table, here), (other, remote))) = different {
            panic!("{table}: {here:?}\n{other}: {remote:?}");
        }
        assert_eq!(remote.len(), here.len());
        // Calculating the standings checks every link of the chain.
        self.place.arena("standings remote.db").expect_code(0);
    }
}

/// All rows of a journal's tables.
pub fn rows(path: &Path) -> Vec<(&'static str, Vec<Value>)> {
    let journal = Connection::open(path).expect("there is a journal");
    let of_table = |table: &&'static str| {
        let mut statement = journal.prepare(&format!("SELECT * FROM {table}")).expect("it is a table");
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
        let rows: rusqlite::Result<Vec<Vec<Value>>> =
            statement.query_map([], row).expect("it can be read").collect();
        rows.expect("it can be read").into_iter().map(|row| (*table, row)).collect::<Vec<_>>()
    };
    TABLES.iter().flat_map(of_table).collect()
}

impl Running {
    /// Starts the program in a folder, with these arguments and environment variables.
    pub fn start(place: &Place, name: &str, args: &str, variables: &[(&str, &str)]) -> Self {
        let output = place.path(&format!("{name}.txt"));
        let file = File::options().create(true).append(true).open(&output).expect("it can be made");
        let args: Vec<&str> = args.split_whitespace().collect();
        let mut command = command(place.folder(), &args);
        command.envs(variables.iter().copied()).stdout(file.try_clone().expect("it is open")).stderr(file);
        Self { name: name.to_owned(), child: command.spawn().expect("the program starts"), output }
    }

    /// The process.
    pub fn child(&self) -> &Child {
        &self.child
    }

    /// Its output so far.
    pub fn printed(&self) -> String {
        fs::read_to_string(&self.output).expect("it is text")
    }

    /// Checks that it has not ended.
    #[track_caller]
    pub fn expect_running(&mut self) {
        let ended = self.child.try_wait().expect("it is a child");
        assert!(ended.is_none(), "{} has ended: {ended:?}\n{}", self.name, self.printed());
    }

    /// True as long as it has not ended.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("it is a child").is_none()
    }

    /// Kills it with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().expect("it is a child");
        self.child.wait().expect("it is a child");
    }

    /// Waits for its end.
    #[track_caller]
    pub fn expect_code(&mut self, code: i32) {
        let status = wait_for(|| self.child.try_wait().expect("it is a child"));
        let ended = status.unwrap_or_else(|| panic!("{} does not end\n{}", self.name, self.printed()));
        assert_eq!(ended.code(), Some(code), "{}: {ended}\n{}", self.name, self.printed());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
