//! The result of a season that was played again.

use super::Output;
use super::json;
use arena_engine::internals::again::{AgainDifference, PlayedAgain};
use arena_store::{ChainHead, LinkDifference};
use arena_text::{Text, counted, some_of};
use serde::Serialize;
use serde_json::json;

/// The largest number of games that are named. Chosen: a line.
const NAMED_MAX: usize = 10;

/// The report of a season that was played again.
pub struct AgainOutput<'a>(pub &'a PlayedAgain);

impl AgainOutput<'_> {
    /// True if all games were played again, and the head is the same.
    pub fn is_reproduced(&self) -> bool {
        self.0.difference.is_none() && self.0.by_clock.is_empty()
    }
}

impl Output for AgainOutput<'_> {
    fn text(&self) -> Text {
        let PlayedAgain { games, by_clock, head: ChainHead { links, sha256 }, difference } = self.0;
        let mut lines = Vec::new();
        if !by_clock.is_empty() {
            let numbers = by_clock.iter().map(ToString::to_string);
            lines.push(format!(
                "{} of {} not reproducible, because a clock decided them: taken from the journal as they are: {}",
                by_clock.len(),
                counted(*games, "game"),
                some_of(numbers, by_clock.len(), NAMED_MAX, ", "),
            ));
        }
        let again = counted(games - by_clock.len(), "game");
        match difference {
            None => {
                lines.push(format!("the same head: {sha256}"));
                lines.push(format!("it is after {}; {again} played again", counted(*links, "link")));
            }
            Some(AgainDifference { link, game, is_by_clock }) => {
                let LinkDifference { number, here, there } = link;
                let row = |row: &Option<_>| row.as_ref().map_or("nothing".to_owned(), ToString::to_string);
                let game = game.as_ref().map_or_else(String::new, |(first, second, game)| {
                    format!(", {first} against {second}, their game {game}")
                });
                lines.push("another head: the season that was played again differs from the journal".into());
                lines.push(format!(
                    "the first difference is link {number}: in the journal, {}{game}",
                    row(here)
                ));
                lines.push(if row(here) == row(there) {
                    "played again, it has other content".into()
                } else {
                    format!("played again, {}", row(there))
                });
                lines.push(if *is_by_clock {
                    "next: a clock decided the game here; play on a machine that is less busy, or with a longer --timeout".into()
                } else {
                    "next: `arena verify` without --replay-all compares each game event by event".into()
                });
            }
        }
        lines.join("\n  ").into()
    }

    fn json(&self) -> impl Serialize {
        let PlayedAgain { games, by_clock, head, difference } = self.0;
        let difference = difference.as_ref().map(|AgainDifference { link, game, is_by_clock }| {
            let row = |row: &Option<_>| row.as_ref().map(ToString::to_string);
            json!({
                "link": link.number,
                "journal": row(&link.here),
                "again": row(&link.there),
                "bots": game.as_ref().map(|(first, second, _)| [first, second]),
                "game-of-match": game.as_ref().map(|(_, _, game)| game),
                "decided-by-clock": is_by_clock,
            })
        });
        json!({
            "same-head": self.0.difference.is_none(),
            "head": json::head(Some(head)),
            "games": games,
            "decided-by-clock": by_clock,
            "difference": difference,
        })
    }
}
