//! Playing all the games of a schedule and keeping the score.

use crate::game::Played;
use crate::workers;
use arena_league::{Fixture, Format, GameScore, Placings, Schedule, Score, Side, Standings};
use arena_record::GameResult;
use arena_referee::{FaultClass, HostError};
use arena_rules::{Outcome, Reason, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a tournament is held: what a journal keeps of it beside the rules and the bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Course {
    /// Who plays whom.
    pub format: Format,
    /// Games for each two, each time they meet.
    pub games_per_match: u32,
    /// A bot that has faulted in so many games plays no more.
    pub max_faults: Option<u32>,
}

/// What became of a game, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The number of the game in the tournament, from 1.
    pub number: usize,
    /// Who played, from which seat, in which game of their match.
    pub fixture: Fixture,
    /// The result, or why there is none.
    pub result: Result<GameResult, HostError>,
    /// Who was benched, by seat: then nothing was played, and the rules of the bench gave the result.
    pub benched: [bool; 2],
}

impl GameSummary {
    /// Whether it was played, and has a result.
    pub fn is_played(&self) -> bool {
        self.result.is_ok() && self.benched == [false; 2]
    }
}

/// A bot that kept failing, and plays no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benched {
    /// Which.
    pub contestant: usize,
    /// The game after which it was benched.
    pub after: usize,
    /// The class of its fault in that game; of its first, where it had several.
    pub class: FaultClass,
    /// What the fault was.
    pub detail: String,
}

/// A tournament's results so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// The games that have been delivered, in the order of the schedule.
    pub games: Vec<GameSummary>,
    /// The table.
    pub standings: Standings,
    /// Who was benched, in order.
    pub benched: Vec<Benched>,
    /// Who has which place, in formats that place, after the rounds that are complete.
    pub placings: Option<Placings>,
    /// Games on the schedule, as far as it is known.
    pub games_planned: usize,
    /// Whether the schedule is played to its end.
    pub complete: bool,
}

/// Where a game comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// It was played now.
    Played(Box<Played>),
    /// It had been played before.
    Taken(GameResult),
    /// It has not been played, and is not to be.
    Missing,
}

/// Plays the games of a schedule with so many workers, and gives each to `deliver` before it is counted, in the order of
/// the schedule. Where a game comes from is for `work` to say, by the game's number and its fixture.
///
/// It ends early when `stop` says so, with all games that were begun, or when `deliver` fails; and after a round of which
/// a game is missing, since the next one depends on it.
///
/// # Errors
/// What `deliver` says.
pub fn play<E>(
    course: &Course,
    mut schedule: Schedule,
    contestants: usize,
    jobs: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(usize, Fixture) -> Result<Source, HostError> + Sync,
    mut deliver: impl FnMut(&GameSummary, Option<&Played>, &Results) -> Result<(), E>,
) -> (Results, Result<(), E>) {
    let bench = Bench::new(contestants);
    let mut tally = Tally {
        bench: &bench,
        max_faults: course.max_faults,
        faulted: vec![0; contestants],
        number: 0,
        results: Results {
            games: Vec::new(),
            standings: Standings::new(contestants),
            benched: Vec::new(),
            placings: schedule.placings(),
            games_planned: planned(&schedule),
            complete: false,
        },
    };
    let mut delivered = Ok(());
    while let Some(round) = schedule.next_round() {
        let mut recorded = 0;
        let mut whole = true;
        let before = tally.number;
        workers::in_order(
            jobs,
            round.fixtures.len(),
            &stop,
            // Who is benched by now stays so: what would be played would not count.
            |index| match bench.of(round.fixtures[index]) {
                [false, false] => work(before + index + 1, round.fixtures[index]),
                _ => Ok(Source::Missing),
            },
            |index, worked| {
                let fixture = round.fixtures[index];
                let Some((summary, played)) = tally.summary(fixture, workers::settled(worked)) else {
                    whole = false;
                    return ControlFlow::Continue(());
                };
                delivered = deliver(&summary, played.as_deref(), &tally.results);
                if delivered.is_err() {
                    // What could not be kept does not count.
                    return ControlFlow::Break(());
                }
                if whole {
                    schedule.record(fixture, game_score(&summary));
                    recorded += 1;
                }
                tally.count(summary);
                ControlFlow::Continue(())
            },
        );
        if recorded < round.fixtures.len() {
            return (tally.results, delivered);
        }
        tally.results.placings = schedule.placings();
        tally.results.games_planned = planned(&schedule);
    }
    tally.results.complete = true;
    (tally.results, delivered)
}

