//! Failures of journals and notes about them, in words.

use crate::error::Error;
use crate::mistake::Mistake;
use arena_store::JournalError;
use arena_text::{ShownPath, counted};
use std::io::ErrorKind;

/// The note about a journal that is without its write-ahead log.
pub fn log_note(name: &ShownPath) -> String {
    format!(
        "{name}: was written in WAL mode, and its log is not next to it, so games may be missing; copy {name}-wal, too, from where it \
         was written"
    )
}

/// The next step with a journal that is without its write-ahead log.
const NO_LOG: &str = "copy that file, too, from where the journal was written";

/// The failure of a run that cannot use its journal.
pub fn failure(name: &ShownPath, error: JournalError) -> Error {
    let next = match &error {
        JournalError::Missing => "check the path; `arena run --journal FILE` makes a journal",
        JournalError::NotAFile(_) | JournalError::Foreign => "name another file: this one is left as it is",
        JournalError::NoLog => NO_LOG,
        JournalError::Version(_) => "use the arena that wrote it, or name another journal",
        JournalError::Other(_) => "name another journal, or use the options that this one was begun with",
        JournalError::OtherGame { .. } => {
            "leave out --game to continue with the game that the journal has, or name another journal for the new build"
        }
        JournalError::Busy => "wait until it has ended; `arena standings` can read the journal meanwhile",
        JournalError::Changed => "check it with `arena verify`, and continue it with --resume",
        JournalError::Full => "make room, and continue with --resume",
        JournalError::Damaged { .. } | JournalError::Conflict { .. } | JournalError::DoesNotFit => {
            "restore it from a copy, or name another journal and play again"
        }
        JournalError::Io(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                "make the folder, or name a journal in one that exists"
            }
            _ => "check the permissions of the file and its folder, or name a journal elsewhere",
        },
    };
    failure_with(name, error, next)
}

/// The failure of a command that reads a journal and cannot.
pub fn failure_to_read(name: &ShownPath, error: JournalError) -> Error {
    let next = match &error {
        JournalError::NotAFile(_) | JournalError::Foreign => {
            "name a journal that `arena run --journal FILE` has written"
        }
        JournalError::NoLog => NO_LOG,
        JournalError::Version(_) => "use the arena that wrote it",
        JournalError::Damaged { .. } => "restore it from a copy",
        JournalError::Io(_) => "check the permissions of the file and its folder",
        _ => return failure(name, error),
    };
    failure_with(name, error, next)
}

fn failure_with(name: &ShownPath, error: JournalError, next: &'static str) -> Error {
    if error.is_of_the_machine() {
        Error::machine(name.to_string(), error, next)
    } else {
        Mistake::Journal { journal: name.clone(), error, next }.into()
    }
}

/// The notes about a journal: that its log is missing, and that not all of its games count.
pub(crate) fn notes(name: &ShownPath, lacks_log: bool, kept: usize, counted_games: usize) -> Vec<String> {
    let log_note = lacks_log.then(|| log_note(name));
    let uncounted = uncounted(kept, counted_games).map(|note| format!("{name}: {note}"));
    log_note.into_iter().chain(uncounted).collect()
}

/// A note about games that are kept and do not count, if there are any: a bot was disqualified before them, in the order of the
/// schedule. A run keeps none of those; a journal that comes from elsewhere may have some.
pub fn uncounted(kept: usize, counted_games: usize) -> Option<String> {
    let count = kept - counted_games;
    (count > 0).then(|| {
        format!(
            "{} more kept, and not counted: a bot of theirs is disqualified before them",
            counted(count, "game")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the next steps of who runs games and of who reads a journal with this error.
    #[track_caller]
    fn check(error: fn() -> JournalError, next_of_run: &str, next_of_reader: &str) {
        let name = ShownPath::from("a.db");
        let told = [failure(&name, error()), failure_to_read(&name, error())];
        for (told, next) in told.iter().zip([next_of_run, next_of_reader]) {
            assert!(told.to_string().ends_with(&format!("\n  next: {next}")), "{told}");
        }
    }

    #[test]
    fn the_notes_about_a_journal_are_its_missing_log_and_the_games_that_do_not_count() {
        let name = ShownPath::from("a.db");
        let told = |lacks_log, kept| notes(&name, lacks_log, kept, 7);
        assert_eq!(told(false, 7), [""; 0]);
        let uncounted =
            "a.db: 2 games more kept, and not counted: a bot of theirs is disqualified before them";
        assert_eq!(told(false, 9), [uncounted]);
        assert_eq!(told(true, 7), [log_note(&name)]);
        assert_eq!(told(true, 9), [&log_note(&name), uncounted]);
    }

    #[test]
    fn who_reads_a_journal_is_told_another_next_step_than_who_writes_one() {
        check(
            || JournalError::Foreign,
            "name another file: this one is left as it is",
            "name a journal that `arena run --journal FILE` has written",
        );
        check(
            || JournalError::Io(ErrorKind::NotFound.into()),
            "make the folder, or name a journal in one that exists",
            "check the permissions of the file and its folder",
        );
        check(|| JournalError::NoLog, NO_LOG, NO_LOG);
        let busy = "wait until it has ended; `arena standings` can read the journal meanwhile";
        check(|| JournalError::Busy, busy, busy);
    }
}
