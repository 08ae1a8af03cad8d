//! The tables of a tournament, for a reader.

use super::rows::{self, Row};
use super::{Report, faults};
use arena_league::{DecidedBy, Placings};
use comfy_table::{CellAlignment, Table, presets};

/// The most contestants for whom the table says how each did against each. Chosen: more do not fit a line of 120.
const CROSSTABLE_MAX: usize = 12;

pub(super) fn text(report: &Report<'_>) -> String {
    let rows = rows::rows(report);
    let mut parts = vec![standings(&rows)];
    parts.extend(crosstable(report, &rows));
    parts.extend(placings(report));
    parts.extend(fault_table(report));
    parts.extend(bench(report));
    parts.push(notes(report).join("\n"));
    format!("\n{}", parts.join("\n\n"))
}

fn standings(rows: &[Row<'_>]) -> String {
    let header = ["", "bot", "elo", "±", "los", "points", "games", "won", "drawn", "lost", "faults"];
    let mut table = table(header.map(String::from).into(), &[1]);
    let number = |number: Option<f64>| number.map_or("-".into(), |number| format!("{number:.0}"));
    for row in rows {
        table.add_row(vec![
            row.place.to_string(),
            row.bot.to_owned(),
            number(row.elo),
            number(row.error),
            row.los.map_or(String::new(), |los| format!("{:.0}%", 100.0 * los)),
            points(row.points),
            row.score.games.to_string(),
            row.score.wins.to_string(),
            row.score.draws.to_string(),
            row.score.losses.to_string(),
            row.score.faults.to_string(),
        ]);
    }
    finished(&table)
}

/// Points of each against each, in the order of the standings.
fn crosstable(report: &Report<'_>, rows: &[Row<'_>]) -> Option<String> {
    if rows.len() < 3 || rows.len() > CROSSTABLE_MAX {
        return None;
    }
    let mut header = vec![String::new(), "points against".to_owned()];
    header.extend(rows.iter().map(|row| row.place.to_string()));
    let mut table = table(header, &[1]);
    for row in rows {
        let mut cells = vec![row.place.to_string(), row.bot.to_owned()];
        cells.extend(rows.iter().map(|other| {
            match report.results.standings.against(row.score.contestant, other.score.contestant) {
                Some((scored, _)) => points(scored),
                None => "-".into(),
            }
        }));
        table.add_row(cells);
    }
    Some(finished(&table))
}

/// Points with a half as a half: `7` or `7.5`.
fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

fn placings(report: &Report<'_>) -> Option<String> {
    match report.results.placings.as_ref()? {
        Placings::Swiss(places) => {
            let header = ["place", "bot", "points", "buchholz", "won", "byes"].map(String::from).into();
            let mut table = table(header, &[1]);
            for place in places {
                table.add_row(vec![
                    place.place.to_string(),
                    report.label(place.contestant).to_owned(),
                    points(place.points()),
                    points(place.buchholz()),
                    place.wins.to_string(),
                    place.byes.to_string(),
                ]);
            }
            Some(finished(&table))
        }
        Placings::Knockout { matches, .. } if matches.is_empty() => None,
        Placings::Knockout { matches, .. } => {
            let header = ["round", "match", "", "points", "goes on", "by"].map(String::from).into();
            let mut table = table(header, &[1, 2, 4, 5]);
            for it in matches {
                let [first, second] = it.points().map(points);
                table.add_row(vec![
                    it.round.to_string(),
                    report.label(it.contestants[0]).to_owned(),
                    report.label(it.contestants[1]).to_owned(),
                    format!("{first} - {second}"),
                    report.label(it.winner).to_owned(),
                    decided_by(it.decided_by, it.tie_break_pairs),
                ]);
            }
            Some(finished(&table))
        }
    }
}

fn decided_by(decided_by: DecidedBy, tie_break_pairs: u32) -> String {
    let what = match decided_by {
        DecidedBy::Points => "points",
        DecidedBy::TieBreak => "tie-break",
        DecidedBy::Faults => "fewer faults",
        DecidedBy::Turns => "fewer turns in won games",
        DecidedBy::Seed => "being named first",
        DecidedBy::NoResult => "being named first: the arena failed",
    };
    if tie_break_pairs == 0 { what.to_owned() } else { format!("{what}, {tie_break_pairs} more pairs") }
}

/// The faults of each bot by class; none where there are none.
fn fault_table(report: &Report<'_>) -> Option<String> {
    let lines = faults::lines(report);
    if lines.is_empty() {
        return None;
    }
    let header = ["bot", "fault", "times", "in games", "first", "what it was"].map(String::from).into();
    let mut table = table(header, &[0, 1, 4, 5]);
    for line in lines {
        let turn =
            if line.first_turn == 0 { "deployment".into() } else { format!("turn {}", line.first_turn) };
        table.add_row(vec![
            line.bot.to_owned(),
            line.class.to_string(),
            line.count.to_string(),
            line.games.to_string(),
            format!("game {}, {turn}", line.first_game),
            line.detail.to_owned(),
        ]);
    }
    Some(finished(&table))
}

/// A line for each bot that was benched, with what to look at.
fn bench(report: &Report<'_>) -> Option<String> {
    let benched = faults::benched(report);
    let line = |bench: &faults::Bench<'_>| {
        let faults = report.terms.course.max_faults.unwrap_or_default();
        let recording = bench.recording.as_ref().map_or(String::new(), |at| format!("; recorded: {at}"));
        format!(
            "{} was benched after faults in {faults} games: {} of its games were not played and count as lost\n  \
             last fault: game {}, {}: {}{recording}",
            bench.bot, bench.unplayed, bench.after_game, bench.class, bench.detail
        )
    };
    (!benched.is_empty()).then(|| benched.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// What was played, and what is to be known of the figures.
fn notes(report: &Report<'_>) -> Vec<String> {
    let (terms, results) = (&report.terms, report.results);
    let played = results.games.len();
    let of = if results.complete { String::new() } else { format!(" of {}", results.games_planned) };
    let games = if played == 1 && of.is_empty() { "game" } else { "games" };
    let mut notes = vec![format!(
        "{played}{of} {games} by the rules `{}` on {}, {}, seed {}, {} fuel a turn",
        terms.rules.name(),
        terms.rules.size(),
        terms.course.format,
        terms.seed,
        terms.limits.fuel_per_turn,
    )];
    let ratings = &report.ratings;
    if let Some(first) = ratings.first_seat {
        notes.push(format!(
            "seat 1 is worth {:+.0} ± {:.0} Elo; {} of {} games drawn",
            first.value, first.error, ratings.draws, ratings.games
        ));
    }
    let groups: Vec<_> = ratings.groups.iter().filter(|group| group.len() > 1).collect();
    if groups.len() > 1 {
        let named = groups.iter().map(|group| {
            group.iter().map(|&contestant| report.label(contestant)).collect::<Vec<_>>().join(", ")
        });
        notes.push(format!(
            "these groups have not met, and their ratings do not compare: {}",
            named.collect::<Vec<_>>().join("; ")
        ));
    }
    notes
}

/// A table without borders whose columns are numbers, but for some.
fn table(header: Vec<String>, text_columns: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !text_columns.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn finished(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
