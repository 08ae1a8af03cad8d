//! A season between its stages: what its journal has, and the writer, which stays open.

use crate::error::Error;
use crate::journal::Journal;
use crate::mistake::Mistake;
use crate::plan::{self, TournamentOptions};
use crate::run::{PlannedRun, PreparedRun, RunOptions};
use crate::season::Season;
use crate::seed::{SeedSource, StageSeed};
use crate::stored::{JournalContent, Known, StoredSeason};
use crate::tournament::Contest;
use arena_record::Conditions;
use arena_store::Tournament;
use arena_text::{ShownPath, shown};
use std::collections::HashMap;

/// A season between two stages. Its journal is read once: a stage that was played is not read again, so a stage costs the same after a
/// hundred games and after a million.
///
/// Once a stage was played, the journal stays open, and no other arena can write it.
pub struct OpenSeason {
    pub(crate) options: RunOptions,
    /// The journal, if a run has begun it. After a stage of this process, the games are not in it, but in the contest.
    pub(crate) content: Option<JournalContent>,
    pub(crate) played: Option<PlayedStage>,
}

/// A stage that was played: the next one continues from it.
pub(crate) struct PlayedStage {
    /// The contest after it.
    pub(crate) contest: Contest,
    /// The journal, without known games.
    pub(crate) journal: Journal,
}

impl OpenSeason {
    /// Reads the journal of these options, if it exists.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(options: RunOptions) -> Result<Self, Error> {
        let content = match &options.journal {
            Some(path) if options.resumes && !path.exists() => {
                return Err(Mistake::NothingToContinue { journal: shown(path) }.into());
            }
            Some(path) => JournalContent::read_begun(path)?,
            None => None,
        };
        Ok(Self { options, content, played: None })
    }

    /// The season after a stage; `None` if its journal has to be read again.
    pub(crate) fn after(planned: PlannedRun, contest: Contest, journal: Journal) -> Option<Self> {
        if !contest.is_as_recalled() || !journal.has_only(contest.results().sums.played) {
            return None;
        }
        let PlannedRun { open: Self { options, content, .. }, plan, seed, season, .. } = planned;
        let seed = seed.season;
        let conditions = content.as_ref().map_or_else(
            || Conditions { seed, ..plan.conditions },
            |content| content.tournament.conditions.clone(),
        );
        let content = JournalContent::after(content, journal.name(), conditions, season);
        Some(Self { options, content: Some(content), played: Some(PlayedStage { contest, journal }) })
    }

    /// The season as the journal has it; `None` if it has no stage. It is there until a stage is played.
    pub fn stored(&self) -> Option<StoredSeason> {
        let content = self.content.as_ref().filter(|_| self.played.is_none())?;
        (!content.stages.is_empty()).then(|| StoredSeason::of(content.clone()))
    }

    /// True if no other program has changed the journal since it was opened. If it is not open, the next stage checks this when it begins.
    pub fn is_current(&self) -> bool {
        self.played.as_ref().is_none_or(|played| played.journal.is_alone())
    }

    /// Opens the next stage, with these settings. It may be the latest one again, which was not played to its end.
    ///
    /// # Errors
    /// A mistake in the options, or a journal that cannot be continued.
    pub fn stage(self, tournament: TournamentOptions) -> Result<PreparedRun, Error> {
        let Self { mut options, content, played } = self;
        options.tournament = tournament;
        if let Some(content) = &content {
            options.game.limits = options.game.limits.or_of(&content.tournament.conditions.limits);
        }
        let of_journal = content.as_ref().map(|content| &content.tournament.conditions.rules);
        let rules = plan::rules_asked_or(&options.game, of_journal)?;
        plan::check_settings(&options.tournament, content.as_ref().and_then(JournalContent::settings))?;
        let journal = options.journal.as_deref();
        let seed = SeedSource::of_run(options.seed, options.beacon.clone(), journal, content.as_ref())?;
        Ok(PreparedRun { season: Self { options, content, played }, rules, seed })
    }
}

impl JournalContent {
    /// The content after a stage that was played, without the games and the times.
    pub(crate) fn after(
        before: Option<Self>,
        name: &ShownPath,
        conditions: Conditions,
        season: Season,
    ) -> Self {
        let Season { bots, stage, entry, resumes, .. } = season;
        let (mut stages, mut entries, trail) = match before {
            Some(Self { stages, entries, trail, .. }) => (stages, entries, trail),
            None => Default::default(),
        };
        if !resumes {
            stages.push(stage);
            entries.push(entry);
        }
        let tournament = Tournament { conditions, bots };
        let seeds = StageSeed::of_all(&tournament, &entries, None);
        Self {
            name: name.clone(),
            tournament,
            stages,
            entries,
            known: Known::new(),
            seeds,
            revealed_seed: None,
            moments: Vec::new(),
            clock: None,
            trail,
            head: None,
            numbers: HashMap::new(),
            lacks_log: false,
        }
    }

    /// Takes the games out of it.
    pub(crate) fn take_games(&mut self) -> Known {
        self.numbers = HashMap::new();
        std::mem::take(&mut self.known)
    }
}
