//! Drawing on a buffer: all drawing goes through here, so nothing unsafe or too wide is drawn.

use crate::target::{Target, Targets};
use crate::theme::{Ink, Theme};
use arena_pictures::text::{SIGN_WIDTH_MAX, fit, plain, width};
use arena_pictures::{Piece, Tone};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

/// The number of cells that pieces take.
pub(crate) fn pieces_width(pieces: &[Piece<'_>]) -> usize {
    pieces.iter().map(|(text, _)| width(&plain(text))).sum()
}

/// A buffer to draw on, with a theme.
pub(crate) struct Pen<'b> {
    buffer: &'b mut Buffer,
    theme: Theme,
    targets: Vec<(Rect, Target)>,
}

impl<'b> Pen<'b> {
    pub(crate) fn new(buffer: &'b mut Buffer, theme: Theme) -> Self {
        Self { buffer, theme, targets: Vec::new() }
    }

    pub(crate) fn theme(&self) -> Theme {
        self.theme
    }

    /// Notes that a part of the picture can be clicked on. What is noted later lies above.
    pub(crate) fn target(&mut self, area: Rect, target: Target) {
        self.targets.push((area.intersection(self.area()), target));
    }

    /// The parts of the picture that can be clicked on.
    pub(crate) fn into_targets(self) -> Targets {
        Targets(self.targets)
    }

    pub(crate) fn area(&self) -> Rect {
        *self.buffer.area()
    }

    /// Draws a text at a place of the buffer, in at most `width_max` cells. Returns the number of cells that it took. A text
    /// off the buffer is not drawn.
    pub(crate) fn text(&mut self, x: u16, y: u16, width_max: u16, text: &str, tone: Tone) -> u16 {
        let area = self.area();
        if !(area.left()..area.right()).contains(&x) || !(area.top()..area.bottom()).contains(&y) {
            return 0;
        }
        let text = self.theme.glyphs(fit(text, width_max.min(area.right() - x).into()));
        let (end, _) = self.buffer.set_stringn(x, y, &text, width_max.into(), self.theme.style(tone));
        end - x
    }

