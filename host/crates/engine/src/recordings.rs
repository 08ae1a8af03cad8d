//! Recorded games, read in sequence from files or a journal.

use crate::error::Error;
use crate::game_file::{GameChoice, check_game};
use crate::mistake::Mistake;
use crate::seed::{self, StageSeed};
use crate::stored::{self, GamePlace, JournalContent, StoredSeason};
use arena_files::FileError;
use arena_league::Fixture;
use arena_record::{GameResult, Header, Name, Problem, RecordedSeed, Recording, Seed, Transcript};
use arena_rules::{Game, GameRules, random, with_game};
use arena_store::{ChainHead, JournalError, Reader, Tournament, Trail};
use arena_text::{RecordingName, ShownPath, shown};
use rand::seq::SliceRandom;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes. Chosen: some hundred times the longest game by the built-in rules.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// The most memory that a bot may get, in bytes: its 32-bit addresses reach no further.
const MEMORY_BYTES_MAX: u64 = 4 << 30;

/// A recorded game, with its name.
#[derive(Clone, Debug)]
pub struct NamedRecording {
    /// The file, or the journal and the game.
    pub name: RecordingName,
    /// The recording, or the reason why it cannot be read.
    pub recording: Result<Recording, Problem>,
    /// The seed of its stage, if it was secret and has been revealed.
    pub revealed: Option<Seed>,
}

/// The options for verifying a journal.
#[derive(Clone, Debug, Default)]
pub struct SampleOptions {
    /// The number of games, which are drawn at random; all games when `None`.
    pub sample: Option<u32>,
    /// The random seed of the sample; drawn when `None`.
    pub sample_seed: Option<u64>,
    /// A published head of the journal's chain.
    pub head: Option<String>,
    /// The file of a game that is a component, which the journal's has to be.
    pub game: Option<PathBuf>,
}

/// Recordings to be read.
#[derive(Debug)]
pub struct Recordings(Origin);

#[derive(Debug)]
enum Origin {
    Files(std::vec::IntoIter<PathBuf>, Option<GameChoice>),
    Journal(Box<JournalGames>),
}

/// The games of a journal that are to be read.
#[derive(Debug)]
struct JournalGames {
    name: ShownPath,
    reader: Reader,
    tournament: Tournament,
    head: Option<ChainHead>,
    notes: Vec<String>,
    trail: Trail,
    /// The place in the journal of each game.
    places: HashMap<Fixture, GamePlace>,
    games: std::vec::IntoIter<Counted>,
    games_left: usize,
}

/// A game as the journal counts it.
#[derive(Debug)]
struct Counted {
    number: usize,
    fixture: Fixture,
    result: GameResult,
    seed: StageSeed,
}

impl Recordings {
    /// The recordings of a journal, played by the bots at these paths.
    ///
    /// # Errors
    /// A journal that cannot be read, or no bots.
    pub fn of_journal(path: &Path, options: &SampleOptions, bots: &[PathBuf]) -> Result<Self, Error> {
        let sample = match (options.sample, options.sample_seed) {
            (None, _) => None,
            (Some(count), Some(seed)) => Some((count, seed)),
            // Otherwise the author of the journal could predict the sample, and alter the other games.
            (Some(count), None) => Some((count, seed::fresh_number()?)),
        };
        let journal = JournalGames::open(path, sample)?;
        if bots.is_empty() {
            return Err(Mistake::NoBots { command: Purpose::Verify.with_journal(&shown(path)) }.into());
        }
        if let Some(game) = &options.game {
            check_game(game, &journal.name, &journal.tournament.conditions)?;
        }
        if let Some(head) = &options.head {
            check_head(&journal.reader, &journal.name, head)?;
        }
        Ok(Self(Origin::Journal(Box::new(journal))))
    }

    /// The recordings that paths name before the bots, and the paths of the bots. The game is theirs, if it is a component.
    ///
    /// # Errors
    /// A path that is not a recording's, or no bots.
    pub fn of_files(paths: &[PathBuf], game: Option<&Path>) -> Result<(Self, Vec<PathBuf>), Error> {
        let [first, rest @ ..] = paths else {
            return Err(Mistake::NoTranscript { command: Purpose::Verify.with_transcript() }.into());
        };
        let is_recording = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
        let (more, bots): (Vec<_>, Vec<_>) = rest.iter().partition(is_recording);
        let files: Vec<PathBuf> = std::iter::once(first).chain(more).cloned().collect();
        files.iter().try_for_each(|path| check(path, Purpose::Verify))?;
        if bots.is_empty() {
            return Err(Mistake::NoBots { command: Purpose::Verify.with_transcript().into() }.into());
        }
        let game = game.map(GameChoice::of_recordings);
        Ok((Self(Origin::Files(files.into_iter(), game)), bots.into_iter().cloned().collect()))
    }

