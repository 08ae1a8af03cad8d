//! The journal of a run: the games that it has already, and those that are added.

use crate::error::Error;
use crate::season::Season;
use crate::seed::{DrawnSeed, SecretFile};
use crate::stored::{Known, failure, recall, recalled, uncounted};
use crate::tournament::{Contest, Delivery, Stage};
use arena_league::Fixture;
use arena_record::Conditions;
use arena_rules::GameRules;
use arena_store::{ChainHead, GameKey, JournalError, NewGame, Tournament, TrailEntry, Unkept, Writer};
use arena_text::{ShownPath, counted, shown};
use std::path::Path;

/// The journal of a run, if it has one.
pub struct Journal {
    known: Known,
    writer: JournalWriter,
}

/// The writer of a journal, if there is one.
pub struct JournalWriter {
    name: ShownPath,
    writer: Option<Writer>,
    /// True if it has added something to the trail of workers.
    has_noted: bool,
}

impl Journal {
    /// Opens or makes the journal, if one was asked for, and begins the stage of the season.
    ///
    /// # Errors
    /// The reason why it cannot be continued.
    pub fn open(
        path: Option<&Path>,
        conditions: &Conditions,
        seed: &DrawnSeed,
        season: &Season,
        known: Known,
    ) -> Result<Self, Error> {
        let name = path.map(shown).unwrap_or_default();
        let Some(path) = path else {
            return Ok(Self { known, writer: JournalWriter { name, writer: None, has_noted: false } });
        };
        let conditions = Conditions { seed: seed.season, ..conditions.clone() };
        let tournament = Tournament { conditions, bots: season.bots.clone() };
        // Before the journal, so that there is never a journal whose seed is lost.
        seed.secret.map_or(Ok(()), |secret| SecretFile::of(path).keep(secret))?;
        let mut writer =
            Writer::open(path, &tournament, &season.entry).map_err(|error| failure(&name, error))?;
        if writer.games() != known.len() {
            // Another arena has added some after it was read, and has ended since.
            return Err(failure(&name, JournalError::Changed));
        }
        let rules = &tournament.conditions.rules;
        if let (GameRules::Loaded(game), Some(bytes)) = (rules, arena_loaded::bytes(rules)) {
            writer.keep_code(game.sha256(), &bytes).map_err(|error| failure(&name, error))?;
        }
        Ok(Self { known, writer: JournalWriter { name, writer: Some(writer), has_noted: false } })
    }

    /// Begins another stage of a season, with the games of this run so far.
    ///
    /// # Errors
    /// The reason why it cannot be continued.
    pub fn enter(&mut self, season: &Season) -> Result<(), Error> {
        let JournalWriter { name, writer, .. } = &mut self.writer;
        self.known = Known::new();
        match writer {
            Some(writer) => writer.enter(&season.bots, &season.entry).map_err(|error| failure(name, error)),
            None => Ok(()),
        }
    }

    /// The journal, as messages name it.
    pub fn name(&self) -> &ShownPath {
        &self.writer.name
    }

    /// True if this number of games is all that was added to what was known of the journal.
    pub fn has_only(&self, games: usize) -> bool {
        let writer = self.writer.writer.as_ref();
        writer.is_some_and(|writer| writer.games() == games) && !self.writer.has_noted
    }

    /// True if no other program has changed the journal since it was opened.
    pub fn is_alone(&self) -> bool {
        self.writer.writer.as_ref().is_none_or(|writer| writer.is_alone().unwrap_or(false))
    }

    /// The contest before the stage of the season: with the games of the stages before it.
    pub fn contest(&self, season: &Season, earlier: &[Stage]) -> Contest {
        recalled(season.bots.len(), earlier, &self.known)
    }

    /// The note about the games that are there already; `None` when there are none.
    pub fn note(&self, season: &Season, contest: &Contest) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        let mut contest = contest.clone();
        recall(&mut contest, season.number, std::slice::from_ref(&season.stage), &self.known);
        let results = contest.results();
        let there = results.sums.played;
        let planned = counted(results.games_planned, "game");
        let mut note = format!("the journal {} has {there} of {planned}", self.writer.name);
        note.extend(uncounted(self.known.len(), there).map(|uncounted| format!("; {uncounted}")));
        note.extend(season.changes.iter().map(|change| format!("\n  {change}")));
        Some(note)
    }

    /// The end of the chain of hashes, if there is a journal.
    pub fn head(&self) -> Option<ChainHead> {
        self.writer.writer.as_ref().map(Writer::head)
    }

    /// The known games, and the writer that adds to them.
    pub fn split(&mut self) -> (&Known, &mut JournalWriter) {
        (&self.known, &mut self.writer)
    }
}

impl JournalWriter {
    /// Keeps games, if there is a journal. Returns the number of those that are kept, from the first, and the reason if it is
    /// not all.
    pub fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), Error>) {
        let Some(writer) = &mut self.writer else { return (games.len(), Ok(())) };
        let (places, new): (Vec<_>, Vec<_>) =
            games.iter().enumerate().filter_map(|(place, game)| Some((place, new_game(game)?))).unzip();
        match writer.append(&new) {
            Ok(()) => (games.len(), Ok(())),
            Err(Unkept { kept, error }) => (places[kept], Err(unwritten(&self.name, error))),
        }
    }

    /// Adds entries to the trail of workers, if there is a journal.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, entries: &[TrailEntry]) -> Result<(), Error> {
        match &mut self.writer {
            Some(writer) if !entries.is_empty() => {
                self.has_noted = true;
                writer.note(entries).map_err(|error| unwritten(&self.name, error))
            }
            _ => Ok(()),
        }
    }

    /// Brings what was added onto the disk.
    pub fn settle(&self) {
        self.writer.iter().for_each(Writer::settle);
    }
}

fn unwritten(name: &ShownPath, error: JournalError) -> Error {
    Error::machine(
        format!("{name}: cannot be written; the games before are kept"),
        error,
        "make room, or check the disk, and continue with --resume",
    )
}

/// A game in the form for the journal; `None` when it was not played now, or its events are not kept.
fn new_game(game: &Delivery) -> Option<NewGame<'_>> {
    let played = game.played.as_deref()?;
    Some(NewGame {
        key: key(game.summary.fixture),
        result: &played.result,
        header: &played.header,
        events: played.packed.as_ref()?,
    })
}

fn key(fixture: Fixture) -> GameKey {
    GameKey { seats: fixture.seats, pair: fixture.pair, game: fixture.game }
}
