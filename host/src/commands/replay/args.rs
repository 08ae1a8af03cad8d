//! The arguments of `arena replay`.

use crate::args::ScreenArgs;
use crate::values::whole;
use clap::Args;
use std::path::{Path, PathBuf};

/// The keys of a game's screen, in brief.
pub(in crate::commands) const GAME_KEYS: &str = "Keys: space pause, ← → step, + - speed, g go to a turn, n p faults, b a bot's view, h chances, m marks, l logs, w save, ? \
                                    help, q quit";

/// Arguments of `arena replay`.
#[derive(Args, Clone, Debug)]
#[command(after_help = format!("Examples: arena replay games/01-hunter-vs-random.jsonl\n          arena replay arena.db 12\n\n{GAME_KEYS}"))]
pub struct ReplayArgs {
    /// A transcript, or a journal if the number of a game follows
    #[arg(value_name = "TRANSCRIPT|JOURNAL")]
    pub recording: PathBuf,

    /// The number of a game of the journal, as `arena games` lists them
    #[arg(value_name = "GAME", conflicts_with = "journal")]
    pub game: Option<PathBuf>,

    /// The journal, if the argument is the number of a game
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Game of the transcript, if it is a component; a journal has its own
    #[arg(long = "game", value_name = "FILE", conflicts_with_all = ["journal", "game"])]
    pub component: Option<PathBuf>,

    /// Logs of the bots, as `run --logs` writes them [default: next to the transcript]
    #[arg(long, value_name = "DIR|FILE")]
    pub logs: Option<PathBuf>,

    /// The looks of the screen.
    #[command(flatten)]
    pub screen: ScreenArgs,

    /// Print the boards turn by turn as text, for a pipe
    #[arg(long)]
    pub headless: bool,

    /// Write the game's transcript to this file, JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["headless", "calls"])]
    pub transcript: Option<PathBuf>,

    /// Write the game as an animated picture to this file, GIF
    #[arg(long, value_name = "FILE", conflicts_with_all = ["headless", "transcript", "calls", "overlays"])]
    pub gif: Option<PathBuf>,

    /// Write a bot's calls up to a turn to this file, for its own `practice --calls`
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub calls: Option<PathBuf>,

    /// Write what the bots drew by lines of their logs, such as `@mark`, to this file, JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["headless", "calls", "transcript"])]
    pub overlays: Option<PathBuf>,

    /// With --calls: the last turn; 0 is the deployment [default: the bot's last]
    #[arg(long, value_name = "N", requires = "calls", value_parser = whole(0..=u32::MAX))]
    pub turn: Option<u32>,

    /// With --calls: the seat of the bot
    #[arg(long, value_name = "1|2", requires = "calls", default_value_t = 1, value_parser = whole(1..=2_u8))]
    pub seat: u8,
}

impl ReplayArgs {
    /// The journal and the number of its game, if they are given.
    pub fn of_journal(&self) -> Option<(&Path, &Path)> {
        match (&self.journal, &self.game) {
            (Some(journal), _) => Some((journal, &self.recording)),
            (None, Some(game)) => Some((&self.recording, game)),
            (None, None) => None,
        }
    }
}
