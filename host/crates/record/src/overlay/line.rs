//! A line of an overlay.

use super::spot;
use arena_rules::{Coord, Size};

/// The longest line that draws, in bytes. Chosen: a row of 32 numbers with ten characters each.
const LINE_BYTES_MAX: usize = 400;

/// The number of characters of a text in a cell. Chosen: a cell of a terminal has no room for more.
const TEXT_CHARS_MAX: usize = 2;

/// What a line draws.
#[derive(Debug, PartialEq)]
pub(super) enum Drawn {
    /// Numbers of cells, which shade them.
    Numbers(Vec<(Coord, f64)>),
    /// The number of the darkest shade.
    Scale(f64),
    /// A line between two cells.
    Line([Coord; 2]),
    /// A text in a cell.
    Text(Coord, String),
    /// A text below the board.
    Note(String),
}

/// The word that a line of an overlay begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Mark,
    Shade,
    Scale,
    Line,
    Text,
    Note,
}

/// The word that a line begins with, if it is one of an overlay.
pub(super) fn word(line: &str) -> Option<Word> {
    Some(match line.split([' ', '\t']).next()?.trim_end() {
        "@mark" => Word::Mark,
        "@shade" => Word::Shade,
        "@scale" => Word::Scale,
        "@line" => Word::Line,
        "@text" => Word::Text,
        "@note" => Word::Note,
        _ => return None,
    })
}

/// A right line that begins with the same word, for a board of this size.
pub(super) fn example(line: &str, size: Size) -> String {
    let (cell, _) = spot::example(size);
    match word(line).unwrap_or(Word::Note) {
        Word::Mark => format!("@mark {cell} 0.8"),
        // A board has at least one row and one column.
        Word::Shade => "@shade 0 0.8".to_owned(),
        Word::Scale => "@scale 1".to_owned(),
        Word::Line => format!("@line {} {cell}", spot::name(size, Coord::new(0, 0))),
        Word::Text => format!("@text {cell} x1"),
        Word::Note => "@note hunting".to_owned(),
    }
}

/// What a line draws on a board of this size, or what is wrong with it; `None` for an ordinary line of the log.
pub(super) fn drawn(line: &str, size: Size) -> Option<Result<Drawn, String>> {
    let word = word(line)?;
    let rest = line.split_once([' ', '\t']).map_or("", |(_, rest)| rest).trim();
    if word != Word::Note && line.len() > LINE_BYTES_MAX {
        return Some(Err(format!("it has {} bytes, and {LINE_BYTES_MAX} are the most", line.len())));
    }
    Some(match word {
        Word::Mark => mark(rest, size),
        Word::Shade => shade(rest, size),
        Word::Scale => scale(rest),
        Word::Line => two_cells(rest, size).map(Drawn::Line),
        Word::Text => text(rest, size),
        Word::Note if rest.is_empty() => Err("it has no text".into()),
        Word::Note => Ok(Drawn::Note(rest.to_owned())),
    })
}

/// `a7 0.8`.
fn mark(rest: &str, size: Size) -> Result<Drawn, String> {
    let (cell, weight) = rest.rsplit_once([' ', '\t']).ok_or("it needs a cell and a number")?;
    Ok(Drawn::Numbers(vec![(spot::parse(size, cell)?, number(weight)?)]))
}

/// `7 0 .2 - 1`.
fn shade(rest: &str, size: Size) -> Result<Drawn, String> {
    let mut parts = rest.split_whitespace();
    let row = parts.next().ok_or("it needs a row, and a number for each of its cells")?;
    // A row is read as its first cell is, so that it is refused in the same words.
    let first = spot::parse(size, &format!("{row},0"))?;
    let numbers: Vec<&str> = parts.collect();
    if numbers.is_empty() || numbers.len() > size.width.into() {
        let columns = size.width;
        return Err(format!("it has {} numbers, and a row has {columns} cells", numbers.len()));
    }
    let cells = (0..size.width).zip(numbers).filter(|(_, text)| *text != "-");
    let cells = cells.map(|(column, text)| Ok((Coord::new(first.row, column), number(text)?)));
    cells.collect::<Result<_, String>>().map(Drawn::Numbers)
}

/// `1`.
fn scale(rest: &str) -> Result<Drawn, String> {
    match number(rest)? {
        0.0 => Err("a scale is more than 0".into()),
        scale => Ok(Drawn::Scale(scale)),
    }
}

/// `a7 x1`.
fn text(rest: &str, size: Size) -> Result<Drawn, String> {
    let (cell, text) = rest.rsplit_once([' ', '\t']).ok_or("it needs a cell and a text")?;
    let at = spot::parse(size, cell)?;
    // Characters of ASCII have the same width on all screens, and no neighbours change them.
    if text.len() > TEXT_CHARS_MAX || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!(
            "“{text}” is not a text for a cell, which is one or two visible characters of ASCII"
        ));
    }
    Ok(Drawn::Text(at, text.to_owned()))
}

/// `a7 d7`. A cell may have a space in it, as `7, 0`.
fn two_cells(rest: &str, size: Size) -> Result<[Coord; 2], String> {
    let is_space = |c| c == ' ' || c == '\t';
    let parsed = |(at, _)| {
        let (from, to) = rest.split_at(at);
        Some([spot::parse(size, from).ok()?, spot::parse(size, to).ok()?])
    };
    match rest.match_indices(is_space).find_map(parsed) {
        Some([from, to]) if from == to => Err("its two cells are the same".into()),
        Some(ends) => Ok(ends),
        None => {
            // The problem of one of two words, if there are two.
            if let [from, to] = rest.split_whitespace().collect::<Vec<_>>()[..] {
                spot::parse(size, from)?;
                spot::parse(size, to)?;
            }
            Err("it needs two cells".into())
        }
    }
}

/// A finite number of 0 or more, in decimal digits, perhaps with an exponent.
fn number(text: &str) -> Result<f64, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    let number = text.parse::<f64>().ok().filter(|number| is_plain && number.is_finite() && *number >= 0.0);
    // There is no negative 0.
    number
        .map(|number| number + 0.0)
        .ok_or_else(|| format!("“{text}” is not a number of 0 or more, like 0.8"))
}
