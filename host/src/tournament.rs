//! A tournament: the games of a schedule are played, and the score is kept.

use crate::game::Played;
use crate::workers;
use arena_league::{Fixture, Format, GameScore, Placings, Schedule, Score, Side, Standings};
use arena_record::GameResult;
use arena_referee::{Detail, FaultClass, HostError};
use arena_rules::{Outcome, Reason, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The settings of a tournament, which a journal keeps beside the conditions and the bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// The format: who plays whom.
    pub format: Format,
    /// The number of games of a match.
    pub games_per_match: u32,
    /// The number of games with faults after which a bot is disqualified; none if no bot ever is.
    pub max_faults: Option<u32>,
}

/// A game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The number of the game in the tournament, from 1.
    pub number: usize,
    /// The contestants by seat, and the number of the game in their match.
    pub fixture: Fixture,
    /// The result, or the reason why there is none.
    pub result: Result<GameResult, HostError>,
    /// True for each seat whose bot is disqualified. Then the game was not played, and the result follows from this.
    pub disqualified: [bool; 2],
}

impl GameSummary {
    /// True if the game was played and has a result.
    pub fn is_played(&self) -> bool {
        self.result.is_ok() && self.disqualified == [false; 2]
    }
}

/// A bot that kept failing, and plays no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualified {
    /// The contestant.
    pub contestant: usize,
    /// The game after which it was disqualified.
    pub after_game: usize,
    /// The class of its fault in that game; of the first one if it had several.
    pub class: FaultClass,
    /// The description of the fault.
    pub detail: Detail,
}

/// The results of a tournament so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// The games that have been delivered, in the order of the schedule.
    pub games: Vec<GameSummary>,
    /// The standings.
    pub standings: Standings,
    /// The bots that were disqualified, in that order.
    pub disqualified: Vec<Disqualified>,
    /// The places after the rounds that are complete, in formats that have places.
    pub placings: Option<Placings>,
    /// The number of games on the schedule, as far as it is known.
    pub games_planned: usize,
    /// True if the schedule is played to its end.
    pub complete: bool,
}

/// The source of a game.
#[derive(Clone, Debug)]
pub enum Source {
    /// The game was played now.
    Played(Box<Played>),
    /// The game was played before.
    Taken(GameResult),
    /// The game has not been played and will not be.
    Missing,
}

/// A game whose turn has come: everything before it in the schedule is decided.
#[derive(Debug)]
pub struct Delivery {
    /// The game.
    pub summary: GameSummary,
    /// The game with its transcript, if it was played now and counts.
    pub played: Option<Box<Played>>,
    /// The bots that are disqualified after it.
    disqualified: Vec<Disqualified>,
}

/// A receiver of games, in the order of the schedule. Each game is kept, then shown, then counted.
pub trait Receiver {
    /// The reason why a game cannot be kept or shown.
    type Error;

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

/// A receiver that shows games, and keeps them nowhere.
struct Showing<F>(F);

impl<E, F: FnMut(&GameSummary, Option<&Played>, &Results) -> Result<(), E>> Receiver for Showing<F> {
    type Error = E;

    fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), E>) {
        (games.len(), Ok(()))
    }

    fn show(&mut self, game: &GameSummary, played: Option<&Played>, results: &Results) -> Result<(), E> {
        self.0(game, played, results)
    }
}

/// Plays the games of a schedule as [`play_for`] does, shows each by `show`, and keeps them nowhere.
///
/// # Errors
/// The error of `show`.
pub fn play<E>(
    settings: &Settings,
    schedule: Schedule,
    contestants: usize,
    jobs: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(usize, Fixture) -> Result<Source, HostError> + Sync,
    show: impl FnMut(&GameSummary, Option<&Played>, &Results) -> Result<(), E>,
) -> (Results, Result<(), E>) {
    play_for(settings, schedule, contestants, jobs, stop, work, Showing(show))
}

