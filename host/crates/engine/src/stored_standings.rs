//! The standings of a journal, counted in one pass over its games, of which none is kept: so they need little memory.

use crate::counted_games::CountedGames;
use crate::error::Error;
use crate::game_file::give_code;
use crate::mistake::Mistake;
use crate::ranking::Ranking;
use crate::season;
use crate::seed::StageSeed;
use crate::stored::{At, JournalContent, StoredSeason, failure_to_read, notes};
use crate::tournament::{Results, Settings};
use arena_record::Seed;
use arena_store::{ChainHead, Content, Reader, Tournament};
use arena_text::shown;
use std::path::Path;

/// The standings of a journal.
pub struct StoredStandings {
    /// The conditions of the latest stage, and all bots that have ever played, with their labels of today.
    pub tournament: Tournament,
    /// The settings of the latest stage.
    pub settings: Settings,
    /// The results. They have the games that the sums do not cover: those with faults, and those that were not played.
    pub results: Results,
    /// The seed of the latest stage, if it has been revealed.
    pub revealed: Option<Seed>,
    /// The end of the chain of hashes.
    pub head: Option<ChainHead>,
    /// The notes about games that may be missing, and about those that are kept and do not count.
    pub notes: Vec<String>,
}

impl StoredStandings {
    /// Reads a journal, which another process may be writing, as it was at a moment if one is given.
    ///
    /// # Errors
    /// The reason why it cannot be read, or that no stage had begun then.
    pub fn read(path: &Path, at: Option<&At>) -> Result<Self, Error> {
        if at.is_some() {
            let (kept, _) = StoredSeason::read_at(path, at)?;
            let revealed = kept.revealed();
            let StoredSeason {
                content: JournalContent { tournament, head, .. },
                settings,
                results,
                notes,
                ..
            } = kept;
            return Ok(Self { tournament, settings, results, revealed, head, notes });
        }
        let name = shown(path);
        let refuse = |error| failure_to_read(&name, error);
        let reader = Reader::open(path).map_err(refuse)?;
        let (counted, content) =
            reader.count_games(|pass| CountedGames::of(pass, false, |_, _| ())).map_err(refuse)?;
        let Content { mut tournament, stages: entries, revealed_seed, head, .. } = content;
        give_code(&reader, &mut tournament.conditions).map_err(refuse)?;
        let Some(settings) = counted.stages.last().map(|stage| stage.settings) else {
            return Err(Mistake::NoGames { journal: name }.into());
        };
        let kept = counted.kept.iter().sum();
        let results = counted.into_results(&tournament);
        let latest = StageSeed::of_all(&tournament, &entries, revealed_seed).pop();
        if let Some(latest) = &latest {
            tournament.conditions.seed = latest.recorded;
        }
        season::label_versions(&mut tournament.bots, &entries);
        let notes = notes(&name, reader.lacks_log(), kept, results.sums.played);
        Ok(Self {
            tournament,
            settings,
            results,
            revealed: latest.and_then(|latest| latest.revealed),
            head: Some(head),
            notes,
        })
    }

    /// The standings.
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking::new(&self.settings, &self.tournament.bots, &self.results)
    }
}
