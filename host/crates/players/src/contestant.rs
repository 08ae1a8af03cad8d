//! A bot that may play.

use arena_record::BotId;
use arena_sandbox::Bot;
use arena_text::ShownPath;

/// A bot that may play.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The bot's identity. The label is from its file's name, which the organiser gave it, and different from all others'.
    pub id: BotId,
    /// The file.
    pub file: ShownPath,
    /// The admitted component.
    pub bot: Bot,
}
