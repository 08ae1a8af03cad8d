//! Recorded games, read one after the other from where they are: files, or a journal.

use crate::cli::VerifyArgs;
use crate::failure::Failure;
use crate::ledger::{self, Told};
use crate::roster::shown;
use arena_league::Fixture;
use arena_record::{GameResult, Transcript};
use arena_rules::random;
use arena_store::{Conditions, Reader};
use rand::seq::SliceRandom;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Which, safe to print.
    pub name: String,
    /// What is recorded, or why it cannot be read.
    pub transcript: Result<Transcript, String>,
}

/// Recordings to be read.
#[derive(Debug)]
pub struct Recordings(Source);

#[derive(Debug)]
enum Source {
    Files(std::vec::IntoIter<PathBuf>),
    Journal(Box<Journal>),
}

/// A journal's games, of which some are to be read.
#[derive(Debug)]
struct Journal {
    name: String,
    reader: Reader,
    conditions: Conditions,
    /// Where in the journal each game is.
    numbers: HashMap<Fixture, u64>,
    games: std::vec::IntoIter<Kept>,
}

/// A game as the journal counts it.
#[derive(Debug)]
struct Kept {
    number: usize,
    fixture: Fixture,
    result: GameResult,
}

impl Recordings {
    /// The recordings that the arguments name, and the paths that are for bots.
    ///
    /// # Errors
    /// A path that is no recording's, or a journal that cannot be read.
    pub fn open(args: &VerifyArgs) -> Result<(Self, Vec<PathBuf>), Failure> {
        if let Some(path) = &args.journal {
            let journal = Journal::open(path, args.sample, args.seed)?;
            return Ok((Self(Source::Journal(Box::new(journal))), args.paths.clone()));
        }
        let [first, rest @ ..] = args.paths.as_slice() else { unreachable!("a path is required") };
        let is_recording = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
        let (more, bots): (Vec<_>, Vec<_>) = rest.iter().partition(is_recording);
        let files: Vec<PathBuf> = std::iter::once(first).chain(more).cloned().collect();
        files.iter().try_for_each(|path| check(path))?;
        if bots.is_empty() {
            return Err(Failure::input(
                "no bot is named to play the recording again with",
                "name the components that played, or a folder with them: arena verify game.jsonl bots/",
            ));
        }
        Ok((Self(Source::Files(files.into_iter())), bots.into_iter().cloned().collect()))
    }

    /// How many are left.
    pub fn count(&self) -> usize {
        match &self.0 {
            Source::Files(files) => files.len(),
            Source::Journal(journal) => journal.games.len(),
        }
    }

    /// The next one, if any is left.
    ///
    /// # Errors
    /// A file or journal that cannot be read any more.
    pub fn read_next(&mut self) -> Result<Option<Recording>, Failure> {
        match &mut self.0 {
            Source::Files(files) => files.next().map(|path| read_file(&path)).transpose(),
            Source::Journal(journal) => {
                let Some(kept) = journal.games.next() else { return Ok(None) };
                journal.read(&kept).map(Some)
            }
        }
    }
}

impl Journal {
    fn open(path: &Path, sample: Option<u32>, seed: u64) -> Result<Self, Failure> {
        let name = shown(path);
        let (told, reader) = Told::read(path)?;
        let kept =
            told.results.games.into_iter().filter(|game| game.benched == [false; 2]).filter_map(|game| {
                let result = game.result.ok()?;
                Some(Kept { number: game.number, fixture: game.fixture, result })
            });
        let mut games: Vec<Kept> = kept.collect();
        if let Some(sample) = sample.and_then(|sample| usize::try_from(sample).ok()) {
            let mut drawn = games;
            let (chosen, _) = drawn.partial_shuffle(&mut random::seeded(seed), sample);
            chosen.sort_by_key(|kept| kept.number);
            let count = chosen.len();
            // What was drawn is at the end.
            games = drawn.split_off(drawn.len() - count);
        }
        if games.is_empty() {
            return Err(Failure::input(
                format!("{name}: no game is in it yet"),
                "play some: `arena run --journal`",
            ));
        }
        Ok(Self {
            name,
            reader,
            conditions: told.conditions,
            numbers: told.numbers,
            games: games.into_iter(),
        })
    }

