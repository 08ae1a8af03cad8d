//! The report as one JSON document. It depends on nothing but the run: no clock, no path of ours, no map's order.

use super::faults::{self, Bench, Line};
use super::rows::{self, Row, tenths};
use super::{Entrant, Report, Terms};
use crate::tournament::{Course, GameSummary};
use arena_league::{DecidedBy, KnockoutPlacing, Placings, SwissPlacing};
use arena_record::{GameResult, Limits};
use arena_referee::{FaultClass, HostError};
use arena_rules::{GameRules, Outcome, Reason, Seat};
use serde::Serialize;

/// What both documents have.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Standings<'a> {
    arena: &'a str,
    wasmtime: &'a str,
    rules: &'a GameRules,
    limits: Limits,
    seed: u64,
    course: &'a Course,
    complete: bool,
    bots: &'a [Entrant<'a>],
    standings: Vec<Row<'a>>,
    crosstable: Vec<Meeting<'a>>,
    /// Bots that have met, also through others: only within a group do ratings compare.
    groups: Vec<Vec<&'a str>>,
    /// What seat 1 is worth, in Elo.
    first_seat: Option<Interval>,
    draws: Share,
    placings: Option<PlacingsOf<'a>>,
    benched: Vec<Bench<'a>>,
    faults: Vec<Line<'a>>,
}

/// Two bots that have met.
#[derive(Serialize)]
struct Meeting<'a> {
    bots: [&'a str; 2],
    points: [f64; 2],
    games: u32,
}

#[derive(Serialize)]
struct Interval {
    elo: f64,
    error: f64,
}

