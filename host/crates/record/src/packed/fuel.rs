//! The fuel of a side's turns.

use super::UnpackError;
use super::bits::{Reader, Writer, length};

/// The bits of an order: 0 to 63.
const ORDER_BITS: u32 = 6;

/// The numbers of bits that a number can have.
const LENGTHS: usize = u64::BITS as usize + 1;

/// The coding of the fuel of a side's turns: of all codings, the one with the fewest bits, by a count that every writer makes in
/// the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    /// True if the written values are the differences to the turn before; the first turn's is absolute.
    is_delta: bool,
    /// The least of what is written.
    least: u64,
    range: Range,
}

/// The range of the written values above the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// Any number up to this one.
    UpTo(u64),
    /// Mostly numbers of this many bits.
    Mostly(u32),
}

/// The fuel of a side's turns, in sequence.
pub(super) struct Column {
    coding: Coding,
    before: u64,
}

impl Coding {
    /// The coding of these numbers.
    pub(super) fn of(fuel: &[u64]) -> Self {
        let (plain, plain_bits) = Self::by(fuel.iter().copied(), false);
        let (delta, delta_bits) = Self::by(differences(fuel), true);
        if delta_bits < plain_bits { delta } else { plain }
    }

    /// The coding of these numbers, and its approximate size in bits.
    fn by(written: impl Iterator<Item = u64> + Clone, is_delta: bool) -> (Self, u64) {
        let least = written.clone().min().unwrap_or(0);
        let (mut most, mut lengths) = (0, [0u64; LENGTHS]);
        for number in written {
            most = most.max(number - least);
            lengths[length(number - least) as usize] += 1;
        }
        let longest = length(most);
        let count: u64 = lengths.iter().sum();
        let bits_up_to = count * u64::from(longest) + u64::from(longest);
        let bits_mostly = |order: u32| -> u64 {
            let bits = |(length, &count): (usize, &u64)| {
                let more = (length as u32).saturating_sub(order);
                count * u64::from(1 + more + more.saturating_sub(1) + order)
            };
            lengths.iter().enumerate().take(longest as usize + 1).map(bits).sum()
        };
        let orders = 0..longest;
        let best = orders.map(|order| (bits_mostly(order), order)).min().filter(|best| best.0 < bits_up_to);
        let (range, bits) = match best {
            Some((bits, order)) => (Range::Mostly(order), bits),
            None => (Range::UpTo(most), bits_up_to),
        };
        (Self { is_delta, least, range }, bits)
    }

    pub(super) fn write(&self, bits: &mut Writer) {
        bits.put_truth(self.is_delta);
        bits.put_small(0, self.least);
        match self.range {
            Range::UpTo(most) => {
                bits.put_truth(false);
                bits.put_small(0, most);
            }
            Range::Mostly(order) => {
                bits.put_truth(true);
                bits.put(ORDER_BITS, order.into());
            }
        }
    }

    pub(super) fn read(bits: &mut Reader<'_>) -> Result<Self, UnpackError> {
        let (is_delta, least) = (bits.truth()?, bits.small(0)?);
        let range = if bits.truth()? {
            Range::Mostly(bits.get(ORDER_BITS)? as u32)
        } else {
            Range::UpTo(bits.small(0)?)
        };
        Ok(Self { is_delta, least, range })
    }

    /// The column that is written or read so.
    pub(super) fn column(self) -> Column {
        Column { coding: self, before: 0 }
    }
}

impl Column {
    pub(super) fn write(&mut self, bits: &mut Writer, fuel: u64) {
        let Coding { is_delta, least, range } = self.coding;
        let written = if is_delta { difference(self.before, fuel) } else { fuel };
        self.before = fuel;
        match range {
            Range::UpTo(most) => bits.put_up_to(most, written - least),
            Range::Mostly(order) => bits.put_small(order, written - least),
        }
    }

    pub(super) fn read(&mut self, bits: &mut Reader<'_>) -> Result<u64, UnpackError> {
        let Coding { is_delta, least, range } = self.coding;
        let beyond = match range {
            Range::UpTo(most) => bits.up_to(most)?,
            Range::Mostly(order) => bits.small(order)?,
        };
        let written = least.checked_add(beyond).ok_or(UnpackError::NoNumber)?;
        let fuel = if is_delta { sum(self.before, written) } else { written };
        self.before = fuel;
        Ok(fuel)
    }
}

fn differences(fuel: &[u64]) -> impl Iterator<Item = u64> + Clone {
    let before = std::iter::once(0).chain(fuel.iter().copied());
    before.zip(fuel).map(|(before, &fuel)| difference(before, fuel))
}

/// The difference of two numbers as one without a sign: 0, -1, 1, -2 are 0 to 3.
fn difference(before: u64, after: u64) -> u64 {
    let difference = after.wrapping_sub(before).cast_signed();
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

/// The number with this difference to the one before.
fn sum(before: u64, difference: u64) -> u64 {
    let signed = (difference >> 1).cast_signed() ^ -(difference & 1).cast_signed();
    before.wrapping_add(signed.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of bits of a column as it was written.
    #[track_caller]
    fn bits(fuel: &[u64]) -> usize {
        let coding = Coding::of(fuel);
        let (mut bits, mut column) = (Writer::after(Vec::new()), coding.column());
        coding.write(&mut bits);
        fuel.iter().for_each(|&fuel| column.write(&mut bits, fuel));
        let bytes = bits.into_bytes();
        let mut bits = Reader::of(&bytes);
        let mut column = Coding::read(&mut bits).unwrap().column();
        let read: Result<Vec<u64>, _> = fuel.iter().map(|_| column.read(&mut bits)).collect();
        assert_eq!(read.as_deref(), Ok(fuel));
        bytes.len() * 8
    }

    #[test]
    fn any_fuel_comes_back() {
        for fuel in [&[][..], &[0], &[u64::MAX], &[u64::MAX, 0, u64::MAX, 1 << 63], &[1, 2, 3, 4]] {
            bits(fuel);
        }
    }

    #[test]
    fn one_large_number_does_not_make_the_others_long() {
        let usual: Vec<u64> = (0..200).map(|turn| 10_000 + turn * 7_919 % 1_000).collect();
        let mut with_one = usual.clone();
        with_one[0] = 1 << 40;
        assert!(bits(&usual) < 200 * 10 + 60);
        assert!(bits(&with_one) < 200 * 11 + 160);
    }

    #[test]
    fn fuel_that_grows_evenly_takes_little() {
        let even: Vec<u64> = (0..200).map(|turn| 7_865 + 48 * turn + turn / 10 % 2).collect();
        assert!(bits(&even) < 200 * 4, "{}", bits(&even));
    }
}
