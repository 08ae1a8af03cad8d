//! The short animation of a shot: a function of what was hit and of the number of a frame.

use super::{Emphasis, Grid};
use crate::tone::Tone;
use arena_rules::Coord;

/// The number of frames of an animation. Chosen: with the time that the screens take for each, a shot takes a third of a second.
pub const BLAST_FRAMES: u8 = 4;

/// The cells that the last turn struck, and what happened there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blast {
    /// Water was shot at.
    Splash(Coord),
    /// A ship was hit.
    Hit(Coord),
    /// A ship was sunk: the cell of the shot first, then the others that are known to be the ship's.
    Sunk(Vec<Coord>),
}

impl Blast {
    /// Draws one of its frames on a board, from 0 to [`BLAST_FRAMES`] - 1. After the last frame the board is unchanged.
    pub fn draw(&self, grid: &mut Grid, frame: u8) {
        let mut burst = |at: Coord, glyphs: [char; BLAST_FRAMES as usize], tones: [Tone; 2]| {
            let glyph = glyphs[usize::from(frame.min(BLAST_FRAMES - 1))];
            grid.put(at, glyph, tones[usize::from(frame % 2)]);
            grid.mark(at, Emphasis::Last);
        };
        match self {
            Self::Splash(at) => burst(*at, ['.', '°', 'o', 'O'], [Tone::Miss, Tone::Ship]),
            Self::Hit(at) => burst(*at, ['.', '+', '*', 'X'], [Tone::Last, Tone::Hit]),
            Self::Sunk(cells) => {
                for &at in cells {
                    burst(at, ['X', '*', '+', '#'], [Tone::Hit, Tone::Last]);
                }
            }
        }
    }
}
