//! Copies of journals: of one that a run has ended, and of one without the log of a run that was killed.

use crate::support::{Place, Run, signal};
use std::fs;

const RUN: &str = "run sweeper.wasm repeats.wasm --games 100000 -q --journal a.db";

/// The phrase about a missing log.
const NO_LOG: &str = "copy copies/a.db-wal, too, from where it was written";

/// A place with a journal of a run that was killed, and a copy of its one file in `copies`. The file has the games of a run before, if
/// there was one.
fn killed_and_copied(before: &str) -> Place {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    if !before.is_empty() {
        place.arena(&RUN.replace("100000", before)).expect_code(0);
    }
    let mut child = place.start_and_play(RUN, "a.db", 3);
    signal(&child, "KILL");
    child.wait().unwrap();
    fs::create_dir(place.path("copies")).unwrap();
    fs::copy(place.path("a.db"), place.path("copies/a.db")).unwrap();
    place
}

/// The files of a journal: those that begin with its name, without the folder of its bots.
fn files_of(place: &Place, journal: &str) -> Vec<String> {
    let path = place.path(journal);
    let (folder, name) = (path.parent().unwrap(), path.file_name().unwrap().to_str().unwrap());
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|it| it.starts_with(name) && !it.ends_with(".bots")).collect();
    names.sort();
    names
}

#[track_caller]
fn expect_note(run: &Run, is_there: bool) {
    assert_eq!(run.stderr.matches(NO_LOG).count(), usize::from(is_there), "{}", run.stderr);
}

#[test]
fn commands_that_read_a_copy_without_its_log_say_which_file_is_missing() {
    let place = killed_and_copied("20");
    let commands = [
        "standings copies/a.db",
        "standings copies/a.db -o json",
        "games copies/a.db --shortest",
        "journal info copies/a.db",
        "journal history copies/a.db -o json",
        "verify --journal copies/a.db . --sample 1",
        "report copies/a.db --replays none -o site",
    ];
    for args in commands {
        let run = place.arena(args).expect_code(0);
        assert!(run.stderr.contains(NO_LOG), "{args}: {}", run.stderr);
    }
    assert!(fs::read_to_string(place.path("site/index.html")).unwrap().contains("so games may be missing"));
    expect_note(&place.arena("journal close copies/a.db --unfinished").expect_code(2), true);
    assert_eq!(files_of(&place, "copies/a.db"), ["a.db"]);
    // The journal itself is whole, and so is the copy with its log.
    expect_note(&place.arena("standings a.db").expect_code(0), false);
    let all = place.games_in("a.db");
    fs::copy(place.path("a.db-wal"), place.path("copies/a.db-wal")).unwrap();
    let whole = place.arena("standings copies/a.db -o json").expect_code(0);
    expect_note(&whole, false);
    assert_eq!(whole.json()["games-played"].as_u64(), Some(all));
}

#[test]
fn a_run_that_continues_a_copy_without_its_log_says_so_and_makes_it_whole() {
    let place = killed_and_copied("20");
    expect_note(
        &place.arena(&RUN.replace("100000 -q", "30").replace("a.db", "copies/a.db")).expect_code(0),
        true,
    );
    let after = place.arena("standings copies/a.db -o json").expect_code(0);
    expect_note(&after, false);
    assert_eq!(after.json()["games-played"], 30);
    assert_eq!(files_of(&place, "copies/a.db"), ["a.db"]);
}

#[test]
fn a_copy_of_a_short_run_without_its_log_is_named_as_such() {
    let place = killed_and_copied("");
    assert_eq!(fs::metadata(place.path("copies/a.db")).unwrap().len(), 4_096);
    let run = RUN.replace("a.db", "copies/a.db");
    for args in ["standings copies/a.db", "verify --journal copies/a.db .", "games copies/a.db", &run] {
        let run = place.arena(args).expect_code(2);
        assert!(
            run.stderr
                .contains("copies/a.db: it was written in WAL mode, and the file with -wal after its name"),
            "{args}: {}",
            run.stderr
        );
        assert!(run.stderr.contains("next: copy that file, too"), "{args}: {}", run.stderr);
    }
}

#[test]
fn a_run_that_ends_in_order_leaves_one_file() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    for name in ["INT", "TERM"] {
        let mut child = place.start_and_play(RUN, "a.db", 20);
        expect_note(&place.arena("standings a.db").expect_code(0), false);
        signal(&child, name);
        child.wait().unwrap();
        assert_eq!(files_of(&place, "a.db"), ["a.db"], "{name}");
        let copied = fs::read(place.path("a.db")).unwrap();
        place.write("copy.db", copied);
        let [run, of_copy] = ["a.db", "copy.db"].map(|it| place.arena(&format!("standings {it} -o json")));
        assert!(!of_copy.stderr.contains("WAL"), "{}", of_copy.stderr);
        assert_eq!(run.json()["head"], of_copy.json()["head"]);
    }
    // Nor does one that fails: nothing can be printed, although all games are kept.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let args: Vec<&str> = "run sweeper.wasm repeats.wasm --games 4 --journal full.db".split(' ').collect();
    let failed = crate::support::command(place.folder(), &args).stdout(full).output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(files_of(&place, "full.db"), ["full.db"]);
}
