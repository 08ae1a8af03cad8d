//! `arena bench --game`: what games cost in a game that is a component.

use crate::support::{Place, SEED};
use serde_json::Value;

#[test]
fn the_cost_of_a_game_and_of_bots_is_measured_and_follows_from_the_seed() {
    let place = Place::with_game("connect-four", "one-ahead");
    let bench = |options: &str| {
        let args =
            format!("bench --game connect-four.wasm one-ahead.wasm --games 40 --seed {SEED} {options}");
        place.arena(&args).expect_code(0)
    };
    let without_time = |mut document: Value| {
        let mut seconds = Vec::new();
        let bot =
            document["bots"].get_mut(0).expect("there is one").as_object_mut().expect("it is an object");
        seconds.extend(bot.remove("seconds"));
        let random = document["random-games"].as_object_mut().expect("it is an object");
        seconds.extend(random.remove("seconds"));
        document.as_object_mut().expect("it is one").remove("jobs");
        assert!(seconds.len() == 2 && seconds.iter().all(|it| it.as_f64() > Some(0.0)), "{seconds:?}");
        document
    };
    let one = without_time(bench("-o json --jobs 1").json());
    assert_eq!(one, without_time(bench("-o json --jobs 2").json()));
    let random = &one["random-games"];
    let number = |value: &Value| value.as_u64().expect("it is a number");
    let total = number(&random["turns"]["total"]);
    assert_eq!(number(&random["games"]), 40);
    assert_eq!(number(&random["wins"][0]) + number(&random["wins"][1]) + number(&random["draws"]), 40);
    let calls = |name: &str| {
        let fuel = random["fuel"].as_array().expect("it is a list");
        fuel.iter().find(|it| it["function"] == name).map(|it| number(&it["calls"]))
    };
    // A call for each turn, and for each game or its beginning.
    for name in ["observe", "random-action", "apply-action"] {
        assert_eq!(calls(name), Some(total), "{name}");
    }
    assert_eq!(calls("outcome"), Some(40));
    assert_eq!(calls("picture"), None);
    let bot = &one["bots"][0];
    assert_eq!((&bot["bot"], &bot["games"], &bot["faults"]), (&"one-ahead".into(), &40.into(), &0.into()));
    assert!(number(&bot["wins"]) > 30 && number(&bot["turns"]) > 160 && number(&bot["fuel"]) > 0, "{bot}");

    let text = bench("").stdout;
    for phrase in [
        "connect-four 1.0.0: 40 random games\nseed ",
        " a second, one at a time; seat 1 won ",
        "function           calls",
        "turns a game  fuel a turn  games a second\n",
        "bots play builtin:game-random, from each seat in half of the games; ",
    ] {
        assert!(text.contains(phrase), "`{phrase}` is not in:\n{text}");
    }
}

#[test]
fn a_game_alone_is_measured_and_one_that_fails_is_named() {
    let place = Place::empty();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    let alone =
        place.arena("bench --game matches.wasm --set matches=4 --games 6 -o json").expect_code(0).json();
    assert_eq!((&alone["random-games"]["games"], &alone["bots"]), (&6.into(), &Value::Array(Vec::new())));
    // Four matches, of which a turn takes one to three.
    assert!(alone["random-games"]["turns"]["most"].as_u64() <= Some(4), "{alone}");
    for (parts, phrase) in [
        ("games/traps-in-observe", "`observe` failed"),
        ("games/over-at-start", "over before its first turn"),
    ] {
        let parts = arena_testkit::zoo_text(parts);
        place.write("broken.wasm", arena_testkit::game_component(&parts).expect("it is a game"));
        let failed = place.arena("bench --game broken.wasm --games 2").expect_code(3);
        assert!(failed.stderr.contains(phrase) && failed.stdout.is_empty(), "{}", failed.stderr);
    }
}
