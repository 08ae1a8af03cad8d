//! The picture of a game for previews of links, in chats: its boards at the end. It has no text, so that no font and no name of a bot can
//! do any harm; the page's own title goes with it.

use arena_pictures::{Painted, Picture, Tone};
use arena_rules::Size;
use gif::{Encoder, Frame};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The size of the picture. Chosen: the shape that services crop previews to, 1.91 to 1.
const WIDTH: usize = 1_200;
/// See [`WIDTH`].
const HEIGHT: usize = 630;

/// The margin around each board, in pixels.
const MARGIN: usize = 40;

/// The colours, each with red, green and blue: the page, then those of the tones, as in the light style sheet, and a frame.
const PALETTE: [[u8; 3]; 8] = [
    [0xfc, 0xfc, 0xfa],
    [0xdf, 0xea, 0xf2],
    [0x39, 0x42, 0x4d],
    [0x9f, 0xba, 0xcf],
    [0xb3, 0x26, 0x1e],
    [0x6b, 0x1f, 0x7a],
    [0x4a, 0x6a, 0x85],
    [0xf0, 0xb4, 0x29],
];

/// The place of the frame around the last turn in the palette.
const LAST: u8 = 7;

/// The place of a tone in the palette.
const fn colour(tone: Tone) -> u8 {
    match tone {
        Tone::Faint => 1,
        Tone::Miss => 3,
        Tone::Hit => 4,
        Tone::Sunk => 5,
        Tone::Last => 6,
        _ => 2,
    }
}

/// The largest board that is made of a picture as text. Chosen: its cells are 17 pixels wide or more.
const TEXT_MAX: (usize, usize) = (64, 32);

/// A board in place of a picture as text: a cell for each character, with the same colour for the same one. The most frequent one is water,
/// as the empty places of a board usually are.
pub(crate) fn board(text: &str) -> Picture {
    const TONES: [Tone; 5] = [Tone::Ship, Tone::Hit, Tone::Miss, Tone::Sunk, Tone::Last];
    let lines = text.lines().take(TEXT_MAX.1).map(|line| line.trim_end().chars().take(TEXT_MAX.0).collect());
    let lines: Vec<Vec<char>> = lines.collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let mut counts = BTreeMap::<char, usize>::new();
    lines.iter().flatten().filter(|c| **c != ' ').for_each(|c| *counts.entry(*c).or_default() += 1);
    let water = counts.iter().max_by_key(|(_, count)| **count).map(|(c, _)| *c);
    let tone = |c: char| match c {
        ' ' => Tone::Faint,
        c if Some(c) == water => Tone::Faint,
        c => TONES[c as usize % TONES.len()],
    };
    let cell = |row: usize, column: usize| Painted {
        text: String::new(),
        tone: tone(lines[row].get(column).copied().unwrap_or(' ')),
        is_last: false,
        mark: None,
        hull: None,
    };
    let cells = (0..lines.len()).flat_map(|row| (0..columns).map(move |column| (row, column)));
    // Both are small numbers.
    let size = Size::new(columns as u8, lines.len() as u8);
    Picture { size, cells: cells.map(|(row, column)| cell(row, column)).collect() }
}

