//! The report as one JSON document. It depends only on the run: no clock, no path, no map order.

use super::{StandingsOutput, faults};
use arena_engine::{FailedFile, Rating, RefusedFile};
use arena_league::{InSeat, KnockoutMatch, KnockoutPlacing, Placings, SwissPlacing};
use arena_record::{Commitment, Conditions, GameResult, Label, RecordedSeed};
use arena_referee::HostError;
use arena_rules::Outcome;
use arena_store::ChainHead;
use arena_text::Json;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A bot and its place.
#[derive(Serialize)]
struct RankedBot<'a, P> {
    bot: &'a Label,
    #[serde(flatten)]
    placing: P,
}

/// The document of a run, or of a journal.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    standings: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<Value>,
    /// All games of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<EachGame<'a>>,
}

/// The games of a report, each made when it is written: a night has a hundred thousand of them.
struct EachGame<'a>(&'a StandingsOutput<'a>);

impl Serialize for EachGame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(report) = self;
        serializer.collect_seq(report.ranking.results.games.iter().map(|summary| {
            let labels = report.ranking.labels(summary.fixture.seats);
            let mut game = game(summary.number, labels, &summary.result);
            if summary.disqualified != [false; 2] {
                let sides = labels.into_iter().zip(summary.disqualified);
                game["disqualified"] =
                    sides.filter(|(_, is_out)| *is_out).map(|(label, _)| label.as_str()).collect();
            }
            game
        }))
    }
}

/// The document of a report.
pub(super) fn document(report: &StandingsOutput<'_>) -> impl Serialize {
    let games = report.has_games.then_some(EachGame(report));
    let refused = report.has_games.then(|| report.refused.iter().map(refused).collect());
    let failed = report.failed.iter().map(failed).collect();
    Document { standings: standings(report), refused, failed, games }
}

/// The part that all documents have.
fn standings(report: &StandingsOutput<'_>) -> Value {
    let Conditions { arena, wasmtime, engine, rules, limits, seed } = report.conditions;
    let (results, ratings) = (report.ranking.results, &report.ranking.ratings);
    let labels =
        |group: &Vec<usize>| group.iter().map(|&bot| report.ranking.label(bot).as_str()).collect::<Value>();
    json!({
        "arena": arena,
        "wasmtime": wasmtime,
        "engine": engine,
        "rules": rules,
        "limits": limits,
        "seed": report.seed(),
        // Of a secret seed: published before the first game of the stage, as the seed is when the season is closed.
        "seed-sha256": commitment(seed).map(|commitment| commitment.digits()),
        "tournament": report.ranking.settings,
        "complete": results.complete,
        "games-planned": results.games_planned,
        "games-played": results.sums.played,
        "bots": report.ranking.bots,
        // Retired bots, and earlier versions: their games stay.
        "gone": report.ranking.gone().collect::<Vec<_>>(),
        // The end of the journal's chain of hashes. If it was published, it proves that nothing was changed.
        "head": head(report.head.as_ref()),
        "standings": report.ranking.rows(),
        "crosstable": crosstable(report),
        // Bots that have met, directly or through others: ratings are comparable only within a group.
        "groups": ratings.groups().iter().map(labels).collect::<Value>(),
        // The bot of each group that ratings are differences to.
        "anchors": report.ranking.anchors.iter().map(|anchor| anchor.map(|bot| report.ranking.label(bot).as_str())).collect::<Value>(),
        // The worth of seat 1, in Elo.
        "first-seat": ratings.first_seat().map(Rating::from),
        "draws": { "games": ratings.draws(), "of": ratings.games() },
        "placings": report.ranking.placings().map(|placings| placings_of(&placings, report)),
        "disqualified": faults::disqualified(report),
        "faults": faults::lines(report),
    })
}

/// The end of a journal's chain of hashes.
pub(super) fn head(head: Option<&ChainHead>) -> Value {
    head.map_or(Value::Null, |head| json!({ "links": head.links, "sha256": head.sha256 }))
}

/// The hash of a secret seed.
pub(super) const fn commitment(seed: &RecordedSeed) -> Option<&Commitment> {
    match seed {
        RecordedSeed::Open(_) => None,
        RecordedSeed::Secret(commitment) => Some(commitment),
    }
}

