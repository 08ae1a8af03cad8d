//! The journal of a run: the games that it has already, and those that are added.

use crate::failure::Failure;
use crate::game::Table;
use crate::report::counted;
use crate::roster::{ShownPath, shown};
use crate::seed::{RunSeed, SecretFile};
use crate::tournament::{self, Delivery, Results, Settings, Source};
use arena_league::{Fixture, Schedule};
use arena_record::{BotId, GameResult, RecordedSeed, Seed};
use arena_store::{GameKey, JournalError, NewGame, Packing, Reader, Tournament, Unkept, Writer};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

/// The results of the games in a journal.
pub type Known = HashMap<Fixture, GameResult>;

/// The journal of a run, if it has one.
pub struct Journal {
    name: ShownPath,
    known: Known,
    keeper: Keeper,
}

/// The writer of a journal, if there is one.
pub struct Keeper {
    name: ShownPath,
    writer: Option<Writer>,
    /// The secret seed of the run and its file, if there is a journal that has only its hash.
    secret: Option<(Seed, SecretFile)>,
}

impl Journal {
    /// Opens or makes the journal, if there is to be one, and reads its games.
    ///
    /// # Errors
    /// The reason why it cannot be continued.
    pub fn open(
        path: Option<&Path>,
        resume: bool,
        table: &Table<'_>,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let name = path.map(shown).unwrap_or_default();
        let Some(path) = path else {
            let keeper = Keeper { name: name.clone(), writer: None, secret: None };
            return Ok(Self { name, known: Known::new(), keeper });
        };
        if resume && !path.exists() {
            return Err(Failure::usage(
                format!("{name}: no such journal to continue"),
                "leave out --resume to start one",
            ));
        }
        let refuse = |error| failure(&name, error);
        let tournament = Tournament {
            conditions: table.plan.conditions.clone(),
            bots: table.contestants.iter().map(|contestant| contestant.id.clone()).collect(),
        };
        let RunSeed { seed, recorded, told } = table.plan.seed;
        let secret = matches!(recorded, RecordedSeed::Secret(_)).then(|| (seed, SecretFile::beside(path)));
        // Before the journal, so that a journal whose seed is lost cannot come about.
        if let Some((seed, file)) = secret.as_ref().filter(|_| !told) {
            file.keep(*seed)?;
        }
        let mut writer = Writer::open(path, &tournament).map_err(refuse)?;
        let games = writer.reader().games().map_err(refuse)?;
        let known = games.into_iter().map(|game| (fixture(game.key), game.result)).collect();
        let settings = serde_json::to_string(settings).expect("settings are plain data");
        writer.record_settings(&settings).map_err(refuse)?;
        let keeper = Keeper { name: name.clone(), writer: Some(writer), secret };
        Ok(Self { name, known, keeper })
    }

    /// The note about the games that are there already; none if there are none.
    pub fn note(&self, settings: &Settings, schedule: &Schedule, contestants: usize) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        let results = recall(settings, schedule.clone(), contestants, &self.known);
        let (there, planned) = (results.games.len(), results.games_planned);
        Some(format!("the journal {} has {there} of {}", self.name, counted(planned, "game")))
    }

    /// The packing of transcripts for it; none if there is no journal.
    pub fn packing(&self) -> Option<Packing> {
        self.keeper.writer.as_ref().map(|writer| writer.packing().clone())
    }

    /// The known games, and the writer that adds to them.
    pub fn split(&mut self) -> (&Known, &mut Keeper) {
        (&self.known, &mut self.keeper)
    }
}

impl Keeper {
    /// Keeps games, if there is a journal. Returns the number of those that are kept, from the first, and the reason if it is
    /// not all.
    pub fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), Failure>) {
        let Some(writer) = &mut self.writer else { return (games.len(), Ok(())) };
        let (places, new): (Vec<_>, Vec<_>) =
            games.iter().enumerate().filter_map(|(place, game)| Some((place, new_game(game)?))).unzip();
        match writer.append(&new) {
            Ok(()) => (games.len(), Ok(())),
            Err(Unkept { kept, error }) => {
                let failure = Failure::machine(
                    format!("{}: cannot be written; the games before are kept", self.name),
                    error,
                    "make room, or check the disk, and continue with --resume",
                );
                (places[kept], Err(failure))
            }
        }
    }

    /// Tells the seed in the journal after the last game, if it was secret, and removes its file.
    ///
    /// # Errors
    /// A journal that cannot be written. The seed is still secret then.
    pub fn tell_seed(&mut self) -> Result<Option<Seed>, Failure> {
        let (Some(writer), Some((seed, file))) = (&mut self.writer, &self.secret) else { return Ok(None) };
        writer.tell_seed(*seed).map_err(|error| {
            Failure::machine(
                format!("{}: cannot be written; all games are kept, and the seed is still secret", self.name),
                error,
                "make room, or check the disk, and continue with --resume",
            )
        })?;
        file.remove();
        Ok(Some(*seed))
    }
}

/// The seed of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptSeed {
    /// The entry in the conditions.
    pub recorded: RecordedSeed,
    /// The secret seed, if it has been told.
    pub told: Option<Seed>,
}

/// The seed of the journal at this path; `None` if no run has begun it.
///
/// # Errors
/// The reason why it cannot be read.
pub fn kept_seed(path: &Path) -> Result<Option<KeptSeed>, Failure> {
    let kept = || -> Result<_, JournalError> {
        let Some(reader) = Reader::open_begun(path)? else { return Ok(None) };
        Ok(Some(KeptSeed { recorded: reader.tournament()?.conditions.seed, told: reader.told_seed()? }))
    };
    kept().map_err(|error| failure(&shown(path), error))
}

