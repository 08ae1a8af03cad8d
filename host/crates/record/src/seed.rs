//! The random seed of a tournament, and the entry of it in records, which may keep it secret until the end.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The random seed of a tournament: 32 bytes. A number is one of them, written little-endian.
///
/// Its text is a decimal number, or 64 hexadecimal digits if it is larger than 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seed([u8; 32]);

impl Seed {
    /// The number of bits that a seed needs, so that a bot cannot find it by trying. Chosen: the usual bound for a secret
    /// that is only tried. Within its budget for a turn, a bot tries some tens of thousands.
    pub const SAFE_BITS: usize = 128;

    /// The seed of these bytes.
    pub const fn of_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The number, if the seed is one of 64 bits.
    pub fn number(&self) -> Option<u64> {
        let (low, high) = self.0.split_first_chunk().expect("32 bytes are more than 8");
        high.iter().all(|&byte| byte == 0).then(|| u64::from_le_bytes(*low))
    }

    /// True if the seed is a number below 2 to the power of [`Seed::SAFE_BITS`]: a bot can find such a seed by trying, and
    /// then predict everything that its opponent draws.
    pub fn is_small(&self) -> bool {
        self.0[Self::SAFE_BITS / 8..].iter().all(|&byte| byte == 0)
    }

    /// The 64 hexadecimal digits of the bytes.
    pub fn digits(&self) -> String {
        hex(&self.0)
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => number.fmt(f),
            None => f.write_str(&self.digits()),
        }
    }
}

/// The reason why a text is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed is a number of up to 64 bits, or 64 hexadecimal digits")]
pub struct SeedError;

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        if text.len() != 64 {
            return text.parse::<u64>().map(Self::from).map_err(|_| SeedError);
        }
        bytes_of(text).map(Self).ok_or(SeedError)
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        text.parse()
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> Self {
        seed.to_string()
    }
}

/// The SHA-256 of a secret seed: of its 32 bytes and nothing else. It is published before the first game, and the seed
/// after the last one, so that anyone can check that the seed was not changed in between.
///
/// Its text is `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// The commitment to this seed.
    pub fn to(seed: &Seed) -> Self {
        Self(Sha256::digest(seed.0).into())
    }

    /// The 64 hexadecimal digits of the hash.
    pub fn digits(&self) -> String {
        hex(&self.0)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{COMMITMENT_PREFIX}{}", self.digits())
    }
}

/// The beginning of a commitment's text.
const COMMITMENT_PREFIX: &str = "sha256:";

/// The seed of a tournament as records have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RecordedSeed {
    /// The seed itself.
    Open(Seed),
    /// The hash of a seed that is revealed after the last game.
    Secret(Commitment),
}

impl RecordedSeed {
    /// True if this is the entry of that seed.
    pub fn is_of(&self, seed: &Seed) -> bool {
        match self {
            Self::Open(recorded) => recorded == seed,
            Self::Secret(commitment) => *commitment == Commitment::to(seed),
        }
    }

    /// The seed, if the record has it.
    pub const fn open(&self) -> Option<Seed> {
        match self {
            Self::Open(seed) => Some(*seed),
            Self::Secret(_) => None,
        }
    }
}

impl From<u64> for RecordedSeed {
    fn from(number: u64) -> Self {
        Self::Open(number.into())
    }
}

impl From<Seed> for RecordedSeed {
    fn from(seed: Seed) -> Self {
        Self::Open(seed)
    }
}

impl fmt::Display for RecordedSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(seed) => seed.fmt(f),
            Self::Secret(commitment) => commitment.fmt(f),
        }
    }
}

impl FromStr for RecordedSeed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        match text.strip_prefix(COMMITMENT_PREFIX) {
            None => text.parse().map(Self::Open),
            Some(digits) => bytes_of(digits).map(|bytes| Self::Secret(Commitment(bytes))).ok_or(SeedError),
        }
    }
}

impl TryFrom<String> for RecordedSeed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        text.parse()
    }
}

impl From<RecordedSeed> for String {
    fn from(seed: RecordedSeed) -> Self {
        seed.to_string()
    }
}

/// The bytes that 64 hexadecimal digits stand for.
fn bytes_of(digits: &str) -> Option<[u8; 32]> {
    let digits = digits.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        // Two hexadecimal digits fit a byte.
        *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
    }
    Some(bytes)
}

/// The hexadecimal digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_number_or_64_hexadecimal_digits() {
        for text in ["0", "1", "18446744073709551615", &"0123456789abcdef".repeat(4)] {
            assert_eq!(text.parse::<Seed>().unwrap().to_string(), *text);
        }
        assert_eq!("2a".to_owned() + &"0".repeat(62), Seed::from(42).digits());
        assert_eq!(("2a".to_owned() + &"0".repeat(62)).parse(), Ok(Seed::from(42)));
        for text in ["", "-1", "0x1", "18446744073709551616", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(text.parse::<Seed>(), Err(SeedError), "{text}");
        }
    }

    #[test]
    fn a_seed_of_fewer_than_128_bits_is_small() {
        let with_bit = |bit: usize| {
            let mut bytes = [0; 32];
            bytes[bit / 8] = 1 << (bit % 8);
            Seed::of_bytes(bytes)
        };
        for small in [Seed::from(0), Seed::from(u64::MAX), with_bit(127)] {
            assert!(small.is_small(), "{small}");
        }
        for large in [with_bit(128), with_bit(255), Seed::of_bytes([7; 32])] {
            assert!(!large.is_small(), "{large}");
        }
    }

    #[test]
    fn a_commitment_is_the_sha_256_of_the_32_bytes_as_other_programs_compute_it() {
        // printf '%064d' 0 | xxd -r -p | sha256sum
        let of_zero = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        assert_eq!(Commitment::to(&Seed::from(0)).digits(), of_zero);
        let recorded: RecordedSeed = format!("sha256:{of_zero}").parse().unwrap();
        assert_eq!(recorded.to_string(), format!("sha256:{of_zero}"));
        assert!(recorded.is_of(&Seed::from(0)) && !recorded.is_of(&Seed::from(1)));
        assert_eq!(recorded.open(), None);
    }

    #[test]
    fn a_record_has_the_seed_or_its_hash_and_nothing_else() {
        let seed = Seed::from(7);
        assert_eq!("7".parse(), Ok(RecordedSeed::Open(seed)));
        assert!(RecordedSeed::from(seed).is_of(&seed) && !RecordedSeed::from(seed).is_of(&Seed::from(8)));
        for text in ["secret", "sha256:", "sha256:7", &format!("sha512:{}", "0".repeat(64))] {
            assert_eq!(text.parse::<RecordedSeed>(), Err(SeedError), "{text}");
        }
    }
}