/// Plays the games of a schedule with this number of workers, and gives each to the receiver before it is counted, in the
/// order of the schedule. `work` brings a game, by its number and its fixture.
///
/// It ends early if `stop` returns true, with all games that were started, or if the receiver fails; and after a round in
/// which a game is missing, because the next round depends on it.
///
/// # Errors
/// The error of the receiver.
pub fn play_for<R: Receiver>(
    settings: &Settings,
    mut schedule: Schedule,
    contestants: usize,
    jobs: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(usize, Fixture) -> Result<Source, HostError> + Sync,
    mut receiver: R,
) -> (Results, Result<(), R::Error>) {
    let out = Disqualifications::new(contestants);
    let mut judge = Judge { out: &out, max_faults: settings.max_faults, faulted: vec![0; contestants] };
    let mut results = Results {
        games: Vec::new(),
        standings: Standings::new(contestants),
        disqualified: Vec::new(),
        placings: schedule.placings(),
        games_planned: planned(&schedule),
        complete: false,
    };
    let mut delivered = Ok(());
    let mut before = 0;
    while let Some(round) = schedule.next_round() {
        let mut recorded = 0;
        let number = |index: usize| before + index + 1;
        workers::in_batches(
            jobs,
            round.fixtures.len(),
            &stop,
            // A bot that is disqualified by now stays so: the game would not count.
            |index| match out.of(round.fixtures[index]) {
                [false, false] => work(number(index), round.fixtures[index]),
                _ => Ok(Source::Missing),
            },
            |first, batch| {
                let worked = (first..).zip(batch);
                let judged = worked
                    .filter_map(|(index, worked)| {
                        judge.judge(number(index), round.fixtures[index], workers::settled(worked))
                    })
                    .collect::<Vec<_>>();
                // A game that could not be kept does not count.
                let (kept, keeping) = receiver.keep(&judged);
                delivered = keeping;
                for Delivery { summary, played, disqualified } in judged.into_iter().take(kept) {
                    if let Err(error) = receiver.show(&summary, played.as_deref(), &results) {
                        delivered = Err(error);
                        break;
                    }
                    // The schedule takes the results without a gap.
                    if number(recorded) == summary.number {
                        schedule.record(summary.fixture, summary.result.as_ref().ok().map(game_score));
                        recorded += 1;
                    }
                    results.count(summary, disqualified);
                }
                if let Err(error) = receiver.shown() {
                    delivered = Err(error);
                }
                if delivered.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        if recorded < round.fixtures.len() {
            return (results, delivered);
        }
        before += recorded;
        results.placings = schedule.placings();
        results.games_planned = planned(&schedule);
    }
    results.complete = true;
    (results, delivered)
}

/// The number of games on the schedule, as far as it is known: ties of a knockout may add more.
pub fn planned(schedule: &Schedule) -> usize {
    usize::try_from(schedule.games_planned().at_least).unwrap_or(usize::MAX)
}

/// The judge of faults: it says of each game, in the order of the schedule, if it counts and who is disqualified after it.
struct Judge<'a> {
    out: &'a Disqualifications,
    max_faults: Option<u32>,
    /// The number of games in which each contestant has faulted.
    faulted: Vec<u32>,
}

impl Judge<'_> {
    /// The game as it counts; none if it is missing.
    fn judge(
        &mut self,
        number: usize,
        fixture: Fixture,
        source: Result<Source, HostError>,
    ) -> Option<Delivery> {
        let disqualified = self.out.of(fixture);
        let (result, played) = match source {
            // It may have been played before its turn came; the games before it in the schedule decide.
            _ if disqualified != [false; 2] => (Ok(unplayed(disqualified)), None),
            Ok(Source::Missing) => return None,
            Ok(Source::Taken(result)) => (Ok(result), None),
            Ok(Source::Played(played)) => (Ok(played.result.clone()), Some(played)),
            Err(error) => (Err(error), None),
        };
        let mut after = Vec::new();
        if let Ok(result) = &result {
            for seat in Seat::BOTH {
                let contestant = fixture.seats[seat.index()];
                after.extend(self.count_faults(number, contestant, result, seat));
            }
        }
        let summary = GameSummary { number, fixture, result, disqualified };
        Some(Delivery { summary, played, disqualified: after })
    }

    /// Disqualifies the bot of this seat if it has faulted in too many games with this one.
    fn count_faults(
        &mut self,
        after_game: usize,
        contestant: usize,
        result: &GameResult,
        seat: Seat,
    ) -> Option<Disqualified> {
        let faults = result.faults.iter().filter(|((by, _), _)| *by == seat);
        let ((_, class), fault) = faults.min_by_key(|(_, fault)| fault.first_turn)?;
        self.faulted[contestant] += 1;
        if Some(self.faulted[contestant]) != self.max_faults {
            return None;
        }
        self.out.add(contestant);
        Some(Disqualified { contestant, after_game, class: *class, detail: fault.detail.clone() })
    }
}