    /// The number of recordings left.
    pub fn count(&self) -> usize {
        match &self.0 {
            Origin::Files(files, _) => files.len(),
            Origin::Journal(journal) => journal.games.len(),
        }
    }

    /// The notes about games that a journal may lack, and about those that it keeps and that do not count.
    pub fn notes(&self) -> &[String] {
        match &self.0 {
            Origin::Files(..) => &[],
            Origin::Journal(journal) => &journal.notes,
        }
    }

    /// The trail of the workers that have played for a journal, if it is one.
    pub fn trail(&self) -> Option<&Trail> {
        match &self.0 {
            Origin::Files(..) => None,
            Origin::Journal(journal) => Some(&journal.trail),
        }
    }

    /// The number of undecided games of a journal's schedule, as far as it is known.
    pub fn games_left(&self) -> usize {
        match &self.0 {
            Origin::Files(..) => 0,
            Origin::Journal(journal) => journal.games_left,
        }
    }

    /// The end of a journal's chain of hashes. It has been checked.
    pub fn head(&self) -> Option<&ChainHead> {
        match &self.0 {
            Origin::Files(..) => None,
            Origin::Journal(journal) => journal.head.as_ref(),
        }
    }

    /// The next recording, if any is left.
    ///
    /// # Errors
    /// A file or journal that cannot be read any more.
    pub fn read_next(&mut self) -> Result<Option<NamedRecording>, Error> {
        match &mut self.0 {
            Origin::Files(files, game) => {
                files.next().map(|path| read_file(&path, game.as_ref())).transpose()
            }
            Origin::Journal(journal) => {
                let Some(counted) = journal.games.next() else { return Ok(None) };
                journal.read(&counted).map(Some)
            }
        }
    }
}

impl JournalGames {
    /// The games of a journal: all, or a number of them that are drawn by a seed.
    fn open(path: &Path, sample: Option<(u32, u64)>) -> Result<Self, Error> {
        let name = shown(path);
        let (kept, reader) = StoredSeason::read(path)?;
        let played = kept.results.games.iter().filter(|game| game.is_played());
        let counted = played.filter_map(|game| {
            let seed = kept.seed_of(&game.fixture)?.clone();
            Some(Counted {
                number: game.number,
                fixture: game.fixture,
                result: game.result.clone().ok()?,
                seed,
            })
        });
        let mut games: Vec<Counted> = counted.collect();
        let games_left = kept.results.games_planned.saturating_sub(kept.results.sums.delivered);
        if let Some((count, seed)) = sample {
            let sample = usize::try_from(count).unwrap_or(usize::MAX);
            let mut drawn = games;
            let (chosen, _) = drawn.partial_shuffle(&mut random::seeded(seed), sample);
            chosen.sort_by_key(|counted| counted.number);
            let count = chosen.len();
            // What was drawn is at the end.
            games = drawn.split_off(drawn.len() - count);
        }
        if games.is_empty() {
            return Err(Mistake::NoGames { journal: name }.into());
        }
        let JournalContent { tournament, head, trail, .. } = kept.content;
        Ok(Self {
            name,
            reader,
            tournament,
            head,
            notes: kept.notes,
            trail,
            places: kept.places,
            games: games.into_iter(),
            games_left,
        })
    }

    fn read(&self, counted: &Counted) -> Result<NamedRecording, Error> {
        let number = self.places[&counted.fixture].number;
        let recording = match self.reader.recording(number) {
            Ok(Some(recording)) => self.check(counted, recording),
            Ok(None) => Err("the journal has no recording of it".into()),
            Err(error @ JournalError::Damaged { .. }) => Err(error.to_string().into()),
            Err(error) => return Err(stored::failure_to_read(&self.name, error)),
        };
        Ok(NamedRecording {
            name: format!("{} game {}", self.name.as_str(), counted.number).into(),
            recording,
            revealed: counted.seed.revealed,
        })
    }

    /// Checks that the recording belongs to its game, with the result that counts.
    fn check(&self, counted: &Counted, recording: Recording) -> Result<Recording, Problem> {
        with_game!(recording.header.conditions.rules.kind(), G => {
            let transcript = recording.transcript::<G>().map_err(|error| error.to_string())?;
            check_kept(&self.tournament, counted.fixture, counted.seed.recorded, &counted.result, &transcript)?;
        });
        Ok(recording)
    }
}

