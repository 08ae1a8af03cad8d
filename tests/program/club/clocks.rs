//! Clocks that jump while a club runs.

use super::{Served, club};
use crate::support::command;
use arena_testkit::skip::program_or_skip;
use serde_json::{Value, json};

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
