//! Results in parts, put together again.

use crate::words::{Outcome, PartWord, Session};
use std::collections::HashMap;

/// The largest result, in bytes. Chosen: a single game has 2 MiB at most, so that a batch with more can be halved.
const RESULT_BYTES_MAX: usize = 16 << 20;

/// The largest number of parts of a result. Chosen: 16 with the usual messages of 1 MiB, and a server may have smaller ones.
const PARTS_MAX: usize = 4_096;

/// The number of results that may be incomplete at the same time. Chosen: more than come from honest workers, whose parts follow
/// each other.
const INCOMPLETE_MAX: usize = 256;

/// The room in a message beside a part's bytes, in bytes. Chosen: the header has 150.
const MARGIN_BYTES: usize = 1024;

/// The parts of a result for messages of this size; none if it is too large.
pub fn cut(bytes: &[u8], message_bytes_max: usize) -> Option<Vec<&[u8]>> {
    let room = message_bytes_max.saturating_sub(MARGIN_BYTES).max(1);
    let parts: Vec<&[u8]> = bytes.chunks(room).collect();
    (bytes.len() <= RESULT_BYTES_MAX && parts.len() <= PARTS_MAX).then_some(parts)
}

/// A result that came in one piece or many: its batch, its worker, and its tokens.
pub struct Whole<T> {
    pub batch: [u64; 2],
    pub session: Session,
    pub outcome: Outcome,
    /// One for each of its messages.
    pub tokens: Vec<T>,
}

/// The results of which parts are still missing.
pub struct Assembly<T>(HashMap<Answer, Vec<Option<Part<T>>>>);

/// The identity of a result: its batch, its worker, and the number of the worker's answer.
type Answer = ([u64; 2], Session, u64);

/// The bytes of a part, and a token of its message.
type Part<T> = (Vec<u8>, T);

/// The state of a result after a part of it.
pub enum Made<T> {
    /// The result is complete.
    Whole(Whole<T>),
    /// More parts are to come.
    Incomplete,
    /// It is nonsense: these messages can be forgotten.
    Nonsense(Vec<T>),
}

impl<T> Default for Assembly<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> Assembly<T> {
    /// Adds a part.
    pub fn add(&mut self, word: &PartWord<'_>, token: T) -> Made<T> {
        let (part, parts) = (word.part as usize, word.parts as usize);
        if part >= parts || parts > PARTS_MAX {
            return Made::Nonsense(vec![token]);
        }
        let key = (word.batch, word.session, word.answer);
        if self.0.len() >= INCOMPLETE_MAX && !self.0.contains_key(&key) {
            let evicted = self.0.keys().next().copied().and_then(|first| self.0.remove(&first));
            // Its messages come again when nobody acknowledges them.
            drop(evicted);
        }
        let slots = self.0.entry(key).or_insert_with(|| (0..parts).map(|_| None).collect());
        if slots.len() != parts {
            return Made::Nonsense(vec![token]);
        }
        slots[part] = Some((word.bytes.to_vec(), token));
        if slots.iter().flatten().map(|(bytes, _)| bytes.len()).sum::<usize>() > RESULT_BYTES_MAX {
            return Made::Nonsense(self.forget(word.batch));
        }
        if slots.iter().any(Option::is_none) {
            return Made::Incomplete;
        }
        let (bytes, tokens): (Vec<Vec<u8>>, Vec<T>) =
            self.0.remove(&key).expect("it is there").into_iter().flatten().unzip();
        match postcard::from_bytes(&bytes.concat()) {
            Ok(outcome) => Made::Whole(Whole { batch: word.batch, session: word.session, outcome, tokens }),
            Err(_) => Made::Nonsense(tokens),
        }
    }

    /// Forgets the parts of a batch. Returns the tokens of their messages.
    pub fn forget(&mut self, batch: [u64; 2]) -> Vec<T> {
        let keys: Vec<_> = self.0.keys().filter(|(of, ..)| *of == batch).copied().collect();
        let parts = keys.into_iter().filter_map(|key| self.0.remove(&key)).flatten().flatten();
        parts.map(|(_, token)| token).collect()
    }

