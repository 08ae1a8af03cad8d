//! Lossless compression of transcripts.
//!
//! A transcript is brought into its compact form. The parts that are alike in all games of a tournament are compressed with
//! the first game's transcript as the dictionary: most of the header, and the shapes of lines.

mod columns;

use crate::error::Cause;
use crate::hex::hash;
use crate::{JournalError, TRANSCRIPT_BYTES_MAX};
use arena_record::{PackedEvents, Transcript};
use arena_rules::Game;
use columns::Compact;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use zstd::bulk::Compressor;
use zstd::dict::DecoderDictionary;
use zstd::stream::read::Decoder;

/// The compression level of zstd. Measured on games of house bots under `guide`: level 1 takes 22 µs a game, level 3 takes 21
/// to 29 µs for up to 5 % less, and level 6 takes 75 to 120 µs for 10 to 20 % less.
const LEVEL: i32 = 1;

/// The largest window of a packed transcript, as a power of two. One of the size of the transcript is always enough.
const WINDOW_LOG_MAX: u32 = TRANSCRIPT_BYTES_MAX.ilog2();

/// The first byte of a packed transcript in compact form, since format 1.5. After it come the length of the compressed part as
/// LEB128, that part, and the bits. With any other first byte, it is the whole file, compressed with the first transcript: zstd's
/// output begins with another byte.
const COMPACT: u8 = b'C';

/// The packing of transcripts for one journal, by any number of threads at the same time: a [`Writer`](crate::Writer) has it,
/// and accepts its results.
#[derive(Clone, Default)]
pub struct Packing(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The dictionary, once the journal has one.
    dictionary: OnceLock<Dictionary>,
    /// The compressors that are not in use. Making one takes longer than packing a transcript with it.
    idle: Mutex<Vec<Compressor<'static>>>,
}

struct Dictionary {
    bytes: Vec<u8>,
    /// The dictionary for the compressed parts of compact forms.
    compact: Vec<u8>,
    /// The SHA-256 in hexadecimal.
    sha256: Arc<str>,
}

/// A transcript as a journal takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedTranscript {
    pub(crate) form: Form,
    /// The length of the lines of each side, or the same for both if they are about as long.
    lengths: [u64; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the journal stores it.
    Packed {
        /// The SHA-256 of the file, in hexadecimal.
        sha256: String,
        size_bytes: u64,
        packed: Vec<u8>,
        /// The SHA-256 of the dictionary. A journal whose games were removed may have another one.
        dictionary: Arc<str>,
    },
    /// The file itself: the journal had no dictionary yet.
    File(Vec<u8>),
    /// The events, from which the file is made.
    Events(PackedEvents),
}

impl Form {
    /// True if no reader takes it.
    pub(crate) fn is_too_large(&self) -> bool {
        match self {
            Self::Packed { size_bytes, .. } => *size_bytes > TRANSCRIPT_BYTES_MAX,
            Self::File(file) => file.len() as u64 > TRANSCRIPT_BYTES_MAX,
            // By events alone, the size of the file is not known. The rules of its game bound it.
            Self::Events(_) => false,
        }
    }
}

impl PackedTranscript {
    /// A transcript by its events, if they have a packed form; otherwise as a file, which [`Packing::pack`] packs.
    pub fn of<G: Game>(transcript: &Transcript<G>) -> Self {
        if let Some(events) = PackedEvents::of(&transcript.events) {
            return Self { form: Form::Events(events), lengths: [1; 2] };
        }
        // A bot may write much more than the other.
        let mut lengths = [1; 2];
        for event in &transcript.events {
            if let Some(seat) = event.seat() {
                lengths[seat.index()] += serde_json::to_string(event).map_or(0, |line| line.len()) as u64;
            }
        }
        Self { form: Form::File(transcript.to_bytes()), lengths }
    }

    /// The bytes that it takes in the journal, shared out to the sides by what they have written.
    pub fn bytes_of_sides(&self) -> [u64; 2] {
        let bytes = match &self.form {
            Form::Packed { packed, .. } => packed.len(),
            Form::File(file) => file.len(),
            Form::Events(events) => events.as_bytes().len(),
        } as u64;
        let [first, second] = self.lengths;
        // Both are bounded by that of a transcript, so the product fits.
        let of_first = bytes * first / (first + second);
        [of_first, bytes - of_first]
    }
}

impl Packing {
    /// Packs a transcript that is a file still.
    pub fn pack(&self, transcript: PackedTranscript) -> PackedTranscript {
        match transcript.form {
            Form::File(file) => PackedTranscript { lengths: transcript.lengths, ..self.pack_file(&file) },
            form => PackedTranscript { form, ..transcript },
        }
    }

    /// Packs the file of a transcript.
    pub fn pack_file(&self, file: &[u8]) -> PackedTranscript {
        // If it fails, the writer tries again, and says why.
        let packed = self.try_packing(file).ok().flatten();
        PackedTranscript { form: packed.unwrap_or_else(|| Form::File(file.to_vec())), lengths: [1; 2] }
    }

    /// Packs the file of a transcript; `None` when there is no dictionary.
    pub(crate) fn try_packing(&self, file: &[u8]) -> Result<Option<Form>, JournalError> {
        let Some(dictionary) = self.0.dictionary.get() else { return Ok(None) };
        // A text of few lines and many shapes may have a larger compact form.
        let compact = Compact::of(file).filter(|compact| compact.text.len() <= file.len());
        let packed = match compact {
            Some(compact) => self.compress(dictionary, &compact)?,
            None => Compressor::with_dictionary(LEVEL, &dictionary.bytes)?.compress(file)?,
        };
        let (sha256, size_bytes) = (hash(file), file.len() as u64);
        Ok(Some(Form::Packed { sha256, size_bytes, packed, dictionary: dictionary.sha256.clone() }))
    }

