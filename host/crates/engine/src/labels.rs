//! Bots by their labels, as users name them.

use crate::error::Error;
use arena_record::{BotId, Name};
use arena_text::some_of;

/// The largest number of labels that an error lists. Chosen: they fit some lines of a terminal.
const LABELS_SHOWN_MAX: usize = 20;

/// The number of the bot with this label.
///
/// # Errors
/// There is none.
pub fn find(label: &str, bots: &[BotId]) -> Result<usize, Error> {
    bots.iter().position(|bot| bot.label.as_str() == label).ok_or_else(|| {
        let labels = bots.iter().map(|bot| bot.label.to_string());
        Error::usage(
            format!("there is no bot \"{}\" among those that played", Name::new(label)),
            format!("name one of: {}", some_of(labels, bots.len(), LABELS_SHOWN_MAX, ", ")),
        )
    })
}