    fn read(&self, kept: &Kept) -> Result<Recording, Failure> {
        let number = self.numbers[&kept.fixture];
        let transcript = match self.reader.transcript(number) {
            Ok(Some(transcript)) => self.check(kept, transcript),
            Ok(None) => Err("the journal has no recording of it".into()),
            Err(arena_store::JournalError::Damaged(problem)) => Err(problem),
            Err(error) => return Err(ledger::failure(&self.name, error)),
        };
        Ok(Recording { name: format!("{} game {}", self.name, kept.number), transcript })
    }

    /// Whether the recording is of the game that it is kept for, with the result that counts.
    fn check(&self, kept: &Kept, transcript: Transcript) -> Result<Transcript, String> {
        let Fixture { seats, game, .. } = kept.fixture;
        if !self.conditions.are_of(&transcript.header, seats) || transcript.header.game != game {
            return Err("it is the recording of another game than the journal says".into());
        }
        if GameResult::of(&transcript.events).as_ref() != Ok(&kept.result) {
            return Err("the journal counts another result than is recorded".into());
        }
        Ok(transcript)
    }
}

/// The recording in a file.
///
/// # Errors
/// A file that is none.
pub fn of_file(path: &Path) -> Result<Transcript, Failure> {
    check(path)?;
    let Recording { name, transcript } = read_file(path)?;
    whole(&name, transcript)
}

/// The recording of a game in a journal, by the game's number.
///
/// # Errors
/// A journal that cannot be read, or has no such game.
pub fn of_journal(path: &Path, number: &Path) -> Result<Transcript, Failure> {
    let mut journal = Journal::open(path, None, 0)?;
    let (name, text) = (&journal.name, shown(number));
    let number: usize = text.parse().map_err(|_| {
        Failure::input(
            format!("{text}: is not the number of a game"),
            format!("name one of {name}'s games by its number, as `arena run` counts them"),
        )
    })?;
    let kept = journal.games.find(|kept| kept.number == number).ok_or_else(|| {
        Failure::input(
            format!("{}: has no game {number}", journal.name),
            "`arena standings` says how many there are",
        )
    })?;
    let Recording { name, transcript } = journal.read(&kept)?;
    whole(&name, transcript)
}

fn whole(name: &str, transcript: Result<Transcript, String>) -> Result<Transcript, Failure> {
    transcript.map_err(|problem| {
        Failure::input(format!("{name}: is no whole recording: {problem}"), "check that it was copied whole")
    })
}

fn read_file(path: &Path) -> Result<Recording, Failure> {
    let name = shown(path);
    let file = File::open(path).map_err(|error| {
        Failure::input(format!("{name}: cannot be read: {error}"), "check who may read it")
    })?;
    let transcript = Transcript::read(BufReader::new(file)).map_err(|error| error.to_string());
    Ok(Recording { name, transcript })
}

/// Whether a path can be a recording's, before anything is played.
fn check(path: &Path) -> Result<(), Failure> {
    let name = shown(path);
    let mut start = [0; 4];
    let read = File::open(path).and_then(|file| file.take(4).read(&mut start));
    match read {
        Ok(4) if start == *b"\0asm" => Err(Failure::input(
            format!("{name}: is a component, and a recording is expected first"),
            "name the transcript first, then the bots: arena verify game.jsonl bots/",
        )),
        // How every SQLite file begins.
        Ok(4) if start == *b"SQLi" => Err(Failure::input(
            format!("{name}: is a journal, and a transcript is expected"),
            format!(
                "name it with --journal: arena replay --journal {name} 1, arena verify --journal {name} bots/"
            ),
        )),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::input(
            format!("{name}: cannot be read: {error}"),
            "name a transcript, as `arena run --transcripts DIR` writes them",
        )),
    }
}
