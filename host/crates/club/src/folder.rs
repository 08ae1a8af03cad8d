//! The folder of a club.

use crate::error::ClubError;
use crate::token;
use arena_engine::Error;
use arena_engine::JournalContent;
use arena_engine::internals::seed;
use arena_files::FileError;
use arena_record::RecordedSeed;
use arena_store::{Invited, Register, RegisterError};
use arena_text::shown;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The journal of the season. The names of the files next to it begin with this one.
pub(crate) const JOURNAL: &str = "season.db";

/// The register.
pub(crate) const REGISTER: &str = "club.db";

/// The folder of the pages.
pub(crate) const SITE: &str = "site";

/// The folder of what bots have printed in the games of the season.
pub(crate) const LOGS: &str = "logs";

/// The folder of a club: its register, its journal, its components and its pages.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The club in this folder, which need not exist.
    pub fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The journal of the season.
    pub fn journal(&self) -> PathBuf {
        self.0.join(JOURNAL)
    }

    /// The folder of the pages.
    pub fn site(&self) -> PathBuf {
        self.0.join(SITE)
    }

    /// The folder of what bots have printed in their games.
    pub(crate) fn logs(&self) -> PathBuf {
        self.0.join(LOGS)
    }

    /// The folder of the components.
    pub fn bots(&self) -> PathBuf {
        self.0.join("bots")
    }

    /// The place of a component.
    pub(crate) fn bot(&self, sha256: &str) -> PathBuf {
        self.bots().join(sha256).with_extension("wasm")
    }

    fn register_path(&self) -> PathBuf {
        self.0.join(REGISTER)
    }

    /// Makes the folder, or opens the one that is there.
    ///
    /// # Errors
    /// The folder has something else in it, or cannot be written.
    pub(crate) fn make(&self) -> Result<Register, ClubError> {
        let is_new = !self.register_path().exists();
        let is_used = is_new && self.0.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_used {
            return Err(ClubError::OtherFiles { folder: self.0.clone() });
        }
        self.require_content()?;
        arena_files::make_folder(&self.bots()).map_err(|error| self.unwritable(&self.bots(), error))?;
        Register::open(&self.register_path()).map_err(|error| self.failure(error))
    }

    /// Opens the register of a club that exists.
    ///
    /// # Errors
    /// There is no club.
    pub(crate) fn register(&self) -> Result<Register, ClubError> {
        self.require_content()?;
        Register::open_existing(&self.register_path()).map_err(|error| self.failure(error))
    }

    /// Checks that the register is not an empty file next to the journal of a season: SQLite would begin a new one in it.
    fn require_content(&self) -> Result<(), ClubError> {
        let is_empty = self.register_path().metadata().is_ok_and(|file| file.len() == 0);
        if is_empty && (self.journal().exists() || self.past_season(1).exists()) {
            return Err(ClubError::EmptyRegister { register: self.register_path() });
        }
        Ok(())
    }

    /// Checks that the journal of the season is there, with all games whose heads are in the log: without it, or with an older one, they
    /// would be played again, with the same seed.
    pub(crate) fn require_journal(&self) -> Result<(), ClubError> {
        let season = self.season()?.number;
        // Before the journal is read: a club that is served adds games first, and then their head.
        let Some(head) = self.last_head(season)? else { return Ok(()) };
        if self.journal().exists() {
            return self.require_head(head);
        }
        Err(ClubError::NoJournal { journal: self.journal(), log: self.heads(), season })
    }

    /// The failure of the register.
    pub(crate) fn failure(&self, error: RegisterError) -> ClubError {
        let register = self.register_path();
        match error {
            RegisterError::Missing => ClubError::NoClub { folder: self.0.clone() },
            RegisterError::Full | RegisterError::Io(_) | RegisterError::Busy => {
                let next = "make room, or check the permissions of the folder";
                Error::machine(format!("cannot use {}", shown(&register)), error, next).into()
            }
            error => ClubError::WrongRegister { register, error },
        }
    }

    /// The failure to write something in the folder.
    pub(crate) fn unwritable(&self, path: &Path, error: io::Error) -> ClubError {
        let next = "check the permissions, or name another folder";
        Error::machine(format!("cannot write {}", shown(path)), error, next).into()
    }

    /// Locks the club: one process serves it, or ends or begins a season.
    ///
    /// # Errors
    /// Another process has it.
    pub(crate) fn lock(&self) -> Result<File, ClubError> {
        let path = self.0.join("lock");
        let file = arena_files::open_or_create_private(&path).map_err(FileError::into);
        let file: File = file.map_err(|error: io::Error| self.unwritable(&path, error))?;
        match arena_platform::locks::take(&file) {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ClubError::InUse { folder: self.0.clone() }),
            Err(TryLockError::Error(error)) => Err(self.unwritable(&path, error)),
        }
    }

    /// Removes the uploads that a stopped process has left.
    pub(crate) fn clean(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.bots())? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "part") {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// The hash of the season's secret seed, which is drawn now if there is none. It can be published before the first game.
    ///
    /// # Errors
    /// The secret is lost or cannot be written.
    pub fn commitment(&self) -> Result<String, ClubError> {
        let journal = self.journal();
        self.require_journal()?;
        let Some(season) = JournalContent::read_begun(&journal)? else {
            return Ok(seed::commit(&journal)?.digits());
        };
        match season.tournament.conditions.seed {
            RecordedSeed::Secret(commitment) => Ok(commitment.digits()),
            RecordedSeed::Open(_) => Err(ClubError::OpenSeed { journal }),
        }
    }

    /// Enters authors, and returns their new tokens: `None` for an author who has one, and keeps it. The club is made if there is none.
    ///
    /// # Errors
    /// A name is wrong or like another one, and no author is entered; or the register cannot be written.
    pub(crate) fn invite_all(&self, names: &[String]) -> Result<Vec<Option<String>>, ClubError> {
        if let Some(wrong) = names.iter().find(|name| !token::is_name(name)) {
            return Err(ClubError::WrongName { name: wrong.clone() });
        }
        let tokens = names.iter().map(|_| token::fresh()).collect::<Result<Vec<String>, _>>()?;
        let hashes = tokens.iter().map(|token| token::hash(token));
        let authors = names.iter().map(String::as_str).zip(hashes);
        let all = self.make()?.invite_all(authors).map_err(|error| self.failure(error))?;
        if let Some((Invited::Alike(other), name)) = all.iter().zip(names).next_back() {
            return Err(ClubError::SimilarAuthor { name: name.clone(), other: other.clone() });
        }
        Ok(all.iter().zip(tokens).map(|(invited, token)| invited.is_done().then_some(token)).collect())
    }

    /// Revokes the token of an author. The author's bot then does not play, and its games stay.
    ///
    /// # Errors
    /// There is no such author, or the register cannot be written.
    pub(crate) fn revoke(&self, name: &str) -> Result<(), ClubError> {
        match self.register()?.revoke(name).map_err(|error| self.failure(error))? {
            true => Ok(()),
            false => Err(ClubError::NoToken { name: name.to_owned() }),
        }
    }

    /// Disqualifies an author for a reason: the author's bot plays no more, and its games stay. With `None`, it plays again.
    ///
    /// # Errors
    /// There is no such author, or the register cannot be written.
    pub(crate) fn disqualify(&self, name: &str, reason: Option<&str>) -> Result<(), ClubError> {
        if reason.is_some_and(|reason| reason.trim().is_empty()) {
            return Err(ClubError::NoReason);
        }
        if self.register()?.disqualify(name, reason).map_err(|error| self.failure(error))? {
            return Ok(());
        }
        Err(match reason {
            Some(_) => self.unknown_author(name),
            None => ClubError::NotDisqualified { name: name.to_owned() },
        })
    }

    /// The refusal of a name that no author has.
    pub(crate) fn unknown_author(&self, name: &str) -> ClubError {
        ClubError::UnknownAuthor { name: name.to_owned(), folder: self.0.clone() }
    }
}
