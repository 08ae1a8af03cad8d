//! The picture of a game for previews of links, in chats: its boards at the end. It has no text, so that no font and no name of a bot can
//! do any harm; the page's own title goes with it.

use crate::tile::{self, PALETTE};
use arena_pictures::{Painted, Picture, Pictured, Tone};
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

/// The largest board that is made of a picture as text. Chosen: its cells are 17 pixels wide or more.
const TEXT_MAX: (usize, usize) = (64, 32);

/// A board in place of a picture as text: a cell for each character, with the same colour for the same one. The most frequent one is water,
/// as the empty places of a board usually are.
fn board(text: &str) -> Picture {
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
        shade: None,
        written: String::new(),
        hull: None,
    };
    let cells = (0..lines.len()).flat_map(|row| (0..columns).map(move |column| (row, column)));
    // Both are small numbers.
    let size = Size::new(columns as u8, lines.len() as u8);
    Picture { size, cells: cells.map(|(row, column)| cell(row, column)).collect(), lines: Vec::new() }
}

/// The boards of a position of a game; for a game without boards, one that is made of its picture as text.
pub(crate) fn boards_of<G: Pictured>(frame: &arena_pictures::Frame) -> [Picture; 2] {
    match G::HAS_BOARDS {
        true => frame.boards.clone(),
        false => [board(&frame.pictures[0]), Picture::default()],
    }
}

/// The picture of one or two boards, side by side, as a GIF. A board without cells is left out.
pub(crate) fn picture(boards: &[Picture; 2]) -> Vec<u8> {
    let pixels = drawn(boards, [WIDTH, HEIGHT]);
    let frame =
        Frame { width: WIDTH as u16, height: HEIGHT as u16, buffer: Cow::Owned(pixels), ..Frame::default() };
    let mut bytes = Vec::new();
    let written = Encoder::new(&mut bytes, frame.width, frame.height, PALETTE.as_flattened())
        .and_then(|mut encoder| encoder.write_frame(&frame));
    written.expect("memory can be written to, and each pixel is in the palette");
    bytes
}

