//! Compiler bombs: they are refused, and all other bots play as without them.

use crate::processes::children;
use crate::support::Place;
use arena_testkit::{bombs, giant, with_idle_functions};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Duration;

/// The largest peak of an arena's memory with bombs among its bots, in bytes. Chosen: more than the largest bomb, a file of
/// 40 MiB, and a part of the memory that it takes to compile one of the smaller ones.
const PEAK_BYTES_MAX: u64 = 256 << 20;

/// A bot that could play, if it did not have a function with this number of ways and locals. Nothing calls the function.
fn switch_in_a_bot(ways: usize, locals: usize) -> Vec<u8> {
    let mut text = format!("(func $switch (param i32) (local{})", " i32".repeat(locals));
    text.push_str(&" block".repeat(ways + 1));
    text.push_str(" local.get 0 br_table");
    (0..=ways).for_each(|way| write!(text, " {way}").expect("a string takes any text"));
    for way in 0..ways {
        let (from, to) = (way % locals + 1, way * 7 % locals + 1);
        write!(text, " end local.get {from} i32.const 1 i32.add local.set {to}")
            .expect("a string takes any text");
    }
    text.push_str(" end)");
    arena_testkit::component(&text).expect("it can be made")
}

#[test]
fn bombs_are_refused_each_by_its_limit_once_leave_nothing_behind_and_change_no_game_of_others() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    let play = "run . --games 6 -o json";
    let alone = place.arena(play).expect_code(0).json();
    place.write("switch.wasm", switch_in_a_bot(4_990, 300));
    place.write("functions.wasm", with_idle_functions(arena_testkit::zoo("sweeper"), 80_000));
    place.write("names.wasm", bombs::long_names_of_instances(990, 240, 90_000));
    place.write("data.wasm", bombs::data_bytes(40 << 20));

    // They leave no memory and no process behind.
    let mut arena = place.start("run . --games 1000000 --cache c");
    let mut lines = BufReader::new(arena.stdout.take().unwrap()).lines();
    lines.next().expect("the first game").unwrap();
    let of_arena = |file: &str| fs::read_to_string(format!("/proc/{}/{file}", arena.id())).unwrap();
    assert_eq!(of_arena(&format!("task/{}/children", arena.id())).trim(), "");
    let status = of_arena("status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the system lists it");
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kibibytes << 10 < PEAK_BYTES_MAX, "{kibibytes} KiB");
    arena.kill().and_then(|()| arena.wait()).expect("it is ours");

    // A bomb costs its allowance once.
    let refusals = place.files("c");
    let check = place.arena("check switch.wasm --cache c -o json").expect_code(3).json();
    assert_eq!(check["kind"], "compile-limits");
    let run = place.arena(&format!("{play} --cache c")).expect_code(3);
    let changed = place.files("c");
    let names = || (refusals.keys().collect::<Vec<_>>(), changed.keys().collect::<Vec<_>>());
    assert!(changed == refusals, "they were remembered: {:?}", names());

    let crowd = run.json();
    assert_eq!(crowd["games"], alone["games"]);
    assert_eq!(crowd["standings"], alone["standings"]);
    let refused: Vec<&Value> = crowd["refused"].as_array().expect("a list").iter().collect();
    assert_eq!(refused.len(), 4, "{refused:?}");
    for (file, says) in [
        ("data.wasm", "41,943,040 bytes of static data"),
        ("functions.wasm", "needs more to compile than a file of its size may"),
        ("names.wasm", "90,000 bytes in the name of a part"),
        ("switch.wasm", "needs more to compile than a file of its size may"),
    ] {
        let line = run.stderr.lines().find(|line| line.contains(file)).expect(file);
        assert!(line.contains(says), "{line}");
    }
}

/// A killed compiler costs one bot, not the tournament.
#[test]
fn a_bot_whose_compiler_is_killed_is_left_out_and_reported_at_the_end() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    place.write("giant.wasm", giant(250));
    let output = with_compilers_killed(place.start("run . --games 2 -o json --no-cache"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("not admitted, because the arena failed: ./giant.wasm: "), "{said}");
    assert!(said.contains("the results are without these files"), "{said}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("the others have played");
    assert_eq!(document["games"].as_array().expect("a list").len(), 2);
    assert_eq!(document["failed"][0]["file"], "./giant.wasm");
}

/// The same for the new file of a bot of a season: its last version plays on.
#[test]
fn a_bot_of_a_season_whose_compiler_is_killed_plays_on_as_it_was() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    place.arena("run . --games 2 --journal a.db").expect_code(0);
    place.write("sweeper.wasm", giant(250));
    let output = with_compilers_killed(place.start("run . --games 4 --journal a.db -o json --no-cache"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let note = "sweeper: its new file was not admitted, so its last version plays on";
    assert!(said.contains(note) && !said.contains("is retired"), "{said}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("both have played");
    let rows = document["standings"].as_array().expect("a list");
    assert!(rows.len() == 2 && rows.iter().all(|row| row["games"] == 4), "{rows:?}");
}

/// The output of an arena whose compilers of a giant are killed, twice.
fn with_compilers_killed(mut arena: Child) -> Output {
    // On a busy machine, a killed child exists for a while.
    let mut killed = HashSet::new();
    while killed.len() < 2 {
        assert!(arena.try_wait().expect("it is ours").is_none(), "it ended after {killed:?} of its children");
        for child in children(&arena) {
            let used = fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
            // The small bots are compiled before a child holds this much.
            let resident = used.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            let kibibytes = resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
            if kibibytes.is_some_and(|kibibytes| kibibytes > 45 << 10) {
                let sent = Command::new("kill").args(["-KILL", &child.to_string()]).status();
                assert!(sent.expect("there is a kill command").success());
                killed.insert(child);
            }
        }
        // It takes a child half a second to hold as much.
        thread::sleep(Duration::from_millis(5));
    }
    arena.wait_with_output().expect("it is ours")
}
