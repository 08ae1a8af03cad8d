//! The tables of a tournament, for a reader.

use super::rows::{self, Row};
use super::{Report, counted, faults, json};
use arena_league::{DecidedBy, Placings};
use arena_record::Name;
use arena_text::Text;
use comfy_table::{CellAlignment, Table, presets};

/// The largest number of contestants of a crosstable. Chosen: more do not fit a line of 120.
const CROSSTABLE_MAX: usize = 12;

/// The largest number of functions of a stack in a table; a transcript has more. Chosen: a line or two of 120.
const FRAMES_SHOWN_MAX: usize = 5;

pub(super) fn text(report: &Report<'_>) -> Text {
    let rows = rows::rows(report);
    let mut parts = vec![standings(&rows)];
    parts.extend(crosstable(report, &rows));
    parts.extend(placings(report));
    parts.extend(fault_table(report));
    parts.extend(disqualified(report));
    parts.push(notes(report).join("\n"));
    format!("\n{}", parts.join("\n\n")).into()
}

fn standings(rows: &[Row<'_>]) -> String {
    let header = ["", "bot", "elo", "±", "los", "points", "games", "won", "drawn", "lost", "faults"];
    let number = |number: Option<f64>| number.map_or("-".into(), |number| format!("{number:.0}"));
    let cells = rows.iter().map(|row| {
        vec![
            row.place.to_string(),
            row.bot.to_string(),
            number(row.elo),
            number(row.error),
            row.los.map_or(String::new(), |los| format!("{:.0}%", 100.0 * los)),
            points(row.points),
            row.score.games.to_string(),
            row.score.wins.to_string(),
            row.score.draws.to_string(),
            row.score.losses.to_string(),
            row.score.faults.to_string(),
        ]
    });
    table(&header, &[1], cells)
}

/// The points of each bot against each, in the order of the standings.
fn crosstable(report: &Report<'_>, rows: &[Row<'_>]) -> Option<String> {
    if rows.len() < 3 || rows.len() > CROSSTABLE_MAX {
        return None;
    }
    let places: Vec<String> = rows.iter().map(|row| row.place.to_string()).collect();
    let header: Vec<&str> =
        ["", "points against"].into_iter().chain(places.iter().map(String::as_str)).collect();
    let cells = rows.iter().map(|row| {
        let against = |other: &Row<'_>| {
            let met = report.results.standings.against(row.score.contestant, other.score.contestant);
            met.map_or("-".into(), |(scored, _)| points(scored))
        };
        [row.place.to_string(), row.bot.to_string()].into_iter().chain(rows.iter().map(against)).collect()
    });
    Some(table(&header, &[1], cells))
}

/// Points with a half as a half: `7` or `7.5`.
fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

fn placings(report: &Report<'_>) -> Option<String> {
    match report.results.placings.as_ref()? {
        Placings::Swiss(places) => {
            let cells = places.iter().map(|it| {
                vec![
                    it.place.to_string(),
                    report.label(it.contestant).to_string(),
                    points(it.points()),
                    points(it.buchholz()),
                    it.wins.to_string(),
                    it.byes.to_string(),
                ]
            });
            Some(table(&["place", "bot", "points", "buchholz", "won", "byes"], &[1], cells))
        }
        Placings::Knockout { matches, .. } if matches.is_empty() => None,
        Placings::Knockout { matches, .. } => {
            let cells = matches.iter().map(|it| {
                let [first, second] = report.labels(it.contestants);
                vec![
                    it.round.to_string(),
                    first.to_string(),
                    second.to_string(),
                    it.points().map(points).join(" - "),
                    report.label(it.winner).to_string(),
                    decided_by(it.decided_by, it.tie_break_pairs),
                ]
            });
            Some(table(&["round", "match", "", "points", "winner", "by"], &[1, 2, 4, 5], cells))
        }
    }
}