impl Results {
    /// Counts a game, and the bots that are disqualified after it.
    fn count(&mut self, summary: GameSummary, disqualified: Vec<Disqualified>) {
        if let Ok(result) = &summary.result {
            let GameScore { score, faults, .. } = game_score(result);
            self.standings.add(summary.fixture.seats, score, faults);
        }
        self.disqualified.extend(disqualified);
        self.games.push(summary);
    }
}

/// The result of a game that was not played because of disqualifications: a disqualified bot loses, and between two of
/// them it is no contest.
fn unplayed(disqualified: [bool; 2]) -> GameResult {
    let outcome = match disqualified {
        [true, true] => Outcome::NoContest,
        [true, false] => Outcome::Win(Seat::Second),
        _ => Outcome::Win(Seat::First),
    };
    GameResult {
        outcome,
        reason: Reason::Forfeit,
        turns: [0; 2],
        fuel: [0; 2],
        faults: BTreeMap::new(),
        reproducible: true,
    }
}

fn game_score(result: &GameResult) -> GameScore {
    let faults = Seat::BOTH.map(|seat| result.fault_count(seat));
    GameScore { score: score(result.outcome), faults, turns: result.turns }
}

/// The score of a game with this outcome.
pub fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win(Seat::First) => Score::Win(Side::First),
        Outcome::Win(Seat::Second) => Score::Win(Side::Second),
        Outcome::Draw => Score::Draw,
        Outcome::NoContest => Score::NoContest,
    }
}

/// The contestants that are disqualified. Only results in the order of the schedule add one, so that it does not depend on
/// the workers, who may look at any time.
struct Disqualifications(Vec<AtomicBool>);

impl Disqualifications {
    fn new(contestants: usize) -> Self {
        Self((0..contestants).map(|_| AtomicBool::new(false)).collect())
    }

    /// True for each seat of a game whose bot is disqualified.
    fn of(&self, fixture: Fixture) -> [bool; 2] {
        fixture.seats.map(|contestant| self.0[contestant].load(Ordering::SeqCst))
    }

