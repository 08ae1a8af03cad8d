//! The public log of heads: the end of the journal's chain after each stage. Anyone who has kept a line can show that nothing before it
//! has changed.

use crate::error::ClubError;
use crate::folder::Folder;
use arena_engine::Error;
use arena_engine::JournalContent;
use arena_engine::internals::stored;
use arena_store::{ChainHead, Reader, time_now};
use arena_text::{Line, shown};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The longest line that is looked at, in bytes. Chosen: twice the longest that is written.
const LINE_BYTES_MAX: u64 = 256;

/// A head in the log.
#[derive(Debug, PartialEq, Eq)]
pub struct LoggedHead {
    /// The time at which it was added, in UTC.
    pub at: String,
    /// The number of the season.
    pub season: u32,
    /// The number of the stage.
    pub stage: String,
    /// The number of links of the chain.
    pub links: u64,
    /// The head in hexadecimal.
    pub sha256: String,
}

impl fmt::Display for LoggedHead {
    /// Its place in the log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, season, stage, .. } = self;
        let (stage, at) = (Line::<16>::from(stage), Line::<32>::from(at));
        write!(f, "stage {stage} of season {season}, added at {at}")
    }
}

impl LoggedHead {
    /// The head in a line, if it is one of this season. A process that was stopped may have left a part of a line.
    fn of(line: &str, season: u32) -> Option<Self> {
        let [at, of_season, stage, links, sha256] = line.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let is_whole = of_season == season.to_string() && sha256.len() == 64;
        let links = links.parse().ok().filter(|_| is_whole)?;
        Some(Self { at: at.to_owned(), season, stage: stage.to_owned(), links, sha256: sha256.to_owned() })
    }
}

impl Folder {
    /// The log of heads, of all seasons. Each line has the time in UTC, the number of the season, the number of the stage, the number of
    /// links of the chain, and the head in hexadecimal.
    pub fn heads(&self) -> PathBuf {
        self.path().join("heads.txt")
    }

    /// Adds the head of the journal to the log, if it is not its last line.
    ///
    /// # Errors
    /// The journal cannot be read, or the log not written.
    pub(crate) fn note_head(&self) -> Result<(), ClubError> {
        let Some(content) = JournalContent::read_begun(&self.journal())? else { return Ok(()) };
        match content.head {
            Some(head) if !content.known.is_empty() => self.add_head(content.stages.len(), &head),
            _ => Ok(()),
        }
    }

    /// Adds the head after a stage to the log, if it is not its last line. It is on the disk when this returns.
    ///
    /// # Errors
    /// The log cannot be written.
    pub(crate) fn add_head(&self, stage: usize, head: &ChainHead) -> Result<(), ClubError> {
        let number = self.season()?.number;
        let line = format!("{number} {stage} {} {}", head.links, head.sha256);
        // A power cut may cost the last games of the journal, and then their head must not be in the log.
        let written = self.sync_journal().and_then(|()| self.append(&line));
        written.map_err(|error| self.unwritable(&self.heads(), error))
    }

    /// Brings the latest games of the journal to the disk. SQLite has them in this file until it moves them to the journal itself, which
    /// is on the disk then. Of the journal, another descriptor must not be closed here: that would end SQLite's locks.
    fn sync_journal(&self) -> io::Result<()> {
        let mut latest = self.journal().into_os_string();
        latest.push("-wal");
        match File::open(PathBuf::from(latest)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            file => file?.sync_data(),
        }
    }

