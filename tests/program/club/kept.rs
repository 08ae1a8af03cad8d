//! Clubs of earlier programs, and clocks that jump.

use super::{Served, club};
use crate::support::{Place, command};
use arena_testkit::skip::program_or_skip;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The authors of the kept club, with their tokens. Its register has the hashes.
const AUTHORS: [(&str, &str); 4] = [
    ("ann", "zL22yjB_s6qpNmGIHLbyWdfBJU7foGYmH6nwSVBvwKg"),
    ("ben", "mNqnf3hwfkEM-zvrniuZ_OZlUnRfCF5j-0u-_DfRwNw"),
    ("cat", "v2NybZst0EFqEFmMH9KTwhc7Tu8vccW2p6nSecemE04"),
    ("dee", "H5rQkGONeboBf1MpLj1wvjYo-bsLFbj-zQddBPdP0Q0"),
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("the kept club is there").flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("it can be copied");
        }
    }
}

#[test]
fn a_club_in_the_first_format_is_served_further_and_goes_on_in_another_season() {
    let place = Place::empty();
    // Made by `arena club` of the first format: zoo bots with four games a pair, two refused ones, and a disqualified author.
    copy(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/program/club/data/format-1")),
        &place.path("club"),
    );
    AUTHORS.iter().for_each(|(name, token)| place.write(name, token));
    let before = place.arena("journal info club/season.db").expect_code(0).stdout;
    assert!(before.contains("by 4 bots"), "{before}");
    let served = Served::start(&place, "--games 4");
    let mine = |author: &str| -> Vec<Value> {
        let mine = served.author("mine -o json", author).expect_code(0).json();
        let row =
            |it: &Value| json!([it["version"], it["state"], it["standing"]["games"], it["submitted-at"]]);
        mine.as_array().expect("a list").iter().map(row).collect()
    };
    let at = "2026-01-31T12:00:00Z";
    assert_eq!(mine("ann"), [json!([2, "plays", 8, at]), json!([1, "superseded", 8, at])]);
    assert_eq!(mine("ben"), [json!([1, "plays", 12, at])]);
    assert_eq!(mine("cat"), [json!([2, "faulted", null, at]), json!([1, "refused", null, at])]);
    assert_eq!(mine("dee"), [json!([1, "disqualified", 12, at])]);
    let refused = served.author("mine -o json", "cat").expect_code(0).json()[1]["finding"].to_string();
    assert!(refused.contains("exports nothing"), "{refused}");
    place.write("new.wasm", arena_testkit::zoo("fills-to-the-cap"));
    assert_eq!(served.submit("new.wasm", "cat").expect_code(0).json()["version"], 3);
    served.interrupt();
    // The engine of today plays other games than that of then, so its season ends here.
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("club season new --data club").expect_code(0);
    let served = Served::start(&place, "--games 4");
    served.wait_for_games("cat", 8);
    served.wait_for_page("/", "cat");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    let verified = place.arena("verify --journal club/season.db").expect_code(0).stdout;
    assert!(verified.contains("is intact") && verified.contains("verified 12 of 12"), "{verified}");
    let before = place.arena("verify --journal club/seasons/1/season.db").stdout;
    assert!(before.contains("is intact"), "{before}");
}

#[test]
fn a_clock_that_is_set_back_between_submissions_changes_no_order_and_no_verdict() {
    let place = club();
    // The program takes its time from this variable, which is an hour less after each start.
    let serve = |hours_back: u64| {
        let args =
            ["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--jobs", "1", "--games", "4"];
        let mut command = command(place.folder(), &args);
        command.env("SOURCE_DATE_EPOCH", (1_769_860_800 - 3_600 * hours_back).to_string());
        Served::of(&place, &mut command)
    };
    for (hours_back, bot, author) in [(0, "sweeper", "ann"), (1, "hunter", "ben"), (2, "random", "ann")] {
        let served = serve(hours_back);
        served.submit(&format!("{bot}.wasm"), author).expect_code(0);
        if hours_back > 0 {
            served.wait_for_games("ben", 4);
        }
        served.interrupt();
    }
    let served = serve(3);
    served.wait_for_games("ann", 4);
    let mine = served.author("mine -o json", "ann").expect_code(0).json();
    let rows: Vec<Value> = mine
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| json!([it["version"], it["state"], it["submitted-at"]]))
        .collect();
    assert_eq!(
        rows,
        [json!([2, "plays", "2026-01-31T10:00:00Z"]), json!([1, "superseded", "2026-01-31T12:00:00Z"])]
    );
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
}

/// The library of Debian's package `faketime`, from the program's folder.
const LIBRARY: &str = "../lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

#[test]
fn a_clock_that_is_set_back_while_a_club_runs_stops_nothing() {
    let Some(program) = program_or_skip("faketime") else { return };
    let library = program.parent().expect("it is in a folder").join(LIBRARY);
    let place = club();
    place.write("clock", "+0\n");
    let args = ["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--jobs", "1", "--games", "4"];
    let mut command = command(place.folder(), &args);
    command.env_remove("SOURCE_DATE_EPOCH").env("LD_PRELOAD", library);
    command.env("FAKETIME_TIMESTAMP_FILE", place.path("clock")).env("FAKETIME_NO_CACHE", "1");
    // A system sets only the clock of the day.
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let served = Served::of(&place, &mut command);
    served.submit("sweeper.wasm", "ann").expect_code(0);
    place.write("clock", "-1h\n");
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    place.write("clock", "+3h\n");
    served.submit("random.wasm", "ann").expect_code(0);
    place.write("clock", "-2d\n");
    served.wait_for_games("ann", 4);
    let times: Vec<String> = served
        .author("mine -o json", "ann")
        .expect_code(0)
        .json()
        .as_array()
        .expect("a list")
        .iter()
        .chain([&served.latest("ben")])
        .map(|it| it["submitted-at"].as_str().expect("it is a text").to_owned())
        .collect();
    let [second, first, of_ben] = &times[..] else { panic!("{times:?}") };
    assert!(of_ben < first && first < second, "the clock was not set: {times:?}");
    // Pages are newer than those of before, whatever their time.
    served.wait_for_page("/", "ann@1");
    let tag = served.get("/").head;
    assert!(tag.contains("etag: "), "{tag}");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
}
