//! `arena run`: a match or a tournament.

use crate::args::{DashboardArgs, Form, GameArgs, RemoteArgs, TableArgs, TournamentArgs};
use crate::console::{self, Console};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::{self, StandingsOutput};
use crate::playing::{self, PlayedBy, Shown};
use crate::values::{beacon, form, seed_choice};
use crate::{admission, resume};
use arena_cluster::Remote;
use arena_engine::internals::labels;
use arena_engine::{
    Error, Local, PlannedRun, PreparedRun, Results, Roster, Run, RunOptions, SeedChoice, Supplier, components,
};
use arena_record::{Beacon, Label, RecordedSeed};
use arena_referee::HostError;
use arena_text::{counted, shown};
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
    #[arg(long)]
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
    #[arg(long, requires = "journal", help_heading = "Records")]
    pub resume: bool,

    /// Folder for a transcript of each game, JSON Lines
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub transcripts: Option<PathBuf>,

    /// Folder for the bots' output, a file per bot and game
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub logs: Option<PathBuf>,

    /// Keep no copy of the bots next to the journal
    ///
    /// Otherwise each bot is kept once, in the folder FILE.bots, so that `arena verify --journal` needs no other files.
    #[arg(long, requires = "journal", hide_short_help = true, help_heading = "Records")]
    pub no_keep_bots: bool,

    /// Folder for faults: the game, the view, the output
    ///
    /// It gets a folder for each fault, 100 at most, with the command that repeats the fault.
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub faults: Option<PathBuf>,
}

impl RunArgs {
    /// What is asked of the engine.
    fn options(&self) -> RunOptions {
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

/// Plays a match or a tournament, and reports it.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<(), Failure> {
    let workers = args.remote.options()?;
    if workers.is_some() && args.journal.is_none() {
        return Err(Failure::usage(
            "--workers needs a journal, which has the games of workers that are checked later",
            "add --journal FILE",
        ));
    }
    let prepared = PreparedRun::new(args.options())?;
    let bots = prepared.paths(components(&args.bots)?);
    check_count(&bots, args.watch)?;
    if let Some(SeedChoice::Given(seed)) = args.seed {
        admission::note_small_seed(Some(seed), console);
    }
    let interrupt = Interrupt::listen()?;
    let sandbox = args.game.cache.sandbox(prepared.sandbox_limits())?;
    let mut roster = admission::admit(&sandbox, &bots, prepared.jobs(), &interrupt, console)?;
    prepared.refuse_other_types(&mut roster)?;
    for refused in &roster.refused {
        console.tell(output::refusal(refused));
    }
    for failed in &roster.failed {
        console.tell(output::failed(failed));
    }
    prepared.restore(&sandbox, &mut roster)?.iter().for_each(|note| console.note(note.as_str()));
    require_a_match(&roster, args.strict)?;
    let planned = prepared.plan(&sandbox, roster)?;
    let anchor = args.table.anchor.as_deref();
    let anchor = anchor.map(|label| labels::find(label, &planned.season.bots)).transpose()?;
    // Before the journal is made: it is not needed if the server is missing.
    let start = |options| Remote::start(options, &planned, &sandbox);
    let remote = workers.as_ref().map(start).transpose()?;
    let run = planned.open()?;
    run.planned().notes.iter().for_each(|note| console.note(note.as_str()));
    if let (RecordedSeed::Secret(commitment), Some(journal)) = (run.planned().seed.season, &args.journal) {
        let hash = commitment.digits();
        console.note(format!(
            "the seed is secret until `arena journal close {}`; its SHA-256 is {hash}",
            shown(journal)
        ));
    }
    interrupt.answer(console::note_interrupt);
    if args.journal.is_some() {
        // All games are in it, even if the lines are not read.
        console.outlive_reader();
    }
    if let Some(workers) = &workers {
        let server = &workers.server;
        console.note(format!("{server}: waiting for workers: start `arena worker` with this address"));
    }
    let place = match remote {
        Some(remote) => PlayedBy::Elsewhere(Box::new(remote)),
        None => PlayedBy::Here(Box::new(Local::start(&sandbox, &run, args.watch)?)),
    };
    admission::note_gaps(&sandbox, console);
    Tournament { args, interrupt, run, anchor, place }.play(console)
}

/// A tournament that is ready to be played.
struct Tournament<'a> {
    args: &'a RunArgs,
    interrupt: Interrupt,
    run: Run,
    anchor: Option<usize>,
    place: PlayedBy,
}

