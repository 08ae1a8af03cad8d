//! Compiling in a child process, within its limits, for any component, child and state of the machine.

use crate::common::{self, child, failure, refusal, sandbox_with, script, specimen, spots};
use arena_sandbox::{
    AdmitError, Allowance, Bot, CompileLimits, CompileOptions, Compiler, Measure, RefusalKind, Sandbox,
};
use arena_testkit::{bombs, giant};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The bytes of a header: magic, key, kind, length and digest.
const HEADER_BYTES: usize = KEY_END + 1 + 8 + 32;
const KEY_END: usize = 8 + 64 + 1 + 16;

/// The arguments that a sandbox gives a child: its parent, its limits on time, address space and data (none), the stack of its
/// compiler, and its work.
fn orders(parent: u32) -> [String; 8] {
    let no_limit = u64::MAX.to_string();
    ["__compile", &parent.to_string(), "60", "2147483648", &no_limit, "16777216", "judge", "0"]
        .map(str::to_owned)
}

/// Starts a child as a sandbox does.
fn start_by_hand(parent: u32) -> Child {
    Command::new(env!("CARGO_BIN_EXE_arena-compiler"))
        .args(orders(parent))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built")
}

/// An amount that is the same for every file.
fn fixed(base: u64) -> Allowance {
    Allowance { base, per_megabyte: 0 }
}

/// The length of the sealed message that begins with this header.
fn message_bytes(header: &[u8]) -> usize {
    let contents = header[KEY_END + 1..][..8].try_into().expect("a header has a length");
    HEADER_BYTES + u64::from_le_bytes(contents) as usize
}

/// Waits until a child is ready, and so is about to read its component.
fn hear_greeting(child: &mut Child) {
    let out = child.stdout.as_mut().unwrap();
    let mut header = [0; HEADER_BYTES];
    out.read_exact(&mut header).expect("it greets");
    out.read_exact(&mut vec![0; message_bytes(&header) - HEADER_BYTES]).expect("it greets");
}

fn with(compiler: Compiler) -> Sandbox {
    sandbox_with(CompileLimits::default(), CompileOptions { compiler, cache: None })
}

/// The refusal of a component within limits, in a sandbox that still admits another one after it.
fn refused_within(limits: CompileLimits, component: &[u8]) -> String {
    let sandbox = sandbox_with(limits, CompileOptions { compiler: child(), cache: None });
    let refusal = refusal(sandbox.admit(component));
    assert_eq!(refusal.kind, RefusalKind::CompileLimits, "{refusal}");
    assert!(!refusal.next_step.is_empty());
    let other = sandbox.admit(&arena_testkit::zoo("repeats")).expect("it is as good as before");
    assert_eq!(spots(&other, 1, 3), spots(&specimen("repeats"), 1, 3));
    refusal.message
}

#[test]
fn a_bot_plays_the_same_whichever_process_compiled_it() {
    let sandbox = with(child());
    for name in ["shoots-at-random", "remembers", "nan-bits", "looks-around"] {
        let bot = sandbox.admit(&arena_testkit::zoo(name)).expect("it is a bot");
        assert_eq!(spots(&bot, 7, 20), spots(&specimen(name), 7, 20), "{name}");
    }
}

#[test]
fn a_component_that_takes_too_much_processor_time_is_refused() {
    let limits = CompileLimits { cpu_seconds: fixed(1), ..CompileLimits::default() };
    let message = refused_within(limits, &giant(1_000));
    // A second, or up to eight on a slower machine.
    let allowed: u64 =
        message.split_whitespace().find_map(|word| word.parse().ok()).expect("it has a number");
    assert!((1..=8).contains(&allowed) && message.ends_with("seconds of processor time"), "{message}");
}

#[test]
fn a_component_that_takes_too_much_memory_is_refused() {
    // Time must not run out first, even on a slow machine: it takes up to 40 s there.
    let limits =
        CompileLimits { cpu_seconds: fixed(240), address_space_mib: fixed(128), ..CompileLimits::default() };
    // It needs far more: with 400 functions, which are refused at 130 MiB and admitted at 160, it was once admitted.
    let message = refused_within(limits, &giant(1_000));
    assert!(message.contains("128 MiB of address space"), "{message}");
}

