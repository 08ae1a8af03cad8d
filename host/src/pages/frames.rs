//! The screens' picture of a game for the report's pages.

use arena_report::{Board, Cell, Look, Position};
use arena_tui::{Frame, Painted, Picture, Tone};

/// A position of a replay.
pub(super) fn position(frame: Frame) -> Position {
    let Frame { text, text_of, printed, boards, boards_seen, afloat, chance_of_first, heat } = frame;
    Position {
        text,
        text_of,
        printed,
        boards: boards.map(board),
        boards_seen: boards_seen.map(board),
        afloat,
        chance_of_first,
        heat,
    }
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
