//! What the world does to the program: a closed pipe, a full disk, Ctrl-C.

use crate::support::{Place, command, signal};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};

const ENDLESS: &str = "run sweeper.wasm repeats.wasm --games 1000000";

#[test]
fn ctrl_c_and_a_polite_end_finish_the_games_in_flight_and_print_the_table() {
    for name in ["INT", "TERM"] {
        let place = Place::with_specimens(&["sweeper", "repeats"]);
        let mut child = place.start(ENDLESS);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        lines.next().expect("the first game");
        signal(&child, name);
        let rest: Vec<String> = lines.collect();
        let games =
            1 + rest.iter().filter(|line| line.contains(" - ")).filter(|line| line.contains("turn")).count();
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
        assert!(
            said.contains(&format!("interrupted: {games} of 1000000 games were played")),
            "{games}: {said}"
        );
        assert!(said.contains("finishing the games in flight"), "{said}");
        assert!(rest.iter().any(|line| line.contains("points")), "a table ends it");
    }
}

#[test]
fn a_reader_that_has_had_enough_ends_the_run_quietly() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let mut child = place.start(ENDLESS);
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(std::io::read_to_string(child.stderr.take().unwrap()).unwrap(), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_our_failure_and_is_said_so() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has a full device");
    let output = command(place.folder(), &ENDLESS.split(' ').collect::<Vec<_>>())
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the arena failed") && said.contains("No space left"), "{said}");
}

/// A folder that a file of the name of game 2's transcript cannot be renamed into, since a folder has that name.
#[test]
fn a_game_that_cannot_be_recorded_is_not_counted_and_ends_the_run() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    std::fs::create_dir_all(place.path("t/2-repeats-vs-sweeper.jsonl/x")).unwrap();
    let run = place.arena("run sweeper.wasm repeats.wasm --games 4 --transcripts t -o json").expect_code(1);
    assert!(run.stderr.contains("cannot write t/2-repeats-vs-sweeper.jsonl"), "{}", run.stderr);
    let document = run.json();
    assert_eq!(document["complete"], false);
    assert_eq!(document["games"].as_array().unwrap().len(), 1);
    assert_eq!(document["standings"][0]["games"], 1);
}