/// The picture of one or two boards, side by side, as a GIF. A board without cells is left out.
pub(crate) fn picture(boards: &[Picture; 2]) -> Vec<u8> {
    let mut pixels = vec![0; WIDTH * HEIGHT];
    let boards: Vec<&Picture> = boards.iter().filter(|board| board.size.cells() > 0).collect();
    let width = WIDTH / boards.len().max(1);
    let room = (width - 2 * MARGIN, HEIGHT - 2 * MARGIN);
    for (number, Picture { size, cells }) in boards.into_iter().enumerate() {
        let (columns, rows) = (usize::from(size.width), usize::from(size.height));
        // The largest square cells with which the board fits, of 2 pixels at least: a board has 255 cells a side at most.
        let pitch = (room.0 / columns).min(room.1 / rows);
        let gap = (pitch / 12).max(1);
        let left = number * width + (width - pitch * columns) / 2;
        let top = (HEIGHT - pitch * rows) / 2;
        for (index, cell) in cells.iter().enumerate().take(columns * rows) {
            let (x, y) = (left + index % columns * pitch, top + index / columns * pitch);
            let mut fill = |inset: usize, colour: u8| {
                for row in y + inset..y + pitch - inset {
                    let start = row * WIDTH + x;
                    pixels[start + inset..start + pitch - inset].fill(colour);
                }
            };
            if cell.is_last {
                fill(0, LAST);
            }
            fill(gap, colour(cell.tone));
        }
    }
    let frame =
        Frame { width: WIDTH as u16, height: HEIGHT as u16, buffer: Cow::Owned(pixels), ..Frame::default() };
    let mut bytes = Vec::new();
    let written = Encoder::new(&mut bytes, frame.width, frame.height, PALETTE.as_flattened())
        .and_then(|mut encoder| encoder.write_frame(&frame));
    written.expect("memory can be written to, and each pixel is in the palette");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours of the picture at the middle of each cell of one or two boards of a size, row by row.
    fn middles(bytes: &[u8], size: Size, boards: usize) -> Vec<[u8; 3]> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).expect("it is a GIF");
        let palette = decoder.global_palette().expect("it has one palette").to_vec();
        let frame = decoder.read_next_frame().expect("it is whole").expect("it has a frame");
        assert_eq!((usize::from(frame.width), usize::from(frame.height)), (WIDTH, HEIGHT));
        let (columns, rows) = (usize::from(size.width), usize::from(size.height));
        let width = WIDTH / boards;
        let pitch = ((width - 2 * MARGIN) / columns).min((HEIGHT - 2 * MARGIN) / rows);
        let at = |board: usize, index: usize| {
            let x = board * width + (width - pitch * columns) / 2 + index % columns * pitch + pitch / 2;
            let y = (HEIGHT - pitch * rows) / 2 + index / columns * pitch + pitch / 2;
            let place = 3 * usize::from(frame.buffer[y * WIDTH + x]);
            [palette[place], palette[place + 1], palette[place + 2]]
        };
        (0..boards)
            .flat_map(|board| (0..columns * rows).map(move |index| (board, index)))
            .map(|(board, index)| at(board, index))
            .collect()
    }

    #[test]
    fn a_picture_as_text_has_a_cell_for_each_character_of_a_part_of_it() {
        let of_text = board(" a \n..b.\n\n");
        assert_eq!((of_text.size, of_text.cells.len()), (Size::new(4, 3), 12));
        let tones: Vec<Tone> = of_text.cells.iter().map(|cell| cell.tone).collect();
        assert_eq!(tones.iter().filter(|tone| **tone == Tone::Faint).count(), 10);
        assert_ne!(tones[1], tones[6], "different characters next to each other in the alphabet");
        assert_eq!(board(&"x".repeat(100_000)).size, Size::new(64, 1));
        assert_eq!(board(&"x\n".repeat(100_000)).size, Size::new(1, 32));
        for text in ["", " ", "\n\n", &"數".repeat(200), &"a\n".repeat(200)] {
            assert!(!picture(&[board(text), Picture::default()]).is_empty());
        }
    }

    #[test]
    fn each_cell_has_the_colour_of_its_tone_on_one_or_two_boards_of_any_size() {
        let tones = [Tone::Faint, Tone::Ship, Tone::Miss, Tone::Hit, Tone::Sunk, Tone::Last, Tone::Text];
        for (width, height) in [(1, 1), (5, 5), (10, 10), (3, 30), (32, 32)] {
            let size = Size::new(width, height);
            let cell = |index: usize| Painted {
                text: "\u{1b}x".into(),
                tone: tones[index % tones.len()],
                is_last: index.is_multiple_of(3),
                mark: None,
                hull: None,
            };
            let board = Picture { size, cells: (0..size.cells()).map(cell).collect() };
            let colours = board.cells.iter().map(|cell| PALETTE[usize::from(colour(cell.tone))]);
            let expected: Vec<_> = colours.collect();
            let bytes = picture(&[board.clone(), board.clone()]);
            assert_eq!(middles(&bytes, size, 2), [expected.clone(), expected.clone()].concat());
            assert!(bytes.len() < 60_000, "{} bytes", bytes.len());
            assert_eq!(middles(&picture(&[board, Picture::default()]), size, 1), expected);
        }
    }
}
