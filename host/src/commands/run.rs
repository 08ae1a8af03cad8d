//! `arena run`: a match or a tournament.

use crate::args::{DashboardArgs, GameArgs, PlaceArgs, TableArgs, TableOutput, TournamentArgs};
use crate::console::{self, Beside, Console};
use crate::dashboard::{self, Dashboard};
use crate::desk::{Desk, Halt};
use crate::failure::{Failure, Verdict};
use crate::interrupt::Interrupt;
use crate::remote::{self, Remote, RemoteArgs, Setting};
use crate::report::{self, Report};
use crate::values::seed_choice;
use crate::{admission, resume};
use arena_engine::archive::Archive;
use arena_engine::faults::Faults;
use arena_engine::journal::{Journal, Past};
use arena_engine::ranking::Ranking;
use arena_engine::roster::{self, Roster};
use arena_engine::round::RoundQueue;
use arena_engine::season::Season;
use arena_engine::seed::{self, SeedChoice};
use arena_engine::tournament::{Contest, Games, Results, Source};
use arena_engine::{labels, plan, seeding};
use arena_league::Format;
use arena_players::crew::Crew;
use arena_players::{Played, Processes, Session, Table};
use arena_record::{Label, RecordedSeed};
use arena_sandbox::Sandbox;
use arena_text::{counted, shown};
use clap::Args;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time between two looks at the workers. Chosen: a person sees a change at once.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Arguments of `arena run`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena run bots/*.wasm --games 100 --journal arena.db")]
pub struct RunArgs {
    /// Two or more bots (.wasm files), or folders of them
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Table (--anchor, --top), json or csv
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = TableOutput::Table, hide_possible_values = true)]
    pub output: TableOutput,

    /// The form of the standings.
    #[command(flatten)]
    pub table: TableArgs<false>,

    /// Show it on the whole terminal (also --linger)
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

    /// Random seed: N, HEX or secret [default: a fresh one]
    #[arg(long, value_name = "SEED", value_parser = seed_choice, help_heading = "Tournament")]
    pub seed: Option<SeedChoice>,

    /// Workers on other machines.
    #[command(flatten)]
    pub remote: RemoteArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,

    /// The place where bots play.
    #[command(flatten)]
    pub place: PlaceArgs,

    /// Journal of all games; continued if it exists
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pub journal: Option<PathBuf>,

    /// Fail if the journal does not exist
    #[arg(long, requires = "journal", help_heading = "Records")]
    pub resume: bool,

    /// Folder for a transcript of each game
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub transcripts: Option<PathBuf>,

    /// Folder for the bots' output, a file per bot and game
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub logs: Option<PathBuf>,

    /// Folder for faults: the game, the view, the output
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    pub faults: Option<PathBuf>,
}

/// A tournament that is ready to be played.
struct Tournament<'a> {
    args: &'a RunArgs,
    sandbox: &'a Sandbox,
    interrupt: &'a Interrupt,
    table: Table<'a>,
    roster: &'a Roster,
    anchor: Option<usize>,
    season: &'a Season,
    contest: Contest,
    games_planned: usize,
    archive: Archive,
    faults: Faults,
    journal: Journal,
    remote: Option<Remote>,
}

/// Plays a match or a tournament, and reports it.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<(), Failure> {
    args.remote.workers.as_deref().map(remote::check).transpose()?;
    let past = begun(args)?;
    let mut game = args.game.options();
    if let Some(past) = &past {
        game.limits = game.limits.or_of(&past.tournament.conditions.limits);
    }
    let options = args.tournament.options();
    let asked = plan::rules_asked_or(&game, past.as_ref().map(|past| &past.tournament.conditions.rules))?;
    let settings_before = past.as_ref().and_then(Past::settings);
    plan::check_settings(&options, settings_before)?;
    let bots = roster::components(&args.bots)?;
    check_count(&bots, args.watch)?;
    if let Some(SeedChoice::Given(seed)) = args.seed {
        admission::note_small_seed(Some(seed), console);
    }
    let seed = seed::of_run(args.seed, args.journal.as_deref(), past.as_ref())?;
    let interrupt = Interrupt::listen()?;
    let jobs = arena_players::jobs(game.jobs);
    let sandbox = args.place.sandbox(game.limits.sandbox(jobs), &args.game.cache)?;
    let mut roster = admission::admit(&sandbox, &bots, jobs, &interrupt, console)?;
    for refused in &roster.refused {
        console.tell(report::refusal(refused));
    }
    for failed in &roster.failed {
        console.tell(report::failed(failed));
    }
    require_a_match(&roster, args.strict)?;
    // A journal that was begun keeps its order, since the other one may have grown.
    if let (Some(seeding), None) = (&args.tournament.seeding, settings_before) {
        console.note(seeding::order(&mut roster.contestants, seeding)?);
    }

    let contestants = &roster.contestants;
    let plan = plan::plan(&game, asked, sandbox.engine_hash(), contestants, seed)?;
    let settings = plan::settings(&options, settings_before, contestants.len());
    // Whoever asks for a gauntlet names its challengers first; the bracket of a knockout is drawn once.
    let keeps_order = args.tournament.format.is_none() || !matches!(settings.format, Format::Gauntlet { .. });
    let season = Season::new(past.as_ref(), contestants, settings, keeps_order)?;
    let anchor = args.table.anchor.as_deref().map(|label| labels::find(label, &season.bots)).transpose()?;
    let keeps_transcripts = args.journal.is_some() || args.transcripts.is_some() || args.faults.is_some();
    let table = Table { plan: &plan, contestants, keeps_transcripts };
    // Before the journal, which nobody needs if the server is not there.
    let start = |server| {
        let recheck = args.remote.recheck;
        Remote::start(&Setting { server, recheck, table, sandbox: &sandbox, files: &bots })
    };
    let remote = args.remote.workers.as_deref().map(start).transpose()?;
    let journal = Journal::open(args.journal.as_deref(), &table, &season, past)?;
    let contest = journal.contest(&season);
    let games_planned = contest.games_planned(&season.stage);
    let archive = Archive::open(args.transcripts.as_deref(), args.logs.as_deref(), games_planned)?;
    let faults = Faults::open(args.faults.as_deref())?;
    if let Some(note) = journal.note(&season, &contest) {
        console.note(note);
    }
    if let (RecordedSeed::Secret(commitment), false) = (seed.recorded, seed.told) {
        console
            .note(format!("the seed is secret until the last game; its SHA-256 is {}", commitment.digits()));
    }
    interrupt.answer(console::note_interrupt);
    if args.journal.is_some() {
        // All games are in it, whoever reads the lines.
        console.outlive_reader();
    }
    if let Some(remote) = &remote {
        console.note(remote.begun());
    }
    let tournament = Tournament {
        args,
        sandbox: &sandbox,
        interrupt: &interrupt,
        table,
        roster: &roster,
        anchor,
        season: &season,
        contest,
        games_planned,
        archive,
        faults,
        journal,
        remote,
    };
    tournament.play(console)
}

/// The content of the journal that the run goes on with, if a run has begun it.
fn begun(args: &RunArgs) -> Result<Option<Past>, Failure> {
    let Some(path) = &args.journal else { return Ok(None) };
    if args.resume && !path.exists() {
        return Err(Failure::usage(
            format!("{}: no such journal to continue", shown(path)),
            "leave out --resume to start one",
        ));
    }
    Ok(Past::read_begun(path)?)
}

impl Tournament<'_> {
    fn play(mut self, console: &mut Console) -> Result<(), Failure> {
        let lines = report::Lines::new(&self.season.bots, self.games_planned);
        let (table, season) = (self.table, self.season);
        let is_remote = self.remote.is_some();
        let plays_here = !is_remote || self.args.remote.recheck > 0;
        let left = self.games_planned.saturating_sub(self.contest.results().sums.played);
        let at_once = if is_remote { 0 } else { table.plan.jobs.min(left) };
        let session = Session::of(table.plan, self.args.watch && !is_remote);
        let start = || Processes::start(self.sandbox, table.bots(), &session, at_once);
        let processes = if plays_here { start()? } else { None };
        admission::note_gaps(self.sandbox, console);
        let shown = loop {
            let (delivered, shown) = self.play_games(processes.as_ref(), &lines, console);
            let liar = self.remote.as_ref().and_then(Remote::liar);
            match (liar, delivered) {
                (_, Err(Halt::Failed(failure))) => break shown.and(Err(failure)),
                (Some(liar), _) if !self.interrupt.requested() => {
                    let taken_back = self.journal.cut(liar.games)?;
                    self.contest = self.journal.contest(season);
                    console.note(format!(
                        "{} of that worker and after its first are taken back, and played again",
                        counted(taken_back, "game")
                    ));
                }
                (Some(liar), _) => {
                    break shown.and(self.journal.cut(liar.games).map(drop).map_err(Failure::from));
                }
                (None, _) => break shown,
            }
        };
        console.end_progress();
        self.report(shown, console)
    }

    /// Plays the games that are not known.
    fn play_games(
        &mut self,
        processes: Option<&Processes>,
        lines: &report::Lines,
        console: &mut Console,
    ) -> (Result<(), Halt>, Result<(), Failure>) {
        let Self {
            args,
            interrupt,
            table,
            roster,
            season,
            contest,
            games_planned,
            archive,
            faults,
            journal,
            remote,
            ..
        } = self;
        let (table, games_planned, remote) = (*table, *games_planned, remote.as_ref());
        // Only that form has each game.
        if args.output != TableOutput::Json {
            contest.sum_up();
        }
        let dashboard = args.watch.then(|| dashboard::dashboard(table.plan, season, roster, games_planned));
        if let Some(dashboard) = &dashboard {
            let earlier = contest.results();
            earlier.games.iter().for_each(|game| dashboard.game(game, false, earlier));
        }
        let packing = journal.packing();
        let (known, keeper) = journal.split();
        // A game as it waits for those before it, of which one may be slow.
        let ready = |mut played: Played| {
            if let (Some(packing), Some(transcript)) = (&packing, &played.transcript) {
                played.packed = Some(packing.pack(transcript));
            }
            let is_told = args.faults.is_some() && !played.result.faults.is_empty();
            if args.transcripts.is_none() && !is_told {
                played.transcript = None;
            }
            Source::Played(Box::new(played))
        };
        let known = |fixture| known.get(&fixture).map(|(_, result)| Source::Taken(result.clone()));
        let stop = || interrupt.requested();
        let work = |games: &Games<'_>| {
            let watcher = |number| dashboard.as_ref().map(|dashboard| dashboard.watcher(number));
            let queue = RoundQueue { games, table, season, watcher: &watcher, known: &known, ready: &ready };
            match (remote, processes) {
                (Some(remote), _) => remote.work(&queue, processes, &stop),
                (None, Some(processes)) => processes.work(&queue),
                (None, None) => queue.play_here(),
            }
        };
        let lead = || remote.map_or(0, Remote::lead);
        let crew = Crew::from(table.plan.jobs).ahead(&lead);
        if dashboard.is_none() {
            console.begin_progress(games_planned, "games");
        }
        let beside = console.beside();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let screen = dashboard.as_deref().map(|dashboard| {
                scope.spawn(|| dashboard.show(interrupt, args.journal.as_deref(), args.dashboard))
            });
            if let Some(remote) = remote {
                let (beside, dashboard, is_over) = (&beside, dashboard.as_deref(), &is_over);
                scope.spawn(move || tell_of_workers(remote, beside, dashboard, is_over));
            }
            let desk = Desk {
                archive,
                faults,
                roster,
                season,
                keeper,
                lines: (args.output == TableOutput::Table).then_some(lines),
                dashboard: dashboard.as_deref(),
                console: &mut *console,
                progress: (0, games_planned),
                disqualified: contest.results().disqualified.len(),
                remote,
            };
            let delivered = contest.play(&season.stage, crew, stop, work, desk);
            is_over.store(true, Ordering::SeqCst);
            if let Some(dashboard) = &dashboard {
                dashboard.end(contest.results());
            }
            // The screen stays until the user has seen enough of it.
            let shown =
                screen.map_or(Ok(()), |screen| screen.join().unwrap_or_else(|panic| resume_unwind(panic)));
            (delivered, shown)
        })
    }

    /// Reports the games, once there are no more, after the screen.
    fn report(mut self, delivered: Result<(), Failure>, console: &mut Console) -> Result<(), Failure> {
        let (_, keeper) = self.journal.split();
        let results = self.contest.into_results();
        // A game without a result is still to be played.
        let over = results.complete && results.games.iter().all(|game| game.result.is_ok());
        if let (Some(remote), true) = (&self.remote, over) {
            remote.over();
        }
        let told = if over { keeper.tell_seed() } else { Ok(None) };
        let locate = |number: usize, labels: [&Label; 2]| self.archive.transcript_of(number, labels);
        let ranking = Ranking::new(&self.season.stage.settings, &self.season.bots, &results);
        let report = Report::new(&self.table.plan.conditions, ranking.with_anchor(self.anchor))
            .with_head(keeper.head())
            .with_told_seed(told.as_ref().ok().copied().flatten())
            .with_refused(&self.roster.refused)
            .with_failed(&self.roster.failed)
            .with_top(self.args.table.rows_max())
            .with_recordings(self.args.transcripts.is_some().then_some(&locate));
        match self.args.output {
            TableOutput::Table => console.line(report.table())?,
            TableOutput::Json => console.document(&report.json())?,
            TableOutput::Csv => console.line(report.csv())?,
        }
        // The other forms have the seed themselves.
        if let (TableOutput::Csv, Some(seed)) = (self.args.output, report.seed()) {
            console.tell(format!("seed {seed}"));
        }
        if let Some(note) = self.faults.note() {
            console.note(note);
        }
        if !results.complete && self.args.journal.is_some() {
            console.tell(format!("to continue:\n  {}", resume::command()));
        }
        delivered?;
        told?;
        verdict(&results, self.roster, self.interrupt.requested())
    }
}

/// Tells of the workers until the games are over.
fn tell_of_workers(
    remote: &Remote,
    beside: &Beside,
    dashboard: Option<&dyn Dashboard>,
    is_over: &AtomicBool,
) {
    while !is_over.load(Ordering::SeqCst) {
        let (lines, state) = remote.news();
        lines.into_iter().for_each(|line| beside.note(line));
        if let Some(dashboard) = dashboard {
            dashboard.workers(&state);
        }
        beside.say(&state.into());
        thread::sleep(TELL_EVERY);
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

/// Checks that enough bots are left, and that the user wants to go on without the others.
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
            "bots that were not admitted: {without}; the results are without them"
        )));
    }
    if !roster.refused.is_empty() {
        return Err(Failure::Reported(Verdict::Refused));
    }
    Ok(())
}
