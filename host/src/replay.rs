//! `arena replay`: a recorded game on the screen, or as text.

use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::recordings;
use crate::screen;
use arena_record::Transcript;

/// What to do without a terminal.
const HEADLESS: &str = "add --headless to print the boards as text";

/// Shows a recording.
pub fn replay(args: &ReplayArgs, console: &mut Console) -> Result<(), Failure> {
    let transcript = match &args.journal {
        None => recordings::of_file(&args.recording)?,
        Some(journal) => recordings::of_journal(journal, &args.recording)?,
    };
    // Its events are checked against the rules before anything is drawn of them.
    transcript.replay().map_err(|error| {
        Failure::input(
            format!("the recording cannot be what happened: {error}"),
            "check it with `arena verify`",
        )
    })?;
    if args.headless { print(&transcript, console) } else { show(&transcript) }
}

fn print(transcript: &Transcript, console: &mut Console) -> Result<(), Failure> {
    let blocks = arena_tui::headless(transcript)
        .map_err(|error| screen::failure(error.into(), "check that the recording is whole"))?;
    for block in blocks {
        console.line(&block)?;
        console.line("")?;
    }
    Ok(())
}

fn show(transcript: &Transcript) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let options = screen::options(&interrupt);
    let ended = arena_tui::replay(transcript, [None, None], options)
        .map_err(|error| screen::failure(error, HEADLESS))?;
    screen::verdict(ended)
}
