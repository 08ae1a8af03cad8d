//! A copy of a club in one file, made also while the club is served, and the club that is made from it.
//!
//! The file is a tar archive. It has the secret of the season, so only its user can read it. The pages are not in it, because they are
//! written again from the journal.

use crate::error::ClubError;
use crate::folder::{Folder, JOURNAL, REGISTER};
use arena_engine::JournalContent;
use arena_engine::internals::kept_bots::DELETED;
use arena_engine::internals::seed;
use arena_engine::{Error, StoredSeason};
use arena_files::FileError;
use arena_store::{JournalError, Reader, Register, RegisterError};
use arena_text::shown;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tar::{Archive, Builder, HeaderMode};
use tempfile::{NamedTempFile, TempDir};

/// The number of times that a backup is begun again because a component was removed meanwhile. Chosen: that takes milliseconds.
const TRIES: u32 = 5;

/// The reason why a backup fails.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Register(#[from] RegisterError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another season has begun meanwhile.
    #[error("another season has begun meanwhile")]
    Changed,
    /// A component is missing.
    #[error("the component {0} is missing")]
    Missing(String),
    /// The content of a backup is not what the arena writes into one.
    #[error("{0}")]
    Wrong(String),
}

impl From<FileError> for Problem {
    fn from(error: FileError) -> Self {
        Self::Io(error.into())
    }
}

impl Folder {
    /// Copies the club to a new file. It may be served meanwhile.
    ///
    /// # Errors
    /// There is no club, the file exists, or something cannot be read or written.
    pub fn back_up(&self, to: &Path) -> Result<(), ClubError> {
        let register = self.register()?;
        if to.symlink_metadata().is_ok() {
            return Err(ClubError::FileExists { file: to.to_owned() });
        }
        let mut tries = 0;
        let written = loop {
            tries += 1;
            match self.write_backup(&register, to) {
                // It was refused after the copy of the register was made, or a season has begun.
                Err(Problem::Missing(_) | Problem::Changed) if tries < TRIES => {}
                written => break written,
            }
        };
        written.map_err(|problem| {
            if let Problem::Wrong(_) | Problem::Journal(JournalError::Damaged { .. }) = problem {
                return ClubError::Damaged { folder: self.path().to_owned(), why: problem.to_string() };
            }
            let what = format!("cannot back up {} to {}", shown(self.path()), shown(to));
            let failure = match problem {
                Problem::Io(error) => {
                    Error::machine(what, error, "check the permissions, or name another file")
                }
                other => {
                    Error::machine(what, other, "make room, check the permissions, or name another file")
                }
            };
            failure.into()
        })
    }