fn decided_by(decided_by: DecidedBy, tie_break_pairs: u32) -> String {
    let reason = match decided_by {
        DecidedBy::Points => "points",
        DecidedBy::TieBreak => "tie-break",
        DecidedBy::Faults => "fewer faults",
        DecidedBy::Turns => "fewer turns in won games",
        DecidedBy::Seeding => "seeding",
        DecidedBy::NoResult => "seeding: the arena failed",
    };
    if tie_break_pairs == 0 {
        reason.to_owned()
    } else {
        format!("{reason}, {}", counted(tie_break_pairs, "more pair"))
    }
}

/// The faults of each bot by class; none if there are no faults.
fn fault_table(report: &Report<'_>) -> Option<String> {
    let lines = faults::lines(report);
    let cells = lines.iter().map(|line| {
        let turn = match line.first_turn {
            0 => "deployment".into(),
            turn => format!("turn {turn}"),
        };
        vec![
            line.bot.to_string(),
            line.class.to_string(),
            line.count.to_string(),
            line.games.to_string(),
            format!("game {}, {turn}", line.first_game),
            line.detail.to_string(),
        ]
    });
    let header = ["bot", "fault", "times", "in games", "first", "description"];
    let stacks = lines.iter().filter(|line| !line.stack.is_empty()).map(|line| {
        let calls = line.stack.iter().take(FRAMES_SHOWN_MAX).map(ToString::to_string).collect::<Vec<_>>();
        format!("stack of {}, {}: {}", line.bot, line.class, calls.join(" < "))
    });
    let parts: Vec<String> = std::iter::once(table(&header, &[0, 1, 4, 5], cells)).chain(stacks).collect();
    (!lines.is_empty()).then(|| parts.join("\n"))
}

/// A line for each bot that was disqualified, with the place of the recording of its last game.
fn disqualified(report: &Report<'_>) -> Option<String> {
    let disqualified = faults::disqualified(report);
    let games = counted(report.settings.max_faults.unwrap_or_default(), "game");
    let line = |it: &faults::Disqualified<'_>| {
        let recording = it.recording.as_ref().map_or(String::new(), |place| format!("; recorded: {place}"));
        format!(
            "{} was disqualified after faults in {games}: {} of its games were not played and count as lost\n  \
             last fault: game {}, {}: {}{recording}",
            it.bot, it.unplayed, it.after_game, it.class, it.detail
        )
    };
    (!disqualified.is_empty()).then(|| disqualified.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Notes: the conditions of the games, and the limits of the figures.
fn notes(report: &Report<'_>) -> Vec<String> {
    let (conditions, results, ratings) = (report.conditions, report.results, &report.ratings);
    let played = results.games.len();
    let of = if results.complete { String::new() } else { format!(" of {}", results.games_planned) };
    let games = if played == 1 && of.is_empty() || results.games_planned == 1 { "game" } else { "games" };
    let mut notes = vec![format!(
        "{played}{of} {games} by the rules `{}` on {}, {}, {} fuel a turn",
        Name::new(conditions.rules.name()),
        conditions.rules.size(),
        report.settings.format,
        conditions.limits.fuel_per_turn,
    )];
    notes.extend(report.seed().map(|seed| format!("seed {seed}")));
    if let Some(commitment) = json::commitment(&conditions.seed) {
        let known = if report.seed().is_some() {
            "known before the first game"
        } else {
            "which is told after the last game"
        };
        notes.push(format!("SHA-256 of the seed, {known}: {}", commitment.digits()));
    }
    if let Some(first) = ratings.first_seat {
        notes.push(format!(
            "seat 1 is worth {:+.0} ± {:.0} Elo; {} of {} drawn",
            first.value,
            first.error,
            ratings.draws,
            counted(ratings.games, "game")
        ));
    }
    let groups: Vec<_> = ratings.groups.iter().filter(|group| group.len() > 1).collect();
    if groups.len() > 1 {
        let named = groups.iter().map(|group| {
            group.iter().map(|&bot| report.label(bot).to_string()).collect::<Vec<_>>().join(", ")
        });
        notes.push(format!(
            "bots with no common opponents, directly or through others, cannot be rated against each other; the \
             groups are: {}",
            named.collect::<Vec<_>>().join("; ")
        ));
    }
    notes
}

/// A table without borders. All columns are of numbers, except these columns of text.
pub(super) fn table(
    header: &[&str],
    text_columns: &[usize],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !text_columns.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
