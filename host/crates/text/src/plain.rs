//! Characters that may be shown: without controls, without marks that reorder or hide text, without stacks of accents.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GraphemeClusterBreak};
use icu_properties::{CodePointMapData, CodePointSetData};
use std::iter::Peekable;
use std::str::Chars;
use unicode_width::UnicodeWidthChar;

/// The number of accents and other [marks](is_mark) that a letter keeps. Chosen: twice as many as Vietnamese uses; a thousand of them
/// cover the lines above and below and slow a terminal down.
pub const MARKS_MAX: usize = 4;

/// Returns true for a character that may be shown: a space, or a letter, number, sign or mark that Unicode has assigned and
/// that shows something. Other white space, controls, format characters, private use and unassigned code points are not
/// plain.
///
/// ```
/// use arena_text::is_plain;
///
/// assert!("plain ½ אבג".chars().all(is_plain));
/// assert!(!"\n\t\x1b\u{202e}\u{600}\u{2800}\u{e000}".chars().any(is_plain));
/// ```
pub fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    use GeneralCategory as G;
    let category = CodePointMapData::<G>::new().get(c);
    let is_hidden = matches!(
        category,
        G::Control
            | G::Format
            | G::Surrogate
            | G::PrivateUse
            | G::Unassigned
            | G::LineSeparator
            | G::ParagraphSeparator
            | G::SpaceSeparator
    );
    !is_hidden && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c) && !shows_nothing(c)
}

/// Returns true for letters and signs that are invisible, or stand for a missing character, by their names. No Unicode
/// property has them: the empty pattern of Braille, the replacement of an object, the null notehead, and the blanks and
/// filler of Egyptian and Khitan.
fn shows_nothing(c: char) -> bool {
    matches!(c, '\u{2800}' | '\u{fffc}' | '\u{13441}' | '\u{13442}' | '\u{16fe4}' | '\u{1d159}')
}

/// Returns true for a mark that joins the letter before it: one that takes no room of its own, and one that does, as the vowels of
/// Indian scripts and the voicing of half-width kana. Controls and format characters take no room either; [`is_plain`] tells them apart.
///
/// ```
/// use arena_text::is_mark;
///
/// assert!("\u{301}\u{93e}\u{ff9e}".chars().all(is_mark));
/// assert!(!"aá数ｶ".chars().any(is_mark));
/// ```
pub fn is_mark(c: char) -> bool {
    use GraphemeClusterBreak as Break;
    if (' '..='~').contains(&c) {
        return false;
    }
    c.width().unwrap_or(0) == 0
        || matches!(CodePointMapData::<Break>::new().get(c), Break::Extend | Break::SpacingMark)
}

/// Makes one line: removes controls and invisible marks, turns any run of white space into one space, and cuts a line of
/// more than `chars_max` characters, with an ellipsis as its last character.
///
/// ```
/// assert_eq!(arena_text::line("\x1b[31mred\x1b[0m\n  bot\u{202e}", 64), "red bot");
/// assert_eq!(arena_text::line("a very long name", 6), "a ver…");
/// ```
pub fn line(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for c in Plain::new(text) {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && (line.is_empty() || line.ends_with(' ')) {
            continue;
        }
        line.push(c);
        count += 1;
        // One more character shows whether to cut, and a space at the end may be trimmed.
        if count > chars_max + 1 {
            break;
        }
    }
    line.truncate(line.trim_end().len());
    if line.chars().count() > chars_max {
        let kept = line.char_indices().nth(chars_max.saturating_sub(1)).map_or(0, |(at, _)| at);
        line.truncate(kept);
        line.push('…');
    }
    line
}

/// Makes several lines, as in a log: as [`line()`], but keeps line breaks and runs of spaces, and turns a tab into four
/// spaces. The caller limits the length, in bytes.
pub fn lines(text: &str) -> String {
    let plain: String = Plain::new(text).filter(|&c| c != '\r').collect();
    plain.replace('\t', "    ")
}

/// The characters of a text without control characters (except line breaks and tabs), escape sequences, invisible marks,
/// and marks that follow no letter, or one that has enough of them. Any other white space is a space.
pub(crate) struct Plain<'a> {
    chars: Peekable<Chars<'a>>,
    /// A further character to let through.
    kept: fn(char) -> bool,
    /// The number of further marks that the last letter may have; 0 if there is no letter.
    marks_left: usize,
}

