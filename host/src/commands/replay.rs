//! `arena replay`: a recorded game on the screen, or as text.

use crate::console::Console;
use crate::failure::Failure;
use crate::game::Playable;
use crate::interrupt::Interrupt;
use crate::logs::{LoggedGame, Logs};
use crate::recordings::{self, Purpose};
use crate::report::Place;
use crate::roster::shown;
use crate::screen;
use arena_record::{Recording, Transcript};
use arena_rules::with_game;
use arena_tui::TuiError;
use clap::Args;
use std::path::PathBuf;

/// The keys of a game's screen, in brief.
pub(super) const GAME_KEYS: &str = "Keys: space pause, ← → step, + - speed, g go to a turn, n p faults, b a bot's view, l logs, w save, ? \
                                    help, q quit";

/// Arguments of `arena replay`.
#[derive(Args, Clone, Debug)]
#[command(after_help = format!("Example: arena replay games/01-hunter-vs-random.jsonl\n\n{GAME_KEYS}"))]
pub struct ReplayArgs {
    /// The transcript; with --journal, the number of a game
    #[arg(value_name = "TRANSCRIPT|GAME")]
    pub recording: PathBuf,

    /// Show a game of this journal
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Logs of the bots, as `run --logs` writes them [default: beside the transcript]
    #[arg(long, value_name = "DIR|FILE")]
    pub logs: Option<PathBuf>,

    /// Print the boards turn by turn as text, for a pipe
    #[arg(long)]
    pub headless: bool,
}

/// The next step without a terminal.
const HEADLESS: &str = "add --headless to print the boards as text";

/// Shows a recording.
pub fn replay(args: &ReplayArgs, console: &mut Console) -> Result<(), Failure> {
    let (name, recording) = match &args.journal {
        None => recordings::of_file(&args.recording, Purpose::Replay)?,
        Some(journal) => recordings::of_journal(journal, &args.recording)?,
    };
    let logs = logs(args, &recording)?;
    if let (Some(folder), [None, None]) = (&args.logs, &logs) {
        console.note(format!("note: {} has no log of this game: did its bots print nothing?", shown(folder)));
    }
    with_game!(recording.header.conditions.rules.kind(), G => show::<G>(&name, recording, logs, args.headless, console))
}

/// The logs of the game's bots, by seat.
fn logs(args: &ReplayArgs, recording: &Recording) -> Result<Logs, Failure> {
    let game = match &args.journal {
        None => LoggedGame::Transcript(&args.recording),
        // The number has been read: the game is there.
        Some(_) => LoggedGame::Number(&args.recording, recording.header.labels()),
    };
    game.logs(args.logs.as_deref())
}

fn show<G: Playable>(
    name: &Place,
    recording: Recording,
    logs: Logs,
    headless: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let transcript: Transcript<G> =
        recording.transcript().map_err(|error| recordings::unreadable(name, &error.to_string().into()))?;
    let refuse = |error| match error {
        TuiError::Timeline(error) => Failure::usage(
            format!("{name}: cannot be what happened: {error}"),
            "check it with `arena verify`",
        ),
        error => screen::failure(error, HEADLESS),
    };
    if !headless {
        let interrupt = Interrupt::listen()?;
        let options = screen::options(&interrupt);
        return screen::verdict(arena_tui::replay(&transcript, logs, options).map_err(refuse)?);
    }
    let blocks = arena_tui::headless(&transcript, logs).map_err(|error| refuse(error.into()))?;
    for block in blocks {
        console.line(block)?;
        console.line("")?;
    }
    Ok(())
}
