//! The public log of heads: the end of the journal's chain after each stage. Anyone who has kept a line can show that nothing before it
//! has changed.

use crate::folder::Folder;
use arena_engine::Error;
use arena_engine::stored::JournalContent;
use arena_store::{ChainHead, time_now};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The longest line that is looked at, in bytes. Chosen: twice the longest that is written.
const LINE_BYTES_MAX: u64 = 256;

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
    pub(crate) fn note_head(&self) -> Result<(), Error> {
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
    pub(crate) fn add_head(&self, stage: usize, head: &ChainHead) -> Result<(), Error> {
        let number = self.season()?.number;
        let line = format!("{number} {stage} {} {}", head.links, head.sha256);
        self.append(&line).map_err(|error| self.unwritable(&self.heads(), error))
    }

    /// True if the log has a head of this season.
    pub(crate) fn has_heads(&self, season: u32) -> io::Result<bool> {
        let text = match fs::read(self.heads()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            text => text?,
        };
        let season = season.to_string();
        Ok(String::from_utf8_lossy(&text).lines().any(|line| line.split(' ').nth(1) == Some(&season)))
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
}
