//! Paths that do not name what they should: pipes and devices are refused without waiting, and no name is special.

use crate::support::Place;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The time in which the program must refuse a path. Chosen: it takes some milliseconds, so a busy machine fails no test.
const PATIENCE: Duration = Duration::from_secs(60);

/// Checks that the program refuses these arguments in time, with exit code 2 and this text.
fn refuses(place: &Place, words: &str, says: &str) {
    let mut child = place.start(words);
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{words}: it waits");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}: {said}");
    assert!(said.contains(says) && said.contains("next: "), "{words}: {said}");
    assert!(output.stdout.is_empty(), "{words}");
}

#[test]
fn a_pipe_a_device_or_a_link_to_one_is_refused_by_its_kind() {
    let place = Place::with_specimens(&["sweeper"]);
    let made = Command::new("mkfifo").arg(place.path("pipe.db")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", place.path("link.db")).unwrap();
    let run = "run sweeper.wasm sweeper.wasm --games 2";
    for (path, kind) in [
        ("pipe.db", "a named pipe"),
        ("link.db", "a character device"),
        ("/dev/zero", "a character device"),
        ("/dev/tty", "a character device"),
    ] {
        for (words, wanted) in [
            (format!("standings {path}"), "journal"),
            (format!("{run} --journal {path}"), "journal"),
            (format!("{run} --journal {path} --resume"), "journal"),
            (format!("verify --journal {path} ."), "journal"),
            (format!("replay --journal {path} 1"), "journal"),
            (format!("{run} --rules {path}"), "rules file"),
            (format!("rules show {path}"), "rules file"),
            (format!("verify {path} sweeper.wasm"), "transcript"),
            (format!("replay {path} --headless"), "transcript"),
        ] {
            refuses(&place, &words, &format!("{path}: "));
            refuses(&place, &words, &format!("is {kind}, not a {wanted}"));
        }
    }
}

#[test]
fn a_journal_is_a_file_even_if_sqlite_gives_its_name_a_meaning() {
    let place = Place::with_specimens(&["sweeper"]);
    for name in [":memory:", "file:a.db", "file:b.db?mode=memory", "file:c.db?immutable=1"] {
        place.arena(&format!("run sweeper.wasm sweeper.wasm --games 2 --journal {name}")).expect_code(0);
        assert!(place.path(name).is_file(), "{name}");
        let standings = place.arena(&format!("standings {name} -o json")).expect_code(0).json();
        assert_eq!(standings["games"], 2, "{name}");
    }
    let empty = Command::new(env!("CARGO_BIN_EXE_arena")).args(["standings", ""]).output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
}
