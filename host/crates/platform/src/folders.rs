//! Folders that are replaced whole, and written to the disk.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder that is to be kept: it is readable like any other.
///
/// # Errors
/// The system refuses it.
pub fn temporary(prefix: &str, parent: &Path) -> io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    folder.prefix(prefix);
    // The user's mask removes permissions.
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    folder.tempdir_in(parent)
}

/// Makes a folder one that only its user can look into. On Windows, it keeps the permissions of the folder above it.
///
/// # Errors
/// The system refuses it.
pub fn make_private(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    #[cfg(windows)]
    fs::metadata(folder)?;
    Ok(())
}

/// Renames a folder to a path that names nothing, or an empty folder.
///
/// # Errors
/// The system refuses it, or something is in the other folder.
pub fn rename_to_free(folder: &Path, to: &Path) -> io::Result<()> {
    // Windows replaces no folder. This removes only an empty one.
    #[cfg(windows)]
    let _ = fs::remove_dir(to);
    fs::rename(folder, to)
}

/// Puts a new folder in the place of another, which need not exist. Returns the place of the old one. Where the file system can exchange
/// two folders, there is a folder of this name at any time. `lock` is an open file in the new folder; it is closed where it must be.
///
/// # Errors
/// The system refuses it. The folders are as before.
pub fn replace(target: &Path, new: &Path, lock: &mut Option<File>) -> io::Result<Option<PathBuf>> {
    // Windows renames no folder in which a file is open.
    if cfg!(windows) {
        *lock = None;
    }
    if !target.exists() {
        fs::rename(new, target)?;
        return Ok(None);
    }
    if exchange(target, new)? {
        return Ok(Some(new.to_owned()));
    }
    let old = target.with_added_extension("old");
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(new, target) {
        fs::rename(&old, target)?;
        return Err(error);
    }
    Ok(Some(old))
}

/// Exchanges two folders. False if the system or the file system cannot.
#[cfg(unix)]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(windows)]
fn exchange(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Writes all that is in a folder to the disk.
///
/// # Errors
/// The disk fails.
pub fn write_to_disk(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(File::open(folder)?)?;
    // macOS can only be asked for all disks.
    #[cfg(target_os = "macos")]
    {
        fs::metadata(folder)?;
        rustix::fs::sync();
    }
    #[cfg(windows)]
    for entry in fs::read_dir(folder)? {
        let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        if kind.is_dir() {
            write_to_disk(&path)?;
        } else {
            fs::OpenOptions::new().write(true).open(&path)?.sync_all()?;
        }
    }
    Ok(())
}

/// The beginning of a path in [the user's folder for caches](of_caches), as a help text shows it.
pub const CACHES: &str = if cfg!(windows) {
    "%LOCALAPPDATA%\\"
} else if cfg!(target_os = "macos") {
    "~/Library/Caches/"
} else {
    "~/.cache/"
};

/// The user's folder for caches; `None` when the user has none, or has no home. Linux has it by the XDG base directories.
pub fn of_caches() -> Option<PathBuf> {
    of_caches_by(|name| std::env::var_os(name))
}

fn of_caches_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below =
        |name: &str, folder: &str| absolute(name).filter(|home| home.is_dir()).map(|it| it.join(folder));
    if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        below("HOME", "Library/Caches")
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| below("HOME", ".cache"))
    }
}

/// The free space of the disk of a path, in bytes; `None` when it is unknown.
pub fn free_bytes(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(path).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(windows)]
    {
        let _ = path;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a file of this text in it.
    fn with_file(folder: &Path, text: &str) {
        fs::create_dir(folder).expect("its name is free");
        fs::write(folder.join("file"), text).expect("there is room");
    }

    #[test]
    fn a_folder_takes_the_place_of_another_which_is_kept_also_while_a_file_in_it_is_locked() {
        let place = tempfile::tempdir().expect("there is room");
        let (target, new) = (place.path().join("site"), place.path().join("new"));
        for (text, before) in [("first", None), ("second", Some("first"))] {
            with_file(&new, text);
            let mut lock = Some(File::create(new.join("lock")).expect("there is room"));
            write_to_disk(&new).expect("the disk works");
            let old = replace(&target, &new, &mut lock).expect("both can be renamed");
            let read = |folder: &Path| fs::read_to_string(folder.join("file")).expect("it is there");
            assert_eq!(read(&target), text);
            assert_eq!(old.as_deref().map(read).as_deref(), before);
        }
    }

    #[test]
    fn a_folder_takes_a_name_that_is_free_or_that_of_an_empty_folder_alone() {
        let place = tempfile::tempdir().expect("there is room");
        let (empty, full) = (place.path().join("empty"), place.path().join("full"));
        fs::create_dir(&empty).expect("its name is free");
        with_file(&full, "text");
        for (to, is_free) in [(&place.path().join("free"), true), (&empty, true), (&full, false)] {
            let new = temporary(".new-", place.path()).expect("there is room");
            assert_eq!(rename_to_free(new.path(), to).is_ok(), is_free, "{}", to.display());
            assert!(to.exists());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_folder_for_caches_is_the_one_that_is_named_or_in_the_home_of_the_user_if_that_exists() {
        let folder = |xdg: Option<&str>, home: Option<&str>| {
            let found = of_caches_by(|name| if name == "HOME" { home } else { xdg }.map(OsString::from));
            found.map(|path| path.to_string_lossy().into_owned())
        };
        assert_eq!(folder(Some("/caches"), Some("/")).as_deref(), Some("/caches"));
        for none in [None, Some(""), Some("relative")] {
            assert_eq!(folder(none, Some("/")).as_deref(), Some("/.cache"));
            for home in [None, Some(""), Some("."), Some("/there/is/no/such/home")] {
                assert_eq!(folder(none, home), None);
            }
        }
    }
}