/// As many as there are at least: a knockout may have more, and has them when it gets there.
pub fn planned(schedule: &Schedule) -> usize {
    usize::try_from(schedule.games_planned().at_least).unwrap_or(usize::MAX)
}

/// The score while games come in.
struct Tally<'a> {
    bench: &'a Bench,
    max_faults: Option<u32>,
    /// Games in which each has faulted.
    faulted: Vec<u32>,
    number: usize,
    results: Results,
}

impl Tally<'_> {
    /// What became of a game; nothing where it is missing.
    fn summary(
        &mut self,
        fixture: Fixture,
        worked: Result<Source, HostError>,
    ) -> Option<(GameSummary, Option<Box<Played>>)> {
        self.number += 1;
        let benched = self.bench.of(fixture);
        let mut summary =
            GameSummary { number: self.number, fixture, result: Ok(unplayed(benched)), benched };
        if benched != [false; 2] {
            // It may have been played before its turn came; what comes first in the schedule decides.
            return Some((summary, None));
        }
        let (result, played) = match worked {
            Ok(Source::Missing) => return None,
            Ok(Source::Taken(result)) => (Ok(result), None),
            Ok(Source::Played(played)) => (GameResult::of(&played.transcript.events), Some(played)),
            Err(error) => (Err(error), None),
        };
        summary.result = result;
        Some((summary, played))
    }

    fn count(&mut self, summary: GameSummary) {
        if let Ok(result) = &summary.result {
            let faults = Seat::BOTH.map(|seat| result.fault_count(seat));
            self.results.standings.add(summary.fixture.seats, score(result.outcome), faults);
        }
        self.watch(&summary);
        self.results.games.push(summary);
    }

    /// Benches whoever has faulted in too many games with this one.
    fn watch(&mut self, summary: &GameSummary) {
        let Ok(result) = &summary.result else { return };
        for seat in Seat::BOTH {
            let first = result
                .faults
                .iter()
                .filter(|((by, _), _)| *by == seat)
                .min_by_key(|(_, fault)| fault.first_turn);
            let Some(((_, class), fault)) = first else { continue };
            let contestant = summary.fixture.seats[seat.index()];
            self.faulted[contestant] += 1;
            if Some(self.faulted[contestant]) == self.max_faults {
                self.bench.put(contestant);
                let (after, class, detail) = (summary.number, *class, fault.detail.clone());
                self.results.benched.push(Benched { contestant, after, class, detail });
            }
        }
    }
}

/// What a game counts as that was not played because of the bench: lost for whoever is on it, and for two of them no
/// contest.
fn unplayed(benched: [bool; 2]) -> GameResult {
    let outcome = match benched {
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

fn game_score(summary: &GameSummary) -> Option<GameScore> {
    let result = summary.result.as_ref().ok()?;
    let faults = Seat::BOTH.map(|seat| result.fault_count(seat));
    Some(GameScore { score: score(result.outcome), faults, turns: result.turns })
}

/// How a game's end counts.
pub fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win(Seat::First) => Score::Win(Side::First),
        Outcome::Win(Seat::Second) => Score::Win(Side::Second),
        Outcome::Draw => Score::Draw,
        Outcome::NoContest => Score::NoContest,
    }
}

/// The bots that play no more. Only results in the order of the schedule put a bot on it, so that it does not depend on
/// the workers, who may look at it at any time.
struct Bench(Vec<AtomicBool>);

impl Bench {
    fn new(contestants: usize) -> Self {
        Self((0..contestants).map(|_| AtomicBool::new(false)).collect())
    }

    /// Who of a game is benched, by seat.
    fn of(&self, fixture: Fixture) -> [bool; 2] {
        fixture.seats.map(|contestant| self.0[contestant].load(Ordering::SeqCst))
    }

