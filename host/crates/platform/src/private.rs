//! A folder of files that only this user can write to.
//!
//! Everything is done in the open folder and not by its path, where the system can do that, so that the folder cannot be replaced in
//! between. No symbolic link is followed.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// An open folder that belongs to this user, and that no other user can write to.
#[derive(Debug)]
pub struct PrivateFolder(system::PrivateFolder);

/// The reason why a folder cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// It cannot be created.
    Create(io::Error),
    /// It cannot be opened.
    Open(io::Error),
    /// It cannot be examined.
    Examine(io::Error),
    /// It is a symbolic link, or not a folder.
    NotAFolder,
    /// It belongs to another user.
    OfAnother,
    /// Others may write to it.
    WritableByOthers,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The time of its last change, since 1970.
    pub changed: Duration,
}

impl PrivateFolder {
    /// Opens a folder. If it does not exist, it is created for this user alone.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn open(path: &Path) -> Result<Self, Unusable> {
        system::PrivateFolder::open(path).map(Self)
    }

    /// Opens a file for reading. `None` when it is something else than a file, or is not this user's alone.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn read(&self, name: &str) -> io::Result<Option<File>> {
        self.0.read(name)
    }

    /// Creates a file that does not exist, and that only this user can read.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn create(&self, name: &str) -> io::Result<File> {
        self.0.create(name)
    }

    /// Renames a file. One that has the new name is replaced.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, to)
    }

    /// Removes a file.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    /// The files for whose name `is_wanted` returns true.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn entries(&self, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<Entry>> {
        self.0.entries(is_wanted)
    }
}

/// The time since 1970.
pub fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::{ErrorKind, Write};

    #[test]
    fn files_are_created_read_renamed_listed_and_removed() {
        let outer = tempfile::tempdir().expect("there is room");
        let folder = PrivateFolder::open(&outer.path().join("a/b")).expect("it can be made");
        folder.create("one").expect("it is new").write_all(b"text").expect("there is room");
        assert_eq!(folder.create("one").map_err(|error| error.kind()).err(), Some(ErrorKind::AlreadyExists));
        folder.create("two").expect("it is new");
        folder.rename("one", "two").expect("it is there");
        let read = |name| folder.read(name).map_err(|error| error.kind());
        let file = read("two").expect("it is there").expect("it is this user's alone");
        assert_eq!(io::read_to_string(file).expect("it is text"), "text");
        assert_eq!(read("one").err(), Some(ErrorKind::NotFound));
        let entries = folder.entries(|name| name != "other").expect("it can be listed");
        assert_eq!(entries.iter().map(|it| (it.name.as_str(), it.bytes)).collect::<Vec<_>>(), [("two", 4)]);
        assert!(entries[0].changed > Duration::ZERO);
        assert_eq!(folder.entries(|name| name != "two").expect("it can be listed"), []);
        folder.remove("two").expect("it is there");
        fs::create_dir(outer.path().join("a/b/folder")).expect("there is room");
        assert!(!matches!(read("folder"), Ok(Some(_))));
    }
}
