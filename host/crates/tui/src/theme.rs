//! What a thing looks like, by what it is.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text or a cell of a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Text.
    Text,
    /// Text that should not catch the eye: labels, water.
    Faint,
    /// Text that should: titles, whose turn it is.
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
    /// What is as it should be: a legal input, a ship that can be placed.
    Good,
    /// The last shot or move.
    Last,
    /// Where the cursor is.
    Cursor,
    /// The result of the game.
    Result,
}

/// How tones are shown: with the sixteen colours of any terminal, or with none.
///
/// Nothing is told by colour alone: each thing has a glyph or a word of its own. Without colours, bold, faint and reversed
/// text remain, which are not colours and which `NO_COLOR` does not speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether there are colours.
    pub colours: bool,
}

impl Theme {
    /// How a tone looks.
    pub const fn style(self, tone: Tone) -> Style {
        let style = match tone {
            Tone::Text | Tone::Ship | Tone::Miss => Style::new(),
            Tone::Faint => Style::new().add_modifier(Modifier::DIM),
            Tone::Strong | Tone::Key | Tone::Hit | Tone::Sunk | Tone::Fault | Tone::Good | Tone::Last => {
                Style::new().add_modifier(Modifier::BOLD)
            }
            Tone::Cursor | Tone::Result => {
                Style::new().add_modifier(Modifier::BOLD).add_modifier(Modifier::REVERSED)
            }
        };
        if !self.colours {
            return style;
        }
        match tone {
            Tone::Ship | Tone::Key => style.fg(Color::Cyan),
            Tone::Hit | Tone::Fault => style.fg(Color::Red),
            Tone::Sunk => style.fg(Color::Magenta),
            Tone::Last => style.fg(Color::Yellow),
            Tone::Good => style.fg(Color::Green),
            Tone::Text | Tone::Faint | Tone::Strong | Tone::Miss | Tone::Cursor | Tone::Result => style,
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self { colours: true }
    }
}
