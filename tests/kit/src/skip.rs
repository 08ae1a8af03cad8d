//! Tests that need a program which is not on every machine.
//!
//! `cargo xtask test` names a file in `ARENA_SKIPPED`, to which each skipped test is added, and ends with their number. Where the
//! program is there, or has to be, it sets `ARENA_NO_SKIP`: a test that would be skipped fails.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, thread};

/// The folder of Debian's services. It is on the path of root only.
const SYSTEM_FOLDER: &str = "/usr/sbin";

/// The path of a program that Debian has in a package of the same name. Where it is missing, it returns `None`, and the test of this
/// thread is noted as skipped.
///
/// # Panics
/// If it is missing where no test may be skipped.
pub fn program_or_skip(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain([PathBuf::from(SYSTEM_FOLDER)]);
    let found = folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()));
    if found.is_none() {
        let thread = thread::current();
        let file = env::var_os("ARENA_SKIPPED");
        let is_forbidden = env::var_os("ARENA_NO_SKIP").is_some();
        note(file.as_ref().map(Path::new), is_forbidden, thread.name().unwrap_or("a test"), name);
    }
    found
}

fn note(file: Option<&Path>, is_forbidden: bool, test: &str, program: &str) {
    let install = format!("apt-get install --no-install-recommends {program}");
    assert!(!is_forbidden, "there is no {program}, and no test may be skipped: {install}");
    eprintln!("skipped: there is no {program}. {install}");
    if let Some(file) = file {
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("the file can be made");
        // In one piece, since tests run at the same time.
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
            note(Some(&file), false, test, "server");
        }
        let lines = ["one", "another"]
            .map(|test| format!("{test}\tapt-get install --no-install-recommends server\n"));
        assert_eq!(fs::read_to_string(&file).unwrap(), lines.concat());
    }

    #[test]
    #[should_panic = "there is no server, and no test may be skipped: apt-get install"]
    fn a_test_that_must_not_be_skipped_fails() {
        note(None, true, "one", "server");
    }

    #[test]
    fn a_program_that_is_here_is_no_reason_to_skip() {
        assert!(program_or_skip("sh").is_some_and(|program| program.is_absolute()));
    }
}
