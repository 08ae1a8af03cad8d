//! A bot for Dots and Boxes that completes a box if it can, and otherwise draws the first line that is not there.

use exports::games::dots_and_boxes::bot::{Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "taker".into()
    }

    fn play(seen: Observation) -> u8 {
        let (rows, columns) = (usize::from(seen.rows), usize::from(seen.columns));
        let is_free = |line: &usize| seen.lines[*line] == 0;
        let last_line = |at: usize| {
            let left = (rows + 1) * columns + at / columns * (columns + 1) + at % columns;
            let mut free = [at, at + columns, left, left + 1].into_iter().filter(is_free);
            free.next().filter(|_| free.next().is_none())
        };
        let line = (0..rows * columns).find_map(last_line);
        line.or_else(|| (0..seen.lines.len()).find(is_free)).unwrap_or(0) as u8
    }
}
