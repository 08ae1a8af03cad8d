//! Lossless compression of transcripts.
//!
//! Games of one tournament are alike: the same header but for a few words, the same kinds of lines. So the first game's
//! transcript is the dictionary of all others. Measured on games of house bots by `guide`: 24 KiB become about 2.

use crate::error::Cause;
use crate::hex::hash;
use crate::{JournalError, TRANSCRIPT_BYTES_MAX};
use std::io::Read;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use zstd::bulk::Compressor;
use zstd::dict::DecoderDictionary;
use zstd::stream::read::Decoder;

/// The compression level of zstd. Measured on games of house bots by `guide`: level 1 takes 22 µs a game, level 3 takes 21 to
/// 29 µs for up to 5 % less, and level 6 takes 75 to 120 µs for 10 to 20 % less.
const LEVEL: i32 = 1;

/// The largest window of a packed transcript, as a power of two. One of the size of the transcript is always enough.
const WINDOW_LOG_MAX: u32 = TRANSCRIPT_BYTES_MAX.ilog2();

/// The packing of transcripts for one journal, by any number of threads at the same time: a [`Writer`](crate::Writer) has it,
/// and takes what it packs.
#[derive(Clone, Default)]
pub struct Packing(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The dictionary, once the journal has one.
    dictionary: OnceLock<Dictionary>,
    /// The compressors that nobody is using. Making one takes longer than packing a transcript with it.
    idle: Mutex<Vec<Compressor<'static>>>,
}

struct Dictionary {
    bytes: Vec<u8>,
    /// The SHA-256 in hexadecimal.
    sha256: Arc<str>,
}

/// A transcript as a journal takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedTranscript(pub(crate) Form);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the journal stores it.
    Packed {
        /// The SHA-256 of the file, in hexadecimal.
        sha256: String,
        size_bytes: u64,
        packed: Vec<u8>,
        /// The SHA-256 of the dictionary. A journal whose games were taken back may have another one.
        dictionary: Arc<str>,
    },
    /// The file as it is: the journal had no dictionary yet.
    File(Vec<u8>),
}

impl Packing {
    /// Packs the file of a transcript.
    pub fn pack(&self, file: &[u8]) -> PackedTranscript {
        // If it fails, the writer tries once more, and says why.
        let packed = self.try_packing(file).ok().flatten();
        PackedTranscript(packed.unwrap_or_else(|| Form::File(file.to_vec())))
    }

    /// Packs the file of a transcript; none if there is no dictionary.
    pub(crate) fn try_packing(&self, file: &[u8]) -> Result<Option<Form>, JournalError> {
        let Some(dictionary) = self.0.dictionary.get() else { return Ok(None) };
        let idle = || self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut compressor = match taken {
            Some(compressor) => compressor,
            None => Compressor::with_dictionary(LEVEL, &dictionary.bytes)?,
        };
        let mut packed = compressor.compress(file)?;
        // It has room for a file that cannot be compressed at all.
        packed.shrink_to_fit();
        idle().push(compressor);
        let (sha256, size_bytes) = (hash(file), file.len() as u64);
        Ok(Some(Form::Packed { sha256, size_bytes, packed, dictionary: dictionary.sha256.clone() }))
    }

    /// True if the journal has a dictionary.
    pub(crate) fn has_dictionary(&self) -> bool {
        self.0.dictionary.get().is_some()
    }

    /// Sets the dictionary, which the journal has from now on.
    pub(crate) fn set_dictionary(&self, bytes: Vec<u8>) {
        self.0.dictionary.get_or_init(|| Dictionary { sha256: hash(&bytes).into(), bytes });
    }

    /// True if the dictionary has this SHA-256.
    pub(crate) fn is_by(&self, sha256: &str) -> bool {
        self.0.dictionary.get().is_some_and(|dictionary| *dictionary.sha256 == *sha256)
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
            .and_then(|mut decoder| {
                decoder.window_log_max(WINDOW_LOG_MAX)?;
                decoder.take(size_bytes + 1).read_to_end(&mut bytes)
            })
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
            let packing = Packing::default();
            prop_assert_eq!(packing.pack(&bytes).0, Form::File(bytes.clone()));
            packing.set_dictionary(dictionary.clone());
            // The second one is packed by the compressor of the first.
            for _ in 0..2 {
                let PackedTranscript(Form::Packed { size_bytes, packed, .. }) = packing.pack(&bytes) else {
                    panic!("there is a dictionary");
                };
                prop_assert_eq!(Unpacker::new(&dictionary).unpack(&packed, size_bytes).unwrap(), bytes.clone());
            }
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