impl Iterator for Plain<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let c = match self.chars.next()? {
                '\x1b' => {
                    self.skip_escape();
                    continue;
                }
                '\u{9b}' => {
                    self.skip_until_final();
                    continue;
                }
                c @ ('\n' | '\t' | '\r') => c,
                c if (self.kept)(c) => return Some(c),
                c if c.is_whitespace() => ' ',
                c if !is_plain(c) => continue,
                c => c,
            };
            if c.is_whitespace() {
                self.marks_left = 0;
            } else if !is_mark(c) {
                self.marks_left = MARKS_MAX;
            } else if self.marks_left > 0 {
                self.marks_left -= 1;
            } else {
                continue;
            }
            return Some(c);
        }
    }
}

impl<'a> Plain<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::keeping(text, |_| false)
    }

    /// The same with further characters let through.
    pub(crate) fn keeping(text: &'a str, kept: fn(char) -> bool) -> Self {
        Self { chars: text.chars().peekable(), kept, marks_left: 0 }
    }

    /// Skips the rest of an escape sequence, so that `[31m` does not remain as text.
    fn skip_escape(&mut self) {
        match self.chars.peek() {
            Some('[') => {
                self.chars.next();
                self.skip_until_final();
            }
            // A string for the terminal, such as a window title: up to BEL or ESC, or the end of the line.
            Some(']' | 'P' | 'X' | '^' | '_') => {
                while self.chars.next_if(|&c| !matches!(c, '\x07' | '\x1b' | '\n')).is_some() {}
            }
            // One character after any number of intermediate ones, such as `(B`.
            _ => {
                while self.chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
                self.chars.next_if(|c| ('0'..='~').contains(c));
            }
        }
    }

    /// Skips the parameters of a control sequence and its final letter.
    fn skip_until_final(&mut self) {
        while self.chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
        self.chars.next_if(|c| ('@'..='~').contains(c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(line(text, 20), expected, "{text:?}");
    }

    #[test]
    fn a_line_has_no_controls_and_no_hidden_marks() {
        check("plain", "plain");
        check("  two   words \n", "two words");
        check("nul\0 bell\x07 del\x7f c1\u{90}", "nul bell del c1");
        check("\u{202e}evil\u{2066} zero\u{200b}width", "evil zerowidth");
        check("\x1b]0;title\x07shown", "shown");
        check("\x1b]0;title\x1b\\shown", "shown");
        check("\u{9b}1;31mred", "red");
        check("\x1bcreset \x1b(Bset \x1b#8", "reset set");
        check("\u{2800}braille\u{2800}", "braille");
        check("a\u{2028}b\u{85}c\u{a0}d", "a b c d");
        check("\x1b", "");
    }

    #[test]
    fn characters_are_hidden_by_their_properties() {
        for hidden in
            "\u{600}\u{6dd}\u{13430}\u{fffc}\u{1d159}\u{3164}\u{ffa0}\u{e0041}\u{f8ff}\u{378}\u{fffe}\u{fe0f}"
                .chars()
        {
            check(&format!("a{hidden}b"), "ab");
        }
    }

    #[test]
    fn a_letter_has_a_few_marks_and_no_mark_is_without_a_letter() {
        check("Vie\u{302}\u{323}t", "Vie\u{302}\u{323}t");
        check(&format!("a{}b", "\u{301}".repeat(1_000)), &format!("a{}b", "\u{301}".repeat(4)));
        check("\u{301}a \u{301}b", "a b");
        check(&format!("ｶ{}b", "\u{ff9e}".repeat(9)), &format!("ｶ{}b", "\u{ff9e}".repeat(4)));
        check("\u{ff9e}का \u{93e}b", "का b");
        assert_eq!(lines("a\n\u{301}b\t\u{301}"), "a\nb    ");
    }

    #[test]
    fn a_line_is_cut_to_its_length() {
        check("exactly twenty chars", "exactly twenty chars");
        check("exactly twenty chars.", "exactly twenty char…");
        check("exactly twenty chars   ", "exactly twenty chars");
        check(&"é".repeat(30), &format!("{}…", "é".repeat(19)));
        assert_eq!(line("anything", 0), "…");
        assert_eq!(line("", 0), "");
    }

    #[test]
    fn a_log_keeps_its_lines() {
        assert_eq!(lines("one\r\n\ttwo\x1b[2J\nthree"), "one\n    two\nthree");
    }
}
