//! The wall-clock time of a whole game: half for each side, as on a chess clock.

use crate::support::{Place, SEED};
use arena_rules::battleship::Battleship;
use serde_json::Value;

/// Fuel of which `slow-but-legal` uses 99 % in each turn, which takes it 0.3 s, measured, and so 15 s in a game of fifty
/// turns.
const FUEL: &str = "--fuel 5000000000";

/// A game's time of which a side has one second. Chosen: a fifteenth of the time of `slow-but-legal`, and a thousand times
/// that of the sweeper.
const BRIEF: &str = "--game-timeout 2";

/// The line of a fault by [`BRIEF`].
const DETAIL: &str = "used up its 1 s of wall-clock time in the game, half of --game-timeout";

#[test]
fn a_bot_that_is_slow_in_each_turn_loses_by_its_own_clock_alone_and_no_other_game_changes() {
    let place = Place::with_specimens(&["slow-but-legal", "sweeper", "repeats-once-then-valid"]);
    let clean = "sweeper.wasm repeats-once-then-valid.wasm";
    place.arena(&format!("run {clean} {FUEL} --games 2 --seed {SEED} --transcripts alone")).expect_code(0);
    let args = format!("run slow-but-legal.wasm {clean} {FUEL} {BRIEF} --games 2 --seed {SEED}");
    let run = place.arena(&format!("{args} --jobs 2 --transcripts t -o json")).expect_code(0);

    let document = run.json();
    let games = document["games"].as_array().unwrap();
    assert_eq!(games.len(), 6);
    for game in games {
        let slow = game["seats"].as_array().unwrap().contains(&"slow-but-legal".into());
        assert_eq!(game["reproducible"], !slow, "{game}");
        let faults = game["faults"].as_array().unwrap();
        assert_eq!(faults.len(), usize::from(slow), "{game}");
        if slow {
            assert_eq!(
                (&faults[0]["bot"], &faults[0]["class"]),
                (&"slow-but-legal".into(), &"wall-clock".into())
            );
            assert_ne!(game["winner"], "slow-but-legal", "{game}");
            assert_ne!(game["winner"], Value::Null, "{game}");
        }
    }
    assert_eq!(place.replayed::<Battleship>("t").len(), 6);
    let (mut games, alone) = (place.games("t"), place.games("alone"));
    for (name, transcript) in games.extract_if(.., |name, _| name.contains("slow-but-legal")) {
        let text = String::from_utf8(transcript).unwrap();
        assert!(text.contains(DETAIL), "{name}: {text}");
        assert!(text.contains(r#""reproducible":false"#), "{name}: {text}");
    }
    assert!(games == alone, "the games of the fast bots differ");

    let name = place.files("t").into_keys().find(|name| name.contains("slow-but-legal")).unwrap();
    let run = place.arena(&format!("verify t/{name} .")).expect_code(3);
    assert!(run.stdout.contains("a clock decided"), "{}", run.stdout);
}

#[test]
fn a_fast_game_is_the_same_for_any_time_and_a_game_is_verified_in_the_time_that_it_takes() {
    let place = Place::with_house_bots();
    for (folder, option) in [("long", "--game-timeout 86400"), ("usual", ""), ("brief", "--game-timeout 60")]
    {
        let args =
            format!("run hunter.wasm random.wasm --games 4 --seed {SEED} --transcripts {folder} {option}");
        place.arena(&args).expect_code(0);
    }
    assert_eq!(place.files("long").len(), 4);
    assert!(place.files("long") == place.files("usual") && place.files("usual") == place.files("brief"));
    let games =
        place.files("long").into_keys().map(|name| format!("long/{name}")).collect::<Vec<_>>().join(" ");
    let run = place.arena(&format!("verify {games} . --game-timeout 60")).expect_code(0);
    assert!(run.stdout.ends_with("verified 4 of 4\n"), "{}", run.stdout);
}

#[test]
fn a_board_that_a_bot_is_too_slow_for_is_not_measured_and_the_option_is_named() {
    let place = Place::with_specimens(&["slow-but-legal"]);
    let run = place.arena(&format!("bench slow-but-legal.wasm --boards 1 {FUEL} {BRIEF}")).expect_code(1);
    assert!(run.stderr.contains(DETAIL) && run.stderr.contains("raise --game-timeout"), "{}", run.stderr);
}
