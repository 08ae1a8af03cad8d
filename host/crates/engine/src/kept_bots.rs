//! The components of a season, next to its journal: `FILE.bots/` has each once, by its SHA-256. With it, a season can be verified
//! on another machine, and a bot whose new file is refused plays on as it was.

use crate::builtin;
use crate::error::Error;
use arena_files::FileError;
use arena_text::shown;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The ending of the file that is left of a component that was deleted on purpose, instead of `wasm`.
pub const DELETED: &str = "deleted";

/// The folder with the components of a journal.
#[derive(Clone, Debug)]
pub struct KeptBots(PathBuf);

impl KeptBots {
    /// The folder of this journal.
    pub fn of(journal: &Path) -> Self {
        Self(journal.with_added_extension("bots"))
    }

    /// The folder, if it exists.
    pub fn folder(&self) -> Option<&Path> {
        self.0.is_dir().then_some(self.0.as_path())
    }

    /// The component with this hash, if it is kept.
    pub fn find(&self, sha256: &str) -> Option<PathBuf> {
        let path = self.path_of(sha256)?;
        path.is_file().then_some(path)
    }

    /// The bytes of the component with this hash; `None` if it is not kept, or if its file has changed.
    ///
    /// # Errors
    /// The file cannot be read, or is larger than this.
    pub fn read(&self, sha256: &str, bytes_max: u64) -> Result<Option<Vec<u8>>, FileError> {
        let Some(path) = self.find(sha256) else { return Ok(None) };
        let bytes = arena_files::read(&path, bytes_max)?;
        Ok((HEXLOWER.encode(&Sha256::digest(&bytes)) == sha256).then_some(bytes))
    }

    /// Keeps the component in a file, which has this hash, unless it is kept already. Returns false if the file has changed, and
    /// so is not kept.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, file: &Path, sha256: &str, bytes_max: u64) -> Result<bool, Error> {
        let Some(path) = self.path_of(sha256) else { return Ok(false) };
        if path.exists() {
            return Ok(true);
        }
        let Ok(bytes) = builtin::read(file, bytes_max) else { return Ok(false) };
        if HEXLOWER.encode(&Sha256::digest(&bytes)) != sha256 {
            return Ok(false);
        }
        self.write(&path, &bytes).map(|()| true).map_err(|error| {
            let what = format!("cannot keep the bots of the season in {}", shown(&self.0));
            Error::machine(what, error, "leave them out with --no-keep-bots")
        })
    }

    /// Deletes the component with this hash, and leaves a note that it was deleted on purpose. Returns false if it is not kept.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn delete(&self, sha256: &str) -> io::Result<bool> {
        let Some(path) = self.find(sha256) else { return Ok(false) };
        fs::write(path.with_extension(DELETED), "")?;
        fs::remove_file(path)?;
        Ok(true)
    }

    /// True if the component with this hash was kept, and was deleted on purpose.
    pub fn is_deleted(&self, sha256: &str) -> bool {
        let path = self.path_of(sha256);
        path.is_some_and(|path| !path.exists() && path.with_extension(DELETED).exists())
    }

    /// True if components were kept, and all were deleted on purpose.
    pub fn is_all_deleted(&self) -> bool {
        let mut endings = Vec::new();
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            endings.extend(entry.path().extension().map(ToOwned::to_owned));
        }
        !endings.is_empty() && endings.iter().all(|ending| ending == DELETED)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Only this folder: if the folders around it are missing, there is no journal either.
        match fs::create_dir(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let partial = path.with_added_extension("part");
        fs::write(&partial, bytes)?;
        fs::rename(&partial, path)?;
        match fs::remove_file(path.with_extension(DELETED)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The place of a component; `None` when this is no hash, which a journal may claim.
    fn path_of(&self, sha256: &str) -> Option<PathBuf> {
        let is_hash = HEXLOWER.decode(sha256.as_bytes()).is_ok_and(|hash| hash.len() == 32);
        is_hash.then(|| self.0.join(sha256).with_extension("wasm"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_that_is_deleted_leaves_a_note_until_it_is_kept_again() {
        let place = tempfile::tempdir().unwrap();
        let kept = KeptBots::of(&place.path().join("a.db"));
        let file = place.path().join("bot.wasm");
        fs::write(&file, "bot").unwrap();
        let hash = HEXLOWER.encode(&Sha256::digest("bot"));
        assert!(!kept.delete(&hash).unwrap() && !kept.is_deleted(&hash), "it was never kept");
        kept.keep(&file, &hash, 100).unwrap();
        assert!(!kept.is_deleted(&hash));
        assert!(kept.delete(&hash).unwrap() && kept.is_deleted(&hash) && kept.find(&hash).is_none());
        assert!(!kept.delete("../bot").unwrap() && !kept.is_deleted("../bot"));
        kept.keep(&file, &hash, 100).unwrap();
        fs::remove_file(kept.find(&hash).unwrap()).unwrap();
        assert!(!kept.is_deleted(&hash), "it is lost, and was not deleted");
    }

    #[test]
    fn a_component_is_kept_once_and_only_if_it_has_the_hash() {
        let place = tempfile::tempdir().unwrap();
        let kept = KeptBots::of(&place.path().join("a.db"));
        let file = place.path().join("bot.wasm");
        fs::write(&file, "bot").unwrap();
        let hash = HEXLOWER.encode(&Sha256::digest("bot"));
        assert!(kept.folder().is_none() && kept.find(&hash).is_none());
        assert!(!kept.keep(&file, &"0".repeat(64), 100).unwrap());
        assert!(!kept.keep(&file, "../../escape", 100).unwrap());
        assert!(!kept.keep(&file, &hash, 2).unwrap(), "it is larger than a component may be");
        assert!(kept.keep(&file, &hash, 100).unwrap());
        fs::remove_file(&file).unwrap();
        assert!(kept.keep(&file, &hash, 100).unwrap(), "it is there already");
        assert_eq!(kept.read(&hash, 3).unwrap().as_deref(), Some(&b"bot"[..]));
        assert!(kept.read(&hash, 2).is_err(), "it is larger than a component may be");
        fs::write(kept.find(&hash).unwrap(), "bat").unwrap();
        assert_eq!(kept.read(&hash, 3).unwrap(), None, "it has changed");
    }
}
