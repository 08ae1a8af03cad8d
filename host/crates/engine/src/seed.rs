//! The random seed of a run: drawn afresh, given by the user, taken from a journal, or kept secret until the last game.

use crate::error::Error;
use crate::journal::Past;
use arena_files::FileError;
use arena_players::RunSeed;
use arena_record::{Commitment, RecordedSeed, Seed, SeedError};
use arena_text::shown;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The random seed that a user asks `arena run` for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedChoice {
    /// This one.
    Given(Seed),
    /// A fresh one, which is told after the last game.
    Secret,
}

/// The seed that was asked for; a fresh one if none was.
///
/// # Errors
/// The system has no random numbers.
pub fn given_or_fresh(asked: Option<Seed>) -> Result<RunSeed, Error> {
    asked.map_or_else(fresh, Ok).map(RunSeed::from)
}

/// The seed of `arena run`: that of the journal if it continues one, unless another one is asked for.
///
/// # Errors
/// A secret that cannot be kept, a journal that cannot be read, or one whose secret seed is lost.
pub fn of_run(
    asked: Option<SeedChoice>,
    journal: Option<&Path>,
    past: Option<&Past>,
) -> Result<RunSeed, Error> {
    let asked = match asked {
        Some(SeedChoice::Given(seed)) => return given_or_fresh(Some(seed)),
        other => other,
    };
    match (journal, past, asked) {
        (Some(journal), Some(past), _) => continued(journal, past, asked),
        (_, None, None) => given_or_fresh(None),
        (Some(journal), None, _) => {
            // A run that was stopped before it made its journal has left a seed that nobody has seen.
            let seed = match SecretFile::beside(journal).read()? {
                Some(seed) => seed,
                None => fresh()?,
            };
            Ok(RunSeed { seed, recorded: RecordedSeed::Secret(Commitment::to(&seed)), told: false })
        }
        (None, ..) => Err(Error::usage(
            "--seed secret needs a journal, which has the hash of the seed before the first game",
            "add --journal FILE",
        )),
    }
}

/// The seed of a journal that is continued.
fn continued(journal: &Path, past: &Past, asked: Option<SeedChoice>) -> Result<RunSeed, Error> {
    let name = shown(journal);
    let (recorded, told) = (past.tournament.conditions.seed, past.told_seed);
    let seed = match recorded {
        RecordedSeed::Open(seed) if asked.is_none() => return Ok(seed.into()),
        RecordedSeed::Open(_) => {
            return Err(Error::usage(
                format!("{name}: the seed of this journal is not secret: it was known before the first game"),
                "leave out --seed to continue it, or name another journal",
            ));
        }
        RecordedSeed::Secret(_) => {
            told.map_or_else(|| SecretFile::beside(journal).read(), |told| Ok(Some(told)))?
        }
    };
    let place = if told.is_some() { name } else { shown(&SecretFile::beside(journal).0) };
    match seed {
        Some(seed) if recorded.is_of(&seed) => Ok(RunSeed { seed, recorded, told: told.is_some() }),
        Some(_) => Err(Error::usage(
            format!("{place}: has another seed than the one whose hash is in the journal"),
            "restore the files of this journal from a copy",
        )),
        None => Err(Error::usage(
            format!("{place}: the secret seed of the journal is not there, so it cannot be continued"),
            "move the file back beside the journal; `arena standings` prints the games so far",
        )),
    }
}

/// A seed that nobody knows.
fn fresh() -> Result<Seed, Error> {
    drawn().map(Seed::of_bytes)
}

/// A number of 64 bits that nobody knows.
///
/// # Errors
/// The system has no random numbers.
pub fn fresh_number() -> Result<u64, Error> {
    drawn().map(u64::from_le_bytes)
}

/// Random bytes from the operating system.
fn drawn<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::machine("the system has no random numbers", error, "repair that, or choose a seed yourself")
    })?;
    Ok(bytes)
}

/// The largest file that is read for a secret seed, in bytes. Chosen: it has 64 digits and a line end.
const FILE_BYTES_MAX: u64 = 128;

/// The file beside a journal with its secret seed, until the seed is told in the journal. Only its user can read it.
pub struct SecretFile(PathBuf);

impl SecretFile {
    /// The file for this journal.
    pub fn beside(journal: &Path) -> Self {
        Self(journal.with_added_extension("seed"))
    }

    /// The seed, if the file exists.
    fn read(&self) -> Result<Option<Seed>, Error> {
        let damaged = |problem: String| {
            Error::usage(format!("{}: {problem}", shown(&self.0)), "restore the file from a copy")
        };
        match arena_files::read(&self.0, FILE_BYTES_MAX) {
            Ok(bytes) => {
                let seed = String::from_utf8_lossy(&bytes).trim_end().parse();
                seed.map(Some).map_err(|error: SeedError| damaged(error.to_string()))
            }
            Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(damaged(error.as_wanted("secret seed"))),
        }
    }

    /// Keeps the seed, unless the file exists already. It is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written. No incomplete file is left under its name.
    pub fn keep(&self, seed: Seed) -> Result<(), Error> {
        if self.0.exists() {
            return Ok(());
        }
        self.write(seed).map_err(|error| {
            let what = format!("cannot write the secret seed to {}", shown(&self.0));
            Error::machine(what, error, "name a journal in a folder that you can write to")
        })
    }

    fn write(&self, seed: Seed) -> io::Result<()> {
        let partial = self.0.with_added_extension("part");
        let mut file = private(&partial)?;
        writeln!(file, "{}", seed.digits())?;
        file.sync_all()?;
        fs::rename(&partial, &self.0)?;
        // A folder that cannot be synchronised costs the seed only if the machine stops within seconds, before the games.
        let folder =
            self.0.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Removes the file, once the seed in it has been told.
    pub fn remove(&self) {
        // If it stays, it has nothing to hide any more, and the next run removes it.
        let _ = fs::remove_file(&self.0);
    }
}

/// A new file that only its user can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // One that a stopped run has left may be open to others.
    let _ = fs::remove_file(path);
    options.open(path)
}
