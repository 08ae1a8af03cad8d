//! The report as one JSON document. It depends on nothing but the run: no clock, no path of ours, no map's order.

use super::Report;
use crate::tournament::GameSummary;
use arena_record::GameResult;
use arena_record::Limits;
use arena_referee::{FaultClass, HostError};
use arena_rules::{GameRules, Outcome, Reason, Seat};
use arena_sandbox::WASMTIME_VERSION;
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document<'a> {
    arena: &'static str,
    wasmtime: &'static str,
    rules: &'a GameRules,
    limits: Limits,
    seed: u64,
    complete: bool,
    bots: Vec<Bot<'a>>,
    refused: Vec<Refused<'a>>,
    standings: Vec<Standing<'a>>,
    games: Vec<Game<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Bot<'a> {
    label: &'a str,
    name: &'a str,
    file: &'a str,
    sha256: &'a str,
    size_bytes: usize,
}

#[derive(Serialize)]
pub(super) struct Refused<'a> {
    pub(super) file: &'a str,
    pub(super) kind: &'a str,
    pub(super) message: &'a str,
    pub(super) next: &'a str,
}

#[derive(Serialize)]
struct Standing<'a> {
    place: usize,
    bot: &'a str,
    points: f64,
    #[serde(flatten)]
    row: &'a arena_league::Row,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Game<'a> {
    number: usize,
    seats: [&'a str; 2],
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

pub(super) fn document(report: &Report<'_>) -> String {
    let contestants = &report.roster.contestants;
    let label = |index: usize| contestants[index].label.as_str();
    let ranked = report.results.standings.ranked();
    let document = Document {
        arena: env!("CARGO_PKG_VERSION"),
        wasmtime: WASMTIME_VERSION,
        rules: &report.plan.rules,
        limits: report.plan.limits,
        seed: report.plan.seed,
        complete: report.results.games.len() == report.games_planned,
        bots: contestants
            .iter()
            .map(|contestant| Bot {
                label: &contestant.label,
                name: contestant.bot.name(),
                file: &contestant.file,
                sha256: contestant.bot.hash(),
                size_bytes: contestant.bot.size_bytes(),
            })
            .collect(),
        refused: report.roster.refused.iter().map(refused).collect(),
        standings: ranked
            .iter()
            .enumerate()
            .map(|(index, row)| Standing {
                place: index + 1,
                bot: label(row.contestant),
                points: row.points(),
                row,
            })
            .collect(),
        games: report.results.games.iter().map(|summary| game(summary, &label)).collect(),
    };
    pretty(&document)
}

/// One game as a line of JSON, for a program that follows a server.
pub fn game_line(
    number: usize,
    seats: [&str; 2],
    result: &std::result::Result<GameResult, HostError>,
) -> String {
    serde_json::to_string(&Game { number, seats, result: outcome(seats, result) })
        .expect("a game is plain data")
}

fn game<'a>(summary: &'a GameSummary, label: &impl Fn(usize) -> &'a str) -> Game<'a> {
    let seats = summary.fixture.seats.map(label);
    Game { number: summary.number, seats, result: outcome(seats, &summary.result) }
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
