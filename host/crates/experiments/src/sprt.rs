//! A sequential test between a new bot and an old one, by pairs of games.

use crate::ExperimentError;
use arena_engine::internals::faults::Faults;
use arena_engine::internals::tournament::score;
use arena_engine::{
    Control, Error, FormatKind, GameSummary, Local, Observer, PreparedRun, Results, Run, RunOptions,
    TournamentOptions,
};
use arena_league::{
    Decision, Fixture, PairTally, Score, ScoreDifferences, ScoreSprt, Side, Sprt, match_games,
};
use arena_players::worker_pool::{self, WorkerItems};
use arena_players::{CalledBots, Connection, Order, Played, Processes, Queue, Runner, Session};
use arena_record::{GameResult, Header};
use arena_referee::{Detail, FaultClass, HostError};
use arena_rules::{Outcome, Seat};
use arena_sandbox::Sandbox;
use serde::Serialize;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The number of the new bot among those of the runner.
pub const NEW: usize = 0;

/// The number of the old bot among those of the runner.
pub const OLD: usize = 1;

/// A test, as far as its games have decided it.
#[derive(Debug)]
pub struct Tested {
    /// The test.
    pub test: Test,
    /// The pairs of games, from the new bot's side.
    pub tally: PairTally,
    /// The differences of the scores that the game gives, in the pairs of which both games have some.
    pub scores: ScoreDifferences,
    /// The decision.
    pub decision: Decision,
    /// The faults of the new bot and the old one.
    pub faults: [FaultsOf; 2],
    /// True if a game had a result.
    pub has_contest: bool,
    /// The failure that has ended it. A pair that is left out because of us could have gone either way: the test would no longer hold.
    pub failed: Option<Error>,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Test {
    /// The results of the games.
    Results(Sprt),
    /// The scores that the game gives.
    Scores(ScoreSprt),
}

/// The faults of a bot in a test.
#[derive(Clone, Debug, Default)]
pub struct FaultsOf {
    /// The number of faults.
    pub count: u32,
    /// The first one: its class and line, if there was one.
    pub first: Option<(FaultClass, Detail)>,
}

/// A game of a pair: the side of the new bot, its score there, and how much more the game gave it than the other one.
type Scored = (Side, Option<Score>, Option<i64>);

impl Tested {
    fn new(test: Test) -> Self {
        let (tally, scores, decision) =
            (PairTally::default(), ScoreDifferences::default(), Decision::Continue);
        Self { test, tally, scores, decision, faults: Default::default(), has_contest: false, failed: None }
    }

    /// The log likelihood ratio of H1 to H0.
    pub fn llr(&self) -> f64 {
        match &self.test {
            Test::Results(test) => test.llr(&self.tally.pairs),
            Test::Scores(test) => test.llr(&self.scores),
        }
    }

    /// The log likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        match &self.test {
            Test::Results(test) => test.bounds(),
            Test::Scores(test) => test.bounds(),
        }
    }

    /// Notes the faults of a game in which the new bot had this side, and returns its score.
    fn game(&mut self, side: Side, result: &GameResult) -> Scored {
        for (seat, contestant) in Seat::BOTH.into_iter().zip(by_seat(side)) {
            let of = &mut self.faults[contestant];
            of.count += result.fault_count(seat);
            if of.first.is_none() {
                let mut faults = result.faults.iter().filter(|((by, _), _)| *by == seat);
                of.first = faults.next().map(|((_, class), fault)| (*class, fault.detail.clone()));
            }
        }
        self.has_contest |= result.outcome != Outcome::NoContest;
        let [new, old] = by_seat(side);
        let difference = result.scores.map(|scores| scores[new] - scores[old]);
        (side, Some(score(result.outcome)), difference)
    }

    /// Adds a pair, and breaks off if that decides the test, or if no pair ever counts.
    fn pair(&mut self, games: [Scored; 2]) -> ControlFlow<()> {
        self.tally.add(games.map(|(side, score, _)| (side, score)));
        if let [(.., Some(first)), (.., Some(second))] = games {
            self.scores.add(first + second);
        }
        self.decision = match &self.test {
            Test::Results(test) => test.decide(&self.tally.pairs),
            Test::Scores(test) => test.decide(&self.scores),
        };
        let is_over = self.decision != Decision::Continue || self.tally.never_counts();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn fail(&mut self, error: impl Into<Error>) -> ControlFlow<()> {
        self.failed = Some(error.into());
        ControlFlow::Break(())
    }
}