/// All pairs of bots that have met, in the order in which the bots are named.
fn crosstable(report: &StandingsOutput<'_>) -> Value {
    let count = report.ranking.bots.len();
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
    // They are in the same order.
    let mut rated = report.ranking.ratings.pairings().peekable();
    let meeting = |contestants: [usize; 2]| {
        let [first, second] = contestants;
        let pairing = rated.next_if(|pairing| pairing.contestants == contestants);
        let against = |one, other| report.ranking.results.standings.against(one, other);
        let ((points, games), (other_points, _)) = (against(first, second)?, against(second, first)?);
        let difference = pairing.map_or_else(Rating::default, |pairing| Rating::from(pairing.difference));
        let seats = pairing.map_or_else(Vec::new, |pairing| {
            let seat = |seat: &InSeat| json!({ "games": seat.games, "points": seat.points() });
            pairing.seats.iter().map(seat).collect()
        });
        Some(json!({
            "bots": report.ranking.labels(contestants),
            "points": [points, other_points],
            "games": games,
            // The Elo difference of the first to the second by the games between them that were played.
            "difference": difference,
            // Those games by the first bot's seat, with the points of each.
            "seats": seats,
        }))
    };
    pairs.filter_map(meeting).collect()
}

fn placings_of(placings: &Placings, report: &StandingsOutput<'_>) -> Value {
    match placings {
        Placings::Swiss(places) => {
            let placed = |it: &SwissPlacing| {
                json!(RankedBot { bot: report.ranking.label(it.contestant), placing: it })
            };
            json!({ "swiss": places.iter().map(placed).collect::<Value>() })
        }
        Placings::Knockout { places, matches } => {
            let placed = |it: &KnockoutPlacing| {
                json!(RankedBot { bot: report.ranking.label(it.contestant), placing: it })
            };
            let decided = |it: &KnockoutMatch| {
                json!({
                    "round": it.round,
                    "bots": report.ranking.labels(it.contestants),
                    "points": it.points(),
                    "tie-break-pairs": it.tie_break_pairs,
                    "games-without-result": it.games_without_result,
                    "winner": report.ranking.label(it.winner),
                    "decided-by": it.decided_by,
                })
            };
            json!({ "knockout": {
                "places": places.iter().map(placed).collect::<Value>(),
                "matches": matches.iter().map(decided).collect::<Value>(),
            } })
        }
    }
}

/// One game as a line of JSON, for a program that follows a server.
pub fn game_line(number: usize, labels: [&Label; 2], result: &Result<GameResult, HostError>) -> Json {
    Json::line(&game(number, labels, result))
}

/// A game with its result.
pub(super) fn game(number: usize, labels: [&Label; 2], result: &Result<GameResult, HostError>) -> Value {
    let result = match result {
        Err(error) => return json!({ "number": number, "seats": labels, "host-error": error.to_string() }),
        Ok(result) => result,
    };
    let winner = match result.outcome {
        Outcome::Win(seat) => Some(labels[seat.index()]),
        Outcome::Draw | Outcome::NoContest => None,
    };
    let faults = result.faults.iter().map(|((seat, class), fault)| {
        json!({
            "bot": labels[seat.index()],
            "class": class,
            "count": fault.count,
            "first-turn": fault.first_turn,
            "detail": fault.detail,
            "stack": fault.stack,
        })
    });
    json!({
        "number": number,
        "seats": labels,
        "outcome": outcome(result.outcome),
        "winner": winner,
        "reason": result.reason,
        "scores": result.scores,
        "turns": result.turns,
        "fuel": result.fuel,
        "faults": faults.collect::<Value>(),
        "reproducible": result.reproducible,
    })
}

/// The word for an outcome, for either winner.
pub(super) const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(_) => "win",
        Outcome::Draw => "draw",
        Outcome::NoContest => "no-contest",
    }
}

pub(super) fn refused(RefusedFile { file, kind, message, next, .. }: &RefusedFile) -> Value {
    json!({ "file": file, "kind": kind, "message": message, "next": next })
}

fn failed(FailedFile { file, cause, .. }: &FailedFile) -> Value {
    json!({ "file": file, "cause": cause.to_string() })
}
