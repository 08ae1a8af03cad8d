//! Right-to-left text, isolated so that the words and numbers around it keep their order.
//!
//! Between these two marks of Unicode's bidirectional algorithm (UAX #9), text is laid out by itself, and the line around
//! it sees one neutral character.

use icu_properties::CodePointMapData;
use icu_properties::props::BidiClass;

/// FIRST STRONG ISOLATE: begins text with a direction of its own.
pub(crate) const BEGIN: char = '\u{2068}';

/// POP DIRECTIONAL ISOLATE: ends it.
pub(crate) const END: char = '\u{2069}';

/// Returns true for a letter or number that runs from right to left, or makes those around it do so.
pub fn runs_left(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let class = CodePointMapData::<BidiClass>::new().get(c);
    [BidiClass::RightToLeft, BidiClass::ArabicLetter, BidiClass::ArabicNumber].contains(&class)
}

/// A plain line in which each right-to-left word outside of isolates is isolated, and all isolates are balanced.
///
/// Isolates that are there, from a [`Line`](crate::Line) as it is shown, are kept if they are complete and not nested.
pub(crate) fn isolated(line: &[char]) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let [c, after @ ..] = rest {
        rest = match *c {
            BEGIN => match length_of_isolate(after) {
                Some(length) => {
                    push_isolate(&after[..length], &mut out);
                    &after[length + 1..]
                }
                None => after,
            },
            END => after,
            c if runs_left(c) => {
                // A word with its marks. A run ends at a space, where another text may begin.
                let is_of_word = |c| runs_left(c) || crate::plain::is_mark(c) && c != BEGIN && c != END;
                let length = rest.iter().take_while(|&&c| is_of_word(c)).count();
                push_isolate(&rest[..length], &mut out);
                &rest[length..]
            }
            c => {
                out.push(c);
                after
            }
        };
    }
    out
}

/// The number of characters before the end of an isolate; `None` when it has no end, or another one begins before.
fn length_of_isolate(after: &[char]) -> Option<usize> {
    let at = after.iter().position(|&c| c == BEGIN || c == END)?;
    (after[at] == END).then_some(at)
}

fn push_isolate(text: &[char], out: &mut String) {
    out.push(BEGIN);
    out.extend(text);
    out.push(END);
}
