//! Text made safe and measured: all text that is drawn has been through here.
//!
//! A recording is a file from anywhere. Its names and faults may hold commands to a terminal, or characters that move
//! others out of the layout, so each character that is drawn takes one cell or two, and stays in its place.

use arena_text::{is_plain, runs_left};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The sign for a character that is not drawn.
const BOX: char = '▯';

/// A text in one line that does not move the cursor or reorder anything.
///
/// Control characters are shown as their pictures, white space as spaces; marks that join the character before them are
/// left out. Letters that run from right to left are shown as boxes, because a terminal may reorder the whole row around
/// them, and so are characters on whose width terminals differ.
///
/// ```
/// use arena_tui::text::plain;
///
/// assert_eq!(plain("\x1b[31mred\u{202e}"), "␛[31mred");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(plain_char).collect())
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
            Some(0) => None,
            Some(1 | 2) => stand_alone(c),
            _ => Some(BOX),
        },
    }
}

/// The character, if it is one by itself: some join the one before them though they have a width, and some the one after.
fn stand_alone(c: char) -> Option<char> {
    let mut buffer = [b'a'; 6];
    let after = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let is_one = |bytes: &[u8]| {
        // It is a text: an `a`, the character, and an `a`.
        std::str::from_utf8(bytes).is_ok_and(|text| text.graphemes(true).count() == 1)
    };
    if is_one(&buffer[..after]) {
        return None;
    }
    buffer[after] = b'a';
    Some(if is_one(&buffer[1..=after]) { BOX } else { c })
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
/// use arena_tui::text::fit;
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
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > width_max {
            break;
        }
        cut.push(c);
    }
    if width_max > 0 {
        cut.push('…');
    }
    cut
}

/// True if a text takes at most `width_max` cells, once it is [`plain`].
pub(crate) fn fits(text: &str, width_max: usize) -> bool {
    width(&plain(text)) <= width_max
}

/// A text without as many of its last parts as needed to fit. The separators divide it into parts.
pub(crate) fn shortened<'a>(text: &'a str, width_max: usize, separators: &[&str]) -> &'a str {
    let mut text = text;
    while !fits(text, width_max)
        && let Some(end) = separators.iter().filter_map(|separator| text.rfind(separator)).max()
    {
        text = &text[..end];
    }
    text
}

/// A plain text in rows of at most `width_max` cells, at least one row. A row ends at a space, or within a word that is longer
/// than a row.
pub(crate) fn wrapped(text: &str, width_max: usize) -> Vec<String> {
    let text = plain(text);
    let mut rest = &*text;
    let mut rows = Vec::new();
    loop {
        let mut used = 0;
        let is_within = |&(_, c): &(usize, char)| {
            used += c.width().unwrap_or(0);
            used <= width_max
        };
        let cut = rest.char_indices().take_while(is_within).last().map_or(0, |(at, c)| at + c.len_utf8());
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
pub(crate) fn without_field_names(text: &str) -> String {
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
            ("e\u{301}\u{336}", "e"),
            ("שלום", "▯▯▯▯"),
            ("数独 bot", "数独 bot"),
            ("👩‍👩‍👧 🇫🇷", "▯▯▯ ▯▯"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
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
            assert_eq!(text.graphemes(true).count(), text.chars().count(), "{c:?}");
            assert_eq!(width(&text), text.chars().map(|c| c.width().unwrap_or(9)).sum::<usize>(), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn a_plain_text_is_as_wide_as_its_characters_and_stays_so(text in any::<String>(), width_max in 0usize..20) {
            let plain_text = plain(&text).into_owned();
            let sum: usize = plain_text.chars().map(|c| c.width().unwrap_or(9)).sum();
            prop_assert_eq!(width(&plain_text), sum, "{:?}", plain_text);
            prop_assert!(plain_text.chars().all(|c| !c.is_control()));
            prop_assert_eq!(plain_text.graphemes(true).count(), plain_text.chars().count());
            prop_assert_eq!(plain(&plain_text), plain_text.as_str());
            prop_assert!(width(&fit(&text, width_max)) <= width_max);
            let rows = wrapped(&text, width_max);
            prop_assert!(width_max < 2 || rows.iter().all(|row| width(row) <= width_max), "{:?}", rows);
            // Only spaces are left out.
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&rows.concat()), letters(&plain_text));
        }
    }
}
