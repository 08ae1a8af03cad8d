//! The short animation of a shot: a function of what was hit and of the number of a frame.

use super::{Emphasis, Grid};
use crate::tone::Tone;
use arena_rules::Coord;

/// The number of frames of a shot. Chosen: with the time that the screens take for each, a shot takes a quarter of a second.
const SHOT_FRAMES: u8 = 4;

/// The number of frames of a sinking. Chosen: half a second, in which the fire runs along the ship and a wave goes out from it.
const SINKING_FRAMES: u8 = 8;

/// The frame of a sinking in which the wave begins. Chosen: the fire is at the other end of the longest usual ship.
const WAVE_FROM: u8 = 4;

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
    /// The number of its frames.
    pub const fn frames(&self) -> u8 {
        match self {
            Self::Splash(_) | Self::Hit(_) => SHOT_FRAMES,
            Self::Sunk(_) => SINKING_FRAMES,
        }
    }

    /// Draws one of its [frames](Self::frames) on a board, from 0. After the last frame the board is unchanged.
    pub fn draw(&self, grid: &mut Grid, frame: u8) {
        let frame = frame.min(self.frames() - 1);
        let mut burst = |at: Coord, glyphs: [char; SHOT_FRAMES as usize], tones: [Tone; 2]| {
            grid.put(at, glyphs[usize::from(frame)], tones[usize::from(frame % 2)]);
            grid.mark(at, Emphasis::Last);
        };
        match self {
            Self::Splash(at) => burst(*at, ['.', '°', 'o', 'O'], [Tone::Miss, Tone::Ship]),
            Self::Hit(at) => burst(*at, ['.', '+', '*', 'X'], [Tone::Last, Tone::Hit]),
            Self::Sunk(cells) => sink(cells, grid, frame),
        }
    }
}

/// Draws a frame of a sinking: fire runs from the shot along the ship, which goes down behind it, and a wave goes out over the water
/// around the ship.
fn sink(cells: &[Coord], grid: &mut Grid, frame: u8) {
    let Some(&shot) = cells.first() else { return };
    for &at in cells {
        let (glyph, tone) = match frame.checked_sub(distance(shot, at)) {
            _ if frame + 1 == SINKING_FRAMES => ('#', Tone::Sunk),
            None => ('X', Tone::Hit),
            Some(1) => ('+', Tone::Hit),
            Some(0 | 2) => ('*', Tone::Last),
            Some(_) => ('#', Tone::Sunk),
        };
        grid.put(at, glyph, tone);
        grid.mark(at, Emphasis::Last);
    }
    let Some(age) = frame.checked_sub(WAVE_FROM) else { return };
    for at in grid.size.coords() {
        let from_ship = cells.iter().map(|&cell| distance(cell, at)).min();
        // What lies on the water stays to be seen.
        let is_water = grid.cell(at).is_some_and(|cell| matches!(cell.text[0], '·' | '-'));
        if is_water && from_ship == Some(1 + age / 2) {
            grid.put(at, '°', Tone::Ship);
        }
    }
}

/// The distance of two cells in steps, of which one may be diagonal.
fn distance(a: Coord, b: Coord) -> u8 {
    a.row.abs_diff(b.row).max(a.column.abs_diff(b.column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Size;

    /// The frames of a blast on a board of water with a miss.
    fn frames(blast: &Blast) -> Vec<String> {
        let of = |frame| {
            let miss = Coord::new(1, 4);
            let mut grid = Grid::of_glyphs(Size::new(7, 3), |at| {
                if at == miss { ('o', Tone::Miss) } else { ('·', Tone::Faint) }
            });
            blast.draw(&mut grid, frame);
            let rows = (0..3).map(|row| {
                (0..7).map(|column| grid.cell(Coord::new(row, column)).unwrap().text[0]).collect::<String>()
            });
            rows.collect::<Vec<_>>().join(" ")
        };
        (0..blast.frames()).map(of).collect()
    }

    #[test]
    fn a_sinking_runs_along_the_whole_ship_and_over_the_water_around_it() {
        let ship = [2, 1, 3].map(|column| Coord::new(1, column));
        assert_eq!(
            frames(&Blast::Sunk(ship.into())),
            [
                "······· ·X*Xo·· ·······",
                "······· ·*+*o·· ·······",
                "······· ·+*+o·· ·······",
                "······· ·*#*o·· ·······",
                "°°°°°·· °###o·· °°°°°··",
                "°°°°°·· °###o·· °°°°°··",
                "·····°· ·###o°· ·····°·",
                "·····°· ·###o°· ·····°·",
            ]
        );
    }

    #[test]
    fn a_shot_is_on_its_own_cell_and_the_last_frame_of_a_sinking_is_the_sunk_ship_however_long_it_is() {
        for blast in [Blast::Splash(Coord::new(0, 0)), Blast::Hit(Coord::new(0, 0))] {
            let frames = frames(&blast);
            assert_eq!(frames.len(), 4);
            let is_one_cell = |frame: &String| frame.chars().skip(1).eq("······ ····o·· ·······".chars());
            assert!(frames.iter().all(is_one_cell), "{frames:?}");
        }
        let ship = (0..7).map(|column| Coord::new(0, column)).collect();
        assert!(frames(&Blast::Sunk(ship)).last().unwrap().starts_with("####### "));
    }
}