    fn compress(&self, dictionary: &Dictionary, compact: &Compact) -> Result<Vec<u8>, JournalError> {
        let idle = || self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut compressor = match taken {
            Some(compressor) => compressor,
            None => Compressor::with_dictionary(LEVEL, &dictionary.compact)?,
        };
        let compressed = compressor.compress(&compact.text)?;
        idle().push(compressor);
        let mut packed = Vec::with_capacity(compressed.len() + compact.bits.len() + 4);
        packed.push(COMPACT);
        columns::put(&mut packed, compressed.len() as u64);
        packed.extend(compressed);
        packed.extend(&compact.bits);
        Ok(packed)
    }

    /// True if the journal has a dictionary.
    pub(crate) fn has_dictionary(&self) -> bool {
        self.0.dictionary.get().is_some()
    }

    /// Sets the dictionary, which the journal has from now on.
    pub(crate) fn set_dictionary(&self, bytes: Vec<u8>) {
        let dictionary = || Dictionary { sha256: hash(&bytes).into(), compact: compact_of(&bytes), bytes };
        self.0.dictionary.get_or_init(dictionary);
    }

    /// True if the dictionary has this SHA-256.
    pub(crate) fn is_by(&self, sha256: &str) -> bool {
        self.0.dictionary.get().is_some_and(|dictionary| *dictionary.sha256 == *sha256)
    }
}

/// The dictionary of compact forms: the compressed part of the first transcript, or nothing if that has no compact
/// form.
fn compact_of(dictionary: &[u8]) -> Vec<u8> {
    Compact::of(dictionary).unwrap_or_default().text
}

/// Unpacks transcripts by one dictionary.
pub(crate) struct Unpacker {
    whole: DecoderDictionary<'static>,
    compact: DecoderDictionary<'static>,
}

impl Unpacker {
    pub(crate) fn new(dictionary: &[u8]) -> Self {
        let compact = DecoderDictionary::copy(&compact_of(dictionary));
        Self { whole: DecoderDictionary::copy(dictionary), compact }
    }

    /// The bytes that were packed. Their number must be `size_bytes`.
    pub(crate) fn unpack(&self, packed: &[u8], size_bytes: u64) -> Result<Vec<u8>, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged("a packed transcript", cause);
        if size_bytes > TRANSCRIPT_BYTES_MAX {
            return Err(damaged(format!("it claims {size_bytes} bytes").into()));
        }
        let bytes = match packed.split_first() {
            Some((&COMPACT, parts)) => self.unfold(parts, size_bytes),
            _ => decompress(packed, &self.whole, size_bytes),
        };
        let bytes = bytes.map_err(|error| damaged(error.into()))?;
        if bytes.len() as u64 == size_bytes {
            Ok(bytes)
        } else {
            Err(damaged(format!("it does not have the {size_bytes} bytes that it claims").into()))
        }
    }

    fn unfold(&self, mut parts: &[u8], size_bytes: u64) -> io::Result<Vec<u8>> {
        let length = usize::try_from(columns::get::<u64>(&mut parts)?).unwrap_or(usize::MAX);
        let (compressed, bits) = parts.split_at_checked(length).ok_or(ErrorKind::UnexpectedEof)?;
        // The compressed part of a compact form is never longer than the transcript.
        let text = decompress(compressed, &self.compact, size_bytes)?;
        Compact::unfold(&text, bits, size_bytes as usize)
    }
}

/// Decompresses at most one byte more than `size_bytes`, so that a text that is too long is detected.
fn decompress(packed: &[u8], dictionary: &DecoderDictionary<'_>, size_bytes: u64) -> io::Result<Vec<u8>> {
    let mut decoder = Decoder::with_prepared_dictionary(packed, dictionary)?;
    decoder.window_log_max(WINDOW_LOG_MAX)?;
    let mut bytes = Vec::new();
    decoder.take(size_bytes + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_side_is_charged_for_what_it_has_written() {
        let shared = |size: usize, lengths| {
            let transcript = PackedTranscript { form: Form::File(vec![b' '; size]), lengths };
            let packing = Packing::default();
            let shared = packing.pack(transcript.clone()).bytes_of_sides();
            assert_eq!(shared, transcript.bytes_of_sides());
            packing.set_dictionary(Vec::new());
            let [first, second] = packing.pack(transcript).bytes_of_sides();
            assert!(
                first + second < size as u64 && first * lengths[1] <= second * lengths[0],
                "it is packed"
            );
            shared
        };
        assert_eq!(shared(1_000, [1, 3]), [250, 750]);
        assert_eq!(shared(1_001, [1, 1]), [500, 501]);
        let largest = TRANSCRIPT_BYTES_MAX as usize / 8;
        assert_eq!(shared(largest, [1, largest as u64 - 1]), [1, largest as u64 - 1]);
    }

    proptest! {
        #[test]
        fn packed_bytes_come_back(
            dictionary in prop::collection::vec(any::<u8>(), 0..600),
            bytes in prop::collection::vec(any::<u8>(), 0..600),
        ) {
            let packing = Packing::default();
            prop_assert_eq!(packing.pack_file(&bytes).form, Form::File(bytes.clone()));
            packing.set_dictionary(dictionary.clone());
            // The second one is packed by the compressor of the first.
            for _ in 0..2 {
                let Form::Packed { size_bytes, packed, .. } = packing.pack_file(&bytes).form else {
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
