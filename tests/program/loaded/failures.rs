//! Games of the zoo in a match: the contest stops, and no bot is charged.

use crate::support::Place;

#[test]
fn a_game_that_fails_stops_the_contest_with_the_call_the_game_and_the_turn_and_charges_no_bot() {
    for (name, phrase) in [
        ("traps-in-observe", "in game 1: `observe` failed: wasm `unreachable` instruction executed"),
        ("loops-in-apply-action", "in game 1: `apply-action` failed: used up its fuel"),
        ("grows-in-observe", "in game 1: `observe`"),
        ("unknown-reason", "which is none of the endings"),
        ("overrun-stays", ""),
    ] {
        let place = Place::empty();
        let parts = arena_testkit::zoo_text(&format!("games/{name}"));
        place.write("game.wasm", arena_testkit::game_component(&parts).expect("it is a game"));
        place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
        let run =
            place.arena("run --game game.wasm taker.wasm builtin:random --games 6 --jobs 1 --journal j.db");
        if phrase.is_empty() {
            // Neither of the bots overruns its budget, so the mistake is not met.
            run.expect_code(0);
            continue;
        }
        let run = run.expect_code(3);
        assert!(run.stderr.contains("the game itself failed in game 1: "), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(phrase), "{name}: `{phrase}` is not in {}", run.stderr);
        assert!(
            run.stderr.contains(", in turn ") && run.stderr.contains("no bot is charged with it"),
            "{}",
            run.stderr
        );
        assert!(run.stdout.contains("\n0 of 6 games under the `matches` rules"), "{name}: {}", run.stdout);
    }
}

#[test]
fn a_game_that_cannot_be_played_at_all_is_refused_before_the_bots_are_read() {
    for (name, phrase) in [
        ("loops-in-describe", "game.wasm: `describe` failed: used up its fuel"),
        ("too-many-options", "game.wasm: `describe` returns 65 parameters; there can be 64"),
    ] {
        let place = Place::empty();
        let parts = arena_testkit::zoo_text(&format!("games/{name}"));
        place.write("game.wasm", arena_testkit::game_component(&parts).expect("it is a game"));
        place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
        let run = place.arena("run --game game.wasm taker.wasm taker.wasm").expect_code(2);
        assert!(run.stderr.contains(phrase), "{name}: {}", run.stderr);
    }
}