/// Checks that a journal continues a published head.
pub(crate) fn check_head(reader: &Reader, name: &ShownPath, head: &str) -> Result<(), Error> {
    match reader.has_link(head) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Mistake::UnknownHead { journal: name.clone(), head: Name::new(head) }.into()),
        Err(error) => Err(stored::failure(name, error)),
    }
}

/// Checks that the transcript that a journal keeps for a game of a stage with this seed is of that game, with the result that counts.
///
/// # Errors
/// It is the recording of another game, or has another result.
pub fn check_kept<G: Game>(
    tournament: &Tournament,
    fixture: Fixture,
    seed: RecordedSeed,
    counted: &GameResult,
    transcript: &Transcript<G>,
) -> Result<(), Problem> {
    let (Fixture { seats, game, .. }, header) = (fixture, &transcript.header);
    if !tournament.includes(header, seats, seed) || header.game != game {
        return Err("it is the recording of another game than the journal says".into());
    }
    if GameResult::of(&transcript.events).as_ref() != Ok(counted) {
        return Err("the journal counts another result than is recorded".into());
    }
    Ok(())
}

/// A command that reads recordings: its messages show its usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `arena replay`
    Replay,
    /// `arena rerun`
    Rerun,
    /// `arena verify`
    Verify,
}

impl Purpose {
    /// The command with a transcript.
    fn with_transcript(self) -> &'static str {
        match self {
            Self::Replay => "arena replay game.jsonl",
            Self::Rerun => "arena rerun game.jsonl bot.wasm",
            Self::Verify => "arena verify game.jsonl bots/",
        }
    }

    /// The command with this journal.
    pub(crate) fn with_journal(self, journal: &str) -> String {
        match self {
            Self::Replay => format!("arena replay {journal} 1"),
            Self::Rerun => format!("arena rerun {journal} 1 bot.wasm"),
            Self::Verify => format!("arena verify --journal {journal} bots/"),
        }
    }
}

/// The recording in a file, with its name. The game is the recording's, if it is a component.
///
/// # Errors
/// A file that is not a recording, or one of another game.
pub fn of_file(
    path: &Path,
    purpose: Purpose,
    game: Option<&Path>,
) -> Result<(RecordingName, Recording), Error> {
    check(path, purpose)?;
    read_file(path, game.map(GameChoice::of_recordings).as_ref())?.readable()
}

/// The recording of a game in a journal, by the game's number in the season, with its name.
///
/// # Errors
/// A journal that cannot be read, or has no such game.
pub fn of_journal(path: &Path, number: &str) -> Result<(RecordingName, Recording), Error> {
    let mut journal = JournalGames::open(path, None)?;
    let name = journal.name.clone();
    let last = journal.games.as_slice().last().map_or(0, |counted| counted.number);
    let counted = number
        .parse::<usize>()
        .ok()
        .and_then(|number| journal.games.find(|counted| counted.number == number));
    let counted = counted.ok_or_else(|| {
        let next = journal.notes.first().cloned();
        let next = next.unwrap_or_else(|| format!("`arena games {name}` lists them"));
        Mistake::NoSuchGame { journal: name, number: shown(Path::new(number)), last, next }
    })?;
    journal.read(&counted)?.readable()
}

/// The recording of the game of a journal with this number in the season, as [`GameSummary`](crate::GameSummary) has it.
///
/// # Errors
/// A journal that cannot be read, or has no such game.
pub fn recording(journal: &Path, number: usize) -> Result<Recording, Error> {
    of_journal(journal, &number.to_string()).map(|(_, recording)| recording)
}

/// The game of a journal with this number in the season.
///
/// # Errors
/// As of [`of_journal`], and a recording of another kind of game.
pub fn game<G: Game>(path: &Path, number: u64) -> Result<Transcript<G>, Error> {
    let (name, recording) = of_journal(path, &number.to_string())?;
    recording.transcript().map_err(|error| unreadable(&name, &error.to_string().into()))
}

impl NamedRecording {
    fn readable(self) -> Result<(RecordingName, Recording), Error> {
        let Self { name, recording, .. } = self;
        let recording = recording.map_err(|problem| unreadable(&name, &problem))?;
        Ok((name, recording))
    }
}

/// The memory limit of a recording, in bytes, for the sandbox that plays it again.
///
/// # Errors
/// More than a bot can have.
pub fn memory_bytes(header: &Header) -> Result<u64, Problem> {
    possible_memory(header.conditions.limits.memory_bytes)
        .map_err(|problem| format!("line 1: {problem}").into())
}

