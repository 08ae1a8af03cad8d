//! The looks of text and cells, by their meaning.

use ratatui::style::{Color, Style};

/// The meaning of a piece of text or a cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Text.
    Text,
    /// Text that should not catch the eye: labels, water.
    Faint,
    /// Text that should catch the eye: titles, the side to move.
    Strong,
    /// A key, in a footer or in the help.
    Key,
    /// Part of a ship that has not been hit.
    Ship,
    /// Water that was shot at.
    Miss,
    /// Part of a ship that was hit.
    Hit,
    /// Part of a ship that is sunk.
    Sunk,
    /// A fault, or an input that is not legal.
    Fault,
    /// Something good: a legal input, a ship that can be placed.
    Good,
    /// The last shot or move.
    Last,
    /// The cell with the cursor.
    Cursor,
    /// The result of the game.
    Result,
}

/// The looks of tones: with the sixteen colours of any terminal, or without colours.
///
/// Colour never carries a meaning alone: there is always a glyph or a word too. Without colours, bold, faint and reversed
/// text remain, which are not colours, so `NO_COLOR` does not concern them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// True if there are colours.
    pub colours: bool,
}

impl Theme {
    /// The style of a tone.
    pub const fn style(self, tone: Tone) -> Style {
        let style = Style::new();
        let (style, colour) = match tone {
            Tone::Text | Tone::Miss => (style, None),
            Tone::Ship => (style, Some(Color::Cyan)),
            Tone::Faint => (style.dim(), None),
            Tone::Strong => (style.bold(), None),
            Tone::Key => (style.bold(), Some(Color::Cyan)),
            Tone::Hit | Tone::Fault => (style.bold(), Some(Color::Red)),
            Tone::Sunk => (style.bold(), Some(Color::Magenta)),
            Tone::Last => (style.bold(), Some(Color::Yellow)),
            Tone::Good => (style.bold(), Some(Color::Green)),
            Tone::Cursor | Tone::Result => (style.bold().reversed(), None),
        };
        match colour {
            Some(colour) if self.colours => style.fg(colour),
            _ => style,
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self { colours: true }
    }
}
