//! Hex for the arena, with the swap rule: a turn is a stone, or the takeover of the opponent's first stone. The rules are in `board.rs`.
//! This file gives them to the arena, by the contract in `wit/`.

mod board;
#[cfg(test)]
mod tests;

use board::{Board, Side};
use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, Seat, Setting, State,
    StateBorrow,
};
use exports::games::hex::moves::{Action, Guest as Moves, Observation};
use games::hex::types::Cell;
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play {
    board: RefCell<Board>,
    starter: Seat,
}

impl Play {
    /// The seat of a player, as the starter connects the top to the bottom.
    fn seat(&self, of: Side) -> Seat {
        if (of == Side::Down) == (self.starter == Seat::One) { Seat::One } else { Seat::Two }
    }
}

fn cell(size: usize, at: usize) -> Cell {
    Cell { row: (at / size) as u8, column: (at % size) as u8 }
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        let parameter = |name: &str, help: &str, default, minimum, maximum| Parameter {
            name: name.into(),
            help: help.into(),
            default,
            minimum,
            maximum,
        };
        About {
            name: "hex".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![
                parameter("size", "the number of rows and of columns", 11, 2, 13),
                parameter("swap", "1 if the second turn may be a swap", 1, 0, 1),
                parameter(
                    "opening",
                    "1 if the first stone is there at the beginning, from the seed",
                    0,
                    0,
                    1,
                ),
            ],
            endings: vec![Ending { name: "connected".into(), text: "two sides are connected".into() }],
            // A stone for each cell, and a swap.
            max_game_length: 13 * 13 + 1,
            turn_milliseconds: 1_000,
            scores: None,
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the values, and gives them in the order of the parameters.
        let [size, swap, opening] = [0, 1, 2].map(|at| settings[at].value as usize);
        let mut board = Board::new(size, swap == 1);
        if opening == 1 {
            let cell = (seed % (size * size) as u64) as usize;
            board.place(cell / size, cell % size);
        }
        Ok(State::new(Play { board: RefCell::new(board), starter }))
    }

    fn current_player(&self) -> Option<Seat> {
        let board = self.board.borrow();
        board.winner.is_none().then(|| self.seat(board.player))
    }

    fn outcome(&self) -> Outcome {
        let winner = self.board.borrow().winner;
        Outcome { winner: winner.map(|side| self.seat(side)), reason: "connected".into(), scores: None }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    fn picture(&self, _viewer: Option<Seat>) -> String {
        self.board.borrow().picture()
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let play = of.get::<Play>();
        let board = play.board.borrow();
        let mine = if play.seat(Side::Down) == viewer { Side::Down } else { Side::Across };
        let sign = |stone: &Option<Side>| stone.map_or('.', |side| if side == mine { 'x' } else { 'o' });
        Observation {
            size: board.size as u8,
            connects_rows: mine == Side::Down,
            cells: board.cells.iter().map(sign).collect(),
            last: board.last.map(|at| cell(board.size, at)),
            may_swap: board.may_swap(),
        }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<(), Refusal> {
        let mut board = to.get::<Play>().board.borrow_mut();
        let is_legal = match action {
            Action::Place(Cell { row, column }) => board.place(row.into(), column.into()),
            Action::Swap => board.swap(),
        };
        let refusal = "a stone needs an empty cell, and a swap the second turn";
        if is_legal { Ok(()) } else { Err(Refusal::Retry(refusal.into())) }
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let board = of.get::<Play>().board.borrow();
        let number = board.empty_cells().count() + usize::from(board.may_swap());
        let stone = board.empty_cells().nth((seed % number as u64) as usize);
        stone.map_or(Action::Swap, |at| Action::Place(cell(board.size, at)))
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        let board = of.get::<Play>().board.borrow();
        let stones = board.cells.iter().enumerate().filter(|(_, stone)| stone.is_none());
        let stones = stones.map(|(at, _)| Action::Place(cell(board.size, at)));
        let mut legal = Vec::with_capacity(board.cells.len() + 1);
        stones.for_each(|stone| legal.push(stone));
        legal.extend(board.may_swap().then_some(Action::Swap));
        legal
    }

    fn picture_svg(of: StateBorrow<'_>, _viewer: Option<Seat>) -> String {
        of.get::<Play>().board.borrow().picture_svg()
    }
}
