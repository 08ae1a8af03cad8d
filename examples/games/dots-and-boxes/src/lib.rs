//! Dots and Boxes for the arena: players draw lines between dots, and a player that completes a box moves again.
//!
//! The rules are in `grid.rs`. This file gives them to the arena, by the contract in `wit/`.

mod grid;
#[cfg(test)]
mod tests;

use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, ScoreRange, Scores, Seat,
    Setting, State, StateBorrow,
};
use exports::games::dots_and_boxes::moves::{Action, Effect, Guest as Moves, Observation};
use grid::Grid;
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Grid>);

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
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
            name: "dots-and-boxes".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![
                parameter("rows", "the number of rows of boxes", 3, 1, 6),
                parameter("columns", "the number of columns of boxes", 3, 1, 6),
                parameter("drawn", "the number of lines at the beginning, from the seed", 4, 0, 20),
            ],
            endings: vec![Ending { name: "complete".into(), text: "all boxes are complete".into() }],
            // Each turn draws a line.
            max_game_length: 2 * 6 * 7,
            turn_milliseconds: 1_000,
            // The boxes of each player.
            scores: Some(ScoreRange { minimum: 0, maximum: 6 * 6 }),
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the values, and gives them in the order of the parameters.
        let [rows, columns, drawn] = [0, 1, 2].map(|at| settings[at].value as usize);
        let grid = Grid::new(rows, columns, drawn, player(starter), seed);
        Ok(State::new(Play(RefCell::new(grid))))
    }

    /// The player that completed a box is the current player again.
    fn current_player(&self) -> Option<Seat> {
        let grid = self.0.borrow();
        (!grid.is_over()).then(|| seat(grid.player))
    }

    fn outcome(&self) -> Outcome {
        let grid = self.0.borrow();
        let [one, two] = [0, 1].map(|player| grid.score(player) as i64);
        Outcome { winner: grid.winner().map(seat), reason: "complete".into(), scores: Some(Scores { one, two }) }
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
        let (grid, viewer) = (of.get::<Play>().0.borrow(), player(viewer));
        Observation {
            rows: grid.rows as u8,
            columns: grid.columns as u8,
            lines: grid.lines.iter().map(|&is_drawn| is_drawn.into()).collect(),
            mine: grid.score(viewer) as u8,
            theirs: grid.score(1 - viewer) as u8,
        }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<Effect, Refusal> {
        let completed = to.get::<Play>().0.borrow_mut().draw(action.into());
        let refused = || Refusal::Retry(format!("line {action} is drawn already, or not there"));
        completed.map(|count| count as u8).ok_or_else(refused)
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let free = Self::legal_actions(of);
        free[(seed % free.len() as u64) as usize]
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        of.get::<Play>().0.borrow().free_lines().into_iter().map(|line| line as u8).collect()
    }
}