/// The bots of the journal at this path, in their order; `None` if no run has begun it.
///
/// # Errors
/// The reason why it cannot be read.
pub fn kept_bots(path: &Path) -> Result<Option<Vec<BotId>>, Failure> {
    let kept = || -> Result<_, JournalError> {
        let Some(reader) = Reader::open_begun(path)? else { return Ok(None) };
        Ok(Some(reader.tournament()?.bots))
    };
    kept().map_err(|error| failure(&shown(path), error))
}

/// The content of a journal.
pub struct Kept {
    /// The identity of the tournament.
    pub tournament: Tournament,
    /// The settings of the latest run.
    pub settings: Settings,
    /// The results.
    pub results: Results,
    /// The secret seed, if it has been told.
    pub told_seed: Option<Seed>,
    /// The number in the journal of each game.
    pub numbers: HashMap<Fixture, u64>,
}

impl Kept {
    /// Reads a journal, which another process may be writing.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(path: &Path) -> Result<(Self, Reader), Failure> {
        let name = shown(path);
        let refuse = |error| failure_to_read(&name, error);
        let reader = Reader::open(path).map_err(refuse)?;
        let tournament = reader.tournament().map_err(refuse)?;
        let told_seed = reader.told_seed().map_err(refuse)?;
        let settings = reader.settings().map_err(refuse)?;
        let settings = settings.and_then(|settings| serde_json::from_str::<Settings>(&settings).ok());
        let damaged = |problem: String| refuse(JournalError::damaged("the tournament", problem));
        let settings = settings.ok_or_else(|| damaged("it has no settings".into()))?;
        let games = reader.games().map_err(refuse)?;
        let contestants = tournament.bots.len();
        if games.iter().any(|game| game.key.seats.iter().any(|&seat| seat >= contestants)) {
            return Err(damaged("a game has a contestant that does not exist".into()));
        }
        let schedule = Schedule::new(settings.format, contestants, settings.games_per_match)
            .map_err(|error| damaged(error.to_string()))?;
        let numbers = games.iter().map(|game| (fixture(game.key), game.number)).collect();
        let known = games.into_iter().map(|game| (fixture(game.key), game.result)).collect();
        let results = recall(&settings, schedule, contestants, &known);
        Ok((Self { tournament, settings, results, told_seed, numbers }, reader))
    }
}

/// The results of a tournament by the games that are known, without playing any.
fn recall(settings: &Settings, schedule: Schedule, contestants: usize, known: &Known) -> Results {
    let take =
        |_, fixture| Ok(known.get(&fixture).map_or(Source::Missing, |game| Source::Taken(game.clone())));
    let (results, delivered) =
        tournament::play(settings, schedule, contestants, 1, || false, take, |_, _, _| Ok::<_, ()>(()));
    debug_assert_eq!(delivered, Ok(()));
    results
}

/// A game as the journal takes it; none if it was not played now, or has no transcript.
fn new_game(game: &Delivery) -> Option<NewGame<'_>> {
    let Fixture { seats, pair, game: number } = game.summary.fixture;
    let played = game.played.as_deref()?;
    Some(NewGame {
        key: GameKey { seats, pair, game: number },
        result: &played.result,
        header: &played.header,
        transcript: played.packed.as_ref()?,
    })
}

fn fixture(key: GameKey) -> Fixture {
    Fixture { seats: key.seats, pair: key.pair, game: key.game }
}

/// The failure of a run that cannot use its journal.
pub fn failure(name: &ShownPath, error: JournalError) -> Failure {
    let next = match &error {
        JournalError::Missing => "check the path; `arena run --journal FILE` makes a journal",
        JournalError::NotAFile(_) | JournalError::Foreign => "name another file: this one is left as it is",
        JournalError::Version(_) => "use the arena that the message names, or name another journal",
        JournalError::LaterMinor { .. } => "continue it with the arena that wrote it",
        JournalError::Other(_) => "name another journal, or play the tournament that this one is of",
        JournalError::Busy => "wait until it has ended; `arena standings` can read the journal meanwhile",
        JournalError::Full => "make room, and continue with --resume",
        JournalError::Damaged { .. } | JournalError::Conflict { .. } | JournalError::Stray => {
            "restore it from a copy, or name another journal and play again"
        }
        JournalError::Io(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                "make the folder, or name a journal in one that exists"
            }
            _ => "check the permissions of the file and its folder, or name a journal elsewhere",
        },
    };
    failure_with(name, error, next)
}

/// The failure of a command that reads a journal and cannot.
pub fn failure_to_read(name: &ShownPath, error: JournalError) -> Failure {
    let next = match &error {
        JournalError::NotAFile(_) | JournalError::Foreign => {
            "name a journal, as `arena run --journal FILE` makes it"
        }
        JournalError::Version(_) => "use the arena that the message names",
        JournalError::Damaged { .. } => "restore it from a copy",
        JournalError::Io(_) => "check the permissions of the file and its folder",
        _ => return failure(name, error),
    };
    failure_with(name, error, next)
}

fn failure_with(name: &ShownPath, error: JournalError, next: &str) -> Failure {
    match &error {
        JournalError::Io(cause) if cause.kind() == ErrorKind::NotFound => {
            Failure::usage(format!("{name}: its folder does not exist"), next)
        }
        _ if error.is_of_the_machine() => Failure::machine(name.to_string(), error, next),
        _ => Failure::usage(format!("{name}: {error}"), next),
    }
}
