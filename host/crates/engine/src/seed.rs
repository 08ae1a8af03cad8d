//! The random seeds of a season: each stage has one, which is drawn once its bots are known. It is drawn afresh, given by the user,
//! or follows from a secret, a beacon or both.

use crate::error::Error;
use crate::mistake::Mistake;
use crate::season::Season;
use crate::stored::JournalContent;
use arena_files::FileError;
use arena_players::RunSeed;
use arena_record::{Beacon, Commitment, RecordedSeed, Seed};
use arena_store::{Draw, Tournament};
use arena_text::{ShownPath, quoted, shown};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The random seed that a user asks `arena run` for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedChoice {
    /// This one.
    Given(Seed),
    /// A fresh one, revealed when the season is closed.
    Secret,
}

/// The seed that was asked for; a fresh one if none was.
///
/// # Errors
/// The system has no random numbers.
pub fn given_or_fresh(asked: Option<Seed>) -> Result<RunSeed, Error> {
    asked.map_or_else(fresh, Ok).map(RunSeed::from)
}

/// The seed of a stage as a journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSeed {
    /// The seed, or its hash while the season's is secret.
    pub recorded: RecordedSeed,
    /// The public random value that it was drawn from, if there was one.
    pub beacon: Option<Beacon>,
    /// The seed, if it has been revealed.
    pub revealed: Option<Seed>,
}

impl StageSeed {
    /// The seeds of all stages of a journal.
    pub fn of_all(
        tournament: &Tournament,
        stages: &[arena_store::Stage],
        revealed: Option<Seed>,
    ) -> Vec<Self> {
        let of_season = tournament.conditions.seed;
        let of_stage = |(number, stage): (usize, &arena_store::Stage)| match &stage.draw {
            // It has the seed of the season.
            None => Self { recorded: of_season, beacon: None, revealed: of_season.open().or(revealed) },
            Some(Draw { seed, beacon }) => {
                let drawn = revealed.map(|secret| stage.drawn(number, Some(&secret), &tournament.bots));
                Self { recorded: *seed, beacon: beacon.clone(), revealed: seed.open().or(drawn) }
            }
        };
        (1..).zip(stages).map(of_stage).collect()
    }
}

/// The source of the seed of a stage: the options and the journal. The seed is drawn once the bots of the stage are known,
/// so that none of them can be made for it.
#[derive(Clone, Debug)]
pub struct SeedSource {
    /// The journal, as messages name it.
    name: ShownPath,
    /// The secret of the season, if it has one.
    secret: Option<Seed>,
    given: Option<Seed>,
    beacon: Option<Beacon>,
}

/// The seed of the stage that a run plays.
#[derive(Clone, Copy, Debug)]
pub struct DrawnSeed {
    /// The seed of its games.
    pub run: RunSeed,
    /// The entry of the season's seed in the journal: the hash of its secret, or the seed of its first stage.
    pub season: RecordedSeed,
    /// The secret of the season, if it has one.
    pub secret: Option<Seed>,
}

impl SeedSource {
    /// The source of the seed of `arena run`.
    ///
    /// # Errors
    /// A secret that cannot be kept or is lost, a season that is closed, or options that contradict each other or the journal.
    pub fn of_run(
        asked: Option<SeedChoice>,
        beacon: Option<Beacon>,
        journal: Option<&Path>,
        journal_content: Option<&JournalContent>,
    ) -> Result<Self, Error> {
        let name = journal.map(shown).unwrap_or_default();
        let given = match asked {
            Some(SeedChoice::Given(seed)) => Some(seed),
            _ => None,
        };
        if given.is_some() && beacon.is_some() {
            return Err(Mistake::SeedWithBeacon.into());
        }
        if asked == Some(SeedChoice::Secret) && journal.is_none() {
            return Err(Mistake::SecretWithoutJournal.into());
        }
        let secret = match (journal, journal_content) {
            (Some(journal), Some(journal_content)) => of_journal(journal, journal_content, asked)?,
            (Some(journal), None) if asked == Some(SeedChoice::Secret) => {
                // A secret drawn before, whose hash may have been published.
                Some(SecretFile::of(journal).read_or_draw()?)
            }
            _ => None,
        };
        Ok(Self { name, secret, given, beacon })
    }