    fn write_backup(&self, register: &Register, to: &Path) -> Result<(), Problem> {
        let target = folder_of(to);
        let copies = TempDir::new_in(target)?;
        let mut file = NamedTempFile::new_in(target)?;
        let mut archive = Builder::new(file.as_file_mut());
        archive.mode(HeaderMode::Deterministic);
        // The log of heads before the journal: a head is added after its games. The secret before the journal: it is removed after it is
        // revealed in the journal. The journal before the register: a bot that has played is then a version.
        let heads = copies.path().join("heads.txt");
        match fs::copy(self.heads(), &heads) {
            Ok(_) => archive.append_file("heads.txt", &mut File::open(heads)?)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let secret = next_to(&self.journal(), "seed");
        match File::open(&secret) {
            Ok(mut secret) => archive.append_file("season.db.seed", &mut secret)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let season = register.season()?.number;
        let earlier = (1..season).map(|number| format!("seasons/{number}/season.db"));
        for name in earlier.chain([JOURNAL.to_owned()]) {
            let journal = self.path().join(&name);
            if name == JOURNAL {
                self.require_journal().map_err(wrong)?;
            }
            if !journal.exists() {
                if name != JOURNAL {
                    return Err(Problem::Wrong(format!("{} is missing", shown(&journal))));
                }
                continue;
            }
            let copy = copies.path().join(JOURNAL);
            Reader::open(&journal)?.copy_to(&copy, &copies.path().join("none"))?;
            // A backup is useless if it cannot be restored.
            read_whole(&copy).map_err(wrong)?;
            archive.append_file(&name, &mut File::open(&copy)?)?;
            fs::remove_file(copy)?;
            let (kept, name) = (next_to(&journal, "bots"), next_to(Path::new(&name), "bots"));
            for entry in if kept.is_dir() { sorted(&kept)? } else { Vec::new() } {
                let name = name.join(entry.file_name().unwrap_or_default());
                // Others are being written.
                if is_of_backup(&name) {
                    let mut file =
                        arena_files::open(&entry).map_err(|error| match io::Error::from(error) {
                            // It was deleted meanwhile.
                            error if error.kind() == io::ErrorKind::NotFound => {
                                Problem::Missing(shown(&entry).to_string())
                            }
                            error => error.into(),
                        })?;
                    archive.append_file(&name, &mut file)?;
                }
            }
        }
        let copy = copies.path().join(REGISTER);
        register.copy_to(&copy)?;
        if register.season()?.number != season {
            return Err(Problem::Changed);
        }
        for sha256 in Register::open_existing(&copy)?.needed()? {
            match File::open(self.bot(&sha256)) {
                Ok(mut bot) => archive.append_file(format!("bots/{sha256}.wasm"), &mut bot)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(Problem::Missing(sha256));
                }
                Err(error) => return Err(error.into()),
            }
        }
        archive.append_file(REGISTER, &mut File::open(copy)?)?;
        archive.into_inner()?.sync_all()?;
        file.persist_noclobber(to).map_err(|error| error.error)?;
        File::open(target)?.sync_all()?;
        Ok(())
    }

    /// Makes the club from a backup. It is checked first, and then the folder is there as a whole.
    ///
    /// # Errors
    /// The folder has files already, the backup is damaged or something else, or the folder cannot be written.
    pub fn restore(&self, from: &Path) -> Result<(), ClubError> {
        let is_used = match self.path().read_dir() {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => self.path().symlink_metadata().is_ok(),
        };
        if is_used {
            return Err(ClubError::FolderExists { folder: self.path().to_owned() });
        }
        let around = folder_of(self.path());
        if !around.is_dir() {
            return Err(ClubError::NoFolder { folder: around.to_owned() });
        }
        let file = arena_files::open(from).map_err(|error| {
            Error::unreadable(shown(from), error, "backup", "name a file of `arena club backup`")
        })?;
        let unwritable = |error| self.unwritable(self.path(), error);
        let made = TempDir::new_in(around).map_err(unwritable)?;
        let restored = Self::at(made.path());
        let checked = restored.unpack(file).and_then(|()| restored.check());
        checked.map_err(|problem| match problem {
            Problem::Io(error) if error.kind() == io::ErrorKind::StorageFull => unwritable(error),
            problem => ClubError::WrongBackup { file: from.to_owned(), why: problem.to_string() },
        })?;
        fs::rename(made.path(), self.path()).map_err(unwritable)?;
        // There is nothing left to remove.
        let _ = made.keep();
        Ok(())
    }

    fn unpack(&self, from: File) -> Result<(), Problem> {
        let mut archive = Archive::new(from);
        for entry in archive.entries()? {
            let mut entry = entry?;
            let name = entry.path()?.into_owned();
            if !entry.header().entry_type().is_file() || !is_of_backup(&name) {
                return Err(Problem::Wrong(format!("it has {}", shown(&name))));
            }
            let path = self.path().join(name);
            arena_files::make_folder(folder_of(&path))?;
            if path.exists() {
                return Err(Problem::Wrong(format!("it has {} twice", shown(&path))));
            }
            let mut file = arena_files::open_or_create_private(&path)?;
            let copied = io::copy(&mut entry, &mut file)?;
            if copied != entry.size() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            file.sync_all()?;
        }
        Ok(())
    }

    /// Checks everything that was unpacked: the register with its components, and the journal with its chain and its secret.
    fn check(&self) -> Result<(), Problem> {
        let register = Register::open_existing(&self.path().join(REGISTER)).map_err(|error| match error {
            RegisterError::Missing => Problem::Wrong("it is cut off".into()),
            error => error.into(),
        })?;
        arena_files::make_folder(&self.bots())?;
        let season = register.season()?.number;
        let earlier: Vec<PathBuf> = (1..season).map(|number| self.past_journal(number)).collect();
        let journals = earlier.iter().cloned().chain([self.journal()]);
        for folder in journals.map(|journal| next_to(&journal, "bots")).chain([self.bots()]) {
            for component in if folder.is_dir() { sorted(&folder)? } else { Vec::new() } {
                if component.extension().is_some_and(|ending| ending == DELETED) {
                    continue;
                }
                let mut hash = Sha256::new();
                io::copy(&mut File::open(&component)?, &mut hash)?;
                let name = HEXLOWER.encode(&hash.finalize());
                if component.file_stem().is_none_or(|stem| *stem != *name) {
                    return Err(Problem::Wrong(format!("a component has changed: {}", shown(&component))));
                }
            }
        }
        if let Some(missing) = register.needed()?.into_iter().find(|sha256| !self.bot(sha256).exists()) {
            return Err(Problem::Missing(missing));
        }
        for journal in &earlier {
            StoredSeason::read(journal).map_err(wrong)?;
        }
        self.require_journal().map_err(wrong)?;
        let Some(begun) = read_whole(&self.journal()).map_err(wrong)? else { return Ok(()) };
        if begun.revealed_seed.is_none() {
            seed::secret_of(&self.journal(), begun.tournament.conditions.seed).map_err(wrong)?;
        }
        Ok(())
    }
}

/// The problem of a backup whose content is wrong for this reason.
fn wrong(error: impl std::error::Error) -> Problem {
    Problem::Wrong(error.to_string())
}

/// Reads all of a journal, and checks its chain; `None` if it has not begun.
fn read_whole(journal: &Path) -> Result<Option<JournalContent>, Error> {
    let begun = JournalContent::read_begun(journal)?;
    if begun.as_ref().is_some_and(|begun| !begun.stages.is_empty()) {
        StoredSeason::read(journal)?;
    }
    Ok(begun)
}

/// The file with this ending next to a journal.
fn next_to(journal: &Path, ending: &str) -> PathBuf {
    journal.with_added_extension(ending)
}

/// The folder in which a path is.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The entries of a folder, in the order of their names.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

/// True for the name of a file that the arena writes into a backup.
fn is_of_backup(name: &Path) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_of_component = |name: &str, ending: &str| {
        name.strip_suffix(ending).is_some_and(|hash| {
            hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    };
    let is_component = |name: &str| is_of_component(name, ".wasm");
    // One that was deleted is noted there.
    let is_kept = |name: &str| is_component(name) || is_of_component(name, ".deleted");
    let is_number =
        |text: &str| text.parse::<u32>().is_ok_and(|number| number > 0 && number.to_string() == text);
    match name.split('/').collect::<Vec<_>>()[..] {
        [file] => matches!(file, REGISTER | JOURNAL | "season.db.seed" | "heads.txt"),
        ["bots", file] => is_component(file),
        ["season.db.bots", file] => is_kept(file),
        ["seasons", season, JOURNAL] => is_number(season),
        ["seasons", season, "season.db.bots", file] => is_number(season) && is_kept(file),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support;

    #[test]
    fn a_backup_has_the_files_of_a_club_and_no_others() {
        let hash = "0a".repeat(32);
        for name in ["club.db", "season.db", "season.db.seed", "heads.txt", "seasons/12/season.db"] {
            assert!(is_of_backup(Path::new(name)), "{name}");
        }
        for folder in ["bots", "season.db.bots", "seasons/1/season.db.bots"] {
            assert!(is_of_backup(&Path::new(folder).join(format!("{hash}.wasm"))), "{folder}");
        }
        let wrong = [
            format!("/{hash}.wasm"),
            format!("bots/../{hash}.wasm"),
            format!("site/{hash}.wasm"),
            format!("seasons/../season.db.bots/{hash}.wasm"),
            "seasons/01/season.db".to_owned(),
            "seasons/0/season.db".to_owned(),
            "seasons/1/season.db.seed".to_owned(),
        ];
        for name in
            wrong.iter().map(String::as_str).chain(["", "lock", "/club.db", "../club.db", "bots/a.wasm"])
        {
            assert!(!is_of_backup(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_club_without_the_file_of_a_bot_is_backed_up_in_no_file() {
        let setting = support::club(ClubOptions::default());
        let version = setting.admit(&setting.author("ann"), &support::bot("builtin:random", 100));
        let place = tempfile::tempdir().expect("there is room");
        let backed_up = |name: &str| setting.folder.back_up(&place.path().join(name));
        backed_up("whole.tar").expect("all is there");
        assert!(matches!(backed_up("whole.tar"), Err(ClubError::FileExists { .. })));
        fs::remove_file(setting.folder.bot(&version.sha256)).expect("it is there");
        let why = backed_up("not-whole.tar").expect_err("the bot is gone").to_string();
        assert!(why.contains(&format!("the component {}", version.sha256)), "{why}");
        assert_eq!(fs::read_dir(place.path()).expect("it is there").count(), 1);
    }
}
