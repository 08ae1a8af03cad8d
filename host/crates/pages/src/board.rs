//! A board as a part of a page: its ships, hits and misses as drawings, with the same signs as in a terminal for those who hear the page.
//!
//! Another page uses it so: it links `board.css` in its head (and `board.js`, if it changes), puts [`table`] where the board belongs, in an
//! element with the classes `columnsN` and `rowsN` of `style.css` that sets `--cell`, and serves [`asset`](crate::asset)s next to it. A
//! script shows another position by `new Board(table).paint(cells)` with a [`Look`] for each cell, as [`looks`] has them:
//!
//! ```
//! use arena_pages::board;
//! use arena_pictures::Picture;
//! use arena_rules::Seat;
//!
//! let picture = Picture::default();
//! let html = board::table(&picture, Seat::First, "abcdefghij", "Your board", false);
//! let json = serde_json::to_string(&board::looks(&picture))?;
//! # assert!(html.starts_with("<table") && json == "[]");
//! # Ok::<(), serde_json::Error>(())
//! ```

use arena_pictures::{Hull, Painted, Picture, Tone};
use arena_rules::{Coord, Seat};
use askama::Template;
use serde::Serialize;

/// The content of a cell: its sign, the classes of its drawing and, if a bot has drawn on it, a shade and a text. In JSON it is an array for
/// `board.js`: without the last two, or with both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Vec<String>")]
pub struct Look {
    /// The sign: one character, or up to three.
    pub sign: String,
    /// The classes for `board.css`.
    pub classes: String,
    /// The shade by the bot, a digit from 0 to 9; empty without one.
    pub shade: String,
    /// The text by the bot, one or two characters; empty without one.
    pub written: String,
}

impl From<Look> for Vec<String> {
    fn from(Look { sign, classes, shade, written }: Look) -> Self {
        let is_drawn = !(shade.is_empty() && written.is_empty());
        [sign, classes]
            .into_iter()
            .chain(is_drawn.then_some([shade, written]).into_iter().flatten())
            .collect()
    }
}

impl Look {
    /// The look of a cell.
    pub fn of(cell: &Painted) -> Self {
        let shade = cell.shade.map_or_else(String::new, |tenths| tenths.to_string());
        Self { sign: cell.text.clone(), classes: classes(cell), shade, written: cell.written.clone() }
    }
}

/// The looks of the cells of a board, row by row.
pub fn looks(board: &Picture) -> Vec<Look> {
    board.cells.iter().map(Look::of).collect()
}

/// The lines over a board, each as the indexes of the two cells that it joins.
pub fn lines(board: &Picture) -> Vec<[usize; 2]> {
    let joined = |[from, to]: &[Coord; 2]| Some([board.size.index(*from)?, board.size.index(*to)?]);
    board.lines.iter().filter_map(joined).collect()
}

/// The classes of a cell, that of its look first and `last` at the end.
fn classes(cell: &Painted) -> String {
    let look = match cell.tone {
        Tone::Faint if cell.text == "-" => "out",
        Tone::Faint => "water",
        Tone::Ship => "ship",
        Tone::Miss => "miss",
        Tone::Hit => "hit",
        Tone::Sunk => "sunk",
        // The place that a ship has left in the last turn.
        Tone::Last => "left",
        Tone::Text | Tone::Strong | Tone::Key | Tone::Fault | Tone::Good | Tone::Cursor | Tone::Result => {
            "plain"
        }
    };
    [Some(look), cell.hull.map(part), cell.is_last.then_some("last")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The class of a part of a ship, which has its bow in the west or in the north.
const fn part(hull: Hull) -> &'static str {
    match (hull.west, hull.east, hull.north, hull.south) {
        (true, true, ..) => "middle-h",
        (false, true, ..) => "bow-w",
        (true, false, ..) => "stern-e",
        (.., true, true) => "middle-v",
        (.., false, true) => "bow-n",
        (.., true, false) => "stern-s",
        (.., false, false) => "whole",
    }
}

/// A board as HTML.
#[derive(Template)]
#[template(path = "board.html")]
struct Board<'a> {
    seat: u8,
    label: &'a str,
    is_broad: bool,
    columns: Vec<char>,
    rows: Vec<&'a [Look]>,
}

/// A board of a side as a table, with this label and these letters over its columns. `is_broad` for a board whose cells have signs of several
/// characters at some time of the game: they are written, and not drawn.
pub fn table(board: &Picture, owner: Seat, columns: &str, label: &str, is_broad: bool) -> String {
    let looks = looks(board);
    let width = usize::from(board.size.width);
    let board = Board {
        seat: owner.into(),
        label,
        is_broad,
        columns: columns.chars().take(width).collect(),
        rows: looks.chunks(width.max(1)).collect(),
    };
    board.render().expect("memory takes any board")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Size;

    fn cell(text: &str, tone: Tone, hull: Option<Hull>) -> Painted {
        Painted { text: text.into(), tone, is_last: false, shade: None, written: String::new(), hull }
    }

    #[test]
    fn a_ship_has_a_bow_a_stern_and_what_is_between_them() {
        let hull = |west, east, north, south| Some(Hull { north, east, south, west });
        for (hull, expected) in [
            (hull(false, true, false, false), "ship bow-w"),
            (hull(true, true, false, false), "ship middle-h"),
            (hull(true, false, false, false), "ship stern-e"),
            (hull(false, false, false, true), "ship bow-n"),
            (hull(false, false, true, true), "ship middle-v"),
            (hull(false, false, true, false), "ship stern-s"),
            (hull(false, false, false, false), "ship whole"),
        ] {
            assert_eq!(classes(&cell("■", Tone::Ship, hull)), expected);
        }
        let last = Painted { is_last: true, ..cell("-", Tone::Faint, None) };
        assert_eq!(classes(&last), "out last");
    }

    #[test]
    fn each_class_of_a_drawing_has_a_tile() {
        let (css, tiles) = (include_str!("../assets/board.css"), include_str!("../assets/board.svg"));
        let used = css.split("board.svg#").skip(1).filter_map(|rest| rest.split('"').next());
        let used: Vec<&str> = used.collect();
        assert!(used.len() > 10);
        for tile in used {
            assert!(tiles.contains(&format!("<view id=\"{tile}\"")), "{tile}");
            assert!(css.contains(&format!("td.{tile}")), "{tile}");
        }
    }

    #[test]
    fn nothing_moves_on_paper_where_a_movement_would_be_its_first_moment() {
        let css = include_str!("../assets/board.css");
        let (before, moving) =
            css.split_once("@media screen and (prefers-reduced-motion: no-preference) {").unwrap();
        assert!(moving.contains("animation:"));
        let after = moving.split_once("\n}").expect("the block has an end").1;
        assert!(![before, after].iter().any(|part| part.contains("animation:")));
    }

    #[test]
    fn a_board_has_the_signs_of_its_cells_and_names_of_bots_are_escaped() {
        let cells = vec![cell("■", Tone::Ship, None), cell("<b", Tone::Miss, None)];
        let picture = Picture { size: Size::new(2, 1), cells, lines: Vec::new() };
        let html = table(&picture, Seat::Second, "abc", "<i>", true);
        assert!(html.contains(r#"class="board broad" data-owner="2" aria-label="&#60;i&#62;""#), "{html}");
        assert!(html.contains(r#"<td class="ship">■</td><td class="miss">&#60;b</td>"#), "{html}");
        assert!(!html.contains(">c<"), "{html}");
    }
}
