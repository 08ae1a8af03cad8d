//! Text from outside: for any content of a journal, a rules file, a file's name or an argument, only plain text is printed, in
//! the order in which it is meant to be read.

use crate::chain::{chain_again, drop_triggers};
use crate::support::{Place, Run, command};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::sync::OnceLock;

/// The longest line that is printed about a short file, in characters. Chosen: some lines of a terminal.
const LINE_CHARS_MAX: usize = 600;

/// The hostile texts, by what is hostile in them.
fn texts() -> Vec<(String, String)> {
    let texts: Value = serde_json::from_str(include_str!("outside.json")).unwrap();
    let entry = |(name, text): (&String, &Value)| (name.clone(), text.as_str().unwrap().to_owned());
    texts.as_object().unwrap().iter().map(entry).collect()
}

/// A text as a part of a file's name.
fn file_name(text: &str) -> String {
    text.replace(['/', '\0'], "_")
}

fn run(place: &Place, args: &[&str]) -> Run {
    let run = Run::of(&mut command(place.folder(), args));
    for text in [&run.stdout, &run.stderr] {
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= LINE_CHARS_MAX, "{args:?}: a line of {longest} characters");
    }
    let code = run.code;
    // It checks the output too.
    run.expect_code(code)
}

/// A journal of a match in which one bot faults, with its statements changed.
fn place_with_journal(statements: &str, text: &str) -> Place {
    /// The journal before the change, which is the same each time.
    static JOURNAL: OnceLock<Vec<u8>> = OnceLock::new();
    let place = Place::with_specimens(&["sweeper", "traps-in-post-return"]);
    let journal = JOURNAL.get_or_init(|| {
        let bots = ["sweeper.wasm", "traps-in-post-return.wasm"];
        run(&place, &["run", bots[0], bots[1], "--games", "2", "--journal", "a.db"]);
        fs::read(place.path("a.db")).expect("it was played")
    });
    place.write("a.db", journal);
    let journal = Connection::open(place.path("a.db")).unwrap();
    drop_triggers(&journal);
    for statement in statements.lines() {
        let quoted = Value::from(text).to_string();
        let changed = journal.execute(statement, (text, &quoted)).unwrap();
        assert!(changed > 0, "{statement}");
    }
    chain_again(&journal);
    place
}

/// Reads the changed journal in each way, and returns what standings printed.
fn read_in_each_way(place: &Place) -> [Run; 3] {
    let bots = ["sweeper.wasm", "traps-in-post-return.wasm"];
    let standings = ["table", "json", "csv"].map(|form| run(place, &["standings", "a.db", "-o", form]));
    for form in ["table", "csv", "jsonl"] {
        for options in [&[][..], &["--faults"], &["--upsets"], &["--bot", "no such bot"]] {
            let listed = run(place, &[&["games", "a.db", "-o", form], options].concat());
            let is_formula = |cell: &str| cell.trim_start_matches('"').starts_with(['=', '+', '-', '@']);
            assert!(form != "csv" || !listed.stdout.split(',').any(is_formula), "{}", listed.stdout);
        }
    }
    run(place, &["verify", "--journal", "a.db", bots[0], bots[1]]);
    run(place, &["replay", "--journal", "a.db", "1", "--headless"]);
    run(place, &["run", bots[1], bots[0], "--games", "2", "--journal", "a.db", "--resume"]);
    // It adds settings that can be read.
    run(place, &["run", bots[0], bots[1], "--games", "2", "--journal", "a.db", "--resume"]);
    standings
}

#[test]
fn a_hostile_journal_prints_plain_text() {
    // The second parameter is the text as JSON.
    // Two bots of one label would be refused.
    let statements = "UPDATE bot SET label = CASE number WHEN 0 THEN ?1 ELSE number || ?1 END, name = ?1 WHERE ?2 != ''\n\
                      UPDATE entrant SET label = CASE bot WHEN 0 THEN ?1 ELSE bot || ?1 END WHERE ?2 != ''\n\
                      UPDATE conditions SET rules = json_set(rules, '$.name', ?1) WHERE ?2 != ''\n\
                      UPDATE game SET faults = json_set(faults, '$[0].detail', ?1) WHERE faults != '[]' AND ?2 != ''";
    for (name, text) in texts() {
        let place = place_with_journal(statements, &text);
        let [table, json, csv] = read_in_each_way(&place);
        assert!(table.stdout.contains("2 games under the `"), "{name}: {}", table.stdout);
        assert_eq!(json.json()["complete"], true, "{name}");
        assert!(json.stdout.is_ascii() || !json.stdout.chars().any(|c| ('\u{590}'..'\u{900}').contains(&c)));
        let cells = csv.stdout.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
        for cell in cells {
            assert!(!cell.trim_start_matches('"').starts_with(['=', '+', '-', '@']), "{name}: {cell}");
        }
    }
}

