//! `arena verify`: a recording is the same when its bots play again, or it is told what is not.

use crate::support::{Place, house_bot};
use serde_json::Value;

/// A folder with the house bots and one game of two of them, `game.jsonl`.
fn place_with_a_game(options: &str) -> Place {
    let place = Place::with_house_bots();
    place
        .arena(&format!("run hunter.wasm random.wasm --games 1 --transcripts games {options}"))
        .expect_code(0);
    std::fs::rename(place.path("games/1-hunter-vs-random.jsonl"), place.path("game.jsonl")).unwrap();
    place
}

/// Changes the recording's line, from 1, in which each line is JSON.
fn alter(place: &Place, line: usize, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(place.path("game.jsonl")).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let mut value: Value = serde_json::from_str(&lines[line - 1]).unwrap();
    change(&mut value);
    lines[line - 1] = value.to_string();
    place.write("game.jsonl", lines.join("\n") + "\n");
}

/// The verdict on the recording, in words and for programs.
fn verdict(place: &Place, bots: &str) -> (String, String) {
    let text = place.arena(&format!("verify game.jsonl {bots}"));
    let json = place.arena(&format!("verify game.jsonl {bots} -o json")).expect_code(text.code);
    let verdict = json.json()["findings"][0]["verdict"].as_str().unwrap().to_owned();
    assert_eq!(text.code, if verdict == "same" { 0 } else { 3 }, "{}", text.stdout);
    (verdict, text.stdout)
}

fn check(place: &Place, bots: &str, expected: &str, phrase: &str) {
    let (verdict, text) = verdict(place, bots);
    assert_eq!(verdict, expected, "{text}");
    assert!(text.contains(phrase), "`{phrase}` is not in: {text}");
}

#[test]
fn a_game_is_the_same_when_its_bots_play_again() {
    for options in ["", "--rules classic", "--rules pirates", "--fuel 200000", "--memory 32 --seed 9"] {
        check(&place_with_a_game(options), "hunter.wasm random.wasm", "same", "the same");
    }
}

#[test]
fn bots_may_be_given_in_any_order_with_others_among_them_or_as_a_folder() {
    let place = place_with_a_game("");
    check(&place, "sweeper.wasm random.wasm hunter.wasm", "same", "the same");
    check(&place, ".", "same", "the same");
}

#[test]
fn a_move_that_was_altered_is_named() {
    let place = place_with_a_game("");
    // Line 1 is the header, lines 2 and 3 are the deployments: line 4 is the first shot.
    alter(&place, 4, |shot| shot["fuel"] = (shot["fuel"].as_u64().unwrap() + 1).into());
    check(&place, ".", "differs", "differs in event 3, on line 4");
}

#[test]
fn a_move_that_cannot_be_by_the_rules_is_told_apart() {
    let place = place_with_a_game("");
    alter(&place, 4, |shot| {
        shot["result"] = if shot["result"] == "miss" { "hit" } else { "miss" }.into();
    });
    check(&place, ".", "impossible", "event 3, on line 4, does not follow by the rules");
}

#[test]
fn a_seed_that_somebody_chose_is_told_apart() {
    let place = place_with_a_game("");
    alter(&place, 1, |header| header["bots"][0]["seed"] = "00000000000000ff".into());
    check(&place, ".", "other-header", "its seed of seat 1 is 00000000000000ff");
}

#[test]
fn another_bot_under_the_same_name_is_told_apart() {
    let place = place_with_a_game("");
    std::fs::copy(house_bot("sweeper"), place.path("random.wasm")).unwrap();
    check(&place, "hunter.wasm random.wasm", "other-bot", "random is another file than the one that played");
    check(&place, "hunter.wasm", "other-bot", "random is not among the bots given");
}

#[test]
fn another_version_is_told_apart() {
    for (entry, what) in
        [("arena", "arena 0.0.1"), ("wasmtime", "wasmtime 0.0.1"), ("engine", "engine 0.0.1")]
    {
        let place = place_with_a_game("");
        alter(&place, 1, |header| header[entry] = "0.0.1".into());
        check(&place, ".", "other-version", &format!("recorded with {what}, and this is"));
    }
}

#[test]
fn a_recording_that_was_cut_off_is_not_verified() {
    let place = place_with_a_game("");
    let text = std::fs::read_to_string(place.path("game.jsonl")).unwrap();
    place.write("game.jsonl", &text[..text.len() / 2]);
    check(&place, ".", "unreadable", "is no whole recording: line");
}

#[test]
fn a_header_from_anywhere_does_no_harm() {
    let place = place_with_a_game("");
    alter(&place, 1, |header| header["limits"]["memory-bytes"] = u64::MAX.into());
    check(&place, ".", "unreadable", "memory limit");
    let place = place_with_a_game("");
    alter(&place, 1, |header| header["bots"][0]["label"] = "\u{1b}[31mred\u{202e}".into());
    alter(&place, 1, |header| header["bots"][0]["sha256"] = "\u{1b}[2J".into());
    let (_, text) = verdict(&place, ".");
    assert!(text.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{text:?}");
}

#[test]
fn several_games_are_verified_in_one_go_and_the_bad_one_is_named() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm sweeper.wasm --games 2 --transcripts games").expect_code(0);
    place.arena("run hunter.wasm random.wasm --games 1 --memory 16 --transcripts other").expect_code(0);
    let mut games: Vec<String> =
        place.files("games").into_keys().map(|name| format!("games/{name}")).collect();
    games.push("other/1-hunter-vs-random.jsonl".into());
    let run = place.arena(&format!("verify {} .", games.join(" "))).expect_code(0);
    assert!(run.stdout.ends_with("verified 7 of 7\n"), "{}", run.stdout);
    place.write(&games[3], "{}\n");
    let run = place.arena(&format!("verify {} .", games.join(" "))).expect_code(3);
    assert!(run.stdout.ends_with("verified 6 of 7\n"), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("{}: is no whole recording", games[3])), "{}", run.stdout);
}

#[test]
fn a_game_that_a_clock_decided_is_not_verified() {
    let place = Place::with_specimens(&["loops-in-play", "sweeper"]);
    place
        .arena("run loops-in-play.wasm sweeper.wasm --games 1 --fuel 1000000000000 --timeout 0.05 --transcripts t")
        .expect_code(0);
    let run = place.arena("verify t/1-loops-in-play-vs-sweeper.jsonl .").expect_code(3);
    assert!(run.stdout.contains("a clock decided"), "{}", run.stdout);
}

#[test]
fn arguments_that_make_no_sense_are_explained() {
    let place = place_with_a_game("");
    for (words, phrase) in [
        ("verify hunter.wasm game.jsonl", "is a component, and a recording is expected first"),
        ("verify game.jsonl", "no bot is named"),
        ("verify nothing.jsonl .", "nothing.jsonl: cannot be read"),
        ("verify game.jsonl nothing.wasm", "there is no such file"),
    ] {
        let run = place.arena(words).expect_code(2);
        assert!(run.stderr.contains(phrase) && run.stderr.contains("next:"), "{words}: {}", run.stderr);
    }
}
