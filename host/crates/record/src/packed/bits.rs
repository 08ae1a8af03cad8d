//! Numbers as bits, each in one way only: the highest bit first.

use super::UnpackError;
use bitstream_io::{BigEndian, BitRead, BitReader, BitWrite, BitWriter};

/// The bits of packed events as they are written.
pub(super) struct Writer(BitWriter<Vec<u8>, BigEndian>);

impl Writer {
    /// A writer that goes on after these bytes.
    pub(super) fn after(bytes: Vec<u8>) -> Self {
        Self(BitWriter::new(bytes))
    }

    /// The bytes, the last one filled with zeros.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.0.byte_align().expect("memory takes any bits");
        self.0.into_writer()
    }

    /// Writes the lowest bits of a number, which has no others.
    pub(super) fn put(&mut self, bits: u32, number: u64) {
        self.0.write_var(bits, number).expect("memory takes any bits");
    }

    pub(super) fn put_truth(&mut self, is_true: bool) {
        self.put(1, is_true.into());
    }

    /// Writes a number from 0 to `most`, all of which are equally likely: the lower ones take a bit less than the others if the
    /// number of them is not a power of two. This is known as truncated binary encoding.
    pub(super) fn put_up_to(&mut self, most: u64, number: u64) {
        match truncated(most) {
            (bits, Some(short)) if number >= short => self.put(bits + 1, number + short),
            (bits, _) => self.put(bits, number),
        }
    }

    /// Writes a number that is usually small, and usually below `2^order`: the number of its bits beyond `order` as that many ones
    /// and a zero, then its bits below the highest of those, or the lowest `order`.
    pub(super) fn put_small(&mut self, order: u32, number: u64) {
        let more = length(number >> order);
        // In two halves, because 64 ones and a zero are 65 bits.
        let [first, second] = [more / 2, more - more / 2];
        self.put(first, ones(first));
        self.put(second + 1, ones(second) << 1);
        let bits = order + more.saturating_sub(1);
        self.put(bits, number & ones(bits));
    }

    /// Writes bytes with the number of them.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        self.put_small(LENGTH_ORDER, bytes.len() as u64);
        let bits = bytes.iter().max().map_or(0, |&most| length(most.into()));
        self.put(WIDTH_BITS, bits.into());
        bytes.iter().for_each(|&byte| self.put(bits, byte.into()));
    }
}

/// The order of a length in bytes. Chosen: a deployment has some thirty.
const LENGTH_ORDER: u32 = 5;

/// The bits of the number of bits of a byte: 0 to 8.
const WIDTH_BITS: u32 = 4;

/// The bits of packed events as they are read.
pub(super) struct Reader<'a>(BitReader<&'a [u8], BigEndian>);

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(BitReader::new(bytes))
    }

    /// A number of this many bits, at most 64.
    pub(super) fn get(&mut self, bits: u32) -> Result<u64, UnpackError> {
        self.0.read_var(bits).map_err(|_| UnpackError::CutOff)
    }

    pub(super) fn truth(&mut self) -> Result<bool, UnpackError> {
        Ok(self.get(1)? == 1)
    }

    /// A number that [`Writer::put_up_to`] has written.
    pub(super) fn up_to(&mut self, most: u64) -> Result<u64, UnpackError> {
        let (bits, short) = truncated(most);
        let number = self.get(bits)?;
        match short {
            Some(short) if number >= short => Ok((number << 1 | self.get(1)?) - short),
            _ => Ok(number),
        }
    }

    /// A number that [`Writer::put_small`] has written.
    pub(super) fn small(&mut self, order: u32) -> Result<u64, UnpackError> {
        let mut more = 0;
        while self.truth()? {
            more += 1;
            if order + more > u64::BITS {
                return Err(UnpackError::NoNumber);
            }
        }
        let bits = order + more.saturating_sub(1);
        let highest = if more == 0 { 0 } else { 1 << bits };
        Ok(highest | self.get(bits)?)
    }

    /// Bytes that [`Writer::put_bytes`] has written.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, UnpackError> {
        let count = self.small(LENGTH_ORDER)?;
        if count > BYTES_MAX {
            return Err(UnpackError::TooLong);
        }
        let bits = self.get(WIDTH_BITS)? as u32;
        if bits > u8::BITS {
            return Err(UnpackError::NoNumber);
        }
        (0..count).map(|_| Ok(self.get(bits)? as u8)).collect()
    }
}

/// The most bytes of an answer or a fault. Chosen: a thousand times the longest; zeros take no room, so bits do not bound them.
const BYTES_MAX: u64 = 1 << 20;

/// The number of bits of the lower numbers up to `most`, and how many of them there are: the others have one more bit. There are no
/// others if all numbers of these bits are in the range.
fn truncated(most: u64) -> (u32, Option<u64>) {
    let bits = length(most);
    if most == ones(bits) { (bits, None) } else { (bits - 1, Some(ones(bits) - most)) }
}

/// The number of bits of a number without leading zeros.
pub(super) fn length(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// A number of this many ones.
fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (u64::BITS - bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_in_its_bits() {
        let numbers =
            [0, 1, 2, 3, 9, 10, 63, 64, 99, 255, 3_999, 1 << 32, u64::MAX >> 1, u64::MAX - 1, u64::MAX];
        for most in numbers {
            for number in numbers.into_iter().filter(|&number| number <= most) {
                for order in [0, 5, 63] {
                    let mut writer = Writer::after(vec![7]);
                    writer.put_truth(true);
                    writer.put_up_to(most, number);
                    writer.put_small(order, number);
                    writer.put_bytes(&[3, 200]);
                    let bytes = writer.into_bytes();
                    let mut reader = Reader::of(&bytes[1..]);
                    assert_eq!(reader.truth(), Ok(true));
                    assert_eq!(reader.up_to(most), Ok(number), "{number} of {most}");
                    assert_eq!(reader.small(order), Ok(number), "{number} of order {order}");
                    assert_eq!(reader.bytes(), Ok(vec![3, 200]));
                }
            }
        }
    }

    #[test]
    fn equally_likely_numbers_take_the_bits_of_their_range() {
        let bits = |most: u64| {
            let mut writer = Writer::after(Vec::new());
            (0..=most).for_each(|number| writer.put_up_to(most, number));
            writer.into_bytes().len() * 8
        };
        assert_eq!(bits(0), 0);
        assert_eq!(bits(7), 8 * 3);
        // 28 of 6 bits and 72 of 7.
        assert_eq!(bits(99), 28 * 6 + 72 * 7);
    }

    #[test]
    fn numbers_without_end_are_refused() {
        assert_eq!(Reader::of(&[0xff; 40]).small(0), Err(UnpackError::NoNumber));
        assert_eq!(Reader::of(&[0xff; 2]).small(0), Err(UnpackError::CutOff));
    }
}