#[test]
fn a_damaged_journal_is_reported_in_plain_text() {
    for column in [
        "conditions SET seed",
        "conditions SET rules",
        "stage SET settings",
        "game SET outcome",
        "game SET faults",
    ] {
        for (name, text) in texts() {
            let place = place_with_journal(&format!("UPDATE {column} = ?1 WHERE ?2 != ''"), &text);
            let [table, ..] = read_in_each_way(&place);
            assert!(
                table.stderr.contains("is damaged") && table.code == 2,
                "{name}, {column}: {}",
                table.stderr
            );
            let steps = table.stderr.lines().filter(|line| line.starts_with("  next: ")).count();
            assert_eq!(steps, 1, "{name}, {column}: {}", table.stderr);
        }
    }
}

#[test]
fn a_hostile_rules_file_prints_plain_text() {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    let long = ("long".to_owned(), "x".repeat(60_000));
    for (name, text) in texts().into_iter().chain([long]) {
        let escaped = |c: char| {
            if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\U{:08x}", u32::from(c)) }
        };
        let quoted: String = text.chars().map(escaped).collect();
        place.write("r.toml", format!("name = \"{quoted}\""));
        let played = run(
            &place,
            &["run", "sweeper.wasm", "repeats-once-then-valid.wasm", "--rules", "r.toml", "--games", "2"],
        );
        assert!(played.stdout.contains("2 games under the `"), "{name}: {}", played.stdout);
        run(&place, &["rules", "show", "r.toml"]);
        for wrong in
            [format!("like = \"{quoted}\""), format!("\"{quoted}\" = 1"), format!("skip = \"{quoted}\"")]
        {
            place.write("r.toml", wrong);
            assert_eq!(run(&place, &["rules", "show", "r.toml"]).code, 2, "{name}");
        }
    }
}

#[test]
fn a_hostile_file_name_or_argument_is_repeated_in_plain_text() {
    let place = Place::with_specimens(&["sweeper"]);
    for (name, text) in texts() {
        let file = format!("./{}.wasm", file_name(&text));
        run(&place, &["check", &file]);
        fs::copy(place.path("sweeper.wasm"), place.path(&file)).unwrap();
        assert!(run(&place, &["check", &file]).stdout.contains("ready to play"), "{name}");
        let csv = run(&place, &["run", "sweeper.wasm", &file, "--games", "2", "-o", "csv"]).stdout;
        assert!(
            csv.lines().skip(1).all(|line| !line.split(',').nth(1).unwrap().starts_with(['=', '-', '@'])),
            "{csv}"
        );
        for args in [
            vec!["run", "sweeper.wasm", &file, "--games", &text],
            vec!["run", "sweeper.wasm", &file, "--rules", &text],
            vec!["run", "sweeper.wasm", &file, "--format", &text],
            vec![&text],
            vec!["check", "sweeper.wasm", &text],
        ] {
            let refused = run(&place, &args);
            assert!(refused.code == 2 && !refused.stderr.is_empty(), "{name}: {args:?}");
            let forged = |line: &str| line.starts_with("verified") || line.starts_with("  next: rm");
            assert!(!refused.stderr.lines().any(forged), "{}", refused.stderr);
        }
    }
}

#[test]
fn a_label_in_hebrew_leaves_the_score_next_to_it_in_order() {
    let place = Place::with_specimens(&["sweeper"]);
    fs::copy(place.path("sweeper.wasm"), place.path("אבג דה.wasm")).unwrap();
    let args = |form| ["run", "sweeper.wasm", "אבג דה.wasm", "--games", "2", "-o", form];
    let table = run(&place, &args("table")).stdout;
    let isolated = "\u{2068}אבג דה\u{2069}";
    assert!(table.lines().any(|line| line.contains(&format!("sweeper  1 - 0  {isolated}"))), "{table}");
    let csv = run(&place, &args("csv")).stdout;
    assert!(csv.contains(",אבג דה,"), "{csv}");
    let json = run(&place, &args("json"));
    assert!(json.stdout.contains(r"\u05d0\u05d1\u05d2 \u05d3\u05d4"), "{}", json.stdout);
    assert_eq!(json.json()["bots"][1]["label"], "אבג דה");
}
