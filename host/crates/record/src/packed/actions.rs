//! The actions of a game, as numbers.
//!
//! An action is its bytes in postcard. In most games all actions have the same number of bytes, each of them with few values: so
//! the bytes of an action are the digits of a number. If a side never repeats an action, such as one that shoots at each cell once,
//! each number is coded among those that are left.

use super::UnpackError;
use super::bits::{Reader, Writer};
use arena_rules::{Game, Seat};

/// The most bytes of an action that is a number. Chosen: those of the existing games have two to four.
const DIGITS_MAX: usize = 6;

/// The bits of the number of digits.
const DIGITS_BITS: u32 = 3;

/// The value of the number of digits if actions are not numbers.
const LOOSE: u64 = 7;

/// The most numbers for which the remaining ones are counted. Chosen: each cell of the largest board, four times.
const COUNTED_MAX: u64 = 4_096;

/// The bytes of an action as it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digits {
    bytes: [u8; DIGITS_MAX],
    length: u8,
}

/// How the actions of a game are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As bytes with the number of them.
    Loose,
    /// As numbers.
    Numbers {
        /// The number of digits.
        digits: usize,
        /// The least value of each digit.
        least: Digits,
        /// The most that a digit is more.
        span: Digits,
        /// True for a side that does nothing twice.
        once: [bool; 2],
    },
}

/// The written form of an action that is a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    number: u64,
    /// The number of smaller numbers that the side has not used, if it has repeated nothing.
    below: u64,
    /// The most that these can be.
    most_below: u64,
}

/// The actions of a game as they are read, in sequence.
pub(super) struct Column {
    coding: Coding,
    left: [Option<Left>; 2],
}

/// The bytes of an action.
pub(super) fn bytes_of<G: Game>(action: &G::Action) -> Vec<u8> {
    postcard::to_allocvec(action).expect("an action is plain data")
}

/// The action of these bytes.
pub(super) fn action_of<G: Game>(bytes: &[u8]) -> Result<G::Action, UnpackError> {
    match postcard::take_from_bytes(bytes) {
        Ok((action, [])) => Ok(action),
        _ => Err(UnpackError::NoAction),
    }
}

impl Digits {
    /// The digits of an action; `None` when they are too many.
    pub(super) fn of<G: Game>(action: &G::Action) -> Option<Self> {
        let mut bytes = [0; DIGITS_MAX];
        let length = postcard::to_slice(action, &mut bytes).ok()?.len();
        Some(Self { bytes, length: length as u8 })
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length.into()]
    }
}

impl Coding {
    /// The coding of these actions, by seat, and the written form of each; empty if they are not numbers. There are no digits if an
    /// action has too many bytes.
    pub(super) fn of(actions: Option<&[(Seat, Digits)]>) -> (Self, Vec<Written>) {
        let loose = (Self::Loose, Vec::new());
        let Some(actions) = actions else { return loose };
        let length = actions.first().map_or(0, |(_, digits)| digits.length);
        let (mut least, mut most) = ([u8::MAX; DIGITS_MAX], [0; DIGITS_MAX]);
        for (_, digits) in actions {
            if digits.length != length {
                return loose;
            }
            for (place, &digit) in digits.bytes.iter().enumerate() {
                least[place] = least[place].min(digit);
                most[place] = most[place].max(digit);
            }
        }
        let digits = usize::from(length);
        least[digits..].fill(0);
        let mut span = [0; DIGITS_MAX];
        (0..digits).for_each(|place| span[place] = most[place] - least[place]);
        let [least, span] = [least, span].map(|bytes| Digits { bytes, length });
        let coding = |once| Self::Numbers { digits, least, span, once };
        let plain = coding([false; 2]);
        let count = plain.count();
        let mut once = [count <= COUNTED_MAX; 2];
        let mut left = once.map(|once| Left::new(if once { count } else { 0 }));
        let written = |(seat, digits): &(Seat, Digits)| {
            let (once, left) = (&mut once[seat.index()], &mut left[seat.index()]);
            let (number, most_below) = (plain.number(digits), left.count.saturating_sub(1));
            let below = if *once { left.take(number) } else { None };
            *once = below.is_some();
            Written { number, below: below.unwrap_or_default(), most_below }
        };
        let written = actions.iter().map(written).collect();
        (coding(once), written)
    }

    pub(super) fn write(&self, bits: &mut Writer) {
        let Self::Numbers { digits, least, span, once } = self else { return bits.put(DIGITS_BITS, LOOSE) };
        bits.put(DIGITS_BITS, *digits as u64);
        for (&least, &span) in least.as_slice().iter().zip(span.as_slice()) {
            bits.put(u8::BITS, least.into());
            bits.put(u8::BITS, span.into());
        }
        once.iter().for_each(|&once| bits.put_truth(once));
    }

