//! The arguments of `arena sprt`.

use crate::args::{Form, GameArgs, SeedArgs};
use crate::failure::Failure;
use crate::values::{WrongValue, decimal, form, whole};
use arena_league::Sprt;
use clap::{Args, ValueEnum};
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

/// Arguments of `arena sprt`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena sprt new.wasm old.wasm --elo1 20")]
pub struct SprtArgs {
    /// The bot that may be better
    pub new: PathBuf,

    /// The bot that it may be better than; `builtin:hunter` is one inside the program
    pub old: PathBuf,

    /// Elo difference under H0: `new` is not worth keeping
    #[arg(long, value_name = "ELO", default_value_t = 0.0, value_parser = elo())]
    pub elo0: f64,

    /// Elo difference under H1: `new` is worth keeping
    #[arg(long, value_name = "ELO", default_value_t = 10.0, value_parser = elo())]
    pub elo1: f64,

    /// Type I error rate: H1 is accepted although H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability())]
    pub alpha: f64,

    /// Type II error rate: H0 is accepted although H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability())]
    pub beta: f64,

    /// Meaning of Elo
    #[arg(long, value_enum, value_name = "NAME", default_value_t = EloModel::Logistic)]
    pub model: EloModel,

    /// Stop undecided after N pairs of games
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole(1..=500_000_u32))]
    pub max_pairs: u32,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// Keep the games in a new journal, with those that were under way when the test was decided
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Folder for faults: the game, the view, the output
    #[arg(long, value_name = "DIR")]
    pub faults: Option<PathBuf>,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The meaning of Elo in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EloModel {
    /// By the score alone, as in a rating list
    Logistic,
    /// Normalized Elo: the score in units of its spread
    Normalized,
}

/// The parser of a difference in Elo.
fn elo() -> impl Fn(&str) -> Result<f64, WrongValue> + Clone + Send + Sync {
    decimal("a number", (Included(-Sprt::ELO_MAX), Included(Sprt::ELO_MAX)))
}

/// The parser of the probability of an error.
fn probability() -> impl Fn(&str) -> Result<f64, WrongValue> + Clone + Send + Sync {
    decimal("a number", (Excluded(0.0), Excluded(1.0)))
}

impl SprtArgs {
    /// The test that is asked for.
    ///
    /// # Errors
    /// The numbers are not those of a test.
    pub fn test(&self) -> Result<Sprt, Failure> {
        let model = match self.model {
            EloModel::Logistic => arena_league::EloModel::Logistic,
            EloModel::Normalized => arena_league::EloModel::Normalized,
        };
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model).map_err(|error| {
            Failure::usage(
                format!(
                    "--elo0 {}, --elo1 {}, --alpha {} and --beta {} are not a valid test: {error}",
                    self.elo0, self.elo1, self.alpha, self.beta
                ),
                "the usual test is --elo0 0 --elo1 10 --alpha 0.05 --beta 0.05",
            )
        })
    }
}
