//! The confinement of child processes holds against a program that enters it as they do and then tries to escape: one that
//! compiles, and one that plays.
//!
//! The program is this one, started again, since a test harness has threads and descriptors of its own. Each act is first
//! done without confinement, where it must succeed. This shows that only the confinement stops it.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

use arena_platform::confine::{ChildLimits, Confinement, Measure, Purpose};
use rustix::process::{Pid, Signal, getppid, kill_process};
use std::fs::File;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::mpsc;
use std::{env, fs, hint, io, process, thread};

/// The exit code of a program whose act was refused.
const REFUSED: u8 = 7;

/// The exit code of a program whose thread panicked.
const PANICKED: u8 = 8;

/// The descriptor that each program inherits from a shell.
const INHERITED: i32 = 9;

/// The size of a thread's stack in the program, in bytes.
const STACK_BYTES: usize = 1 << 20;

/// The stages of confinement at which an act is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Free,
    /// Everything except the limit on processes and the list of system calls.
    Begun,
    Whole,
}

/// The purposes for which the list of system calls makes an act fatal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fatal {
    Never,
    /// Compiling needs it.
    WhenPlaying,
    Always,
}

/// An act and everything that stops it.
struct Deed {
    name: &'static str,
    /// The measure that refuses it as soon as confinement has begun.
    begun: Option<Measure>,
    /// The measure that refuses it once confinement is whole, also without a list of system calls.
    whole: Option<Measure>,
    fatal: Fatal,
}

const fn deed(name: &'static str, begun: Option<Measure>, whole: Option<Measure>, fatal: Fatal) -> Deed {
    Deed { name, begun, whole, fatal }
}

