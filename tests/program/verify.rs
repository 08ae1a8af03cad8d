//! `arena verify`: the bots of a recording play again, and the first difference is reported.

use crate::support::{Place, house_bot};

const GAME: &str = "game.jsonl";

/// A place with the house bots and a transcript of a game between two of them, [`GAME`].
fn place_with_a_game(options: &str) -> Place {
    let place = Place::with_house_bots();
    place
        .arena(&format!("run hunter.wasm random.wasm --games 1 --transcripts games {options}"))
        .expect_code(0);
    std::fs::rename(place.path("games/1-hunter-vs-random.jsonl"), place.path(GAME)).unwrap();
    place
}

/// The verdict on the recording: its name, and the text for a reader.
fn verdict(place: &Place, bots: &str) -> (String, String) {
    let text = place.arena(&format!("verify game.jsonl {bots}"));
    let json = place.arena(&format!("verify game.jsonl {bots} -o json")).expect_code(text.code);
    let verdict = json.json()["findings"][0]["verdict"].as_str().unwrap().to_owned();
    assert_eq!(text.code, if verdict == "same" { 0 } else { 3 }, "{}", text.stdout);
    (verdict, text.stdout)
}

/// Checks the name of the verdict on the recording, and a phrase of the text for a reader.
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
fn an_event_that_was_altered_is_named() {
    let place = place_with_a_game("");
    // Line 1 is the header, lines 2 and 3 are the deployments, and line 4 is the first shot.
    place.alter(GAME, 4, |shot| shot["fuel"] = (shot["fuel"].as_u64().unwrap() + 1).into());
    check(&place, ".", "differs", "differs in event 3, on line 4");
}

#[test]
fn an_event_that_is_not_possible_by_the_rules_has_its_own_verdict() {
    let place = place_with_a_game("");
    place.alter(GAME, 4, |shot| {
        shot["effect"] = if shot["effect"] == "miss" { "hit" } else { "miss" }.into();
    });
    check(&place, ".", "impossible", "event 3, on line 4, is not possible by the rules");
}

#[test]
fn a_chosen_seed_has_its_own_verdict() {
    let place = place_with_a_game("");
    place.alter(GAME, 1, |header| header["bots"][0]["seed"] = "00000000000000ff".into());
    check(&place, ".", "other-header", "its seed of seat 1 is 00000000000000ff");
}

#[test]
fn another_bot_under_the_same_name_has_its_own_verdict() {
    let place = place_with_a_game("");
    std::fs::copy(house_bot("sweeper"), place.path("random.wasm")).unwrap();
    check(&place, "hunter.wasm random.wasm", "other-bot", "random is not the file that played");
    check(&place, "hunter.wasm", "other-bot", "random is not among the bots given");
}

#[test]
fn another_version_has_its_own_verdict() {
    for (entry, what) in
        [("arena", "arena 0.0.1"), ("wasmtime", "wasmtime 0.0.1"), ("engine", "engine 0.0.1")]
    {
        let place = place_with_a_game("");
        place.alter(GAME, 1, |header| header[entry] = "0.0.1".into());
        check(&place, ".", "other-version", &format!("recorded with {what}, and this is"));
    }
}

#[test]
fn a_recording_that_is_cut_off_is_not_verified() {
    let place = place_with_a_game("");
    let text = std::fs::read_to_string(place.path(GAME)).unwrap();
    place.write(GAME, &text[..text.len() / 2]);
    check(&place, ".", "unreadable", "cannot be read: line");
}

#[test]
fn a_forged_header_does_no_harm() {
    let place = place_with_a_game("");
    place.alter(GAME, 1, |header| header["limits"]["memory-bytes"] = u64::MAX.into());
    check(&place, ".", "unreadable", "memory limit");
    let place = place_with_a_game("");
    place.alter(GAME, 1, |header| header["bots"][0]["label"] = "\u{1b}[31mred\u{202e}".into());
    place.alter(GAME, 1, |header| header["bots"][0]["sha256"] = "\u{1b}[2J".into());
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
    assert!(run.stdout.contains(&format!("{}: cannot be read: line 1", games[3])), "{}", run.stdout);
}

#[test]
fn a_game_that_the_clock_decided_is_not_verified() {
    let place = Place::with_specimens(&["loops-in-play", "sweeper"]);
    place
        .arena("run loops-in-play.wasm sweeper.wasm --games 1 --fuel 1000000000000 --timeout 0.05 --transcripts t")
        .expect_code(0);
    let run = place.arena("verify t/1-loops-in-play-vs-sweeper.jsonl .").expect_code(3);
    assert!(run.stdout.contains("a clock decided"), "{}", run.stdout);
}

#[test]
fn arguments_in_the_wrong_place_are_explained() {
    let place = place_with_a_game("");
    for (args, phrase) in [
        ("verify hunter.wasm game.jsonl", "is a component; the transcript comes first"),
        ("verify game.jsonl", "no bots are named"),
        ("verify nothing.jsonl .", "nothing.jsonl: no such file"),
        ("verify game.jsonl nothing.wasm", "no such file"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase) && run.stderr.contains("next:"), "{args}: {}", run.stderr);
    }
}

#[test]
fn games_that_share_a_reason_are_counted_after_the_first_one() {
    let place = Place::with_house_bots();
    let run = "run hunter.wasm random.wasm sweeper.wasm --games 4 --seed secret --journal a.db";
    place.arena(run).expect_code(0);
    let verified = place.arena("verify --journal a.db hunter.wasm random.wasm").expect_code(3).stdout;
    for phrase in [
        "\n7 more games: sweeper is not among the bots given: no file has the hash ",
        "\n3 more games: the same, but their seeds cannot be checked before the tournament's seed is revealed; --verbose",
        "\nverified 0 of 12\n",
    ] {
        assert!(verified.contains(phrase), "`{phrase}` is not in {verified}");
    }
    let all = place.arena("verify --journal a.db hunter.wasm random.wasm --verbose").expect_code(3).stdout;
    assert_eq!(all.matches("sweeper is not among the bots given").count(), 8, "{all}");
}
