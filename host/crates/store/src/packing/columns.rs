//! The compact form of a transcript: its numbers are separated from the text that its lines share.
//!
//! The lines of a transcript are of a few shapes, as `{"event":"acted","seat":#,"turn":#,"action":{"shot":[#,#]},"effect":"miss"}`.
//! So a shape is written once, and a line is the number of its shape. The numbers that follow the same text form a column, such as
//! all turns. They take as many bits as the column's range or differences need: frame-of-reference and delta coding. Unpacking
//! gives the same bytes, for any text. The code is independent of games, and of JSON it only assumes that a number follows `:`, `[`
//! or `,`.

use bitstream_io::{BitRead, BitReader, BitWrite, BitWriter, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::ops::Range;

/// The place of a number in a shape. A text with this byte has no compact form.
const PLACE: u8 = 0;

/// The most digits of a number in a column. Chosen: such numbers and their differences fit into 63 bits.
const DIGITS_MAX: usize = 18;

/// The most bits of a number in a column whose numbers are written as bytes of the text, so that zstd finds repetitions, and not
/// as bits. Measured on games of `random`: seats and turns become a few bytes so, and shots do not.
const REPETITIVE_BITS_MAX: u32 = 2;

/// The number of shapes that a line is compared with before it is taken apart. Chosen: a game has some six shapes of turns.
const TRIED: usize = 8;

/// The compact form of a text, in two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compact {
    /// The shapes, the shape of each line, the range of each column, and the columns that repeat themselves: to be compressed.
    pub(super) text: Vec<u8>,
    /// The other columns, bit by bit.
    pub(super) bits: Vec<u8>,
}

/// The text of a line without its numbers.
struct Shape {
    /// With [`PLACE`] where the numbers are.
    text: Vec<u8>,
    /// The parts between them.
    parts: Vec<Range<u32>>,
    /// The column of each number.
    columns: Vec<u32>,
}

impl Shape {
    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| &self.text[part.start as usize..part.end as usize])
    }
}

/// The shapes of the lines of a text, and their columns, in the order in which they come.
#[derive(Default)]
struct Shapes {
    shapes: Vec<Shape>,
    by_text: HashMap<Vec<u8>, usize>,
    /// The columns by the text before their numbers.
    columns: HashMap<Vec<u8>, u32>,
}

impl Shapes {
    /// Adds a shape. Returns its number.
    fn add(&mut self, text: Vec<u8>) -> usize {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == PLACE).map(|(place, _)| place);
        let mut begin = 0;
        let parts = ends
            .chain([text.len()])
            .map(|end| mem::replace(&mut begin, end as u32 + 1)..end as u32)
            .collect();
        let mut shape = Shape { text, parts, columns: Vec::new() };
        let column = |part: &[u8]| {
            let next = self.columns.len() as u32;
            *self.columns.entry(part.to_vec()).or_insert(next)
        };
        shape.columns = shape.parts().take(shape.parts.len() - 1).map(column).collect();
        self.by_text.insert(shape.text.clone(), self.shapes.len());
        self.shapes.push(shape);
        self.shapes.len() - 1
    }
}

/// How the numbers of a column are written.
#[derive(Clone, Copy)]
struct Coding {
    /// True if the written values are differences, the first one from 0.
    is_delta: bool,
    /// The least of the written values; the others are written as the excess over it.
    least: i64,
    /// The number of bits of the largest.
    bits: u32,
}

impl Coding {
    fn of(numbers: &[i64]) -> Self {
        let plain = Self::by(numbers.iter().copied(), false);
        let delta = Self::by(differences(numbers), true);
        if delta.bits < plain.bits { delta } else { plain }
    }

    fn by(written: impl Iterator<Item = i64>, is_delta: bool) -> Self {
        let (least, most) =
            written.fold((i64::MAX, i64::MIN), |(least, most), number| (least.min(number), most.max(number)));
        let bits = if least > most { 0 } else { u64::BITS - most.abs_diff(least).leading_zeros() };
        Self { is_delta, least: if least > most { 0 } else { least }, bits }
    }
}

fn differences(numbers: &[i64]) -> impl Iterator<Item = i64> {
    let mut before = 0;
    numbers.iter().map(move |&number| number - mem::replace(&mut before, number))
}

