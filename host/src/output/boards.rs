//! The results of `arena bench`: the figures of a bot, or of several next to each other, and each board in a line.

use super::Output;
use super::compare::CompareOutput;
use super::csv::{cell, csv};
use super::solo::SoloOutput;
use arena_experiments::boards::BoardResult;
use arena_players::{Contestant, Plan};
use arena_record::BoardSeeds;
use arena_text::{Json, Text};
use serde::Serialize;
use serde_json::json;

/// The boards that bots have played, in this order.
#[derive(Clone, Copy, Debug)]
pub struct BoardsOutput<'a> {
    /// The rules and the seed.
    pub plan: &'a Plan,
    /// The bots.
    pub bots: &'a [Contestant],
    /// The boards of each bot.
    pub played: &'a [Vec<BoardResult>],
}

impl<'a> BoardsOutput<'a> {
    /// Each board of each bot, with the random seed of its fleets.
    fn each(&self) -> impl Iterator<Item = (&'a Contestant, &'a BoardResult, String)> {
        let seeds = |board: u32| BoardSeeds::new(self.plan.digest, self.plan.seed.seed, board);
        self.bots.iter().zip(self.played).flat_map(move |(bot, boards)| {
            boards.iter().map(move |board| (bot, board, format!("{:016x}", seeds(board.number).fleets)))
        })
    }
}

impl Output for BoardsOutput<'_> {
    fn text(&self) -> Text {
        match (self.bots, self.played) {
            ([bot], [played]) => SoloOutput::new(bot, self.plan, played).text(),
            (bots, played) => CompareOutput::new(bots, self.plan, played).text(),
        }
    }

    fn json(&self) -> impl Serialize {
        match (self.bots, self.played) {
            ([bot], [played]) => SoloOutput::new(bot, self.plan, played).json(),
            (bots, played) => CompareOutput::new(bots, self.plan, played).json(),
        }
    }

    fn csv(&self) -> Vec<Text> {
        let header = ["bot", "board", "seed", "shots", "fuel", "fault", "detail"];
        let rows = self.each().map(|(bot, board, seed)| {
            let [shots, fuel, fault, detail] = match &board.result {
                Ok(cleared) => {
                    [cleared.shots.to_string(), cleared.fuel.to_string(), String::new(), String::new()]
                }
                Err(fault) => [String::new(), String::new(), fault.class.to_string(), cell(&fault.detail)],
            };
            vec![cell(&bot.id.label), board.number.to_string(), seed, shots, fuel, fault, detail]
        });
        csv(&header, rows)
    }

    fn jsonl(&self) -> impl Iterator<Item = Json> {
        self.each().map(|(bot, board, seed)| {
            let (cleared, fault) = (board.result.as_ref().ok(), board.result.as_ref().err());
            Json::line(&json!({
                "bot": bot.id.label,
                "board": board.number,
                "seed": seed,
                "shots": cleared.map(|cleared| cleared.shots),
                "fuel": cleared.map(|cleared| cleared.fuel),
                "fault": fault.map(|fault| fault.class),
                "detail": fault.map(|fault| &fault.detail),
            }))
        })
    }
}
