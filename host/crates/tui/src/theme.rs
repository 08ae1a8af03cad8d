//! The looks of text and cells, by their meaning.

use arena_pictures::{Tone, text};
use ratatui::style::{Color, Modifier, Style};
use std::borrow::Cow;

/// The colours of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// No colours. Bold, faint and reversed text remain: they are not colours, so `NO_COLOR` does not apply to them.
    None,
    /// The sixteen colours of any terminal, on its own background.
    #[default]
    Sixteen,
    /// True colours on a dark background.
    Dark,
    /// True colours on a light background.
    Light,
}

/// The looks of a screen: its colours, and the characters that the terminal can show.
///
/// Colour never carries a meaning alone: there is always a glyph, a shape or a word too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Theme {
    /// The colours.
    pub colours: Colours,
    /// True if only characters of ASCII are sent.
    pub is_ascii: bool,
}

/// A colour of a board's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Water; the other shade is that of every second cell.
    Sea(bool),
    /// Water with a shot in it.
    Foam,
    /// Water that is ruled out.
    Shallow,
    /// Water with a shade, in tenths: the chance of a ship, or a number of a bot.
    Warm(u8),
    /// A line that a bot drew.
    Stroke,
    /// A ship.
    Hull,
    /// A hit.
    Fire,
    /// A ship that is sunk.
    Wreck,
    /// A ship that can be placed.
    Good,
    /// The last shot.
    Last,
    /// The cursor.
    Cursor,
}

const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// A colour between two, by tenths of the way.
const fn between(from: u32, to: u32, tenths: u8) -> u32 {
    let mut mixed = 0;
    let mut shift = 0;
    while shift < 24 {
        let (from, to) = (from >> shift & 0xff, to >> shift & 0xff);
        let share = if tenths < 10 { tenths as u32 } else { 10 };
        mixed |= ((from * (10 - share) + to * share) / 10) << shift;
        shift += 8;
    }
    mixed
}

impl Theme {
    /// The theme of an environment, of which `get` finds the variables.
    ///
    /// `NO_COLOR`, if it is not empty, takes the colours away. `COLORTERM` reports true colours, and `COLORFGBG` a light
    /// background. A locale other than UTF-8 has ASCII only: of `LC_ALL`, `LC_CTYPE` and `LANG`, the first that is not empty
    /// counts.
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name| get(name).filter(|value| !value.is_empty());
        let has_true_colours = get("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        // The number of the background's colour is last: 7 and 9 to 15 are light.
        let is_light = get("COLORFGBG").is_some_and(|value| {
            let background = value.rsplit(';').next().and_then(|number| number.parse::<u8>().ok());
            background.is_some_and(|number| matches!(number, 7 | 9..=15))
        });
        let colours = match (get("NO_COLOR"), has_true_colours) {
            (Some(_), _) => Colours::None,
            (None, false) => Colours::Sixteen,
            (None, true) if is_light => Colours::Light,
            (None, true) => Colours::Dark,
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(get).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        Self { colours, is_ascii: !(locale.contains("utf-8") || locale.contains("utf8")) }
    }

    /// The theme of this process's environment: see [`Theme::of`].
    pub fn of_environment() -> Self {
        Self::of(arena_platform::terminal::variable)
    }

    /// The same theme with the next colours: dark, light, sixteen, and round again. Without colours it stays so.
    #[must_use]
    pub const fn next(self) -> Self {
        let colours = match self.colours {
            Colours::None => Colours::None,
            Colours::Sixteen => Colours::Dark,
            Colours::Dark => Colours::Light,
            Colours::Light => Colours::Sixteen,
        };
        Self { colours, ..self }
    }

    /// The style of a tone.
    pub const fn style(self, tone: Tone) -> Style {
        // The colours of a tone: one of sixteen, and the true ones on dark and on light.
        let (style, sixteen, dark, light) = match tone {
            Tone::Text => (Style::new(), None, 0xe6edf3, 0x1f2328),
            Tone::Miss => (Style::new(), None, 0xc9d7e6, 0x3d5266),
            Tone::Ship => (Style::new(), Some(Color::Cyan), 0x7dd3fc, 0x0b6e99),
            Tone::Faint => (Style::new().dim(), None, 0x8b98a5, 0x6e7781),
            Tone::Strong => (Style::new().bold(), None, 0xffffff, 0x000000),
            Tone::Key => (Style::new().bold(), Some(Color::Cyan), 0x79c0ff, 0x0550ae),
            Tone::Hit | Tone::Fault => (Style::new().bold(), Some(Color::Red), 0xff6b62, 0xc4202b),
            Tone::Sunk => (Style::new().bold(), Some(Color::Magenta), 0xd2a8ff, 0x8250df),
            Tone::Last => (Style::new().bold(), Some(Color::Yellow), 0xffd166, 0x8a5a00),
            Tone::Good => (Style::new().bold(), Some(Color::Green), 0x56d364, 0x116329),
            Tone::Cursor | Tone::Result => (Style::new().bold().reversed(), None, 0xffffff, 0x000000),
        };
        match (self.colours, sixteen) {
            (Colours::Sixteen, Some(colour)) => style.fg(colour),
            (Colours::None | Colours::Sixteen, _) => style,
            // Faint text has a colour of its own.
            (Colours::Dark, _) => style.fg(rgb(dark)).remove_modifier(Modifier::DIM),
            (Colours::Light, _) => style.fg(rgb(light)).remove_modifier(Modifier::DIM),
        }
    }

    /// The background of a screen; `None` when it is the terminal's own.
    pub(crate) const fn background(self) -> Option<Color> {
        match self.colours {
            Colours::None | Colours::Sixteen => None,
            Colours::Dark => Some(rgb(0x0d1117)),
            Colours::Light => Some(rgb(0xffffff)),
        }
    }

    /// True if the theme has a background of its own.
    pub(crate) const fn has_background(self) -> bool {
        self.background().is_some()
    }

    /// True if boards are drawn in pixels, for which a terminal needs colours and half blocks.
    pub(crate) fn has_pixels(self) -> bool {
        self.colours != Colours::None && !self.is_ascii
    }

    /// The colour of an ink.
    pub(crate) const fn ink(self, ink: Ink) -> Color {
        let (sixteen, dark, light) = match ink {
            Ink::Sea(false) => (Color::Reset, 0x12304d, 0xcfe8f7),
            Ink::Sea(true) => (Color::Reset, 0x153859, 0xbfdff3),
            Ink::Foam => (Color::Gray, 0x5c8db8, 0x8fb3cc),
            Ink::Shallow => (Color::DarkGray, 0x2c4a66, 0x9dbfd6),
            Ink::Warm(tenths) => {
                (Color::Reset, between(0x12304d, 0xd9480f, tenths), between(0xcfe8f7, 0xf76707, tenths))
            }
            Ink::Stroke => (Color::Blue, 0xb392f0, 0x6f42c1),
            Ink::Hull => (Color::Cyan, 0xdde3ea, 0x37474f),
            Ink::Fire => (Color::Red, 0xff4d42, 0xd1202b),
            Ink::Wreck => (Color::Magenta, 0x9d6bd6, 0x9a6be0),
            Ink::Good => (Color::Green, 0x56d364, 0x2da44e),
            Ink::Last => (Color::Yellow, 0xffd166, 0xf2b01e),
            Ink::Cursor => (Color::White, 0xffffff, 0x111111),
        };
        match self.colours {
            Colours::None => Color::Reset,
            Colours::Sixteen => sixteen,
            Colours::Dark => rgb(dark),
            Colours::Light => rgb(light),
        }
    }

    /// A plain text with the characters that the terminal can show: one of ASCII for each column that another one takes.
    pub(crate) fn glyphs<'a>(self, text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let text = text.into();
        if !self.is_ascii || text.is_ascii() {
            return text;
        }
        let ascii = |c: char| match c {
            c if c.is_ascii() => c.to_string(),
            c => match ascii(c) {
                Some(c) => c.to_string(),
                None => "?".repeat(text::width(c.encode_utf8(&mut [0; 4]))),
            },
        };
        Cow::Owned(text.chars().map(ascii).collect())
    }
}

