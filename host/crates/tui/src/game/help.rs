//! The help: the keys, and what the glyphs mean.

use crate::pen::{Pen, piece, row_of};
use crate::theme::Tone;
use crate::timeline::Timeline;
use arena_rules::GameKind;
use ratatui::layout::Rect;

/// Keys with what they do.
pub(crate) type Keys<'a> = Vec<(&'a str, &'a str)>;

/// The keys of a game's screen.
pub(super) fn game_keys<'a>(can_save: bool) -> Keys<'a> {
    let mut keys = vec![
        ("space", "pause, play on"),
        ("← →", "a step; home and end: all the way, and live"),
        ("+ -", "faster, slower"),
        ("g", "go to a turn"),
        ("n p", "to the next fault, to the one before"),
        ("b", "see all, or as one side sees it"),
        ("l", "what the bots print"),
        ("↑ ↓ f", "scroll a large board, follow the shots"),
    ];
    if can_save {
        keys.push(("w", "save the game, once it is over"));
    }
    keys.push(("q", "quit"));
    keys
}

/// What the glyphs of a game mean.
fn glyphs(game: GameKind) -> &'static [(&'static str, &'static str)] {
    match game {
        GameKind::Battleship => &[
            ("■ ·", "a ship, water"),
            ("X o", "a hit, a miss"),
            ("#", "a ship that is sunk"),
            ("-", "no ship can be there"),
            ("[X]", "the last shot"),
            ("b7", "column b, row 7: (7, 1) in logs"),
            ("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget"),
        ],
        GameKind::Submarine => &[
            ("w3 c2 s1", "battleship, cruiser, submarine, hit points"),
            ("!", "the cell that was attacked last"),
            ("→ [w3]", "the ship that moved last, and from where"),
            ("wc·", "what may be there, as one side sees it"),
            ("o, Xw ~cs", "nothing hit; w hit, c and s beside it"),
            ("b3", "column b, row 3: (3, 1) in logs"),
            ("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget"),
        ],
    }
}

/// Draws the help over an area.
pub(crate) fn help(pen: &mut Pen<'_>, area: Rect, title: &str, keys: &Keys<'_>, timeline: &Timeline) {
    let glyphs = glyphs(timeline.header().rules.game());
    let width = 60.min(area.width);
    // The frame, both lists and a line between them.
    let height = ((keys.len() + glyphs.len()) as u16 + 3).min(area.height);
    let place =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let inner = pen.frame(place, title);
    let rows = keys.iter().map(Some).chain([None]).chain(glyphs.iter().map(Some));
    for (number, row) in (0..).zip(rows) {
        if let Some((key, words)) = row {
            let row = row_of(inner, number);
            pen.line(row, &[piece(format!(" {key:<12} "), Tone::Key), piece(*words, Tone::Text)]);
        }
    }
}
