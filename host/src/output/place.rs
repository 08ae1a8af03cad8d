//! The figures of `arena bench --place`: how well a bot hides its ships, by the shots that others need to find them.

use super::compare::{self, Difference};
use super::solo::{self, Failed, SoloOutput};
use arena_experiments::boards::{BoardResult, Placed};
use arena_players::{Contestant, Plan};
use arena_record::Name;
use arena_rules::Game;
use arena_text::{Json, Text, counted, table};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The figures of a bot's fleets: those of shooters that cleared boards with them, next to boards with drawn fleets.
#[derive(Debug)]
pub struct PlaceOutput<'a> {
    plan: &'a Plan,
    placer: &'a Contestant,
    boards: usize,
    /// The number of fleets that were placed.
    placed: usize,
    /// The number of different ones among them.
    different: usize,
    failed: Vec<Failed<'a>>,
    shooters: Vec<Shooter<'a>>,
}

/// The figures of a shooter.
#[derive(Debug)]
struct Shooter<'a> {
    at_drawn: SoloOutput<'a>,
    at_placed: SoloOutput<'a>,
    difference: Difference,
}

impl<'a> PlaceOutput<'a> {
    /// The figures of these fleets of a bot. Each shooter has its boards with drawn fleets, and then those with fleets of the
    /// bot.
    pub fn new<G: Game>(
        plan: &'a Plan,
        placer: &'a Contestant,
        fleets: &'a [BoardResult<Placed<G>>],
        shooters: &'a [Contestant],
        played: &'a [[Vec<BoardResult>; 2]],
    ) -> Self {
        let placed = fleets.iter().filter_map(|board| board.result.as_ref().ok());
        let different: BTreeSet<String> =
            placed.clone().map(|fleet| json!(fleet.deployment()).to_string()).collect();
        let shooter = |(shooter, [drawn, placed]): (&'a Contestant, &'a [Vec<BoardResult>; 2])| Shooter {
            at_drawn: SoloOutput::new(shooter, plan, drawn),
            at_placed: SoloOutput::new(shooter, plan, placed),
            difference: Difference::between(drawn, placed),
        };
        Self {
            plan,
            placer,
            boards: fleets.len(),
            placed: placed.count(),
            different: different.len(),
            failed: solo::failed(fleets),
            shooters: shooters.iter().zip(played).map(shooter).collect(),
        }
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let (conditions, label) = (&self.plan.conditions, &self.placer.id.label);
        let title = format!(
            "fleets of {label} on {} of {}, {} different, rules `{}`{}\nseed {}",
            self.placed,
            counted(self.boards, "board"),
            self.different,
            Name::new(conditions.rules.name()),
            conditions.rules.on_board(),
            conditions.seed
        );
        let of_placer = format!("fleets of {label}");
        let header = ["shooter", "drawn fleets", "±", &of_placer, "±", "difference", "±"];
        let rows = self.shooters.iter().map(Shooter::cells);
        let mut lines = vec![title, String::new(), table(&header, &[0], rows)];
        lines.extend(self.failed.iter().map(|failed| format!("{label}, placing, {}", failed.line())));
        for Shooter { at_drawn, at_placed, .. } in &self.shooters {
            let shooter = &at_drawn.contestant.id.label;
            lines.extend(at_drawn.failures().map(|line| format!("{shooter}, at drawn fleets, {line}")));
            lines.extend(at_placed.failures().map(|line| format!("{shooter}, at fleets of {label}, {line}")));
        }
        lines.push(String::new());
        lines.push(
            "mean shots to clear a board: the more, the better the ships are hidden; ±: half the 95 % interval".into(),
        );
        lines.join("\n").into()
    }

    /// The document for a program.
    pub fn json(&self) -> Json {
        let conditions = &self.plan.conditions;
        let shooter = |shooter: &Shooter<'_>| {
            let figures = json!({
                "drawn": shooter.at_drawn.figures(),
                "placed": shooter.at_placed.figures(),
                "difference": shooter.difference.figures(),
            });
            solo::with(solo::identity(shooter.at_drawn.contestant), figures)
        };
        let placer = json!({ "placed": self.placed, "different": self.different, "failed": self.failed });
        Json::pretty(&json!({
            "rules": conditions.rules,
            "seed": conditions.seed,
            "boards": self.boards,
            "placer": solo::with(solo::identity(self.placer), placer),
            "shooters": self.shooters.iter().map(shooter).collect::<Value>(),
        }))
    }
}

impl Shooter<'_> {
    fn cells(&self) -> Vec<String> {
        let bot = self.at_drawn.contestant.id.label.to_string();
        let means = [&self.at_drawn, &self.at_placed].map(compare::mean_cells);
        let figures = means.into_iter().chain([self.difference.cells()]).flatten();
        [bot].into_iter().chain(figures).collect()
    }
}
