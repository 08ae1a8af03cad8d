//! `arena replay`: a recorded game on the screen, or as text.

mod args;

pub(super) use args::GAME_KEYS;
pub use args::ReplayArgs;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::screen::{self, Playable};
use arena_engine::internals::faults::recorded_call;
use arena_engine::internals::logs::{LoggedGame, Logs};
use arena_engine::internals::recordings::{self, Purpose};
use arena_pictures::Timeline;
use arena_record::{GameResult, Recording, Transcript};
use arena_rules::{Seat, with_game};
use arena_text::{RecordingName, shown};
use std::error::Error;
use std::path::Path;

/// The next step without a terminal.
const HEADLESS: &str = "add --headless to print the boards as text";

/// Shows a recording.
pub fn replay(args: &ReplayArgs, console: &mut Console) -> Result<(), Failure> {
    let (name, recording) = match args.of_journal() {
        None => recordings::of_file(&args.recording, Purpose::Replay, args.component.as_deref())?,
        Some((journal, game)) => recordings::of_journal(journal, &game.to_string_lossy())?,
    };
    if let (Some((_, number)), [first, second]) = (args.of_journal(), recording.header.labels()) {
        let in_match = recording.header.game;
        if number != Path::new(&in_match.to_string()) {
            console.note(format!(
                "note: {name} is game {in_match} of {} and {}",
                first.as_str(),
                second.as_str()
            ));
        }
    }
    let logs = logs(args, &recording)?;
    if let (Some(folder), [None, None]) = (&args.logs, &logs) {
        console.note(format!("note: {} has no log of this game: did its bots print nothing?", shown(folder)));
    }
    with_game!(recording.header.conditions.rules.kind(), G => show::<G>(&name, recording, logs, args, console))
}

/// The logs of the game's bots, by seat.
fn logs(args: &ReplayArgs, recording: &Recording) -> Result<Logs, Failure> {
    let game = match args.of_journal() {
        None => LoggedGame::Transcript(&args.recording),
        // The number was checked, so the game exists.
        Some((_, game)) => LoggedGame::Number(game, recording.header.labels()),
    };
    Ok(game.logs(args.logs.as_deref())?)
}

fn show<G: Playable>(
    name: &RecordingName,
    recording: Recording,
    logs: Logs,
    args: &ReplayArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let transcript: Transcript<G> =
        recording.transcript().map_err(|error| recordings::unreadable(name, &error.to_string().into()))?;
    if let Some(file) = &args.transcript {
        write(file, &transcript.to_bytes())?;
        console.line(format!("wrote {}", shown(file)))?;
        return Ok(());
    }
    if let (Some(file), Some(turn)) = (&args.view, args.turn) {
        return write_view(&transcript, name, file, turn, args.seat, console);
    }
    let mut timeline = Timeline::of(&transcript).map_err(|error| inconsistent(name, &error))?.with_logs(logs);
    if let Some((_, game)) = args.of_journal()
        && let Some(known) = game.to_str().and_then(|game| game.parse().ok())
    {
        timeline = timeline.numbered(known);
    }
    if !args.headless {
        let interrupt = Interrupt::listen()?;
        let options = screen::options(args.screen, &interrupt);
        let number = timeline.number() as usize;
        let ended = arena_tui::replay(timeline, options).map_err(|error| screen::failure(error, HEADLESS))?;
        let result = GameResult::of(&transcript.events);
        if result.is_ok() {
            console.line(output::served(number, transcript.header.labels(), &result))?;
        }
        return screen::verdict(ended);
    }
    for block in arena_tui::headless(timeline) {
        console.line(block)?;
        console.line("")?;
    }
    Ok(())
}

/// The failure of a recording that is not of a game that the rules allow.
fn inconsistent(name: &RecordingName, error: &dyn Error) -> Failure {
    Failure::usage(format!("{name}: the recording is inconsistent: {error}"), "check it with `arena verify`")
}

/// Writes the arguments of the call in a turn.
fn write_view<G: Playable>(
    transcript: &Transcript<G>,
    name: &RecordingName,
    file: &Path,
    turn: u32,
    seat: u8,
    console: &mut Console,
) -> Result<(), Failure> {
    transcript.replay().map_err(|error| inconsistent(name, &error))?;
    let seat = if seat == 1 { Seat::First } else { Seat::Second };
    let place = transcript
        .events
        .iter()
        .position(|event| event.seat() == Some(seat) && event.turn() == Some(turn))
        .ok_or_else(|| {
            Failure::usage(
                format!("{name}: seat {} had no turn {turn}", u8::from(seat)),
                "choose another --turn or --seat; without --view, `arena replay` shows the turns",
            )
        })?;
    let call = recorded_call(transcript, seat, place)?;
    write(file, call.as_bytes())?;
    console.line(format!(
        "wrote {}: seat {}, {}",
        shown(file),
        u8::from(seat),
        arena_record::moment(turn)
    ))?;
    Ok(())
}

/// Writes a file.
fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    arena_files::write_whole(file, bytes).map_err(|error| {
        Failure::machine(format!("cannot write {}", shown(file)), error, "name a file that you can write")
    })
}
