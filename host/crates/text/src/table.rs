//! Tables in plain text.

use comfy_table::{CellAlignment, Table, presets};

/// A table without borders. All columns are of numbers, except these columns of text.
pub fn table(header: &[&str], text_columns: &[usize], rows: impl Iterator<Item = Vec<String>>) -> String {
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
