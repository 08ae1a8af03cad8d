//! Text made safe and measured: all text that is drawn has been through here.
//!
//! A recording is a file from anywhere. Its names and faults may hold commands to a terminal, or characters that move
//! others out of the layout, so each letter that is drawn takes its cells, with its marks, and stays in its place.

use arena_text::{MARKS_MAX, is_mark, is_plain, runs_left};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The largest number of cells of a letter with its marks: some marks have a cell of their own.
pub const SIGN_WIDTH_MAX: u16 = 2 + MARKS_MAX as u16;

/// The sign for a character that is not drawn.
const BOX: char = '▯';

/// A text in one line that does not move the cursor or reorder anything.
///
/// Control characters are shown as their pictures, white space as spaces. A letter keeps its marks, as many as in a table: see
/// [`MARKS_MAX`]. Letters that run from right to left are shown as boxes, because a terminal may reorder the
/// whole row around them, and so are characters on whose width terminals differ. A box has no marks, and a mark that would join two
/// letters into one sign is left out.
///
/// ```
/// use arena_pictures::text::plain;
///
/// assert_eq!(plain("\x1b[31mred\u{202e}"), "␛[31mred");
/// assert_eq!(plain("cafe\u{301}"), "cafe\u{301}");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    // The start of the last letter, if it may have marks, and the number of those that it has.
    let (mut letter, mut marks): (Option<usize>, usize) = (None, 0);
    for c in text.chars() {
        if is_mark(c) && !c.is_control() && !c.is_whitespace() {
            if let Some(start) = letter
                && marks < MARKS_MAX
                && joins(&plain[start..], c)
            {
                plain.push(c);
                marks += 1;
            }
            continue;
        }
        let Some(shown) = plain_char(c) else { continue };
        // For example the sign that makes one letter of two consonants of an Indian script.
        while let Some(start) = letter.filter(|_| marks > 0)
            && merge(&plain[start..], shown)
        {
            plain.pop();
            marks -= 1;
        }
        (letter, marks) = ((shown == c && c != ' ').then_some(plain.len()), 0);
        plain.push(shown);
    }
    Cow::Owned(plain)
}

/// True if a letter with its marks stays one sign with this mark, and as wide as its characters.
fn joins(letter: &str, mark: char) -> bool {
    let with = format!("{letter}{mark}");
    let is_one = with.graphemes(true).count() == 1;
    is_one
        && is_plain(mark)
        && !runs_left(mark)
        && !width_is_disputed(mark)
        && width(&with) == width(letter) + mark.width().unwrap_or(0)
}

/// True if a letter with its marks and the one after it become one sign, or take fewer cells than each by itself.
fn merge(letter: &str, next: char) -> bool {
    let both = format!("{letter}{next}");
    both.graphemes(true).count() == 1 || width(&both) != width(letter) + next.width().unwrap_or(0)
}

fn plain_char(c: char) -> Option<char> {
    match c {
        ' '..='~' => Some(c),
        '\n' | '\r' | '\t' => Some(' '),
        // Unicode has a picture for each control character of ASCII, in their order.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32),
        '\x7f' => Some('␡'),
        '\u{80}'..='\u{9f}' => Some(BOX),
        // A soft hyphen and a filler. They have a width by the tables.
        '\u{ad}' | '\u{115f}' => None,
        c if c.is_whitespace() => Some(' '),
        c if runs_left(c) || width_is_disputed(c) || (c.width() > Some(0) && !is_plain(c)) => Some(BOX),
        c => match c.width() {
            Some(1 | 2) if !joins_the_next(c) => Some(c),
            _ => Some(BOX),
        },
    }
}

/// True for a character that joins the one after it.
fn joins_the_next(c: char) -> bool {
    format!("{c}a").graphemes(true).count() == 1
}

/// True if terminals differ on the width: private use, letters that join among themselves (of Lisu, Hangul that is not
/// composed), and everything beyond the basic plane except ideographs, for example emoji.
fn width_is_disputed(c: char) -> bool {
    let is_ideograph = ('\u{20000}'..='\u{3ffff}').contains(&c);
    let joins = matches!(c, '\u{a4f8}'..='\u{a4fd}' | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}');
    let is_private = ('\u{e000}'..='\u{f8ff}').contains(&c);
    joins || is_private || (c > '\u{ffff}' && !is_ideograph)
}

/// The number of cells that a text takes, once it is [`plain`].
pub fn width(text: &str) -> usize {
    text.width()
}

