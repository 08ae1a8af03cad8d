//! `arena replay`: a recorded game on the screen, as text, or as a picture that moves.

mod args;

pub(super) use args::GAME_KEYS;
pub use args::ReplayArgs;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::screen::{self, Playable};
use arena_engine::internals::faults::recorded_calls;
use arena_engine::internals::logs::{LoggedGame, Logs};
use arena_engine::internals::recordings::{self, Purpose};
use arena_pictures::Timeline;
use arena_record::{Event, GameResult, Recording, Transcript};
use arena_rules::{Seat, with_game};
use arena_text::{RecordingName, counted, shown};
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
    if let Some(file) = &args.gif {
        let picture = arena_pages::animation(&transcript).map_err(|error| inconsistent(name, &error))?;
        write(file, &picture)?;
        console.line(format!("wrote {}", shown(file)))?;
        return Ok(());
    }
    if let Some(file) = &args.calls {
        return write_calls(&transcript, name, file, args, console);
    }
    let mut timeline = Timeline::of(&transcript).map_err(|error| inconsistent(name, &error))?.with_logs(logs);
    if let Some(file) = &args.overlays {
        let lines = timeline.overlays_text();
        write(file, lines.as_bytes())?;
        console.line(format!("wrote {}: {}", shown(file), counted(lines.lines().count(), "overlay")))?;
        return Ok(());
    }
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

/// Writes the calls of a bot up to a turn.
fn write_calls<G: Playable>(
    transcript: &Transcript<G>,
    name: &RecordingName,
    file: &Path,
    args: &ReplayArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    transcript.replay().map_err(|error| inconsistent(name, &error))?;
    let seat = if args.seat == 1 { Seat::First } else { Seat::Second };
    let turn_of = |event: &Event<G>| event.turn().filter(|_| event.seat() == Some(seat));
    let is_it = |event: &Event<G>| turn_of(event).is_some_and(|turn| args.turn.is_none_or(|it| it == turn));
    // The last event is the one of that turn, or of the game.
    let place = transcript.events.iter().rposition(is_it).ok_or_else(|| {
        let turn = args.turn.map_or("turn".to_owned(), |turn| format!("turn {turn}"));
        Failure::usage(
            format!("{name}: seat {} had no {turn}", args.seat),
            "choose another --turn or --seat; without --calls, `arena replay` shows the turns",
        )
    })?;
    let calls = recorded_calls(transcript, seat, place)?;
    write(file, calls.as_bytes())?;
    let last = turn_of(&transcript.events[place]).map_or_else(String::new, arena_record::moment);
    console.line(format!(
        "wrote {}: seat {}, {} up to {last}",
        shown(file),
        args.seat,
        counted(calls.lines().count(), "call"),
    ))?;
    Ok(())
}

/// Writes a file.
fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    arena_files::write_whole(file, bytes).map_err(|error| {
        Failure::machine(format!("cannot write {}", shown(file)), error, "name a file that you can write")
    })
}
