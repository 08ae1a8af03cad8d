//! Stages: which bots play from some moment on, with which settings.

use arena_record::{Beacon, BotId, Label, RecordedSeed, Seed, StageDraw};

/// A stage of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The settings of the format, as the writer's text.
    pub settings: String,
    /// The bots that play, in the order in which they were named.
    pub entrants: Vec<Entrant>,
    /// Its seed; `None` when it has the seed of the conditions.
    pub draw: Option<Draw>,
}

/// The seed of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The seed, or its hash while the seed of the season is secret.
    pub seed: RecordedSeed,
    /// The public random value that it was drawn from, if there was one.
    pub beacon: Option<Beacon>,
}

/// A moment in a journal, for people: no result follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The number of the stage, from 1.
    pub stage: usize,
    /// The first game of the journal that was added then or later.
    pub game: u64,
    /// The time in UTC, as in `2026-01-31T12:00:00Z`.
    pub at: String,
}

impl Moment {
    /// The time in seconds since 1970; `None` when the text is no time, which a reader refuses.
    pub fn seconds(&self) -> Option<i64> {
        crate::moment::parsed(&self.at).map(time::OffsetDateTime::unix_timestamp)
    }
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
        Self {
            settings: settings.into(),
            entrants: bots.iter().enumerate().map(entrant).collect(),
            draw: None,
        }
    }

    /// The seed that follows from a secret, which is the season's, and from the stage's beacon, if it has one. `number` is that of
    /// the stage, and `bots` are those of the journal.
    pub fn drawn(&self, number: usize, secret: Option<&Seed>, bots: &[BotId]) -> Seed {
        let beacon = self.draw.as_ref().and_then(|draw| draw.beacon.as_ref());
        let hashes = self.entrants.iter().filter_map(|entrant| bots.get(entrant.bot));
        StageDraw { secret, beacon, stage: number as u64 }.seed(hashes.map(|bot| bot.sha256.as_str()))
    }
}
