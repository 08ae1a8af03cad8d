//! The standings as comma-separated values, for a spreadsheet.

use super::{Report, rows};
use arena_text::{Line, Text};
use csv::WriterBuilder;

const HEADER: [&str; 15] = [
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
];

/// A line for each bot, best first, under a header.
pub(super) fn text(report: &Report<'_>) -> Text {
    let mut out = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    out.serialize(HEADER).expect("memory takes all of it");
    for row in rows::rows(report) {
        let sha256 = &report.bots[row.score.contestant].sha256;
        // As text, since the writer adds a decimal to every whole number of this type.
        let rows::Rating { elo, low, high } = row.rating;
        let [elo, low, high, los] =
            [elo, low, high, rows::known(row.los)].map(|figure| figure.map(|it| it.to_string()));
        let points = row.points.to_string();
        let record = (
            (row.place, cell(row.bot), cell(sha256)),
            (elo, low, high, los),
            (points, row.score, row.disqualified),
        );
        out.serialize(record).expect("memory takes all of it");
    }
    let bytes = out.into_inner().expect("memory takes all of it");
    String::from_utf8(bytes).expect("it was made of text").trim_end().into()
}

/// A text from outside as a cell. A spreadsheet takes one that begins with certain characters as a formula, so an
/// apostrophe comes before it, as OWASP advises: <https://owasp.org/www-community/attacks/CSV_Injection>. A tab and a line
/// break are on its list too, and no line begins with one.
fn cell<const MAX: usize>(text: &Line<MAX>) -> String {
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