#[test]
fn compiler_bombs_are_stopped_at_their_allowance() {
    // The first three took it 20 seconds or more, or gigabytes, at an eighth of this size, and the last one 3 at a sixth.
    for (name, bomb) in [
        ("branches with a value", bombs::branches_with_a_value(200_000)),
        ("a switch", bombs::switch(20_000, 300)),
        ("nested blocks", bombs::levels_of_blocks(400_000)),
        ("segments of data at computed addresses", bombs::computed_segments(60_000)),
    ] {
        let message = refused_within(CompileLimits::default(), &as_a_bot(&bomb));
        assert!(
            message.starts_with("needs more to compile than a file of its size may: "),
            "{name}: {message}"
        );
    }
}

/// The component with the exports of a bot, so that its names do not refuse it.
fn as_a_bot(component: &[u8]) -> Vec<u8> {
    const EXPORT: &str = r#"(component (instance $i) (export "arena:battleship/bot@0.1.0" (instance $i)))"#;
    let export = arena_testkit::component(EXPORT).expect("it can be made");
    [component, &export[8..]].concat()
}

#[test]
fn a_component_that_takes_too_much_stack_is_refused() {
    let limits = CompileLimits { stack_bytes: 64 << 10, ..CompileLimits::default() };
    let sandbox = sandbox_with(limits, CompileOptions { compiler: child(), cache: None });
    let refusal = refusal(sandbox.admit(&arena_testkit::zoo("sweeper")));
    assert_eq!(refusal.kind, RefusalKind::CompileLimits, "{refusal}");
    assert!(refusal.message.contains("of stack"), "{refusal}");
}

#[test]
fn a_component_whose_code_is_too_large_is_refused() {
    let limits = CompileLimits { artifact_mib: fixed(1), ..CompileLimits::default() };
    let message = refused_within(limits, &giant(40));
    assert!(message.contains("1 MiB for its code"), "{message}");
}

#[test]
fn a_component_that_the_pool_has_no_room_for_is_refused_as_before() {
    let refusal = refusal(with(child()).admit(&arena_testkit::zoo("many-instances")));
    assert_eq!(refusal, common::refused("many-instances"));
}

#[test]
fn a_machine_that_is_too_slow_is_not_the_bots_fault() {
    let limits = CompileLimits { wall_clock_per_cpu_second: Duration::ZERO, ..CompileLimits::default() };
    let sandbox = sandbox_with(limits, CompileOptions { compiler: child(), cache: None });
    let said = failure(sandbox.admit(&arena_testkit::zoo("sweeper")));
    assert!(said.contains("less busy"), "{said}");
}

#[test]
fn a_compiler_that_is_killed_from_outside_is_tried_once_more() {
    let place = TempDir::new().expect("a temporary folder");
    let tries = place.path().join("tries");
    let sandbox = with(script(&format!("echo >> {}; kill -KILL $$", tries.display())));
    let said = failure(sandbox.admit(&arena_testkit::zoo("sweeper")));
    assert!(said.contains("could not start: signal: 9"), "{said}");
    assert_eq!(fs::read_to_string(tries).expect("it was tried").lines().count(), 2);
}

