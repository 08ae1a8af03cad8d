//! The tables that are made of results: those of a sample, and their places in `BENCHMARKS.md`.

use arena_benches::document::with_tables;
use arena_benches::machine::Machine;
use arena_benches::results::Results;
use arena_benches::tables::{self, Table};
use std::fs;
use std::path::Path;

/// A file of this crate, or next to it.
fn file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string()
}

/// The tables of the sample, on a machine that does not exist.
fn sample() -> Vec<Table> {
    let results = Results::read(Path::new(&file("tests/data/results"))).expect("the sample is complete");
    let machine = Machine {
        processor: "Example 9000".into(),
        cores: 2,
        kernel: "Linux 6.1.0".into(),
        rustc: "rustc 1.95.0".into(),
        wasmtime: "48.0.8".into(),
    };
    tables::all(&results, &machine).expect("the sample has all figures")
}

#[test]
fn a_sample_of_results_gives_these_tables() {
    let text: Vec<String> =
        sample().iter().map(|table| format!("{}\n{}", table.name, table.markdown())).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn a_document_gets_its_tables_and_keeps_its_text() {
    let [machine, ..] = &sample()[..] else { panic!("there are tables") };
    let document = "Before.\n<!-- table machine -->\nold\n<!-- end of machine -->\nAfter.\n";
    let written = with_tables(document, std::slice::from_ref(machine)).unwrap();
    let expected =
        format!("Before.\n<!-- table machine -->\n{}<!-- end of machine -->\nAfter.\n", machine.markdown());
    assert_eq!(written, expected);
    assert_eq!(with_tables(&written, std::slice::from_ref(machine)).unwrap(), expected);
}

#[test]
fn a_document_without_a_place_for_a_table_is_refused() {
    let error = with_tables("No places.\n", &sample()).unwrap_err().to_string();
    assert_eq!(error, "the document has no place for the table `machine`");
}

#[test]
fn benchmarks_md_has_a_place_for_each_table_and_no_other() {
    let document = fs::read_to_string(file("../BENCHMARKS.md")).unwrap();
    let tables = sample();
    with_tables(&document, &tables).unwrap();
    assert_eq!(document.matches("<!-- table ").count(), tables.len());
}

#[test]
fn results_that_are_missing_are_named() {
    let error = Results::read(Path::new(&file("src"))).unwrap_err().to_string();
    assert!(error.ends_with("has no results of benchmarks. Run `cargo xtask bench`"), "{error}");
    let error = Results::default().get("step/load/cold").unwrap_err().to_string();
    assert_eq!(error, "`step/load/cold` was not measured. Run `cargo xtask bench` without other arguments");
}
