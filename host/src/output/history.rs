//! The tables of a season after each of its stages, for `arena journal history`.

use super::Output;
use arena_engine::{Row, StoredSeason};
use arena_text::Text;
use serde::Serialize;
use serde_json::json;
use std::cell::RefCell;

/// The seasons after each stage of a journal. They are read when they are printed, one at a time.
pub struct History<I>(RefCell<I>);

impl<I: Iterator<Item = StoredSeason>> History<I> {
    /// The history with these seasons, which can be printed once.
    pub fn new(stages: I) -> Self {
        Self(RefCell::new(stages))
    }

    /// The lines of each stage with its number, from 1.
    fn each<T>(&self, of: impl Fn(usize, StoredSeason) -> T) -> Vec<T> {
        (1..).zip(self.0.borrow_mut().by_ref()).map(|(number, season)| of(number, season)).collect()
    }
}

impl<I: Iterator<Item = StoredSeason>> Output for History<I> {
    fn text(&self) -> Text {
        let rows = self.each(|number, season| {
            let begun = season.begun(number).unwrap_or("-");
            let row = |row: &Row<'_>| {
                let [elo, error] = row.rating.cells();
                vec![
                    number.to_string(),
                    begun.to_owned(),
                    row.place.to_string(),
                    row.bot.to_string(),
                    elo,
                    error,
                    super::table::points(row.points),
                    row.score.games.to_string(),
                ]
            };
            season.ranking().rows().iter().filter(|row| row.score.games > 0).map(row).collect::<Vec<_>>()
        });
        let header = ["stage", "begun", "place", "bot", "elo", "±", "points", "games"];
        arena_text::table(&header, &[1, 3], rows.into_iter().flatten()).into()
    }

    fn json(&self) -> impl Serialize {
        self.each(|number, season| {
            json!({
                "stage": number,
                "begun": season.begun(number),
                "games-played": season.results.sums.played,
                "complete": season.results.complete,
                "standings": season.ranking().rows(),
            })
        })
    }
}
