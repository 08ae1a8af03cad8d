//! The tokens of authors, and their names.

use crate::error::ClubError;
use arena_engine::internals::seed;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// The longest name of an author, in characters. It is the longest label of a bot.
pub const NAME_CHARS_MAX: usize = arena_engine::internals::roster::LABEL_CHARS_MAX;

/// True for the name of an author: letters and digits of any language, `-` and `_`. The pages have it as the label of bots. A letter with a mark
/// is one character: a mark that joins the letter before it is none, so that no two names look the same for that. For the same reason, no word
/// of a name mixes alphabets. The labels of journals have a point, so they are no names.
pub fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    (1..=NAME_CHARS_MAX).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && !name.split(['-', '_']).any(arena_text::mixes_alphabets)
        && arena_text::line(name, NAME_CHARS_MAX) == name
}

/// A fresh token: 32 random bytes as text. It does not begin with `-`, which spreadsheets take for the beginning of a formula.
///
/// # Errors
/// The system has no random numbers.
pub fn fresh() -> Result<String, ClubError> {
    loop {
        let token = BASE64URL_NOPAD.encode(&seed::fresh_bytes::<32>()?);
        if !token.starts_with('-') {
            return Ok(token);
        }
    }
}

/// The letters of codes: those that people tell apart on a wall.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// The letters of each half of a code. Chosen: 50 random bits, which a class still types.
const HALF: usize = 5;

/// A fresh code by which people join, such as `K7QMX-3PXNA`.
///
/// # Errors
/// The system has no random numbers.
pub fn fresh_code() -> Result<String, ClubError> {
    let bytes = seed::fresh_bytes::<{ 2 * HALF }>()?;
    Ok(typed_code(&bytes.map(|byte| char::from(LETTERS[usize::from(byte % 32)])).iter().collect::<String>()))
}

/// A code as it is written, from what a person has typed.
pub fn typed_code(typed: &str) -> String {
    let letters: String =
        typed.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_uppercase()).collect();
    let (first, second) = letters.split_at(letters.len().min(HALF));
    format!("{first}-{second}")
}

/// The author's name that a person has typed, or that a list has: `Ann-Lee` for `Ann Lee`.
pub fn name_of(typed: &str) -> String {
    typed.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The hash of a token that somebody claims to have. Of a token itself, nothing is kept.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// A token as somebody has copied it out of a file: without the byte order mark and the line end of that file.
pub fn of_copy(copied: &str) -> &str {
    arena_text::without_mark(copied.trim()).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_label_and_a_word() {
        for name in [
            "a",
            "Ann-2_b",
            "gül",
            "Łukasz",
            "李明",
            "ليلى",
            "анна",
            "α-team",
            &"x".repeat(24),
            &"ü".repeat(24),
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            "a b",
            "a/b",
            "..",
            "author.1",
            "e\u{301}",
            "\u{430}nn",
            "a\u{200d}b",
            "a\u{a0}b",
            "a@1",
            "a#2",
            &"ü".repeat(25),
        ] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_name_of_several_words_is_one_word_of_a_label() {
        for (name, expected) in
            [("ann", "ann"), ("Ann Lee", "Ann-Lee"), (" Ann \u{a0} Lee ", "Ann-Lee"), ("", "")]
        {
            assert_eq!(name_of(name), expected);
        }
    }

    #[test]
    fn a_code_is_the_same_however_it_is_typed() {
        for typed in ["k7qmx-3pxna", " K7QMX 3PXNA", "k7qmx3pxna\n"] {
            assert_eq!(typed_code(typed), "K7QMX-3PXNA", "{typed:?}");
        }
        let [one, other] = [(); 2].map(|()| fresh_code().expect("the system has random numbers"));
        assert!(one != other && one.len() == 11 && typed_code(&one) == one, "{one}");
        assert_eq!(["", "ä", "ABC"].map(typed_code), ["-", "-", "ABC-"]);
    }

    #[test]
    fn each_token_is_another_one_and_can_be_copied_whole() {
        let [one, other] = [(); 2].map(|()| fresh().expect("the system has random numbers"));
        assert!(one != other && one.len() == 43, "{one}");
        // One in 64 would begin with it.
        assert!((0..2_000).all(|_| !fresh().expect("the system has random numbers").starts_with('-')));
        assert!(hash(&one) != hash(&other));
    }

    #[test]
    fn a_token_is_the_same_however_its_file_was_saved() {
        for copied in ["token", "token\r\n", "\u{feff}token\r\n", " \u{feff}token", "\u{feff} token "] {
            assert_eq!(of_copy(copied), "token", "{copied:?}");
        }
        assert_eq!(of_copy("to\u{feff}ken"), "to\u{feff}ken");
    }
}