    /// The last head of a season in the log.
    ///
    /// # Errors
    /// The log cannot be read.
    pub(crate) fn last_head(&self, season: u32) -> Result<Option<LoggedHead>, ClubError> {
        let text = match fs::read(self.heads()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| {
                let what = format!("cannot read {}", shown(&self.heads()));
                Error::machine(what, error, "check the permissions of the folder")
            })?,
        };
        Ok(String::from_utf8_lossy(&text).lines().rev().find_map(|line| LoggedHead::of(line, season)))
    }

    /// Checks that the journal of the season has this head of the log: an older one would be played on, and contradict heads that are
    /// public.
    ///
    /// # Errors
    /// It does not have it, or cannot be read.
    pub(crate) fn require_head(&self, head: LoggedHead) -> Result<(), ClubError> {
        let (journal, log, head) = (self.journal(), self.heads(), Box::new(head));
        let read = || {
            let Some(reader) = Reader::open_begun(&journal)? else { return Ok((0, false)) };
            let links = reader.content()?.head.links;
            Ok((links, reader.has_link(&head.sha256)?))
        };
        let (links, has_it) = read().map_err(|error| stored::failure(&shown(&journal), error))?;
        if has_it {
            return Ok(());
        }
        Err(match links < head.links {
            true => ClubError::OldJournal { journal, log, links, head },
            false => ClubError::OtherJournal { journal, log, head },
        })
    }

    fn append(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(self.heads())?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LINE_BYTES_MAX)))?;
        let mut end = String::new();
        file.read_to_string(&mut end)?;
        // A process that was stopped may have left a part of a line.
        let whole = end.rfind('\n').map_or(0, |place| place + 1);
        file.set_len(length - (end.len() - whole) as u64)?;
        let last = end[..whole].lines().last().and_then(|last| last.split_once(' '));
        if last.is_some_and(|(_, last)| last == line) {
            return Ok(());
        }
        file.write_all(format!("{} {line}\n", time_now()).as_bytes())?;
        file.sync_data()?;
        File::open(self.path())?.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{Club, ClubOptions};
    use crate::support::{bot, played_club};

    #[test]
    fn a_line_is_added_once_and_a_part_of_one_is_replaced() {
        let place = tempfile::tempdir().expect("there is room");
        let folder = Folder::at(place.path());
        let add = |line: &str| folder.append(line).expect("it can be written");
        let lines = || -> Vec<String> {
            let text = fs::read_to_string(folder.heads()).expect("it is there");
            text.lines().map(|line| line.split_once(' ').expect("it has a time").1.to_owned()).collect()
        };
        add("1 1 10 aa");
        add("1 1 10 aa");
        add("1 2 20 bb");
        assert_eq!(lines(), ["1 1 10 aa", "1 2 20 bb"]);
        let whole = fs::read(folder.heads()).expect("it is there");
        for cut in 1..whole.len() {
            fs::write(folder.heads(), &whole[..cut]).expect("it can be written");
            add("1 2 20 bb");
            let expected: &[&str] =
                if cut > whole.len() / 2 { &["1 1 10 aa", "1 2 20 bb"] } else { &["1 2 20 bb"] };
            assert!(lines().ends_with(&[expected[expected.len() - 1].to_owned()]), "{cut}: {:?}", lines());
            assert!(lines().iter().all(|line| ["1 1 10 aa", "1 2 20 bb"].contains(&line.as_str())), "{cut}");
        }
        // A long log is read at its end only.
        (0..100).for_each(|stage| add(&format!("1 {stage} 10 {}", "c".repeat(64))));
        assert_eq!(lines().last().expect("it has lines"), &format!("1 99 10 {}", "c".repeat(64)));
    }

    #[test]
    fn a_journal_that_is_older_than_the_log_or_another_one_is_named() {
        let it = played_club();
        let [old, new] = ["old.db", "new.db"].map(|name| it.folder.path().with_file_name(name));
        let it = it.between(|folder| {
            fs::copy(folder.journal(), &old).unwrap();
        });
        it.admit(&it.author("cat"), &bot("builtin:hunter", 20));
        it.play();
        let it = it.between(|folder| {
            let log = fs::read_to_string(folder.heads()).unwrap();
            fs::copy(folder.journal(), &new).unwrap();
            let refused = |what: &str, is: fn(ClubError) -> bool| {
                assert!(folder.require_journal().is_err_and(is), "{what}");
                let backup = folder.path().with_file_name("backup.tar");
                for refused in [
                    Club::open(folder, ClubOptions::default()).map(drop),
                    folder.reveal().map(drop),
                    folder.new_season().map(drop),
                    folder.back_up(&backup),
                ] {
                    let refused = refused.expect_err("a head is missing").to_string();
                    assert!(refused.contains(what) && refused.contains("heads.txt"), "{refused}");
                }
                assert!(!backup.exists());
            };
            fs::copy(&old, folder.journal()).unwrap();
            refused("season.db: is older than ", |error| matches!(error, ClubError::OldJournal { .. }));
            // With the log of its time, it is played on.
            let of_then = log.lines().next().unwrap().to_owned() + "\n";
            fs::write(folder.heads(), &of_then).unwrap();
            drop(Club::open(folder, ClubOptions::default()).expect("it has this head"));
            fs::copy(&new, folder.journal()).unwrap();
            drop(Club::open(folder, ClubOptions::default()).expect("a log may be older"));
            // Also one with as many links as the log says.
            let other = |log: &str| log.trim().rsplit_once(' ').unwrap().0.to_owned();
            for before in [other(&of_then), other(&log)] {
                fs::write(folder.heads(), format!("{before} {}\n", "0".repeat(64))).unwrap();
                refused("season.db: is not the journal of ", |error| {
                    matches!(error, ClubError::OtherJournal { .. })
                });
            }
            // A part of a line is no head.
            fs::write(folder.heads(), format!("{log}{} 00", other(&log))).unwrap();
        });
        it.folder.back_up(&it.folder.path().with_file_name("backup.tar")).expect("it is whole");
    }
}
