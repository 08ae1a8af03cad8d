//! The arguments of `arena run`.

use crate::args::{DashboardArgs, Form, GameArgs, RemoteArgs, TableArgs, TournamentArgs};
use crate::values::{beacon, form, seed_choice};
use arena_engine::{RunOptions, SeedChoice};
use arena_record::Beacon;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena run`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena run bots/*.wasm --games 100 --journal arena.db\n          arena run my_bot.wasm builtin:hunter"
)]
pub struct RunArgs {
    /// Two or more bots (.wasm files or `builtin:NAME`), or folders of them
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Form of the results; csv has a line for each bot
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json, Form::Csv]))]
    pub output: Form,

    /// The form of the standings.
    #[command(flatten)]
    pub table: TableArgs,

    /// Show the tournament on the whole terminal
    #[arg(long)]
    pub watch: bool,

    /// The dashboard.
    #[command(flatten)]
    pub dashboard: DashboardArgs,

    /// Play nothing if any bot is refused
    #[arg(long, hide_short_help = true)]
    pub strict: bool,

    /// The format of the tournament.
    #[command(flatten)]
    pub tournament: TournamentArgs,

    /// Random seed: N, HEX or `secret` [default: fresh]
    ///
    /// A number or 64 hexadecimal digits repeat a run. With `secret`, the seeds of all stages follow from one secret, which `arena
    /// journal close` reveals; its SHA-256 is printed before the first game.
    #[arg(long, value_name = "SEED", value_parser = seed_choice, help_heading = "Tournament")]
    pub seed: Option<SeedChoice>,

    /// Public random value that the seed follows from
    ///
    /// Announce its source before it is known. It can be combined with `--seed secret`.
    #[arg(long, value_name = "TEXT", value_parser = beacon, hide_short_help = true, help_heading = "Tournament")]
    pub beacon: Option<Beacon>,

    /// Workers on other machines.
    #[command(flatten)]
    pub remote: RemoteArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,

    /// Journal of all games; continued if it exists
    ///
    /// A journal is continued with its own rules, limits and settings, unless others are given. Games that it has are not played again.
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub journal: Option<PathBuf>,

    /// Fail if the journal does not exist
    #[arg(long, requires = "journal", help_heading = "Records", hide_short_help = true)]
    pub resume: bool,

    /// Folder for a transcript of each game, JSON Lines
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub transcripts: Option<PathBuf>,

    /// Folder for the bots' output, a file per bot and game
    #[arg(long, value_name = "DIR", help_heading = "Records", hide_short_help = true)]
    pub logs: Option<PathBuf>,

    /// Keep no copy of the bots next to the journal
    ///
    /// Otherwise each bot is kept once, in the folder FILE.bots, so that `arena verify --journal` needs no other files.
    #[arg(long, requires = "journal", hide_short_help = true, help_heading = "Records")]
    pub no_keep_bots: bool,

    /// Folder for faults: the game, the view, the output
    ///
    /// It gets a folder for each fault, 100 at most, with the command that repeats the fault.
    #[arg(long, value_name = "DIR", help_heading = "Records", hide_short_help = true)]
    pub faults: Option<PathBuf>,
}

impl RunArgs {
    /// What is asked of the engine.
    pub fn options(&self) -> RunOptions {
        RunOptions {
            game: self.game.options(),
            tournament: self.tournament.options(),
            seed: self.seed,
            beacon: self.beacon.clone(),
            journal: self.journal.clone(),
            resumes: self.resume,
            transcripts: self.transcripts.clone(),
            logs: self.logs.clone(),
            faults: self.faults.clone(),
            forgets_bots: self.no_keep_bots,
            // Only that form has each game.
            keeps_each_game: self.output == Form::Json,
        }
    }
}
