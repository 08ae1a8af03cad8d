//! The published parts of a season: tables that stay true, journals that are counted together, kept bots.

use crate::season::{bring, counts, games, league, leave, play, standings};
use crate::support::{Place, Run, command, signal};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

#[test]
fn a_season_can_be_shown_as_it_was() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    let on = |day: &str, args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let mut command = command(place.folder(), &args);
        // Midnight of that day of January 2026.
        let seconds = 1_767_225_600 + (day.parse::<u64>().unwrap() - 1) * 86_400;
        Run::of(command.env("SOURCE_DATE_EPOCH", seconds.to_string())).expect_code(0)
    };
    on("5", "run bots --journal league.db --games 4 --seed 1");
    let first = standings(&place, "league.db");
    bring(&place, "cleo", "shoots-at-random");
    on("12", "run bots --journal league.db --seed 2");
    let second = standings(&place, "league.db");
    bring(&place, "bob", "repeats-once-then-valid");
    on("19", "run bots --journal league.db --seed 3");

    let row = |row: &Value| (row["bot"].clone(), row["points"].clone(), row["elo"].clone());
    let rows =
        |document: &Value| document["standings"].as_array().unwrap().iter().map(row).collect::<Vec<_>>();
    for (at, expected) in [
        ("1", &first),
        ("2026-01-05", &first),
        ("2026-01-11T23:59", &first),
        ("2", &second),
        ("2026-01-12T00:00:00Z", &second),
        ("2026-01-18", &second),
    ] {
        let then = standings(&place, &format!("league.db --at {at}"));
        assert_eq!((rows(&then), &then["head"]), (rows(expected), &expected["head"]), "{at}");
        assert!(then["head"]["links"].is_u64());
    }
    assert_eq!(rows(&standings(&place, "league.db --at 2027-01-01")), rows(&standings(&place, "league.db")));
    let history = place.arena("journal history league.db -o json").expect_code(0).json();
    assert_eq!(rows(&history[0]), rows(&first));
    assert_eq!(history[1]["begun"], "2026-01-12T00:00:00Z");
    assert_eq!(history.as_array().unwrap().len(), 3);
    let table = place.arena("journal history league.db").expect_code(0).stdout;
    assert!(table.contains("2026-01-19T00:00:00Z"), "{table}");
    for (at, phrase) in [
        ("2026-01-04", "no stage had begun at 2026-01-04"),
        ("4", "there is no such stage"),
        ("monday", "is neither a stage nor a time"),
        ("2026-1-4", "is neither a stage nor a time"),
    ] {
        let run = place.arena(&format!("standings league.db --at {at}")).expect_code(2);
        assert!(run.stderr.contains(phrase) && run.stderr.contains("next: "), "{}", run.stderr);
    }
}

#[test]
fn the_bots_of_a_season_are_kept_with_it() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 4").expect_code(0);
    bring(&place, "bob", "shoots-at-random");
    play(&place, "").expect_code(0);
    assert_eq!(place.files("league.db.bots").len(), 3);
    // Two paths are all that another machine needs.
    let elsewhere = Place::empty();
    fs::copy(place.path("league.db"), elsewhere.path("league.db")).unwrap();
    fs::create_dir(elsewhere.path("league.db.bots")).unwrap();
    for (name, bytes) in place.files("league.db.bots") {
        elsewhere.write(&format!("league.db.bots/{name}"), bytes);
    }
    let verified = elsewhere.arena("verify --journal league.db").expect_code(0);
    assert!(verified.stdout.ends_with("verified 8 of 8\n"), "{}", verified.stdout);
    place.arena("run bots --journal other.db --no-keep-bots --games 2").expect_code(0);
    assert!(!place.path("other.db.bots").exists());
    let run = place.arena("verify --journal other.db").expect_code(2);
    assert!(run.stderr.contains("no bots are named"), "{}", run.stderr);
}

