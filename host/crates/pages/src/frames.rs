//! The screens' picture of a game for the report's pages.

use crate::replay::{Board, Cell, Look, Position};
use arena_referee::LogMoment;
use arena_tui::{Frame, Painted, Picture, Tone};

/// A position of a replay.
pub(super) fn position(frame: Frame) -> Position {
    let Frame { text, text_of, printed, boards, boards_seen, pictures, afloat, chance_of_first, heat } =
        frame;
    Position {
        text,
        text_of,
        printed: printed.map(|text| without_moments(&text)),
        boards: boards.map(board),
        boards_seen: boards_seen.map(board),
        pictures: pictures.map(|picture| picture.text()),
        afloat,
        chance_of_first,
        heat,
    }
}

/// A log of one turn, without the turn before each line. Its marks come last, because the board has them.
fn without_moments(log: &str) -> String {
    let text = |line| match LogMoment::of_line(line) {
        Some(_) => line.split_once(": ").map_or(line, |(_, text)| text),
        None => line,
    };
    let (marks, words): (Vec<_>, Vec<_>) = log.lines().map(text).partition(|line| line.starts_with("@mark "));
    [words, marks].concat().join("\n")
}

fn board(Picture { size, cells }: Picture) -> Board {
    Board { size, cells: cells.into_iter().map(cell).collect() }
}

fn cell(Painted { text, tone, is_last, mark }: Painted) -> Cell {
    let look = match tone {
        Tone::Faint => Look::Water,
        Tone::Ship => Look::Ship,
        Tone::Miss => Look::Miss,
        Tone::Hit => Look::Hit,
        Tone::Sunk => Look::Sunk,
        Tone::Last => Look::Left,
        Tone::Text | Tone::Strong | Tone::Key | Tone::Fault | Tone::Good | Tone::Cursor | Tone::Result => {
            Look::Plain
        }
    };
    Cell { text, look, is_last, mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_shown_without_its_turn_and_with_its_marks_last() {
        let log = "turn 7: @mark a7 0.8\nturn 7: turn 3: left\nno turn\nturn 7: @mark b1 0.2\nturn 7: @note column a\n";
        assert_eq!(without_moments(log), "turn 3: left\nno turn\n@note column a\n@mark a7 0.8\n@mark b1 0.2");
        assert_eq!(without_moments(""), "");
    }
}