/// One or two boards, side by side, as pixels of the palette in a picture of this width and height. A board without cells is left out.
pub(crate) fn drawn(boards: &[Picture; 2], [full_width, height]: [usize; 2]) -> Vec<u8> {
    let mut pixels = vec![0; full_width * height];
    let boards: Vec<&Picture> = boards.iter().filter(|board| board.size.cells() > 0).collect();
    let width = full_width / boards.len().max(1);
    let room = (width - 2 * MARGIN, height - 2 * MARGIN);
    for (number, Picture { size, cells, .. }) in boards.into_iter().enumerate() {
        let (columns, rows) = (usize::from(size.width), usize::from(size.height));
        // The largest square cells with which the board fits, of a pixel at least: a board has 255 cells a side at most.
        let pitch = (room.0 / columns).min(room.1 / rows);
        let left = number * width + (width - pitch * columns) / 2;
        let top = (height - pitch * rows) / 2;
        // Most cells have the tile of another one.
        let mut tiles: Vec<(&Painted, Vec<u8>)> = Vec::new();
        for (index, cell) in cells.iter().enumerate().take(columns * rows) {
            let looks = |cell: &Painted| (cell.tone, cell.hull, cell.is_last);
            let known = tiles.iter().position(|(known, _)| looks(known) == looks(cell));
            let place = known.unwrap_or_else(|| {
                let places = (0..pitch).flat_map(|row| (0..pitch).map(move |column| (column, row)));
                tiles.push((cell, places.map(|at| tile::pixel(cell, pitch, at) as u8).collect()));
                tiles.len() - 1
            });
            let (x, y) = (left + index % columns * pitch, top + index / columns * pitch);
            for (row, tile) in (y..).zip(tiles[place].1.chunks(pitch)) {
                pixels[row * full_width + x..row * full_width + x + pitch].copy_from_slice(tile);
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_pictures::Hull;

    /// The tiles of the picture of one or two boards of a size, row by row, each as its pixels.
    fn tiles(bytes: &[u8], size: Size, boards: usize) -> Vec<Vec<u8>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).expect("it is a GIF");
        assert_eq!(
            decoder.global_palette().expect("it has one palette")[..PALETTE.len() * 3],
            *PALETTE.as_flattened()
        );
        let frame = decoder.read_next_frame().expect("it is whole").expect("it has a frame");
        assert_eq!((usize::from(frame.width), usize::from(frame.height)), (WIDTH, HEIGHT));
        let (columns, rows) = (usize::from(size.width), usize::from(size.height));
        let width = WIDTH / boards;
        let pitch = ((width - 2 * MARGIN) / columns).min((HEIGHT - 2 * MARGIN) / rows);
        let tile = |board: usize, index: usize| -> Vec<u8> {
            let x = board * width + (width - pitch * columns) / 2 + index % columns * pitch;
            let y = (HEIGHT - pitch * rows) / 2 + index / columns * pitch;
            (y..y + pitch).flat_map(|y| frame.buffer[y * WIDTH + x..y * WIDTH + x + pitch].to_vec()).collect()
        };
        (0..boards)
            .flat_map(|board| (0..columns * rows).map(move |index| (board, index)))
            .map(|(board, index)| tile(board, index))
            .collect()
    }

    fn cell(tone: Tone, hull: Option<Hull>) -> Painted {
        Painted { text: "\u{1b}x".into(), tone, is_last: false, shade: None, written: String::new(), hull }
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
    fn each_cell_is_its_tile_on_one_or_two_boards_of_any_size() {
        let tones = [Tone::Faint, Tone::Ship, Tone::Miss, Tone::Hit, Tone::Sunk, Tone::Last, Tone::Text];
        for (width, height) in [(1, 1), (5, 5), (10, 10), (3, 30), (32, 32), (1, 255)] {
            let size = Size::new(width, height);
            let cell = |index: usize| {
                let hull = index.is_multiple_of(2).then(Hull::default);
                Painted { is_last: index.is_multiple_of(3), ..cell(tones[index % tones.len()], hull) }
            };
            let board = Picture { size, cells: (0..size.cells()).map(cell).collect(), lines: Vec::new() };
            for boards in [1, 2] {
                let other = if boards == 2 { board.clone() } else { Picture::default() };
                let bytes = picture(&[board.clone(), other]);
                assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
                let tiles = tiles(&bytes, size, boards);
                for (index, tile) in tiles.iter().enumerate() {
                    let side = tile.len().isqrt();
                    let painted = &board.cells[index % size.cells()];
                    let pixel = |at: usize| tile::pixel(painted, side, (at % side, at / side)) as u8;
                    assert!(tile.iter().enumerate().all(|(at, &is)| is == pixel(at)), "{index} of {size:?}");
                }
            }
        }
    }

    #[test]
    fn a_ship_a_hit_a_miss_and_a_sinking_differ_without_colours() {
        let east = Hull { east: true, ..Hull::default() };
        let kinds = [
            cell(Tone::Faint, None),
            cell(Tone::Ship, Some(east)),
            cell(Tone::Hit, Some(east)),
            cell(Tone::Sunk, Some(east)),
            cell(Tone::Miss, None),
            Painted { is_last: true, ..cell(Tone::Miss, None) },
        ];
        for side in [17, 36, 52, 110] {
            let is_dark = |kind: &Painted| -> Vec<bool> {
                let places = (0..side * side).map(|at| tile::pixel(kind, side, (at % side, at / side)));
                places
                    .map(|colour| PALETTE[colour as usize].iter().map(|&it| u32::from(it)).sum::<u32>() < 450)
                    .collect()
            };
            let shapes = kinds.each_ref().map(is_dark);
            for (number, shape) in shapes.iter().enumerate() {
                for other in &shapes[..number] {
                    let different = shape.iter().zip(other).filter(|(a, b)| a != b).count();
                    // A tenth of the tile is seen on a small picture.
                    assert!(different * 10 > side * side, "{different} of {side}x{side} pixels, {number}");
                }
            }
        }
    }

    #[test]
    fn a_ship_goes_on_from_tile_to_tile_and_ends_before_the_edge() {
        let [west, east] = [Hull { east: true, ..Hull::default() }, Hull { west: true, ..Hull::default() }];
        let column = |hull: Hull, column: usize| -> Vec<tile::Colour> {
            (0..52).map(|row| tile::pixel(&cell(Tone::Ship, Some(hull)), 52, (column, row))).collect()
        };
        let is_ship = |colour: &tile::Colour| *colour == tile::Colour::Hull;
        assert!(column(west, 51).iter().filter(|it| is_ship(it)).count() > 30);
        assert!(column(east, 0).iter().filter(|it| is_ship(it)).count() > 30);
        for (hull, edge) in [(west, 1), (east, 51), (Hull::default(), 1), (Hull::default(), 51)] {
            assert!(column(hull, edge)[1..].iter().all(|it| *it == tile::Colour::Water), "{hull:?} {edge}");
        }
    }
}
