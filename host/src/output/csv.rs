//! The standings as comma-separated values, for a spreadsheet.

use super::StandingsOutput;
use arena_engine::Rating;
use arena_engine::internals::ranking;
use arena_text::{Line, Text};
use csv::WriterBuilder;

const HEADER: [&str; 17] = [
    "place",
    "bot",
    "sha256",
    "elo",
    "low",
    "high",
    "los",
    "points",
    "games",
    "wins",
    "draws",
    "losses",
    "no-contests",
    "faults",
    "disqualified",
    "score",
    "score-error",
];

/// A line for each bot, best first, under a header.
pub(super) fn text(report: &StandingsOutput<'_>) -> Text {
    let mut out = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    out.serialize(HEADER).expect("memory takes all of it");
    for row in report.ranking.rows() {
        let sha256 = &report.ranking.bots[row.score.contestant].sha256;
        // As text, since the writer adds a decimal to every whole number of this type.
        let Rating { elo, low, high } = row.rating;
        let [elo, low, high, los] =
            [elo, low, high, ranking::known(row.los)].map(|figure| figure.map(|it| it.to_string()));
        let score = [row.mean_score.map(|it| it.mean), row.mean_score.and_then(|it| it.error)];
        let score = score.map(|figure| figure.map(|it| it.to_string()));
        let points = row.points.to_string();
        let record = (
            (row.place, cell(row.bot), cell(sha256)),
            (elo, low, high, los),
            (points, row.score, row.disqualified),
            score,
        );
        out.serialize(record).expect("memory takes all of it");
    }
    let bytes = out.into_inner().expect("memory takes all of it");
    String::from_utf8(bytes).expect("it was made of text").trim_end().into()
}

/// The lines of a table in one part. Chosen: the text of a part is cleaned at once, and has some hundred kilobytes.
const PART_LINES: usize = 1_000;

/// A line for each row under a header, in parts. Texts from outside are made cells by [`cell`].
pub(super) fn csv(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Text> {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    let mut lines = std::iter::once(header).chain(rows).peekable();
    let mut parts = Vec::new();
    while lines.peek().is_some() {
        let mut out = WriterBuilder::new().from_writer(Vec::new());
        for line in lines.by_ref().take(PART_LINES) {
            out.write_record(line).expect("memory takes all of it");
        }
        let bytes = out.into_inner().expect("memory takes all of it");
        parts.push(String::from_utf8(bytes).expect("it was made of text").trim_end().into());
    }
    parts
}

/// A text from outside as a cell. A spreadsheet takes one that begins with certain characters as a formula, so an
/// apostrophe comes before it, as OWASP advises: <https://owasp.org/www-community/attacks/CSV_Injection>. A tab and a line
/// break are on its list too, and no line begins with one.
pub(super) fn cell<const MAX: usize>(text: &Line<MAX>) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    format!("{}{text}", if is_formula { "'" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\t=1", "'=1"),
            ("＝1", "'＝1"),
            ("hunter", "hunter"),
            ("a=b", "a=b"),
            ("'=1", "'=1"),
            ("", ""),
        ] {
            assert_eq!(cell(&Line::<24>::new(text)), expected);
        }
    }
}