    /// Draws the seed of the continued stage of a season, and notes it in the stage's entry.
    ///
    /// # Errors
    /// The given seed or beacon was known before, or is not that of the stage, which has begun already; or the system has no
    /// random numbers.
    pub fn draw(
        &self,
        season: &mut Season,
        journal_content: Option<&JournalContent>,
    ) -> Result<DrawnSeed, Error> {
        let before: &[StageSeed] = journal_content.map_or(&[], |journal_content| &journal_content.seeds);
        let run = match before.last() {
            Some(stage) if season.resumes => self.of_begun_stage(season, stage)?,
            _ => self.of_new_stage(season, before)?,
        };
        let first =
            || self.secret.map_or(run.recorded, |secret| RecordedSeed::Secret(Commitment::to(&secret)));
        let of_season =
            journal_content.map_or_else(first, |journal_content| journal_content.tournament.conditions.seed);
        Ok(DrawnSeed { run, season: of_season, secret: self.secret })
    }

    /// The seed of a stage that has begun.
    fn of_begun_stage(&self, season: &Season, stage: &StageSeed) -> Result<RunSeed, Error> {
        let recorded = stage.recorded;
        let other = |what, recorded, given| {
            Err(Mistake::OtherDraw { journal: self.name.clone(), what, recorded, given }.into())
        };
        if let Some(given) = self.given.filter(|given| !recorded.is_of(given)) {
            return other("random seed", recorded.to_string(), given.to_string());
        }
        if let Some(beacon) = self.beacon.as_ref().filter(|beacon| Some(*beacon) != stage.beacon.as_ref()) {
            let journal =
                stage.beacon.as_ref().map_or("none".into(), |beacon| quoted(beacon.as_str()).into_owned());
            return other("beacon", journal, quoted(beacon.as_str()).into_owned());
        }
        let seed = match (recorded.open(), self.secret) {
            (Some(seed), _) => seed,
            (None, Some(secret)) if season.entry.draw.is_none() => secret,
            (None, secret) => season.entry.drawn(season.number, secret.as_ref(), &season.bots),
        };
        Ok(RunSeed { seed, recorded })
    }

    /// The seed of a stage that begins.
    fn of_new_stage(&self, season: &mut Season, before: &[StageSeed]) -> Result<RunSeed, Error> {
        let known = |what, given, is_same: &dyn Fn(&StageSeed) -> bool| match before.iter().position(is_same)
        {
            Some(at) => Err(Mistake::KnownDraw { journal: self.name.clone(), what, given, stage: at + 1 }),
            None => Ok(()),
        };
        if let Some(given) = self.given {
            known("seed", given.to_string(), &|stage| stage.recorded.is_of(&given))?;
        }
        if let Some(beacon) = &self.beacon {
            known("beacon", quoted(beacon.as_str()).into_owned(), &|stage| {
                stage.beacon.as_ref() == Some(beacon)
            })?;
        }
        // The inputs of the draw. They must be in the entry already.
        let draw = |seed| Draw { seed, beacon: self.beacon.clone() };
        season.entry.draw = Some(draw(RecordedSeed::from(0)));
        let drawn = || season.entry.drawn(season.number, self.secret.as_ref(), &season.bots);
        let seed = match self.given {
            Some(seed) => seed,
            None if self.secret.is_some() || self.beacon.is_some() => drawn(),
            None => fresh()?,
        };
        let recorded = match self.secret {
            Some(_) => RecordedSeed::Secret(Commitment::to(&seed)),
            None => RecordedSeed::Open(seed),
        };
        season.entry.draw = Some(draw(recorded));
        Ok(RunSeed { seed, recorded })
    }
}

