//! Every command that takes a bot or a game, with a game that is a component: it works, or says why not and what to do instead.

use super::with_journal;
use crate::support::{Place, SEED};
use std::fs;

#[test]
fn each_command_works_with_a_game_that_is_a_component_or_says_what_to_do_instead() {
    let place = with_journal();
    place.copy_game("liars-dice", "odds");
    let game = "--game connect-four.wasm";
    for (args, code, phrase) in [
        (format!("check one-ahead.wasm {game}"), 0, "ready to play; no fault in 2 trial games"),
        (format!("check builtin:random {game} --quick"), 0, "connect-four, contract 0.1.0"),
        ("check one-ahead.wasm".into(), 0, "name the game with --game for trial games"),
        (
            format!("check builtin:hunter {game}"),
            2,
            "builtin:hunter plays battleship, and the rules `connect-four` are for a game that is a component",
        ),
        (format!("check connect-four.wasm {game}"), 2, "connect-four.wasm is a game, and --rules, --game,"),
        ("check one-ahead.wasm --rules guide".into(), 2, "the rules `guide` are for battleship"),
        ("run one-ahead.wasm builtin:random".into(), 2, "name the game with `--game GAME.wasm`"),
        (
            format!("run {game} one-ahead.wasm builtin:hunter"),
            2,
            "one-ahead.wasm plays a game that is a component, and builtin:hunter plays battleship",
        ),
        (
            format!("sprt {game} one-ahead.wasm builtin:random --seed {SEED}"),
            0,
            "H1 accepted: one-ahead is better",
        ),
        (
            format!("bench {game} one-ahead.wasm --games 4"),
            0,
            "bots play builtin:game-random, from each seat",
        ),
        (format!("bench {game} one-ahead.wasm --boards 4"), 2, "--game and --boards cannot be used"),
        (format!("bench {game} -o csv"), 2, "has no such boards"),
        ("bench connect-four.wasm".into(), 3, "is a game"),
        (format!("profile one-ahead.wasm {game} --samples 20"), 0, "one-ahead"),
        ("profile one-ahead.wasm".into(), 2, "name the game with `--game GAME.wasm`"),
        ("rerun j.db 1 one-ahead.wasm".into(), 0, "the same in all of"),
        ("rerun j.db 1 builtin:random".into(), 2, "leaves its actions to the game"),
        (
            format!("run {game} one-ahead.wasm builtin:random --width 5"),
            2,
            "connect-four has no board of different sizes\n  next: leave out --width and --height; `--set",
        ),
        (
            format!("run {game} --set columns=5 --set columns=6 one-ahead.wasm builtin:random"),
            2,
            "the option columns of connect-four is set twice",
        ),
        (format!("sprt {game} one-ahead.wasm builtin:random --seed {SEED} --journal s.db"), 0, "H1 accepted"),
        (
            "rerun j.db 1 odds.wasm --seat 1".into(),
            3,
            "is a bot for `games:liars-dice/bot@1.0.0`, and this game is",
        ),
        (
            "run --rules classic builtin:hunter builtin:hunter --journal j.db".into(),
            2,
            "the game is connect-four in the journal and battleship now",
        ),
        ("new list --game".into(), 2, "it is a keyword of WIT"),
        ("rerun j.db 1 builtin:hunter".into(), 2, "is a game of connect-four"),
        ("standings j.db".into(), 0, "one-ahead"),
        ("games j.db".into(), 0, "four"),
        ("journal info j.db".into(), 0, "connect-four"),
        ("journal history j.db".into(), 0, "one-ahead"),
        (format!("watch {game} one-ahead.wasm builtin:random"), 2, "not a terminal"),
        (format!("play {game} one-ahead.wasm"), 2, "not a terminal"),
        ("serve 0 --rules connect-four.wasm".into(), 2, "connect-four.wasm"),
        (format!("dev . --once {game}"), 2, "is not played by one side alone"),
    ] {
        let run = place.arena(&args).expect_code(code);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains(phrase), "{args}: `{phrase}` is not in:\n{said}");
        assert!(!said.contains("plays loaded") && !said.contains("game of loaded"), "{args}:\n{said}");
    }
}

#[test]
fn a_bot_for_another_game_is_refused_with_the_first_difference() {
    let place = with_journal();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    for args in [
        "check one-ahead.wasm --game matches.wasm",
        "run --game matches.wasm one-ahead.wasm taker.wasm",
        "sprt --game matches.wasm one-ahead.wasm taker.wasm",
        "profile one-ahead.wasm --game matches.wasm",
    ] {
        let run = place.arena(args);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, 3, "{args}:\n{said}");
        let phrase =
            "is a bot for `games:connect-four/bot@1.0.0`, and this game is for `zoo:matches/bot@0.1.0`";
        assert!(said.contains(phrase), "{args}:\n{said}");
        assert!(said.contains("arena wit GAME.wasm"), "{args}:\n{said}");
    }
}

