//! The games of a journal, counted in one pass over it.

use crate::stored::{fixture, stage, too_many_games};
use crate::tournament::{Contest, Results, Stage};
use arena_league::{Fixture, GAMES_MAX};
use arena_record::GameResult;
use arena_store::{JournalError, Pass, StoredGame, Tournament};
use std::collections::HashMap;

/// The games of a journal, counted.
pub(crate) struct CountedGames {
    contest: Contest,
    /// The stages.
    pub(crate) stages: Vec<Stage>,
    /// The number of games in the journal.
    pub(crate) kept: usize,
}

impl CountedGames {
    /// Counts the games of a journal, stage by stage. Unless `keeps_all`, the games that the sums cover are not kept. `each` is called for
    /// each game in the order of the journal.
    pub(crate) fn of(
        pass: &mut Pass<'_>,
        keeps_all: bool,
        each: impl FnMut(&StoredGame),
    ) -> Result<Self, JournalError> {
        let mut contest = Contest::new(0);
        if !keeps_all {
            contest.sum_up();
        }
        let mut games = Games { next: None, pass, each, early: HashMap::new() };
        games.advance()?;
        let (mut stages, mut planned) = (Vec::new(), 0_usize);
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
            stages.push(stage);
        }
        while games.next.is_some() {
            games.advance()?;
        }
        Ok(Self { contest, stages, kept: games.pass.games() })
    }

    /// The results of the bots that have ever played.
    pub(crate) fn into_results(mut self, tournament: &Tournament) -> Results {
        self.contest.enter(tournament.bots.len(), true);
        self.contest.into_results()
    }
}

/// The games of a journal, in the order in which they are asked for. It is that of the journal, but for few.
struct Games<'a, 'p, E> {
    pass: &'a mut Pass<'p>,
    next: Option<StoredGame>,
    each: E,
    /// Those that were not asked for yet.
    early: HashMap<Fixture, GameResult>,
}

impl<E: FnMut(&StoredGame)> Games<'_, '_, E> {
    /// Reads the game after the next one.
    fn advance(&mut self) -> Result<(), JournalError> {
        self.next = self.pass.next_game()?;
        self.next.iter().for_each(&mut self.each);
        Ok(())
    }

    /// The next game, if it was played before this stage.
    fn next_before(&mut self, stage: usize) -> Result<Option<(Fixture, GameResult)>, JournalError> {
        let Some(game) = self.next.take_if(|game| game.stage < stage) else { return Ok(None) };
        self.advance()?;
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