/// The secret of a journal that is continued, if it has one.
fn of_journal(
    journal: &Path,
    journal_content: &JournalContent,
    asked: Option<SeedChoice>,
) -> Result<Option<Seed>, Error> {
    let name = shown(journal);
    if journal_content.revealed_seed.is_some() {
        return Err(Mistake::SeasonClosed { journal: name, again: false }.into());
    }
    match (journal_content.tournament.conditions.seed, asked) {
        (RecordedSeed::Open(_), Some(SeedChoice::Secret)) => Err(Mistake::SeedsOpen { journal: name }.into()),
        (RecordedSeed::Open(_), _) => Ok(None),
        (RecordedSeed::Secret(_), Some(SeedChoice::Given(_))) => {
            Err(Mistake::SeedsSecret { journal: name }.into())
        }
        (recorded @ RecordedSeed::Secret(_), _) => secret_of(journal, recorded).map(Some),
    }
}

/// The secret next to a journal whose conditions have its hash.
///
/// # Errors
/// It is not there, or another one.
pub fn secret_of(journal: &Path, recorded: RecordedSeed) -> Result<Seed, Error> {
    let file = SecretFile::of(journal);
    let place = shown(&file.0);
    match file.read()? {
        Some(seed) if recorded.is_of(&seed) => Ok(seed),
        Some(_) => Err(Mistake::SecretOfOtherJournal { file: place }.into()),
        None => Err(Mistake::SecretMissing { file: place }.into()),
    }
}

/// Draws the secret of a season before its first run, and keeps it next to the journal that will be created. So its hash can
/// be published before the beacon is known.
///
/// # Errors
/// The journal exists, or the secret cannot be kept.
pub fn commit(journal: &Path) -> Result<Commitment, Error> {
    if JournalContent::read_begun(journal)?.is_some() {
        return Err(Mistake::SeasonBegun { journal: shown(journal) }.into());
    }
    let file = SecretFile::of(journal);
    let seed = file.read_or_draw()?;
    file.keep(seed)?;
    Ok(Commitment::to(&seed))
}

/// A fresh random seed.
fn fresh() -> Result<Seed, Error> {
    fresh_bytes().map(Seed::of_bytes)
}

/// A fresh random number of 64 bits.
///
/// # Errors
/// The system has no random numbers.
pub fn fresh_number() -> Result<u64, Error> {
    fresh_bytes().map(u64::from_le_bytes)
}

/// Random bytes from the operating system.
///
/// # Errors
/// The system has no random numbers.
pub fn fresh_bytes<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::machine("the system has no random numbers", error, "repair that, or choose a seed yourself")
    })?;
    Ok(bytes)
}

/// The largest file that is read for a secret seed, in bytes. Chosen: it has 64 digits and a line end.
const FILE_BYTES_MAX: u64 = 128;

/// The file next to a journal with its secret seed, until the seed is revealed in the journal. Only its user can read
/// it.
pub struct SecretFile(PathBuf);

impl SecretFile {
    /// The file for this journal.
    pub fn of(journal: &Path) -> Self {
        Self(journal.with_added_extension("seed"))
    }

    /// The seed, if the file exists.
    fn read(&self) -> Result<Option<Seed>, Error> {
        match arena_files::read_text(&self.0, FILE_BYTES_MAX) {
            Ok(text) => {
                let seed = text.trim_end().parse();
                seed.map(Some).map_err(|error| Mistake::SecretDamaged { file: shown(&self.0), error }.into())
            }
            Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => {
                Err(Error::unreadable(shown(&self.0), error, "secret seed", "restore the file from a copy"))
            }
        }
    }

    /// The seed in the file, or a fresh one if there is no file.
    fn read_or_draw(&self) -> Result<Seed, Error> {
        self.read()?.map_or_else(fresh, Ok)
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

    /// Removes the file, once the seed in it has been revealed.
    pub fn remove(&self) {
        // If the file stays, it has nothing to hide any more, and the next run removes it.
        let _ = fs::remove_file(&self.0);
    }
}

/// A new file that only its user can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A file that a stopped run has left may be readable by others.
    let _ = fs::remove_file(path);
    options.open(path)
}
