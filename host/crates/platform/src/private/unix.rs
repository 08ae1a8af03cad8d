//! Folders of this user on Unix.

use super::{Entry, Unusable};
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::fs::{DirBuilder, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::time::Duration;

/// The flags for files and folders that are read. They include `NONBLOCK`, because an entry may be something else, such as a pipe.
const READ_ONLY: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(super) struct PrivateFolder(File);

impl PrivateFolder {
    pub(super) fn open(path: &Path) -> Result<Self, Unusable> {
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(Unusable::Create)?;
        let folder = openat(CWD, path, READ_ONLY | OFlags::DIRECTORY, Mode::empty());
        let folder = File::from(folder.map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR => Unusable::NotAFolder,
            error => Unusable::Open(error.into()),
        })?);
        let metadata = folder.metadata().map_err(Unusable::Examine)?;
        if !belongs_to_user(&metadata) {
            return Err(Unusable::OfAnother);
        }
        if is_writable_by_others(&metadata) {
            return Err(Unusable::WritableByOthers);
        }
        Ok(Self(folder))
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Option<File>> {
        let file = File::from(openat(&self.0, name, READ_ONLY, Mode::empty())?);
        let is_private = |it: &Metadata| it.is_file() && belongs_to_user(it) && !is_writable_by_others(it);
        Ok(file.metadata().is_ok_and(|it| is_private(&it)).then_some(file))
    }

    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(super) fn entries(&self, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for found in Dir::read_from(&self.0)? {
            let found = found?;
            let Ok(name) = found.file_name().to_str() else { continue };
            if [".", ".."].contains(&name) || !is_wanted(name) {
                continue;
            }
            // Another process may have removed it in the meantime.
            let Ok(stat) = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            let changed = Duration::new(stat.st_mtime.try_into().unwrap_or(0), stat.st_mtime_nsec as u32);
            entries.push(Entry { name: name.to_owned(), bytes: stat.st_size.unsigned_abs(), changed });
        }
        Ok(entries)
    }
}

fn belongs_to_user(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw()
}

fn is_writable_by_others(metadata: &Metadata) -> bool {
    metadata.mode() & 0o022 != 0
}
