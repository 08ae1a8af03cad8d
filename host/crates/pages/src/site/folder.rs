//! The folder of a site. It is written whole or not at all.
//!
//! The pages go to a new folder next to it, `SITE.part`, which then replaces it in one step. So a published site is the old
//! one or the new one at any time, and a full disk or Ctrl-C leaves the old one.

use super::SiteError;
use crate::layout::{MARKER, Page, is_of_a_site};
use arena_engine::Error;
use arena_platform::folders;
use arena_text::shown;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The next step when the disk fails.
const NEXT: &str = "name another folder; nothing has been replaced";

/// A site that is being written.
pub struct SiteFolder {
    /// The folder as the user named it.
    named: PathBuf,
    /// The folder to replace or to make.
    target: PathBuf,
    /// The folder that is written, until it takes the place of the other.
    part: Option<PathBuf>,
    /// The marker in it, locked: two reports cannot write one site. It is closed when the folder cannot be renamed otherwise.
    lock: Option<File>,
}

impl SiteFolder {
    /// Begins to write the site of this folder, which is untouched until the end.
    ///
    /// # Errors
    /// The folder has something else in it, another report writes it, or the disk fails.
    pub fn begin(path: &Path) -> Result<Self, SiteError> {
        let target = whole_path(path).map_err(|error| failure(path, error))?;
        if target.exists() {
            require_site(&target, path)?;
        }
        let part = target.with_added_extension("part");
        // A killed report may have left one.
        if part.exists() {
            require_site(&part, &path.with_added_extension("part"))?;
        }
        let made = arena_files::make_folder(&part).and_then(|()| File::create(part.join(MARKER)));
        let lock = made.map_err(|error| failure(path, error))?;
        match arena_platform::locks::take(&lock) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SiteError::InUse { site: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failure(path, error).into()),
        }
        let site = Self { named: path.to_owned(), target, part: Some(part), lock: Some(lock) };
        empty(site.part()).map_err(|error| failure(path, error))?;
        Ok(site)
    }

    /// Writes a page. Several threads may do so. A page that the old site has with the same bytes is kept as that file, with its
    /// time, so that copying tools and browsers see what has changed.
    ///
    /// # Errors
    /// The disk fails.
    pub fn put(&self, page: &Page) -> Result<(), Error> {
        let path = self.part().join(&page.path);
        let folder = path.parent().unwrap_or(self.part());
        let old = self.target.join(&page.path);
        let is_same = self.old(&page.path, page.bytes.len() as u64).is_some_and(|bytes| bytes == page.bytes);
        let written = arena_files::make_folder(folder).and_then(|()| {
            // The marker is there already, and on Windows only its lock can write it.
            if let Some(mut marker) = self.lock.as_ref().filter(|_| page.path == MARKER) {
                return marker.write_all(&page.bytes);
            }
            // Not every file system has hard links.
            if is_same && fs::hard_link(&old, &path).is_ok() {
                return Ok(());
            }
            fs::write(&path, &page.bytes)
        });
        written.map_err(|error| failure(&self.named.join(&page.path), error))
    }

    /// The places of a file of the site: in the old site, where it need not exist, and in the new one, in whose folder it can be
    /// written.
    ///
    /// # Errors
    /// The disk fails.
    pub fn places(&self, path: &str) -> Result<[PathBuf; 2], Error> {
        let new = self.part().join(path);
        let folder = new.parent().unwrap_or(self.part());
        arena_files::make_folder(folder).map_err(|error| failure(&self.named.join(path), error))?;
        Ok([self.target.join(path), new])
    }

    /// A file of the old site, which may have been altered; `None` when it has no such file, or a larger one than that.
    pub fn old(&self, path: &str, bytes_max: u64) -> Option<Vec<u8>> {
        let old = self.target.join(path);
        let is_file = fs::symlink_metadata(&old).is_ok_and(|old| old.is_file());
        is_file.then(|| arena_files::read(&old, bytes_max).ok()).flatten()
    }

    /// Ends the site: it takes the place of the folder.
    ///
    /// # Errors
    /// The disk fails. The folder is as it was then.
    pub fn finish(mut self) -> Result<(), Error> {
        let part = self.part().to_owned();
        let replaced = folders::write_to_disk(&part)
            .and_then(|()| folders::replace(&self.target, &part, &mut self.lock));
        let old = replaced.map_err(|error| failure(&self.named, error))?;
        self.part = None;
        let Some(old) = old else { return Ok(()) };
        remove(&old).map_err(|error| {
            let what = format!("the site is written, but the old one cannot be removed from {}", shown(&old));
            Error::machine(what, error, "remove that folder yourself")
        })
    }

    fn part(&self) -> &Path {
        self.part.as_deref().expect("the site has not been finished")
    }
}

/// Removes what is in a folder of a site, except its marker.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else if path.file_name().is_none_or(|name| name != MARKER) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Removes a folder of a site. Its marker is the last file, because a report that is killed here leaves a folder that the next one must
/// know as its own.
fn remove(folder: &Path) -> io::Result<()> {
    empty(folder)?;
    fs::remove_dir_all(folder)
}

impl Drop for SiteFolder {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // It is incomplete, and of no use. The reason has been reported already.
            let _ = remove(part);
        }
    }
}

/// The path of a folder with all links followed, so that a link to a site is not replaced by one. Folders above it are made.
fn whole_path(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        return dunce::canonicalize(path);
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    arena_files::make_folder(above)?;
    Ok(dunce::canonicalize(above)?.join(name))
}

/// Requires that a folder is empty, or a site with nothing else in it.
fn require_site(folder: &Path, named: &Path) -> Result<(), SiteError> {
    let site = named.to_owned();
    if !folder.is_dir() {
        return Err(SiteError::NotAFolder { site });
    }
    let files = files(folder, "").map_err(|error| failure(named, error))?;
    let other = files.iter().find(|path| !is_of_a_site(path));
    if !files.is_empty() && !files.iter().any(|path| path == MARKER) {
        return Err(SiteError::OtherFiles { folder: site });
    }
    match other {
        None => Ok(()),
        Some(file) => Err(SiteError::OtherFile { site, file: file.into() }),
    }
}

/// The paths of all files in a folder, with `/` between their parts. A link is a file.
fn files(folder: &Path, before: &str) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            paths.extend(files(&entry.path(), &format!("{path}/"))?);
        } else {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn failure(path: &Path, error: io::Error) -> Error {
    Error::machine(format!("cannot write {}", shown(path)), error, NEXT)
}
