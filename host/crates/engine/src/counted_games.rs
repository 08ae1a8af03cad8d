//! The games of a journal, counted in one pass over it.

use crate::stored::{GamePlace, fixture, stage, too_many_games};
use crate::tournament::{Contest, GameSummary, Results, Stage};
use arena_league::{Fixture, GAMES_MAX};
use arena_record::GameResult;
use arena_store::{JournalError, Pass, StoredGame, Tournament};
use std::cell::Cell;
use std::collections::HashMap;

/// The games of a journal, counted.
pub(crate) struct CountedGames {
    contest: Contest,
    /// The stages.
    pub(crate) stages: Vec<Stage>,
    /// The number of games in the journal, by stage.
    pub(crate) kept: Vec<usize>,
}

impl CountedGames {
    /// Counts the games of a journal, stage by stage. Unless `keeps_all`, the games that the sums cover are not kept. `each` is called for
    /// each game that counts, in the order of the schedule, with its place if it was played.
    pub(crate) fn of(
        pass: &mut Pass<'_>,
        keeps_all: bool,
        mut each: impl FnMut(&GameSummary, Option<GamePlace>),
    ) -> Result<Self, JournalError> {
        let mut contest = Contest::new(0);
        if !keeps_all {
            contest.sum_up();
        }
        let mut games = Games { next: None, pass, early: HashMap::new(), kept: Vec::new() };
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
            let (mut failed, place) = (None, Cell::new(None));
            let known = |fixture| match games.result_of(fixture, number) {
                Ok(found) => found.map(|(found_at, result)| {
                    place.set(Some(found_at));
                    result
                }),
                Err(error) => {
                    failed.get_or_insert(error);
                    None
                }
            };
            contest.recall_each(&stage, known, |game| each(game, place.take()));
            failed.map_or(Ok(()), Err)?;
            stages.push(stage);
        }
        while games.next.is_some() {
            games.advance()?;
        }
        Ok(Self { contest, stages, kept: games.kept })
    }

    /// The results of the bots that have ever played.
    pub(crate) fn into_results(mut self, tournament: &Tournament) -> Results {
        self.contest.enter(tournament.bots.len(), true);
        self.contest.into_results()
    }
}

/// The games of a journal, in the order in which they are asked for. It is that of the journal, but for few.
struct Games<'a, 'p> {
    pass: &'a mut Pass<'p>,
    next: Option<StoredGame>,
    /// Those that were not asked for yet.
    early: HashMap<Fixture, Found>,
    /// The number of games so far, by stage.
    kept: Vec<usize>,
}

/// The place of a game in the journal, and its result.
type Found = (GamePlace, GameResult);

impl Games<'_, '_> {
    /// Reads the game after the next one.
    fn advance(&mut self) -> Result<(), JournalError> {
        self.next = self.pass.next_game()?;
        if let Some(game) = &self.next {
            self.kept.resize(self.kept.len().max(game.stage), 0);
            self.kept[game.stage - 1] += 1;
        }
        Ok(())
    }

    /// The next game, if it was played before this stage.
    fn next_before(&mut self, stage: usize) -> Result<Option<(Fixture, Found)>, JournalError> {
        let Some(game) = self.next.take_if(|game| game.stage < stage) else { return Ok(None) };
        self.advance()?;
        let place = GamePlace { stage: game.stage, number: game.number };
        Ok(Some((fixture(game.key), (place, game.result))))
    }

    /// Takes the games before this stage that were not asked for: they do not count, or do in a later stage.
    fn take_before(&mut self, stage: usize) -> Result<(), JournalError> {
        while let Some((fixture, found)) = self.next_before(stage)? {
            self.early.insert(fixture, found);
        }
        Ok(())
    }

    /// The result of a game that was played in this stage or an earlier one.
    fn result_of(&mut self, asked: Fixture, stage: usize) -> Result<Option<Found>, JournalError> {
        while let Some((fixture, found)) = self.next_before(stage + 1)? {
            if fixture == asked {
                return Ok(Some(found));
            }
            self.early.insert(fixture, found);
        }
        Ok(self.early.remove(&asked))
    }
}