/// The character of ASCII that stands for one of the screens' own.
const fn ascii(c: char) -> Option<char> {
    Some(match c {
        '·' | '…' => '.',
        '■' => 'S',
        '█' => '#',
        '□' => 's',
        '▸' | '→' => '>',
        '←' => '<',
        '↑' | '▲' => '^',
        '↓' | '▼' => 'v',
        '━' | '▆' | '▇' | '▅' => '=',
        '─' | '–' | '▃' | '▄' | '▀' => '-',
        '▁' | '▂' => '_',
        '│' => '|',
        '╱' => '/',
        '╲' => '\\',
        '┼' => '+',
        '●' => 'O',
        '◆' => '@',
        '×' => 'x',
        '½' => '=',
        '±' => '~',
        '“' | '”' => '"',
        '╭' | '╮' | '╰' | '╯' => '+',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(environment: &[(&str, &str)], colours: Colours, is_ascii: bool) {
        let get = |name: &str| {
            let found = environment.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(Theme::of(get), Theme { colours, is_ascii }, "{environment:?}");
    }

    #[test]
    fn the_environment_determines_colours_and_characters() {
        check(&[("LANG", "C.UTF-8")], Colours::Sixteen, false);
        check(&[("LANG", "de_DE.utf8"), ("COLORTERM", "truecolor")], Colours::Dark, false);
        check(
            &[("LC_CTYPE", "C.UTF-8"), ("COLORTERM", "24bit"), ("COLORFGBG", "0;15")],
            Colours::Light,
            false,
        );
        check(&[("LANG", "C.UTF-8"), ("COLORTERM", "24bit"), ("COLORFGBG", "15;0")], Colours::Dark, false);
        check(&[("LANG", "C.UTF-8"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")], Colours::None, false);
        check(&[("LANG", "C.UTF-8"), ("NO_COLOR", "")], Colours::Sixteen, false);
        check(&[], Colours::Sixteen, true);
        check(&[("LC_ALL", "C"), ("LANG", "C.UTF-8")], Colours::Sixteen, true);
        check(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")], Colours::Sixteen, false);
    }

    #[test]
    fn in_ascii_each_character_keeps_its_columns() {
        let theme = Theme { is_ascii: true, ..Theme::default() };
        assert_eq!(theme.glyphs("▸ ■ · ━●─ 4×2 … 数独é"), "> S . =O- 4x2 . ?????");
        assert_eq!(Theme::default().glyphs("▸ ■ 数"), "▸ ■ 数");
    }
}