const DEEDS: [Deed; 17] = [
    deed("read-file", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("read-passwords", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("read-environment", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("read-journal", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("write-journal", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("create-file", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("list-files", Some(Measure::LandlockFiles), Some(Measure::SystemCalls), Fatal::Never),
    deed("use-inherited", Some(Measure::Descriptors), None, Fatal::Never),
    deed("start-program", Some(Measure::LandlockFiles), Some(Measure::Processes), Fatal::Always),
    deed("start-thread", None, Some(Measure::Processes), Fatal::Always),
    deed("connect", Some(Measure::LandlockNetwork), None, Fatal::Always),
    deed("send-packet", None, None, Fatal::Always),
    deed("connect-abstract", Some(Measure::LandlockScopes), None, Fatal::Always),
    deed("signal-parent", Some(Measure::LandlockScopes), None, Fatal::Always),
    deed("make-file-in-memory", None, None, Fatal::Always),
    deed("map-code", None, None, Fatal::WhenPlaying),
    deed("make-code", None, None, Fatal::WhenPlaying),
];

/// Acts that the system may refuse to any user, and that end a confined program anyway.
const REFUSED_TO_MANY: [&str; 4] =
    ["read-memory-of-parent", "trace-parent", "set-up-ring", "load-filter-program"];

const PURPOSES: [Purpose; 2] = [Purpose::Compiling, Purpose::Playing];

#[expect(clippy::disallowed_macros, reason = "the names of tests, as a test harness prints them")]
fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [program, purpose, stage, deed, place, parent] = args.as_slice()
        && program == "program"
    {
        let purpose = PURPOSES.into_iter().find(|it| format!("{it:?}") == *purpose).expect("a purpose");
        return program_main(purpose, stage, deed, Path::new(place), parent.parse().expect("a process"));
    }
    let tests: [(&str, fn()); 3] = [
        ("a_program_without_confinement_does_everything", a_program_without_confinement_does_everything),
        ("a_confined_program_gets_nowhere", a_confined_program_gets_nowhere),
        ("a_confined_program_still_says_why_it_ends", a_confined_program_still_says_why_it_ends),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

fn a_program_without_confinement_does_everything() {
    let world = World::new();
    for Deed { name, .. } in DEEDS {
        let output = world.attempt(Purpose::Playing, Stage::Free, name);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
    }
}

fn a_confined_program_gets_nowhere() {
    let world = World::new();
    for purpose in PURPOSES {
        let confinement: Confinement =
            serde_json::from_slice(&world.attempt(purpose, Stage::Whole, "nothing").stdout)
                .expect("it reports");
        for (measure, gap) in confinement.gaps() {
            assert!(!gap.why.is_empty() && !gap.next.is_empty(), "{measure:?}: {gap:?}");
        }
        let is_enforced = |measure: Option<Measure>| {
            measure.is_some_and(|measure| confinement.gaps().all(|(missing, _)| missing != measure))
        };
        let ends_by_system_call = |name| {
            let output = world.attempt(purpose, Stage::Whole, name);
            assert_eq!(output.status.signal(), Some(Signal::SYS.as_raw()), "{purpose:?}, {name}: {output:?}");
        };
        for Deed { name, begun, whole, fatal } in DEEDS {
            let expect = |stage, is_refused: bool| {
                let output = world.attempt(purpose, stage, name);
                let expected = if is_refused { REFUSED } else { 0 };
                assert_eq!(
                    output.status.code(),
                    Some(expected.into()),
                    "{purpose:?}, {name}, {stage:?}: {output:?}"
                );
            };
            expect(Stage::Begun, is_enforced(begun));
            let is_fatal =
                fatal == Fatal::Always || (fatal, purpose) == (Fatal::WhenPlaying, Purpose::Playing);
            if is_fatal && is_enforced(Some(Measure::SystemCalls)) {
                ends_by_system_call(name);
            } else {
                expect(Stage::Whole, is_enforced(begun) || is_enforced(whole));
            }
        }
        if is_enforced(Some(Measure::SystemCalls)) {
            REFUSED_TO_MANY.into_iter().for_each(ends_by_system_call);
        }
    }
}

fn a_confined_program_still_says_why_it_ends() {
    let world = World::new();
    for purpose in PURPOSES {
        let says = |deed, text: &str| {
            let output = world.attempt(purpose, Stage::Whole, deed);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains(text), "{purpose:?}, {deed}: {output:?}");
            output.status
        };
        assert_eq!(says("panic", "out of luck").code(), Some(PANICKED.into()));
        assert_eq!(says("overflow", "has overflowed its stack").signal(), Some(Signal::ABORT.as_raw()));
        assert_eq!(says("run-out", "memory allocation of").signal(), Some(Signal::ABORT.as_raw()));
    }
}

/// Everything that a program may try to reach.
struct World {
    place: tempfile::TempDir,
    // Only held: they are connected to.
    _tcp: TcpListener,
    _abstract: UnixListener,
}

impl World {
    fn new() -> Self {
        let place = tempfile::tempdir().expect("a temporary folder");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = tcp.local_addr().expect("it is bound").to_string();
        fs::write(place.path().join("tcp"), address).expect("the folder is empty");
        fs::write(place.path().join("arena.db"), "games").expect("the folder has room");
        let address = abstract_address(process::id());
        let unix = UnixListener::bind_addr(&address).unwrap_or_else(|error| panic!("{address:?}: {error}"));
        Self { place, _tcp: tcp, _abstract: unix }
    }

    /// Starts the program from a shell that has left a descriptor open, and waits for its end.
    fn attempt(&self, purpose: Purpose, stage: Stage, deed: &str) -> Output {
        let script = format!(r#"exec {INHERITED}</dev/null; exec "$0" "$@""#);
        Command::new("/bin/sh")
            .args(["-c", &script])
            .arg(env::current_exe().expect("it runs"))
            .args(["program", &format!("{purpose:?}"), &format!("{stage:?}"), deed])
            .arg(self.place.path())
            .arg(process::id().to_string())
            // As the child has it: a panic with a backtrace would look for files.
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .expect("there is a shell")
    }
}

fn abstract_address(owner: u32) -> SocketAddr {
    SocketAddr::from_abstract_name(format!("arena-confinement-{owner}")).expect("a short name")
}

/// The `main` of a program that is started again: it enters a stage of confinement and does an act on a thread, as the child
/// compiles on one.
#[expect(clippy::disallowed_macros, reason = "the test reads it")]
fn program_main(purpose: Purpose, stage: &str, deed: &str, place: &Path, parent: u32) -> ExitCode {
    // What the deed needs is found out before.
    let address = fs::read_to_string(place.join("tcp")).expect("the test wrote it");
    let (deed, place) = (deed.to_owned(), place.to_owned());
    let child_limits = ChildLimits {
        parent,
        cpu_seconds: 60,
        address_space_bytes: 1 << 30,
        data_bytes: 1 << 30,
        stack_bytes: STACK_BYTES,
    };
    let confining = (stage != format!("{:?}", Stage::Free))
        .then(|| child_limits.obey(|| Ok(())).expect("it is confined").0);
    let (begin, begun) = mpsc::channel();
    let (go, going) = mpsc::channel();
    let work = move || {
        begin.send(()).expect("somebody listens");
        going.recv().expect("somebody speaks");
        perform(&deed, &place, &address)
    };
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("a thread");
    begun.recv().expect("it begins");
    if stage == format!("{:?}", Stage::Whole) {
        let confinement = confining.expect("it has begun").finish(purpose).expect("it is confined");
        println!("{}", serde_json::to_string(&confinement).expect("plain data"));
    }
    go.send(()).expect("it listens");
    match thread.join() {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("{error}");
            ExitCode::from(REFUSED)
        }
        Err(_) => ExitCode::from(PANICKED),
    }
}

fn perform(deed: &str, place: &Path, address: &str) -> io::Result<()> {
    match deed {
        "nothing" => Ok(()),
        "read-file" => File::open("/dev/null").map(drop),
        "read-passwords" => File::open("/etc/passwd").map(drop),
        "read-environment" => File::open("/proc/self/environ").map(drop),
        "read-journal" => File::open(place.join("arena.db")).map(drop),
        "write-journal" => File::options().append(true).open(place.join("arena.db")).map(drop),
        "list-files" => fs::read_dir(place).map(drop),
        "send-packet" => {
            UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", address)).map(drop)
        }
        "create-file" => File::create(place.join("new")).map(drop),
        "use-inherited" => nix::unistd::close(INHERITED).map_err(io::Error::from),
        "start-program" => Command::new("/bin/sh").args(["-c", "exit 0"]).status().map(drop),
        "connect" => TcpStream::connect(address).map(drop),
        "connect-abstract" => {
            let parent = getppid().map_or(0, Pid::as_raw_pid);
            UnixStream::connect_addr(&abstract_address(parent.unsigned_abs())).map(drop)
        }
        // Its default is to do nothing.
        "signal-parent" => Ok(kill_process(getppid().expect("it waits"), Signal::URG)?),
        "start-thread" => thread::Builder::new().spawn(|| ()).map(drop),
        "trace-parent" => {
            let parent = getppid().map_or(0, Pid::as_raw_pid);
            system_call(libc::SYS_ptrace, [libc::PTRACE_ATTACH.into(), parent.into(), 0, 0, 0, 0])
        }
        "read-memory-of-parent" => {
            let parent = getppid().map_or(0, Pid::as_raw_pid);
            system_call(libc::SYS_process_vm_readv, [parent.into(), 0, 0, 0, 0, 0])
        }
        "set-up-ring" => system_call(libc::SYS_io_uring_setup, [1, 0, 0, 0, 0, 0]),
        "load-filter-program" => system_call(libc::SYS_bpf, [0, 0, 0, 0, 0, 0]),
        "make-file-in-memory" => system_call(
            libc::SYS_memfd_create,
            [c"x".as_ptr().addr().try_into().expect("an address"), 0, 0, 0, 0, 0],
        ),
        "map-code" => {
            let (prot, flags) = (libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            system_call(libc::SYS_mmap, [0, 4_096, prot.into(), flags.into(), -1, 0])
        }
        "make-code" => {
            // A page of this very code. It is executable already.
            let page = (deepen as fn(u64) -> u64 as usize) & !4_095;
            let prot = libc::PROT_READ | libc::PROT_EXEC;
            system_call(
                libc::SYS_mprotect,
                [page.try_into().expect("an address"), 4_096, prot.into(), 0, 0, 0],
            )
        }
        "panic" => panic!("out of luck"),
        "overflow" => Err(io::Error::other(format!("{} levels", deepen(1)))),
        "run-out" => Err(io::Error::other(format!("{} bytes", hint::black_box(vec![1_u8; 1 << 40]).len()))),
        _ => panic!("not a deed: {deed}"),
    }
}

/// Makes a system call that the standard library does not have.
#[allow(unsafe_code, reason = "none of the calls writes to this process's memory or changes its code")]
fn system_call(number: libc::c_long, args: [libc::c_long; 6]) -> io::Result<()> {
    let [a, b, c, d, e, f] = args;
    match unsafe { libc::syscall(number, a, b, c, d, e, f) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Calls itself until there is no stack left.
fn deepen(depth: u64) -> u64 {
    if hint::black_box(depth) == 0 { 0 } else { 1 + deepen(hint::black_box(depth + 1)) }
}