    /// Forgets everything. Returns the tokens of all messages.
    pub fn clear(&mut self) -> Vec<T> {
        self.0.drain().flat_map(|(_, parts)| parts).flatten().map(|(_, token)| token).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Key, Told};
    use std::time::Duration;

    fn outcome(bytes: usize) -> Outcome {
        let key = Key { seats: [0, 1], pair: 2, game: 3 };
        let games = vec![(key, Told::Played(vec![7; bytes]))];
        Outcome::Played { took: Duration::from_millis(5), games }
    }

    fn word<'a>(answer: u64, part: usize, parts: usize, bytes: &'a [u8]) -> PartWord<'a> {
        let (part, parts) = (u32::try_from(part).unwrap(), u32::try_from(parts).unwrap());
        PartWord { contest: "c", batch: [1, 2], session: Session(3), answer, part, parts, bytes }
    }

    #[test]
    fn a_result_of_any_size_comes_back_from_parts_in_any_order() {
        for (length, message_bytes) in [(0, 2_048), (10_000, 2_048), (3 << 20, 1 << 20)] {
            let bytes = postcard::to_allocvec(&outcome(length)).unwrap();
            let parts = cut(&bytes, message_bytes).unwrap();
            assert!(parts.iter().all(|part| {
                postcard::to_allocvec(&word(u64::MAX, 0, 1, part)).unwrap().len() <= message_bytes
            }));
            let mut assembly = Assembly::default();
            let mut whole = None;
            for (place, part) in parts.iter().enumerate().rev() {
                match assembly.add(&word(1, place, parts.len(), part), place) {
                    Made::Whole(made) => whole = Some(made),
                    Made::Incomplete => assert!(place > 0),
                    Made::Nonsense(_) => panic!("it is none"),
                }
            }
            let whole = whole.expect("all parts are there");
            assert_eq!((whole.outcome, whole.tokens.len()), (outcome(length), parts.len()));
            assert_eq!(assembly.clear().len(), 0);
        }
        assert_eq!(cut(&vec![0; RESULT_BYTES_MAX + 1], 1 << 20), None);
    }

    #[test]
    fn parts_that_do_not_fit_each_other_are_nonsense_and_cost_nothing() {
        let mut assembly = Assembly::default();
        for (part, parts) in [(1, 1), (0, 0), (0, PARTS_MAX + 1)] {
            assert!(matches!(assembly.add(&word(1, part, parts, b""), 0), Made::Nonsense(_)));
        }
        assert!(matches!(assembly.add(&word(1, 0, 2, b"a"), 0), Made::Incomplete));
        assert!(matches!(assembly.add(&word(1, 0, 3, b"a"), 1), Made::Nonsense(_)));
        assert!(
            matches!(assembly.add(&word(1, 1, 2, &[0xff; 9]), 2), Made::Nonsense(tokens) if tokens == [0, 2])
        );
        let half = vec![0; RESULT_BYTES_MAX / 2 + 1];
        assert!(matches!(assembly.add(&word(1, 0, 3, &half), 0), Made::Incomplete));
        assert!(matches!(assembly.add(&word(1, 1, 3, &half), 1), Made::Nonsense(tokens) if tokens == [0, 1]));
        for answer in 0..1_000 {
            assembly.add(&word(answer, 0, 2, b"a"), 0);
        }
        assert_eq!(assembly.clear().len(), INCOMPLETE_MAX);
    }

    #[test]
    fn the_parts_of_other_answers_to_a_batch_are_forgotten() {
        let mut assembly = Assembly::default();
        assembly.add(&word(1, 0, 2, b"a"), 1);
        assembly.add(&word(2, 1, 2, b"a"), 2);
        assert!(assembly.forget([9, 9]).is_empty());
        let mut tokens = assembly.forget([1, 2]);
        tokens.sort_unstable();
        assert_eq!(tokens, [1, 2]);
    }
}
