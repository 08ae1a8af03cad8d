//! Playing all the games of a schedule and keeping the score.

use crate::game::{Played, Table};
use crate::workers;
use arena_league::{Fixture, Score, Side, Standings};
use arena_referee::{Event, FaultClass, HostError};
use arena_rules::{Outcome, Reason, Seat};
use std::collections::BTreeMap;
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

/// A game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won, if anyone.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// Turns taken, by seat.
    pub turns: [u32; 2],
    /// Fuel of all calls that ended well, by seat.
    pub fuel: [u64; 2],
    /// The faults, by seat and class.
    pub faults: BTreeMap<(Seat, FaultClass), FaultCount>,
    /// False when a verdict came from the clock.
    pub reproducible: bool,
}

/// The faults of one class by one bot in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// How many.
    pub count: u32,
    /// The turn of the first one; 0 is the deployment.
    pub first_turn: u32,
    /// What the first one was.
    pub detail: String,
}

impl GameResult {
    /// What a game came to, from its events.
    ///
    /// # Errors
    /// A failure of ours: there is no end.
    pub fn of(events: &[Event]) -> Result<Self, HostError> {
        let Some(&Event::End { outcome, reason, reproducible }) = events.last() else {
            return Err(HostError("the game has no end".into()));
        };
        let mut result =
            Self { outcome, reason, turns: [0; 2], fuel: [0; 2], faults: BTreeMap::new(), reproducible };
        for event in events {
            let Some(seat) = event.seat() else { continue };
            result.fuel[seat.index()] += event.fuel().unwrap_or(0);
            match event {
                Event::Shot { turn, .. }
                | Event::Skipped { turn, .. }
                | Event::Wasted { turn, .. }
                | Event::Acted { turn, .. } => {
                    result.turns[seat.index()] = *turn;
                }
                Event::Fault { turn, fault, .. } => {
                    result.turns[seat.index()] = *turn;
                    let first = || FaultCount { count: 0, first_turn: *turn, detail: fault.detail.clone() };
                    result.faults.entry((seat, fault.class)).or_insert_with(first).count += 1;
                }
                Event::Deployed { .. } | Event::Positioned { .. } | Event::End { .. } => {}
            }
        }
        Ok(result)
    }

    /// How it counts.
    pub fn score(&self) -> Score {
        match self.outcome {
            Outcome::Win(Seat::First) => Score::Win(Side::First),
            Outcome::Win(Seat::Second) => Score::Win(Side::Second),
            Outcome::Draw => Score::Draw,
            Outcome::NoContest => Score::NoContest,
        }
    }

    /// Faults of all classes by a seat.
    pub fn fault_count(&self, seat: Seat) -> u32 {
        self.faults.iter().filter(|((by, _), _)| *by == seat).map(|(_, fault)| fault.count).sum()
    }
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
                results.standings.add(summary.fixture.seats, result.score(), faults);
            }
            results.games.push(summary);
            ControlFlow::Continue(())
        },
    );
    (results, delivered)
}
