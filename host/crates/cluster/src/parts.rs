//! Splitting results into parts, and reassembling them.

use crate::message::{Outcome, PartMessage};
use std::collections::BTreeMap;

/// The size limit of a result, in bytes. Chosen: twice the texts and faults of the longest game of a component, which bots can make as long
/// as its rules allow; a built-in game has at most 2 MiB. A larger batch is halved.
const RESULT_BYTES_MAX: usize = 64 << 20;

/// The largest number of parts of a result. Chosen: 16 parts suffice for the usual 1 MiB messages, but a server may have smaller ones.
const PARTS_MAX: usize = 4_096;

/// The size limit of all incomplete results together, in bytes. Chosen: an honest worker sends the parts of a result back to back, so a
/// thousand workers have only a few incomplete results.
const INCOMPLETE_BYTES_MAX: usize = 256 << 20;

/// The space in a message reserved for everything except a part's bytes, in bytes. Chosen: about 300 are used.
const MARGIN_BYTES: usize = 1024;

/// Splits a result into parts for messages of this size; `None` when it is too large.
pub fn cut(bytes: &[u8], message_bytes_max: usize) -> Option<Vec<&[u8]>> {
    let part_bytes_max = message_bytes_max.saturating_sub(MARGIN_BYTES).max(1);
    let parts: Vec<&[u8]> = bytes.chunks(part_bytes_max).collect();
    (bytes.len() <= RESULT_BYTES_MAX && parts.len() <= PARTS_MAX).then_some(parts)
}

/// The incomplete results.
pub struct Assembly<T> {
    /// The parts by batch and secret. A worker sends one result for each batch that it holds.
    results: BTreeMap<(u64, u64), Vec<Option<Part<T>>>>,
    bytes: usize,
}

/// The bytes of a part, and the token of its message.
type Part<T> = (Vec<u8>, T);

/// The state of a result after a part was added.
pub enum Assembled<T> {
    /// The complete result, and the tokens of its messages.
    Complete(Outcome, Vec<T>),
    /// Parts are missing.
    Incomplete,
    /// The result is invalid: these messages can be dropped.
    Invalid(Vec<T>),
    /// There is no space for the result: these messages can be dropped.
    NoRoom(Vec<T>),
}

impl<T> Default for Assembly<T> {
    fn default() -> Self {
        Self { results: BTreeMap::new(), bytes: 0 }
    }
}

impl<T> Assembly<T> {
    /// Adds a part.
    pub fn add(&mut self, message: &PartMessage<'_>, token: T) -> Assembled<T> {
        let (part, parts) = (message.part as usize, message.parts as usize);
        if part >= parts || parts > PARTS_MAX {
            return Assembled::Invalid(vec![token]);
        }
        let key = (message.batch, message.secret);
        let slots = self.results.entry(key).or_insert_with(|| (0..parts).map(|_| None).collect());
        if slots.len() != parts {
            let mut tokens = self.forget_one(message.batch, message.secret);
            tokens.push(token);
            return Assembled::Invalid(tokens);
        }
        let replaced = slots[part].replace((message.bytes.to_vec(), token));
        self.bytes += message.bytes.len();
        self.bytes -= replaced.map_or(0, |(bytes, _)| bytes.len());
        if slots.iter().flatten().map(|(bytes, _)| bytes.len()).sum::<usize>() > RESULT_BYTES_MAX {
            return Assembled::Invalid(self.forget_one(message.batch, message.secret));
        }
        if slots.iter().any(Option::is_none) {
            return match self.bytes > INCOMPLETE_BYTES_MAX {
                true => Assembled::NoRoom(self.forget_one(message.batch, message.secret)),
                false => Assembled::Incomplete,
            };
        }
        let (bytes, tokens): (Vec<Vec<u8>>, Vec<T>) =
            self.results.remove(&key).expect("it is there").into_iter().flatten().unzip();
        let bytes = bytes.concat();
        self.bytes -= bytes.len();
        match postcard::from_bytes(&bytes) {
            Ok(outcome) => Assembled::Complete(outcome, tokens),
            Err(_) => Assembled::Invalid(tokens),
        }
    }

    /// Drops the parts of a batch. Returns the tokens of their messages.
    pub fn forget(&mut self, batch: u64) -> Vec<T> {
        let secrets: Vec<u64> =
            self.results.range((batch, 0)..=(batch, u64::MAX)).map(|((_, secret), _)| *secret).collect();
        secrets.into_iter().flat_map(|secret| self.forget_one(batch, secret)).collect()
    }

    /// Drops the parts of a result. Returns the tokens of their messages.
    pub fn forget_one(&mut self, batch: u64, secret: u64) -> Vec<T> {
        let parts = self.results.remove(&(batch, secret)).into_iter().flatten().flatten();
        let (bytes, tokens): (Vec<Vec<u8>>, Vec<T>) = parts.unzip();
        self.bytes -= bytes.iter().map(Vec::len).sum::<usize>();
        tokens
    }

