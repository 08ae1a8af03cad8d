//! Disks that are full, and folders that cannot be written to: the machine's failures, with exit code 1.
//!
//! Root may write to any folder, so these folders are ones that no user can write to: a path below a regular file, and
//! the kernel's own file systems.

use crate::support::{Place, Run, command};
use std::fs::OpenOptions;
use std::process::Command;

/// Runs the program with a full disk as its standard output.
fn on_a_full_disk(place: &Place, args: &str) -> Run {
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has a full device");
    let args: Vec<&str> = args.split_whitespace().collect();
    Run::of(command(place.folder(), &args).stdout(full))
}

#[test]
fn a_full_disk_ends_every_command_that_prints_results() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    place.arena("run sweeper.wasm repeats.wasm --games 2 --journal a.db --transcripts t").expect_code(0);
    for args in [
        "run sweeper.wasm repeats.wasm --games 1000000",
        "run sweeper.wasm repeats.wasm --games 2 -o json",
        "check sweeper.wasm",
        "bench sweeper.wasm --boards 2",
        "sprt sweeper.wasm repeats.wasm --max-pairs 2",
        "standings a.db",
        "report a.db -o site",
        "verify --journal a.db .",
        "replay t/1-sweeper-vs-repeats.jsonl --headless",
        "rules list",
        "rules show",
    ] {
        let run = on_a_full_disk(&place, args).expect_code(1);
        let expected = "cannot write the results: no space is left";
        assert!(run.stderr.contains(expected), "{args}: {}", run.stderr);
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_stops_the_run_before_it_starts() {
    let place = Place::with_specimens(&["sweeper"]);
    place.write("file", "");
    for option in ["--transcripts", "--logs"] {
        for folder in ["file", "file/t", "/proc/t", "/sys"] {
            let run = place.arena(&format!("run sweeper.wasm sweeper.wasm {option} {folder}")).expect_code(1);
            let message = format!("cannot write to the folder {folder}: ");
            assert!(run.stderr.contains(&message) && run.stderr.contains("next: "), "{}", run.stderr);
            assert_eq!(run.stdout, "", "{option} {folder}");
        }
    }
}

#[test]
fn a_journal_that_cannot_be_created_stops_the_run_before_it_starts() {
    let place = Place::with_specimens(&["sweeper"]);
    place.write("file", "");
    // The machine refuses to create a file in /sys. A folder that does not exist is a wrong argument.
    for (journal, code) in [("/sys/a.db", 1), ("file/a.db", 2), ("folder/a.db", 2), ("/proc/t/a.db", 2)] {
        let run =
            place.arena(&format!("run sweeper.wasm sweeper.wasm --journal {journal}")).expect_code(code);
        assert!(run.stderr.contains(&format!("{journal}: ")), "{}", run.stderr);
        assert!(run.stderr.contains("next: "), "{}", run.stderr);
        assert_eq!(run.stdout, "", "{journal}");
    }
}

#[test]
fn a_game_that_cannot_be_recorded_is_not_counted_and_ends_the_run() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    // A file cannot replace this folder. It has the name of the second transcript.
    std::fs::create_dir_all(place.path("t/2-repeats-vs-sweeper.jsonl/x")).unwrap();
    let run = place.arena("run sweeper.wasm repeats.wasm --games 4 --transcripts t -o json").expect_code(1);
    assert!(run.stderr.contains("cannot write t/2-repeats-vs-sweeper.jsonl"), "{}", run.stderr);
    let document = run.json();
    assert_eq!(document["complete"], false);
    assert_eq!(document["games"].as_array().unwrap().len(), 1);
    assert_eq!(document["standings"][0]["games"], 1);
}

#[test]
fn a_journal_that_cannot_grow_keeps_the_games_before_and_is_continued_later() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    let args = "run sweeper.wasm repeats-once-then-valid.wasm --games 400 --seed 1 --no-cache --no-keep-bots --journal a.db -o json";
    // Files of this run may have 256 KiB, in the shell's blocks of 512 bytes. The signal is ignored, so that writing fails.
    let line = format!("trap '' XFSZ; ulimit -f 512; exec {} {args}", env!("CARGO_BIN_EXE_arena"));
    let run = Run::of(Command::new("sh").args(["-c", &line]).current_dir(place.folder())).expect_code(1);
    assert!(run.stderr.contains("a.db: cannot be written; the games before are kept"), "{}", run.stderr);
    assert!(run.stderr.contains("--resume"), "{}", run.stderr);
    let kept = place.arena("standings a.db -o json").expect_code(0).json();
    assert_eq!(kept["games-played"].as_u64(), run.json()["games"].as_array().map(|games| games.len() as u64));
    assert!(kept["games-played"].as_u64() > Some(0) && kept["complete"] == false, "{kept}");

    let resumed = place.arena(&format!("{args} --resume")).expect_code(0);
    let undisturbed = place.arena(&args.replace("--no-keep-bots --journal a.db", "")).expect_code(0);
    assert_eq!(resumed.without_head(), undisturbed.without_head());
}