/// Plays pairs until the test is decided or `stop` returns true, and keeps the faults in these folders. `after_pair` is called with the
/// test after each pair.
pub fn decide(
    test: Test,
    pairs: &Pairs<'_>,
    folders: &mut Faults,
    stop: impl Fn() -> bool + Sync,
    mut after_pair: impl FnMut(&Tested),
) -> Tested {
    let mut tested = Tested::new(test);
    pairs.play(stop, |pair, games| {
        let games = match games {
            Ok(games) => games,
            Err(error) => return tested.fail(error),
        };
        for (number, (side, played)) in (2 * pair + 1..).zip(&games) {
            let files = by_seat(*side).map(|contestant| pairs.runner.contestants[contestant].file.as_str());
            if let Err(error) = folders.keep(&format!("{number:06}"), played, files) {
                return tested.fail(error);
            }
        }
        let scored = games.map(|(side, played)| tested.game(side, &played.result));
        let end = tested.pair(scored);
        after_pair(&tested);
        end
    });
    tested
}

/// Prepares the run of a test of at most this number of pairs: one match, whose games a new journal has. The bots are [`NEW`], then
/// [`OLD`].
///
/// # Errors
/// The journal exists, or another mistake in the options.
pub fn prepare(options: RunOptions, pairs_max: u32) -> Result<PreparedRun, ExperimentError> {
    if let Some(journal) = options.journal.as_ref().filter(|journal| journal.exists()) {
        return Err(ExperimentError::JournalExists { journal: journal.clone() });
    }
    let tournament = TournamentOptions {
        games_per_match: Some(2 * pairs_max),
        format: Some(FormatKind::RoundRobin),
        max_faults: Some(0),
        ..TournamentOptions::default()
    };
    Ok(PreparedRun::new(RunOptions { tournament, ..options })?)
}

/// Plays a run of one match between [`NEW`] and [`OLD`] until the test is decided or the run is cancelled. `after_pair` is called with the
/// test after each pair.
pub fn decide_run(
    test: Test,
    run: &mut Run,
    local: &Local,
    control: &Control,
    after_pair: impl FnMut(&Tested),
) -> Tested {
    let mut games = PairsOfRun { tested: Tested::new(test), first: None, after_pair };
    let played = run.play(local, &|_| None, control, &mut games);
    let mut tested = games.tested;
    tested.failed = tested.failed.or(played.err());
    tested
}

/// The games of a run two by two, as they are kept.
struct PairsOfRun<F> {
    tested: Tested,
    /// The first game of the pair that is being played.
    first: Option<Scored>,
    after_pair: F,
}

impl<F: FnMut(&Tested)> Observer for PairsOfRun<F> {
    fn game(&mut self, game: &GameSummary, _: Option<&Played>, _: &Results) -> ControlFlow<()> {
        let result = match &game.result {
            Ok(result) => result,
            Err(error) => return self.tested.fail(error.clone()),
        };
        let scored = self.tested.game(side_of_new(game.fixture), result);
        let Some(first) = self.first.take() else {
            self.first = Some(scored);
            return ControlFlow::Continue(());
        };
        let end = self.tested.pair([first, scored]);
        (self.after_pair)(&self.tested);
        end
    }
}

/// The bots by seat, when the new one has this side.
fn by_seat(side: Side) -> [usize; 2] {
    if side == Side::First { [NEW, OLD] } else { [OLD, NEW] }
}

fn side_of_new(fixture: Fixture) -> Side {
    if fixture.seats[0] == NEW { Side::First } else { Side::Second }
}

