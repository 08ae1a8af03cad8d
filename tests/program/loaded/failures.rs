//! Games of the zoo in a match: the contest stops, no bot is charged, and no result is wrong.

use crate::support::{Place, SEED};

/// A folder with this game of the zoo, a bot that takes one match, and one that takes two.
pub(super) fn with_game(name: &str) -> Place {
    let place = Place::empty();
    let parts = arena_testkit::zoo_text(&format!("games/{name}"));
    place.write("game.wasm", arena_testkit::game_component(&parts).expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    let two = "(func $play (param $left i32) (param $mine i32) (result i32) (i32.const 2))";
    place.write("two.wasm", arena_testkit::game_bot_component(two).expect("it is a bot"));
    place
}

#[test]
fn a_game_that_fails_stops_the_contest_with_the_call_the_game_and_the_turn_and_charges_no_bot() {
    for (name, place_of, phrase) in [
        ("traps-in-observe", "game 1, turn 1: ", "`observe` failed: wasm `unreachable` instruction executed"),
        ("loops-in-apply-action", "game 1, turn 1: ", "`apply-action` failed: used up its fuel"),
        ("grows-in-observe", "game 1, turn ", "`observe`"),
        ("unknown-reason", "game 1, turn ", "which is not one of the endings"),
        (
            "over-at-start",
            "game 1, turn 1: ",
            "`new-initial-state` returns a game that is over before its first turn",
        ),
        ("retry-passes", "", ""),
    ] {
        let place = with_game(name);
        let run =
            place.arena("run --game game.wasm taker.wasm builtin:random --games 6 --jobs 1 --journal j.db");
        if phrase.is_empty() {
            // Neither of the bots is refused an action, so the mistake is not met.
            run.expect_code(0);
            continue;
        }
        let run = run.expect_code(3);
        let failed = format!("the game itself failed in {place_of}");
        for phrase in [&failed[..], phrase, "no bot is charged with it", "and needs a new journal"] {
            assert!(run.stderr.contains(phrase), "{name}: `{phrase}` is not in {}", run.stderr);
        }
        assert!(!run.stderr.contains("--resume"), "it would fail again: {}", run.stderr);
        assert!(run.stdout.contains("\n0 of 6 games under the `matches` rules"), "{name}: {}", run.stdout);
    }
}

#[test]
fn all_games_before_a_failed_one_are_kept_and_right_and_none_after_it_for_any_jobs_and_when_continued() {
    let place = with_game("traps-in-a-rare-turn");
    let mut tables = Vec::new();
    for jobs in [1, 2, 1, 2] {
        let journal = format!("{}.db", tables.len());
        let run = format!(
            "run --game game.wasm taker.wasm two.wasm builtin:random --games 40 --seed {SEED} --jobs {jobs} --journal {journal}"
        );
        let begun = place.arena(&run).expect_code(3);
        let verify = || place.arena(&format!("verify --journal {journal} -o json")).expect_code(0).json();
        let verified = verify();
        assert!(begun.stdout.contains(" of 120 games under"), "{}", begun.stdout);
        let resumed = place.arena(&format!("{run} --resume")).expect_code(3);
        let same = |document: &serde_json::Value| {
            ["verified", "recordings", "games-left"].map(|key| document[key].clone())
        };
        assert_eq!(same(&verify()), same(&verified), "no game was added");
        let end = |stderr: &str| stderr[stderr.find("arena: ").expect("it is there")..].to_owned();
        assert_eq!(end(&resumed.stderr), end(&begun.stderr));
        // The head depends on the time at which the journal was begun.
        let table = begun.stdout.lines().filter(|line| !line.starts_with("head of the journal"));
        tables.push((table.collect::<Vec<_>>().join("\n"), end(&begun.stderr)));
    }
    assert!(tables.iter().all(|table| *table == tables[0]), "{tables:#?}");
    assert!(!tables[0].0.contains("\n0 of 120"), "some games were played before: {}", tables[0].0);
}

#[test]
fn a_recorded_game_whose_code_fails_is_not_verified_and_the_others_are() {
    let place = with_game("traps-in-a-rare-turn");
    let run =
        format!("run --game game.wasm taker.wasm two.wasm --games 2 --seed {SEED} --transcripts t --jobs 1");
    place.arena(&run).expect_code(0);
    let names: Vec<String> = place.files("t").into_keys().collect();
    let [first, second] = &names[..] else { panic!("{names:?}") };
    // Both take one or two matches, so four are left at some time in one of them.
    let line_with_four_left = |name: &String| {
        let text = std::fs::read_to_string(place.path(&format!("t/{name}"))).unwrap();
        text.lines().position(|line| line.contains(r#""effect":"4""#)).map(|index| index + 2)
    };
    let (altered, line) = names.iter().find_map(|name| Some((name, line_with_four_left(name)?))).unwrap();
    place.alter(&format!("t/{altered}"), line, |event| event["action"] = "{take: 3}".into());
    let verify = format!("verify t/{first} t/{second} --game game.wasm taker.wasm two.wasm");
    let verified = place.arena(&verify).expect_code(3);
    for phrase in
        ["the code of its game fails when it is played again: `apply-action` failed", "verified 1 of 2"]
    {
        assert!(verified.stdout.contains(phrase), "`{phrase}` is not in {}", verified.stdout);
    }
    let findings = place.arena(&format!("{verify} -o json")).expect_code(3).json()["findings"].clone();
    let verdicts = findings.as_array().unwrap().iter().map(|it| it["verdict"].as_str().unwrap());
    assert!(verdicts.clone().any(|it| it == "same") && verdicts.clone().any(|it| it == "game-failed"));
}

#[test]
fn a_failed_game_can_be_repeated_by_its_author() {
    let place = with_game("traps-in-a-rare-turn");
    for args in
        ["check game.wasm", "run --game game.wasm two.wasm taker.wasm builtin:random --games 40 --seed 1"]
    {
        let run = place.arena(args).expect_code(3);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(
            said.contains("it began with the seed ") && said.contains(" as the starter, matches=10\n"),
            "{said}"
        );
        let turns = said.split_once("its turns were ").expect("they are there").1;
        let turns = turns.split_once('\n').expect("it is a line").0;
        let taken: Vec<u32> = turns
            .split("{take: ")
            .skip(1)
            .map(|turn| turn.split_once('}').expect("it ends").0.parse().expect("it is a number"))
            .collect();
        assert_eq!(taken.last(), Some(&3), "{args}: {turns}");
        assert_eq!(taken.iter().sum::<u32>(), 9, "{args}: {turns}");
    }
    let document = place.arena("check game.wasm --json").expect_code(3).json();
    let course = &document["fault"]["course"];
    assert!(course["seed"].as_str().is_some_and(|seed| seed.parse::<u64>().is_ok()), "{document}");
    assert_eq!(course["settings"]["matches"], 10);
    assert_eq!(course["turns"].as_array().and_then(|turns| turns.last()), Some(&"{take: 3}".into()));
}

#[test]
fn all_commands_say_the_same_about_a_game_that_fails() {
    let place = with_game("traps-in-observe");
    for args in [
        "run taker.wasm two.wasm",
        "check taker.wasm",
        "profile taker.wasm",
        "sprt taker.wasm two.wasm",
        "sprt taker.wasm two.wasm --journal s.db",
    ] {
        let run = place.arena(&format!("{args} --game game.wasm")).expect_code(3);
        for phrase in [
            "arena: the game itself failed in ",
            "turn 1: `observe` failed: wasm `unreachable` instruction executed",
            "; no bot is charged with it\n  it began with the seed ",
            "\n  its turns were none\n  next: repair the game, and try it with `arena check`; ",
        ] {
            assert!(run.stderr.contains(phrase), "{args}: `{phrase}` is not in {}", run.stderr);
        }
        for phrase in ["the arena failed", "needs more games"] {
            let said = format!("{}{}", run.stdout, run.stderr);
            assert!(!said.contains(phrase), "{args}: {said}");
        }
    }
}

#[test]
fn options_that_do_not_fit_together_are_found_before_the_first_game() {
    let place = Place::empty();
    let parts = "
        (func $new-initial-state (param $settings i32) (param $count i32) (param $seed i64) (param $starter i32) (result i32)
            (i32.store8 (i32.const 0) (i64.lt_u (i64.load offset=8 (local.get $settings)) (i64.const 4)))
            (if (i32.load8_u (i32.const 0))
                (then (call $text (i32.const 4) (i32.const 192) (i32.const 17)))
                (else (i32.store (i32.const 4) (call $new-handle (call $state
                    (i32.wrap_i64 (i64.load offset=8 (local.get $settings)))
                    (local.get $starter))))))
            (i32.const 0))";
    place.write("game.wasm", arena_testkit::game_component(parts).expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    for command in
        ["run taker.wasm builtin:random --journal j.db", "check taker.wasm", "sprt taker.wasm taker.wasm"]
    {
        let refused =
            place.arena(&format!("{command} --game game.wasm --set matches=3")).expect_code(2).stderr;
        let phrase = "game.wasm: the game refuses these options together, `matches, matches=3`: take one to three\n  next: choose ";
        assert!(refused.contains(phrase), "{command}: {refused}");
    }
    place.arena("run taker.wasm builtin:random --game game.wasm --set matches=4 --games 2").expect_code(0);
}

#[test]
fn a_game_that_cannot_be_played_at_all_is_refused_before_the_bots_are_read() {
    for (name, phrase) in [
        ("loops-in-describe", "game.wasm: `describe` failed: used up its fuel"),
        ("too-many-options", "game.wasm: `describe` returns 65 parameters; there can be 64"),
    ] {
        let run = with_game(name).arena("run --game game.wasm taker.wasm taker.wasm").expect_code(2);
        assert!(run.stderr.contains(phrase), "{name}: {}", run.stderr);
    }
}
