//! `arena new` and `arena wit`: folders of new bots, and the contract. That each bot builds and plays is tested by
//! `cargo xtask test --all-languages`.

use crate::support::{Place, Run};
use arena_testkit::skip::program_or_skip;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn a_new_bot_is_a_folder_and_the_next_commands_are_printed() {
    let place = Place::empty();
    for (language, file, build) in [
        ("rust", "src/lib.rs", "sh build.sh"),
        ("python", "bot.py", "python3 build.py"),
        ("python-guide", "bot.py", "python3 build.py"),
        ("javascript", "bot.js", "npm run build"),
        ("c", "bot.c", "sh build.sh"),
        ("go", "bot.go", "sh build.sh"),
    ] {
        let name = format!("my-{language}");
        let told = place.arena(&format!("new {name} --lang {language}")).expect_code(0).stdout;
        assert!(place.path(&format!("{name}/{file}")).is_file(), "{name}/{file}");
        for phrase in [&format!("cd {name}"), file, build, &format!("arena check {name}.wasm")] {
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
            ["\"chess\" is not one of its values", "choose battleship or submarine"],
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

/// The program that plays practice boards in a new folder for a language, with these arguments. `None` without the language's tools.
fn practice(place: &Place, language: &str, args: &str) -> Option<Run> {
    let (program, script) = match language {
        "javascript" => (program_or_skip("node")?, "practice.js"),
        _ => (program_or_skip("python3")?, "practice.py"),
    };
    let mut command = Command::new(program);
    Some(Run::of(command.arg(script).args(args.split_whitespace()).current_dir(place.path(language))))
}

#[test]
fn wrong_arguments_of_practice_are_told_in_its_last_line_without_a_stack() {
    let place = Place::empty();
    let wrong = |language: &str, cases: &[(&str, &str)]| {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        place.write(&format!("{language}/no-bot.js"), "export const answer = 42;");
        place.write(&format!("{language}/view.json"), "{");
        for (args, says) in cases {
            let Some(run) = practice(&place, language, args) else { return };
            let run = run.expect_code(2);
            let last = run.stderr.lines().last().unwrap_or_default();
            assert!(last.contains(says), "{language}, {args}:\n{}", run.stderr);
            assert!(!run.stderr.contains("Traceback") && !run.stderr.contains("    at "), "{}", run.stderr);
        }
    };
    let all = [
        ("--boards 0", "--boards must be at least 1"),
        ("--view none.json", "none.json"),
        ("--boards x", "--boards"),
        ("--wrong", "--wrong"),
    ];
    wrong("python-guide", &all);
    let all = [&all[..], &[("--rules none", "none"), ("none", "there is no file none")]].concat();
    wrong("python", &all);
    let all = [
        &all[..],
        &[
            ("no-bot.js", "no-bot.js exports no class Bot"),
            ("--view view.json", "view.json is not a recorded call"),
            ("--boards", "--boards <value>"),
        ],
    ]
    .concat();
    wrong("javascript", &all);
}

#[test]
fn practice_asks_for_a_fleet_only_under_rules_by_which_the_arena_does() {
    let python = "from bot import Bot\n\nclass Bot(Bot):\n    def deploy(self, game):\n        raise ValueError('asked')\n";
    let javascript = "import { Bot as Mine } from './bot.js';\nexport class Bot extends Mine {\n  deploy() {\n    throw new Error('asked');\n  }\n}\n";
    for (language, file, source) in [("python", "other.py", python), ("javascript", "other.js", javascript)] {
        let place = Place::empty();
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        place.write(&format!("{language}/{file}"), source);
        let run = |rules| practice(&place, language, &format!("--rules {rules} --boards 3 {file}"));
        let Some(drawn) = run("pirates") else { continue };
        let text = drawn.expect_code(0).stdout;
        assert!(text.contains("0.00 ± 0.00 against"), "{language}: {text}");
        let placed = run("classic").expect("its tools are there").expect_code(1);
        assert!(placed.stderr.contains("Error: asked"), "{language}: {}", placed.stderr);
    }
}

#[test]
fn practice_tells_the_mean_with_its_error_in_python_and_javascript() {
    let place = Place::empty();
    for language in ["python", "python-guide", "javascript"] {
        place.arena(&format!("new {language} --lang {language}")).expect_code(0);
        let Some(run) = practice(&place, language, "--boards 20 --seed 2") else { continue };
        let text = run.expect_code(0).stdout;
        let (mean, rest) = text.split_once(" ± ").expect("there is an error");
        let error = rest.strip_suffix(" shots a board over 20 boards\n").expect("the figures are named");
        let [mean, error] = [mean, error].map(|number| number.parse::<f64>().unwrap());
        assert!((55.0..85.0).contains(&mean) && (0.3..8.0).contains(&error), "{language}: {text}");
    }
}