/// A game of a pair: the side of the new bot, and the game.
pub type Sided = (Side, Played);

/// Both games of a pair, numbered from 0.
fn pair_games(pair: usize) -> [Fixture; 2] {
    let pair = u32::try_from(pair).expect("there are fewer pairs");
    let mut games = match_games(NEW, OLD, 2);
    [(); 2].map(|()| {
        let fixture = games.next().expect("a pair has two games");
        Fixture { pair, game: 2 * pair + fixture.game, ..fixture }
    })
}

fn sided(fixture: Fixture, played: Played) -> Sided {
    (side_of_new(fixture), played)
}

/// Plays both games of a pair.
fn play_pair(runner: &Runner<'_>, pair: usize) -> Result<[Sided; 2], HostError> {
    let play = |fixture: Fixture| {
        let played = runner.play(fixture, None);
        let played = played.map_err(|error| error.in_game(format_args!("game {}", fixture.game)))?;
        Ok::<_, HostError>(sided(fixture, played))
    };
    let [first, second] = pair_games(pair);
    Ok([play(first)?, play(second)?])
}

/// Pairs of games, in which both bots have each seat once.
pub struct Pairs<'a> {
    runner: Runner<'a>,
    processes: Option<Processes>,
    pairs_max: usize,
}

impl<'a> Pairs<'a> {
    /// At most this number of pairs, by the runner of [`NEW`] and [`OLD`].
    ///
    /// # Errors
    /// A failure of the arena: a process cannot be started.
    pub fn start(sandbox: &Sandbox, runner: Runner<'a>, pairs_max: usize) -> Result<Self, HostError> {
        let at_once = runner.plan.jobs.min(pairs_max);
        let processes = Processes::start(sandbox, runner.bots(), &Session::of(runner.plan, false), at_once)?;
        Ok(Self { runner, processes, pairs_max })
    }

    /// Plays them, and delivers each with its number from 0 and in order, until `deliver` breaks or `stop` returns true.
    pub fn play(
        &self,
        stop: impl Fn() -> bool + Sync,
        mut deliver: impl FnMut(usize, Result<[Sided; 2], HostError>) -> ControlFlow<()>,
    ) {
        let Self { runner, processes, pairs_max } = self;
        let work = |items: &WorkerItems<'_, Result<[Sided; 2], HostError>>| match processes {
            Some(processes) => {
                processes.work_if_there_is_room(&PairQueue { items, runner: *runner });
            }
            None => {
                while let Some(pair) = items.take() {
                    items.put(pair, worker_pool::caught(|| play_pair(runner, pair)));
                }
            }
        };
        worker_pool::by_workers(runner.plan.jobs, *pairs_max, stop, work, |first, batch| {
            (first..).zip(batch).try_for_each(|(pair, games)| deliver(pair, worker_pool::settled(games)))
        });
    }
}

/// The pairs that processes are to play.
struct PairQueue<'a> {
    items: &'a WorkerItems<'a, Result<[Sided; 2], HostError>>,
    runner: Runner<'a>,
}

