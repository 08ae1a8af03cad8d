//! A bot that may play.

use arena_record::BotId;
use arena_sandbox::Bot;
use arena_text::ShownPath;
use std::path::PathBuf;

/// A bot that may play.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The bot's identity. The label comes from its file's name, which the organiser chooses, and differs from all
    /// others'.
    pub id: BotId,
    /// The file, as messages name it.
    pub file: ShownPath,
    /// The same as a path.
    pub path: PathBuf,
    /// The admitted component.
    pub bot: Bot,
}
