//! `arena rerun`: a bot at the recorded turns of a game, to see where another build decides differently.

use crate::admission;
use crate::args::{CacheArgs, Form, TimeArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::RerunOutput;
use crate::screen::Playable;
use crate::values::{form, whole};
use arena_engine::internals::recordings::{self, Purpose};
use arena_engine::internals::{builtin, roster};
use arena_experiments::rerun;
use arena_players::Contestant;
use arena_record::{Header, Recording, Transcript};
use arena_rules::{Seat, with_game};
use arena_sandbox::Sandbox;
use arena_text::RecordingName;
use clap::Args;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Arguments of `arena rerun`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "arena rerun [OPTIONS] <TRANSCRIPT> <BOT>\n       arena rerun [OPTIONS] <JOURNAL> <GAME> <BOT>",
    after_help = "Examples: arena rerun games/01-hunter-vs-random.jsonl hunter.wasm\n          arena rerun arena.db 12 hunter.wasm --turn 30"
)]
pub struct RerunArgs {
    /// A transcript, or a journal and the number of a game; then the bot to ask
    #[arg(required = true, num_args = 2..=3, value_names = ["RECORDING", "BOT"])]
    pub paths: Vec<PathBuf>,

    /// Game of the transcript, if it is a component; a journal has its own
    #[arg(long, value_name = "FILE")]
    pub game: Option<PathBuf>,

    /// Seat to play at [default: the seat of the bot with this name]
    #[arg(long, value_name = "1|2", value_parser = whole(1..=2_u8))]
    pub seat: Option<u8>,

    /// Show this turn with its boards; 0 is the deployment
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    pub turn: Option<u32>,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Asks the bot at each recorded turn, and reports where it decides differently.
pub fn rerun(args: &RerunArgs, console: &mut Console) -> Result<(), Failure> {
    let ((name, recording), bot) = match &args.paths[..] {
        [transcript, bot] => (recordings::of_file(transcript, Purpose::Rerun, args.game.as_deref())?, bot),
        [journal, game, bot] if args.game.is_none() => {
            (recordings::of_journal(journal, &game.to_string_lossy())?, bot)
        }
        [..] if args.game.is_some() => {
            return Err(Failure::usage("--game is for a transcript: a journal has its game", "leave it out"));
        }
        _ => unreachable!("there are two or three"),
    };
    with_game!(recording.header.conditions.rules.kind(), G => ask::<G>(args, bot, &name, &recording, console))
}

fn ask<G: Playable>(
    args: &RerunArgs,
    bot: &Path,
    name: &RecordingName,
    recording: &Recording,
    console: &mut Console,
) -> Result<(), Failure> {
    let unreadable = |problem: String| recordings::unreadable(name, &problem.into());
    let transcript: Transcript<G> = recording.transcript().map_err(|error| unreadable(error.to_string()))?;
    let impossible = |error: &dyn Display| {
        Failure::usage(
            format!("{name}: the recording is inconsistent: {error}"),
            "check it with `arena verify`",
        )
    };
    transcript.replay().map_err(|error| impossible(&error))?;
    let header = &transcript.header;
    let (sandbox, contestant) = admit(bot, args, header, name, console)?;
    let seat = match args.seat {
        Some(1) => Seat::First,
        Some(_) => Seat::Second,
        None => rerun::seat_of(&contestant.id, header, name)?,
    };
    let times = args.times.options().limits(&header.conditions.rules);
    let asked = rerun::rerun(&transcript, seat, &contestant.bot, &sandbox, times, args.turn, G::action_name)?;
    admission::note_gaps(&sandbox, console);
    let shown = match args.turn {
        None => None,
        Some(turn) => {
            let asked = asked.last().filter(|asked| asked.turn == turn).ok_or_else(|| {
                Failure::usage(
                    format!("{name}: seat {} was not asked in turn {turn}", u8::from(seat)),
                    "leave out --turn to see all turns that differ",
                )
            })?;
            let boards =
                arena_tui::view(&transcript, seat, asked.event).map_err(|error| impossible(&error))?;
            Some((asked, boards))
        }
    };
    let report = RerunOutput {
        recording: name,
        seat,
        recorded: &header.bots[seat.index()].bot,
        bot: &contestant.id,
        asked: &asked,
        shown: shown.as_ref().map(|(asked, boards)| (*asked, boards.as_str())),
    };
    console.show(&report, args.output)?;
    Ok(())
}

/// Admits the bot under the memory limit of the recording.
fn admit(
    bot: &Path,
    args: &RerunArgs,
    header: &Header,
    name: &RecordingName,
    console: &mut Console,
) -> Result<(Sandbox, Contestant), Failure> {
    roster::check_path(bot)?;
    let memory_bytes =
        recordings::memory_bytes(header).map_err(|problem| recordings::unreadable(name, &problem))?;
    let interrupt = Interrupt::listen()?;
    let sandbox = args.cache.sandbox(arena_players::sandbox_limits(1, memory_bytes))?;
    let paths = builtin::in_game(Some(&header.conditions.rules), vec![bot.to_owned()]);
    let rules = &header.conditions.rules;
    let bots = admission::admit_all(&sandbox, Some(rules), &paths, 1, &interrupt, console)?;
    let contestant = bots.into_iter().next().expect("one was named and admitted");
    rerun::check_bot(&contestant, rules, name)?;
    Ok((sandbox, contestant))
}
