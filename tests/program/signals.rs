//! Ctrl-C and the other signals that end the program, and a closed pipe.

use crate::support::{Place, Run, command, signal};
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

/// The message about results that were not read.
const CLOSED: &str = "arena: standard output was closed before all results were printed\n  next: ";

/// Starts the program, reads a line of its results, and closes the pipe. Returns the exit code and standard error.
fn read_a_line(place: &Place, args: &str) -> (Option<i32>, String) {
    let mut child = place.start(args);
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    let told = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    (child.wait().unwrap().code(), told)
}

#[test]
fn a_reader_that_closes_the_pipe_ends_a_run_without_a_journal() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let (code, told) = read_a_line(&place, ENDLESS);
    assert_eq!(code, Some(141), "{told}");
    assert!(told.starts_with(CLOSED), "{told}");
}

#[test]
fn a_tournament_with_a_journal_goes_on_when_its_reader_closes_the_pipe() {
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    let args = "run sweeper.wasm always-skips.wasm --games 1000 --journal a.db";
    let (code, told) = read_a_line(&place, args);
    assert_eq!(code, Some(141), "{told}");
    assert!(told.starts_with(CLOSED), "it goes on silently: {told}");
    let standings = place.arena("standings a.db -o json").expect_code(0).json();
    assert_eq!((&standings["games-played"], &standings["complete"]), (&1_000.into(), &true.into()));
}

#[test]
fn no_command_succeeds_if_its_results_cannot_be_read() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    let run = "run sweeper.wasm repeats.wasm --games 2 --seed 1";
    place.arena(&format!("{run} --journal a.db --transcripts t")).expect_code(0);
    for args in [
        &format!("{run} -o json -q"),
        &format!("{run} --journal a.db -q"),
        "check sweeper.wasm",
        "check gone-by-now.wasm --help",
        "bench sweeper.wasm --boards 2 -q",
        "sprt sweeper.wasm repeats.wasm --max-pairs 2 -q",
        "standings a.db",
        "verify --journal a.db .",
        "rerun a.db 1 sweeper.wasm",
        "replay t/1-sweeper-vs-repeats.jsonl --headless",
        "rules list",
        "rules show",
        "wit",
        "completions bash",
        "--help",
        "--version",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let args: Vec<&str> = args.split_whitespace().collect();
        let run = Run::of(command(place.folder(), &args).stdout(writer)).expect_code(141);
        assert!(run.stderr.starts_with(CLOSED), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn a_quiet_command_prints_its_result_and_nothing_else() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    let bots = "sweeper.wasm repeats-once-then-valid.wasm";
    // The seed is small. It is worth a note.
    for (args, begins, lines) in [
        (format!("run {bots} --games 4 --seed 1 --journal a.db"), "\n   bot ", 12),
        (format!("sprt {bots} --max-pairs 2 --seed 1 --elo0 -10 --elo1 10"), "", 8),
        ("bench sweeper.wasm --boards 3 --seed 1".into(), "", 20),
        ("verify --journal a.db .".into(), "the chain of ", 2),
    ] {
        let run = place.arena(&format!("{args} --quiet"));
        assert_eq!(run.stderr, "", "{args}");
        assert!(run.stdout.starts_with(begins), "{args}: {}", run.stdout);
        assert!((1..=lines).contains(&run.stdout.lines().count()), "{args}: {}", run.stdout);
        let loud = place.arena(&args);
        assert!(loud.stdout.ends_with(&run.stdout), "{args}: {}", loud.stdout);
    }
    // A refusal is an error.
    place.write("text.wasm", "no component");
    let refused = place.arena(&format!("run {bots} text.wasm --games 2 -q")).expect_code(3);
    assert!(refused.stderr.starts_with("refused: text.wasm: "), "{}", refused.stderr);
}