impl Compact {
    /// The compact form of a text; `None` when the text does not end with a line end, or has a zero byte.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        if !file.ends_with(b"\n") || file.contains(&PLACE) {
            return None;
        }
        let (mut shapes, mut lines, mut columns) = (Shapes::default(), Vec::new(), Vec::<Vec<i64>>::new());
        let (mut text, mut numbers, mut rest) = (Vec::new(), Vec::new(), file);
        while !rest.is_empty() {
            // Most lines have the shape of the line before, or one of the first: trying those is quicker than parsing the line.
            let tried = lines.last().copied().into_iter().chain(1..shapes.shapes.len().min(TRIED));
            let matching = |number: usize| Some((number, after(rest, &shapes.shapes[number], &mut numbers)?));
            let (shape, after) = tried.into_iter().find_map(matching).unwrap_or_else(|| {
                let after = take_line(rest, &mut text, &mut numbers);
                let known = shapes.by_text.get(&text).copied();
                (known.unwrap_or_else(|| shapes.add(text.clone())), after)
            });
            rest = after;
            columns.resize_with(shapes.columns.len(), Vec::new);
            lines.push(shape);
            let places = shapes.shapes[shape].columns.iter().zip(&numbers);
            places.for_each(|(&column, &number)| columns[column as usize].push(number));
        }
        Some(Self::written(&shapes, &lines, &columns))
    }

    fn written(shapes: &Shapes, lines: &[usize], columns: &[Vec<i64>]) -> Self {
        let mut text = Vec::new();
        put(&mut text, shapes.shapes.len() as u64);
        for shape in &shapes.shapes {
            text.extend(&shape.text);
            text.push(b'\n');
        }
        put(&mut text, lines.len() as u64);
        let mut bits = BitWriter::endian(Vec::new(), LittleEndian);
        lines.iter().for_each(|&shape| put(&mut text, shape as u64));
        for numbers in columns {
            let Coding { is_delta, least, bits: width } = Coding::of(numbers);
            text.push(u8::from(is_delta) | (width as u8) << 1);
            put(&mut text, least);
            let mut write = |number: i64| {
                let more = number.abs_diff(least);
                if width <= REPETITIVE_BITS_MAX {
                    text.push(more as u8);
                } else {
                    bits.write_var(width, more).expect("memory takes any bits");
                }
            };
            if is_delta {
                differences(numbers).for_each(&mut write)
            } else {
                numbers.iter().copied().for_each(write)
            }
        }
        bits.byte_align().expect("memory takes any bits");
        Self { text, bits: bits.into_writer() }
    }

    /// The text of a compact form. It must have this number of bytes. It accepts any parts, and takes no more memory than a few
    /// times the larger of them and of the text.
    ///
    /// # Errors
    /// Parts that are not of such a text.
    pub(super) fn unfold(mut text: &[u8], bits: &[u8], size_bytes: usize) -> io::Result<Vec<u8>> {
        let mut shapes = Shapes::default();
        // Each number follows a byte and is one itself, at least; and each shape is one of a line.
        let numbers_max = size_bytes / 2;
        let mut numbers_in_shapes = 0;
        for _ in 0..get::<u64>(&mut text)? {
            let end =
                text.iter().position(|&byte| byte == b'\n').ok_or_else(|| wrong("a shape has no end"))?;
            numbers_in_shapes += text[..end].iter().filter(|byte| **byte == PLACE).count();
            if numbers_in_shapes > numbers_max {
                return Err(wrong("its shapes have too many numbers"));
            }
            shapes.add(text[..end].to_vec());
            text = &text[end + 1..];
        }
        let count: u64 = get(&mut text)?;
        // Each line is at least a byte, in both forms.
        if count > text.len() as u64 || count > size_bytes as u64 {
            return Err(wrong("it has more lines than it has room for"));
        }
        let mut lines = Vec::new();
        let mut lengths = vec![0; shapes.columns.len()];
        let mut numbers_left = numbers_max;
        for _ in 0..count {
            let shape =
                usize::try_from(get::<u64>(&mut text)?).ok().filter(|&shape| shape < shapes.shapes.len());
            let shape = shape.ok_or_else(|| wrong("a line has a shape that does not exist"))?;
            let places = &shapes.shapes[shape].columns;
            numbers_left =
                numbers_left.checked_sub(places.len()).ok_or_else(|| wrong("it has too many numbers"))?;
            places.iter().for_each(|&column| lengths[column as usize] += 1);
            lines.push(shape);
        }
        let mut bits = BitReader::endian(bits, LittleEndian);
        let columns = lengths.iter().map(|&length| read_column(length, &mut text, &mut bits));
        let columns = columns.collect::<io::Result<Vec<_>>>()?;
        if !text.is_empty() {
            return Err(wrong("more follows its end"));
        }
        shapes.fill(&lines, &columns, size_bytes)
    }
}

impl Shapes {
    /// The lines of these shapes with the numbers of the columns, in their order.
    fn fill(&self, lines: &[usize], columns: &[Vec<i64>], size_bytes: usize) -> io::Result<Vec<u8>> {
        let mut columns: Vec<_> = columns.iter().map(|column| column.iter()).collect();
        let mut file = Vec::new();
        for &shape in lines {
            let mut places = self.shapes[shape].columns.iter();
            for (index, part) in self.shapes[shape].parts().enumerate() {
                if index > 0 {
                    let column = places.next().and_then(|&column| columns[column as usize].next());
                    write!(file, "{}", column.expect("each place has a number"))?;
                }
                file.extend(part);
            }
            file.push(b'\n');
            if file.len() > size_bytes {
                return Err(wrong("it is longer than it claims"));
            }
        }
        Ok(file)
    }
}