#[test]
fn a_bot_for_a_game_is_made_from_the_game_alone_and_the_next_commands_are_printed() {
    let place = with_journal();
    for (language, file, build) in [
        ("rust", "src/lib.rs", "arena build"),
        ("python", "bot.py", "arena build"),
        ("javascript", "bot.js", "arena build"),
        ("c", "bot.c", "arena build"),
        ("go", "bot.go", "arena build"),
    ] {
        let made = format!("new bots/my-{language} --lang {language} --game connect-four.wasm");
        let told = place.arena(&made).expect_code(0).stdout;
        assert!(place.path(&format!("bots/my-{language}/{file}")).is_file(), "{language}");
        for phrase in [
            &format!("a bot for connect-four in {language}"),
            build,
            &format!("arena check my-{language}.wasm --game ../../connect-four.wasm"),
            "arena run --game ../../connect-four.wasm",
        ] {
            assert!(told.contains(phrase), "`{phrase}` is not in:\n{told}");
        }
        let wit = std::fs::read_to_string(place.path(&format!("bots/my-{language}/wit/bot.wit")))
            .expect("it is there");
        assert_eq!(wit, place.arena("wit connect-four.wasm").expect_code(0).stdout, "{language}");
    }
    for (args, code, phrase) in [
        (
            "new bot --lang python-guide --game connect-four.wasm",
            2,
            "no template for connect-four in python-guide, only in rust, python, javascript, c, go",
        ),
        (
            "new bot --game connect-four.wasm",
            2,
            "--lang <NAME> is missing\n  next: choose rust, python, javascript, c, go\n",
        ),
        ("new bot --lang rust --game bots", 2, "bots: is a folder, not a game"),
        ("new bot --lang rust --game one-ahead.wasm", 3, "`rules` is missing"),
        ("new bot --lang rust --game no.wasm", 2, "no such file"),
    ] {
        let refused = place.arena(args).expect_code(code).stderr;
        assert!(refused.contains(phrase), "{args}: {refused}");
    }
    assert!(!place.path("bot").exists());
}

#[test]
fn builtin_random_is_found_in_a_journal_and_in_transcripts_by_the_name_with_which_it_was_given() {
    let place = with_journal();
    place.arena("games j.db --bot builtin:random").expect_code(0);
    let table = place.arena("standings j.db --anchor builtin:random").expect_code(0).stdout;
    assert!(table.contains("builtin:game-random"), "{table}");
    let verified = place.arena("verify --journal j.db one-ahead.wasm builtin:random").expect_code(0).stdout;
    assert!(verified.contains("verified 4 of 4"), "{verified}");
}

#[test]
fn builtin_random_is_a_component_like_any_other_bot() {
    let place = Place::empty();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    let run = format!("run --game matches.wasm builtin:random taker.wasm --games 6 --seed {SEED} --jobs");
    let one = place.arena(&format!("{run} 1 --transcripts one")).expect_code(0);
    let two = place.arena(&format!("{run} 2 --transcripts two")).expect_code(0);
    assert_eq!(one.stdout, two.stdout);
    assert_eq!(place.files("one"), place.files("two"));
    assert!(one.stdout.contains("builtin:game-random"), "{}", one.stdout);
    let text = include_str!("../../../host/crates/engine/builtin/game-random.wat");
    let binary = include_bytes!("../../../host/crates/engine/builtin/game-random.wasm");
    assert_eq!(
        arena_testkit::component(text).expect("it is a component"),
        binary,
        "see host/crates/engine/builtin/README.md"
    );
}

#[test]
fn a_bot_that_uses_up_its_fuel_is_checked_and_its_faults_are_kept() {
    let place = with_journal();
    let too_little = "--game connect-four.wasm --fuel 5000";
    let checked = place.arena(&format!("check one-ahead.wasm {too_little}")).expect_code(3).stdout;
    assert!(checked.contains("fault    out-of-fuel") && checked.contains("at fault in 2 of 2"), "{checked}");
    place
        .arena(&format!("run one-ahead.wasm builtin:random {too_little} --games 2 --faults faults"))
        .expect_code(0);
    let folder = fs::read_dir(place.path("faults")).expect("it was made").next();
    let folder = folder.expect("the bot was at fault").expect("it can be read").path();
    let view = fs::read_to_string(folder.join("calls.jsonl")).expect("it is text");
    assert!(view.contains("board"), "{view}");
}

#[test]
fn transcripts_in_files_are_read_with_the_file_of_their_game() {
    let place = with_journal();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.arena("replay j.db 1 --transcript game.jsonl").expect_code(0);
    let game = "--game connect-four.wasm";
    for (args, code, phrase) in [
        (format!("replay game.jsonl {game} --headless"), 0, "one-ahead wins"),
        (format!("rerun game.jsonl one-ahead.wasm {game}"), 0, "the same in all of"),
        (format!("verify game.jsonl j.db.bots {game}"), 0, "the same, "),
        (
            "replay game.jsonl --headless".into(),
            2,
            "was played in connect-four, a game that is a component\n  next: name the game's file with --game",
        ),
        ("replay game.jsonl --game matches.wasm --headless".into(), 2, "in another game than matches.wasm"),
        ("replay game.jsonl --game game.jsonl --headless".into(), 2, "game.jsonl: "),
        (format!("replay j.db 1 {game} --headless"), 2, "cannot be used together"),
        (format!("rerun j.db 1 one-ahead.wasm {game}"), 2, "--game is for a transcript"),
        (format!("verify --journal j.db {game}"), 0, "verified 4 of 4"),
        (format!("verify --journal j.db {game} --replay-all"), 0, "the same head"),
        (
            "verify --journal j.db --game matches.wasm --replay-all".into(),
            2,
            "in another game than matches.wasm",
        ),
    ] {
        let run = place.arena(&args).expect_code(code);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains(phrase), "{args}: `{phrase}` is not in:\n{said}");
    }
}