#[derive(Serialize)]
struct Share {
    games: u64,
    of: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum PlacingsOf<'a> {
    Swiss(Vec<Placed<'a, &'a SwissPlacing>>),
    Knockout { places: Vec<Placed<'a, &'a KnockoutPlacing>>, matches: Vec<Match<'a>> },
}

#[derive(Serialize)]
struct Placed<'a, P> {
    bot: &'a str,
    #[serde(flatten)]
    placing: P,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Match<'a> {
    round: u32,
    bots: [&'a str; 2],
    points: [f64; 2],
    tie_break_pairs: u32,
    games_without_result: u32,
    winner: &'a str,
    decided_by: DecidedBy,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct OfRun<'a> {
    #[serde(flatten)]
    standings: Standings<'a>,
    refused: Vec<Refused<'a>>,
    games: Vec<Game<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct OfJournal<'a> {
    #[serde(flatten)]
    standings: Standings<'a>,
    games: usize,
}

#[derive(Serialize)]
pub(super) struct Refused<'a> {
    pub(super) file: &'a str,
    pub(super) kind: &'a str,
    pub(super) message: &'a str,
    pub(super) next: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Game<'a> {
    number: usize,
    seats: [&'a str; 2],
    /// Who did not play, being benched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    benched: Vec<&'a str>,
    #[serde(flatten)]
    result: Result<'a>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "kebab-case")]
enum Result<'a> {
    Played {
        outcome: &'static str,
        winner: Option<&'a str>,
        reason: Reason,
        turns: [u32; 2],
        fuel: [u64; 2],
        faults: Vec<Fault<'a>>,
        reproducible: bool,
    },
    Failed {
        host_error: &'a str,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Fault<'a> {
    bot: &'a str,
    class: FaultClass,
    count: u32,
    first_turn: u32,
    detail: &'a str,
}

/// A run, with all its games.
pub(super) fn run(report: &Report<'_>) -> String {
    let games = report.results.games.iter().map(|summary| game(summary, report)).collect();
    let refused = report.refused.iter().map(refused).collect();
    pretty(&OfRun { standings: of(report), refused, games })
}

/// What a journal comes to.
pub(super) fn standings(report: &Report<'_>) -> String {
    let games = report.results.games.iter().filter(|game| game.is_played()).count();
    pretty(&OfJournal { standings: of(report), games })
}

fn of<'a>(report: &'a Report<'_>) -> Standings<'a> {
    let Terms { arena, wasmtime, rules, limits, seed, course } = report.terms;
    let ratings = &report.ratings;
    Standings {
        arena,
        wasmtime,
        rules,
        limits,
        seed,
        course,
        complete: report.results.complete,
        bots: &report.entrants,
        standings: rows::rows(report),
        crosstable: crosstable(report),
        groups: ratings
            .groups
            .iter()
            .map(|group| group.iter().map(|&contestant| report.label(contestant)).collect())
            .collect(),
        first_seat: ratings
            .first_seat
            .map(|first| Interval { elo: tenths(first.value), error: tenths(first.error) }),
        draws: Share { games: ratings.draws, of: ratings.games },
        placings: report.results.placings.as_ref().map(|placings| placings_of(placings, report)),
        benched: faults::benched(report),
        faults: faults::lines(report),
    }
}

/// Each two that have met, in the order in which they are named.
fn crosstable<'a>(report: &'a Report<'_>) -> Vec<Meeting<'a>> {
    let count = report.entrants.len();
    let two = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
    let meeting = |[first, second]: [usize; 2]| {
        let against = |one, other| report.results.standings.against(one, other);
        let ((points, games), (other_points, _)) = (against(first, second)?, against(second, first)?);
        let bots = [report.label(first), report.label(second)];
        Some(Meeting { bots, points: [points, other_points], games })
    };
    two.filter_map(meeting).collect()
}

fn placings_of<'a>(placings: &'a Placings, report: &'a Report<'_>) -> PlacingsOf<'a> {
    match placings {
        Placings::Swiss(places) => {
            let placed =
                |placing: &'a SwissPlacing| Placed { bot: report.label(placing.contestant), placing };
            PlacingsOf::Swiss(places.iter().map(placed).collect())
        }
        Placings::Knockout { places, matches } => {
            let placed =
                |placing: &'a KnockoutPlacing| Placed { bot: report.label(placing.contestant), placing };
            let of = |it: &arena_league::KnockoutMatch| Match {
                round: it.round,
                bots: it.contestants.map(|contestant| report.label(contestant)),
                points: it.points(),
                tie_break_pairs: it.tie_break_pairs,
                games_without_result: it.games_without_result,
                winner: report.label(it.winner),
                decided_by: it.decided_by,
            };
            PlacingsOf::Knockout {
                places: places.iter().map(placed).collect(),
                matches: matches.iter().map(of).collect(),
            }
        }
    }
}

/// One game as a line of JSON, for a program that follows a server.
pub fn game_line(
    number: usize,
    seats: [&str; 2],
    result: &std::result::Result<GameResult, HostError>,
) -> String {
    serde_json::to_string(&Game { number, seats, benched: Vec::new(), result: outcome(seats, result) })
        .expect("a game is plain data")
}

fn game<'a>(summary: &'a GameSummary, report: &'a Report<'_>) -> Game<'a> {
    let seats = summary.fixture.seats.map(|contestant| report.label(contestant));
    let out = seats.iter().zip(summary.benched).filter(|(_, benched)| *benched);
    Game {
        number: summary.number,
        seats,
        benched: out.map(|(seat, _)| *seat).collect(),
        result: outcome(seats, &summary.result),
    }
}

fn outcome<'a>(seats: [&'a str; 2], result: &'a std::result::Result<GameResult, HostError>) -> Result<'a> {
    match result {
        Err(error) => Result::Failed { host_error: &error.0 },
        Ok(result) => Result::Played {
            outcome: match result.outcome {
                Outcome::Win(_) => "win",
                Outcome::Draw => "draw",
                Outcome::NoContest => "no-contest",
            },
            winner: match result.outcome {
                Outcome::Win(seat) => Some(seats[Seat::index(seat)]),
                Outcome::Draw | Outcome::NoContest => None,
            },
            reason: result.reason,
            turns: result.turns,
            fuel: result.fuel,
            faults: result
                .faults
                .iter()
                .map(|((seat, class), fault)| Fault {
                    bot: seats[seat.index()],
                    class: *class,
                    count: fault.count,
                    first_turn: fault.first_turn,
                    detail: &fault.detail,
                })
                .collect(),
            reproducible: result.reproducible,
        },
    }
}

pub(super) fn refused(refused: &crate::roster::Refused) -> Refused<'_> {
    Refused { file: &refused.file, kind: refused.kind, message: &refused.message, next: &refused.next }
}

pub(super) fn pretty(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("the document is plain data")
}