/// A plain text in at most `width_max` cells: a longer one is cut, with an ellipsis at its end.
///
/// ```
/// use arena_pictures::text::fit;
///
/// assert_eq!(fit("hunter", 6), "hunter");
/// assert_eq!(fit("hunters", 6), "hunte…");
/// ```
pub fn fit(text: &str, width_max: usize) -> String {
    let text = plain(text);
    if width(&text) <= width_max {
        return text.into_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for sign in text.graphemes(true) {
        used += width(sign);
        if used > width_max {
            break;
        }
        cut.push_str(sign);
    }
    if width_max > 0 {
        cut.push('…');
    }
    cut
}

/// True if a text takes at most `width_max` cells, once it is [`plain`].
pub fn fits(text: &str, width_max: usize) -> bool {
    width(&plain(text)) <= width_max
}

/// A text without as many of its last parts as needed to fit. The separators divide it into parts.
pub fn shortened<'a>(text: &'a str, width_max: usize, separators: &[&str]) -> &'a str {
    let mut text = text;
    while !fits(text, width_max)
        && let Some(end) = separators.iter().filter_map(|separator| text.rfind(separator)).max()
    {
        text = &text[..end];
    }
    text
}

/// A plain text in rows of at most `width_max` cells, at least one row. A row ends at a space, or within a word that is longer
/// than a row. A `Paragraph` of ratatui wraps as it draws, and does not say into how many rows: of a log, the last rows are shown, and a
/// fault continues only where there is room.
pub fn wrapped(text: &str, width_max: usize) -> Vec<String> {
    let text = plain(text);
    let mut rest = &*text;
    let mut rows = Vec::new();
    loop {
        let mut used = 0;
        let is_within = |&(_, sign): &(usize, &str)| {
            used += width(sign);
            used <= width_max
        };
        let cut = rest.grapheme_indices(true).take_while(is_within).last();
        let cut = cut.map_or(0, |(at, sign)| at + sign.len());
        // Not even a character fits if it is 0.
        if cut == rest.len() || cut == 0 {
            break;
        }
        // The first character without room may be a space.
        let space = rest[..cut + usize::from(rest[cut..].starts_with(' '))].rfind(' ');
        let (row, next) = match space.filter(|&at| at > 0) {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => rest.split_at(cut),
        };
        rows.push(row.to_owned());
        rest = next;
    }
    rows.push(rest.to_owned());
    rows
}

/// A number of units of fuel in few characters: `845`, `1.2k`, `300M`.
pub fn units(number: u64) -> String {
    // Integers throughout, rounded down: 999,999 is 999k, never 1000k.
    let (scale, suffix) = match number {
        0..1_000 => return number.to_string(),
        1_000..1_000_000 => (1_000, 'k'),
        1_000_000..1_000_000_000 => (1_000_000, 'M'),
        1_000_000_000..1_000_000_000_000 => (1_000_000_000, 'G'),
        _ => (1_000_000_000_000, 'T'),
    };
    let tenths = number / (scale / 10);
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole}{suffix}"),
        (whole, _) if whole >= 100 => format!("{whole}{suffix}"),
        (whole, tenth) => format!("{whole}.{tenth}{suffix}"),
    }
}