    fn put(&self, contestant: usize) {
        self.0[contestant].store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::FaultCount;
    use proptest::prelude::*;

    const CONTESTANTS: usize = 4;

    fn course(format: Format, max_faults: Option<u32>) -> Course {
        Course { format, games_per_match: 4, max_faults }
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
            let fault = FaultCount { count: 1, first_turn: 3, detail: "it fell over".into() };
            result.faults.insert((seat, FaultClass::Trap), fault);
            result.outcome = Outcome::Win(seat.other());
        }
        result
    }

    fn play_with(
        course: &Course,
        jobs: usize,
        work: impl Fn(Fixture) -> Result<Source, HostError> + Sync,
    ) -> Results {
        let work = |_, fixture| work(fixture);
        let schedule = Schedule::new(course.format, CONTESTANTS, course.games_per_match).unwrap();
        let (results, told) =
            play(course, schedule, CONTESTANTS, jobs, || false, work, |_, _, _| Ok::<_, String>(()));
        told.unwrap();
        results
    }

    fn play_all(course: &Course, jobs: usize) -> Results {
        play_with(course, jobs, |fixture| Ok(Source::Taken(result_of(fixture))))
    }

    const FORMATS: [Format; 4] =
        [Format::RoundRobin, Format::Gauntlet { seeds: 1 }, Format::Swiss { rounds: 3 }, Format::Knockout];

    #[test]
    fn every_format_is_played_to_its_end_with_the_same_results_for_any_number_of_workers() {
        for format in FORMATS {
            for max_faults in [None, Some(2)] {
                let course = course(format, max_faults);
                let alone = play_all(&course, 1);
                assert!(alone.complete, "{format}");
                for jobs in [2, 5] {
                    let crowd = play_all(&course, jobs);
                    assert_eq!(alone.games, crowd.games, "{format}");
                    assert_eq!(alone.benched, crowd.benched, "{format}");
                    assert_eq!(alone.placings, crowd.placings, "{format}");
                }
            }
        }
    }

    #[test]
    fn a_bot_that_keeps_failing_is_benched_and_loses_the_games_it_does_not_play() {
        let results = play_all(&course(Format::RoundRobin, Some(2)), 2);
        let detail = "it fell over".into();
        let benched = Benched { contestant: 0, after: 2, class: FaultClass::Trap, detail };
        assert_eq!(results.benched, [benched]);
        let others = results.games.iter().filter(|game| game.fixture.contestants()[0] == 0).skip(2);
        for game in others {
            assert!(!game.is_played());
            let winner = game.fixture.seats.iter().position(|&contestant| contestant != 0).unwrap();
            assert_eq!(game.result.as_ref().unwrap().outcome, Outcome::Win(Seat::BOTH[winner]));
        }
        assert_eq!(results.standings.ranked().last().unwrap().losses, 12);
    }

    #[test]
    fn two_benched_bots_have_no_contest() {
        assert_eq!(unplayed([true, true]).outcome, Outcome::NoContest);
        assert_eq!(unplayed([false, true]).outcome, Outcome::Win(Seat::First));
    }

    #[test]
    fn a_missing_game_is_not_counted_and_ends_what_depends_on_it() {
        for format in FORMATS {
            let course = course(format, None);
            let results = play_with(&course, 2, |fixture| match fixture {
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
        let course = course(Format::Swiss { rounds: 2 }, None);
        let results = play_with(&course, 2, |fixture| match fixture.game {
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
            let course = course(Format::RoundRobin, None);
            let schedule = Schedule::new(course.format, CONTESTANTS, course.games_per_match).unwrap();
            let (results, told) = play(
                &course,
                schedule,
                CONTESTANTS,
                jobs,
                || false,
                |_, fixture| Ok(Source::Taken(result_of(fixture))),
                |game, _, _| if game.number == fails_at { Err("full") } else { Ok(()) },
            );
            prop_assert_eq!(told, Err("full"));
            prop_assert_eq!(results.games.len(), fails_at - 1);
            prop_assert!(!results.complete);
        }
    }
}
