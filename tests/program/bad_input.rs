//! Bad input: the message names the file or word and the next step, the exit code is 2 or 3, and nothing is lost.

use crate::support::Place;

/// Checks that the program prints no results for these arguments, ends with this code, and has this text in its message.
/// Returns the message.
fn refuses(place: &Place, args: &str, code: i32, names: &str) -> String {
    let run = place.arena(args).expect_code(code);
    assert_eq!(run.stdout, "", "{args}");
    assert!(run.stderr.contains(names), "{args}: {names:?} is not in:\n{}", run.stderr);
    assert!(run.stderr.lines().count() <= 8, "{args}: too many lines:\n{}", run.stderr);
    run.stderr
}

#[test]
fn a_path_that_cannot_be_read_stops_the_run_before_it_starts() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    std::fs::create_dir(place.path("folder")).unwrap();
    let gone = refuses(
        &place,
        "run sweeper.wasm repeats.wasm gone.wasm --transcripts t",
        2,
        "gone.wasm: no such file",
    );
    assert!(gone.contains("next: "));
    assert!(!place.path("t").exists());
    refuses(&place, "run sweeper.wasm folder", 2, "folder: this folder has no .wasm files");
    let pattern = refuses(&place, "run bots/*.wasm sweeper.wasm", 2, "bots/*.wasm: no such file");
    assert!(pattern.contains("no file matches"));
}

#[test]
fn no_bots_and_one_bot_are_not_a_match() {
    let place = Place::with_specimens(&["sweeper"]);
    refuses(&place, "run", 2, "<BOT>");
    refuses(&place, "run sweeper.wasm", 2, "a match needs two bots");
    refuses(&place, "run .", 2, "a match needs two bots");
    assert!(place.arena("").expect_code(2).stderr.contains("Usage: arena [OPTIONS] <COMMAND>"));
}

#[test]
fn files_that_are_not_bots_are_refused_each_with_its_reason() {
    let place = Place::with_specimens(&["sweeper", "wrong-world"]);
    let whole = arena_testkit::zoo("shoots-at-random");
    place.write("empty.wasm", "");
    place.write("text.wasm", "(component)");
    place.write("truncated.wasm", &whole[..whole.len() / 2]);
    place.write("module.wasm", b"\0asm\x01\0\0\0");
    for (name, says) in [
        ("empty", "empty"),
        ("text", "text"),
        ("truncated", "cut off"),
        ("module", "core WebAssembly module"),
        ("wrong-world", "not a bot"),
    ] {
        let message =
            refuses(&place, &format!("run sweeper.wasm {name}.wasm"), 3, &format!("refused: {name}.wasm: "));
        assert!(message.contains(says), "{name}: {message}");
        assert!(message.contains("next: "), "{name}: {message}");
        assert!(message.contains("one bot is left"), "{name}: {message}");
    }
}

#[test]
fn the_others_play_if_two_are_left_and_the_run_ends_in_3() {
    let place = Place::with_specimens(&["sweeper", "repeats", "loops-in-name"]);
    let run =
        place.arena("run sweeper.wasm loops-in-name.wasm repeats.wasm --games 2 -o json").expect_code(3);
    assert!(run.stderr.starts_with("refused: loops-in-name.wasm: "), "{}", run.stderr);
    let document = run.json();
    assert_eq!(document["games"].as_array().unwrap().len(), 2);
    assert_eq!(document["refused"][0]["file"], "loops-in-name.wasm");
}

#[test]
fn with_strict_nothing_is_played_if_a_bot_is_refused() {
    let place = Place::with_specimens(&["sweeper", "repeats", "loops-in-name"]);
    refuses(&place, "run sweeper.wasm loops-in-name.wasm repeats.wasm --strict", 3, "--strict");
}

#[test]
fn the_same_component_twice_in_a_tournament_plays_once() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    std::fs::copy(place.path("sweeper.wasm"), place.path("copy.wasm")).unwrap();
    let run = place.arena("run sweeper.wasm repeats.wasm copy.wasm --games 2 -o json").expect_code(3);
    assert!(run.stderr.contains("copy.wasm: is the same component as sweeper.wasm"), "{}", run.stderr);
    assert_eq!(run.json()["standings"].as_array().unwrap().len(), 2);
}

#[test]
fn an_option_out_of_range_is_refused_with_its_name_or_range() {
    let place = Place::with_specimens(&["sweeper"]);
    for (option, says) in [
        ("--rules chess", "choose one of: guide, classic, pirates, submarine"),
        ("--games 0", "--games"),
        ("--jobs 0", "--jobs"),
        ("--jobs 1000", "--jobs"),
        ("--seed soon", "--seed"),
        ("--seed 0123456789abcdef0123456789abcdef", "64 hexadecimal digits"),
        ("--fuel 0", "--fuel"),
        ("--memory 0", "--memory"),
        ("--timeout 0", "--timeout"),
        ("--timeout NaN", "--timeout"),
        ("--game-timeout 0", "--game-timeout"),
        ("--game-timeout 86401", "up to 86400"),
        ("--width 0", "from 1 to 32"),
        ("--height 33", "from 1 to 32"),
        ("--width 5 --height 5", "cannot be placed on a board of 5 columns by 5 rows"),
        ("-o xml", "table, json or csv"),
        ("--colour", "--colour"),
    ] {
        refuses(&place, &format!("run sweeper.wasm sweeper.wasm {option}"), 2, says);
    }
}

#[test]
fn a_mistake_in_a_rules_file_is_reported_with_its_line() {
    let place = Place::with_specimens(&["sweeper"]);
    place.write("my.toml", "width = 6\nheigth = 8\n");
    place.write("tight.toml", "like = \"guide\"\nwidth = 5\nheight = 5\nfleet = [4, 4, 4, 4]\n");
    place.write("sub.toml", "like = \"submarine\"\n\nfleet = [3, 2, 1]\n");
    place.write("idle.toml", "like = \"submarine\"\nturn-budget-ms = 0\n");
    place.write("binary.toml", b"\xff\xfa");
    place.write("wide.toml", b"\xff\xfea\0");
    let rules = |file: &str, says: &str| {
        refuses(&place, &format!("run sweeper.wasm sweeper.wasm --rules {file}"), 2, says)
    };
    rules("my.toml", "my.toml:2: heigth: unknown field `heigth`");
    rules("tight.toml", "tight.toml:4: the fleet [4, 4, 4, 4] cannot be placed");
    rules("sub.toml", "sub.toml:3: fleet: unknown field `fleet`");
    rules("idle.toml", "idle.toml:2: turn-budget-ms must be at least 1");
    rules("binary.toml", "binary.toml: is not UTF-8 text");
    rules("wide.toml", "wide.toml: is UTF-16; save it as UTF-8");
    rules("gone.toml", "gone.toml: no such file");
}