    /// Drops everything. Returns the tokens of all messages.
    pub fn clear(&mut self) -> Vec<T> {
        self.bytes = 0;
        let results = std::mem::take(&mut self.results);
        results.into_values().flatten().flatten().map(|(_, token)| token).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{GameReport, Key};
    use std::time::Duration;

    fn outcome(bytes: usize) -> Outcome {
        let key = Key { seats: [0, 1], pair: 2, game: 3 };
        let games = vec![(key, GameReport::Played(vec![7; bytes]))];
        Outcome::Played { took: Duration::from_millis(5), games }
    }

    fn message(secret: u64, part: usize, parts: usize, bytes: &[u8]) -> PartMessage<'_> {
        let (part, parts) = (u32::try_from(part).unwrap(), u32::try_from(parts).unwrap());
        PartMessage { contest: "c", batch: 1, secret, part, parts, bytes }
    }

    #[test]
    fn a_result_of_any_size_is_reassembled_from_parts_in_any_order() {
        for (length, message_bytes) in [(0, 2_048), (10_000, 2_048), (3 << 20, 1 << 20)] {
            let bytes = postcard::to_allocvec(&outcome(length)).unwrap();
            let parts = cut(&bytes, message_bytes).unwrap();
            let key = crate::WorkerKey::fresh();
            assert!(parts.iter().all(|part| {
                let body = postcard::to_allocvec(&message(u64::MAX, 0, 1, part)).unwrap();
                key.seal("result", &body).len() <= message_bytes
            }));
            let mut assembly = Assembly::default();
            let mut whole = None;
            for (place, part) in parts.iter().enumerate().rev() {
                match assembly.add(&message(1, place, parts.len(), part), place) {
                    Assembled::Complete(outcome, tokens) => whole = Some((outcome, tokens)),
                    Assembled::Incomplete => assert!(place > 0),
                    Assembled::Invalid(_) | Assembled::NoRoom(_) => panic!("it is neither"),
                }
            }
            let (made, tokens) = whole.expect("all parts are there");
            assert_eq!((made, tokens.len()), (outcome(length), parts.len()));
            assert_eq!((assembly.clear().len(), assembly.bytes), (0, 0));
        }
        let most = vec![0; (64 << 20) + 1];
        let parts = |bytes: usize, message_bytes| cut(&most[..bytes], message_bytes).map(|it| it.len());
        assert_eq!([parts(64 << 20, 2 << 20), parts(most.len(), 2 << 20)], [Some(33), None]);
        // With the smallest messages, a part has one byte.
        assert_eq!([parts(4_096, 1_000), parts(4_097, 1_000)], [Some(4_096), None]);
    }

    #[test]
    fn inconsistent_parts_are_invalid_and_take_no_space() {
        let mut assembly = Assembly::default();
        for (part, parts) in [(1, 1), (0, 0), (0, PARTS_MAX + 1)] {
            assert!(matches!(assembly.add(&message(1, part, parts, b""), 0), Assembled::Invalid(_)));
        }
        assert!(matches!(assembly.add(&message(1, 0, 2, b"a"), 0), Assembled::Incomplete));
        assert!(
            matches!(assembly.add(&message(1, 0, 3, b"a"), 1), Assembled::Invalid(tokens) if tokens == [0, 1])
        );
        assert!(matches!(assembly.add(&message(1, 0, 2, b"a"), 0), Assembled::Incomplete));
        assert!(
            matches!(assembly.add(&message(1, 1, 2, &[0xff; 9]), 2), Assembled::Invalid(tokens) if tokens == [0, 2])
        );
        let half = vec![0; RESULT_BYTES_MAX / 2 + 1];
        assert!(matches!(assembly.add(&message(1, 0, 3, &half), 0), Assembled::Incomplete));
        assert!(
            matches!(assembly.add(&message(1, 1, 3, &half), 1), Assembled::Invalid(tokens) if tokens == [0, 1])
        );
        assert_eq!(assembly.bytes, 0);
    }

    #[test]
    fn results_that_never_become_complete_take_bounded_space() {
        let mut assembly = Assembly::default();
        let part = vec![0; RESULT_BYTES_MAX];
        let results = INCOMPLETE_BYTES_MAX / RESULT_BYTES_MAX;
        for secret in 0..results as u64 {
            assert!(matches!(assembly.add(&message(secret, 0, 2, &part), 0), Assembled::Incomplete));
        }
        assert!(
            matches!(assembly.add(&message(99, 0, 2, &part), 5), Assembled::NoRoom(tokens) if tokens == [5])
        );
        assert_eq!(assembly.clear().len(), results);
    }

    #[test]
    fn the_parts_of_further_results_for_a_batch_are_dropped() {
        let mut assembly = Assembly::default();
        assembly.add(&message(1, 0, 2, b"a"), 1);
        assembly.add(&message(2, 1, 2, b"a"), 2);
        assert!(assembly.forget(9).is_empty());
        assert_eq!(assembly.forget(1), [1, 2]);
        assert_eq!(assembly.bytes, 0);
    }
}
