//! Ctrl-C and the other signals that end the program, and a closed pipe.

use crate::support::{Place, signal};
use std::io::{BufRead, BufReader};

const ENDLESS: &str = "run sweeper.wasm repeats.wasm --games 1000000";

#[test]
fn ctrl_c_and_a_signal_to_end_finish_the_games_in_progress_and_print_the_table() {
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
        assert!(said.contains(&format!("interrupted: played {games} of 1000000 games")), "{games}: {said}");
        assert!(said.contains("finishing the games in progress"), "{said}");
        assert!(rest.iter().any(|line| line.contains("points")), "a table ends it");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_run_quietly() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let mut child = place.start(ENDLESS);
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(std::io::read_to_string(child.stderr.take().unwrap()).unwrap(), "");
}
