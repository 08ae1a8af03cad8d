//! `arena bench`: the number of shots that bots need alone, over common boards.

use crate::admission::{self, Ready};
use crate::boards::{Board, Boards};
use crate::cli::{GameArgs, Output, SeedArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::game::Playable;
use crate::report::{self, CompareReport, SoloReport};
use crate::values::whole;
use arena_rules::with_game;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena bench`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena bench bots/hunter.wasm --boards 500 --rules classic\n          arena bench old.wasm new.wasm other.wasm"
)]
pub struct BenchArgs {
    /// The bots, .wasm files; several are compared with the first
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Number of boards; with the same seed, every bot has the same ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=1_000_000_u32))]
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

/// Lets each bot clear the boards and reports what it needed.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    let ready = admission::require(&args.game, &args.seed, &args.bots, console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => measure::<G>(args, &ready, console))
}

fn measure<G: Playable>(args: &BenchArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt } = ready;
    let boards = Boards::<G>::new(plan, args.boards)?;
    let mut played: Vec<Vec<Board>> = Vec::new();
    console.begin_progress(args.boards as usize * contestants.len(), "boards");
    for contestant in contestants {
        let mut of_bot: Vec<Board> = Vec::new();
        let ended = boards.play(
            &contestant.bot,
            || interrupt.requested(),
            |board| {
                of_bot.push(board);
                console.advance();
            },
        );
        if let Err(error) = ended {
            console.end_progress();
            return Err(error.into());
        }
        played.push(of_bot);
    }
    console.end_progress();
    let (text, json) = match (&contestants[..], &played[..]) {
        ([contestant], [played]) => {
            let report = SoloReport::new(contestant, plan, played);
            (report.text(), report.json())
        }
        _ => {
            let report = CompareReport::new(contestants, plan, &played);
            (report.text(), report.json())
        }
    };
    match args.output {
        Output::Table => console.line(text)?,
        Output::Json => console.document(&json)?,
    }
    match played.iter().map(|played| u32::try_from(played.len()).unwrap_or(u32::MAX)).min().unwrap_or(0) {
        count if count < args.boards => Err(Failure::Interrupted(format!(
            "interrupted: played {count} of {}; the figures are of those",
            report::counted(args.boards, "board")
        ))),
        _ => Ok(()),
    }
}
