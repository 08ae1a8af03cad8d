//! A machine with little room: every command goes on with the threads and files that the system gives it, or ends with a sentence
//! that names the limit and its value.
//!
//! A limit on threads counts all of a user and does not bind root. So as root the tests become a user that only they have. Any other
//! user has too many other threads, and only the limits on open files and on system calls are tested.

use crate::support::{Place, Run, refusing, signal};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio, id};

/// The commands. LIMIT makes names of files differ.
const COMMANDS: [&str; 16] = [
    "run hunter.wasm random.wasm --games 4 --jobs 2",
    "run hunter.wasm random.wasm --games 40 --jobs 9 --journal LIMIT.db",
    "bench hunter.wasm --boards 4 --jobs 2",
    "check hunter.wasm --quick",
    "check --sandbox",
    "verify --journal j.db",
    "standings j.db",
    "cache show",
    "games j.db",
    "report j.db -o LIMIT-site",
    "replay j.db 1 --headless",
    "rerun j.db 1 hunter.wasm",
    "profile hunter.wasm",
    "sprt hunter.wasm random.wasm --max-pairs 2 --jobs 2",
    "worker nats://localhost:9",
    "mine --to http://localhost:9 --token-file token",
];

/// The limits on threads. Chosen: all that a command with two jobs can be short of; it needs eleven.
const THREADS: [u32; 8] = [1, 2, 3, 4, 5, 6, 8, 11];

/// The limits on open files. With three, the system does not start the program. Chosen: a command with two jobs needs 16.
const FILES: [u32; 8] = [4, 5, 6, 8, 9, 12, 14, 16];

/// The sentence about threads, and that about files.
const OF_THREADS: &str = "end other programs, or allow more threads and processes: this user has ";
const OF_FILES: &str = "allow this program more open files: it may have ";

/// A folder with the program, two bots and a journal, which belongs to a user without other processes.
struct Small {
    place: Place,
    /// `None` when the tests cannot become another user.
    user: Option<u32>,
}

impl Small {
    /// `number` makes the users of tests that run at the same time different.
    fn new(number: u32) -> Self {
        let place = Place::with_house_bots();
        place.write("token", "0123456789");
        place.arena("run hunter.wasm random.wasm --games 4 --seed 1 -q --journal j.db").expect_code(0);
        place.arena("club invite ann --data club").expect_code(0);
        fs::copy(env!("CARGO_BIN_EXE_arena"), place.path("arena")).expect("it can be copied");
        let is_root = fs::metadata("/proc/self").expect("it is there").uid() == 0;
        // Above the numbers of people and services.
        let user = is_root.then(|| 10_000_000 + id() * 4 + number);
        if let Some(user) = user {
            give(place.folder(), user);
        }
        Self { place, user }
    }

