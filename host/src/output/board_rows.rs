//! The results of `arena bench` on each board, as comma-separated values or as lines of JSON.

use super::csv::{cell, csv};
use arena_experiments::boards::BoardResult;
use arena_players::Contestant;
use arena_record::Label;
use arena_referee::Fault;
use arena_text::{Json, Text};
use serde_json::json;

/// A line for each bot and board, in the order in which they were played.
#[derive(Debug, Default)]
pub struct BoardRows<'a>(Vec<Row<'a>>);

/// A board that a bot played.
#[derive(Debug)]
struct Row<'a> {
    bot: &'a Label,
    board: u32,
    /// The random seed of the fleet.
    seed: u64,
    shots: Option<u32>,
    fuel: Option<u64>,
    fault: Option<Fault>,
}

impl<'a> BoardRows<'a> {
    /// Adds the boards of a bot. `seed` returns the random seed of the board with a number.
    pub fn add(&mut self, bot: &'a Contestant, boards: &[BoardResult], seed: impl Fn(u32) -> u64) {
        self.0.extend(boards.iter().map(|board| Row {
            bot: &bot.id.label,
            board: board.number,
            seed: seed(board.number),
            shots: board.result.as_ref().ok().map(|cleared| cleared.shots),
            fuel: board.result.as_ref().ok().map(|cleared| cleared.fuel),
            fault: board.result.as_ref().err().cloned(),
        }));
    }

    /// The rows as comma-separated values, in parts.
    pub fn csv(&self) -> Vec<Text> {
        let header = ["bot", "board", "seed", "shots", "fuel", "fault", "detail"];
        let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let rows = self.0.iter().map(|row| {
            vec![
                cell(row.bot),
                row.board.to_string(),
                format!("{:016x}", row.seed),
                number(row.shots.map(u64::from)),
                number(row.fuel),
                row.fault.as_ref().map_or(String::new(), |fault| fault.class.to_string()),
                row.fault.as_ref().map_or(String::new(), |fault| cell(&fault.detail)),
            ]
        });
        csv(&header, rows)
    }

    /// The rows as lines of JSON.
    pub fn jsonl(&self) -> impl Iterator<Item = Json> {
        self.0.iter().map(|row| {
            Json::line(&json!({
                "bot": row.bot,
                "board": row.board,
                "seed": format!("{:016x}", row.seed),
                "shots": row.shots,
                "fuel": row.fuel,
                "fault": row.fault.as_ref().map(|fault| fault.class),
                "detail": row.fault.as_ref().map(|fault| &fault.detail),
            }))
        })
    }
}
