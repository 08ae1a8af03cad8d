//! The help: the keys, and the meanings of the glyphs.

use crate::pen::{Pen, row_of};
use arena_pictures::{Tone, piece};
use ratatui::layout::Rect;

/// Keys or glyphs with their meanings.
pub type Keys = [(&'static str, &'static str)];

/// Draws lists of keys and glyphs in a frame over the middle of an area, with an empty line between two lists.
pub(crate) fn draw(pen: &mut Pen<'_>, area: Rect, title: &str, lists: &[&Keys]) {
    let rows = lists.join(&("", ""));
    let width = 60.min(area.width);
    // The frame takes two rows.
    let height = (rows.len() as u16 + 2).min(area.height);
    let place =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let inner = pen.frame(place, title);
    for (number, (key, text)) in (0..).zip(rows) {
        let pieces = [piece(format!(" {key:<12} "), Tone::Key), piece(text, Tone::Text)];
        pen.line(row_of(inner, number), &pieces);
    }
}
