//! The usual mistakes of authors, and what `arena check` prints for each of them. The cases are data, in `mistakes.txt`.

use crate::support::Place;
use std::fs;
use std::io::Write;

/// The fuel of a turn. Chosen: more than bots without a loop need, and so little that a bot that loops uses it up quickly.
const FUEL: u32 = 2_000_000;

/// The cases.
const CASES: &str = include_str!("mistakes.txt");

/// The smallest number of cases. Chosen: 25 mistakes were collected from authors; some are here in several languages.
const CASES_MIN: usize = 25;

/// A case of the file.
struct Case {
    mistake: &'static str,
    /// The line that says how the bot is made.
    how: &'static str,
    text: &'static str,
    expected: Vec<&'static str>,
}

impl Case {
    fn parse(text: &'static str) -> Self {
        let (mistake, rest) = text.split_once('\n').expect("a case has a name");
        let (how, rest) = rest.split_once('\n').expect("a case has a way to make its bot");
        let (text, expected) = rest.split_once("--- told\n").expect("a case has expected output");
        // `cargo xtask languages` makes the changes of templates.
        let (text, _) = text.split_once("--- changed ").unwrap_or((text, ""));
        Self { mistake, how, text, expected: expected.lines().filter(|line| !line.is_empty()).collect() }
    }

    /// Writes the file or folder that the author passes as a bot, and returns its name.
    fn make(&self, place: &Place) -> &'static str {
        let component = |text: &str| arena_testkit::component(text).expect("it can be made");
        let (way, rest) = self.how.split_once(' ').unwrap_or((self.how, ""));
        match way {
            "zoo" => place.write("bot.wasm", arena_testkit::zoo(rest)),
            "file" => {
                place.write(rest, self.text);
                return rest;
            }
            "zip" => place.write("bot.wasm", zip()),
            "module" => {
                place.write("bot.wasm", arena_testkit::core_module(self.text).expect("it is a module"))
            }
            "wat" => place.write("bot.wasm", component(self.text)),
            "traps" => place.write("bot.wasm", component(&prints("stderr", self.text, 1, "(unreachable)"))),
            "follows" => place.write("bot.wasm", component(&follows(self.text, rest))),
            "loops" => {
                place.write(
                    "bot.wasm",
                    component(&prints("stderr", self.text, 1, "(loop $again (br $again))")),
                );
            }
            "prints" => {
                let count = rest.parse().expect("it is a number");
                place.write("bot.wasm", component(&prints("stdout", self.text, count, "")));
            }
            "folder" => {
                fs::create_dir(place.path("bot")).expect("it can be made");
                return "bot";
            }
            other => panic!("`{other}` is not a way to make a bot"),
        }
        "bot.wasm"
    }
}

