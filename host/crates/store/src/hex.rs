//! Hashes and their hexadecimal digits.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The SHA-256 of these bytes, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The hexadecimal digits of these bytes, in lower case.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// The bytes that these digits are of; `None` when they are not 64 digits as [`hexadecimal`] writes them.
pub(crate) fn sha256_of(digits: &str) -> Option<[u8; 32]> {
    HEXLOWER.decode(digits.as_bytes()).ok()?.try_into().ok()
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
            let is_hash = text.len() == 64 && text.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
            prop_assert_eq!(sha256_of(&text).is_some(), is_hash);
        }
    }
}
