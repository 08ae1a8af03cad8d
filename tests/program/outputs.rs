//! The output for programs: each document that a command prints has the fields of the guide's page about it, with their types, and no others.

use crate::support::Place;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The fields of the page: for each heading the rows of its table.
struct Page(BTreeMap<String, Vec<Field>>);

struct Field {
    name: String,
    form: String,
    is_optional: bool,
}

impl Page {
    fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/src/machine-output.md");
        let text = fs::read_to_string(path).expect("there is a page");
        let mut page = BTreeMap::<_, Vec<Field>>::new();
        let mut heading = String::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                heading = title.replace('`', "");
            } else if let Some(row) = line.strip_prefix("| `") {
                let [name, form, meaning] = row.splitn(3, " | ").collect::<Vec<_>>()[..] else {
                    panic!("{heading}: {row}");
                };
                page.entry(heading.clone()).or_default().push(Field {
                    name: name.trim_end_matches('`').to_owned(),
                    form: form.to_owned(),
                    is_optional: meaning.starts_with("Only"),
                });
            }
        }
        Self(page)
    }

    /// The fields that are wrong in a document with the form of a heading. Those that it has are noted in `seen`.
    fn check(&self, heading: &str, document: &Value, seen: &mut BTreeSet<String>) -> Vec<String> {
        let Some(object) = document.as_object() else { return vec![format!("{heading}: {document}")] };
        let fields = self.0.get(heading).map_or(&[][..], Vec::as_slice);
        let mut wrong: Vec<String> = fields
            .iter()
            .filter(|field| !field.is_optional && !object.contains_key(&field.name))
            .map(|field| format!("{heading}: there is no {}", field.name))
            .collect();
        for (name, value) in object {
            let place = format!("{heading}: {name}");
            match fields.iter().find(|field| field.name == *name) {
                None => wrong.push(format!("{place} is not in the page: {value}")),
                Some(field) => wrong.extend(self.check_value(&place, &field.form, value, seen)),
            }
            seen.insert(place);
        }
        wrong
    }

    fn check_value(
        &self,
        place: &str,
        form: &str,
        value: &Value,
        seen: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let or_null = form.strip_suffix(" or null");
        if or_null.is_some() && value.is_null() {
            return Vec::new();
        }
        // The entries of a list may be null, too, if its form says so.
        if let (Some(form), Some(values)) = (form.strip_prefix("list of "), value.as_array()) {
            return values.iter().flat_map(|value| self.check_value(place, form, value, seen)).collect();
        }
        let form = or_null.unwrap_or(form);
        if let Some((heading, _)) = form.strip_prefix('[').and_then(|link| link.split_once(']')) {
            return self.check(heading, value, seen);
        }
        let is_right = match form {
            "text" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            _ => false,
        };
        if is_right { Vec::new() } else { vec![format!("{place} is no {form}: {value}")] }
    }
}

/// A season of house bots and specimens with faults, with a journal and transcripts, and other runs.
fn place() -> Place {
    let place = Place::with_house_bots();
    for name in ["traps-on-third-play", "always-skips", "exports-nothing"] {
        place.write(&format!("{name}.wasm"), arena_testkit::zoo(name));
    }
    // What it prints first is a line that would draw on a board.
    let text = arena_testkit::zoo_text("log-escapes");
    let drawing = |line: &str| match line.starts_with("(data (i32.const 2048)") {
        true => "(data (i32.const 2048) \"@mark off-board 1\\0a\")\n".to_owned(),
        false => format!("{line}\n"),
    };
    let text: String = text.lines().map(drawing).collect();
    place.write("draws-wrong.wasm", arena_testkit::component(&text).expect("it is a bot"));
    place
}

/// The documents of commands, with the heading of each in the page.
fn documents(place: &Place) -> Vec<(&'static str, Value)> {
    const RUN: &str = "arena run and arena standings";
    let mut documents = Vec::new();
    let mut add = |heading, args: &str| {
        let run = place.arena(args);
        if args.ends_with("jsonl") {
            let lines =
                run.stdout.lines().map(|line| serde_json::from_str(line).expect("a document in each line"));
            documents.extend(lines.map(|line| (heading, line)));
        } else {
            match run.json() {
                Value::Array(items) => documents.extend(items.into_iter().map(|item| (heading, item))),
                document => documents.push((heading, document)),
            }
        }
    };
    let bots = "hunter.wasm sweeper.wasm traps-on-third-play.wasm";
    add(
        RUN,
        &format!(
            "run {bots} always-skips.wasm exports-nothing.wasm --games 4 --max-faults 2 --journal a.db --transcripts games --seed 5 -o json"
        ),
    );
    add(
        RUN,
        "run hunter.wasm random.wasm sweeper.wasm --format knockout --games 2 --seed secret --journal b.db -o json",
    );
    add(
        RUN,
        "run hunter.wasm random.wasm sweeper.wasm --format swiss --games 2 --beacon 7 --journal c.db -o json",
    );
    for journal in ["a.db", "b.db", "c.db"] {
        add(RUN, &format!("standings {journal} -o json"));
        add("game", &format!("games {journal} -o jsonl"));
        add("arena journal info", &format!("journal info {journal} -o json"));
        add("arena journal history", &format!("journal history {journal} -o json"));
        add("arena verify", &format!("verify --journal {journal} -o json"));
    }
    add("arena verify", "verify games/01-hunter-vs-sweeper.jsonl hunter.wasm random.wasm -o json");
    for bot in ["hunter.wasm", "traps-on-third-play.wasm", "exports-nothing.wasm", "draws-wrong.wasm"] {
        add("arena check", &format!("check {bot} -o json"));
    }
    add("arena rerun", "rerun games/01-hunter-vs-sweeper.jsonl random.wasm --seat 1 -o json");
    add("arena sprt", "sprt hunter.wasm random.wasm --seed 5 -o json");
    add("arena sprt", "sprt traps-on-third-play.wasm random.wasm --max-pairs 20 --seed 5 -o json");
    add("arena bench", "bench hunter.wasm traps-on-third-play.wasm --boards 5 --seed 5 -o json");
    add("arena bench -o jsonl", "bench hunter.wasm traps-on-third-play.wasm --boards 5 --seed 5 -o jsonl");
    add("arena profile", "profile hunter.wasm -o json");
    add("arena cache show", "cache show -o json");
    documents
}

#[test]
fn every_field_of_every_document_is_in_the_guide() {
    let page = Page::read();
    let mut seen = BTreeSet::new();
    let wrong: Vec<String> = documents(&place())
        .iter()
        .flat_map(|(heading, document)| page.check(heading, document, &mut seen))
        .collect();
    let wrong: BTreeSet<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    let unseen: Vec<String> = page
        .0
        .iter()
        .flat_map(|(heading, fields)| fields.iter().map(move |field| format!("{heading}: {}", field.name)))
        .filter(|field| !seen.contains(field))
        .collect();
    assert!(unseen.is_empty(), "no document has these: {unseen:#?}");
}