/// A bot that prints a text `count` times in its first turn, and then runs the code `end`.
fn prints(stream: &str, text: &str, count: u32, end: &str) -> String {
    let data: String = text.bytes().map(|byte| format!("\\{byte:02x}")).collect();
    format!(
        r#"
        (import "wasi:cli/{stream}@0.2.12" "get-{stream}" (func $stream (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
            (func $write (param i32 i32 i32 i32)))
        (data $text (i32.const 8192) "{data}")
        (global $is-first (mut i32) (i32.const 1))
        (func $play (param $args i32) (result i32)
            (local $left i32) (local $out i32)
            (if (global.get $is-first) (then
                (local.set $out (call $stream))
                (local.set $left (i32.const {count}))
                (loop $more
                    (call $write (local.get $out) (i32.const 8192) (i32.const {length}) (i32.const 16))
                    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                    (br_if $more (local.get $left)))))
            (global.set $is-first (i32.const 0))
            {end}
            (call $sweep (local.get $args)))"#,
        length = text.len(),
    )
}

/// A bot that prints the first part of a text if its standard input is not empty, prints the second part in any game, and fails in this
/// way.
fn follows(text: &str, way: &str) -> String {
    let (asked, always) = text.split_once("--- always\n").unwrap_or((text, ""));
    let data: String = [asked, always].concat().bytes().map(|byte| format!("\\{byte:02x}")).collect();
    let fails = match way {
        "loops" => "(loop $again (br $again))",
        "recurses" => "(drop (call $deeper))",
        "grows" => "(loop $again (drop (memory.grow (i32.const 16))) (br $again))",
        "traps" => "",
        other => panic!("`{other}` is not a way to fail"),
    };
    format!(
        r#"
        (import "wasi:cli/stdin@0.2.12" "get-stdin" (func $stdin (result i32)))
        (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]input-stream.blocking-read" (func $read (param i32 i64 i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
            (func $write (param i32 i32 i32 i32)))
        (data $text (i32.const 8192) "{data}")
        (func $deeper (result i32) (i32.add (call $deeper) (i32.const 1)))
        (func $play (param $args i32) (result i32)
            (call $read (call $stdin) (i64.const 6) (i32.const 16))
            ;; The result is a list, and not the error of a stream at its end.
            (if (i32.eqz (i32.load8_u (i32.const 16)))
                (then (call $write (call $stderr) (i32.const 8192) (i32.const {asked}) (i32.const 32))))
            (call $write (call $stderr) (i32.const {begin}) (i32.const {always}) (i32.const 32))
            {fails}
            (unreachable))"#,
        asked = asked.len(),
        begin = 8192 + asked.len(),
        always = always.len(),
    )
}

/// The beginning of an archive with one file, which is empty.
fn zip() -> Vec<u8> {
    let mut zip = Vec::new();
    // A local header: its signature, the version, and 24 bytes of zeroes and lengths. The length of the name is 8.
    zip.write_all(b"PK\x03\x04\x14\0").expect("a vector takes it");
    zip.extend([0; 20]);
    zip.extend([8, 0, 0, 0]);
    zip.extend(b"bot.wasm");
    zip
}

#[test]
fn each_usual_mistake_is_explained() {
    let cases = CASES.split("\n=== ").skip(1).map(Case::parse);
    // `cargo xtask languages` makes those that cannot be built.
    let cases: Vec<Case> = cases.filter(|case| case.how != "build").collect();
    assert!(cases.len() >= CASES_MIN);
    let mut missing = Vec::new();
    for case in &cases {
        let place = Place::empty();
        let bot = case.make(&place);
        let run = place.arena(&format!("check {bot} --quick --rules guide --fuel {FUEL}"));
        let output = format!("{}{}", run.stdout, run.stderr);
        assert!(!case.expected.is_empty(), "{}", case.mistake);
        for part in &case.expected {
            if !output.contains(part) {
                missing.push(format!("{}: `{part}` is not in:\n{output}", case.mistake));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_fault_whose_line_is_found_in_one_game_is_shown_once_for_all_games() {
    let text = "in a loop, or in a long search\n    at play (/bot.js:28)\n--- always\n\"no cell left\"\n\
                Redirecting call to abort() to mozalloc_abort\n";
    for (way, detail) in [
        ("traps", "trap: threw \"no cell left\" (bot.js:28 in play), it loses"),
        ("recurses", "stack-overflow: call stack exhausted (bot.js:28 in play), it loses"),
        ("grows", "the cap is 67108864 (bot.js:28 in play), it loses"),
    ] {
        let place = Place::empty();
        place.write("bot.wasm", arena_testkit::component(&follows(text, way)).expect("it can be made"));
        let told = place.arena(&format!("check bot.wasm --rules guide --fuel {FUEL}")).stdout;
        assert!(told.contains(detail), "{told}");
        assert_eq!(told.matches("\nfault ").count(), 1, "{told}");
        assert!(
            told.contains("at guide, seat 1, turn 1") && told.contains("at guide, seat 2, turn 1"),
            "{told}"
        );
    }
}
