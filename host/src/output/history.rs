//! The tables of a season after each of its stages, for `arena journal history`.

use super::table::points;
use arena_engine::stored::StoredSeason;
use arena_text::{Json, Text, table};
use serde_json::{Value, json};

/// A table for each stage, for a reader.
pub fn history_table(stages: impl Iterator<Item = StoredSeason>) -> Text {
    let mut rows = Vec::new();
    for (number, season) in (1usize..).zip(stages) {
        let begun = season.begun(number).unwrap_or("-");
        for row in season.ranking().rows().iter().filter(|row| row.score.games > 0) {
            let [elo, error] = row.rating.cells();
            rows.push(vec![
                number.to_string(),
                begun.to_owned(),
                row.place.to_string(),
                row.bot.to_string(),
                elo,
                error,
                points(row.points),
                row.score.games.to_string(),
            ]);
        }
    }
    let header = ["stage", "begun", "place", "bot", "elo", "±", "points", "games"];
    table(&header, &[1, 3], rows.into_iter()).into()
}

/// The same for a program.
pub fn history_json(stages: impl Iterator<Item = StoredSeason>) -> Json {
    let stage = |(number, season): (usize, StoredSeason)| {
        json!({
            "stage": number,
            "begun": season.begun(number),
            "games-played": season.results.sums.played,
            "complete": season.results.complete,
            "standings": season.ranking().rows(),
        })
    };
    Json::pretty(&(1..).zip(stages).map(stage).collect::<Value>())
}
