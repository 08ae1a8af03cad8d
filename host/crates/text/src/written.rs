//! Text as people save it: some editors begin a file with a byte order mark, and some write UTF-16.

use std::fmt;

/// The byte order mark, as a character.
const MARK: char = '\u{feff}';

/// The reason why bytes are not text. It reads on from the name of what has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotText {
    /// Text, in an encoding that programs do not read.
    Utf16,
    /// Bytes that are not UTF-8.
    NotUtf8,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf16 => "is UTF-16; save it as UTF-8",
            Self::NotUtf8 => "is not UTF-8 text",
        })
    }
}

impl std::error::Error for NotText {}

/// The text that a person has written in these bytes: UTF-8, with or without a byte order mark before it, which is left out.
///
/// ```
/// use arena_text::{NotText, written};
///
/// assert_eq!(written(b"\xef\xbb\xbftoken\r\n"), Ok("token\r\n"));
/// assert_eq!(written(b"\xff\xfet\0"), Err(NotText::Utf16));
/// ```
///
/// # Errors
/// The bytes are UTF-16, or not text at all.
pub fn written(bytes: &[u8]) -> Result<&str, NotText> {
    str::from_utf8(unmarked(bytes)?).map_err(|_| NotText::NotUtf8)
}

/// The bytes of a text without its byte order mark, for a reader that checks the rest itself.
///
/// # Errors
/// The bytes are UTF-16.
pub fn unmarked(bytes: &[u8]) -> Result<&[u8], NotText> {
    // Without a mark, UTF-16 shows by the zeros between the letters: no text in UTF-8 has any.
    let is_utf16 = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => *a != 0 && *b != 0,
        _ => false,
    };
    if is_utf16 {
        return Err(NotText::Utf16);
    }
    Ok(bytes.strip_prefix(MARK.encode_utf8(&mut [0; 4]).as_bytes()).unwrap_or(bytes))
}

/// A text without its byte order mark.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Result<&str, NotText>) {
        assert_eq!(written(bytes), expected, "{bytes:?}");
    }

    #[test]
    fn one_byte_order_mark_is_left_out_at_the_start_and_nowhere_else() {
        check(b"text", Ok("text"));
        check(b"", Ok(""));
        check("\u{feff}text".as_bytes(), Ok("text"));
        check("\u{feff}".as_bytes(), Ok(""));
        check("a\u{feff}b".as_bytes(), Ok("a\u{feff}b"));
        check("\u{feff}\u{feff}b".as_bytes(), Ok("\u{feff}b"));
        assert_eq!((without_mark("\u{feff}a"), without_mark("a\u{feff}")), ("a", "a\u{feff}"));
    }

    #[test]
    fn utf_16_is_named_in_either_order_with_and_without_its_mark() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
        for text in ["\u{feff}token\r\n", "\u{feff}", "{\"a\": 1}"] {
            check(&little(text), Err(NotText::Utf16));
            check(&big(text), Err(NotText::Utf16));
        }
    }

    #[test]
    fn other_bytes_are_no_text_and_a_zero_alone_is_no_sign_of_utf_16() {
        check(b"\xff", Err(NotText::NotUtf8));
        check(b"text\x80", Err(NotText::NotUtf8));
        check(b"\0asm", Ok("\0asm"));
        check(b"a\0", Ok("a\0"));
        check(b"\0\0\0\0", Ok("\0\0\0\0"));
    }
}
