use super::*;
use crate::child::Running;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::Instant;

/// Longer than any test waits. If it is waited for, something is missing.
const LONG: Duration = Duration::from_secs(60);

fn shell(line: &str) -> (Running, Pipes) {
    let (shell, flag) = if cfg!(windows) { ("C:/windows/system32/cmd.exe", "/c") } else { ("/bin/sh", "-c") };
    Running::start(Path::new(shell), [flag, line]).expect("there is a shell")
}

/// Reads to the end of a pipe.
#[cfg(unix)]
fn all_of(pipe: &mut Receiver) -> String {
    let mut read = Vec::new();
    let mut chunk = [0; 7];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return String::from_utf8(read).expect("it is text"),
            Ok(count) => read.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                assert_eq!(wait(&[Awaited::Receiver(pipe)], LONG).expect("it can wait"), [true]);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

// Windows has no program that repeats its input.
#[cfg(unix)]
#[test]
fn a_child_gets_what_is_sent_and_all_that_it_says_is_read() {
    let (mut child, mut pipes) = shell("cat; echo trouble >&2; exit 3");
    assert_eq!(pipes.output.read(&mut [0]).map_err(|error| error.kind()), Err(ErrorKind::WouldBlock));
    let text = "0123456789\n".repeat(20_000);
    let mut left = text.as_bytes();
    let mut heard = Vec::new();
    while !left.is_empty() {
        let ready = wait(&[Awaited::Sender(&pipes.input), Awaited::Receiver(&pipes.output)], LONG);
        let ready = ready.expect("it can wait");
        assert!(ready.contains(&true));
        if ready[0] {
            left = &left[pipes.input.write(left).expect("it takes bytes")..];
        }
        let mut chunk = [0; 4_096];
        if ready[1] {
            let count = pipes.output.read(&mut chunk).expect("it has bytes");
            heard.extend_from_slice(&chunk[..count]);
        }
    }
    drop(pipes.input);
    let heard = String::from_utf8(heard).expect("it is text") + &all_of(&mut pipes.output);
    assert!(heard == text, "{} bytes", heard.len());
    assert_eq!(all_of(&mut pipes.errors), "trouble\n");
    assert_eq!(child.wait().expect("it ends").0.code(), Some(3));
}

#[test]
fn sending_to_a_child_that_is_gone_is_a_broken_pipe() {
    let (mut child, mut pipes) = shell("exit");
    child.wait().expect("it ends");
    let error = loop {
        match pipes.input.write(b"more") {
            // What was sent before is on its way.
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::yield_now(),
            Err(error) => break error,
            Ok(_) => {}
        }
    };
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}

#[test]
fn a_wait_ends_by_its_time_or_by_a_bell_that_stays_rung() {
    let (_child, pipes) = shell(if cfg!(windows) { "findstr 0" } else { "sleep 60" });
    let bell = Bell::new().expect("there is room");
    let awaited = [Awaited::Bell(&bell), Awaited::Receiver(&pipes.output)];
    let short = Duration::from_millis(5);
    assert_eq!(wait(&awaited, short).expect("it can wait"), [false, false]);
    bell.ring();
    bell.ring();
    let begun = Instant::now();
    for _ in 0..2 {
        assert_eq!(wait(&awaited, LONG).expect("it can wait"), [true, false]);
    }
    assert!(begun.elapsed() < LONG);
}
