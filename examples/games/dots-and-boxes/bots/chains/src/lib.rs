//! A bot for Dots and Boxes that knows chains: it completes boxes, draws no third line around a box if it can, and otherwise gives away as
//! few boxes as possible.

use exports::games::dots_and_boxes::bot::{Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "chains".into()
    }

    fn play(seen: Observation) -> u8 {
        let (rows, columns) = (seen.rows.into(), seen.columns.into());
        let grid = Grid { rows, columns, lines: seen.lines.iter().map(|&line| line == 1).collect() };
        let free = (0..grid.lines.len()).filter(|&line| !grid.lines[line]);
        let line = grid.completing().or_else(|| free.min_by_key(|&line| grid.clone().given_away(line)));
        line.unwrap_or(0) as u8
    }
}

#[derive(Clone)]
struct Grid {
    rows: usize,
    columns: usize,
    lines: Vec<bool>,
}

impl Grid {
    /// A line that completes a box.
    fn completing(&self) -> Option<usize> {
        (0..self.rows * self.columns).find_map(|at| {
            let left =
                (self.rows + 1) * self.columns + at / self.columns * (self.columns + 1) + at % self.columns;
            let sides = [at, at + self.columns, left, left + 1];
            let mut free = sides.into_iter().filter(|&line| !self.lines[line]);
            free.next().filter(|_| free.next().is_none())
        })
    }

    /// The number of lines that the opponent can draw after this one before it has to draw one that completes no box.
    fn given_away(mut self, line: usize) -> usize {
        self.lines[line] = true;
        let mut count = 0;
        while let Some(line) = self.completing() {
            self.lines[line] = true;
            count += 1;
        }
        count
    }
}
