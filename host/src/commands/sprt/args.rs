//! The arguments of `arena sprt`.

use crate::args::{Form, GameArgs, SeedArgs, scores_of};
use crate::failure::Failure;
use crate::values::{WrongValue, decimal, form, whole};
use arena_experiments::sprt::Test;
use arena_league::{ScoreSprt, Sprt};
use arena_rules::{GameRules, SCORE_MAX, ScoreRange};
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

    /// What is tested
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Tested::Result)]
    pub by: Tested,

    /// With --by score, difference a game under H0
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = score(), requires = "score1")]
    pub score0: f64,

    /// With --by score, difference a game under H1
    #[arg(long, value_name = "N", value_parser = score(), conflicts_with_all = ["elo0", "elo1", "model"])]
    pub score1: Option<f64>,

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

/// What a test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tested {
    /// Who wins, in Elo
    Result,
    /// The scores that the game gives, such as shots saved in Battleship
    Score,
}

/// The parser of a difference of scores.
fn score() -> impl Fn(&str) -> Result<f64, WrongValue> + Clone + Send + Sync {
    let most = 2.0 * SCORE_MAX as f64;
    decimal("a number", (Included(-most), Included(most)))
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
    /// The test that is asked for, in a game by these rules.
    ///
    /// # Errors
    /// The numbers are not those of a test, or the game has no scores.
    pub fn test(&self, rules: &GameRules) -> Result<Test, Failure> {
        match self.by {
            Tested::Result => self.test_of_results(),
            Tested::Score => self.test_of_scores(rules),
        }
    }

    fn test_of_scores(&self, rules: &GameRules) -> Result<Test, Failure> {
        let Self { alpha, beta, score0, .. } = *self;
        let Some(score1) = self.score1 else {
            return Err(Failure::usage(
                "--by score needs --score1, the difference under H1",
                "name the difference of scores a game that is worth keeping",
            ));
        };
        let ScoreRange { minimum, maximum } = scores_of(rules)?;
        let test = ScoreSprt::new(score0, score1, alpha, beta, maximum - minimum);
        test.map(Test::Scores).map_err(|error| {
            Failure::usage(
                format!(
                    "--score0 {score0}, --score1 {score1}, --alpha {alpha} and --beta {beta} are not a valid test: {error}"
                ),
                format!("scores of this game are {minimum} to {maximum}"),
            )
        })
    }

    fn test_of_results(&self) -> Result<Test, Failure> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        let model = match self.model {
            EloModel::Logistic => arena_league::EloModel::Logistic,
            EloModel::Normalized => arena_league::EloModel::Normalized,
        };
        Sprt::new(elo0, elo1, alpha, beta, model).map(Test::Results).map_err(|error| {
            Failure::usage(
                format!(
                    "--elo0 {elo0}, --elo1 {elo1}, --alpha {alpha} and --beta {beta} are not a valid test: {error}"
                ),
                "the usual test is --elo0 0 --elo1 10 --alpha 0.05 --beta 0.05",
            )
        })
    }

    /// Checks the numbers of a test that does not depend on the game.
    ///
    /// # Errors
    /// They are not those of a test.
    pub fn check(&self) -> Result<(), Failure> {
        match self.by {
            Tested::Result if self.score1.is_some() => Err(Failure::usage(
                "--score1 is a difference of scores, and the test is by result",
                "add --by score",
            )),
            Tested::Result => self.test_of_results().map(drop),
            Tested::Score => Ok(()),
        }
    }
}
