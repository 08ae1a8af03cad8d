//! The standings as comma-separated values, for a spreadsheet.

use super::{Report, rows};
use csv::WriterBuilder;

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
    let mut out = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    out.serialize(HEADER).expect("memory takes all of it");
    for row in rows::rows(report) {
        let sha256 = &report.bots[row.score.contestant].sha256;
        // As text, since the writer adds a decimal to every whole number of this type.
        let [elo, error, los] = [row.elo, row.error, row.los].map(|figure| figure.map(|it| it.to_string()));
        let record = (row.place, row.bot, sha256, elo, error, los, row.points.to_string(), row.score);
        out.serialize(record).expect("memory takes all of it");
    }
    let bytes = out.into_inner().expect("memory takes all of it");
    String::from_utf8(bytes).expect("it was made of text").trim_end().to_owned()
}
