//! Keeping other writers away from a file, and not its readers.

pub use system::WriteLock;

use std::fs::{File, TryLockError};
use std::thread;
use std::time::Duration;

/// The tries to take a lock, and the pause between two. Chosen: a process that another one starts has all its open files until it begins its
/// own program, which takes milliseconds, or longer on a machine that is busy; so a lock that was given back, or was that of a process that
/// was killed, may still be held.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Takes the lock of a file. If another process has it, retries for at most two seconds.
///
/// # Errors
/// Another process has the lock, or the system has no locks.
pub fn take(file: &File) -> Result<(), TryLockError> {
    taken(|| file.try_lock())
}

/// Retries while another process has the lock, for at most two seconds.
fn taken<T>(mut take: impl FnMut() -> Result<T, TryLockError>) -> Result<T, TryLockError> {
    for _ in 1..TRIES {
        match take() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            taken => return taken,
        }
    }
    take()
}

/// Linux keeps the lock of a whole file apart from those that SQLite has on parts of it.
#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, TryLockError};
    use std::io;
    use std::path::Path;

    /// The lock of the writer of a file, until it is dropped. It is not one of SQLite's locks, which last for a transaction only.
    #[derive(Debug)]
    pub struct WriteLock(File);

    impl WriteLock {
        /// The lock of an open file at this path. It is not taken yet.
        ///
        /// # Errors
        /// The path cannot be followed.
        pub fn of(file: File, _path: &Path) -> io::Result<Self> {
            Ok(Self(file))
        }

        /// Takes the lock, as [`take`](super::take) does.
        ///
        /// # Errors
        /// Another writer has it, or the system has no locks.
        pub fn take(&mut self) -> Result<(), TryLockError> {
            super::take(&self.0)
        }

        /// True if a writer has the lock. Nothing may be done with this one afterwards.
        pub fn is_taken(&self) -> bool {
            matches!(self.0.try_lock_shared(), Err(TryLockError::WouldBlock))
        }
    }
}

/// Other systems have one kind of locks, so this one is a file of its own next to the other.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::ffi::OsString;
    use std::fs::{self, File, OpenOptions, TryLockError};
    use std::io;
    use std::path::{Path, PathBuf};

    /// The lock of the writer of a file, until it is dropped.
    #[derive(Debug)]
    pub struct WriteLock {
        path: PathBuf,
        held: Option<File>,
    }

    impl WriteLock {
        /// The lock of an open file at this path. It is not taken yet.
        ///
        /// # Errors
        /// The path cannot be followed.
        pub fn of(_file: File, path: &Path) -> io::Result<Self> {
            let mut path = OsString::from(fs::canonicalize(path)?);
            path.push("-lock");
            Ok(Self { path: path.into(), held: None })
        }

        /// Takes the lock, as [`take`](super::take) does.
        ///
        /// # Errors
        /// Another writer has it, or the folder cannot be written.
        pub fn take(&mut self) -> Result<(), TryLockError> {
            self.held = Some(super::taken(|| held(&self.path))?);
            Ok(())
        }

        /// True if a writer has the lock.
        pub fn is_taken(&self) -> bool {
            self.path.exists() && matches!(held(&self.path), Err(TryLockError::WouldBlock))
        }
    }

    impl Drop for WriteLock {
        fn drop(&mut self) {
            if cfg!(unix) && self.held.is_some() {
                // One that stays is taken by the next writer.
                let _ = fs::remove_file(&self.path);
            }
        }
    }

    /// The file of the lock, held.
    #[cfg(unix)]
    fn held(path: &Path) -> Result<File, TryLockError> {
        use std::os::unix::fs::MetadataExt;
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(TryLockError::Error)?;
        file.try_lock()?;
        // The writer before this one may have removed it in the meantime.
        let is_there = fs::metadata(path).is_ok_and(|there| {
            file.metadata().is_ok_and(|file| (file.dev(), file.ino()) == (there.dev(), there.ino()))
        });
        if is_there { Ok(file) } else { Err(TryLockError::WouldBlock) }
    }

    /// The file of the lock, held: no other process can open it, and it is removed when it is closed, also by a process that is killed.
    #[cfg(windows)]
    fn held(path: &Path) -> Result<File, TryLockError> {
        use std::os::windows::fs::OpenOptionsExt;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        const SHARING_VIOLATION: i32 = 32;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).share_mode(0).custom_flags(DELETE_ON_CLOSE);
        options.open(path).map_err(|error| match error.raw_os_error() {
            Some(SHARING_VIOLATION) => TryLockError::WouldBlock,
            _ => TryLockError::Error(error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn lock(path: &Path) -> WriteLock {
        let file = fs::OpenOptions::new().read(true).write(true).open(path).expect("it is there");
        WriteLock::of(file, path).expect("its path can be followed")
    }

    #[test]
    fn a_writer_keeps_others_away_until_it_ends_and_readers_never() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("a.db");
        fs::write(&path, "first").expect("there is room");
        for _ in 0..2 {
            assert!(!lock(&path).is_taken());
            let mut held = lock(&path);
            held.take().expect("nobody has it");
            assert!(matches!(lock(&path).take(), Err(TryLockError::WouldBlock)));
            assert!(lock(&path).is_taken());
            fs::write(&path, "second").expect("the lock is for others with a lock alone");
            assert_eq!(fs::read_to_string(&path).expect("it can be read"), "second");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1, "nothing is left");
    }

    #[test]
    fn a_lock_that_is_given_back_within_two_seconds_is_taken() {
        let taken_at = |free: u32| {
            let mut tries = 0;
            taken(|| {
                tries += 1;
                if tries < free { Err(TryLockError::WouldBlock) } else { Ok(tries) }
            })
        };
        assert!(matches!(taken_at(3), Ok(3)));
        assert!(matches!(taken_at(TRIES), Ok(TRIES)));
        assert!(matches!(taken_at(TRIES + 1), Err(TryLockError::WouldBlock)));
        assert_eq!(PAUSE * TRIES, Duration::from_secs(2));
    }
}
