//! The games of the stages in sequence, played or recalled by the same code.

use super::judge::{Delivery, Disqualifications, Faults, Judge};
use super::round_games::RoundGames;
use super::stage::{Decided, FullRound, Stage, planned};
use super::{GameSummary, Results, Source, Sums, game_score};
use arena_league::{Fixture, Fixtures, GameScore, Round, Schedule, Standings};
use arena_players::Played;
use arena_players::worker_pool::{self, Workers};
use arena_record::{Disqualified, GameResult};
use arena_referee::HostError;
use std::ops::ControlFlow;

/// A tournament in progress: everything that is passed from one stage to the next.
#[derive(Clone, Debug)]
pub struct Contest {
    results: Results,
    faults: Faults,
    /// True if games that the sums cover are not kept.
    sums_up: bool,
    /// The latest full round.
    full_round: Option<FullRound>,
    /// The games before the latest stage that have a result.
    decided: Decided,
    /// The games of the latest stage that have one.
    newly_decided: Decided,
    /// The number of games that were kept before the latest stage.
    kept_before: usize,
    /// True if the next stage is the latest one again.
    goes_on: bool,
}

/// A receiver of games, in the order of the schedule. Each game is kept, then shown, then counted.
pub trait Receiver {
    /// The reason why a game cannot be kept or shown.
    type Error;

    /// True if games after a missing one do not count.
    const STOPS_AT_GAP: bool = false;

