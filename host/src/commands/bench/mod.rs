//! `arena bench`: the number of shots that bots need to clear the same boards alone; or what games cost in a game that is a component.

mod game;

use crate::admission::{self, Ready};
use crate::args::{Form, GameArgs, SeedArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::BoardsOutput;
use crate::screen::Playable;
use crate::values::{form, whole};
use arena_experiments::boards::{BoardResult, Boards};
use arena_files::file_word;
use arena_players::Contestant;
use arena_rules::{Game, with_game};
use arena_text::{counted, shown};
use clap::Args;
use std::path::{Path, PathBuf};
use std::{fs, io, mem};

/// Arguments of `arena bench`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena bench bots/hunter.wasm --boards 500 --rules classic\n          arena bench old.wasm new.wasm other.wasm\n          arena bench my-bot.wasm --board 17 --seed 1 --transcripts boards\n          arena bench --game my-game.wasm my-bot.wasm"
)]
pub struct BenchArgs {
    /// The bots, .wasm files; several are compared with the first
    #[arg(required_unless_present = "game", value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Number of boards; with the same seed, every bot has the same ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=1_000_000_u32), conflicts_with = "game")]
    pub boards: u32,

    /// With --game: number of random games, and of each bot's games against the random opponent
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole(2..=1_000_000_u32), requires = "game")]
    pub games: u32,

    /// Play only the board with this number; needs the seed of the run
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_u32), conflicts_with_all = ["boards", "game"], requires = "seed")]
    pub board: Option<u32>,

    /// Form of the result; csv and jsonl have a line for each bot and board, and are not for --game
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json, Form::Csv, Form::Jsonl]))]
    pub output: Form,

    /// Folder for the bots' output: a file for each bot and board
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    pub logs: Option<PathBuf>,

    /// Folder for transcripts, for `arena replay`: a file for each bot and board
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    pub transcripts: Option<PathBuf>,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Lets each bot clear the boards, or play the game, and reports the results.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    if let Some(game) = &args.game.game {
        return game::bench_game(args, game, console);
    }
    let ready = admission::require(&args.game, &args.seed, &args.bots, console)?;
    with_game!(ready.plan.conditions.rules.kind(), G => measure::<G>(args, &ready, console))
}

fn measure<G: Playable>(args: &BenchArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let mut boards = Boards::<G>::new(sandbox, plan, args.boards)?;
    let mut count = args.boards;
    if let Some(number) = args.board {
        (boards, count) = (boards.only(number), 1);
    }
    for folder in args.logs.iter().chain(&args.transcripts) {
        arena_files::make_folder(folder).map_err(|error| cannot_write(folder, error))?;
    }
    if args.logs.is_some() {
        boards = boards.with_logs();
    }
    let asked = count as usize * contestants.len();
    console.begin_progress(asked, "boards");
    let (logs, transcripts) = (args.logs.as_deref(), args.transcripts.as_deref());
    let mut bench = Bench { boards: boards.clone(), interrupt, console, logs, transcripts };
    let played = contestants.iter().map(|bot| bench.play(bot)).collect::<Result<Vec<_>, Failure>>()?;
    console.end_progress();
    admission::note_gaps(sandbox, console);
    console.show(&BoardsOutput { plan, bots: contestants, played: &played }, args.output)?;
    let played: usize = played.iter().map(Vec::len).sum();
    if played == asked {
        return Ok(());
    }
    Err(Failure::Interrupted(format!(
        "interrupted: played {played} of {}; the figures are for those",
        counted(asked, "board")
    )))
}

fn cannot_write(path: &Path, error: io::Error) -> Failure {
    Failure::machine(format!("cannot write {}", shown(path)), error, "name another folder")
}

/// Boards with their progress on the console.
struct Bench<'a, G: Game> {
    boards: Boards<'a, G>,
    interrupt: &'a Interrupt,
    console: &'a mut Console,
    /// The folder for the bots' output.
    logs: Option<&'a Path>,
    /// The folder for the transcripts.
    transcripts: Option<&'a Path>,
}

impl<G: Playable> Bench<'_, G> {
    /// The boards of a bot.
    fn play(&mut self, bot: &Contestant) -> Result<Vec<BoardResult>, Failure> {
        let (mut played, mut failed) = (Vec::new(), None);
        let stop = || self.interrupt.requested();
        let mut boards = self.boards.clone();
        if self.transcripts.is_some() {
            boards = boards.with_transcripts(&bot.id);
        }
        boards.play(&bot.bot, stop, |mut board| {
            let stem = format!("{}-board{}", file_word(&bot.id.label), board.number);
            let files = [
                (self.logs, format!("{stem}.log"), mem::take(&mut board.log).into_bytes()),
                (self.transcripts, format!("{stem}.jsonl"), mem::take(&mut board.transcript)),
            ];
            for (folder, name, bytes) in files {
                let Some(folder) = folder else { continue };
                let path = folder.join(name);
                let written = fs::write(&path, bytes);
                failed = failed.take().or(written.err().map(|error| (path, error)));
            }
            played.push(board);
            self.console.advance();
        })?;
        match failed {
            Some((path, error)) => Err(cannot_write(&path, error)),
            None => Ok(played),
        }
    }
}
