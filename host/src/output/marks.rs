//! The marks of a class.

use super::Output;
use super::csv::{cell, csv};
use arena_club::MarkedAuthor;
use arena_text::{Line, Text, table};
use serde::Serialize;

const HEADER: [&str; 11] = [
    "author",
    "place",
    "elo",
    "low",
    "high",
    "points",
    "games",
    "faults",
    "versions",
    "last submission",
    "mark",
];

/// The authors with their marks, best first.
pub struct Marks(pub Vec<MarkedAuthor>);

impl Marks {
    /// The cells of each author; what is not known is empty. A text is made a cell by this.
    fn rows(&self, text: impl Fn(&str) -> String) -> impl Iterator<Item = Vec<String>> {
        self.0.iter().map(move |it| {
            let standing = it.standing.as_ref();
            let rating = standing.map_or_else(Default::default, |standing| standing.rating);
            let figure = |figure: Option<f64>| figure.map_or_else(String::new, |it| it.to_string());
            let whole = |number: Option<u32>| number.map_or_else(String::new, |it| it.to_string());
            vec![
                text(&it.author),
                whole(standing.and_then(|standing| standing.place)),
                figure(rating.elo),
                figure(rating.low),
                figure(rating.high),
                figure(standing.map(|standing| standing.points)),
                whole(standing.map(|standing| standing.games)),
                whole(standing.map(|standing| standing.faults)),
                it.versions.to_string(),
                it.last_submission.clone().unwrap_or_default(),
                it.mark.as_deref().map(&text).unwrap_or_default(),
            ]
        })
    }
}

impl Output for Marks {
    fn text(&self) -> Text {
        table(&HEADER, &[0, 9, 10], self.rows(str::to_owned)).into()
    }

    fn csv(&self) -> Vec<Text> {
        csv(&HEADER, self.rows(|text| cell(&Line::<100>::new(text))))
    }

    fn json(&self) -> impl Serialize {
        &self.0
    }
}
