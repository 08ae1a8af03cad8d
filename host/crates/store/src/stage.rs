//! Stages: who plays from some moment on, by which settings.

use arena_record::{BotId, Label};

/// A stage of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The settings of the format, as the text that the writer was given.
    pub settings: String,
    /// The bots that play, in the order in which they were named.
    pub entrants: Vec<Entrant>,
}

/// A bot in a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The number of the bot in the [`Tournament`](crate::Tournament).
    pub bot: usize,
    /// The label in this stage.
    pub label: Label,
}

impl Stage {
    /// The stage in which all of these bots play.
    pub fn of_all(settings: impl Into<String>, bots: &[BotId]) -> Self {
        let entrant = |(bot, id): (usize, &BotId)| Entrant { bot, label: id.label.clone() };
        Self { settings: settings.into(), entrants: bots.iter().enumerate().map(entrant).collect() }
    }
}
