//! `arena sprt`: a sequential test if a new bot is better than an old one.

use crate::admission::{self, Ready};
use crate::args::{GameArgs, Output, SeedArgs};
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::output::{FaultsOf, SprtOutput};
use crate::values::{WrongValue, decimal, whole};
use arena_engine::faults::Faults;
use arena_engine::tournament::score;
use arena_experiments::sprt::{NEW, OLD, Pairs, Sided};
use arena_league::{Decision, PairTally, Side, Sprt};
use arena_players::Table;
use arena_referee::HostError;
use arena_rules::Seat;
use clap::{Args, ValueEnum};
use std::ops::Bound::{Excluded, Included};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Arguments of `arena sprt`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena sprt new.wasm old.wasm --elo1 20")]
pub struct SprtArgs {
    /// The bot that may be better
    pub new: PathBuf,

    /// The bot that it may be better than
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
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table)]
    pub output: Output,

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

/// Plays pairs of games until the test decides, and reports it.
pub fn sprt(args: &SprtArgs, console: &mut Console) -> Result<(), Failure> {
    let test = test(args)?;
    let paths = [args.new.clone(), args.old.clone()];
    let ready = admission::require_groups(&args.game, &args.seed, &[&paths], console)?;
    decide(args, &test, &ready, console)
}

fn decide(args: &SprtArgs, test: &Sprt, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let mut folders = Faults::open(args.faults.as_deref())?;
    let table = Table { plan, contestants, keeps_transcripts: folders.are_kept(), keeps_journal: false };
    let pairs = Pairs::start(sandbox, table, args.max_pairs as usize)?;
    admission::note_gaps(sandbox, console);
    let mut tally = PairTally::default();
    let mut failed: Option<Failure> = None;
    let mut decision = Decision::Continue;
    let mut faults = [FaultsOf::default(), FaultsOf::default()];
    console.begin_progress(args.max_pairs as usize, "pairs at most");
    let deliver = |pair: usize, games: Result<[Sided; 2], HostError>| match games {
        Ok(games) => {
            for (number, (side, played)) in (2 * pair + 1..).zip(&games) {
                let seats = if *side == Side::First { [NEW, OLD] } else { [OLD, NEW] };
                for (seat, contestant) in Seat::BOTH.into_iter().zip(seats) {
                    faults[contestant].add(&played.result, seat);
                }
                let files = seats.map(|contestant| contestants[contestant].file.as_str());
                if let Err(failure) = folders.keep(&format!("{number:06}"), played, files) {
                    failed = Some(failure.into());
                    return ControlFlow::Break(());
                }
            }
            tally.add(games.map(|(side, played)| (side, Some(score(played.result.outcome)))));
            console.advance();
            decision = test.decide(&tally.pairs);
            if decision == Decision::Continue { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
        // A pair that is left out because of the arena's failure could have had any result, so the test would no longer
        // hold.
        Err(error) => {
            failed = Some(error.into());
            ControlFlow::Break(())
        }
    };
    pairs.play(|| interrupt.requested(), deliver);
    console.end_progress();
    let labels = [NEW, OLD].map(|index| &contestants[index].id.label);
    let report = SprtOutput {
        labels,
        test,
        tally: &tally,
        decision,
        faults: faults.each_ref(),
        seed: plan.seed.seed,
        games_planned: 2 * u64::from(args.max_pairs),
    };
    match args.output {
        Output::Table => console.line(report.text())?,
        Output::Json => console.document(&report.json())?,
    }
    if let Some(note) = folders.note() {
        console.note(note);
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    match decision {
        Decision::AcceptH1 => Ok(()),
        Decision::AcceptH0 => Err(Failure::Reported(NegativeResult::NotBetter)),
        Decision::Continue if interrupt.requested() => {
            Err(Failure::Interrupted("interrupted: the test is not decided".into()))
        }
        Decision::Continue => Err(Failure::Reported(NegativeResult::Undecided)),
    }
}

fn test(args: &SprtArgs) -> Result<Sprt, Failure> {
    let model = match args.model {
        EloModel::Logistic => arena_league::EloModel::Logistic,
        EloModel::Normalized => arena_league::EloModel::Normalized,
    };
    Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, model).map_err(|error| {
        Failure::usage(
            format!(
                "--elo0 {}, --elo1 {}, --alpha {} and --beta {} are not a valid test: {error}",
                args.elo0, args.elo1, args.alpha, args.beta
            ),
            "the usual test is --elo0 0 --elo1 10 --alpha 0.05 --beta 0.05",
        )
    })
}
