//! Messages about wrong input: a table of command lines, and laws that all messages obey.

use crate::support::{Place, Run, command};
use rusqlite::Connection;
use std::fmt::Write;
use std::net::TcpListener;
use std::{env, fs};

/// The wrong command lines.
const COMMANDS: &str = include_str!("messages.txt");

/// Phrases of libraries that do not help a user, and signs of a value printed for a developer.
const RAW: [&str; 18] = [
    "panicked",
    "{",
    "Some(",
    "None",
    "Err(",
    "Done(",
    "os error",
    "error:",
    "invalid digit",
    "number too",
    "target type",
    "parse integer",
    "float literal",
    "not in 1..",
    "as a value, use",
    "unexpected argument",
    "were not provided",
    "For more information",
];

/// A folder with each of the files that the commands name.
fn place() -> Place {
    let place = Place::with_specimens(&["sweeper", "repeats", "always-skips"]);
    place.write("sub-sitter.wasm", arena_testkit::submarine_zoo("sub-sitter"));
    for folder in ["folder", "bots"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("bots/sweeper.wasm", arena_testkit::zoo("sweeper"));
    place.write("empty.wasm", "");
    place.write("module.wasm", b"\0asm\x01\0\0\0");

    place.write("wrong-switch.toml", "width = 6\nheigth = 8\n");
    place.write("wrong-value.toml", "width = 300\n");
    place.write("wrong-word.toml", "skip = \"maybe\"\n");
    place.write("wrong-type.toml", "\nmay-touch = 1\n");
    place.write("wrong-like.toml", "like = \"chess\"\n");
    place.write("tight.toml", "width = 5\nheight = 5\nfleet = [4, 4, 4, 4]\n");

    place
        .arena(
            "run sweeper.wasm repeats.wasm --games 2 --seed 1 --no-keep-bots --journal a.db --transcripts t",
        )
        .expect_code(0);
    let game = fs::read_to_string(place.path("t/1-sweeper-vs-repeats.jsonl")).unwrap();
    let lines: Vec<&str> = game.lines().collect();
    place.write("game.jsonl", &game);
    place.write("empty.jsonl", "");
    place.write("text.jsonl", "this is a text\n");
    place.write("cut.jsonl", format!("{}\n{}", lines[0], &lines[1][..40]));
    place.write("unended.jsonl", lines[..lines.len() - 1].join("\n") + "\n");
    place.write("changed.jsonl", &game);
    // Line 4 is the first shot.
    place.alter("changed.jsonl", 4, |shot| shot["effect"] = "sunk".into());
    place.write("later.jsonl", &game);
    place.alter("later.jsonl", 1, |header| header["arena-transcript"] = "9.0".into());

    let journal = fs::read(place.path("a.db")).unwrap();
    place.write("empty.db", "");
    place.write("locked.db", &journal);
    place.write("short.db", &journal[..journal.len() / 2]);
    let mut damaged = journal;
    // The first page, of 4,096 bytes, says which tables there are.
    damaged[4_096..20_000].fill(0xaa);
    place.write("damaged.db", damaged);
    place
}

#[test]
fn every_message_about_wrong_input_says_what_and_where_and_what_to_do_next() {
    let place = place();
    let locked = Connection::open(place.path("locked.db")).unwrap();
    locked.execute_batch("BEGIN IMMEDIATE").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();

    let commands = COMMANDS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut table, mut complaints) = (String::new(), Vec::new());
    for line in commands.clone() {
        let word = |word: &str| match word {
            "''" => String::new(),
            "PORT" => port.clone(),
            word => word.to_owned(),
        };
        let args: Vec<String> = line.split_whitespace().map(word).collect();
        let run = Run::of(&mut command(place.folder(), &args));
        let code = run.code;
        let run = run.expect_code(code);
        let told = &run.stderr;
        complaints.extend(complaint(&run, told).map(|what| format!("arena {line}: {what}:\n{told}")));
        writeln!(table, "$ arena {line}\n{told}[{code}]\n").unwrap();
    }
    // As a whole number only: its digits may be a part of a longer one.
    let number = format!(r"\b{port}\b");
    insta::with_settings!({snapshot_path => "../snapshots", omit_expression => true, filters => vec![(&*number, "PORT")]}, {
        insta::assert_snapshot!("messages", table);
    });
    assert!(commands.count() >= 100);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The law of messages that a message breaks.
fn complaint(run: &Run, told: &str) -> Option<String> {
    let folder = env::temp_dir();
    let is_ours = told.lines().any(|line| line.starts_with("arena: "));
    let raw = || RAW.iter().find(|raw| told.contains(**raw));
    let complaints = [
        (run.code == 0).then(|| "it succeeds".into()),
        (!run.stdout.is_empty()).then(|| "results are printed".into()),
        (!told.contains("\n  next: ")).then(|| "it does not say what to do next".into()),
        (!is_ours).then(|| "it has no line of ours".into()),
        raw().map(|raw| format!("`{raw}` is a raw word")),
        told.contains(&*folder.to_string_lossy()).then(|| "it has a path of this machine".into()),
    ];
    complaints.into_iter().flatten().next()
}
