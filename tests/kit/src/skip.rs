//! Tests that need a program which is not on every machine.
//!
//! `cargo xtask test` names a file in `ARENA_SKIPPED`, to which each skipped test is added, and ends with their number. Where the
//! program is there, or has to be, it sets `ARENA_NO_SKIP`: a test that would be skipped fails.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::{env, thread};

/// Notes that the test of this thread is skipped, and how to get what it needs.
///
/// # Panics
/// If no test may be skipped.
pub fn note(reason: &str, install: &str) {
    let thread = thread::current();
    let file = env::var_os("ARENA_SKIPPED");
    let is_forbidden = env::var_os("ARENA_NO_SKIP").is_some();
    note_in(file.as_ref().map(Path::new), is_forbidden, thread.name().unwrap_or("a test"), reason, install);
}

fn note_in(file: Option<&Path>, is_forbidden: bool, test: &str, reason: &str, install: &str) {
    assert!(!is_forbidden, "{reason}, and no test may be skipped: {install}");
    eprintln!("skipped: {reason}. {install}");
    if let Some(file) = file {
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("the file can be made");
        // In one piece, since tests run beside each other.
        file.write_all(format!("{test}\t{install}\n").as_bytes()).expect("the file can be written");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn each_skipped_test_is_a_line_of_the_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("skipped");
        for test in ["one", "another"] {
            note_in(Some(&file), false, test, "there is no server", "get one");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\tget one\nanother\tget one\n");
    }

    #[test]
    #[should_panic = "there is no server, and no test may be skipped: get one"]
    fn a_test_that_must_not_be_skipped_fails() {
        note_in(None, true, "one", "there is no server", "get one");
    }
}
