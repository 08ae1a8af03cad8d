//! The standings as comma-separated values, for a spreadsheet.

use super::{Report, rows};
use csv::Writer;

const HEADER: [&str; 13] = [
    "place",
    "bot",
    "sha256",
    "elo",
    "error",
    "los",
    "points",
    "games",
    "wins",
    "draws",
    "losses",
    "no-contests",
    "faults",
];

/// A line for each bot, best first, under a header.
pub(super) fn text(report: &Report<'_>) -> String {
    let mut out = Writer::from_writer(Vec::new());
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let mut write = |record: &[String]| out.write_record(record).expect("memory takes all of it");
    write(&HEADER.map(String::from));
    for row in rows::rows(report) {
        let score = row.score;
        let counts = [score.games, score.wins, score.draws, score.losses, score.no_contests, score.faults];
        let mut record = vec![
            row.place.to_string(),
            row.bot.to_owned(),
            report.entrants[score.contestant].sha256.to_owned(),
            number(row.elo),
            number(row.error),
            number(row.los),
            row.points.to_string(),
        ];
        record.extend(counts.map(|count| count.to_string()));
        write(&record);
    }
    let bytes = out.into_inner().expect("memory takes all of it");
    String::from_utf8(bytes).expect("it was made of text").trim_end().to_owned()
}
