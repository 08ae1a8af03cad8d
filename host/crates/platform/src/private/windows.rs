//! Folders of this user on Windows, by their paths: what lies in a user's profile is that user's alone.

use super::{Entry, Unusable, since_1970};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    pub(super) fn open(path: &Path) -> Result<Self, Unusable> {
        fs::create_dir_all(path).map_err(Unusable::Create)?;
        let found = fs::symlink_metadata(path).map_err(Unusable::Examine)?;
        if found.is_dir() { Ok(Self(path.to_owned())) } else { Err(Unusable::NotAFolder) }
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.0.join(name);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Ok(None);
        }
        // Its time can only be set by those who may write.
        OpenOptions::new().read(true).write(true).open(path).map(Some)
    }

    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(super) fn entries(&self, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for found in fs::read_dir(&self.0)? {
            let found = found?;
            let Ok(name) = found.file_name().into_string() else { continue };
            if !is_wanted(&name) {
                continue;
            }
            // Another process may have removed it in the meantime.
            let Ok(metadata) = found.metadata() else { continue };
            let changed = metadata.modified().map(since_1970).unwrap_or_default();
            entries.push(Entry { name, bytes: metadata.len(), changed });
        }
        Ok(entries)
    }
}
