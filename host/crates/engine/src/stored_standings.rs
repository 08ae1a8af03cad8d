//! The standings of a journal, counted in one pass over its games, of which none is kept: so they need little memory.

use crate::error::Error;
use crate::game_file::give_code;
use crate::mistake::Mistake;
use crate::ranking::Ranking;
use crate::season;
use crate::seed::StageSeed;
use crate::stored::{
    At, JournalContent, StoredSeason, failure_to_read, fixture, notes, stage, too_many_games,
};
use crate::tournament::{Contest, Results, Settings};
use arena_league::{Fixture, GAMES_MAX};
use arena_record::{GameResult, Seed};
use arena_store::{ChainHead, Content, JournalError, Pass, Reader, StoredGame, Tournament};
use arena_text::shown;
use std::collections::HashMap;
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
        let (counted, content) = reader.count_games(count).map_err(refuse)?;
        let Counted { mut contest, settings, kept } = counted;
        let Content { mut tournament, stages: entries, revealed_seed, head, .. } = content;
        give_code(&reader, &mut tournament.conditions).map_err(refuse)?;
        let Some(settings) = settings else { return Err(Mistake::NoGames { journal: name }.into()) };
        contest.enter(tournament.bots.len(), true);
        let results = contest.into_results();
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

/// The games of a journal, counted.
struct Counted {
    contest: Contest,
    /// The settings of the latest stage, if there is one.
    settings: Option<Settings>,
    /// The number of games in the journal.
    kept: usize,
}

/// Counts the games of a journal, stage by stage.
fn count(pass: &mut Pass<'_>) -> Result<Counted, JournalError> {
    let mut contest = Contest::new(0);
    contest.sum_up_earlier_stages();
    let mut games = Games { next: pass.next_game()?, pass, early: HashMap::new() };
    let (mut settings, mut planned) = (None, 0_usize);
    // A stage has been read once a game of it or of a later one, or the end, was.
    for number in 1..=games.pass.stages_at_end() {
        games.take_before(number)?;
        // It is missing if it is not in the chain, which is an error at the end.
        let Some(entry) = games.pass.stages().get(number - 1) else { break };
        let stage = stage(entry)?;
        planned = planned.saturating_add(stage.games_planned());
        if planned as u64 > GAMES_MAX {
            return Err(too_many_games(planned));
        }
        if number == games.pass.stages_at_end() {
            contest.sum_up();
        }
        contest.enter(games.pass.bots(), false);
        let mut failed = None;
        contest.recall(&stage, |fixture| match games.result_of(fixture, number) {
            Ok(result) => result,
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        failed.map_or(Ok(()), Err)?;
        settings = Some(stage.settings);
    }
    while games.next.is_some() {
        games.next = games.pass.next_game()?;
    }
    Ok(Counted { contest, settings, kept: games.pass.games() })
}

/// The games of a journal, in the order in which they are asked for. It is that of the journal, but for few.
struct Games<'a, 'p> {
    pass: &'a mut Pass<'p>,
    next: Option<StoredGame>,
    /// Those that were not asked for yet.
    early: HashMap<Fixture, GameResult>,
}

impl Games<'_, '_> {
    /// The next game, if it was played before this stage.
    fn next_before(&mut self, stage: usize) -> Result<Option<(Fixture, GameResult)>, JournalError> {
        let Some(game) = self.next.take_if(|game| game.stage < stage) else { return Ok(None) };
        self.next = self.pass.next_game()?;
        Ok(Some((fixture(game.key), game.result)))
    }

    /// Takes the games before this stage that were not asked for: they do not count, or do in a later stage.
    fn take_before(&mut self, stage: usize) -> Result<(), JournalError> {
        while let Some((fixture, result)) = self.next_before(stage)? {
            self.early.insert(fixture, result);
        }
        Ok(())
    }

    /// The result of a game that was played in this stage or an earlier one.
    fn result_of(&mut self, asked: Fixture, stage: usize) -> Result<Option<GameResult>, JournalError> {
        while let Some((fixture, result)) = self.next_before(stage + 1)? {
            if fixture == asked {
                return Ok(Some(result));
            }
            self.early.insert(fixture, result);
        }
        Ok(self.early.remove(&asked))
    }
}
