//! Hashes and their hexadecimal digits.

use sha2::{Digest, Sha256};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The SHA-256 of these bytes, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The hexadecimal digits of these bytes.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// The bytes that these digits are of; `None` if they are not 64 digits as [`hexadecimal`] writes them.
pub(crate) fn sha256_of(digits: &str) -> Option<[u8; 32]> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
        *byte = value(pair[0])? << 4 | value(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_are_those_of_their_bytes(bytes: [u8; 32]) {
            let digits = hexadecimal(&bytes);
            prop_assert_eq!(&digits, &bytes.map(|byte| format!("{byte:02x}")).concat());
            prop_assert_eq!(sha256_of(&digits), Some(bytes));
        }

        #[test]
        fn other_texts_are_no_hash(text in "[0-9a-fA-Fg ]{60,66}") {
            let is_hash = text.len() == 64 && text.bytes().all(|byte| DIGITS.contains(&byte));
            prop_assert_eq!(sha256_of(&text).is_some(), is_hash);
        }
    }
}