    /// The program with a limit of `prlimit`, such as `--nproc=4`.
    fn command(&self, limit: &str, args: &str) -> Command {
        let mut command = Command::new("prlimit");
        command.arg(limit).arg(self.place.path("arena")).args(args.split_whitespace());
        command.current_dir(self.place.folder()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.place.path("cache"));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Runs each command with each limit, and checks that it ends well, or with this sentence. Returns the number of sentences.
    #[track_caller]
    fn expect_sentences(&self, option: &str, limits: &[u32], sentence: &str) -> usize {
        let mut sentences = 0;
        for args in COMMANDS {
            for limit in limits {
                let args = args.replace("LIMIT", &limit.to_string());
                let run = Run::of(&mut self.command(&format!("--{option}={limit}"), &args));
                expect_no_panic(&run.stderr);
                let names_limit = |line: &str| line.contains(sentence) && line.contains(&limit.to_string());
                let is_sentence = run.code == 1 && run.stderr.lines().any(names_limit);
                // Nothing listens at the address of the server and of the club, and a short test is undecided.
                let is_at_end = run.stderr.contains("Connection refused") || [0, 5].contains(&run.code);
                assert!(is_at_end || is_sentence, "{args} with {limit}: {} {}", run.code, run.stderr);
                sentences += usize::from(is_sentence);
            }
        }
        sentences
    }
}

/// Gives a folder to a user.
fn give(path: &Path, user: u32) {
    if path.is_dir() {
        fs::read_dir(path).expect("it is there").for_each(|entry| give(&entry.unwrap().path(), user));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("root may");
    }
    chown(path, Some(user), Some(user)).expect("root may");
}

#[track_caller]
fn expect_no_panic(stderr: &str) {
    for phrase in ["panicked", "report this message", "bug of the arena"] {
        assert!(!stderr.contains(phrase), "{stderr}");
    }
}

#[test]
fn each_command_does_with_few_threads_or_names_the_limit() {
    let small = Small::new(0);
    if small.user.is_some() {
        let sentences = small.expect_sentences("nproc", &THREADS, OF_THREADS);
        assert!(sentences >= COMMANDS.len(), "{sentences}");
    }
}

#[test]
fn each_command_does_with_few_files_or_names_the_limit() {
    let sentences = Small::new(1).expect_sentences("nofile", &FILES, OF_FILES);
    assert!(sentences >= COMMANDS.len(), "{sentences}");
}

#[test]
fn with_fewer_threads_than_asked_for_a_run_goes_on_and_says_so_once() {
    let small = Small::new(2);
    if small.user.is_none() {
        return;
    }
    let run = "run hunter.wasm random.wasm --games 60 --seed 1 -o csv --jobs 30";
    let whole = Run::of(&mut small.command("--nproc=1000", run)).expect_code(0);
    let few = Run::of(&mut small.command("--nproc=20", run)).expect_code(0);
    assert_eq!(few.stdout, whole.stdout);
    let notes: Vec<&str> = few.stderr.lines().filter(|line| line.contains("could be started")).collect();
    assert_eq!(notes.len(), 1, "{}", few.stderr);
    assert!(notes[0].starts_with("note: only ") && notes[0].contains(" of 30 "), "{}", few.stderr);
    assert!(few.stderr.contains("of at most 20 (`ulimit -u`)"), "{}", few.stderr);
    assert!(!whole.stderr.contains("could be started"), "{}", whole.stderr);
}

#[test]
fn advice_is_whole_and_about_what_the_system_refused() {
    let place = Place::with_house_bots();
    let run = || place.arena("run hunter.wasm random.wasm --games 2 -q");
    for (errno, advice) in [
        (libc::ENOSYS, "use a newer kernel, or run the arena outside of the container or filter"),
        (libc::EPERM, "a rule of the system forbids it: look at the profile of the container (seccomp)"),
        (libc::EMFILE, "allow this program more open files: it may have "),
        (libc::ENOMEM, "free some memory"),
    ] {
        let refused = refusing(libc::SYS_memfd_create, errno, run).expect_code(1).stderr;
        assert!(refused.contains("cannot keep the code of a bot") && refused.contains(advice), "{refused}");
        assert_eq!(refused.contains("open files"), errno == libc::EMFILE, "{refused}");
        assert_eq!(refused.contains("memory"), errno == libc::ENOMEM, "{refused}");
    }
    // The limit is that of the test's processes, and not of its user.
    let mut limited = Command::new("prlimit");
    limited.args(["--as=4000000000", env!("CARGO_BIN_EXE_arena"), "run", "hunter.wasm", "random.wasm"]);
    let limited = Run::of(limited.current_dir(place.folder())).expect_code(1).stderr;
    let advice = "\n  next: lift the limit on virtual memory (`ulimit -v unlimited`): it is 3906250 KiB\n";
    assert!(limited.contains("cannot reserve address space") && limited.ends_with(advice), "{limited}");
}

#[test]
fn a_report_in_little_virtual_memory_is_the_same() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 20 --seed 1 -q --journal j.db").expect_code(0);
    place.arena("report j.db -o site --replays all").expect_code(0);
    let mut limited = Command::new("prlimit");
    limited.args(["--as=900000000", env!("CARGO_BIN_EXE_arena"), "report", "j.db", "-o", "limited"]);
    limited.args(["--replays", "all", "--jobs", "2"]).current_dir(place.folder());
    Run::of(&mut limited).expect_code(0);
    for page in ["index.html", "replays.html", "games/20.html"] {
        let [limited, whole] = ["limited", "site"].map(|site| fs::read(place.path(site).join(page)).unwrap());
        assert!(limited == whole, "{page}");
    }
}

#[test]
fn a_club_with_few_threads_answers_requests_or_does_not_begin() {
    let small = Small::new(3);
    if small.user.is_none() {
        return;
    }
    let mut ended = 0;
    let mut served = 0;
    for limit in 1..=12 {
        let args = "club serve --data club --listen 127.0.0.1:0 --jobs 1";
        let mut command = small.command(&format!("--nproc={limit}"), args);
        let mut club = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("prlimit starts");
        let mut line = String::new();
        BufReader::new(club.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let answers: Vec<Option<u16>> = match line.trim().strip_prefix("http://") {
            Some(address) => (0..8).map(|_| status(address)).collect(),
            None => Vec::new(),
        };
        // It may have ended.
        if club.try_wait().unwrap().is_none() && !answers.contains(&None) {
            signal(&club, "TERM");
        }
        let mut told = String::new();
        club.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        let code = club.wait().unwrap().code();
        expect_no_panic(&told);
        if code == Some(1) {
            assert!(told.contains(OF_THREADS), "{limit}: {told}");
            ended += 1;
        } else {
            assert!(answers.iter().all(|status| matches!(status, Some(200 | 503))), "{answers:?}: {told}");
            served += 1;
        }
    }
    assert!(ended > 2 && served > 2, "{ended} {served}");
}

/// The status of the answer to a request for the first page; `None` without an answer.
fn status(address: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}
