//! `arena check --sandbox`: the measures that confine the compiler, where the kernel has them and where it does not.

use crate::support::{Place, Run, refusing};

/// The measures that need Landlock.
const OF_LANDLOCK: [&str; 3] = ["landlock-files", "landlock-network", "landlock-scopes"];

/// Runs something that starts programs as on a kernel without Landlock: its first system call does not exist.
fn without_landlock<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    refusing(libc::SYS_landlock_create_ruleset, libc::ENOSYS, run)
}

/// The measures that are missing by a report of `arena check --sandbox -o json`.
fn missing(run: &Run) -> Vec<String> {
    let document = run.json();
    let measures = document["compiler"].as_array().expect("a list").iter();
    let missing = measures.filter(|measure| measure["enforced"] == false).map(|measure| {
        assert!(measure["why"].as_str().is_some_and(|why| !why.is_empty()), "{measure}");
        assert!(measure["next"].as_str().is_some_and(|next| !next.is_empty()), "{measure}");
        measure["measure"].as_str().expect("a name").to_owned()
    });
    missing.collect()
}

#[test]
fn the_report_and_the_exit_code_say_what_this_kernel_has() {
    let place = Place::empty();
    let report = place.arena("check --sandbox -o json");
    let missing = missing(&report);
    let (verdict, code) = if missing.is_empty() { ("complete", 0) } else { ("incomplete", 6) };
    let document = report.expect_code(code).json();
    assert_eq!(document["verdict"], verdict);
    assert!(document["bot"].as_array().unwrap().iter().any(|bound| bound["bound"] == "memory"));
    let table = place.arena("check --sandbox").expect_code(code).stdout;
    assert_eq!(table.matches("MISSING").count(), missing.len(), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80 || line.contains(": ")), "{table}");
}

#[test]
fn measures_that_the_kernel_does_not_have_are_reported_with_the_next_step() {
    let place = Place::empty();
    let report = without_landlock(|| place.arena("check --sandbox -o json")).expect_code(6);
    let missing = missing(&report);
    for measure in OF_LANDLOCK {
        assert!(missing.iter().any(|name| name == measure), "{missing:?}");
    }
    let table = without_landlock(|| place.arena("check --sandbox")).expect_code(6).stdout;
    assert!(
        table.contains("why: the kernel has no Landlock") && table.contains("next: use Linux"),
        "{table}"
    );
}

#[test]
fn a_run_says_once_that_measures_are_missing_and_its_document_stays_whole() {
    let place = Place::with_specimens(&["sweeper", "repeats", "shoots-at-random"]);
    let run = without_landlock(|| {
        place.arena("run sweeper.wasm repeats.wasm shoots-at-random.wasm --games 2 --no-cache -o json")
    })
    .expect_code(0);
    assert_eq!(
        run.stderr.matches("note: the processes that compile and play are confined without").count(),
        1,
        "{}",
        run.stderr
    );
    assert!(OF_LANDLOCK.iter().all(|measure| run.stderr.contains(measure)), "{}", run.stderr);
    assert!(run.json().is_object());
}

#[test]
fn security_md_has_a_row_for_each_measure() {
    let document = Place::empty().arena("check --sandbox -o json").json();
    for measure in document["compiler"].as_array().expect("a list") {
        let row = format!("| `{}` |", measure["measure"].as_str().expect("a name"));
        assert!(include_str!("../../SECURITY.md").contains(&row), "{row}");
    }
}

#[test]
fn a_bot_or_the_sandbox_is_checked_and_not_both() {
    let place = Place::with_specimens(&["sweeper"]);
    for arguments in ["check", "check sweeper.wasm --sandbox"] {
        place.arena(arguments).expect_code(2);
    }
}