    /// Keeps games that follow each other. Returns the number of those that are kept, and the reason if it is not all.
    fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), Self::Error>);

    /// Shows a game that has been kept, with the results before it.
    ///
    /// # Errors
    /// The reason why it cannot be shown.
    fn show(
        &mut self,
        game: &GameSummary,
        played: Option<&Played>,
        results: &Results,
    ) -> Result<(), Self::Error>;

    /// Ends the showing of games that were kept together.
    ///
    /// # Errors
    /// The reason why they cannot be shown.
    fn shown(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl Contest {
    /// A contest between this number of bots before its first stage.
    pub fn new(bots: usize) -> Self {
        Self {
            results: Results::new(bots),
            faults: Faults::new(bots),
            sums_up: false,
            full_round: None,
            decided: Decided::default(),
            newly_decided: Decided::default(),
            kept_before: 0,
            goes_on: false,
        }
    }

    /// Adds bots before the next stage, up to this number. `goes_on` is true if that stage is the latest one again, which was not
    /// played to its end.
    pub fn enter(&mut self, bots: usize, goes_on: bool) {
        self.results.sums.rated.grow(bots);
        self.results.standings.grow(bots);
        self.faults.grow(bots);
        self.goes_on = goes_on;
    }

    /// True if the contest is what [`recall`](Self::recall) makes of the games that were played, so that another stage may follow it. It
    /// is not if games were summed up, if one failed, or if a bot was disqualified in a stage that was broken off: the rest of its games
    /// in that stage are forfeits.
    pub fn is_as_recalled(&self) -> bool {
        let Results { disqualified, field, complete, .. } = &self.results;
        let is_out = |bot: &usize| disqualified.iter().any(|out| out.contestant == *bot);
        !self.sums_up && !self.has_gaps() && (*complete || !field.iter().any(is_out))
    }

    /// True if a game of the latest stage has failed.
    fn has_gaps(&self) -> bool {
        self.results.games[self.kept_before..].iter().any(|game| game.result.is_err())
    }

    /// From the next stage on, keeps a game only if the sums do not cover it: one with faults, without a result, or not played.
    /// So a million games need no more memory than a thousand. No further stage may follow one in which a game has failed.
    pub fn sum_up(&mut self) {
        self.sums_up = true;
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The results at the end.
    pub fn into_results(self) -> Results {
        self.results
    }

    /// The number of games of the season when this stage is played to its end, as far as it is known.
    pub fn games_planned(&mut self, stage: &Stage) -> usize {
        self.decided.extend(std::mem::take(&mut self.newly_decided));
        let full_round = self.full_round_of(stage, &self.decided);
        match stage.schedule.clone().next_round() {
            Some(round) if stage.settings.format.is_one_round() => {
                let fresh = Fresh::of(&round.fixtures, &self.decided, stage, full_round.as_ref());
                self.decided.len() + fresh.len()
            }
            // In other formats, the bots stay the same, and all games are of the same schedule.
            _ => stage.games_planned(),
        }
    }

    /// The full round to which a stage after these games belongs.
    fn full_round_of(&self, stage: &Stage, decided: &Decided) -> Option<FullRound> {
        let number = stage.settings.full_round?;
        let begun = self.full_round.clone().filter(|round| round.number == number);
        Some(begun.unwrap_or_else(|| FullRound::begin(number, stage, decided)))
    }

    /// Counts the known games of a stage, without playing. `known` has the result of each, and is asked in the order of the schedule.
    pub fn recall(&mut self, stage: &Stage, known: impl FnMut(Fixture) -> Option<GameResult>) {
        self.recall_each(stage, known, |_| ());
    }

    /// The same. `each` is called for each game before it is counted.
    pub fn recall_each(
        &mut self,
        stage: &Stage,
        mut known: impl FnMut(Fixture) -> Option<GameResult>,
        mut each: impl FnMut(&GameSummary),
    ) {
        self.begin(stage);
        let decided = std::mem::take(&mut self.decided);
        self.rounds(&decided, stage, |round| {
            for index in 0..round.fresh.len() {
                let fixture = round.fresh.get(index);
                let counts = round.judge.out.of(fixture) == [false; 2];
                let result = if counts { known(fixture) } else { None };
                let source = result.map_or(Source::Missing, Source::Taken);
                if let Some(game) = round.judge.judge(round.number(index), fixture, Ok(source)) {
                    each(&game.summary);
                    round.count(game.summary, game.disqualified);
                }
            }
        });
        self.decided = decided;
    }

    /// Plays the games of a stage with these workers, and gives each to the receiver before it is counted, in the order
    /// of the schedule. Games that an earlier stage has are not played again. `work` brings the games that a worker takes.
    ///
    /// It ends early if `stop` returns true, with all games that were started, or if the receiver fails; and after a round in
    /// which a game is missing, because the next round depends on it.
    ///
    /// # Errors
    /// The error of the receiver.
    pub fn play<'a, R: Receiver>(
        &mut self,
        stage: &Stage,
        workers_of: impl Into<Workers<'a>>,
        stop: impl Fn() -> bool + Sync,
        work: impl Fn(&RoundGames<'_>) + Sync,
        receiver: R,
    ) -> Result<(), R::Error> {
        self.begin(stage);
        let decided = std::mem::take(&mut self.decided);
        let played = self.play_after(&decided, stage, workers_of.into(), stop, work, receiver);
        self.decided = decided;
        played
    }

    /// Plays the games of a stage that has begun, after those that are decided.
    fn play_after<R: Receiver>(
        &mut self,
        decided: &Decided,
        stage: &Stage,
        workers_of: Workers<'_>,
        stop: impl Fn() -> bool + Sync,
        work: impl Fn(&RoundGames<'_>) + Sync,
        mut receiver: R,
    ) -> Result<(), R::Error> {
        let mut delivered = Ok(());
        self.rounds(decided, stage, |round| {
            let (fresh, out, before) = (round.fresh, round.judge.out, round.before);
            let mut is_at_gap = false;
            worker_pool::by_workers(
                workers_of,
                fresh.len(),
                &stop,
                |items| work(&RoundGames { items, fresh, out, before }),
                |first, batch| {
                    let mut judged = Vec::with_capacity(batch.len());
                    for (index, worked) in (first..).zip(batch) {
                        let settled = worker_pool::settled(worked);
                        match round.judge.judge(round.number(index), fresh.get(index), settled) {
                            Some(game) => {
                                // A later game could fail like it, or be decided by a game that is wrong.
                                is_at_gap = matches!(game.summary.result, Err(HostError::Game(_)));
                                judged.push(game);
                            }
                            None => is_at_gap = R::STOPS_AT_GAP,
                        }
                        if is_at_gap {
                            break;
                        }
                    }
                    // A game that could not be kept does not count.
                    let (kept, keeping) = receiver.keep(&judged);
                    delivered = keeping;
                    for Delivery { summary, played, disqualified } in judged.into_iter().take(kept) {
                        if let Err(error) = receiver.show(&summary, played.as_deref(), round.results) {
                            delivered = Err(error);
                            break;
                        }
                        round.count(summary, disqualified);
                    }
                    if let Err(error) = receiver.shown() {
                        delivered = Err(error);
                    }
                    if delivered.is_err() || is_at_gap {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
        });
        delivered
    }

    /// Goes through the rounds of a stage that has begun, after those that are decided. `play` counts the games of a round, and the next
    /// round follows if it has counted all of them.
    fn rounds(&mut self, decided: &Decided, stage: &Stage, mut play: impl FnMut(&mut OpenRound<'_>)) {
        let Self { results, faults, sums_up, full_round, newly_decided, .. } = self;
        let full_round = full_round.as_ref().filter(|_| stage.settings.full_round.is_some());
        let out = Disqualifications::new(faults.bots(), &results.disqualified);
        let is_one_round = stage.settings.format.is_one_round();
        let mut schedule = stage.schedule.clone();
        let mut before = results.sums.last;
        while let Some(round) = schedule.next_round() {
            let fresh = Fresh::of(&round.fixtures, decided, stage, full_round);
            if is_one_round {
                results.games_planned = decided.len() + fresh.len();
            }
            let mut open = OpenRound {
                fresh: &fresh,
                judge: Judge { out: &out, max_faults: stage.settings.max_faults, faults },
                record: Record {
                    schedule: &mut schedule,
                    round: &round,
                    decided,
                    stage,
                    full_round,
                    recorded: 0,
                },
                results,
                newly_decided,
                sums_up: *sums_up,
                before,
                in_row: 0,
            };
            play(&mut open);
            if open.in_row < fresh.len() {
                return;
            }
            before += fresh.len();
            if is_one_round {
                break;
            }
            open.record.decided();
            results.placings = schedule.placings();
            results.games_planned = planned(&schedule);
        }
        results.complete = true;
    }

    /// Begins a stage: every game that has a result stays, including forfeits of disqualified bots. So no later stage removes
    /// published points.
    fn begin(&mut self, stage: &Stage) {
        let has_gaps = self.has_gaps();
        self.decided.extend(std::mem::take(&mut self.newly_decided));
        let full_round = self.full_round_of(stage, &self.decided);
        let Self { results, faults, full_round: latest, goes_on, .. } = self;
        // A stage that goes on is still the same one.
        if !std::mem::take(goes_on) && results.anchor.is_none() && results.sums.played > 0 {
            results.anchor = middle(results);
        }
        let before = std::mem::take(&mut results.disqualified);
        results.disqualified = faults.disqualified(stage.settings.max_faults, before);
        // Otherwise, all games stay as they were counted.
        if has_gaps {
            let games = std::mem::take(&mut results.games);
            results.sums = Sums::new(faults.bots());
            results.standings = Standings::new(faults.bots());
            games
                .into_iter()
                .filter(|game| game.result.is_ok())
                .for_each(|game| results.count(game, Vec::new(), false));
        }
        if self.sums_up {
            results.games.retain(|game| !game.is_plain());
        }
        self.kept_before = results.games.len();
        results.placings = stage.schedule.placings();
        results.field.clone_from(&stage.field);
        results.games_planned = stage.games_planned();
        results.complete = false;
        if full_round.is_some() {
            *latest = full_round;
        }
    }

    /// The bots that are disqualified when a stage with this limit begins.
    pub fn disqualified(&self, max_faults: Option<u32>) -> Vec<usize> {
        let out = self.faults.disqualified(max_faults, self.results.disqualified.clone());
        out.into_iter().map(|it| it.contestant).collect()
    }
}

/// The bot in the middle of the ratings so far; `None` when no bot has one.
fn middle(results: &Results) -> Option<usize> {
    let ratings = results.sums.rated.rate();
    let is_out = |bot: &usize| results.disqualified.iter().any(|out| out.contestant == *bot);
    let rated = |bot: &usize| ratings.strength(*bot).is_some() && !is_out(bot);
    ratings.middle(results.field.iter().copied().filter(rated))
}

/// The games of a round that no earlier stage has, in the order of the schedule.
pub(super) struct Fresh<'a> {
    fixtures: &'a Fixtures,
    stage: &'a Stage,
    full_round: Option<&'a FullRound>,
    /// Their places in the round; `None` when they are all of it.
    places: Option<Vec<u32>>,
}

impl<'a> Fresh<'a> {
    fn of(
        fixtures: &'a Fixtures,
        decided: &Decided,
        stage: &'a Stage,
        full_round: Option<&'a FullRound>,
    ) -> Self {
        let is_fresh = |game: Fixture| !decided.contains(stage.of_season(game, full_round));
        let places = || (0..).zip(fixtures.iter()).filter(|it| is_fresh(it.1)).map(|it| it.0).collect();
        let places = (decided.len() > 0).then(places);
        Self { fixtures, stage, full_round, places }
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.places.as_ref().map_or(self.fixtures.len(), Vec::len)
    }

    /// One of the games, as one between bots of the season.
    pub(super) fn get(&self, index: usize) -> Fixture {
        let place = self.places.as_ref().map_or(index, |places| places[index] as usize);
        let scheduled = self.fixtures.get(place).expect("it is one of the round");
        self.stage.of_season(scheduled, self.full_round)
    }
}

/// A round whose games are counted.
struct OpenRound<'a> {
    fresh: &'a Fresh<'a>,
    judge: Judge<'a>,
    record: Record<'a>,
    results: &'a mut Results,
    newly_decided: &'a mut Decided,
    /// True if games that the sums cover are not kept.
    sums_up: bool,
    /// The number of the last game before the round.
    before: usize,
    /// The number of games that were counted without a gap before them.
    in_row: usize,
}

impl OpenRound<'_> {
    /// The number of the game with this index in the round.
    fn number(&self, index: usize) -> usize {
        self.before + index + 1
    }

    /// Counts a game.
    fn count(&mut self, summary: GameSummary, disqualified: Vec<Disqualified>) {
        let score = summary.result.as_ref().ok().map(game_score);
        let is_one_round = self.record.stage.settings.format.is_one_round();
        // The schedule takes the results without a gap, if a later round depends on them.
        if self.number(self.in_row) == summary.number {
            if !is_one_round {
                self.record.next(score);
            }
            self.in_row += 1;
        }
        if score.is_some() {
            self.newly_decided.add(summary.fixture, score.filter(|_| !is_one_round));
        }
        let is_summed_up = self.sums_up && summary.is_plain();
        self.results.count(summary, disqualified, is_summed_up);
    }
}

/// The results of a round, in the order in which the schedule takes them.
struct Record<'a> {
    schedule: &'a mut Schedule,
    round: &'a Round,
    decided: &'a Decided,
    stage: &'a Stage,
    full_round: Option<&'a FullRound>,
    recorded: usize,
}

impl Record<'_> {
    /// Records the result of the next game that no earlier stage has.
    fn next(&mut self, result: Option<GameScore>) {
        self.decided();
        let next = self.round.fixtures.get(self.recorded).expect("it is one of the round");
        self.schedule.record(next, result);
        self.recorded += 1;
    }

    /// Records the games of earlier stages that come next.
    fn decided(&mut self) {
        while let Some(game) = self.round.fixtures.get(self.recorded) {
            let played = self.stage.of_season(game, self.full_round);
            if !self.decided.contains(played) {
                return;
            }
            self.schedule.record(game, self.decided.score(played));
            self.recorded += 1;
        }
    }
}