impl Queue for PairQueue<'_> {
    type Item = (usize, [(Header, Order); 2]);
    type Game = Played;

    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)> {
        let pair = if may_wait { self.items.take() } else { self.items.take_now() }?;
        let games = pair_games(pair).map(|game| self.runner.order(game));
        let orders = games.iter().map(|(_, order)| *order).collect();
        Some(((pair, games), orders))
    }

    fn referee(
        &self,
        (_, games): &Self::Item,
        game: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        let (header, order) = &games[game];
        let number = header.game;
        let refereed = self.runner.referee((header.clone(), *order), connection, None);
        refereed.map_err(|error| error.in_game(format_args!("game {number}")))
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(
        &self,
        (pair, _): &Self::Item,
        game: usize,
        seats: &CalledBots,
    ) -> Result<Played, HostError> {
        self.runner.play_by_calls(pair_games(*pair)[game], seats, None)
    }

    fn put(&self, (pair, _): Self::Item, played: Result<Vec<Played>, HostError>) {
        let both = |played: Vec<Played>| -> Result<[Sided; 2], HostError> {
            let games: Vec<Sided> = pair_games(pair)
                .into_iter()
                .zip(played)
                .map(|(fixture, played)| sided(fixture, played))
                .collect();
            games.try_into().map_err(|_| HostError::Defect("a game was not brought".into()))
        };
        self.items.put(pair, Ok(played.and_then(both)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Bots;
    use arena_league::EloModel;

    /// A test of the first of these bots against the second one, with at most this number of pairs, and the number of calls after a pair.
    fn decided(names: [&str; 2], pairs_max: usize) -> (Tested, usize) {
        let bots = Bots::of(&names);
        let test =
            Test::Results(Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).expect("it is a test"));
        let pairs = Pairs::start(&bots.sandbox, bots.runner(), pairs_max).expect("there is room");
        let mut after = 0;
        let mut folders = Faults::open(None).expect("none is kept");
        let tested = decide(test, &pairs, &mut folders, || false, |_| after += 1);
        assert!(tested.failed.is_none(), "{:?}", tested.failed);
        (tested, after)
    }

    #[test]
    fn a_test_ends_when_it_is_decided_and_has_the_faults_of_each_bot() {
        for (names, decision, faulty) in [
            (["sweeper", "illegal-fleet"], Decision::AcceptH1, OLD),
            (["illegal-fleet", "sweeper"], Decision::AcceptH0, NEW),
        ] {
            let (tested, pairs) = decided(names, 1_000);
            assert_eq!(tested.decision, decision);
            assert!(pairs < 1_000 && tested.tally.pairs.pairs() == pairs as u64 && tested.has_contest);
            assert_eq!(tested.faults[faulty].count as usize, 2 * pairs);
            let (class, detail) = tested.faults[faulty].first.as_ref().expect("there is one");
            assert!(*class == FaultClass::BadDeploy && !detail.is_empty());
            assert!(tested.faults[1 - faulty].count == 0 && tested.faults[1 - faulty].first.is_none());
        }
    }

    #[test]
    fn a_test_that_is_not_decided_ends_with_its_last_pair_or_when_no_pair_ever_counts() {
        let (equal, pairs) = decided(["sweeper", "shoots-at-random"], 1);
        assert_eq!((equal.decision, pairs, equal.tally.pairs.pairs()), (Decision::Continue, 1, 1));
        let (none, pairs) = decided(["illegal-fleet", "no-fleet"], 1_000);
        assert_eq!((none.decision, pairs as u64), (Decision::Continue, PairTally::UNCOUNTED_MAX));
        assert!(!none.has_contest);
    }

    #[test]
    fn a_pair_adds_the_differences_of_both_games_if_both_have_scores() {
        let test = ScoreSprt::new(0.0, 1.0, 0.05, 0.05, 100).expect("it is a test");
        let mut tested = Tested::new(Test::Scores(test));
        let game = |side, difference| (side, Some(Score::Draw), difference);
        let pair = |first, second| [game(Side::First, first), game(Side::Second, second)];
        for games in [pair(Some(3), Some(4)), pair(Some(5), None), pair(None, Some(-6))] {
            assert!(tested.pair(games).is_continue());
        }
        let mut expected = ScoreDifferences::default();
        expected.add(7);
        assert_eq!((tested.scores, tested.tally.pairs.pairs()), (expected, 3));
    }

    #[test]
    fn both_bots_have_each_seat_once_in_a_pair_and_games_are_numbered_from_one() {
        let games = |pair| pair_games(pair).map(|Fixture { seats, pair, game }| (seats, pair, game));
        assert_eq!(games(0), [([NEW, OLD], 0, 1), ([OLD, NEW], 0, 2)]);
        assert_eq!(games(3), [([NEW, OLD], 3, 7), ([OLD, NEW], 3, 8)]);
        assert_eq!(pair_games(3).map(side_of_new), [Side::First, Side::Second]);
    }
}
