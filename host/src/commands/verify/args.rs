//! The arguments of `arena verify`.

use crate::args::{CacheArgs, Form, TimeArgs};
use crate::values::{form, open_seed, whole};
use arena_engine::internals::recordings::SampleOptions;
use arena_record::Seed;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena verify`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "arena verify [OPTIONS] <TRANSCRIPT>... <BOT>...\n       arena verify [OPTIONS] --journal <FILE> [BOT]...",
    after_help = "Examples:\n  arena verify games/*.jsonl bots/\n  arena verify --journal arena.db --sample 10\n  arena verify --journal arena.db --replay-all"
)]
pub struct VerifyArgs {
    /// Transcripts (.jsonl files), then the bots: .wasm files, or folders of them
    #[arg(value_names = ["TRANSCRIPT", "BOT"])]
    pub paths: Vec<PathBuf>,

    /// Verify the games of this journal; without bots, with the copies next to it
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Game, if it is a component; a journal has it, and this has to be the same file
    #[arg(long, value_name = "FILE")]
    pub game: Option<PathBuf>,

    /// Require this published chain head: nothing before it has changed
    #[arg(long, value_name = "SHA256", requires = "journal")]
    pub head: Option<String>,

    /// Verify N games of the journal, drawn at random [default: all]
    #[arg(long, value_name = "N", requires = "journal", value_parser = whole(1..=u32::MAX))]
    pub sample: Option<u32>,

    /// Random seed of the sample [default: a fresh one]
    #[arg(long, value_name = "N", requires = "sample", value_parser = whole(0..=u64::MAX))]
    pub sample_seed: Option<u64>,

    /// Play the season of the journal again from its seeds, and compare the head
    ///
    /// The head of a journal's chain follows from the seeds, the rules, the settings of the stages and the bots. All games that the journal
    /// has are played again, in the order of the schedule. Result: the same head, or the first difference. Games that a clock decided are
    /// not reproducible and are counted. A season with a secret seed is closed first, or its secret named with --seed.
    #[arg(long, requires = "journal", conflicts_with_all = ["sample", "verbose"])]
    pub replay_all: bool,

    /// Seed that was secret, as the tournament's table has it [default: the one revealed in the journal]
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,

    /// Print a line for each game that is verified too
    #[arg(short, long)]
    pub verbose: bool,

    /// Form of the result; json has all games
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

impl VerifyArgs {
    /// The games of a journal that are verified.
    pub fn sample(&self) -> SampleOptions {
        SampleOptions {
            sample: self.sample,
            sample_seed: self.sample_seed,
            head: self.head.clone(),
            game: self.game.clone(),
        }
    }
}
