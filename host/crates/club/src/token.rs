//! The tokens of authors, and their names.

use crate::error::ClubError;
use arena_engine::internals::seed;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// The longest name of an author, in characters. It is the longest label of a bot.
pub const NAME_CHARS_MAX: usize = arena_engine::internals::roster::LABEL_CHARS_MAX;

/// True for the name of an author: letters and digits of any language, `-` and `_`. It is the label of the author's bots. A letter with a mark
/// is one character: a mark that joins the letter before it is none, so that no two names look the same for that.
pub fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    (1..=NAME_CHARS_MAX).contains(&name.chars().count())
        && name.chars().all(is_plain)
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
        for name in ["a", "Ann-2_b", "gül", "Łukasz", "李明", "ليلى", &"x".repeat(24), &"ü".repeat(24)]
        {
            assert!(is_name(name), "{name}");
        }
        for name in
            ["", "a b", "a/b", "..", "e\u{301}", "a\u{200d}b", "a\u{a0}b", "a@1", "a#2", &"ü".repeat(25)]
        {
            assert!(!is_name(name), "{name}");
        }
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
