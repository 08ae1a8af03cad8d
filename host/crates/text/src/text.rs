//! Lines to print.

use crate::isolate;
use crate::plain::Plain;
use std::fmt;

/// The longest line that is printed, in characters. Chosen: a table against some hundred bots, and less than what slows a
/// terminal down.
pub const LINE_CHARS_MAX: usize = 10_000;

/// The most lines that are printed at a time. Chosen: a line for each of the bots of the largest tournament, several times.
pub const LINES_MAX: usize = 100_000;

/// Any number of lines to print: plain, bounded, and with right-to-left text isolated, so that the words and numbers of a
/// line keep their order on a terminal that lays out both directions. It is made only by cleaning a text.
///
/// Runs of spaces stay, since they make columns; a tab is four spaces. A line of more than [`LINE_CHARS_MAX`] characters is
/// cut, with an ellipsis, and so is a text of more than [`LINES_MAX`] lines, with a last line of an ellipsis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// The lines of a text, cleaned.
    pub fn new(text: impl AsRef<str>) -> Self {
        let (mut lines, mut line) = (Vec::new(), Vec::new());
        for c in Plain::keeping(text.as_ref(), is_isolate) {
            match c {
                '\n' if lines.len() + 1 == LINES_MAX => {
                    line = vec!['…'];
                    break;
                }
                '\n' => lines.push(std::mem::take(&mut line)),
                '\t' => line.extend([' '; 4]),
                '\r' => {}
                c => line.push(c),
            }
        }
        lines.push(line);
        let lines: Vec<String> = lines.into_iter().map(|line| isolate::isolated(&cut(line))).collect();
        Self(lines.join("\n"))
    }

    /// The lines.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The lines for a program that reads them: without isolates, which would make a name another one.
    pub fn without_isolates(&self) -> String {
        self.0.replace(is_isolate, "")
    }

    /// True if there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

fn is_isolate(c: char) -> bool {
    c == isolate::BEGIN || c == isolate::END
}

/// The line with at most [`LINE_CHARS_MAX`] characters, without counting isolates.
fn cut(mut line: Vec<char>) -> Vec<char> {
    let mut shown = (0..).zip(&line).filter(|(_, c)| !is_isolate(**c)).map(|(at, _): (usize, _)| at);
    let Some(last) = shown.nth(LINE_CHARS_MAX - 1) else { return line };
    if shown.next().is_none() {
        return line;
    }
    line.truncate(last);
    let is_open = line.iter().rfind(|&&c| is_isolate(c)) == Some(&isolate::BEGIN);
    line.push('…');
    line.extend(is_open.then_some(isolate::END));
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = Text::new(text);
        assert_eq!(shown.as_str(), expected, "{text:?}");
        assert_eq!(Text::new(expected), shown, "twice is as once");
    }

    #[test]
    fn columns_and_line_breaks_stay_and_controls_do_not() {
        check("a   b\n\n  c\td\r\n", "a   b\n\n  c    d\n");
        check("\x1b[2Ja\u{202e}b\x07\u{2028}c", "ab c");
    }

    #[test]
    fn each_right_to_left_word_is_isolated() {
        check("אב 1 - 0 גד", "\u{2068}אב\u{2069} 1 - 0 \u{2068}גד\u{2069}");
        check(
            "١ is one, and \u{5d0}\u{5b8} has a mark",
            "\u{2068}١\u{2069} is one, and \u{2068}\u{5d0}\u{5b8}\u{2069} has a mark",
        );
    }

    #[test]
    fn a_program_gets_right_to_left_words_as_they_are() {
        let text = Text::new("אב,1,\u{2068}ג ד\u{2069}\nann");
        assert_eq!(text.as_str(), "\u{2068}אב\u{2069},1,\u{2068}ג ד\u{2069}\nann");
        assert_eq!(text.without_isolates(), "אב,1,ג ד\nann");
    }

    #[test]
    fn a_line_of_outside_text_is_isolated_as_a_whole() {
        let label: Line<24> = "אב 1".into();
        check(&format!("{label} - 0"), "\u{2068}אב 1\u{2069} - 0");
    }

    #[test]
    fn isolates_are_balanced_in_each_line() {
        check("\u{2068}a\nb\u{2069}", "a\nb");
        check("\u{2068}\u{2068}a\u{2069}\u{2069}", "\u{2068}a\u{2069}");
        check("א\u{2068}\u{2069}", "\u{2068}א\u{2069}\u{2068}\u{2069}");
        check("\u{2069}\u{2068}א", "\u{2068}א\u{2069}");
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let long = "a".repeat(LINE_CHARS_MAX);
        check(&long, &long);
        check(&format!("{long}b"), &format!("{}…", &long[1..]));
        let isolated = format!("\u{2068}{}\u{2069}", "א".repeat(LINE_CHARS_MAX));
        check(&isolated, &isolated);
        check(
            &isolated.replace('\u{2069}', "b\u{2069}"),
            &format!("\u{2068}{}…\u{2069}", "א".repeat(LINE_CHARS_MAX - 1)),
        );
        check(&"a\n".repeat(LINES_MAX), &format!("{}…", "a\n".repeat(LINES_MAX - 1)));
    }
}