/// A memory limit, in bytes, if it is possible.
pub(crate) fn possible_memory(bytes: u64) -> Result<u64, Problem> {
    match bytes {
        ..=MEMORY_BYTES_MAX => Ok(bytes),
        _ => Err("the memory limit is more than a bot can have".into()),
    }
}

/// The failure when a recording cannot be read.
pub fn unreadable(name: &RecordingName, problem: &Problem) -> Error {
    Mistake::Recording { recording: name.clone(), problem: problem.clone() }.into()
}

fn read_file(path: &Path, game: Option<&GameChoice>) -> Result<NamedRecording, Error> {
    let name = shown(path);
    let bytes = arena_files::read(path, FILE_BYTES_MAX).map_err(|error| cannot_read(&name, error))?;
    let mut recording = Recording::read(&bytes[..]).map_err(|error| error.to_string().into());
    if let Ok(Recording { header, .. }) = &mut recording {
        match (game, &header.conditions.rules) {
            (Some(game), _) => game.give_code(&name, &mut header.conditions)?,
            (None, GameRules::Loaded(rules)) => {
                let game = rules.about().name.clone();
                return Err(Mistake::RecordingWithoutGame { recording: name, game }.into());
            }
            (None, _) => {}
        }
    }
    Ok(NamedRecording { name: name.as_str().into(), recording, revealed: None })
}

fn cannot_read(name: &str, error: FileError) -> Error {
    Error::unreadable(
        name,
        error,
        "transcript",
        "name a transcript that `arena run --transcripts DIR` has written",
    )
}

/// Checks that a path can be a recording's, before any game is played.
fn check(path: &Path, purpose: Purpose) -> Result<(), Error> {
    let name = shown(path);
    let mut start = [0; 4];
    let read = |mut file: File| file.read(&mut start).map_err(FileError::from);
    let (problem, next) = match arena_files::open(path).and_then(read) {
        Ok(4) if start == *b"\0asm" => (
            "is a component; the transcript comes first",
            format!("name the transcript first: `{}`", purpose.with_transcript()),
        ),
        // How every SQLite file begins.
        Ok(4) if start == *b"SQLi" => (
            "is a journal, and a transcript is expected",
            format!("for a game of a journal write `{}`", purpose.with_journal(&name)),
        ),
        Ok(0) => ("is an empty file, not a transcript", "check that the file was copied completely".into()),
        Ok(_) => return Ok(()),
        Err(error) => return Err(cannot_read(&name, error)),
    };
    Err(Mistake::NotATranscript { file: name, problem, next }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::tests::{contestants, plan};
    use arena_players::Runner;
    use arena_rules::Outcome;
    use arena_rules::battleship::Battleship;

    #[test]
    fn a_recording_in_a_journal_is_that_of_its_game_with_the_result_that_counts() {
        let contestants = contestants(&[0, 1]);
        let plan = plan();
        let runner =
            Runner { plan: &plan, contestants: &contestants, keeps_transcripts: true, keeps_journal: false };
        let bots = contestants.iter().map(|contestant| contestant.id.clone()).collect();
        let tournament = Tournament { conditions: plan.conditions.clone(), bots };
        let fixture = arena_league::match_games(0, 1, 2).next().unwrap();
        let played: Transcript<Battleship> =
            runner.play(fixture, None).unwrap().recording().unwrap().unwrap();
        let result = GameResult::of(&played.events).unwrap();
        let check = |fixture, seed: u64, counted: &GameResult, played: &Transcript<Battleship>| {
            let seed = RecordedSeed::from(Seed::from(seed));
            check_kept(&tournament, fixture, seed, counted, played).map_err(|problem| problem.to_string())
        };
        assert_eq!(check(fixture, 1, &result, &played), Ok(()));

        let another_game = Err("it is the recording of another game than the journal says".to_owned());
        let Fixture { seats: [first, second], game, .. } = fixture;
        for other in [
            Fixture { seats: [second, first], ..fixture },
            Fixture { seats: [first, 2], ..fixture },
            Fixture { game: game + 1, ..fixture },
        ] {
            assert_eq!(check(other, 1, &result, &played), another_game, "{other:?}");
        }
        assert_eq!(check(fixture, 2, &result, &played), another_game, "it has another seed");

        let another_result = Err("the journal counts another result than is recorded".to_owned());
        let drawn = GameResult { outcome: Outcome::Draw, ..result.clone() };
        assert_eq!(check(fixture, 1, &drawn, &played), another_result);
        let mut cut = played;
        cut.events.pop();
        assert_eq!(check(fixture, 1, &result, &cut), another_result, "the recording has no end");
    }
}
