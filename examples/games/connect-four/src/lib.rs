//! Connect Four for the arena: two players drop discs into columns, and four in a row win.
//!
//! The rules are in `board.rs`. This file gives them to the arena, by the contract in `wit/`.

mod board;
#[cfg(test)]
mod tests;

use board::Board;
use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, Seat, Setting, State,
    StateBorrow,
};
use exports::games::connect_four::moves::{Action, Effect, Guest as Moves, Observation};
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Board>);

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

fn parameter(name: &str, help: &str, default: i64) -> Parameter {
    Parameter { name: name.into(), help: help.into(), default, minimum: 4, maximum: 12 }
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        let ending = |name: &str, text: &str| Ending { name: name.into(), text: text.into() };
        About {
            name: "connect-four".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![
                parameter("columns", "the number of columns", 7),
                parameter("rows", "the number of rows", 6),
            ],
            endings: vec![ending("four", "four in a row"), ending("full", "the board is full")],
            max_game_length: 12 * 12,
            turn_milliseconds: 1_000,
            scores: None,
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, _seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the values, and gives them in the order of the parameters.
        let [columns, rows] = [0, 1].map(|at| settings[at].value as usize);
        Ok(State::new(Play(RefCell::new(Board::new(columns, rows, player(starter))))))
    }

    fn current_player(&self) -> Option<Seat> {
        let board = self.0.borrow();
        board.end.is_none().then(|| seat(board.player))
    }

    fn outcome(&self) -> Outcome {
        let winner = self.0.borrow().end.flatten();
        let reason = if winner.is_some() { "four" } else { "full" };
        Outcome { winner: winner.map(seat), reason: reason.into(), scores: None }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    fn picture(&self, _viewer: Option<Seat>) -> String {
        self.0.borrow().picture()
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let board = of.get::<Play>().0.borrow();
        let code =
            |disc: &Option<usize>| disc.map_or('.', |disc| if disc == player(viewer) { 'x' } else { 'o' });
        Observation {
            discs: board.cells.iter().flatten().count() as u32,
            columns: board.columns as u8,
            rows: board.rows as u8,
            board: board.cells.iter().map(code).collect(),
        }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<Effect, Refusal> {
        let row = to.get::<Play>().0.borrow_mut().drop_disc(action.into());
        row.map(|row| row as u8).ok_or_else(|| Refusal::Retry(format!("column {action} is full or missing")))
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let columns = of.get::<Play>().0.borrow().free_columns();
        columns[(seed % columns.len() as u64) as usize]
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        of.get::<Play>().0.borrow().free_columns()
    }
}
