//! Games that are components: `arena check`, `arena wit` and `arena new` for them, as their authors use them.

use crate::support::Place;

/// A folder with the well-behaved game of the zoo, a bot for it, and some games with faults.
fn place() -> Place {
    let place = Place::empty();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    for name in ["loops-in-apply-action", "picture-with-escapes", "loops-in-describe", "gives-away"] {
        let parts = arena_testkit::zoo_text(&format!("games/{name}"));
        place.write(&format!("{name}.wasm"), arena_testkit::game_component(&parts).expect("it is a game"));
    }
    place
}

/// The parts of the text that are not the same on every machine.
fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        ("[0-9a-f]{64}", "<sha256>"),
        (r"(?m)^size     \d+ bytes", "size     <size> bytes"),
        (r"(?m)file bytes +[\d,]+ of", "file bytes <size> of"),
        ("(?m)^compile  .*$", "compile  <time>"),
    ]
}

#[test]
fn a_game_is_checked_by_a_thousand_random_games() {
    let place = place();
    let run = place.arena("check matches.wasm").expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters()}, {
        insta::assert_snapshot!("check_game", run.stdout);
    });
    // The time of compiling is a measurement.
    let same = |text: &str| {
        text.lines().filter(|line| !line.starts_with("compile")).map(str::to_owned).collect::<Vec<_>>()
    };
    let again = place.arena("check matches.wasm --no-cache").expect_code(0);
    assert_eq!(same(&run.stdout), same(&again.stdout));
}

#[test]
fn a_fault_of_a_game_is_named_with_its_function_its_game_and_its_turn() {
    let place = place();
    for (name, phrases) in [
        (
            "loops-in-apply-action",
            ["fault    out-of-fuel: `apply-action` failed: used up its fuel", "in game 1, turn 1"],
        ),
        (
            "picture-with-escapes",
            ["fault    bad-value: `picture` returns a text with control", "in game 1, turn 1"],
        ),
        (
            "gives-away",
            ["fault    gives-away: `observe` differs for player 1 after", "at fault, after 4 random games"],
        ),
        (
            "loops-in-describe",
            ["fault    out-of-fuel: `describe` failed: used up its fuel", "verdict  cannot be played"],
        ),
    ] {
        let run = place.arena(&format!("check {name}.wasm")).expect_code(3);
        for phrase in phrases {
            assert!(run.stdout.contains(phrase), "{name}: `{phrase}` is not in:\n{}", run.stdout);
        }
        assert!(!run.stdout.contains('\x1b'), "{name}");
        let document = place.arena(&format!("check {name}.wasm --json")).expect_code(3).json();
        assert_eq!(document["verdict"], "faulted", "{name}");
        assert!(document["fault"]["call"].is_string(), "{name}: {document}");
    }
}

#[test]
fn the_document_of_a_game_has_its_facts_and_its_trial() {
    let document = place().arena("check matches.wasm --json --quick").expect_code(0).json();
    assert_eq!((&document["verdict"], &document["name"]), (&"ready".into(), &"matches".into()));
    assert_eq!(document["contract"], "arena:game@0.1.0");
    assert_eq!(document["parameters"][0]["maximum"], 10);
    let trial = &document["trial"];
    assert_eq!(trial["games"], 50);
    assert_eq!(trial["endings"][0]["name"], "last-match");
    assert!(trial["fuel"].as_array().is_some_and(|fuel| fuel.len() > 5), "{trial}");
}

#[test]
fn a_game_is_checked_without_games_and_without_the_options_for_bots() {
    let place = place();
    let run = place.arena("check matches.wasm --no-games").expect_code(0);
    assert!(run.stdout.contains("its contract is right; no game was played"), "{}", run.stdout);
    let run = place.arena("check matches.wasm --rules guide").expect_code(2);
    assert!(run.stderr.contains("matches.wasm is a game"), "{}", run.stderr);
}

