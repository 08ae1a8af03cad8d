//! `arena check`: the finding about a bot.

use crate::support::Place;

#[test]
fn a_bot_that_may_play_is_described() {
    let place = Place::with_house_bots();
    let run = place.arena("check hunter.wasm").expect_code(0);
    for part in [
        "name     hunter",
        "sha256   ",
        "size     ",
        "game     battleship, contract 0.1.0",
        "wasi:",
        "ready to play; no fault in 6 trial games",
        "guide       1  wins: fleet sunk",
        "each game was the same when it was played again",
    ] {
        assert!(run.stdout.contains(part), "{part} in:\n{}", run.stdout);
    }
}

/// The parts of the text that are not the same on every machine, or for every build of a specimen.
fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        ("[0-9a-f]{64}", "<sha256>"),
        (r"\d+ bytes", "<size>"),
        (r"some \d+ ms", "some <time> ms"),
        ("(?m)^compile  .*$", "compile  <time>"),
    ]
}

#[test]
fn a_bot_at_fault_in_trial_games_is_reported_with_the_turn_its_last_words_and_its_output() {
    let place = Place::with_specimens(&["panics"]);
    let run = place.arena("check panics.wasm").expect_code(3);
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters()}, {
        insta::assert_snapshot!("check_faulted", run.stdout);
    });
    let document = place.arena("check panics.wasm --json").expect_code(3).json();
    assert_eq!(document["verdict"], "faulted");
    let game = &document["trial"]["games"][0];
    assert_eq!(
        (&game["rules"], &game["seat"], &game["outcome"]),
        (&"guide".into(), &1.into(), &"loss".into())
    );
    assert_eq!(game["same-when-repeated"], true);
    let fault = &game["faults"][0];
    assert_eq!((&fault["turn"], &fault["class"]), (&1.into(), &"trap".into()));
    assert_eq!(fault["detail"], "panicked: no spot left (lib.rs:10:5)");
    assert_eq!(fault["stack"][0], "play");
}

#[test]
fn a_bot_that_skips_each_turn_is_not_ready_to_play() {
    let place = Place::with_specimens(&["always-skips"]);
    let run = place.arena("check always-skips.wasm --rules guide").expect_code(3);
    for part in
        ["it skipped", "does `play` return an action on every path?", "may play; it skips each of its turns"]
    {
        assert!(run.stdout.contains(part), "{part} in:\n{}", run.stdout);
    }
    let document = place.arena("check always-skips.wasm --rules guide --json").expect_code(3).json();
    let game = &document["trial"]["games"][0];
    assert_eq!((&document["verdict"], &game["turns-skipped"]), (&"faulted".into(), &game["turns"]));
}

#[test]
fn trial_games_are_the_same_each_time_and_can_be_left_out() {
    let place = Place::with_submarine_bots();
    let check = |options: &str| place.arena(&format!("check sub-random.wasm {options}")).expect_code(0);
    let games = || {
        let mut document = check("-o json").json();
        let games = document["trial"]["games"].as_array_mut().expect("games are played");
        for game in &mut *games {
            assert!(game["fuel"]["budget-ms-here"].take().as_f64().unwrap() > 0.0, "{game}");
        }
        assert_eq!(games.len(), 2);
        games.clone()
    };
    assert_eq!(games(), games());
    assert!(check("--no-games --json").json().get("trial").is_none());
    assert!(check("--no-games").stdout.ends_with("verdict  ready to play\n"));
}

#[test]
fn a_repeated_cell_is_reported_with_a_hint() {
    let place = Place::with_specimens(&["repeats"]);
    let run = place.arena("check repeats.wasm --rules guide --quick").expect_code(3);
    for part in
        ["invalid attempts (the first: the cell (0, 0) is already shot at)", "hint     shoot only at cells"]
    {
        assert!(run.stdout.contains(part), "{part} in:\n{}", run.stdout);
    }
}

#[test]
fn a_specimen_is_described_in_full() {
    let run =
        Place::with_specimens(&["shoots-at-random"]).arena("check shoots-at-random.wasm").expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters()}, {
        insta::assert_snapshot!("check", run.stdout);
    });
}

#[test]
fn a_bot_that_is_refused_is_reported_with_the_reason_and_the_next_step() {
    let place = Place::with_specimens(&["imports-http"]);
    let run = place.arena("check imports-http.wasm").expect_code(3);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("check_refused", run.stdout);
    });
    let document = place.arena("check imports-http.wasm -o json").expect_code(3).json();
    assert_eq!((&document["verdict"], &document["kind"]), (&"refused".into(), &"import".into()));
}

#[test]
fn the_findings_can_be_read_by_a_program() {
    let document =
        Place::with_specimens(&["sweeper"]).arena("check sweeper.wasm -o json").expect_code(0).json();
    assert_eq!(document["verdict"], "ready");
    assert_eq!(document["game"], "battleship");
    assert_eq!(document["sha256"].as_str().unwrap().len(), 64);
    let file = &document["shape"][0];
    assert_eq!((&file["what"], &file["max"]), (&"file bytes".into(), &(64 << 20).into()));
    assert_eq!(file["found"], document["size-bytes"]);
}

#[test]
fn a_house_bot_is_far_from_the_limits() {
    let place = Place::with_house_bots();
    let document = place.arena("check hunter.wasm -o json").expect_code(0).json();
    for figure in document["shape"].as_array().unwrap() {
        assert!(3 * figure["found"].as_u64().unwrap() < figure["max"].as_u64().unwrap(), "{figure}");
    }
}

#[test]
fn a_bot_over_a_limit_is_reported_with_the_limit_and_the_next_step() {
    let place = Place::empty();
    place.write("data.wasm", arena_testkit::bombs::data_bytes(40 << 20));
    let run = place.arena("check data.wasm").expect_code(3);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("check_over_limits", run.stdout);
    });
    let document = place.arena("check data.wasm -o json").expect_code(3).json();
    assert_eq!((&document["verdict"], &document["kind"]), (&"refused".into(), &"over-limits".into()));
}

#[test]
fn a_path_that_is_not_a_file_is_bad_input() {
    let place = Place::empty();
    assert!(place.arena("check nothing.wasm").expect_code(2).stderr.contains("no such file"));
    assert!(place.arena("check .").expect_code(2).stderr.contains("is a folder"));
}

#[test]
fn trial_games_are_played_under_chosen_rules_with_chosen_fuel_and_once_if_they_are_to_be_quick() {
    let place = Place::with_specimens(&["sweeper", "loops-in-play"]);
    let games = |words: &str, code| {
        let document = place.arena(&format!("check {words} -o json")).expect_code(code).json();
        document["trial"]["games"].as_array().expect("games are played").clone()
    };
    let quick = games("sweeper.wasm --quick", 0);
    assert_eq!(quick.len(), 3);
    assert!(quick.iter().all(|game| game["same-when-repeated"].is_null() && game["seat"] == 1), "{quick:?}");
    let chosen = games("sweeper.wasm --rules classic --rules pirates", 0);
    let rules: Vec<&str> = chosen.iter().map(|game| game["rules"].as_str().unwrap()).collect();
    assert_eq!(rules, ["classic", "classic", "pirates", "pirates"]);
    let starved = games("loops-in-play.wasm --rules classic --quick --fuel 5000", 3);
    assert_eq!(starved[0]["fuel"]["budget"], 5_000);
    assert_eq!(starved[0]["faults"][0]["class"], "out-of-fuel");
}