/// Removes the first line of a text, and returns its shape, its numbers and the rest.
fn take_line<'a>(mut file: &'a [u8], shape: &mut Vec<u8>, numbers: &mut Vec<i64>) -> &'a [u8] {
    shape.clear();
    numbers.clear();
    loop {
        let end = file
            .iter()
            .position(|byte| matches!(byte, b':' | b'[' | b',' | b'\n'))
            .expect("there is a line end");
        if file[end] == b'\n' {
            shape.extend(&file[..end]);
            return &file[end + 1..];
        }
        shape.extend(&file[..=end]);
        file = &file[end + 1..];
        if let Some((number, rest)) = take_number(file) {
            shape.push(PLACE);
            numbers.push(number);
            file = rest;
        }
    }
}

/// The text after its first line and the numbers of that, if the line has this shape.
fn after<'a>(file: &'a [u8], shape: &Shape, numbers: &mut Vec<i64>) -> Option<&'a [u8]> {
    numbers.clear();
    let mut parts = shape.parts();
    let mut rest = file.strip_prefix(parts.next()?)?;
    for part in parts {
        let (number, after) = take_number(rest)?;
        numbers.push(number);
        rest = after.strip_prefix(part)?;
    }
    rest.strip_prefix(b"\n")
}

/// The number at the beginning of a text, if it is in canonical form, and the rest.
fn take_number(text: &[u8]) -> Option<(i64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    let is_plain = digits.len() == 1 || (2..=DIGITS_MAX).contains(&digits.len()) && digits[0] != b'0';
    let number = || digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    is_plain.then(|| (number(), rest))
}

/// The numbers of a column of this length.
fn read_column(
    length: usize,
    text: &mut &[u8],
    bits: &mut BitReader<&[u8], LittleEndian>,
) -> io::Result<Vec<i64>> {
    let coding = take_byte(text)?;
    let (is_delta, width) = (coding & 1 == 1, u32::from(coding >> 1));
    if width > u64::BITS {
        return Err(wrong("a number has too many bits"));
    }
    let least: i64 = get(text)?;
    let mut before = 0i64;
    let mut next = || {
        let more =
            if width <= REPETITIVE_BITS_MAX { u64::from(take_byte(text)?) } else { bits.read_var(width)? };
        let number = least.wrapping_add_unsigned(more);
        before = if is_delta { before.wrapping_add(number) } else { number };
        Ok(before)
    };
    (0..length).map(|_| next()).collect()
}

fn wrong(cause: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, cause)
}

/// Writes a number as postcard does: LEB128, and one with a sign in zigzag form before that.
pub(super) fn put(text: &mut Vec<u8>, number: impl Serialize) {
    *text = postcard::to_extend(&number, mem::take(text)).expect("memory takes any bytes");
}

pub(super) fn get<T: DeserializeOwned>(text: &mut &[u8]) -> io::Result<T> {
    let (number, rest) =
        postcard::take_from_bytes(text).map_err(|_| wrong("a number is cut off or too long"))?;
    *text = rest;
    Ok(number)
}

fn take_byte(text: &mut &[u8]) -> io::Result<u8> {
    let (&byte, rest) = text.split_first().ok_or(ErrorKind::UnexpectedEof)?;
    *text = rest;
    Ok(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_compact_form_of_any_text_gives_the_text(
            text in r#"([a-c:\[,0-9"]{0,30}(,[0-9]{1,21}){0,3}\n){1,12}"#,
        ) {
            let compact = Compact::of(text.as_bytes()).expect("it ends with a line end");
            let unfold = |size_bytes| Compact::unfold(&compact.text, &compact.bits, size_bytes);
            prop_assert_eq!(unfold(text.len()).unwrap(), text.as_bytes());
            prop_assert!(unfold(text.len() - 1).is_err());
        }

        #[test]
        fn parts_of_no_text_are_an_error_or_a_text_and_never_a_panic(
            mut text in prop::collection::vec(0u8..12, 0..60),
            bits in prop::collection::vec(any::<u8>(), 0..20),
            shapes in 0u8..3,
        ) {
            text.insert(0, shapes);
            if let Ok(text) = Compact::unfold(&text, &bits, 100) {
                prop_assert!(text.len() <= 100);
            }
        }
    }

    #[test]
    fn a_text_without_a_last_line_end_or_with_a_zero_has_no_compact_form() {
        assert_eq!(Compact::of(b""), None);
        assert_eq!(Compact::of(b"{}"), None);
        assert_eq!(Compact::of(b"\0\n"), None);
    }
}