#[test]
fn a_bot_whose_new_file_is_refused_plays_on_as_it_was() {
    let place = league(&[("ann", "sweeper"), ("bob", "shoots-at-random")]);
    play(&place, "--games 4").expect_code(0);
    bring(&place, "cleo", "always-skips");
    let half = fs::read(place.path("bots/bob.wasm")).unwrap();
    place.write("bots/bob.wasm", &half[..half.len() / 2]);
    let run = play(&place, "");
    assert!(
        run.stderr.contains("bob: its new file is refused, so its last version plays on"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("is retired"), "{}", run.stderr);
    assert_eq!(games(&standings(&place, "league.db")), counts(&[("ann", 8), ("bob", 8), ("cleo", 8)]));

    fs::remove_dir_all(place.path("league.db.bots")).unwrap();
    let run = play(&place, "--games 6");
    assert!(run.stderr.contains("and its last version is not kept: it does not play"), "{}", run.stderr);
}

#[test]
fn a_disqualification_belongs_to_the_label_and_points_that_were_given_stay() {
    let place = league(&[("ann", "sweeper"), ("bob", "traps-on-third-play"), ("cleo", "always-skips")]);
    play(&place, "--games 6 --max-faults 2").expect_code(0);
    let points = |standings: &Value| {
        let row = |row: &Value| (row["bot"].as_str().unwrap().to_owned(), row["points"].as_f64().unwrap());
        standings["standings"].as_array().unwrap().iter().map(row).collect::<BTreeMap<_, _>>()
    };
    let before = standings(&place, "league.db");
    assert_eq!(before["disqualified"][0]["bot"], "bob");
    // The same bot with one more byte, in a section that says nothing.
    let mut bytes = fs::read(place.path("bots/bob.wasm")).unwrap();
    bytes.extend([0, 2, 1, b'x']);
    place.write("bots/bob.wasm", bytes);
    let again = play(&place, "").expect_code(0);
    assert!(again.stderr.contains("disqualified in this season, and left out: bob"), "{}", again.stderr);
    assert_eq!(points(&standings(&place, "league.db")), points(&before));
    // Newcomers meet those who still play.
    bring(&place, "dan", "shoots-at-random");
    play(&place, "").expect_code(0);
    let after = points(&standings(&place, "league.db"));
    assert!(["ann", "cleo"].iter().all(|label| after[*label] >= points(&before)[*label]), "{after:?}");
    assert_eq!(after["bob"], points(&before)["bob"]);
    // Only the organiser can let it play on, and even then forfeits stay.
    let lifted = play(&place, "--max-faults 0").expect_code(0);
    assert!(!lifted.stderr.contains("left out"), "{}", lifted.stderr);
    let after_all = points(&standings(&place, "league.db"));
    assert!(["ann", "cleo"].iter().all(|label| after_all[*label] >= after[*label]), "{after_all:?}");
}

#[test]
fn bots_that_met_other_opponents_stand_in_the_order_of_their_ratings() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 20 --seed 1").expect_code(0);
    let anchor = |standings: &Value| standings["anchors"][0].clone();
    let first = anchor(&standings(&place, "league.db"));
    leave(&place, "bob");
    bring(&place, "cleo", "shoots-at-random");
    bring(&place, "dan", "repeats-once-then-valid");
    play(&place, "--seed 2").expect_code(0);
    let all = standings(&place, "league.db");
    let elo: Vec<_> =
        all["standings"].as_array().unwrap().iter().filter_map(|row| row["elo"].as_f64()).collect();
    assert!(elo.is_sorted_by(|one, other| one >= other), "{elo:?}");
    assert_eq!(anchor(&all), first, "the anchor of the first stage stays");
}

#[test]
fn tables_say_who_left_and_how_often_bots_met() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 4").expect_code(0);
    leave(&place, "bob");
    bring(&place, "cleo", "repeats-once-then-valid");
    let table = play(&place, "--games 6").expect_code(0).stdout;
    assert!(table.contains("bob (left)") && !table.contains("ann (left)"), "{table}");
    assert!(table.contains("4 of 4") && table.contains(" of 6"), "{table}");
}

#[test]
fn missing_games_are_reported_when_the_others_are_verified() {
    let place = league(&[("ann", "sweeper"), ("bob", "shoots-at-random")]);
    let run = "run bots --journal league.db --games 100000 -o json";
    let mut child = place.start_and_play(run, "league.db", 10);
    signal(&child, "KILL");
    child.wait().unwrap();
    let left = 100_000 - place.games_in("league.db");
    let verified = place.arena("verify --journal league.db --sample 2").expect_code(0).stdout;
    assert!(
        verified.ends_with(&format!("verified 2 of 2; {left} games of the schedule not played\n")),
        "{verified}"
    );
}

#[test]
fn a_label_with_a_number_comes_with_its_file_and_the_way_out() {
    let place = league(&[("ann", "sweeper")]);
    fs::create_dir(place.path("other")).unwrap();
    fs::copy(place.path("always-skips.wasm"), place.path("other/ann.wasm")).unwrap();
    let run = place.arena("run bots other --games 2").expect_code(0);
    let note = "ann#2 is other/ann.wasm: another file has the same name; rename one of them to name its bot";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}
