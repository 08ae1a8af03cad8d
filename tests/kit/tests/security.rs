//! The tests that SECURITY.md names are there.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../SECURITY.md");

/// The text of all Rust files in a folder.
fn rust_in(folder: PathBuf) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            text += &rust_in(path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(path).expect("the file can be read");
        }
    }
    text
}

/// The rows of the tables of a page or a part of it.
fn rows(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"))
}

#[test]
fn each_test_that_a_table_of_security_md_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let code = ["host", "tests"].map(|folder| rust_in(root.join(folder))).concat();
    // Every other part of a row is between the signs of code. Names of tests have several words in lower case.
    let in_code = rows(PAGE).flat_map(|row| row.split('`').skip(1).step_by(2));
    let is_test =
        |name: &&str| name.contains('_') && name.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric());
    let names: Vec<&str> = in_code.filter(is_test).filter(|name| *name != "RLIMIT_NPROC").collect();
    assert!(names.len() > 80, "{names:?}");
    for name in names {
        assert!(code.contains(&format!("fn {name}(")), "no test is named {name}");
    }
}

#[test]
fn each_promise_of_security_md_has_a_row_with_its_tests() {
    let (_, section) = PAGE.split_once("## What is promised\n").expect("the page has promises");
    let (section, _) = section.split_once("\n## ").expect("they are not the last part");
    let promises = section.lines().filter(|line| line.starts_with("- **")).count();
    let tested = rows(section).skip(1).filter(|row| row.contains('`')).count();
    assert!(promises >= 7, "{section}");
    assert_eq!(tested, promises, "{section}");
}