/// A value in the notation WAVE without the names of fields: `raise({1, 6})` of `raise({count: 1, face: 6})`.
pub fn without_field_names(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let (mut rest, mut quote, mut is_escaped) = (text, None, false);
    while let Some(c) = rest.chars().next() {
        short.push(c);
        rest = &rest[c.len_utf8()..];
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(begun) if c == begun => quote = None,
            None if ['"', '\''].contains(&c) => quote = Some(c),
            // A name follows a brace or a comma, and a colon follows the name.
            None if c == '{' || short.ends_with(", ") => {
                let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-%".contains(c)).unwrap_or(0);
                rest = rest[name..].strip_prefix(": ").unwrap_or(rest);
            }
            _ => {}
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_without_the_names_of_its_fields_keeps_its_texts_and_its_cases() {
        for (text, expected) in [
            ("{heap: 2, take: 3}", "{2, 3}"),
            ("raise({count: 1, face: 6}) raised", "raise({1, 6}) raised"),
            ("{%from: {from-row: 1}, to: some(2)}", "{{1}, some(2)}"),
            (r#"{say: "{a: 1, b: \"c: 2\"}", at: ':'}"#, r#"{"{a: 1, b: \"c: 2\"}", ':'}"#),
            ("{}: [1, 2]", "{}: [1, 2]"),
            ("{a", "{a"),
        ] {
            assert_eq!(without_field_names(text), expected);
        }
    }

    #[test]
    fn commands_to_a_terminal_are_shown_and_not_sent() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\x1b[2J\x07\x7f", "␛[2J␇␡"),
            ("a\u{9b}31mb", "a▯31mb"),
            ("two\nlines\tand\u{2028}more", "two lines and more"),
            ("\u{202e}evil\u{2066}\u{200b}", "evil"),
            ("e\u{301}\u{336} ｶ\u{ff9e} का ที่", "e\u{301}\u{336} ｶ\u{ff9e} का ที่"),
            ("\u{1a14}\u{17d2}\u{1780}", "\u{1a14}\u{1780}"),
            ("\u{301}a \u{301}b ש\u{5bc}\u{301} \u{7f}\u{301}", "a b ▯ ␡"),
            ("क\u{94d}ष", "कष"),
            ("שלום", "▯▯▯▯"),
            ("数独 bot", "数独 bot"),
            ("👩‍👩‍👧 🇫🇷", "▯▯▯ ▯▯"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_letter_has_as_many_marks_on_a_screen_as_in_a_table() {
        for text in [format!("a{}b", "\u{301}".repeat(9)), format!("ｶ{}b", "\u{ff9e}".repeat(9))] {
            assert_eq!(plain(&text), arena_text::line(&text, 100), "{text:?}");
        }
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(wrapped("ｶ\u{ff9e}ｶ\u{ff9e}", 3), ["ｶ\u{ff9e}", "ｶ\u{ff9e}"]);
    }

    #[test]
    fn a_text_is_cut_by_its_cells_not_by_its_characters() {
        assert_eq!(fit("数独数独", 8), "数独数独");
        assert_eq!(fit("数独数独", 7), "数独数…");
        assert_eq!(fit("数独数独", 6), "数独…");
        assert_eq!(fit("ab", 1), "…");
        assert_eq!(fit("ab", 0), "");
    }

    #[test]
    fn a_text_is_continued_in_the_next_row() {
        assert_eq!(wrapped("", 5), [""]);
        assert_eq!(wrapped("one two three", 20), ["one two three"]);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 6), ["one", "two", "three"]);
        assert_eq!(wrapped("a-long-word and", 6), ["a-long", "-word", "and"]);
        assert_eq!(wrapped("数独数独", 5), ["数独", "数独"]);
        assert_eq!(wrapped("数独", 1), ["数独"], "it is cut when it is drawn");
    }

    #[test]
    fn numbers_of_units_are_short() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_234, "1.2k"),
            (99_999, "99.9k"),
            (999_999, "999k"),
            (300_000_000, "300M"),
            (u64::MAX, "18446744T"),
        ] {
            assert_eq!(units(number), expected);
        }
    }

    #[test]
    fn every_character_stays_single_next_to_any_other() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}{c}a");
            let text = plain(&text);
            let letters = text.chars().filter(|&c| !is_mark(c)).count();
            assert_eq!(text.graphemes(true).count(), letters, "{c:?}");
            assert_eq!(width(&text), text.chars().map(|c| c.width().unwrap_or(9)).sum::<usize>(), "{c:?}");
        }
    }

    /// Any text, or one of letters and marks that join each other in several ways, or make one sign of two letters.
    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[a1 כ\u{5bc}\u{301}\u{20e3}कष\u{94d}\u{93e}\u{93f}ｶ\u{ff9e}ท\u{e33}\u{e48}ក\u{17d2}\u{1a14}\u{1a17}\u{200d}\u{fe0f}世\u{302a}]{0,30}",
        ]
    }

    proptest! {
        #[test]
        fn a_plain_text_is_as_wide_as_its_characters_and_stays_so(text in any_text(), width_max in 0usize..20) {
            let plain_text = plain(&text).into_owned();
            let sum: usize = plain_text.chars().map(|c| c.width().unwrap_or(9)).sum();
            prop_assert_eq!(width(&plain_text), sum, "{:?}", plain_text);
            prop_assert!(plain_text.chars().all(|c| !c.is_control()));
            let letters = plain_text.chars().filter(|&c| !is_mark(c)).count();
            prop_assert_eq!(plain_text.graphemes(true).count(), letters);
            prop_assert_eq!(plain(&plain_text), plain_text.as_str());
            prop_assert!(width(&fit(&text, width_max)) <= width_max);
            let rows = wrapped(&text, width_max);
            // A letter that is wider than a row is cut when it is drawn.
            let widest = plain_text.graphemes(true).map(width).max().unwrap_or(0);
            prop_assert!(width_max < widest || rows.iter().all(|row| width(row) <= width_max), "{:?}", rows);
            // Only spaces are left out.
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&rows.concat()), letters(&plain_text));
        }
    }
}
