//! Lossless compression of transcripts.
//!
//! Games of one tournament are alike: the same header but for a few words, the same kinds of lines. So the first game's
//! transcript is the dictionary of all others. Measured on games of house bots by `guide`: 24 KiB become about 2.

use crate::JournalError;
use crate::error::Cause;
use std::io::Read;
use zstd::bulk::Compressor;
use zstd::dict::DecoderDictionary;
use zstd::stream::read::Decoder;

/// The compression level of zstd. Measured: level 3 takes about as long as SQLite takes to add the row; level 9 saves a tenth.
const LEVEL: i32 = 3;

/// The largest transcript that is unpacked. Chosen: ten times the longest game there can be, of a thousand turns on
/// 32 by 32; a damaged journal may claim any size.
const TRANSCRIPT_BYTES_MAX: u64 = 16 << 20;

/// Packs transcripts by one dictionary.
pub(crate) struct Packer(Compressor<'static>);

impl Packer {
    pub(crate) fn new(dictionary: &[u8]) -> Result<Self, JournalError> {
        Ok(Self(Compressor::with_dictionary(LEVEL, dictionary)?))
    }

    pub(crate) fn pack(&mut self, bytes: &[u8]) -> Result<Vec<u8>, JournalError> {
        Ok(self.0.compress(bytes)?)
    }
}

/// Unpacks transcripts by one dictionary.
pub(crate) struct Unpacker(DecoderDictionary<'static>);

impl Unpacker {
    pub(crate) fn new(dictionary: &[u8]) -> Self {
        Self(DecoderDictionary::copy(dictionary))
    }

    /// The bytes that were packed. Their number must be `size_bytes`.
    pub(crate) fn unpack(&self, packed: &[u8], size_bytes: u64) -> Result<Vec<u8>, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged("a packed transcript", cause);
        if size_bytes > TRANSCRIPT_BYTES_MAX {
            return Err(damaged(format!("it claims {size_bytes} bytes").into()));
        }
        let mut bytes = Vec::new();
        Decoder::with_prepared_dictionary(packed, &self.0)
            .and_then(|decoder| decoder.take(size_bytes + 1).read_to_end(&mut bytes))
            .map_err(|error| damaged(error.into()))?;
        if bytes.len() as u64 == size_bytes {
            Ok(bytes)
        } else {
            Err(damaged(format!("it does not have the {size_bytes} bytes that it claims").into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_bytes_come_back(
            dictionary in prop::collection::vec(any::<u8>(), 0..600),
            bytes in prop::collection::vec(any::<u8>(), 0..600),
        ) {
            let packed = Packer::new(&dictionary).unwrap().pack(&bytes).unwrap();
            prop_assert_eq!(Unpacker::new(&dictionary).unpack(&packed, bytes.len() as u64).unwrap(), bytes);
        }

        #[test]
        fn damaged_bytes_are_an_error_or_other_bytes_and_never_a_panic(
            packed in prop::collection::vec(any::<u8>(), 0..200),
            size_bytes in prop_oneof![0u64..1_000, Just(u64::MAX), Just(TRANSCRIPT_BYTES_MAX)],
        ) {
            if let Ok(bytes) = Unpacker::new(b"dictionary").unpack(&packed, size_bytes) {
                prop_assert_eq!(bytes.len() as u64, size_bytes);
            }
        }
    }
}
