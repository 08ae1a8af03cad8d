//! A bot for Hex that takes the board for an electric circuit (Anshelevich 2000): each player's stones conduct between its sides, empty
//! cells resist, and the opponent's stones insulate. It plays the cell with most of the current of both players together.

#[path = "../../../src/board.rs"]
#[allow(dead_code, reason = "the bot needs the neighbours of the rules only")]
mod board;

use board::neighbours;
use exports::games::hex::bot::{Action, Guest, Observation};
use games::hex::types::Cell;

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

/// The resistance of a stone, where that of an empty cell is 1. Chosen: with less, the voltages need more steps.
const STONE: f64 = 0.05;
/// The number of times that all voltages are computed from those around them. Chosen.
const STEPS: usize = 60;

impl Guest for Component {
    fn name() -> String {
        "current".into()
    }

    fn play(seen: Observation) -> Action {
        let size = usize::from(seen.size);
        let place =
            |cell: usize| Action::Place(Cell { row: (cell / size) as u8, column: (cell % size) as u8 });
        let is_near_a_side =
            |cell: Cell| [cell.row, cell.column].iter().any(|&at| at < 2 || at + 2 >= seen.size);
        match seen.last {
            // A first stone that is worth no swap.
            None => return place(size / 3 * size + size.min(2) - 1),
            Some(cell) if seen.may_swap && !is_near_a_side(cell) => return Action::Swap,
            _ => {}
        }
        let [mine, theirs] = [b'x', b'o'].map(|sign| currents(&seen, size, sign));
        let cells = seen.cells.as_bytes();
        let empty = (0..cells.len()).filter(|&cell| cells[cell] == b'.');
        let best = empty.max_by(|&one, &two| (mine[one] + theirs[one]).total_cmp(&(mine[two] + theirs[two])));
        place(best.unwrap_or(0))
    }
}

/// The share of the current between the two sides of a player that flows through each cell.
fn currents(seen: &Observation, size: usize, sign: u8) -> Vec<f64> {
    let cells = seen.cells.as_bytes();
    let resistance = |cell: usize| match cells[cell] {
        b'.' => Some(1.0),
        of if of == sign => Some(STONE),
        _ => None,
    };
    let depth = |cell: usize| if seen.connects_rows == (sign == b'x') { cell / size } else { cell % size };
    // The wires from each cell to others, with how well they conduct; and to its player's sides, by the voltage there.
    let wires: Vec<Vec<(f64, usize)>> = (0..cells.len())
        .map(|cell| {
            let others = neighbours(size, cell).into_iter().flatten();
            let wire = |other| Some((1.0 / (resistance(cell)? + resistance(other)?), other));
            others.filter_map(wire).collect()
        })
        .collect();
    let sides = |cell: usize| {
        let wire = resistance(cell).map_or(0.0, |it| 2.0 / it);
        let ends = [(depth(cell) == 0, 1.0), (depth(cell) == size - 1, 0.0)];
        ends.into_iter().filter_map(move |(is_there, voltage)| is_there.then_some((wire, voltage)))
    };
    let mut voltages: Vec<f64> =
        (0..cells.len()).map(|cell| 1.0 - depth(cell) as f64 / size as f64).collect();
    for step in 0..STEPS {
        for at in 0..voltages.len() {
            let cell = if step % 2 == 0 { at } else { voltages.len() - 1 - at };
            let all = wires[cell].iter().map(|&(wire, other)| (wire, voltages[other])).chain(sides(cell));
            let (flow, sum) =
                all.fold((0.0, 0.0), |(flow, sum), (wire, voltage)| (flow + wire * voltage, sum + wire));
            if sum > 0.0 {
                voltages[cell] = flow / sum;
            }
        }
    }
    let through = |cell: usize| {
        let all = wires[cell].iter().map(|&(wire, other)| (wire, voltages[other])).chain(sides(cell));
        all.map(|(wire, voltage)| wire * (voltages[cell] - voltage).abs()).sum::<f64>() / 2.0
    };
    let currents: Vec<f64> = (0..voltages.len()).map(through).collect();
    // All of it flows through the cells of each depth.
    let total: f64 = (0..currents.len()).filter(|&cell| depth(cell) == 0).map(|cell| currents[cell]).sum();
    currents.into_iter().map(|current| current / total.max(f64::MIN_POSITIVE)).collect()
}
