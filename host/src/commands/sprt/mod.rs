//! `arena sprt`: a sequential test if a new bot is better than an old one.

mod args;

pub use args::SprtArgs;

use crate::admission::{self, Ready};
use crate::console::{self, Console};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::{self, SprtOutput};
use arena_engine::internals::faults::Faults;
use arena_engine::internals::roster;
use arena_engine::{Control, Local, PlannedRun, RunOptions, SeedChoice};
use arena_experiments::sprt::{self, NEW, OLD, Pairs, Tested};
use arena_league::Decision;
use arena_players::{Contestant, Runner};
use arena_record::Seed;
use arena_text::Text;
use std::path::Path;

/// Plays pairs of games until the test decides, and reports it.
pub fn sprt(args: &SprtArgs, console: &mut Console) -> Result<(), Failure> {
    args.check()?;
    match &args.journal {
        Some(journal) => decide_in_journal(args, journal, console),
        None => {
            let paths = [args.new.clone(), args.old.clone()];
            let ready = admission::require(&args.game, &args.seed, &paths, console)?;
            admission::note_small_seed(args.seed.seed, console);
            note_same_bot(&ready.contestants, console);
            decide(args, &ready, console)
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
fn progress(tested: &Tested) -> Text {
    let [lower, upper] = tested.bounds();
    format!("LLR {:.2} of {lower:.2} to {upper:.2}", tested.llr()).into()
}

fn decide(args: &SprtArgs, ready: &Ready, console: &mut Console) -> Result<(), Failure> {
    let Ready { plan, contestants, interrupt, sandbox } = ready;
    let test = args.test(&plan.conditions.rules)?;
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
fn decide_in_journal(args: &SprtArgs, journal: &Path, console: &mut Console) -> Result<(), Failure> {
    let options = RunOptions {
        game: args.game.options(),
        seed: args.seed.seed.map(SeedChoice::Given),
        journal: Some(journal.to_owned()),
        faults: args.faults.clone(),
        ..RunOptions::default()
    };
    let prepared = sprt::prepare(options, args.max_pairs)?;
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
    let planned = prepared.plan(&sandbox, roster)?;
    let test = args.test(&planned.plan.conditions.rules)?;
    let mut run = planned.open()?;
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
