//! Compiled components, kept from one run to the next in a folder that only this user can write to.
//!
//! A file is made under a name of its own and renamed when it is whole, so that several arenas may use one folder at a time:
//! at worst one of them compiles what another has compiled already. What is found in the folder is believed only if it is
//! this user's, nobody else can write to it, and its digest is right; the very bytes that were digested are then loaded.

use super::artifact::Artifact;
use super::entry::{HEADER_BYTES, Key};
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, renameat, statat, unlinkat,
};
use rustix::io::{self, Errno};
use rustix::process::geteuid;
use std::fs::{DirBuilder, File};
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use std::{mem, process};

/// What the files of a cache may take together. Chosen: some fifty compiled Python or JavaScript bots, or thousands in Rust.
const CACHE_BYTES_MAX: u64 = 2 << 30;

/// How old a file is, at least, that was begun and left by a process that ended. Chosen: writing one takes a second.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(3_600);

/// Names that are tried for a new file. Chosen: another process has the same number only where two systems share a folder.
const NAME_TRIES_MAX: u32 = 16;

/// How the name of a file ends that is not whole yet.
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Where compiled components are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// The folder. It is made if it is not there, for this user alone. It is not used if it is somebody else's, if others
    /// may write to it, or if it is a symbolic link.
    pub dir: PathBuf,
    /// What its files may take together, in bytes; those that were not used for longest go first.
    pub bytes_max: u64,
}

impl CacheOptions {
    /// A cache of 2 GiB in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), bytes_max: CACHE_BYTES_MAX }
    }
}

/// The cache, open.
pub(super) struct Cache {
    dir: OwnedFd,
    bytes_max: u64,
}

impl Cache {
    /// Opens a cache, or says why it cannot be used.
    pub(super) fn open(options: &CacheOptions) -> Result<Self, String> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&options.dir)
            .map_err(|error| format!("the folder cannot be made: {error}"))?;
        let dir = open_dir(&options.dir).map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR => "it is a symbolic link, or no folder".to_owned(),
            error => format!("the folder cannot be opened: {error}"),
        })?;
        let stat = fstat(&dir).map_err(|error| format!("the folder cannot be looked at: {error}"))?;
        if stat.st_uid != geteuid().as_raw() {
            return Err("the folder is another user's".into());
        }
        if is_writable_by_others(&stat) {
            return Err("others may write to the folder; `chmod go-w` changes that".into());
        }
        let cache = Self { dir, bytes_max: options.bytes_max };
        // What cannot be tidied up is in nobody's way.
        let _ = cache.tidy();
        Ok(cache)
    }

    /// The artifact of a key. An entry that is not sound is removed.
    pub(super) fn load(&self, key: &Key, artifact_bytes_max: usize) -> Option<Artifact> {
        let name = key.file_name();
        let mut file = match openat(&self.dir, &name, read_only(), Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return None,
            Err(_) => {
                self.forget(key);
                return None;
            }
        };
        let artifact = read(&mut file, artifact_bytes_max).and_then(|bytes| key.artifact(bytes));
        let Some(artifact) = artifact else {
            self.forget(key);
            return None;
        };
        // It was of use just now. Where that cannot be noted, it goes a little earlier than it should.
        let _ = file.set_modified(SystemTime::now());
        // The file was this user's and nobody else's to write to, and the digest is of these very bytes.
        Some(Artifact::of_our_compiler(artifact))
    }

    /// Removes an entry.
    pub(super) fn forget(&self, key: &Key) {
        // It may be gone already; and where it cannot be removed, it will not be believed the next time either.
        let _ = unlinkat(&self.dir, key.file_name(), AtFlags::empty());
    }

    /// Keeps an artifact, and lets go of what was not used for longest.
    pub(super) fn store(&self, key: &Key, artifact: &Artifact) -> std::io::Result<()> {
        let header = key.header(artifact.bytes());
        let bytes = (header.len() + artifact.bytes().len()) as u64;
        if bytes > self.bytes_max {
            return Ok(());
        }
        let (mut file, name) = self.create()?;
        let temporary = Temporary { cache: self, name };
        file.write_all(&header)?;
        file.write_all(artifact.bytes())?;
        drop(file);
        temporary.become_entry(key)?;
        self.tidy()?;
        Ok(())
    }

    /// A new file, for this user alone, and its name.
    fn create(&self) -> io::Result<(File, String)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut tries = 0;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-{count}{TEMPORARY_SUFFIX}", process::id());
            tries += 1;
            match openat(&self.dir, &name, flags, Mode::RUSR | Mode::WUSR) {
                Ok(file) => return Ok((file.into(), name)),
                Err(Errno::EXIST) if tries < NAME_TRIES_MAX => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes what is over the bound, the least recently used first, and what was left behind.
    fn tidy(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        for found in Dir::read_from(&self.dir)? {
            let found = found?;
            let Ok(name) = found.file_name().to_str() else { continue };
            let is_entry = Key::is_file_name(name);
            if !is_entry && !name.ends_with(TEMPORARY_SUFFIX) {
                continue;
            }
            // Another arena may have removed it since.
            let Ok(stat) = statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if is_entry {
                entries.push((changed_at(&stat), name.to_owned(), stat.st_size.unsigned_abs()));
            } else if now.duration_since(changed_at(&stat)).is_ok_and(|age| age > LEFT_BEHIND_AFTER) {
                let _ = unlinkat(&self.dir, name, AtFlags::empty());
            }
        }
        entries.sort();
        let mut bytes: u64 = entries.iter().map(|(_, _, bytes)| bytes).sum();
        for (_, name, entry_bytes) in entries {
            if bytes <= self.bytes_max {
                break;
            }
            let _ = unlinkat(&self.dir, name, AtFlags::empty());
            bytes -= entry_bytes;
        }
        Ok(())
    }
}

