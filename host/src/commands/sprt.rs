//! `arena sprt`: a sequential test if a new bot is better than an old one.

use crate::admission::{self, Ready};
use crate::args::{Form, GameArgs, SeedArgs};
use crate::console::{self, Console};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::{self, SprtOutput};
use crate::values::{WrongValue, decimal, form, whole};
use arena_engine::internals::faults::Faults;
use arena_engine::internals::roster;
use arena_engine::{
    Control, FormatKind, Local, PlannedRun, PreparedRun, RunOptions, SeedChoice, TournamentOptions,
};
use arena_experiments::sprt::{self, NEW, OLD, Pairs, Tested};
use arena_league::{Decision, Sprt};
use arena_players::{Contestant, Runner};
use arena_record::Seed;
use arena_text::{Text, shown};
use clap::{Args, ValueEnum};
use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};

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

/// Plays pairs of games until the test decides, and reports it.
pub fn sprt(args: &SprtArgs, console: &mut Console) -> Result<(), Failure> {
    let test = test(args)?;
    match &args.journal {
        Some(journal) => decide_in_journal(args, test, journal, console),
        None => {
            let paths = [args.new.clone(), args.old.clone()];
            let ready = admission::require(&args.game, &args.seed, &paths, console)?;
            admission::note_small_seed(args.seed.seed, console);
            note_same_bot(&ready.contestants, console);
            decide(args, test, &ready, console)
        }
    }
}

/// Notes that both bots are the same component.
fn note_same_bot(contestants: &[Contestant], console: &Console) {
    if let [new, old] = contestants
        && new.id.sha256 == old.id.sha256
    {
        console.note(
            "note: both bots are the same component, so the test can only find that it is not better than itself\n  \
             next: name the bot with a change first, and the one without it second",
        );
    }
}

/// How far a test is: the log-likelihood ratio between its bounds.
fn progress(Tested { test, tally, .. }: &Tested) -> Text {
    let [lower, upper] = test.bounds();
    format!("LLR {:.2} of {lower:.2} to {upper:.2}", test.llr(&tally.pairs)).into()
}

fn decide(args: &SprtArgs, test: Sprt, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let mut folders = Faults::open(args.faults.as_deref())?;
    let runner = Runner { plan, contestants, keeps_transcripts: folders.are_kept(), keeps_journal: false };
    let pairs = Pairs::start(sandbox, runner, args.max_pairs as usize)?;
    admission::note_gaps(sandbox, console);
    console.begin_open_progress(args.max_pairs as usize, "pairs at most");
    let stop = || interrupt.requested();
    let tested =
        sprt::decide(test, &pairs, &mut folders, stop, |tested| console.advance_with(&progress(tested)));
    console.end_progress();
    report(args, tested, contestants, plan.seed.seed, folders.note(), interrupt, console)
}

/// Plays the pairs as a match that a journal has, which ends when the test is decided.
fn decide_in_journal(
    args: &SprtArgs,
    test: Sprt,
    journal: &Path,
    console: &mut Console,
) -> Result<(), Failure> {
    if journal.exists() {
        return Err(Failure::usage(
            format!("{}: there is such a journal, and a test begins with its first game", shown(journal)),
            "name another journal; `arena standings` and `arena games` read this one",
        ));
    }
    let prepared = PreparedRun::new(RunOptions {
        game: args.game.options(),
        tournament: TournamentOptions {
            games_per_match: Some(2 * args.max_pairs),
            format: Some(FormatKind::RoundRobin),
            max_faults: Some(0),
            ..TournamentOptions::default()
        },
        seed: args.seed.seed.map(SeedChoice::Given),
        journal: Some(journal.to_owned()),
        faults: args.faults.clone(),
        ..RunOptions::default()
    })?;
    let paths = prepared.paths(vec![args.new.clone(), args.old.clone()]);
    paths.iter().try_for_each(|path| roster::check_path(path))?;
    admission::note_small_seed(args.seed.seed, console);
    let interrupt = Interrupt::listen()?;
    let sandbox = args.game.cache.sandbox(prepared.sandbox_limits())?;
    let roster = admission::admit_surely(&sandbox, &paths, prepared.jobs(), &interrupt, console)?;
    if let Some(refused) = roster.refused.first() {
        return Err(Failure::Refused(output::refusal(refused)));
    }
    note_same_bot(&roster.contestants, console);
    let mut run = prepared.plan(&sandbox, roster)?.open()?;
    interrupt.answer(console::note_interrupt);
    let local = Local::start(&sandbox, &run, false)?;
    admission::note_gaps(&sandbox, console);
    console.begin_open_progress(args.max_pairs as usize, "pairs at most");
    let control = Control::of_flag(interrupt.flag());
    let after_pair = |tested: &Tested| console.advance_with(&progress(tested));
    let tested = sprt::decide_run(test, &mut run, &local, &control, after_pair);
    console.end_progress();
    let PlannedRun { plan, roster, .. } = run.planned();
    report(args, tested, &roster.contestants, plan.seed.seed, run.note_on_faults(), &interrupt, console)
}

/// Reports a test that has ended.
fn report(
    args: &SprtArgs,
    tested: Tested,
    contestants: &[Contestant],
    seed: Seed,
    note: Option<String>,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<(), Failure> {
    let report = SprtOutput {
        labels: [NEW, OLD].map(|index| &contestants[index].id.label),
        tested: &tested,
        seed,
        games_planned: 2 * u64::from(args.max_pairs),
    };
    console.show(&report, args.output)?;
    if let Some(note) = note {
        console.note(note);
    }
    if let Some(error) = tested.failed {
        return Err(error.into());
    }
    match tested.decision {
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
