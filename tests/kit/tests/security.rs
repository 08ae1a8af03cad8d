//! The tests that SECURITY.md names are there.

use std::fs;
use std::path::{Path, PathBuf};

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

#[test]
fn each_test_of_a_limit_that_security_md_names_is_there() {
    let page = include_str!("../../../SECURITY.md");
    let (_, tests) = page.split_once("### The tests of the limits").expect("the page has them");
    let (tests, _) = tests.split_once("\n## ").expect("they are not the last part");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let code = ["host", "tests"].map(|folder| rust_in(root.join(folder))).concat();
    // Every other part is between the signs of code.
    let names: Vec<&str> = tests.split('`').skip(1).step_by(2).filter(|it| it.contains('_')).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(code.contains(&format!("fn {name}(")), "no test is named {name}");
    }
}
