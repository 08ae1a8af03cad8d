//! The parts that all screens have: a cleared canvas of at least some size, a title, and the keys at the bottom.

use crate::pen::{Pen, pieces_width, row_of};
use crate::screen::SCREEN_MIN;
use crate::theme::Theme;
use arena_pictures::{Piece, Tone, piece, text};
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The separators of the parts of a title, of which the first one is the most important.
const TITLE_SEPARATORS: [&str; 2] = ["  ", ", "];

/// The rows of a page step. Chosen: less than the smallest terminal shows.
const PAGE_ROWS: usize = 10;

/// The place in a list of a number of lines after a key that moves it; `None` after another key.
pub(crate) fn moved(place: usize, count: usize, key: KeyCode) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match key {
        KeyCode::Up => place.saturating_sub(1),
        KeyCode::Down => (place + 1).min(last),
        KeyCode::PageUp => place.saturating_sub(PAGE_ROWS),
        KeyCode::PageDown => (place + PAGE_ROWS).min(last),
        KeyCode::Home => 0,
        KeyCode::End => last,
        _ => return None,
    })
}

/// A title at the left of a row, and the state at the right.
pub(crate) fn title(pen: &mut Pen<'_>, row: Rect, what: &str, state: &[Piece<'_>]) {
    let room = title_room(row, state);
    let what = text::shortened(what, room, &TITLE_SEPARATORS);
    let left = Rect { width: row.width.min(room as u16 + 1), ..row };
    pen.line(left, &[piece(format!(" {what}"), Tone::Strong)]);
    pen.line_right(row, state);
}

/// The first part of a title, which is always shown.
pub(crate) fn title_part(what: &str) -> &str {
    text::shortened(what, 0, &TITLE_SEPARATORS)
}

/// The number of columns for a title in a row: a space is before it, and one before the state.
pub(crate) fn title_room(row: Rect, state: &[Piece<'_>]) -> usize {
    usize::from(row.width).saturating_sub(pieces_width(state) + 2)
}

/// The effect of `q` in words, where nothing is lost by it.
pub(crate) const QUIT: &str = "q quits";

/// A cleared buffer to draw a screen on, and its area; `None` when the buffer is too small and shows that, with the effect of `q` in
/// words.
pub(crate) fn canvas<'b>(theme: Theme, buffer: &'b mut Buffer, quit: &str) -> Option<(Pen<'b>, Rect)> {
    let mut pen = Pen::new(buffer, theme);
    let area = pen.area();
    pen.clear(area);
    (!too_small(&mut pen, area, quit)).then_some((pen, area))
}

/// Says that the terminal is too small, if it is.
fn too_small(pen: &mut Pen<'_>, area: Rect, quit: &str) -> bool {
    let (width, height) = SCREEN_MIN;
    if area.width >= width && area.height >= height {
        return false;
    }
    let (needed, found) = (format!("needs {width}×{height}"), format!("is {}×{}", area.width, area.height));
    let line = format!("too small: {needed}, {found}");
    let quit = quit.to_owned();
    let fits = |line: &str| text::width(line) <= area.width.into();
    // As much as fits: how to leave and the size that is needed matter most.
    let lines = match area.height {
        0 => vec![],
        1 => {
            let all = [format!("{line}: {quit}"), format!("{needed}: {quit}")];
            vec![all.into_iter().find(|line| fits(line)).unwrap_or(needed)]
        }
        _ if fits(&line) => vec![line, quit],
        2 => vec![needed, quit],
        _ => vec![needed, found, quit],
    };
    let top = (area.height - lines.len() as u16) / 2;
    for (row, line) in (top..).zip(lines) {
        pen.line(row_of(area, row), &[piece(line, Tone::Strong)]);
    }
    true
}

/// The keys that matter now. The last ones always appear; of the others, those that fit.
pub(crate) fn footer(pen: &mut Pen<'_>, row: Rect, list: &[(&str, &str)], last: &[(&str, &str)]) {
    let end = keys(last);
    let mut pieces = keys_that_fit(list, usize::from(row.width).saturating_sub(pieces_width(&end)));
    pieces.extend(end);
    pen.line(row, &pieces);
}

/// The first keys of a list, with their meanings, that fit in a number of columns.
pub(crate) fn keys_that_fit<'a>(list: &[(&str, &str)], room: usize) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for key in list {
        let more = keys(&[*key]);
        if pieces_width(&pieces) + pieces_width(&more) > room {
            break;
        }
        pieces.extend(more);
    }
    pieces
}

/// Keys with their meanings, as pieces.
fn keys<'a>(list: &[(&str, &str)]) -> Vec<Piece<'a>> {
    let one = |(key, word): &(&str, &str)| {
        [piece(format!(" {key}"), Tone::Key), piece(format!(" {word} "), Tone::Faint)]
    };
    list.iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_keys_are_shown_as_have_room_for_their_last_column() {
        let list = [("a", "one"), ("b", "数独"), ("c", "two")];
        let shown = |room| keys_that_fit(&list, room).len() / 2;
        // Seven columns, eight and seven.
        assert_eq!([0, 6, 7, 14, 15, 21, 22, 80].map(shown), [0, 0, 1, 1, 2, 2, 3, 3]);
    }
}