    pub(super) fn read(bits: &mut Reader<'_>) -> Result<Self, UnpackError> {
        let digits = match bits.get(DIGITS_BITS)? {
            LOOSE => return Ok(Self::Loose),
            digits => digits as usize,
        };
        let [mut least, mut span] = [Digits { bytes: [0; DIGITS_MAX], length: digits as u8 }; 2];
        for place in 0..digits {
            least.bytes[place] = bits.get(u8::BITS)? as u8;
            span.bytes[place] = bits.get(u8::BITS)? as u8;
            least.bytes[place].checked_add(span.bytes[place]).ok_or(UnpackError::NoNumber)?;
        }
        let coding = Self::Numbers { digits, least, span, once: [bits.truth()?, bits.truth()?] };
        match coding {
            Self::Numbers { once: [false, false], .. } => Ok(coding),
            _ if coding.count() <= COUNTED_MAX => Ok(coding),
            _ => Err(UnpackError::NoNumber),
        }
    }

    /// The number of different actions that can be written.
    fn count(&self) -> u64 {
        match self {
            Self::Loose => 0,
            Self::Numbers { span, .. } => span.as_slice().iter().map(|&span| u64::from(span) + 1).product(),
        }
    }

    /// The number of an action.
    fn number(&self, digits: &Digits) -> u64 {
        let Self::Numbers { least, span, .. } = self else { return 0 };
        let mut number = 0;
        for (place, &digit) in digits.as_slice().iter().enumerate() {
            number = number * (u64::from(span.bytes[place]) + 1) + u64::from(digit - least.bytes[place]);
        }
        number
    }

    /// The digits of a number. It is below the count.
    fn digits(&self, mut number: u64) -> Digits {
        let Self::Numbers { least, span, .. } = self else { return Digits::default() };
        let mut digits = *least;
        for place in (0..usize::from(least.length)).rev() {
            let base = u64::from(span.bytes[place]) + 1;
            digits.bytes[place] += (number % base) as u8;
            number /= base;
        }
        digits
    }

    /// Writes an action.
    pub(super) fn put<G: Game>(&self, bits: &mut Writer, seat: Seat, action: &G::Action, written: &Written) {
        match self {
            Self::Loose => bits.put_bytes(&bytes_of::<G>(action)),
            Self::Numbers { once, .. } if once[seat.index()] => {
                bits.put_up_to(written.most_below, written.below);
            }
            Self::Numbers { .. } => bits.put_up_to(self.count() - 1, written.number),
        }
    }

    /// The column that is read so.
    pub(super) fn column(self) -> Column {
        let left = match self {
            Self::Loose => [None, None],
            Self::Numbers { once, .. } => once.map(|once| once.then(|| Left::new(self.count()))),
        };
        Column { coding: self, left }
    }
}

impl Column {
    /// The next action, of this side.
    pub(super) fn read<G: Game>(
        &mut self,
        bits: &mut Reader<'_>,
        seat: Seat,
    ) -> Result<G::Action, UnpackError> {
        if self.coding == Coding::Loose {
            return action_of::<G>(&bits.bytes()?);
        }
        let number = match &mut self.left[seat.index()] {
            Some(left) => {
                let most = left.count.checked_sub(1).ok_or(UnpackError::NoAction)?;
                left.take_nth(bits.up_to(most)?)
            }
            None => bits.up_to(self.coding.count() - 1)?,
        };
        action_of::<G>(self.coding.digits(number).as_slice())
    }
}

/// The numbers that are left of those below a count.
#[derive(Clone, Debug)]
struct Left {
    /// A bit for each number, the lowest first.
    words: Vec<u64>,
    /// How many are left.
    count: u64,
}

impl Left {
    fn new(count: u64) -> Self {
        let mut words = vec![u64::MAX; (count / 64) as usize];
        words.extend((!count.is_multiple_of(64)).then(|| (1 << (count % 64)) - 1));
        Self { words, count }
    }

    /// Takes a number. Returns how many of the remaining ones are below it; `None` when it is not among them.
    fn take(&mut self, number: u64) -> Option<u64> {
        let (word, bit) = ((number / 64) as usize, 1u64 << (number % 64));
        if self.words[word] & bit == 0 {
            return None;
        }
        let below = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let before = below(&self.words[..word]) + below(&[self.words[word] & (bit - 1)]);
        self.words[word] ^= bit;
        self.count -= 1;
        Some(before)
    }

    /// Takes the number above this many of those that are left, which are more.
    fn take_nth(&mut self, mut place: u64) -> u64 {
        for (index, word) in self.words.iter_mut().enumerate() {
            let ones = u64::from(word.count_ones());
            if place < ones {
                let above = (0..place).fold(*word, |word, _| word & (word - 1));
                let bit = above.trailing_zeros();
                *word ^= 1 << bit;
                self.count -= 1;
                return index as u64 * 64 + u64::from(bit);
            }
            place -= ones;
        }
        unreachable!("the place is below the number of those that are left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_once_and_found_again_by_their_place() {
        for count in [1, 63, 64, 65, 100, 4_096] {
            let (mut writing, mut reading) = (Left::new(count), Left::new(count));
            // A step that has no factor in common with any of the counts.
            for number in (0..count).map(|index| index * 4_099 % count) {
                let place = writing.take(number).expect("it is left");
                assert!(place < reading.count);
                assert_eq!(reading.take_nth(place), number);
                assert_eq!(writing.take(number), None);
            }
            assert_eq!((writing.count, reading.count), (0, 0));
        }
    }
}
