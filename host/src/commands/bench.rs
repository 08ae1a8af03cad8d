//! `arena bench`: the number of shots that a bot needs alone, over common boards.

use crate::admission::{self, Ready};
use crate::boards::{Board, Boards};
use crate::cli::{GameArgs, Output, SeedArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::game::Playable;
use crate::report::{self, SoloReport};
use arena_rules::with_game;
use clap::{Args, value_parser};
use std::path::PathBuf;
use std::slice;

/// Arguments of `arena bench`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena bench bots/hunter.wasm --boards 500 --rules classic")]
pub struct BenchArgs {
    /// The bot, a .wasm file
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// Number of boards; with the same seed, every bot has the same ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub boards: u32,

    /// Result as table or json
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table, hide_possible_values = true)]
    pub output: Output,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Lets the bot clear the boards and reports what it needed.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    let ready = admission::require(&args.game, &args.seed, slice::from_ref(&args.bot), console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => measure::<G>(args, &ready, console))
}

fn measure<G: Playable>(args: &BenchArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt } = ready;
    let boards = Boards::<G>::new(plan, args.boards)?;
    let contestant = &contestants[0];
    let mut played: Vec<Board> = Vec::new();
    console.begin_progress(args.boards as usize, "boards");
    let ended = boards.play(
        &contestant.bot,
        || interrupt.requested(),
        |board| {
            played.push(board);
            console.advance();
        },
    );
    console.end_progress();
    ended?;
    let report = SoloReport::new(contestant, plan, &played);
    match args.output {
        Output::Table => console.line(report.text())?,
        Output::Json => console.document(&report.json())?,
    }
    match u32::try_from(played.len()).unwrap_or(u32::MAX) {
        count if count < args.boards => Err(Failure::Interrupted(format!(
            "interrupted: played {count} of {}; the figures are of those",
            report::counted(args.boards, "board")
        ))),
        _ => Ok(()),
    }
}
