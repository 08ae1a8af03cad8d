//! The arguments of `arena check`.

use crate::args::{CacheArgs, Form};
use crate::values::{form, game_setting, whole};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena check`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena check target/wasm32-wasip2/release/my_bot.wasm\n          arena check my-bot.wasm --quick --rules classic\n          arena check my-bot.wasm --game my-game.wasm\n          arena check my-game.wasm --set columns=8\n          arena check --sandbox"
)]
pub struct CheckArgs {
    /// The bot, or a game, a .wasm file
    #[arg(value_name = "BOT", required_unless_present = "sandbox")]
    pub bot: Option<PathBuf>,

    /// Check the sandbox on this machine instead of a bot
    #[arg(long, conflicts_with = "bot")]
    pub sandbox: bool,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The same as -o json
    #[arg(long, conflicts_with = "output")]
    pub json: bool,

    /// Play no trial games
    #[arg(long)]
    pub no_games: bool,

    /// Rules of the trial games: built-in ones or a file; may be repeated [default: all rules of its game]
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["no_games", "sandbox"])]
    pub rules: Vec<String>,

    /// Game of the trial games, if it is a component
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "no_games", "sandbox"])]
    pub game: Option<PathBuf>,

    /// Value of an option of --game, or of a game that is checked [default: the game's]; may be repeated
    #[arg(long, value_name = "NAME=N", conflicts_with = "sandbox", value_parser = game_setting)]
    pub set: Vec<(String, i64)>,

    /// Fuel per turn in the trial games [default: the rules' budget]
    #[arg(long, value_name = "UNITS", value_parser = whole(1..=u64::MAX), conflicts_with_all = ["no_games", "sandbox"])]
    pub fuel: Option<u64>,

    /// Play one trial game under each rule set, once
    #[arg(long, conflicts_with_all = ["no_games", "sandbox"])]
    pub quick: bool,

    /// Folder for faults: the game, the view, the output
    #[arg(long, value_name = "DIR", conflicts_with = "no_games")]
    pub faults: Option<PathBuf>,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

impl CheckArgs {
    /// The form of the result.
    pub fn output(&self) -> Form {
        if self.json { Form::Json } else { self.output }
    }
}
