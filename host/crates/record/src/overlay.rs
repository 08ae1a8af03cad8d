//! Overlays: what a bot draws on its opponent's board, by lines in its log.
//!
//! | line | meaning |
//! | --- | --- |
//! | `@mark a7 0.8` | shades a cell by a number of 0 or more |
//! | `@shade 7 0 .2 - 1` | shades the cells of a row, from the first column on; `-` leaves one out |
//! | `@scale 1` | the number of the darkest shade; otherwise that of the turn's largest number |
//! | `@line a7 d7` | draws a line between two cells |
//! | `@text a7 x1` | writes one or two characters in a cell |
//! | `@note text` | writes a line below the board |
//!
//! The whole line must have this form. A wrong one draws nothing, and stays a line of the log: [`wrong_lines`] says what is wrong with it.

mod line;

use crate::spot;
use arena_referee::LogMoment;
use arena_rules::{Coord, Seat, Size};
use line::{Drawn, drawn};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The largest number of cells that a turn shades, and of those that it writes in. Chosen: all cells of the largest board, 32 by 32.
const CELLS_MAX: usize = 1_024;

/// The largest number of lines that a turn draws. Chosen: more cannot be told apart.
const LINES_MAX: usize = 64;

/// The longest note, in characters. Chosen: it fits below a board on a wide terminal.
const NOTE_CHARS_MAX: usize = 120;

/// The drawings of a bot in one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// The number of each shaded cell, by the index of the cell on the board.
    numbers: BTreeMap<usize, f64>,
    /// The text in each cell, by its index.
    texts: BTreeMap<usize, String>,
    lines: Vec<[Coord; 2]>,
    scale: Option<f64>,
    note: Option<String>,
}

impl Overlay {
    /// The overlay in a bot's output of a turn, on a board of this size. Of two numbers, texts or notes for one place, the later counts.
    pub fn of(printed: &str, size: Size) -> Self {
        let mut overlay = Self::default();
        // A log in a file begins each line with its turn.
        let texts = printed.lines().map(|line| LogMoment::split(line).1);
        Pen::default().draw(&mut overlay, texts, size, |_, _| {});
        overlay
    }

    /// The note.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The lines, each from a cell to another one.
    pub fn lines(&self) -> &[[Coord; 2]] {
        &self.lines
    }

    /// The text in a cell, by its index on the board: one or two visible characters of ASCII.
    pub fn text(&self, index: usize) -> Option<&str> {
        self.texts.get(&index).map(String::as_str)
    }

    /// The shade of each shaded cell, by its index on the board: the tenths of the scale, from 0 to 9.
    pub fn shades(&self) -> BTreeMap<usize, u8> {
        let full = self.scale.unwrap_or_else(|| self.numbers.values().copied().fold(0.0, f64::max));
        self.numbers.iter().map(|(&index, &number)| (index, tenths_of(number, full))).collect()
    }

    /// True if nothing is drawn.
    pub fn is_empty(&self) -> bool {
        *self == Self { scale: self.scale, ..Self::default() }
    }

    /// The overlay of a seat's turn for a program. Cells are rows and columns.
    pub fn json(&self, seat: Seat, turn: u32, size: Size) -> Value {
        let cell = |at: Coord| [at.row, at.column];
        let at = |&index: &usize| cell(size.coord(index));
        let shades = self.shades();
        let cells = self
            .numbers
            .iter()
            .map(|(index, number)| json!({ "cell": at(index), "number": number, "shade": shades[index] }));
        json!({
            "seat": seat,
            "turn": turn,
            "cells": cells.collect::<Value>(),
            "texts": self.texts.iter().map(|(index, text)| json!({ "cell": at(index), "text": text })).collect::<Value>(),
            "lines": self.lines.iter().map(|ends| ends.map(cell)).collect::<Vec<_>>(),
            "note": self.note,
        })
    }
}

/// The numbers of shaded and written cells of a turn so far.
#[derive(Default)]
struct Pen {
    numbers: usize,
    texts: usize,
}

impl Pen {
    /// Draws the lines of a turn, and passes each wrong one on with its problem.
    fn draw<'a>(
        &mut self,
        overlay: &mut Overlay,
        texts: impl Iterator<Item = &'a str>,
        size: Size,
        mut wrong: impl FnMut(&'a str, String),
    ) {
        for text in texts {
            let result = match drawn(text, size) {
                None => Ok(()),
                Some(Err(problem)) => Err(problem),
                Some(Ok(drawn)) => self.put(overlay, drawn, size),
            };
            if let Err(problem) = result {
                wrong(text, problem);
            }
        }
    }

    /// Adds what a line draws, unless the turn has drawn too much.
    fn put(&mut self, overlay: &mut Overlay, drawn: Drawn, size: Size) -> Result<(), String> {
        let room = |count: &mut usize, more: usize, max: usize, what: &str| {
            *count += more;
            if *count <= max { Ok(()) } else { Err(format!("a turn has at most {max} {what}")) }
        };
        match drawn {
            Drawn::Numbers(cells) => {
                room(&mut self.numbers, cells.len(), CELLS_MAX, "shaded cells")?;
                overlay
                    .numbers
                    .extend(cells.into_iter().filter_map(|(at, number)| Some((size.index(at)?, number))));
            }
            Drawn::Text(at, text) => {
                room(&mut self.texts, 1, CELLS_MAX, "texts in cells")?;
                overlay.texts.extend(size.index(at).map(|index| (index, text)));
            }
            Drawn::Line(ends) => {
                room(&mut overlay.lines.len(), 1, LINES_MAX, "lines")?;
                overlay.lines.push(ends);
            }
            Drawn::Scale(scale) => overlay.scale = Some(scale),
            Drawn::Note(note) => overlay.note = Some(note.chars().take(NOTE_CHARS_MAX).collect()),
        }
        Ok(())
    }
}

/// A line of a log that begins as one of an overlay, and draws nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// Its moment; `None` when the log has none before it.
    pub moment: Option<LogMoment>,
    /// The line as the bot printed it: untrusted text.
    pub text: String,
    /// The mistake in it, which may quote a part of the line: untrusted text.
    pub problem: String,
    /// A right line for this board.
    pub example: String,
}

/// The wrong lines of overlays in a bot's log of a game on a board of this size, in order.
pub fn wrong_lines(log: &str, size: Size) -> Vec<WrongLine> {
    let lines: Vec<_> = log.lines().map(LogMoment::split).collect();
    let mut found = Vec::new();
    for turn in lines.chunk_by(|one, other| one.0 == other.0) {
        let moment = turn[0].0;
        let texts = turn.iter().map(|(_, text)| *text);
        Pen::default().draw(&mut Overlay::default(), texts, size, |text, problem| {
            let example = line::example(text, size);
            found.push(WrongLine { moment, text: text.to_owned(), problem, example });
        });
    }
    found
}

/// True if a line, without its moment, draws on the board, or would if it were right. A note is text and not drawn.
pub fn is_drawing(text: &str) -> bool {
    line::word(text).is_some_and(|word| word != line::Word::Note)
}

/// A part in whole tenths of a whole, from 0 to 9.
pub fn tenths_of(part: f64, whole: f64) -> u8 {
    // A little more, so that two tenths of 0.1 are not 1.999….
    if whole > 0.0 { ((part / whole * 10.0 + 1e-9) as u8).min(9) } else { 0 }
}

#[cfg(test)]
mod tests;
