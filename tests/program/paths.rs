//! Paths that do not name what they should: pipes and devices are refused without waiting, and no name is special.

use crate::support::Place;
use arena_rules::battleship::Battleship;
use arena_testkit::wait_for;
use std::process::{Child, Command, Output};

/// The output of the program, which must end.
fn ended(mut child: Child) -> Output {
    if wait_for(|| child.try_wait().unwrap()).is_none() {
        child.kill().unwrap();
        panic!("it waits");
    }
    child.wait_with_output().unwrap()
}

fn make_pipe(place: &Place, name: &str) {
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.expect("there is a mkfifo command").success());
}

/// Checks that the program refuses these arguments in time, with exit code 2 and this text.
fn refuses(place: &Place, args: &str, says: &str) {
    let output = ended(place.start(args));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args}: {said}");
    assert!(said.contains(says) && said.contains("next: "), "{args}: {said}");
    assert!(output.stdout.is_empty(), "{args}");
}

#[test]
fn a_pipe_a_device_or_a_link_to_one_is_refused_by_its_kind() {
    let place = Place::with_specimens(&["sweeper"]);
    make_pipe(&place, "pipe.db");
    std::os::unix::fs::symlink("/dev/zero", place.path("link.db")).unwrap();
    let run = "run sweeper.wasm sweeper.wasm --games 2";
    for (path, kind) in [
        ("pipe.db", "a named pipe"),
        ("link.db", "a character device"),
        ("/dev/zero", "a character device"),
        ("/dev/tty", "a character device"),
    ] {
        for (args, wanted) in [
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
            refuses(&place, &args, &format!("{path}: "));
            refuses(&place, &args, &format!("is {kind}, not a {wanted}"));
        }
    }
}

#[test]
fn a_pipe_or_a_link_in_the_place_of_a_file_to_write_is_replaced_and_not_written_through() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    std::fs::create_dir(place.path("t")).unwrap();
    place.write("other", "as it was");
    std::os::unix::fs::symlink(place.path("other"), place.path("t/1-sweeper-vs-repeats.jsonl.part")).unwrap();
    make_pipe(&place, "t/2-repeats-vs-sweeper.jsonl.part");
    let child = place.start("run sweeper.wasm repeats.wasm --games 2 --transcripts t");
    assert_eq!(ended(child).status.code(), Some(0));
    assert_eq!(place.replayed::<Battleship>("t").len(), 2);
    assert_eq!(std::fs::read_to_string(place.path("other")).unwrap(), "as it was");
}

#[test]
fn a_journal_is_a_file_even_if_sqlite_gives_its_name_a_meaning() {
    let place = Place::with_specimens(&["sweeper"]);
    for name in [":memory:", "file:a.db", "file:b.db?mode=memory", "file:c.db?immutable=1"] {
        place.arena(&format!("run sweeper.wasm sweeper.wasm --games 2 --journal {name}")).expect_code(0);
        assert!(place.path(name).is_file(), "{name}");
        let standings = place.arena(&format!("standings {name} -o json")).expect_code(0).json();
        assert_eq!(standings["games-played"], 2, "{name}");
    }
    let empty = Command::new(env!("CARGO_BIN_EXE_arena")).args(["standings", ""]).output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
}
