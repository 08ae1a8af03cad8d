//! For benchmarks only: a bot as a process that answers JSON lines over pipes, the alternative to a sandbox.
//!
//! A call is a line on standard input, its answer a line on standard output. Each bot in `src/bin` is a program.
#![warn(missing_docs)]

use arena_rules::Size;
use arena_rules::battleship::{self, GameInfo, Mark, OwnCell};
use arena_sdk::battleship::{Bot, Game, View};
use arena_sdk::{Coord, Grid};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// A call: of `play`, or of `deploy` if there is no view.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call {
    /// The facts of the game.
    pub game: GameLine,
    /// The state of the game at a turn.
    pub view: Option<ViewLine>,
}

/// The facts of a game, as in the contract.
#[derive(Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the contract")]
pub struct GameLine {
    pub width: u8,
    pub height: u8,
    pub fleet: Vec<u8>,
    pub may_touch: bool,
    pub sinkings_announced: bool,
    pub turns_max: u32,
    pub fuel_per_turn: u64,
    pub seed: u64,
}

/// The state of a game, as in the contract, with a board as a text of one character a cell.
#[derive(Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the contract")]
pub struct ViewLine {
    pub turn: u32,
    pub board: String,
    pub attacks: String,
    pub last_spot: Option<Coord>,
    pub my_last: Option<Coord>,
    pub retry: bool,
    pub ships_remaining: Option<Vec<u8>>,
}

impl From<&GameInfo> for GameLine {
    fn from(game: &GameInfo) -> Self {
        Self {
            width: game.size.width,
            height: game.size.height,
            fleet: game.fleet.clone(),
            may_touch: game.may_touch,
            sinkings_announced: game.sinkings_announced,
            turns_max: game.turns_max,
            fuel_per_turn: game.fuel_per_turn,
            seed: game.seed,
        }
    }
}

impl From<&battleship::View> for ViewLine {
    fn from(view: &battleship::View) -> Self {
        let own = |cell: &OwnCell| match cell {
            OwnCell::Water => '.',
            OwnCell::Ship => 'S',
            OwnCell::Missed => 'o',
            OwnCell::Hit => 'X',
        };
        let mark = |mark: &Mark| match mark {
            Mark::Unknown => '.',
            Mark::Miss => 'o',
            Mark::Hit => 'X',
        };
        Self {
            turn: view.turn,
            board: view.board.iter().map(own).collect(),
            attacks: view.attacks.iter().map(mark).collect(),
            last_spot: view.last_spot,
            my_last: view.my_last,
            retry: view.retry,
            ships_remaining: view.ships_remaining.clone(),
        }
    }
}

impl From<GameLine> for Game {
    fn from(line: GameLine) -> Self {
        let GameLine { width, height, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed } =
            line;
        let size = Size::new(width, height);
        Self { size, fleet, may_touch, sinkings_announced, turns_max, fuel_per_turn, seed }
    }
}

impl ViewLine {
    /// The view on a board of this size. A character that is not known stands for an empty cell.
    fn view(self, size: Size) -> View {
        let own = |symbol| match symbol {
            'S' => OwnCell::Ship,
            'o' => OwnCell::Missed,
            'X' => OwnCell::Hit,
            _ => OwnCell::Water,
        };
        let mark = |symbol| match symbol {
            'o' => Mark::Miss,
            'X' => Mark::Hit,
            _ => Mark::Unknown,
        };
        View {
            turn: self.turn,
            board: Grid::from_cells(size, self.board.chars().map(own).collect()),
            attacks: Grid::from_cells(size, self.attacks.chars().map(mark).collect()),
            last_spot: self.last_spot,
            my_last: self.my_last,
            retry: self.retry,
            ships_remaining: self.ships_remaining,
        }
    }
}

/// Answers the calls on standard input with a bot, until there are no more.
///
/// # Errors
/// A line that is not a call, or a pipe that is closed.
pub fn serve<B: Bot>() -> io::Result<()> {
    let mut bot = B::default();
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Call { game, view } = serde_json::from_str(&line?)?;
        let game = Game::from(game);
        let mut answer = match view {
            None => serde_json::to_vec(&bot.deploy(&game))?,
            Some(view) => serde_json::to_vec(&bot.play(&game, &view.view(game.size)))?,
        };
        answer.push(b'\n');
        answers.write_all(&answer)?;
        answers.flush()?;
    }
    Ok(())
}
