//! `arena bench`: the number of shots that bots need alone, over common boards.

use crate::admission::{self, Ready};
use crate::args::{GameArgs, Output, SeedArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::{CompareOutput, PlaceOutput, SoloOutput};
use crate::screen::Playable;
use crate::values::whole;
use arena_experiments::boards::{BoardResult, Boards, Placed};
use arena_players::Contestant;
use arena_rules::{Game, with_game};
use arena_text::counted;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena bench`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena bench bots/hunter.wasm --boards 500 --rules classic\n          arena bench old.wasm new.wasm other.wasm\n          arena bench --place my-bot.wasm bots/*.wasm"
)]
pub struct BenchArgs {
    /// The bots, .wasm files; several are compared with the first
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Number of boards; with the same seed, every bot has the same ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=1_000_000_u32))]
    pub boards: u32,

    /// Bot whose fleets the others shoot at, to measure how well it hides
    #[arg(long, value_name = "BOT")]
    pub place: Option<PathBuf>,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table)]
    pub output: Output,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Lets each bot clear the boards and reports its results.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    let placer = args.place.as_slice();
    let ready = admission::require_groups(&args.game, &args.seed, &[&args.bots, placer], console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => measure::<G>(args, &ready, console))
}

fn measure<G: Playable>(args: &BenchArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let boards = Boards::<G>::new(sandbox, plan, args.boards)?;
    let (bots, placer) = contestants.split_at(args.bots.len());
    let series = if placer.is_empty() { bots.len() } else { 2 * bots.len() + 1 };
    if !placer.is_empty() {
        boards.require_placing()?;
    }
    console.begin_progress(args.boards as usize * series, "boards");
    let mut bench = Bench { boards, interrupt, console };
    let (text, json, played) = if let Some(placer) = placer.first() {
        let fleets = bench.place(placer)?;
        let play = |bot| Ok([bench.play(bot, None)?, bench.play(bot, Some(&fleets))?]);
        let played = bots.iter().map(play).collect::<Result<Vec<_>, Failure>>()?;
        let report = PlaceOutput::new(plan, placer, &fleets, bots, &played);
        // A board without a fleet is finished without a shot.
        let without = fleets.iter().filter(|board| board.result.is_err()).count();
        let shot_at: usize = played.iter().map(|[drawn, placed]| drawn.len() + placed.len() + without).sum();
        (report.text(), report.json(), fleets.len() + shot_at)
    } else {
        let played = bots.iter().map(|bot| bench.play(bot, None)).collect::<Result<Vec<_>, Failure>>()?;
        let done = played.iter().map(Vec::len).sum();
        if let ([bot], [played]) = (bots, &played[..]) {
            let report = SoloOutput::new(bot, plan, played);
            (report.text(), report.json(), done)
        } else {
            let report = CompareOutput::new(bots, plan, &played);
            (report.text(), report.json(), done)
        }
    };
    console.end_progress();
    admission::note_gaps(sandbox, console);
    match args.output {
        Output::Table => console.line(text)?,
        Output::Json => console.document(&json)?,
    }
    let asked = args.boards as usize * series;
    if played == asked {
        return Ok(());
    }
    Err(Failure::Interrupted(format!(
        "interrupted: played {played} of {}; the figures are of those",
        counted(asked, "board")
    )))
}

/// Boards with their progress on the console.
struct Bench<'a, G: Game> {
    boards: Boards<'a, G>,
    interrupt: &'a Interrupt,
    console: &'a mut Console,
}

impl<G: Playable> Bench<'_, G> {
    /// The fleets of a bot.
    fn place(&mut self, bot: &Contestant) -> Result<Vec<BoardResult<Placed<G>>>, Failure> {
        let mut placed = Vec::new();
        let stop = || self.interrupt.requested();
        self.boards.place(&bot.bot, stop, |board| {
            placed.push(board);
            self.console.advance();
        })?;
        Ok(placed)
    }

    /// The boards of a bot, drawn or with these fleets.
    fn play(
        &mut self,
        bot: &Contestant,
        fleets: Option<&[BoardResult<Placed<G>>]>,
    ) -> Result<Vec<BoardResult>, Failure> {
        let mut played = Vec::new();
        let stop = || self.interrupt.requested();
        self.boards.play(&bot.bot, fleets, stop, |board| {
            played.push(board);
            self.console.advance();
        })?;
        Ok(played)
    }
}
