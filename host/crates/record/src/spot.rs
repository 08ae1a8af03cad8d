//! The names of cells: `b7` is column b, row 7, and so is `7,1`.
//!
//! Columns have letters, so that a spot is two characters and cannot be read the wrong way round. Rows are numbered from
//! 0, as in the rules: a row has one number, on the screen, in a bot's log and in a transcript.

use arena_rules::{Coord, Size};

/// The letter of a column: `a` to `z`, then `A` onwards, as on a shot board.
pub fn column(number: u8) -> char {
    match number {
        0..26 => char::from(b'a' + number),
        26..52 => char::from(b'A' + (number - 26)),
        // No board is that wide, but a recording may claim a spot there.
        _ => '?',
    }
}

/// The name of a cell of a board. A spot off the board is written as in the rules, `(row, column)`.
pub fn name(size: Size, at: Coord) -> String {
    if size.contains(at) { format!("{}{}", column(at.column), at.row) } else { at.to_string() }
}

/// The column that a letter names on a board, if it names one. On a board of up to 26 columns a capital will do too.
pub fn column_of(size: Size, letter: char) -> Option<u8> {
    let letter = if size.width <= 26 { letter.to_ascii_lowercase() } else { letter };
    (0..size.width).find(|&number| column(number) == letter)
}

/// An example of a cell, typed in both ways: `b7` and `7,1`, or the nearest cell that the board has.
pub fn example(size: Size) -> (String, String) {
    let at = Coord::new(7.min(size.height.saturating_sub(1)), 1.min(size.width.saturating_sub(1)));
    (name(size, at), format!("{},{}", at.row, at.column))
}

/// The cell that was typed: `b7`, or `7,1` as row and column.
///
/// # Errors
/// The problem with the text, in words.
pub fn parse(size: Size, text: &str) -> Result<Coord, String> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')');
    let (by_name, by_number) = example(size);
    let wanted = || {
        format!(
            "“{text}” is not a spot: type letter and number, like {by_name}, or row,column, like {by_number}"
        )
    };
    let mut chars = text.chars();
    match chars.next() {
        None => Err(format!("type a spot, like {by_name}")),
        Some(letter) if letter.is_ascii_alphabetic() => {
            let row = number(chars.as_str().trim_start()).ok_or_else(wanted)?;
            let Some(column) = column_of(size, letter) else {
                let last = column(size.width.saturating_sub(1));
                return Err(format!("there is no column {letter}: columns are a to {last}"));
            };
            on_board(size, row, column.into())
        }
        Some(_) => {
            let mut numbers = text.split([',', ' ']).filter(|number| !number.is_empty());
            let mut next = || numbers.next().and_then(number).ok_or_else(wanted);
            let (row, column) = (next()?, next()?);
            if numbers.next().is_some() {
                return Err(wanted());
            }
            on_board(size, row, column)
        }
    }
}

/// A number without a sign.
fn number(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn on_board(size: Size, row: u16, column: u16) -> Result<Coord, String> {
    for (what, number, side) in [("row", row, size.height), ("column", column, size.width)] {
        if number >= side.into() {
            return Err(format!("there is no {what} {number}: {what}s are 0 to {}", side.saturating_sub(1)));
        }
    }
    // Both are less than a side, which fits a byte.
    Ok(Coord::new(row as u8, column as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: u8, text: &str, expected: Result<(u8, u8), &str>) {
        let parsed = parse(Size::new(width, 10), text);
        match expected {
            Ok((row, column)) => assert_eq!(parsed, Ok(Coord::new(row, column)), "{text:?}"),
            Err(text) => {
                let error = parsed.expect_err(text);
                assert!(error.contains(text), "{text:?}: {error}");
            }
        }
    }

    #[test]
    fn a_spot_is_a_letter_and_a_number_or_row_and_column() {
        check(10, "b7", Ok((7, 1)));
        check(10, " B 7 ", Ok((7, 1)));
        check(10, "7,1", Ok((7, 1)));
        check(10, "(7, 1)", Ok((7, 1)));
        check(10, "7 1", Ok((7, 1)));
        check(32, "A0", Ok((0, 26)));
        check(32, "a0", Ok((0, 0)));
    }

    #[test]
    fn text_that_is_not_a_spot_is_explained() {
        check(10, "", Err("type a spot"));
        check(10, "k1", Err("columns are a to j"));
        check(10, "b10", Err("rows are 0 to 9"));
        check(10, "1,10", Err("columns are 0 to 9"));
        check(10, "b", Err("is not a spot"));
        check(10, "bb", Err("is not a spot"));
        check(10, "1", Err("is not a spot"));
        check(10, "1,2,3", Err("is not a spot"));
        check(10, "b-1", Err("is not a spot"));
        check(10, "é1", Err("is not a spot"));
        check(10, "99999999", Err("is not a spot"));
        check(10, "b+7", Err("is not a spot"));
    }

    #[test]
    fn an_example_is_a_spot_of_the_board() {
        assert_eq!(example(Size::new(10, 10)), ("b7".into(), "7,1".into()));
        for size in
            [(1, 1), (5, 5), (1, 32), (32, 1), (32, 32)].map(|(width, height)| Size::new(width, height))
        {
            let (by_name, by_number) = example(size);
            assert_eq!(parse(size, &by_name).unwrap(), parse(size, &by_number).unwrap());
        }
        let error = parse(Size::new(5, 5), "zz").unwrap_err();
        assert!(error.ends_with("like b4, or row,column, like 4,1"), "{error}");
    }

    #[test]
    fn every_cell_of_every_board_is_found_by_its_name() {
        for side in [1, 10, 26, 27, 32] {
            let size = Size::new(side, side);
            for at in size.coords() {
                assert_eq!(parse(size, &name(size, at)), Ok(at));
                assert_eq!(parse(size, &format!("{},{}", at.row, at.column)), Ok(at));
            }
        }
        assert_eq!(name(Size::new(10, 10), Coord::new(0, 10)), "(0, 10)");
    }
}
