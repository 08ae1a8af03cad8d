//! Small changes to a seed, as a fuzzer makes them.

use proptest::prelude::*;
use proptest::sample::Index;

/// A change to some bytes. Places are relative to the number of bytes at that time.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Another value of a byte.
    Set(Index, u8),
    /// One bit flipped.
    Flip(Index, u8),
    /// Bytes inserted.
    Insert(Index, Vec<u8>),
    /// A number of bytes removed.
    Remove(Index, usize),
    /// A number of bytes repeated in another place.
    Repeat(Index, usize, Index),
    /// A line repeated in another place.
    RepeatLine(Index, Index),
    /// A line removed.
    RemoveLine(Index),
    /// A number in the text replaced.
    Renumber(Index, u64),
    /// Everything from a place on removed.
    Cut(Index),
    /// Everything from a place on replaced by the end of another seed.
    Graft(Index, Index, Index),
}

/// A few changes: often one or two bytes in place, after which a format with lengths in it is still read to its end,
/// otherwise some of any kind.
pub(super) fn few() -> impl Strategy<Value = Vec<Change>> {
    let in_place = prop::collection::vec(in_place(), 1..=2);
    let any = prop::collection::vec(any_change(), 1..=CHANGES_MAX);
    prop_oneof![in_place, any]
}

/// The largest number of changes to a seed. Chosen: after more of them little of it is left.
const CHANGES_MAX: usize = 6;

fn in_place() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let telling = prop::sample::select(vec![0_u8, 1, 0x7f, 0x80, 0xff, b'\n', b'"', b'-', b'9', b'}']);
    prop_oneof![
        3 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => (at(), telling).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (at(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
    ]
}

fn any_change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let number = prop::sample::select(vec![0_u64, 1, 2, 5, 9, 10, 255, 256, 1 << 32, 1 << 53, u64::MAX]);
    prop_oneof![
        4 => in_place(),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (at(), 1..16_usize).prop_map(|(at, count)| Change::Remove(at, count)),
        2 => (at(), 1..64_usize, at()).prop_map(|(from, count, to)| Change::Repeat(from, count, to)),
        2 => (at(), at()).prop_map(|(from, to)| Change::RepeatLine(from, to)),
        1 => at().prop_map(Change::RemoveLine),
        3 => (at(), number).prop_map(|(at, number)| Change::Renumber(at, number)),
        1 => at().prop_map(Change::Cut),
        1 => (at(), at(), at()).prop_map(|(at, other, from)| Change::Graft(at, other, from)),
    ]
}

impl Change {
    /// Returns the bytes with the change.
    pub(super) fn apply(&self, mut bytes: Vec<u8>, seeds: &[Vec<u8>]) -> Vec<u8> {
        // A place is between two bytes, before the first or after the last.
        let between = |at: &Index, bytes: &[u8]| at.index(bytes.len() + 1);
        let run = |at: &Index, count: usize, bytes: &[u8]| {
            let begin = between(at, bytes);
            begin..(begin + count).min(bytes.len())
        };
        match self {
            Self::Set(at, byte) if !bytes.is_empty() => *at.get_mut(&mut bytes) = *byte,
            Self::Flip(at, bit) if !bytes.is_empty() => *at.get_mut(&mut bytes) ^= 1 << bit,
            Self::Set(..) | Self::Flip(..) => {}
            Self::Insert(at, more) => {
                let at = between(at, &bytes);
                bytes.splice(at..at, more.iter().copied());
            }
            Self::Remove(at, count) => drop(bytes.drain(run(at, *count, &bytes))),
            Self::Repeat(from, count, to) => {
                let again = bytes[run(from, *count, &bytes)].to_vec();
                let to = between(to, &bytes);
                bytes.splice(to..to, again);
            }
            Self::RepeatLine(from, to) => {
                return with_lines(&bytes, |lines| {
                    let line = lines[from.index(lines.len())];
                    lines.insert(to.index(lines.len() + 1), line);
                });
            }
            Self::RemoveLine(at) => {
                return with_lines(&bytes, |lines| {
                    lines.remove(at.index(lines.len()));
                });
            }
            Self::Renumber(at, number) => {
                let begins =
                    |&at: &usize| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit());
                let numbers: Vec<usize> = (0..bytes.len()).filter(begins).collect();
                if !numbers.is_empty() {
                    let begin = *at.get(&numbers);
                    let digits = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    bytes.splice(begin..begin + digits, number.to_string().into_bytes());
                }
            }
            Self::Cut(at) => bytes.truncate(between(at, &bytes)),
            Self::Graft(at, other, from) => {
                let other = other.get(seeds);
                bytes.truncate(between(at, &bytes));
                bytes.extend_from_slice(&other[between(from, other)..]);
            }
        }
        bytes
    }
}

fn with_lines(bytes: &[u8], change: impl FnOnce(&mut Vec<&[u8]>)) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.concat()
}