/// A file that is not whole, removed unless it becomes an entry.
struct Temporary<'a> {
    cache: &'a Cache,
    name: String,
}

impl Temporary<'_> {
    fn become_entry(self, key: &Key) -> io::Result<()> {
        renameat(&self.cache.dir, &self.name, &self.cache.dir, key.file_name())?;
        mem::forget(self);
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        let _ = unlinkat(&self.cache.dir, &self.name, AtFlags::empty());
    }
}

fn open_dir(dir: &Path) -> io::Result<OwnedFd> {
    openat(CWD, dir, read_only() | OFlags::DIRECTORY, Mode::empty())
}

fn read_only() -> OFlags {
    // Not to wait, since what lies there need not be a file.
    OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC
}

/// All of a file that is this user's and that nobody else may write to, unless it is over the bound.
fn read(file: &mut File, artifact_bytes_max: usize) -> Option<Vec<u8>> {
    let stat = fstat(file.as_fd()).ok()?;
    let bytes = usize::try_from(stat.st_size).ok()?;
    let is_ours = FileType::from_raw_mode(stat.st_mode).is_file()
        && stat.st_uid == geteuid().as_raw()
        && !is_writable_by_others(&stat);
    if !is_ours || bytes > HEADER_BYTES.saturating_add(artifact_bytes_max) {
        return None;
    }
    let mut all = Vec::with_capacity(bytes);
    // One more than there should be, which makes the digest wrong.
    file.take(bytes as u64 + 1).read_to_end(&mut all).ok()?;
    Some(all)
}

fn is_writable_by_others(stat: &Stat) -> bool {
    Mode::from_raw_mode(stat.st_mode).intersects(Mode::WGRP | Mode::WOTH)
}

fn changed_at(stat: &Stat) -> SystemTime {
    let seconds = Duration::from_secs(u64::try_from(stat.st_mtime).unwrap_or(0));
    let nanoseconds = Duration::from_nanos(stat.st_mtime_nsec);
    SystemTime::UNIX_EPOCH.checked_add(seconds + nanoseconds).unwrap_or(SystemTime::UNIX_EPOCH)
}
