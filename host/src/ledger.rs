//! The journal of a run: what is there already, and what comes to it.

use crate::failure::Failure;
use crate::game::Table;
use crate::report::{Entrant, Terms};
use crate::roster::shown;
use crate::tournament::{self, Course, Results, Source};
use anyhow::Context;
use arena_league::{Fixture, Schedule};
use arena_record::{GameResult, Transcript};
use arena_sandbox::WASMTIME_VERSION;
use arena_store::{Conditions, GameKey, JournalError, Reader, Writer};
use std::collections::HashMap;
use std::path::Path;

/// What a journal says of each game that it has.
pub type Known = HashMap<Fixture, GameResult>;

/// A run's journal, if it has one.
pub struct Ledger {
    name: String,
    known: Known,
    keeper: Keeper,
}

/// What adds games to a journal.
pub struct Keeper(Option<Writer>);

impl Ledger {
    /// Opens or makes the journal, if there is to be one, and reads what it has.
    ///
    /// # Errors
    /// Why it cannot be gone on with.
    pub fn open(
        path: Option<&Path>,
        resume: bool,
        table: &Table<'_>,
        course: &Course,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self { name: String::new(), known: Known::new(), keeper: Keeper(None) });
        };
        let name = shown(path);
        if resume && !path.exists() {
            return Err(Failure::input(
                format!("{name}: there is no such journal to go on with"),
                "leave out --resume to begin one",
            ));
        }
        let refuse = |error| failure(&name, error);
        let mut writer = Writer::open(path, &conditions(table)).map_err(refuse)?;
        let known = writer.games().map_err(refuse)?.into_iter().map(|game| (fixture(game.key), game.result));
        let known = known.collect();
        writer.begin(&serde_json::to_string(course).context("the course is plain data")?).map_err(refuse)?;
        Ok(Self { name, known, keeper: Keeper(Some(writer)) })
    }

    /// What to say of the games that are there; nothing where there are none.
    pub fn note(&self, course: &Course, schedule: &Schedule, contestants: usize) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        let results = recall(course, schedule.clone(), contestants, &self.known);
        let (there, planned) = (results.games.len(), results.games_planned);
        Some(format!("{there} of {planned} games are in the journal {}", self.name))
    }

    /// What is there, and what adds to it.
    pub fn split(&mut self) -> (&Known, &mut Keeper) {
        (&self.known, &mut self.keeper)
    }
}

impl Keeper {
    /// Keeps a game, if there is a journal.
    ///
    /// # Errors
    /// A journal that cannot be written. Then the game is not in it.
    pub fn keep(
        &mut self,
        fixture: Fixture,
        result: &GameResult,
        transcript: &Transcript,
    ) -> anyhow::Result<()> {
        let Some(writer) = &mut self.0 else { return Ok(()) };
        let Fixture { seats, pair, game } = fixture;
        let kept = writer.append(GameKey { seats, pair, game }, result, transcript);
        kept.map(drop).context("cannot write the journal; what was kept before is whole")
    }
}

/// A tournament as its journal tells it.
pub struct Told {
    /// What it was played under.
    pub conditions: Conditions,
    /// How it was held.
    pub course: Course,
    /// What came of it.
    pub results: Results,
    /// The number in the journal of each game.
    pub numbers: HashMap<Fixture, u64>,
}

impl Told {
    /// Reads a journal, which may be written meanwhile.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(path: &Path) -> Result<(Self, Reader), Failure> {
        let name = shown(path);
        let refuse = |error| failure(&name, error);
        let reader = Reader::open(path).map_err(refuse)?;
        let conditions = reader.conditions().map_err(refuse)?;
        let course = reader.course().map_err(refuse)?;
        let course = course.and_then(|course| serde_json::from_str::<Course>(&course).ok());
        let damaged = |what: &str| refuse(JournalError::Damaged(what.into()));
        let course = course.ok_or_else(|| damaged("it does not say how the tournament is held"))?;
        let games = reader.games().map_err(refuse)?;
        let contestants = conditions.contestants.len();
        if games.iter().any(|game| game.key.seats.iter().any(|&seat| seat >= contestants)) {
            return Err(damaged("a game has a contestant that is none"));
        }
        let schedule = Schedule::new(course.format, contestants, course.games_per_match)
            .map_err(|error| damaged(&error.to_string()))?;
        let numbers = games.iter().map(|game| (fixture(game.key), game.number)).collect();
        let known = games.into_iter().map(|game| (fixture(game.key), game.result)).collect();
        let results = recall(&course, schedule, contestants, &known);
        Ok((Self { conditions, course, results, numbers }, reader))
    }

    /// What it was played by, for a report.
    pub fn terms(&self) -> Terms<'_> {
        let Conditions { arena, wasmtime, rules, limits, seed, .. } = &self.conditions;
        Terms { arena, wasmtime, rules, limits: *limits, seed: *seed, course: &self.course }
    }

    /// The contestants, for a report.
    pub fn entrants(&self) -> Vec<Entrant<'_>> {
        let bots = self.conditions.contestants.iter();
        bots.map(|bot| Entrant { label: &bot.label, name: &bot.name, sha256: &bot.sha256 }).collect()
    }
}

/// What a tournament comes to by the games that are there, without playing any.
fn recall(course: &Course, schedule: Schedule, contestants: usize, known: &Known) -> Results {
    let take =
        |_, fixture| Ok(known.get(&fixture).map_or(Source::Missing, |game| Source::Taken(game.clone())));
    let (results, told) =
        tournament::play(course, schedule, contestants, 1, || false, take, |_, _, _| Ok::<_, ()>(()));
    debug_assert_eq!(told, Ok(()));
    results
}

fn conditions(table: &Table<'_>) -> Conditions {
    let contestants = table.contestants.iter().map(|contestant| arena_store::Entrant {
        label: contestant.label.clone(),
        name: contestant.bot.name().to_owned(),
        sha256: contestant.bot.hash().to_owned(),
    });
    Conditions {
        arena: env!("CARGO_PKG_VERSION").into(),
        wasmtime: WASMTIME_VERSION.into(),
        engine: table.engine.into(),
        rules: table.plan.rules.clone(),
        limits: table.plan.limits,
        seed: table.plan.seed,
        contestants: contestants.collect(),
    }
}

fn fixture(key: GameKey) -> Fixture {
    Fixture { seats: key.seats, pair: key.pair, game: key.game }
}

/// Why a journal cannot be used, as a failure of the program's.
pub fn failure(name: &str, error: JournalError) -> Failure {
    let next = match &error {
        JournalError::Missing => "check the path; `arena run --journal FILE` makes a journal",
        JournalError::Foreign => "name another file: this one is left as it is",
        JournalError::Newer { .. } => "use the arena that made it, or a later one",
        JournalError::Other(_) => "name another journal, or play what this one is of",
        JournalError::Busy => "wait until it has ended; `arena standings` can look at the journal meanwhile",
        JournalError::Full => "make room, and go on with --resume",
        JournalError::Damaged(_) | JournalError::Conflict { .. } => {
            "restore it from a copy, or name another journal and play again"
        }
        JournalError::Io(_) | JournalError::Sqlite(_) => {
            "check that it is a file that may be read and written"
        }
    };
    Failure::input(format!("{name}: {error}"), next)
}
