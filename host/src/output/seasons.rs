//! The seasons of a club.

use super::Output;
use arena_club::{SeasonState, SeasonSummary};
use arena_engine::StoredSeason;
use arena_record::RecordedSeed;
use arena_text::{Text, counted, table};
use serde::Serialize;

/// A club's seasons, the first one first.
pub struct Seasons(pub Vec<SeasonSummary>);

impl Output for Seasons {
    fn text(&self) -> Text {
        let header = ["season", "state", "begun", "latest games", "games", "bots", "links", "head"];
        let rows = self.0.iter().map(|season| {
            let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
            vec![
                season.number.to_string(),
                state(season.state).into(),
                known(&season.begun),
                known(&season.latest),
                season.games.to_string(),
                season.bots.to_string(),
                season.links.to_string(),
                known(&season.head),
            ]
        });
        table(&header, &[1, 2, 3, 7], rows).into()
    }

    fn json(&self) -> impl Serialize {
        &self.0
    }
}

fn state(state: SeasonState) -> &'static str {
    match state {
        SeasonState::Open => "open",
        SeasonState::Frozen => "frozen",
        SeasonState::Revealed => "revealed",
    }
}

/// The text about a season of a club whose seed was revealed just now. The seeds of its stages follow from it.
pub fn revealed(number: u32, season: &StoredSeason) -> Text {
    let mut lines =
        vec![format!("season {number} is over, after {}", counted(season.content.stages.len(), "stage"))];
    if let (RecordedSeed::Secret(hash), Some(seed)) = (season.seed, season.content.revealed_seed) {
        lines.push(format!("secret seed: {seed}"));
        lines.push(format!("SHA-256, known before the first game: {}", hash.digits()));
    }
    let head = season.content.head.as_ref();
    lines.extend(head.map(|head| format!("head of the chain after {} links: {}", head.links, head.sha256)));
    lines.join("\n").into()
}
