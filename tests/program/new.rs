//! `arena new` and `arena wit`: folders of new bots, and the contract. That each bot builds and plays is tested by
//! `cargo xtask languages`.

use crate::support::Place;
use std::fs;
use std::path::Path;

#[test]
fn a_new_bot_is_a_folder_and_the_next_commands_are_printed() {
    let place = Place::empty();
    for (language, file, practice, build) in [
        ("rust", "src/lib.rs", "cargo run --example practice", "arena build"),
        ("python", "bot.py", "python3 practice.py", "arena build"),
        ("python-guide", "bot.py", "python3 practice.py", "arena build"),
        ("javascript", "bot.js", "node practice.js", "arena build"),
        ("c", "bot.c", "arena build --practice", "arena build"),
        ("go", "bot.go", "arena build --practice", "arena build"),
    ] {
        let name = format!("my-{language}");
        let told = place.arena(&format!("new {name} --lang {language}")).expect_code(0).stdout;
        assert!(place.path(&format!("{name}/{file}")).is_file(), "{name}/{file}");
        for phrase in [&format!("cd {name}"), file, practice, build, &format!("arena check {name}.wasm")] {
            assert!(told.contains(phrase), "`{phrase}` is not in:\n{told}");
        }
    }
}

#[test]
fn the_adapter_for_other_compilers_is_written_to_a_file() {
    let place = Place::empty();
    let run = place.arena("wit --adapter adapter.wasm").expect_code(0);
    assert_eq!(run.stdout, "");
    let adapter = fs::read(place.path("adapter.wasm")).unwrap();
    assert!(adapter.starts_with(b"\0asm\x01\0\0\0"), "it is a core module");
    place.arena("new in-c --lang c").expect_code(0);
    assert!(fs::read(place.path("in-c/wit/wasi_snapshot_preview1.reactor.wasm")).unwrap() == adapter);
    let refused = place.arena("wit --adapter no-folder/adapter.wasm").expect_code(1).stderr;
    assert!(refused.contains("cannot write no-folder/adapter.wasm"), "{refused}");
}

#[test]
fn a_new_bot_for_submarine_plays_submarine() {
    let place = Place::empty();
    place.arena("new bots/diver --lang rust --game submarine").expect_code(0);
    let bot = fs::read_to_string(place.path("bots/diver/src/lib.rs")).unwrap();
    assert!(bot.contains("arena_sdk::submarine::export!"), "{bot}");
    let refused = place.arena("new bots/guided --lang python-guide --game submarine").expect_code(2).stderr;
    assert!(
        refused.contains(
            "there is no template for submarine in python-guide, only in rust, python, javascript, c, go"
        ),
        "{refused}"
    );
    assert!(!place.path("bots/guided").exists());
}

#[test]
fn a_folder_with_files_and_a_name_that_no_package_has_are_refused_with_the_next_step() {
    let place = Place::empty();
    place.write("notes", "mine");
    for (args, phrases) in [
        ("new notes --lang c", ["cannot create notes", "next: name another folder"]),
        ("new MyBot --lang go", ["`MyBot` cannot be the name of a bot", "next: use lower-case letters"]),
        ("new fn --lang rust", ["`fn` cannot be the name of a bot", "next: in Rust"]),
        ("new .. --lang c", ["does not end in the name", "next: name a folder"]),
        ("new bot --lang perl", ["\"perl\" is not one of its values", "choose rust, python"]),
        (
            "new bot --lang c --game chess",
            ["there is no game `chess`", "choose battleship or submarine, or name the .wasm file of a game"],
        ),
        ("new bot", ["--lang <NAME> is missing", "choose rust, python"]),
    ] {
        let refused = place.arena(args).expect_code(2).stderr;
        for phrase in phrases {
            assert!(refused.contains(phrase), "{args}: `{phrase}` is not in:\n{refused}");
        }
    }
    assert_eq!(place.files(".").len(), 1);
}

#[test]
fn the_contract_is_printed_as_it_is() {
    let place = Place::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (args, file) in [
        ("wit", "wit/battleship/v0.1.0/battleship.wit"),
        ("wit battleship", "wit/battleship/v0.1.0/battleship.wit"),
        ("wit submarine", "wit/submarine/v0.1.0/submarine.wit"),
    ] {
        let printed = place.arena(args).expect_code(0).stdout;
        assert_eq!(printed, fs::read_to_string(root.join(file)).unwrap(), "{args}");
    }
}