impl Tournament<'_> {
    /// Plays the games, and reports them.
    fn play(mut self, console: &mut Console) -> Result<(), Failure> {
        let Self { args, interrupt, run, place, .. } = &mut self;
        let shown = Shown {
            dashboard: args.watch.then_some(args.dashboard),
            journal: args.journal.as_deref(),
            has_lines: args.output == Form::Table,
        };
        let played = playing::play(run, place, &shown, interrupt, console);
        console.end_progress();
        self.report(played, console)
    }

    /// Reports the games, after the last one and after the screen.
    fn report(self, played: Result<(), Failure>, console: &mut Console) -> Result<(), Failure> {
        if let (Some(remote), true) = (self.place.remote(), self.run.is_over()) {
            remote.over();
        }
        let run = &self.run;
        let PlannedRun { plan, roster, .. } = run.planned();
        let locate = |number: usize, labels: [&Label; 2]| run.transcript_of(number, labels);
        let report = StandingsOutput {
            head: run.head(),
            refused: &roster.refused,
            failed: &roster.failed,
            has_games: true,
            top: self.args.table.rows_max(),
            locate: if self.args.transcripts.is_some() { Some(&locate) } else { None },
            ..StandingsOutput::new(&plan.conditions, run.ranking().with_anchor(self.anchor))
        };
        console.show(&report, self.args.output)?;
        // The other forms have the seed themselves.
        if let (Form::Csv, Some(seed)) = (self.args.output, report.seed()) {
            console.tell(format!("seed {seed}"));
        }
        if let Some(note) = run.note_on_faults() {
            console.note(note);
        }
        // A game that has failed fails again.
        let has_game_failed = matches!(&played, Err(Failure::Engine(Error::Host(HostError::Game(_)))));
        if !run.results().complete && self.args.journal.is_some() && !has_game_failed {
            console.tell(format!("to continue:\n  {}", resume::command()));
        }
        played?;
        verdict(run.results(), roster, self.interrupt.requested())
    }
}

fn check_count(bots: &[PathBuf], watch: bool) -> Result<(), Failure> {
    if bots.len() < 2 {
        return Err(Failure::usage(
            "a match needs two bots, and one is named",
            "name another; for self-play, name the same one twice",
        ));
    }
    if watch && !console::is_terminal() {
        return Err(Failure::usage(
            "--watch needs a terminal, and standard output is not one",
            "leave out --watch",
        ));
    }
    Ok(())
}

/// Checks that enough bots are left, and that the user wants to continue without the others.
fn require_a_match(roster: &Roster, strict: bool) -> Result<(), Failure> {
    let (playing, refused) = (roster.contestants.len(), roster.refused.len());
    if strict && refused > 0 {
        return Err(Failure::Refused(format!("{refused} refused: with --strict nothing is played")));
    }
    if strict || playing < 2 {
        roster.require_no_failure()?;
    }
    if playing < 2 {
        let left = if playing == 1 { "one bot is" } else { "no bots are" };
        return Err(Failure::Refused(format!("{left} left, and a match needs two: nothing is played")));
    }
    Ok(())
}

/// The end of the program after a run that has been reported.
fn verdict(results: &Results, roster: &Roster, interrupted: bool) -> Result<(), Failure> {
    if interrupted && !results.complete {
        return Err(Failure::Interrupted(format!(
            "interrupted: played {} of {}; the table counts those",
            results.sums.delivered,
            counted(results.games_planned, "game")
        )));
    }
    let failed = results.games.iter().filter(|game| game.result.is_err()).count();
    if failed > 0 {
        return Err(Failure::host(format!(
            "games without a result, which the table does not count: {failed}"
        )));
    }
    let without = roster.failed.len();
    if without > 0 {
        return Err(Failure::host(format!(
            "bots that were not admitted: {without}; the results are without these files"
        )));
    }
    if !roster.refused.is_empty() {
        return Err(Failure::Reported(NegativeResult::Refused));
    }
    Ok(())
}
