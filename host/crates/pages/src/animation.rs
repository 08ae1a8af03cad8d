//! A game as a picture that moves, for places where no page can be shown: a chat, or a README.

use crate::preview::{boards_of, drawn};
use crate::tile::PALETTE;
use arena_pictures::{Picture, Pictured, TimelineError, Tone, frames};
use arena_record::Transcript;
use gif::{Encoder, Frame, Repeat};
use std::borrow::Cow;

/// The width of the picture in pixels. Chosen: two boards of ten columns have tiles of 34 pixels, and it fits a page.
const WIDTH: usize = 840;
/// The height of the picture in pixels. See [`WIDTH`].
const HEIGHT: usize = 420;

/// How long a position is shown, in hundredths of a second. Chosen: a game of 60 turns takes some ten seconds.
const TURN: u16 = 14;
/// The time of a sinking. See [`TURN`].
const SINKING: u16 = 50;
/// The time of the first position. See [`TURN`].
const FIRST: u16 = 80;
/// The time of the last position, before the game begins again. See [`TURN`].
const LAST: u16 = 400;

/// The game as an animated GIF that begins again when it has ended. The same game gives the same bytes.
///
/// Both boards are shown as they are, and the last turn has a frame. It has no text, so no name of a bot can do any harm.
///
/// # Errors
/// The transcript is not of a game that the rules allow.
pub fn animation<G: Pictured>(transcript: &Transcript<G>) -> Result<Vec<u8>, TimelineError> {
    let mut bytes = Vec::new();
    let size = [WIDTH, HEIGHT].map(|side| side as u16);
    let mut encoder = Encoder::new(&mut bytes, size[0], size[1], PALETTE.as_flattened()).expect(MEMORY);
    encoder.set_repeat(Repeat::Infinite).expect(MEMORY);
    // The position that is written when the next one is known, which decides how long it is shown.
    let mut pending: Option<Frame<'static>> = None;
    let mut shown = Vec::new();
    let mut sunk = 0;
    for position in frames(transcript, [None, None])? {
        let boards = boards_of::<G>(&position);
        let pixels = drawn(&boards, [WIDTH, HEIGHT]);
        let Some(mut changed) = changed(&shown, &pixels) else { continue };
        let sunk_now = sunk_cells(&boards);
        changed.delay = match (&pending, sunk_now > sunk) {
            (None, _) => FIRST,
            (Some(_), true) => SINKING,
            (Some(_), false) => TURN,
        };
        (shown, sunk) = (pixels, sunk_now);
        if let Some(before) = pending.replace(changed) {
            encoder.write_frame(&before).expect(MEMORY);
        }
    }
    if let Some(mut last) = pending {
        last.delay = LAST;
        encoder.write_frame(&last).expect(MEMORY);
    }
    drop(encoder);
    Ok(bytes)
}

/// Why no picture fails to be written.
const MEMORY: &str = "memory can be written to, and each pixel is in the palette";

/// The cells of sunk ships on both boards.
fn sunk_cells(boards: &[Picture; 2]) -> usize {
    boards.iter().flat_map(|board| &board.cells).filter(|cell| cell.tone == Tone::Sunk).count()
}

/// The part of a picture that differs from the one before, which is all of it for the first; `None` if nothing does.
fn changed(before: &[u8], pixels: &[u8]) -> Option<Frame<'static>> {
    let differs = |at: &usize| before.get(*at) != pixels.get(*at);
    let places = || (0..pixels.len()).filter(differs);
    let [top, bottom] = [places().next()? / WIDTH, places().next_back()? / WIDTH];
    let left = places().map(|at| at % WIDTH).min()?;
    let right = places().map(|at| at % WIDTH).max()?;
    let rows = (top..=bottom).flat_map(|row| &pixels[row * WIDTH + left..=row * WIDTH + right]);
    let [left_px, top_px, width, height] =
        [left, top, right + 1 - left, bottom + 1 - top].map(|pixels| pixels as u16);
    let buffer = Cow::Owned(rows.copied().collect());
    Some(Frame { left: left_px, top: top_px, width, height, buffer, ..Frame::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::Battleship;

    #[test]
    fn a_game_moves_from_its_first_position_to_its_last_and_begins_again() {
        let recording = include_bytes!("../../tui/tests/data/guide.jsonl");
        let transcript = Transcript::<Battleship>::read(&recording[..]).expect("it is a transcript");
        let bytes = animation(&transcript).expect("it is a game");
        assert_eq!(bytes, animation(&transcript).expect("it is a game"));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&bytes[..]).expect("it is a GIF");
        let mut pixels = vec![0; WIDTH * HEIGHT];
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("it is whole") {
            delays.push(frame.delay);
            for (row, line) in frame.buffer.chunks(usize::from(frame.width)).enumerate() {
                let start = (usize::from(frame.top) + row) * WIDTH + usize::from(frame.left);
                pixels[start..start + line.len()].copy_from_slice(line);
            }
        }
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let last = frames(&transcript, [None, None]).expect("it is a game").last().expect("it has positions");
        assert_eq!(pixels, drawn(&last.boards, [WIDTH, HEIGHT]));
        assert_eq!([delays.first(), delays.last()], [Some(&FIRST), Some(&LAST)]);
        assert_eq!(delays.contains(&SINKING), sunk_cells(&last.boards) > 0);
    }

    #[test]
    fn only_the_part_that_changed_is_written() {
        let mut before = vec![0; WIDTH * HEIGHT];
        let whole = changed(&[], &before).expect("the first picture is written");
        assert_eq!((whole.width, whole.height), (WIDTH as u16, HEIGHT as u16));
        assert!(changed(&before, &before.clone()).is_none());
        let mut after = before.clone();
        after[3 * WIDTH + 7] = 1;
        after[5 * WIDTH + 4] = 2;
        let part = changed(&before, &after).expect("two pixels differ");
        assert_eq!((part.left, part.top, part.width, part.height), (4, 3, 4, 3));
        assert_eq!(part.buffer.as_ref(), [0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0]);
        before[WIDTH * HEIGHT - 1] = 1;
        let corner = changed(&vec![0; WIDTH * HEIGHT], &before).expect("the last pixel differs");
        assert_eq!((corner.left, corner.top, corner.width), (WIDTH as u16 - 1, HEIGHT as u16 - 1, 1));
    }
}