/// The memory that a process holds by its status, in KiB: 0 if it has ended.
fn resident_kib(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

/// Admits a component whose compiler is sent a signal at work, each time it is tried, and counts the signals.
fn admit_under_fire(signal: &str) -> (Result<Bot, AdmitError>, u32) {
    let place = TempDir::new().expect("a temporary folder");
    let pid = place.path().join("pid");
    let sandbox = with(script(&format!(r#"echo $$ > {0}.$$; mv {0}.$$ {0}; exec "$0" "$@""#, pid.display())));
    let giant = giant(400);
    let mut shots = 0;
    thread::scope(|scope| {
        let admitted = scope.spawn(|| sandbox.admit(&giant));
        while !admitted.is_finished() {
            let Ok(compiler) = fs::read_to_string(&pid) else {
                thread::sleep(Duration::from_millis(1));
                continue;
            };
            let status = fs::read_to_string(format!("/proc/{}/status", compiler.trim())).unwrap_or_default();
            // It holds this much only at its work: 5 MiB when it is ready, and 100 MiB at the end.
            if resident_kib(&status) > 30 << 10 {
                fs::remove_file(&pid).expect("it is there");
                let sent = Command::new("kill").args([signal, compiler.trim()]).status();
                assert!(sent.expect("there is a kill command").success());
                shots += 1;
            }
        }
        (admitted.join().expect("it does not panic"), shots)
    })
}

#[test]
fn a_compiler_that_is_killed_at_its_work_is_our_failure_and_one_that_crashes_is_the_components() {
    let (killed, shots) = admit_under_fire("-KILL");
    let said = failure(killed);
    assert!(said.contains("killed from outside") && said.contains("--jobs"), "{said}");
    assert_eq!(shots, 2);

    let (crashed, shots) = admit_under_fire("-ABRT");
    let refusal = refusal(crashed);
    assert_eq!((refusal.kind, shots), (RefusalKind::CompilerCrash, 2), "{refusal}");
    assert!(refusal.message.contains("signal: 6"), "{refusal}");
}

#[test]
fn a_failure_that_passes_goes_unnoticed() {
    let place = TempDir::new().expect("a temporary folder");
    let once = place.path().join("once");
    let sandbox =
        with(script(&format!(r#"if mkdir {}; then kill -KILL $$; fi; exec "$0" "$@""#, once.display())));
    assert_eq!(sandbox.admit(&arena_testkit::zoo("sweeper")).expect("it is a bot").name(), "zoo sweeper");
    assert!(once.exists());
}

#[test]
fn a_program_that_is_not_our_compiler_is_our_failure() {
    let sweeper = arena_testkit::zoo("sweeper");
    for (compiler, says) in [
        (Compiler::Child { program: "/nowhere/arena".into(), args: Vec::new() }, "cannot start the compiler"),
        (Compiler::Child { program: "/".into(), args: Vec::new() }, "cannot start the compiler"),
        (script("exec cat"), "is not the compiler of this arena"),
        (script("exec yes"), "is not the compiler of this arena"),
        (script("printf arena-s3%064d-ffffffffffffffff 0"), "is not the compiler of this arena"),
        (script("exit 0"), "could not start: exit status: 0"),
        (script("echo out of luck >&2; exit 5"), "exit status: 5: out of luck"),
        (script("yes >&2"), "stopped after"),
        (script("exec sleep 1000"), "stopped after"),
    ] {
        let waits = says == "stopped after";
        let limits = CompileLimits {
            cpu_seconds: fixed(1),
            wall_clock_per_cpu_second: Duration::from_secs(if waits { 1 } else { 240 }),
            ..CompileLimits::default()
        };
        let sandbox = sandbox_with(limits, CompileOptions { compiler: compiler.clone(), cache: None });
        let said = failure(sandbox.admit(&sweeper));
        assert!(said.contains(says), "{compiler:?}: {said}");
    }
}

#[test]
fn an_answer_that_is_cut_off_or_changed_on_its_way_is_never_loaded() {
    let sweeper = arena_testkit::zoo("sweeper");
    let mut child = start_by_hand(std::process::id());
    child.stdin.take().unwrap().write_all(&sweeper).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = output.stdout;

    let place = TempDir::new().expect("a temporary folder");
    let file = place.path().join("answer");
    let sandbox = with(script(&format!("cat > /dev/null; exec cat {}", file.display())));
    let admit = |answer: &[u8]| {
        fs::write(&file, answer).unwrap();
        sandbox.admit(&sweeper)
    };
    admit(&answer).expect("it is what the compiler has said");
    let greeting = message_bytes(&answer);
    let head = greeting + HEADER_BYTES;
    for length in [
        0,
        1,
        HEADER_BYTES,
        greeting,
        greeting + KEY_END,
        head - 1,
        head,
        head + 1,
        answer.len() / 2,
        answer.len() - 32,
        answer.len() - 1,
    ] {
        failure(admit(&answer[..length]));
    }
    let of_header = [0, 7, 8, 72, 73, KEY_END - 1, KEY_END, KEY_END + 1, KEY_END + 6, HEADER_BYTES - 1];
    let of_answer = of_header.map(|at| greeting + at);
    let of_code = [head, answer.len() / 2, answer.len() - 33, answer.len() - 1];
    for at in [of_header.as_slice(), &[greeting - 1], &of_answer, &of_code].concat() {
        let mut changed = answer.clone();
        changed[at] ^= 0x10;
        admit(&changed).expect_err("it is not what the compiler has said");
    }
    failure(admit(&[answer.as_slice(), b"\n"].concat()));
}

#[test]
fn compiling_stops_on_request_and_leaves_no_process_behind() {
    let place = TempDir::new().expect("a temporary folder");
    let pid = place.path().join("pid");
    let sandbox = with(script(&format!("echo $$ > {0}.$$; mv {0}.$$ {0}; exec sleep 1000", pid.display())));
    let stopped = thread::scope(|scope| {
        let admitted = scope.spawn(|| sandbox.admit(&arena_testkit::zoo("sweeper")));
        let waiting = scope.spawn(|| sandbox.admit(&arena_testkit::zoo("repeats")));
        while !pid.exists() {
            thread::sleep(Duration::from_millis(1));
        }
        sandbox.stop_compiling();
        [admitted, waiting].map(|thread| failure(thread.join().expect("it does not panic")))
    });
    assert_eq!(stopped, ["compiling was stopped", "compiling was stopped"]);
    let pid = fs::read_to_string(pid).expect("the child wrote it");
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "it is gone, and was waited for");
    assert_eq!(failure(sandbox.admit(&arena_testkit::zoo("sweeper"))), "compiling was stopped");
}

#[test]
fn the_child_confines_itself_before_it_reads_the_component() {
    let confinement = with(child()).check_confinement().expect("it reports").clone();
    let is_enforced = |measure| confinement.measures().any(|(its, gap)| its == measure && gap.is_none());
    let mut child = start_by_hand(std::process::id());
    hear_greeting(&mut child);
    let process = Path::new("/proc").join(child.id().to_string());
    let limits = fs::read_to_string(process.join("limits")).expect("it is alive");
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).expect("Linux has this limit");
        line[name.len()..].split_whitespace().map(str::to_owned).take(2).collect::<Vec<_>>()
    };
    assert_eq!(limit("Max cpu time"), ["60", "61"]);
    assert_eq!(limit("Max address space"), ["2147483648", "2147483648"]);
    assert_eq!(limit("Max core file size"), ["0", "0"]);
    assert_eq!(limit("Max file size"), ["0", "0"]);
    assert_eq!(limit("Max open files"), ["3", "3"]);
    assert_eq!(limit("Max processes"), ["0", "0"]);
    let threads: Vec<_> = fs::read_dir(process.join("task")).expect("it is alive").collect();
    assert_eq!(threads.len(), 2, "{threads:?}");
    for thread in threads {
        let status = fs::read_to_string(thread.unwrap().path().join("status")).expect("it is alive");
        let has = |line: &str| status.lines().any(|other| other == line);
        assert!(has("NoNewPrivs:\t1"), "{status}");
        assert_eq!(has("Seccomp:\t2"), is_enforced(Measure::SystemCalls), "{status}");
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            assert_eq!(has(&format!("{set}:\t{:016x}", 0)), is_enforced(Measure::Capabilities), "{status}");
        }
    }
    child.kill().and_then(|()| child.wait()).expect("it is ours");
}

#[test]
fn the_child_closes_what_it_inherits() {
    let confinement =
        with(script(r#"exec 9</dev/null; exec "$0" "$@""#)).check_confinement().expect("it reports").clone();
    let gap = confinement.gaps().find(|(measure, _)| *measure == Measure::Descriptors);
    assert_eq!(gap, None);
    let mut child = Command::new("/bin/sh")
        .args(["-c", r#"exec 9</dev/null; exec "$0" "$@""#, env!("CARGO_BIN_EXE_arena-compiler")])
        .args(orders(std::process::id()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    hear_greeting(&mut child);
    // An ordinary user may not look into a process whose memory is private; `tests/confinement.rs` looks from inside.
    if let Ok(open) = fs::read_dir(format!("/proc/{}/fd", child.id())) {
        let mut open: Vec<_> = open.map(|entry| entry.expect("it is alive").file_name()).collect();
        open.sort();
        assert_eq!(open, ["0", "1", "2"]);
    }
    child.kill().and_then(|()| child.wait()).expect("it is ours");
}

#[test]
fn a_child_whose_parent_is_gone_does_not_start() {
    let child = start_by_hand(1);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "its parent is gone\n");
}

#[test]
fn the_compilers_program_says_what_it_is() {
    let output = Command::new(env!("CARGO_BIN_EXE_arena-compiler")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("a part of a sandbox"));
}
