//! The journal of a run: the games that it has already, and those that are added.

use crate::error::Error;
use crate::season::Season;
use crate::seed::{DrawnSeed, SecretFile};
use crate::stored::{JournalContent, Known, failure, recall, recalled, uncounted};
use crate::tournament::{Contest, Delivery};
use arena_league::Fixture;
use arena_record::Conditions;
use arena_rules::GameRules;
use arena_store::{
    ChainHead, GameKey, JournalError, NewGame, Packing, Tournament, TrailEntry, Unkept, Writer,
};
use arena_text::{ShownPath, counted, shown};
use std::path::Path;

/// The journal of a run, if it has one.
pub struct Journal {
    known: Known,
    keeper: Keeper,
}

/// The writer of a journal, if there is one.
pub struct Keeper {
    name: ShownPath,
    writer: Option<Writer>,
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
        journal_content: Option<JournalContent>,
    ) -> Result<Self, Error> {
        let name = path.map(shown).unwrap_or_default();
        let Some(path) = path else {
            let keeper = Keeper { name, writer: None };
            return Ok(Self { known: Known::new(), keeper });
        };
        let conditions = Conditions { seed: seed.season, ..conditions.clone() };
        let tournament = Tournament { conditions, bots: season.bots.clone() };
        // Before the journal, so that there is never a journal whose seed is lost.
        seed.secret.map_or(Ok(()), |secret| SecretFile::beside(path).keep(secret))?;
        let mut writer =
            Writer::open(path, &tournament, &season.entry).map_err(|error| failure(&name, error))?;
        let rules = &tournament.conditions.rules;
        if let (GameRules::Loaded(game), Some(bytes)) = (rules, arena_game_component::bytes(rules)) {
            writer.keep_code(game.sha256(), &bytes).map_err(|error| failure(&name, error))?;
        }
        let keeper = Keeper { name, writer: Some(writer) };
        Ok(Self {
            known: journal_content.map_or_else(Known::new, |journal_content| journal_content.known),
            keeper,
        })
    }

    /// The contest before the stage of the season: with the games of the stages before it.
    pub fn contest(&self, season: &Season) -> Contest {
        recalled(season.bots.len(), &season.earlier, &self.known)
    }

    /// The note about the games that are there already; `None` when there are none.
    pub fn note(&self, season: &Season, contest: &Contest) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        let mut contest = contest.clone();
        recall(&mut contest, season.number(), std::slice::from_ref(&season.stage), &self.known);
        let results = contest.results();
        let there = results.sums.played;
        let planned = counted(results.games_planned, "game");
        let mut note = format!("the journal {} has {there} of {planned}", self.keeper.name);
        note.extend(uncounted(self.known.len(), there).map(|uncounted| format!("; {uncounted}")));
        note.extend(season.changes.iter().map(|change| format!("\n  {change}")));
        Some(note)
    }

    /// The packing of transcripts for it; `None` when there is no journal.
    pub fn packing(&self) -> Option<Packing> {
        self.keeper.writer.as_ref().map(|writer| writer.packing().clone())
    }

    /// The end of the chain of hashes, if there is a journal.
    pub fn head(&self) -> Option<ChainHead> {
        self.keeper.writer.as_ref().map(Writer::head)
    }

    /// The known games, and the writer that adds to them.
    pub fn split(&mut self) -> (&Known, &mut Keeper) {
        (&self.known, &mut self.keeper)
    }
}

impl Keeper {
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
                writer.note(entries).map_err(|error| unwritten(&self.name, error))
            }
            _ => Ok(()),
        }
    }
}

fn unwritten(name: &ShownPath, error: JournalError) -> Error {
    Error::machine(
        format!("{name}: cannot be written; the games before are kept"),
        error,
        "make room, or check the disk, and continue with --resume",
    )
}

/// A game in the form for the journal; `None` when it was not played now, or has no transcript.
fn new_game(game: &Delivery) -> Option<NewGame<'_>> {
    let played = game.played.as_deref()?;
    Some(NewGame {
        key: key(game.summary.fixture),
        result: &played.result,
        header: &played.header,
        transcript: played.packed.as_ref()?,
    })
}

fn key(fixture: Fixture) -> GameKey {
    GameKey { seats: fixture.seats, pair: fixture.pair, game: fixture.game }
}
