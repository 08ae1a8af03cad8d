//! Tables in plain text.

use std::iter;
use unicode_width::UnicodeWidthStr;

/// A table without borders. All columns are of numbers, except these columns of text.
pub fn table(header: &[&str], text_columns: &[usize], rows: impl Iterator<Item = Vec<String>>) -> String {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    let rows: Vec<Vec<String>> = iter::once(header).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        let gap = " ".repeat(widths[column] - text.width());
        if text_columns.contains(&column) { format!("{text}{gap}") } else { format!("{gap}{text}") }
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_at_their_ends_and_texts_at_their_beginnings() {
        let rows = [["1", "漢字", "a"], ["12", "b", ""]].map(|row| row.map(str::to_owned).to_vec());
        let table = table(&["", "bot", "x"], &[1, 2], rows.into_iter());
        assert_eq!(table, "    bot   x\n 1  漢字  a\n12  b");
    }
}
