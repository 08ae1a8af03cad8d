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
        "ready to play",
    ] {
        assert!(run.stdout.contains(part), "{part} in:\n{}", run.stdout);
    }
}

#[test]
fn a_specimen_is_described_in_full() {
    let run =
        Place::with_specimens(&["shoots-at-random"]).arena("check shoots-at-random.wasm").expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => vec![("[0-9a-f]{64}", "<sha256>"), (r"\d+ bytes", "<size>")]}, {
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
