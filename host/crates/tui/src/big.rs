//! Text in letters of five pixels, for those who sit far from the screen.

use crate::pen::Pen;
use arena_pictures::Tone;
use arena_pictures::text;

/// The letters: the rows of each from the top, with `#` for a pixel. All have five rows and one width of their own.
const LETTERS: [(char, &str); 43] = [
    ('a', ".#. #.# ### #.# #.#"),
    ('b', "##. #.# ##. #.# ##."),
    ('c', ".## #.. #.. #.. .##"),
    ('d', "##. #.# #.# #.# ##."),
    ('e', "### #.. ##. #.. ###"),
    ('f', "### #.. ##. #.. #.."),
    ('g', ".## #.. #.# #.# .##"),
    ('h', "#.# #.# ### #.# #.#"),
    ('i', "# # # # #"),
    ('j', "..# ..# ..# #.# .#."),
    ('k', "#.# #.# ##. #.# #.#"),
    ('l', "#.. #.. #.. #.. ###"),
    ('m', "#...# ##.## #.#.# #...# #...#"),
    ('n', "#..# ##.# #.## #..# #..#"),
    ('o', "### #.# #.# #.# ###"),
    ('p', "### #.# ### #.. #.."),
    ('q', "### #.# #.# ### ..#"),
    ('r', "##. #.# ##. #.# #.#"),
    ('s', ".## #.. .#. ..# ##."),
    ('t', "### .#. .#. .#. .#."),
    ('u', "#.# #.# #.# #.# ###"),
    ('v', "#.# #.# #.# #.# .#."),
    ('w', "#...# #...# #.#.# ##.## #...#"),
    ('x', "#.# #.# .#. #.# #.#"),
    ('y', "#.# #.# .#. .#. .#."),
    ('z', "### ..# .#. #.. ###"),
    ('0', "### #.# #.# #.# ###"),
    ('1', ".# ## .# .# .#"),
    ('2', "##. ..# .#. #.. ###"),
    ('3', "### ..# .## ..# ###"),
    ('4', "#.# #.# ### ..# ..#"),
    ('5', "### #.. ##. ..# ##."),
    ('6', ".## #.. ### #.# ###"),
    ('7', "### ..# .#. .#. .#."),
    ('8', "### #.# ### #.# ###"),
    ('9', "### #.# ### ..# ##."),
    ('-', ".. .. ## .. .."),
    ('_', "... ... ... ... ###"),
    (':', ". # . # ."),
    ('.', ". . . . #"),
    ('+', "... .#. ### .#. ..."),
    ('/', "..# ..# .#. #.. #.."),
    (' ', ".. .. .. .. .."),
];

/// The number of rows of pixels.
const PIXELS: usize = 5;

/// The size of the letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// Two pixels to a character, one above the other: three rows. Not in ASCII.
    Half,
    /// Two characters to a pixel: five rows.
    Full,
}

impl Letters {
    /// The sizes, the largest first.
    pub(crate) const ALL: [Self; 2] = [Self::Full, Self::Half];

    /// The number of rows.
    pub(crate) const fn rows(self) -> u16 {
        match self {
            Self::Half => PIXELS.div_ceil(2) as u16,
            Self::Full => PIXELS as u16,
        }
    }

    /// The number of columns of a text; `None` when one of its characters has no such letter.
    pub(crate) fn columns(self, text: &str) -> Option<usize> {
        let pixels = pixels(text)?[0].len();
        Some(if self == Self::Half { pixels } else { 2 * pixels })
    }

    /// Draws a text of which all characters have letters; nothing else is drawn. `is_cut_out` draws what is around the letters instead.
    pub(crate) fn draw(
        self,
        pen: &mut Pen<'_>,
        (x, y): (u16, u16),
        text: &str,
        tone: Tone,
        is_cut_out: bool,
    ) {
        let Some(pixels) = pixels(text) else { return };
        let pixel = |row: usize, column: usize| {
            pixels.get(row).is_some_and(|row: &Vec<bool>| row[column]) != is_cut_out
        };
        for row in 0..usize::from(self.rows()) {
            let columns = 0..pixels[0].len();
            let line: String = match self {
                Self::Half => columns
                    .map(|column| match (pixel(2 * row, column), pixel(2 * row + 1, column)) {
                        (true, true) => '█',
                        (true, false) => '▀',
                        (false, true) => '▄',
                        (false, false) => ' ',
                    })
                    .collect(),
                Self::Full => columns.map(|column| if pixel(row, column) { "██" } else { "  " }).collect(),
            };
            pen.text(x, y + row as u16, text::width(&line) as u16, &line, tone);
        }
    }
}

/// The rows of pixels of a text, with a column between two letters; `None` when one of its characters has no letter.
fn pixels(text: &str) -> Option<[Vec<bool>; PIXELS]> {
    let mut rows: [Vec<bool>; PIXELS] = Default::default();
    for c in text.chars() {
        let (_, letter) = LETTERS.iter().find(|(known, _)| *known == c.to_ascii_lowercase())?;
        for (row, pixels) in rows.iter_mut().zip(letter.split(' ')) {
            if !row.is_empty() {
                row.push(false);
            }
            row.extend(pixels.bytes().map(|pixel| pixel == b'#'));
        }
    }
    (!text.is_empty()).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_is_there_once_with_five_rows_of_one_width() {
        for (number, (letter, rows)) in LETTERS.iter().enumerate() {
            let widths: Vec<usize> = rows.split(' ').map(str::len).collect();
            assert_eq!(widths.len(), PIXELS, "{letter}");
            assert!(widths[0] > 0 && widths.iter().all(|width| *width == widths[0]), "{letter}");
            assert!(rows.bytes().all(|pixel| b"#. ".contains(&pixel)), "{letter}");
            let (_, others) = LETTERS.split_at(number + 1);
            assert!(others.iter().all(|(other, _)| other != letter), "{letter}");
        }
        for c in ('a'..='z').chain('0'..='9').chain("ABZ-_:.+/ ".chars()) {
            assert!(Letters::Half.columns(&c.to_string()).is_some(), "{c}");
        }
    }

    #[test]
    fn a_text_with_another_character_has_no_large_letters() {
        assert_eq!(Letters::Half.columns("i-1"), Some(1 + 1 + 2 + 1 + 2));
        assert_eq!(Letters::Full.columns("i-1"), Some(2 * 7));
        for text in ["", "数独", "a\u{1b}b", "a数"] {
            assert_eq!(Letters::Half.columns(text), None, "{text:?}");
        }
    }
}
