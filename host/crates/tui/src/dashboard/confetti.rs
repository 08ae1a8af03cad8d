//! Confetti for the champion, in characters: for some seconds, the same for the same season.

use crate::pen::Pen;
use arena_pictures::Tone;
use arena_rules::random;
use ratatui::layout::Rect;
use std::time::Duration;

/// The time of a frame. Chosen: it falls smoothly enough, and costs next to nothing.
const FRAME_TIME: Duration = Duration::from_millis(80);

/// The number of frames after which the last piece has fallen. Chosen: six seconds.
const FRAMES: u32 = 75;

/// The largest number of frames before a piece begins to fall.
const DELAY_MAX: u32 = 30;

/// The numbers of frames in which a piece falls from the top to the bottom. Their largest and [`DELAY_MAX`] are [`FRAMES`].
const FALL: std::ops::RangeInclusive<u32> = 25..=45;

/// The number of cells for each piece. Chosen: a shower in which one still reads the names.
const CELLS_A_PIECE: u32 = 24;

/// The pieces: the characters are of ASCII, or have one in its place.
const PIECES: [(char, Tone); 7] = [
    ('*', Tone::Last),
    ('+', Tone::Good),
    ('◆', Tone::Hit),
    ('■', Tone::Ship),
    ('o', Tone::Sunk),
    ('~', Tone::Key),
    ('·', Tone::Strong),
];

/// Confetti that falls, or has fallen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Confetti {
    age: Duration,
}

impl Confetti {
    const fn frame(self) -> u32 {
        let frame = self.age.as_millis() / FRAME_TIME.as_millis();
        if frame > FRAMES as u128 { FRAMES } else { frame as u32 }
    }

    /// True once all of it has fallen.
    pub(super) const fn is_over(self) -> bool {
        self.frame() >= FRAMES
    }

    /// Lets time pass. Returns true if it has to be drawn again.
    pub(super) fn tick(&mut self, elapsed: Duration) -> bool {
        let before = self.frame();
        self.age = self.age.saturating_add(elapsed);
        self.frame() != before
    }

    /// The time after which it goes on; `None` when it is over.
    pub(super) fn wait(self) -> Option<Duration> {
        let next = FRAME_TIME * (self.frame() + 1);
        (!self.is_over()).then(|| next.saturating_sub(self.age))
    }

    /// Draws it on the cells of an area that have nothing on them, and not beside words. All of it follows from the seed.
    pub(super) fn draw(self, pen: &mut Pen<'_>, area: Rect, seed: &str) {
        if self.is_over() || area.is_empty() {
            return;
        }
        let number = seed.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let mut numbers = random::numbers(number);
        let mut draw = |below: u32| numbers.next().unwrap_or_default() % below;
        let (width, height) = (u32::from(area.width), u32::from(area.height));
        for _ in 0..width * height / CELLS_A_PIECE {
            let (column, delay) = (draw(width), draw(DELAY_MAX + 1));
            let fall = FALL.start() + draw(FALL.end() - FALL.start() + 1);
            let ((piece, tone), phase) = (PIECES[draw(PIECES.len() as u32) as usize], draw(4));
            let Some(age) = self.frame().checked_sub(delay) else { continue };
            let row = age * height / fall;
            // To the left and to the right, a step every third frame.
            let sway = [0, 1, 2, 1][((age / 3 + phase) % 4) as usize];
            let (x, y) = (column + sway, row);
            if x < width && y < height {
                // Both are less than a side.
                let (x, y) = (area.x + x as u16, area.y + y as u16);
                if !pen.is_beside_words(x, y) {
                    pen.on_empty(x, y, piece, tone);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_and_then_waits_for_nothing() {
        let mut confetti = Confetti::default();
        let mut frames = 0;
        while let Some(wait) = confetti.wait() {
            assert!(confetti.tick(wait), "each wait ends with another frame");
            frames += 1;
        }
        assert_eq!(frames, FRAMES);
        assert!(confetti.is_over() && !confetti.tick(Duration::from_secs(1_000_000)));
        assert_eq!(DELAY_MAX + FALL.end(), FRAMES, "nothing hangs in the air at the end");
    }
}
