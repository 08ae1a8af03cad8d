//! Untrusted text, in each type that may be printed.

use arena_text::{Json, LINE_CHARS_MAX, LINES_MAX, Line, Text};

/// The longest line of the law. Chosen: short, so that texts are cut.
const CHARS_MAX: usize = 20;

/// Characters that random bytes rarely make: each byte stands for one of them.
const SPECIAL: [char; 32] = [
    'a',
    'b',
    ' ',
    ' ',
    '1',
    '-',
    '\n',
    '\r',
    '\t',
    '\u{1b}',
    '[',
    ']',
    'm',
    '\u{7}',
    '\u{9b}',
    '\u{85}',
    '\u{202e}',
    '\u{2028}',
    '\u{2066}',
    '\u{2068}',
    '\u{2069}',
    '\u{200b}',
    '\u{301}',
    '\u{5d0}',
    '\u{5b8}',
    '\u{627}',
    '\u{661}',
    '\u{600}',
    '\u{fffc}',
    '\u{1f600}',
    '\u{4e16}',
    '\u{e0041}',
];

/// Made of any text, lines to print have only plain characters and a limited length. Cleaning them again changes nothing.
/// Isolates are in pairs, and no right-to-left text is outside of them. A JSON document keeps the text exactly.
pub fn text_from_outside_is_plain(data: &[u8]) {
    check(&String::from_utf8_lossy(data));
    check(&data.iter().map(|&byte| SPECIAL[usize::from(byte) % SPECIAL.len()]).collect::<String>());
}

fn check(text: &str) {
    let line = Line::<CHARS_MAX>::new(text);
    assert!(
        line.chars().count() <= CHARS_MAX && line.trim() == line.as_str() && !line.contains("  "),
        "{line:?}"
    );
    assert!(!line.chars().any(|c| hides(c) || is_isolate(c)), "{line:?}");
    assert_eq!(Line::new(&line), line);
    let read: Line<CHARS_MAX> = serde_json::from_value(text.into()).expect("any text is a line");
    assert_eq!(read, line);
    // It is shown as a whole, next to any other text.
    let row = format!("{line}  1 - 0  {line}");
    assert_eq!(Text::new(&row).as_str(), row);

    let lines = Text::new(text);
    assert_eq!(Text::new(lines.as_str()), lines);
    assert!(lines.as_str().split('\n').count() <= LINES_MAX);
    lines.as_str().split('\n').for_each(check_shown);
    check_shown(&format!("{line}"));

    let document = Json::line(&text);
    assert!(
        !document.as_str().chars().any(|c| c == '\n' || hides(c) || is_isolate(c) || runs_left(c)),
        "{document}"
    );
    let exact: String = serde_json::from_str(document.as_str()).expect("it is JSON");
    assert_eq!(exact, text);
}

/// Checks a line as it is printed.
fn check_shown(line: &str) {
    assert!(line.chars().filter(|&c| !is_isolate(c)).count() <= LINE_CHARS_MAX);
    let mut is_isolated = false;
    for c in line.chars() {
        assert!(!hides(c), "{c:?} in {line:?}");
        assert!(is_isolated || !runs_left(c), "{c:?} in {line:?}");
        if is_isolate(c) {
            assert_eq!(is_isolated, c == '\u{2069}', "{line:?}");
            is_isolated = !is_isolated;
        }
    }
    assert!(!is_isolated, "{line:?}");
}

fn is_isolate(c: char) -> bool {
    c == '\u{2068}' || c == '\u{2069}'
}

/// The characters that must not be shown, by their code points: controls, and what Unicode's charts call format characters,
/// fillers, private use and tags.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{115f}' | '\u{1160}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2067}'
            | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{13430}'..='\u{1343f}' | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..)
}

/// The blocks whose letters run from right to left, by Unicode's DerivedBidiClass.txt, without those for marks and symbols.
fn runs_left(c: char) -> bool {
    matches!(c, '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{660}'..='\u{669}' | '\u{7ca}'..='\u{7ea}'
        | '\u{fb1d}' | '\u{fb50}'..='\u{fbb1}' | '\u{10800}'..='\u{10805}' | '\u{1e800}'..='\u{1e8c4}')
}