    /// Draws pieces in sequence, from the left of a row.
    pub(crate) fn line(&mut self, row: Rect, pieces: &[Piece<'_>]) {
        let mut x = row.x;
        for (text, tone) in pieces {
            x += self.text(x, row.y, row.right().saturating_sub(x), text, *tone);
        }
    }

    /// Draws pieces so that they end at the right of a row.
    pub(crate) fn line_right(&mut self, row: Rect, pieces: &[Piece<'_>]) {
        let indent = usize::from(row.width).saturating_sub(pieces_width(pieces));
        // It is less than the row's width.
        let indent = indent as u16;
        self.line(Rect { x: row.x + indent, width: row.width - indent, ..row }, pieces);
    }

    /// Clears an area.
    pub(crate) fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.area());
        for position in area.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.bg = self.theme.background().unwrap_or(Color::Reset);
            }
        }
        // A wide sign that began just left of the area would hang into it.
        for before in 1..SIGN_WIDTH_MAX.min(area.left() - self.area().left() + 1) {
            for y in area.rows().map(|row| row.y) {
                if let Some(cell) = self.buffer.cell_mut((area.left() - before, y))
                    && width(cell.symbol()) > before.into()
                {
                    cell.reset();
                }
            }
        }
    }

    /// Draws two pixels, one above the other, on a cell of the buffer.
    pub(crate) fn pixels(&mut self, x: u16, y: u16, upper: Ink, lower: Ink) {
        let [upper, lower] = [upper, lower].map(|ink| self.theme.ink(ink));
        let Some(cell) = self.buffer.cell_mut((x, y)) else { return };
        // A colour of the terminal's own can only be a background.
        let (symbol, fg, bg) = match (upper, lower) {
            (upper, lower) if upper == lower => (" ", Color::Reset, upper),
            (Color::Reset, lower) => ("▄", lower, Color::Reset),
            (upper, lower) => ("▀", upper, lower),
        };
        cell.set_symbol(symbol).set_style(Style::new().fg(fg).bg(bg));
    }

    /// Gives an area the background of water, if the theme has one.
    pub(crate) fn flood(&mut self, area: Rect) {
        if self.theme.has_background() {
            let water = Style::new().bg(self.theme.ink(Ink::Sea(false)));
            self.buffer.set_style(area.intersection(self.area()), water);
        }
    }

    /// A text for a widget, in at most `width_max` cells.
    pub(crate) fn span<'a>(&self, text: &str, width_max: usize, tone: Tone) -> Span<'a> {
        Span::styled(self.theme.glyphs(fit(text, width_max)), self.theme.style(tone))
    }

    /// Draws a widget, with the characters that the terminal can show. Its texts are made by [`Pen::span`].
    pub(crate) fn widget(&mut self, widget: impl Widget, area: Rect) {
        let area = area.intersection(self.area());
        widget.render(area, self.buffer);
        for position in area.positions().filter(|_| self.theme.is_ascii) {
            let cell = &mut self.buffer[position];
            let symbol = self.theme.glyphs(cell.symbol()).into_owned();
            cell.set_symbol(&symbol);
        }
    }

    /// Draws a dot on each cell of an area that has nothing on it.
    pub(crate) fn dots(&mut self, area: Rect) {
        area.positions().for_each(|place| self.on_empty(place.x, place.y, '·', Tone::Faint));
    }

    /// Draws a character on a cell that has nothing on it.
    pub(crate) fn on_empty(&mut self, x: u16, y: u16, c: char, tone: Tone) {
        let is_empty = |cell: &Cell| cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED);
        // A wide sign takes the cells after its own.
        let is_covered = |x: u16| self.buffer.cell((x, y)).is_some_and(|cell| width(cell.symbol()) > 1);
        if self.buffer.cell((x, y)).is_some_and(is_empty) && !(x > 0 && is_covered(x - 1)) {
            self.text(x, y, 1, c.encode_utf8(&mut [0; 4]), tone);
        }
    }

    /// True if a letter or a digit is to the left or to the right of a cell: a sign between would seem to be a part of the words.
    pub(crate) fn is_beside_words(&self, x: u16, y: u16) -> bool {
        let is_of_words =
            |x: u16| self.buffer.cell((x, y)).is_some_and(|it| it.symbol().contains(char::is_alphanumeric));
        x.checked_sub(1).is_some_and(is_of_words) || x.checked_add(1).is_some_and(is_of_words)
    }

    /// Draws a frame with a title, cleared inside. Returns the area inside it.
    pub(crate) fn frame(&mut self, area: Rect, title: &str) -> Rect {
        self.clear(area);
        let rule = self.span("─", 1, Tone::Faint);
        let title =
            self.span(&format!(" {} ", plain(title)), area.width.saturating_sub(4).into(), Tone::Strong);
        let block = Block::bordered().border_type(BorderType::Rounded).border_style(rule.style);
        let block = block.title(Line::from_iter([rule, title]));
        let inner = block.inner(area);
        self.widget(block, area);
        inner
    }
}

/// A row of an area, counted from its top; empty if the area has no such row.
pub(crate) fn row_of(area: Rect, number: u16) -> Rect {
    area.rows().nth(number.into()).unwrap_or(Rect { width: 0, height: 0, ..area })
}

/// A row of an area, counted from its bottom, from 0; empty if the area has no such row.
pub(crate) fn row_from_end(area: Rect, number: u16) -> Rect {
    area.rows().rev().nth(number.into()).unwrap_or(Rect { width: 0, height: 0, ..area })
}

/// The part of an area below this number of its rows.
pub(crate) fn part_below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// The part of an area to the right of this number of its columns.
pub(crate) fn part_right(area: Rect, columns: usize) -> Rect {
    // A part of the width fits what the width does.
    let columns = columns.min(area.width.into()) as u16;
    Rect { x: area.x + columns, width: area.width - columns, ..area }
}

/// The cells of a bar, `room` cells long, that stand for a part of a whole.
pub(crate) fn share(part: u64, whole: u64, room: usize) -> usize {
    let cells = (u128::from(part) * room as u128).checked_div(whole.into()).unwrap_or(0);
    usize::try_from(cells).unwrap_or(room).min(room)
}