#[test]
fn a_game_is_checked_with_the_options_that_are_set() {
    let place = place();
    let document = place.arena("check matches.wasm --set matches=1 --json").expect_code(0).json();
    let trial = &document["trial"];
    assert_eq!((&trial["turns"]["median"], &trial["other-options"]), (&1.into(), &0.into()), "{trial}");
    for (args, phrase) in [
        ("check matches.wasm --set matches=11", "the option matches of matches cannot be 11"),
        ("check matches.wasm --set columns=7", "matches has no option columns"),
        ("check matches.wasm --set matches=1 --set matches=2", "the option matches of matches is set twice"),
        ("check taker.wasm --set matches=1", "--set is for the options of a game, and taker.wasm is a bot"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
}

#[test]
fn options_that_do_not_fit_together_are_refused_as_wrong_input() {
    let place = Place::empty();
    // It takes its default, ten matches, and nothing else.
    let picky = r#"
        (data $reason-of-options (i32.const 320) "ten or nothing")
        (func $new-initial-state
            (param $settings i32) (param $count i32) (param $seed i64) (param $starter i32) (result i32)
            (if (i64.ne (i64.load offset=8 (local.get $settings)) (i64.const 10))
                (then
                    (i32.store8 (i32.const 0) (i32.const 1))
                    (call $text (i32.const 4) (i32.const 320) (i32.const 14))
                    (return (i32.const 0))))
            (i32.store8 (i32.const 0) (i32.const 0))
            (i32.store (i32.const 4) (call $new-handle (call $state (i32.const 10) (local.get $starter))))
            (i32.const 0))"#;
    place.write("picky.wasm", arena_testkit::game_component(picky).expect("it is a game"));
    let refused = place.arena("check picky.wasm --set matches=3").expect_code(2).stderr;
    assert!(refused.contains("picky.wasm refuses these values of --set: ten or nothing"), "{refused}");
    let told = place.arena("check picky.wasm --quick").expect_code(0).stdout;
    for phrase in ["0 of 50 games had other values: matches in 0", "25 sets of other values were refused"] {
        assert!(told.contains(phrase), "`{phrase}` is not in:\n{told}");
    }
}

#[test]
fn a_game_named_as_a_bot_is_refused_with_the_option_that_takes_it() {
    let run = place().arena("run matches.wasm builtin:random").expect_code(3);
    assert!(run.stderr.contains("is a game, not a bot"), "{}", run.stderr);
    assert!(run.stderr.contains("name it with `--game`"), "{}", run.stderr);
}

#[test]
fn the_contract_of_a_game_with_its_bots_and_that_with_games_are_printed() {
    let place = place();
    let wit = place.arena("wit matches.wasm").expect_code(0).stdout;
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("wit_of_a_game", wit);
    });
    let contract = place.arena("wit game").expect_code(0).stdout;
    assert!(contract.contains("package arena:game@0.1.0;"), "{contract}");
    for (args, phrase) in [
        ("wit chess", "there is no game `chess`"),
        ("wit no.wasm", "no such file"),
        ("wit loops-in-describe.wasm", "`describe` failed: used up its fuel"),
        ("wit taker.wasm", "`rules` is missing"),
    ] {
        let run = place.arena(args);
        assert!(run.code == 2 || run.code == 3, "{args}: {}", run.code);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
}

#[test]
fn a_new_game_is_a_folder_and_the_next_commands_are_printed() {
    let place = Place::empty();
    let told = place.arena("new my-game --game").expect_code(0).stdout;
    for phrase in [
        "made my-game: a game in rust",
        "cargo test",
        "arena build",
        "arena check my-game.wasm",
        "arena wit my-game.wasm",
    ] {
        assert!(told.contains(phrase), "`{phrase}` is not in:\n{told}");
    }
    let wit = std::fs::read_to_string(place.path("my-game/wit/game.wit")).expect("it is there");
    assert!(wit.contains("package games:my-game@1.0.0;"), "{wit}");
    for (language, test, rules) in [
        ("python", "python3 -m unittest", "table.py"),
        ("javascript", "npm test", "board.js"),
        ("c", "arena build --test", "board.c"),
    ] {
        let told = place.arena(&format!("new in-{language} --game --lang {language}")).expect_code(0).stdout;
        for phrase in [&format!("made in-{language}: a game in {language}"), test, rules] {
            assert!(told.contains(phrase), "`{phrase}` is not in:\n{told}");
        }
    }
    // The code in C is in a new folder, and is written again at each build.
    let header = std::fs::read(place.path("in-c/adapter/game.h")).expect("it is there");
    place.arena("wit in-c/wit --bindings again").expect_code(0);
    assert!(std::fs::read(place.path("again/game.h")).unwrap() == header);
    for (args, phrase) in [
        (
            "new other --game --lang python-guide",
            "there is no template for a game in python-guide, only in rust, python, javascript, c",
        ),
        ("new other --game submarine", "--lang <NAME> is missing"),
        ("wit none --bindings again", "cannot write the code for none to again"),
        ("new my_game --game", "`my_game` cannot be the name of a game"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
}