    fn add(&self, contestant: usize) {
        self.0[contestant].store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::FaultCount;
    use proptest::prelude::*;

    const CONTESTANTS: usize = 4;

    fn settings(format: Format, max_faults: Option<u32>) -> Settings {
        Settings { format, games_per_match: 4, max_faults }
    }

    /// A result that depends on the fixture alone. Contestant 0 faults in all its games, and loses them.
    fn result_of(fixture: Fixture) -> GameResult {
        let first_wins = (fixture.seats[0] + fixture.game as usize).is_multiple_of(2);
        let mut result = GameResult {
            outcome: Outcome::Win(if first_wins { Seat::First } else { Seat::Second }),
            reason: Reason::FleetSunk,
            ..unplayed([false; 2])
        };
        if let Some(seat) = Seat::BOTH.into_iter().find(|seat| fixture.seats[seat.index()] == 0) {
            let fault = FaultCount { count: 1, first_turn: 3, detail: "it fell over".into(), stack: vec![] };
            result.faults.insert((seat, FaultClass::Trap), fault);
            result.outcome = Outcome::Win(seat.other());
        }
        result
    }

    fn play_with(
        settings: &Settings,
        jobs: usize,
        work: impl Fn(Fixture) -> Result<Source, HostError> + Sync,
    ) -> Results {
        let work = |_, fixture| work(fixture);
        let schedule = Schedule::new(settings.format, CONTESTANTS, settings.games_per_match).unwrap();
        let (results, delivered) =
            play(settings, schedule, CONTESTANTS, jobs, || false, work, |_, _, _| Ok::<_, String>(()));
        delivered.unwrap();
        results
    }

    fn play_all(settings: &Settings, jobs: usize) -> Results {
        play_with(settings, jobs, |fixture| Ok(Source::Taken(result_of(fixture))))
    }

    const FORMATS: [Format; 4] = [
        Format::RoundRobin,
        Format::Gauntlet { challengers: 1 },
        Format::Swiss { rounds: 3 },
        Format::Knockout,
    ];

    #[test]
    fn every_format_is_played_to_its_end_with_the_same_results_for_any_number_of_workers() {
        for format in FORMATS {
            for max_faults in [None, Some(2)] {
                let settings = settings(format, max_faults);
                let alone = play_all(&settings, 1);
                assert!(alone.complete, "{format}");
                for jobs in [2, 5] {
                    let crowd = play_all(&settings, jobs);
                    assert_eq!(alone.games, crowd.games, "{format}");
                    assert_eq!(alone.disqualified, crowd.disqualified, "{format}");
                    assert_eq!(alone.placings, crowd.placings, "{format}");
                }
            }
        }
    }

    #[test]
    fn a_bot_that_keeps_failing_is_disqualified_and_loses_the_games_it_does_not_play() {
        let results = play_all(&settings(Format::RoundRobin, Some(2)), 2);
        let detail = "it fell over".into();
        let out = Disqualified { contestant: 0, after_game: 2, class: FaultClass::Trap, detail };
        assert_eq!(results.disqualified, [out]);
        let others = results.games.iter().filter(|game| game.fixture.contestants()[0] == 0).skip(2);
        for game in others {
            assert!(!game.is_played());
            let winner = game.fixture.seats.iter().position(|&contestant| contestant != 0).unwrap();
            assert_eq!(game.result.as_ref().unwrap().outcome, Outcome::Win(Seat::BOTH[winner]));
        }
        assert_eq!(results.standings.ranked().last().unwrap().losses, 12);
    }

    #[test]
    fn two_disqualified_bots_have_no_contest() {
        assert_eq!(unplayed([true, true]).outcome, Outcome::NoContest);
        assert_eq!(unplayed([false, true]).outcome, Outcome::Win(Seat::First));
    }

    #[test]
    fn a_missing_game_is_not_counted_and_ends_what_depends_on_it() {
        for format in FORMATS {
            let settings = settings(format, None);
            let results = play_with(&settings, 2, |fixture| match fixture {
                Fixture { pair: 0, game: 2, .. } => Ok(Source::Missing),
                _ => Ok(Source::Taken(result_of(fixture))),
            });
            assert!(!results.complete, "{format}");
            assert!(results.games.iter().all(|game| game.fixture.game != 2), "{format}");
            assert!(!results.games.is_empty(), "{format}");
        }
    }

    #[test]
    fn a_failure_of_ours_is_nobodys_loss_and_the_tournament_goes_on() {
        let settings = settings(Format::Swiss { rounds: 2 }, None);
        let results = play_with(&settings, 2, |fixture| match fixture.game {
            1 => Err(HostError("no power".into())),
            2 => panic!("no light"),
            _ => Ok(Source::Taken(result_of(fixture))),
        });
        assert!(results.complete);
        let failed: Vec<_> = results.games.iter().filter_map(|game| game.result.as_ref().err()).collect();
        assert_eq!(failed.len(), 8);
        assert!(failed.contains(&&HostError("a panic: no light".into())));
        let scored: u32 = results.standings.ranked().iter().map(|row| row.games).sum();
        assert_eq!(scored as usize, 2 * (results.games.len() - failed.len()));
    }

    proptest! {
        #[test]
        fn what_cannot_be_delivered_is_not_counted(fails_at in 1usize..24, jobs in 1usize..5) {
            let settings = settings(Format::RoundRobin, None);
            let schedule = Schedule::new(settings.format, CONTESTANTS, settings.games_per_match).unwrap();
            let (results, delivered) = play(
                &settings,
                schedule,
                CONTESTANTS,
                jobs,
                || false,
                |_, fixture| Ok(Source::Taken(result_of(fixture))),
                |game, _, _| if game.number == fails_at { Err("full") } else { Ok(()) },
            );
            prop_assert_eq!(delivered, Err("full"));
            prop_assert_eq!(results.games.len(), fails_at - 1);
            prop_assert!(!results.complete);
        }
    }
}
