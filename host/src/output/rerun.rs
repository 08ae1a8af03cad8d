//! The report of `arena rerun`: the turns in which a bot decides differently than recorded.

use super::Output;
use arena_experiments::rerun::{AskedTurn, TurnDecision};
use arena_record::BotId;
use arena_rules::Seat;
use arena_text::{RecordingName, Text, counted, table};
use serde::Serialize;
use serde_json::{Value, json};

/// The report of a rerun.
#[derive(Clone, Copy, Debug)]
pub struct RerunOutput<'a> {
    /// The name of the recording.
    pub recording: &'a RecordingName,
    /// The seat that was asked again.
    pub seat: Seat,
    /// The bot that had the seat.
    pub recorded: &'a BotId,
    /// The bot that was asked.
    pub bot: &'a BotId,
    /// The turns.
    pub asked: &'a [AskedTurn],
    /// The one turn to be shown in full, with the boards before it, if one was asked for.
    pub shown: Option<(&'a AskedTurn, &'a str)>,
}

impl RerunOutput<'_> {
    fn differing(&self) -> impl Iterator<Item = &AskedTurn> {
        self.asked.iter().filter(|asked| asked.differs)
    }

    /// A table of the turns that differ; `None` when no turn does.
    fn differences(&self) -> Option<String> {
        let rows = self.differing().map(|asked| {
            vec![
                turn(asked),
                asked.recorded.text.to_string(),
                fuel(&asked.recorded),
                asked.now.text.to_string(),
                fuel(&asked.now),
            ]
        });
        let header = ["turn", "recorded", "fuel", "now", "fuel"];
        self.differing().next().map(|_| table(&header, &[1, 3], rows))
    }

    fn summary(&self) -> String {
        let differing = self.differing().count();
        let turns = counted(self.asked.len(), "decision");
        let sum = |of: fn(&AskedTurn) -> &TurnDecision| {
            self.asked.iter().filter_map(|asked| of(asked).fuel).sum::<u64>()
        };
        let fuel = format!("fuel {} then, {} now", sum(|asked| &asked.recorded), sum(|asked| &asked.now));
        match differing {
            0 => format!("the same in all of {turns}; {fuel}"),
            _ => format!("other in {differing} of {turns}; {fuel}\nto see one: add --turn N"),
        }
    }
}

impl Output for RerunOutput<'_> {
    fn text(&self) -> Text {
        let same_build = if self.recorded.sha256 == self.bot.sha256 { ", the same component" } else { "" };
        let mut parts = vec![format!(
            "{} at the turns of {}, seat {} of {}{same_build}",
            self.bot.label,
            self.recorded.label,
            u8::from(self.seat),
            self.recording
        )];
        match self.shown {
            Some((asked, boards)) => parts.push(in_full(asked, boards)),
            None => {
                parts.extend(self.differences());
                parts.push(self.summary());
            }
        }
        parts.join("\n\n").into()
    }

    fn json(&self) -> impl Serialize {
        let decision = |it: &TurnDecision| json!({ "decision": it.text, "fuel": it.fuel });
        let asked = |it: &AskedTurn| {
            json!({
                "turn": it.turn,
                "differs": it.differs,
                "recorded": decision(&it.recorded),
                "now": decision(&it.now),
                "printed": it.printed,
            })
        };
        json!({
            "recording": self.recording,
            "seat": self.seat,
            "recorded-bot": self.recorded,
            "bot": self.bot,
            "differing": self.differing().count(),
            "turns": match self.shown {
                Some((shown, _)) => vec![asked(shown)],
                None => self.asked.iter().map(asked).collect::<Vec<Value>>(),
            },
        })
    }
}

/// A turn with the boards before it, both decisions, and what the bot printed.
fn in_full(asked: &AskedTurn, boards: &str) -> String {
    let line = |name: &str, it: &TurnDecision| {
        let fuel = it.fuel.map_or(String::new(), |fuel| format!("  ({fuel} fuel)"));
        format!("{name:9} {}{fuel}", it.text)
    };
    let mut lines = vec![
        boards.to_owned(),
        String::new(),
        line("turn", &TurnDecision { text: turn(asked).into(), fuel: None }),
        line("recorded", &asked.recorded),
        line("now", &asked.now),
    ];
    lines.extend(
        asked.printed.iter().map(|printed| format!("{:9} {printed}", "printed").trim_end().to_owned()),
    );
    lines.join("\n")
}

fn turn(asked: &AskedTurn) -> String {
    if asked.turn == 0 { "deploy".into() } else { asked.turn.to_string() }
}

fn fuel(decision: &TurnDecision) -> String {
    decision.fuel.map_or("-".into(), |fuel| fuel.to_string())
}
