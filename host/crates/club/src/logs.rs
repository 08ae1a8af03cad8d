//! What bots print in their games, kept for their authors: the latest logs of each version.
//!
//! A log is kept if there is room, and may be lost with the power: no result follows from it. Its path has a hash and a number, and no name.

use arena_players::Played;
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most logs of a version, of games with a fault of it and of other games. Chosen: what an author reads, and at most 13 MB for a bot
/// that prints as much as it can.
const LOGS_MAX: usize = 100;

/// The largest log, in bytes, that is read. Chosen: sixteen times the longest one that is written.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// The logs of a club.
pub(crate) struct Logs {
    folder: PathBuf,
    /// The games with a log, by the SHA-256 of the version. Those of an earlier process are read when they are asked for.
    kept: Mutex<HashMap<String, Kept>>,
    /// True if the last log could not be written.
    has_failed: AtomicBool,
}

/// The numbers of a version's games with a log, in the order in which they were played: those without a fault of it, and the others.
#[derive(Default)]
struct Kept([VecDeque<usize>; 2]);

/// The name of a log.
fn name(number: usize, is_fault: bool) -> String {
    if is_fault { format!("{number}.fault.log") } else { format!("{number}.log") }
}

impl Kept {
    fn read(folder: &Path) -> Self {
        let mut numbers = <[Vec<usize>; 2]>::default();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let file = entry.file_name();
            let stem = file.to_str().and_then(|file| file.strip_suffix(".log")).unwrap_or_default();
            let (stem, is_fault) = stem.strip_suffix(".fault").map_or((stem, false), |stem| (stem, true));
            numbers[usize::from(is_fault)].extend(stem.parse::<usize>());
        }
        numbers.iter_mut().for_each(|numbers| numbers.sort_unstable());
        Self(numbers.map(VecDeque::from))
    }
}

impl Logs {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, kept: Mutex::default(), has_failed: AtomicBool::new(false) }
    }

    /// Keeps the logs of a game with this number. Returns the bytes that each side takes more or less then, and a note for the organiser
    /// when they cannot be written, once until one can be written again.
    pub(crate) fn keep(&self, number: usize, played: &Played) -> ([i64; 2], Option<String>) {
        let (mut kept, mut more) = (Ok(()), [0; 2]);
        for ((index, log), seated) in played.logs.iter().enumerate().zip(&played.header.bots) {
            let is_fault = played.result.faults.keys().any(|(seat, _)| seat.index() == index);
            if !log.is_empty() {
                match self.keep_one(seated.bot.sha256.as_str(), number, is_fault, log) {
                    Ok(bytes) => more[index] = bytes,
                    Err(error) => kept = kept.and(Err(error)),
                }
            }
        }
        let note = match kept {
            Ok(()) => {
                self.has_failed.store(false, Ordering::Relaxed);
                None
            }
            Err(error) => {
                let is_new = !self.has_failed.swap(true, Ordering::Relaxed);
                let reason = arena_files::reason(&error);
                is_new.then(|| {
                    let next = arena_resources::step_or(&error, "check the permissions of the club's folder");
                    format!("the logs of game {number} are not kept: {reason}\n  next: {next}")
                })
            }
        };
        (more, note)
    }

    /// Keeps a log, and returns the bytes that the logs of its version take more or less then.
    fn keep_one(&self, sha256: &str, number: usize, is_fault: bool, log: &str) -> io::Result<i64> {
        let folder = self.folder_of(sha256);
        if !folder.is_dir() {
            arena_files::make_folder(&folder)?;
            // A log is for its author.
            arena_platform::folders::make_private(&self.folder)?;
        }
        let path = folder.join(name(number, is_fault));
        fs::write(&path, log).inspect_err(|_| {
            let _ = fs::remove_file(&path);
        })?;
        let mut more = log.len() as i64;
        self.with(sha256, |Kept(numbers)| {
            let numbers = &mut numbers[usize::from(is_fault)];
            numbers.retain(|&other| other != number);
            numbers.push_back(number);
            while numbers.len() > LOGS_MAX {
                if let Some(oldest) = numbers.pop_front() {
                    let oldest = folder.join(name(oldest, is_fault));
                    let size = oldest.metadata().map_or(0, |oldest| oldest.len());
                    // If the file stays, it only takes room.
                    if fs::remove_file(oldest).is_ok() {
                        more -= size as i64;
                    }
                }
            }
        });
        Ok(more)
    }

    fn with<T>(&self, sha256: &str, work: impl FnOnce(&mut Kept) -> T) -> T {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || Kept::read(&self.folder_of(sha256));
        work(all.entry(sha256.to_owned()).or_insert_with(read))
    }

    /// The folder of the logs of a version.
    pub(crate) fn folder_of(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256)
    }

    /// Forgets which logs of a version there are, because they are removed.
    pub(crate) fn forget(&self, sha256: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(sha256);
    }

    /// True if there is a log of a version in a game.
    pub(crate) fn has(&self, sha256: &str, number: usize) -> bool {
        self.with(sha256, |Kept(numbers)| numbers.iter().any(|numbers| numbers.contains(&number)))
    }

    /// The log of a version in a game, if there is one. It waits for the disk.
    pub(crate) fn read(&self, sha256: &str, number: usize) -> Option<String> {
        let read =
            |is_fault| arena_files::read(&self.folder_of(sha256).join(name(number, is_fault)), LOG_BYTES_MAX);
        let bytes = [true, false].into_iter().find_map(|is_fault| read(is_fault).ok())?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_logs_of_each_version_are_kept_and_those_with_faults_longest() {
        let folder = tempfile::tempdir().expect("there is room");
        let logs = Logs::at(folder.path().join("logs"));
        let keep = |logs: &Logs, sha256: &str, number, is_fault| {
            logs.keep_one(sha256, number, is_fault, &format!("log {number}")).expect("there is room")
        };
        keep(&logs, "a", 1, true);
        keep(&logs, "b", 2, false);
        (3..=2 + LOGS_MAX).for_each(|number| {
            keep(&logs, "a", number, false);
        });
        assert!([1, 3].iter().all(|&number| logs.has("a", number)) && logs.has("b", 2));
        assert_eq!(logs.read("a", 1).as_deref(), Some("log 1"));
        assert_eq!(logs.read("b", 1), None, "it is of another version");
        // Another process goes on.
        let again = Logs::at(folder.path().join("logs"));
        assert_eq!(keep(&again, "a", 1_000, false), 3, "`log 1000` comes, and `log 3` goes");
        assert!([1, 4, 1_000].iter().all(|&number| again.has("a", number)));
        assert!(!again.has("a", 3) && again.read("a", 3).is_none());
        let files = fs::read_dir(folder.path().join("logs/a")).expect("it is there").count();
        assert_eq!(files, LOGS_MAX + 1);
    }
}
