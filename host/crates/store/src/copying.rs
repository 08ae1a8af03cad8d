//! A copy of a journal at one moment, also while another process writes it.

use crate::{JournalError, Reader};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The bytes that are compared at a time. Chosen: little memory, and few calls.
const PART_BYTES: usize = 1 << 16;

impl Reader {
    /// Copies the journal to a new file. It has at least the rows that this reader has read. If the file at `old` has the same bytes
    /// already, the copy is a link to it where the file system has links, so nothing is written.
    ///
    /// # Errors
    /// The journal cannot be read, or the copy cannot be written.
    pub fn copy_to(&self, to: &Path, old: &Path) -> Result<(), JournalError> {
        let mode: String = self.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
        if mode == "wal" {
            // A run is writing it: a part of the rows is in another file.
            let name = to.to_str().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
            self.connection.execute("VACUUM INTO ?1", [name])?;
            return Ok(());
        }
        // No run can begin to write while a row is being read.
        let snapshot = self.connection.unchecked_transaction()?;
        snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        if !is_same(self.path(), old)? || fs::hard_link(old, to).is_err() {
            fs::copy(self.path(), to)?;
        }
        Ok(snapshot.commit()?)
    }
}

/// True if two files have the same bytes. The second one need not exist, and is not followed if it is a link.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let size = |path: &Path| fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|it| it.len());
    if size(other) != Some(fs::metadata(one)?.len()) {
        return Ok(false);
    }
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut part, mut other_part) = (vec![0; PART_BYTES], vec![0; PART_BYTES]);
    loop {
        let count = one.read(&mut part)?;
        if count == 0 {
            return Ok(true);
        }
        match other.read_exact(&mut other_part[..count]) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        if part[..count] != other_part[..count] {
            return Ok(false);
        }
    }
}
