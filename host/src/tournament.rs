//! Playing all the games of a schedule and keeping the score.

use crate::game::{Played, Table};
use crate::workers;
use arena_league::{Fixture, Score, Side, Standings};
use arena_record::GameResult;
use arena_referee::HostError;
use arena_rules::{Outcome, Seat};
use std::ops::ControlFlow;

/// What became of a game, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The number of the game in the tournament, from 1.
    pub number: usize,
    /// Who played, from which seat, in which game of their match.
    pub fixture: Fixture,
    /// The result, or why there is none.
    pub result: Result<GameResult, HostError>,
}

/// A tournament's results so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// The games that were played, in order.
    pub games: Vec<GameSummary>,
    /// The table.
    pub standings: Standings,
}

/// Plays the games with so many workers and gives each to `deliver` before it is counted, in the order of the schedule.
///
/// It ends early when `stop` says so, with all games that were begun, or when `deliver` fails.
///
/// # Errors
/// What `deliver` says.
pub fn play<E>(
    table: &Table<'_>,
    fixtures: &[Fixture],
    stop: impl Fn() -> bool + Sync,
    mut deliver: impl FnMut(&GameSummary, Option<&Played>) -> Result<(), E>,
) -> (Results, Result<(), E>) {
    let mut results = Results {
        games: Vec::with_capacity(fixtures.len()),
        standings: Standings::new(table.contestants.len()),
    };
    let mut delivered = Ok(());
    workers::in_order(
        table.plan.jobs,
        fixtures.len(),
        stop,
        |index| table.play(fixtures[index]),
        |index, worked| {
            let played = worked.unwrap_or_else(|panic| Err(HostError(format!("a panic: {panic}"))));
            let result = played.as_ref().map_err(HostError::clone);
            let result = result.and_then(|played| GameResult::of(&played.transcript.events));
            let summary = GameSummary { number: index + 1, fixture: fixtures[index], result };
            delivered = deliver(&summary, played.ok().as_ref());
            if delivered.is_err() {
                // What could not be kept does not count.
                return ControlFlow::Break(());
            }
            if let Ok(result) = &summary.result {
                let faults = Seat::BOTH.map(|seat| result.fault_count(seat));
                results.standings.add(summary.fixture.seats, score(result.outcome), faults);
            }
            results.games.push(summary);
            ControlFlow::Continue(())
        },
    );
    (results, delivered)
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
