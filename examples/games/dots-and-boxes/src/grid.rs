//! The rules, in plain Rust: this file knows nothing of the arena, and its tests run without WebAssembly.

/// A game. Players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
    /// True for each line that is drawn. Lines across come first, then lines down, each row by row.
    pub lines: Vec<bool>,
    /// The player that has completed each box, row by row.
    pub boxes: Vec<Option<usize>>,
    pub player: usize,
}

impl Grid {
    /// A grid on which this number of lines, drawn from the seed, is there already, as far as they complete no box.
    pub fn new(rows: usize, columns: usize, drawn: usize, player: usize, mut seed: u64) -> Self {
        let lines = vec![false; (rows + 1) * columns + rows * (columns + 1)];
        let mut grid = Self { rows, columns, lines, boxes: vec![None; rows * columns], player };
        for _ in 0..drawn {
            let mut free = grid.free_lines();
            free.retain(|&line| grid.completed_by(line).is_empty());
            if free.is_empty() {
                break;
            }
            let line = free[(random(&mut seed) % free.len() as u64) as usize];
            grid.lines[line] = true;
        }
        grid
    }

    pub fn free_lines(&self) -> Vec<usize> {
        (0..self.lines.len()).filter(|&line| !self.lines[line]).collect()
    }

    pub fn is_over(&self) -> bool {
        self.boxes.iter().all(Option::is_some)
    }

    /// The number of boxes that a player has completed.
    pub fn score(&self, player: usize) -> usize {
        self.boxes.iter().filter(|&&owner| owner == Some(player)).count()
    }

    /// The player with more boxes.
    pub fn winner(&self) -> Option<usize> {
        [0, 1].into_iter().find(|&player| self.score(player) > self.score(1 - player))
    }

    /// Draws a line, and returns the number of boxes that it completes; `None` if it is drawn already, or not there. The player moves
    /// again after a box.
    pub fn draw(&mut self, line: usize) -> Option<usize> {
        if *self.lines.get(line)? {
            return None;
        }
        let completed = self.completed_by(line);
        self.lines[line] = true;
        completed.iter().for_each(|&at| self.boxes[at] = Some(self.player));
        if completed.is_empty() {
            self.player = 1 - self.player;
        }
        Some(completed.len())
    }

    /// The boxes that a line completes which is not drawn.
    fn completed_by(&self, line: usize) -> Vec<usize> {
        let is_complete = |&at: &usize| {
            let sides = self.sides(at);
            sides.contains(&line) && sides.iter().all(|&side| side == line || self.lines[side])
        };
        (0..self.boxes.len()).filter(is_complete).collect()
    }

    /// The lines around a box: above, below, left and right.
    fn sides(&self, at: usize) -> [usize; 4] {
        let (row, column) = (at / self.columns, at % self.columns);
        let left = (self.rows + 1) * self.columns + row * (self.columns + 1) + column;
        [at, at + self.columns, left, left + 1]
    }

    pub fn picture(&self) -> String {
        let mut text = String::new();
        for row in 0..=self.rows {
            for column in 0..self.columns {
                text += if self.lines[row * self.columns + column] { "+---" } else { "+   " };
            }
            text += "+\n";
            for column in 0..=self.columns {
                if row == self.rows {
                    break;
                }
                let down = (self.rows + 1) * self.columns + row * (self.columns + 1) + column;
                text += if self.lines[down] { "|" } else { " " };
                if column < self.columns {
                    let owner = self.boxes[row * self.columns + column];
                    text += &owner.map_or("   ".into(), |owner| format!(" {} ", owner + 1));
                }
            }
            text += "\n";
        }
        format!("{}\nseat 1: {}, seat 2: {}", text.trim_end(), self.score(0), self.score(1))
    }
}

/// The next number of the generator SplitMix64 (Steele, Lea and Flood 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
