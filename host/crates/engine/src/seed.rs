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
    // A file that a stopped run has left may be readable by others.
    let _ = fs::remove_file(path);
    arena_platform::files::private(OpenOptions::new().write(true).create_new(true)).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::tests::{ROUND_ROBIN, contestants, journal, journal_at};
    use std::os::unix::fs::PermissionsExt;

    fn drawn(
        source: &SeedSource,
        before: Option<&JournalContent>,
        bots: &[usize],
    ) -> Result<RunSeed, String> {
        let mut season = Season::new(before, &contestants(bots), ROUND_ROBIN, false).unwrap();
        source.draw(&mut season, before).map(|seed| seed.run).map_err(|error| error.to_string())
    }

    fn source(secret: Option<u64>, given: Option<u64>, beacon: Option<&str>) -> SeedSource {
        let beacon = beacon.map(Beacon::from);
        SeedSource {
            name: "s.db".into(),
            secret: secret.map(Seed::from),
            given: given.map(Seed::from),
            beacon,
        }
    }

    #[test]
    fn random_bytes_are_other_ones_each_time_so_that_no_bot_can_be_made_for_a_seed() {
        let drawn: Vec<[u8; 32]> = (0..4).map(|_| fresh_bytes().unwrap()).collect();
        let numbers: Vec<u64> = (0..4).map(|_| fresh_number().unwrap()).collect();
        for one in 0..4 {
            // The same byte everywhere, by chance: 2⁻²⁴⁸.
            assert!(drawn[one].iter().any(|byte| *byte != drawn[one][0]));
            for other in 0..one {
                assert_ne!(drawn[one], drawn[other]);
                assert_ne!(numbers[one], numbers[other]);
            }
        }
        let seeds = [None, None, Some(Seed::from(7))].map(|asked| given_or_fresh(asked).unwrap());
        assert_ne!(seeds[0].seed, seeds[1].seed);
        assert_eq!((seeds[2].seed, seeds[2].recorded), (Seed::from(7), RecordedSeed::Open(Seed::from(7))));
    }

    #[test]
    fn the_seed_of_a_stage_is_given_or_follows_from_secret_beacon_and_bots_or_is_fresh() {
        let of = |secret, given, beacon, bots: &[usize]| {
            drawn(&source(secret, given, beacon), None, bots).unwrap()
        };
        let given = of(None, Some(7), None, &[0, 1]);
        assert_eq!((given.seed, given.recorded), (Seed::from(7), RecordedSeed::Open(Seed::from(7))));
        assert_ne!(of(None, None, None, &[0, 1]).seed, of(None, None, None, &[0, 1]).seed);
        let secret = of(Some(7), None, Some("rain"), &[0, 1]);
        assert_eq!(secret.recorded, RecordedSeed::Secret(Commitment::to(&secret.seed)));
        assert_eq!(of(Some(7), None, Some("rain"), &[0, 1]).seed, secret.seed);
        let public = of(None, None, Some("rain"), &[0, 1]);
        assert_eq!(public.recorded, RecordedSeed::Open(public.seed));
        for other in [
            Seed::from(7),
            public.seed,
            of(Some(8), None, Some("rain"), &[0, 1]).seed,
            of(Some(7), None, Some("snow"), &[0, 1]).seed,
            of(Some(7), None, None, &[0, 1]).seed,
            of(Some(7), None, Some("rain"), &[0, 2]).seed,
        ] {
            assert_ne!(secret.seed, other);
        }
    }

    #[test]
    fn a_stage_that_goes_on_has_its_seed_and_a_new_one_none_of_an_earlier_stage() {
        // Both have the seed of the tournament, 1.
        let before = journal(&[(ROUND_ROBIN, &[0, 1])]);
        let of = |given, beacon, bots: &[usize]| drawn(&source(None, given, beacon), Some(&before), bots);
        assert_eq!(of(None, None, &[0, 1]).unwrap().seed, Seed::from(1));
        assert_eq!(of(Some(1), None, &[0, 1]).unwrap().seed, Seed::from(1));
        for (given, beacon) in [(Some(2), None), (None, Some("rain"))] {
            assert!(of(given, beacon, &[0, 1]).unwrap_err().contains("s.db"), "{given:?}");
            assert!(of(given, beacon, &[0, 2]).is_ok(), "{given:?}");
        }
        let known = of(Some(1), None, &[0, 2]).unwrap_err();
        assert!(known.contains("stage 1"), "{known}");
    }

    #[test]
    fn a_secret_is_kept_for_its_user_alone_once_and_has_128_bytes_at_most() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("season.db");
        let commitment = commit(&path).unwrap();
        let file = place.path().join("season.db.seed");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!((mode & 0o777, commit(&path).unwrap()), (0o600, commitment));
        SecretFile::of(&path).keep(Seed::from(7)).unwrap();
        let seed = secret_of(&path, RecordedSeed::Secret(commitment)).unwrap();
        assert_eq!(Commitment::to(&seed), commitment, "it is not replaced");
        let other = secret_of(&path, RecordedSeed::Secret(Commitment::to(&Seed::from(7))));
        assert!(matches!(other, Err(Error::Mistake(Mistake::SecretOfOtherJournal { .. }))));
        let digits = seed.digits();
        for (bytes, is_read) in [(128, true), (129, false)] {
            fs::write(&file, format!("{digits:bytes$}")).unwrap();
            assert_eq!(SecretFile::of(&path).read().is_ok(), is_read, "{bytes}");
        }
        fs::write(&file, "no seed").unwrap();
        assert!(matches!(commit(&path), Err(Error::Mistake(Mistake::SecretDamaged { .. }))));
        SecretFile::of(&path).remove();
        let missing = secret_of(&path, RecordedSeed::Secret(commitment));
        assert!(matches!(missing, Err(Error::Mistake(Mistake::SecretMissing { .. }))));
        journal_at(&path, &[(ROUND_ROBIN, &[0, 1])]);
        assert!(matches!(commit(&path), Err(Error::Mistake(Mistake::SeasonBegun { .. }))));
    }

    #[test]
    fn a_seed_that_contradicts_the_options_or_the_journal_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("season.db");
        let given = Some(SeedChoice::Given(Seed::from(2)));
        let of_run = |asked, beacon: Option<&str>, content: Option<&JournalContent>, journal| {
            let beacon = beacon.map(Beacon::from);
            let source = SeedSource::of_run(asked, beacon, journal, content);
            source.map(|source| (source.given, source.secret.is_some()))
        };
        assert_eq!(of_run(None, Some("rain"), None, None).unwrap(), (None, false));
        assert_eq!(of_run(given, None, None, Some(&path)).unwrap(), (Some(Seed::from(2)), false));
        let secret = Some(SeedChoice::Secret);
        assert_eq!(of_run(secret, None, None, Some(&path)).unwrap(), (None, true));
        let mistake = |result: Result<_, Error>| match result {
            Err(Error::Mistake(mistake)) => mistake,
            other => panic!("{other:?}"),
        };
        assert!(matches!(mistake(of_run(given, Some("rain"), None, None)), Mistake::SeedWithBeacon));
        assert!(matches!(mistake(of_run(secret, None, None, None)), Mistake::SecretWithoutJournal));
        let mut content = journal(&[(ROUND_ROBIN, &[0, 1])]);
        assert_eq!(of_run(given, None, Some(&content), Some(&path)).unwrap(), (Some(Seed::from(2)), false));
        let open = of_run(secret, None, Some(&content), Some(&path));
        assert!(matches!(mistake(open), Mistake::SeedsOpen { .. }));
        content.tournament.conditions.seed = RecordedSeed::Secret(Commitment::to(&Seed::from(3)));
        let secret = of_run(given, None, Some(&content), Some(&path));
        assert!(matches!(mistake(secret), Mistake::SeedsSecret { .. }));
        let missing = of_run(None, None, Some(&content), Some(&path));
        assert!(matches!(mistake(missing), Mistake::SecretMissing { .. }));
        SecretFile::of(&path).keep(Seed::from(3)).unwrap();
        assert_eq!(of_run(None, None, Some(&content), Some(&path)).unwrap(), (None, true));
        content.revealed_seed = Some(Seed::from(3));
        let closed = of_run(None, None, Some(&content), Some(&path));
        assert!(matches!(mistake(closed), Mistake::SeasonClosed { again: false, .. }));
    }
}
