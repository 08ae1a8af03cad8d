//! The table at the end of a run.

use super::Report;
use arena_referee::FaultClass;
use arena_rules::{GameRules, Seat, Size, submarine};
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeMap;

/// The most contestants for whom the table says how each did against each. Chosen: more do not fit a line of 120.
const CROSSTABLE_MAX: usize = 8;

pub(super) fn text(report: &Report<'_>) -> String {
    let plan = report.plan;
    let mut parts = vec![standings(report)];
    if let Some(faults) = faults(report) {
        parts.push(faults);
    }
    let played = report.results.games.len();
    let of =
        if played == report.games_planned { String::new() } else { format!(" of {}", report.games_planned) };
    let games = if played == 1 && of.is_empty() { "game" } else { "games" };
    parts.push(format!(
        "{played}{of} {games} by the rules `{}` on {}, seed {}, {} fuel a turn",
        plan.rules.name(),
        size(&plan.rules),
        plan.seed,
        plan.limits.fuel_per_turn,
    ));
    format!("\n{}", parts.join("\n\n"))
}

fn size(rules: &GameRules) -> Size {
    match rules {
        GameRules::Battleship(rules) => rules.size(),
        GameRules::Submarine(_) => submarine::SIZE,
    }
}

fn standings(report: &Report<'_>) -> String {
    let contestants = &report.roster.contestants;
    let ranked = report.results.standings.ranked();
    let crosstable = if contestants.len() <= CROSSTABLE_MAX { ranked.len() } else { 0 };
    let mut header: Vec<String> =
        ["", "bot", "points", "games", "won", "drawn", "lost", "faults"].map(String::from).into();
    header.extend((1..=crosstable).map(|place| format!("v {place}")));
    let mut table = table(header, 1);
    for (index, row) in ranked.iter().enumerate() {
        let mut cells = vec![
            (index + 1).to_string(),
            contestants[row.contestant].label.clone(),
            points(row.points()),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.faults.to_string(),
        ];
        cells.extend(ranked.iter().take(crosstable).map(|other| {
            match report.results.standings.against(row.contestant, other.contestant) {
                Some((scored, _)) => points(scored),
                None => "-".into(),
            }
        }));
        table.add_row(cells);
    }
    finished(&table)
}

/// Points with a half as a half: `7` or `7.5`.
fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// The faults of each bot by class; none where there are none.
fn faults(report: &Report<'_>) -> Option<String> {
    struct Line<'a> {
        count: u32,
        games: u32,
        game: usize,
        turn: u32,
        detail: &'a str,
    }
    let mut lines: BTreeMap<(usize, FaultClass), Line<'_>> = BTreeMap::new();
    for game in &report.results.games {
        let Ok(result) = &game.result else { continue };
        for ((seat, class), fault) in &result.faults {
            let contestant = game.fixture.seats[Seat::index(*seat)];
            let line = lines.entry((contestant, *class)).or_insert(Line {
                count: 0,
                games: 0,
                game: game.number,
                turn: fault.first_turn,
                detail: &fault.detail,
            });
            line.count += fault.count;
            line.games += 1;
        }
    }
    if lines.is_empty() {
        return None;
    }
    let header = ["bot", "fault", "times", "in games", "first", "what it was"].map(String::from).into();
    let mut table = table(header, 0);
    table.column_mut(1).into_iter().for_each(|column| column.set_cell_alignment(CellAlignment::Left));
    for ((contestant, class), line) in &lines {
        let turn = if line.turn == 0 { "deployment".into() } else { format!("turn {}", line.turn) };
        table.add_row(vec![
            report.roster.contestants[*contestant].label.clone(),
            class.to_string(),
            line.count.to_string(),
            line.games.to_string(),
            format!("game {}, {turn}", line.game),
            line.detail.to_owned(),
        ]);
    }
    for column in [4, 5] {
        table
            .column_mut(column)
            .into_iter()
            .for_each(|column| column.set_cell_alignment(CellAlignment::Left));
    }
    Some(finished(&table))
}

/// A table without borders whose columns are numbers, but for one.
fn table(header: Vec<String>, text_column: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index != text_column {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn finished(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
