//! `arena dev`: builds a bot after each save, and compares it with the build that the author has kept.

use crate::admission;
use crate::args::{GameArgs, SeedArgs};
use crate::console::Console;
use crate::dev::{News, Watch};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::{DevOutput, KeptBuild, first_difference};
use crate::screen::Playable;
use crate::values::whole;
use arena_engine::internals::{plan, roster, seed};
use arena_engine::{GameOptions, Roster};
use arena_experiments::builds::{self, Build, Measured};
use arena_experiments::finding::{Finding, Trial};
use arena_experiments::project::{BuildEnd, Project};
use arena_experiments::rerun::AskedTurn;
use arena_players::{Contestant, Plan, RunSeed};
use arena_record::Transcript;
use arena_referee::HostError;
use arena_rules::{GameRules, Seat, with_game};
use arena_sandbox::Sandbox;
use arena_text::{Text, shown};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The time that the loop waits for news before it checks for Ctrl-C. Chosen: too short to notice.
const NEWS_WAIT: Duration = Duration::from_millis(50);

/// Arguments of `arena dev`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena dev my-bot\n          arena dev my-bot --once --rules classic\n\nKeys: k keep this build: the next ones are compared with it, q quit"
)]
pub struct DevArgs {
    /// Folder of the bot; its arena.toml has the build command
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,

    /// Build and compare once, and exit: with 2 if the build fails, 3 if the bot is refused or at fault
    #[arg(long)]
    pub once: bool,

    /// With --once: keep this build, unless the bot is at fault
    #[arg(long, requires = "once")]
    pub keep: bool,

    /// Number of boards on which builds are compared
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole(2..=1_000_000_u32))]
    pub boards: u32,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Builds and compares after each save, or once.
pub fn dev(args: &DevArgs, console: &mut Console) -> Result<(), Failure> {
    let options = args.game.options();
    let asked = plan::rules_asked(&options)?;
    if let Some(GameRules::Loaded(_)) = &asked {
        return Err(Failure::usage(
            "a game that is a component is not played by one side alone, so a build of its bot has no figures to compare",
            "try a build with `arena check BOT.wasm --game GAME.wasm`, and two of them with `arena sprt`",
        ));
    }
    let project = Project::read(&args.folder)?;
    let seed = seed::given_or_fresh(args.seed.seed)?;
    let interrupt = Interrupt::listen()?;
    let watch = (!args.once).then(|| Watch::start(&project)).transpose()?;
    let mut session =
        Session { args, project, options, asked, seed, interrupt, watch, kept: None, number: 0 };
    if let Some(watch) = &session.watch {
        let keys = if watch.has_keys { "k keeps a build, q quits" } else { "Ctrl-C ends it" };
        console.note(format!("{}: `{}` after each save; {keys}", shown(&args.folder), session.project.build));
    }
    if !session.remember(console)? {
        return Ok(());
    }
    loop {
        let verdict = match session.round(console) {
            // The next save may repair it: the bot was for another game, or the machine was out of memory.
            Err(failure @ (Failure::Engine(_) | Failure::Experiment(_))) if !args.once => {
                console.failure(&failure);
                Verdict::Overtaken
            }
            verdict => verdict?,
        };
        if let Some(watch) = &session.watch {
            watch.end();
        }
        let (last, end) = session.report(verdict, console)?;
        if args.once {
            return end;
        }
        if !session.wait(last, console)? {
            return Ok(());
        }
    }
}

/// The state of `arena dev`: the project, and the builds so far.
struct Session<'a> {
    args: &'a DevArgs,
    project: Project,
    options: GameOptions,
    asked: Option<GameRules>,
    seed: RunSeed,
    interrupt: Interrupt,
    /// The thread that notices saves; `None` with `--once`.
    watch: Option<Watch>,
    /// The build that the next ones are compared with.
    kept: Option<Build>,
    /// The number of builds so far.
    number: u32,
}

/// The end of a round.
enum Verdict {
    /// The round has no result: a source was saved, or the user leaves.
    Overtaken,
    /// There is no bot to measure, for this reason.
    NoBot(Text, Failure),
    /// The bot was measured.
    Measured(Text, Box<Build>),
}

impl Session<'_> {
    /// Measures the build that was kept in an earlier session. Returns false if the user leaves.
    fn remember(&mut self, console: &mut Console) -> Result<bool, Failure> {
        let path = self.project.kept();
        if !path.is_file() {
            return Ok(true);
        }
        if let Some(watch) = &self.watch {
            watch.begin();
        }
        match self.measure(&path, console) {
            Ok(Verdict::Measured(_, measured)) => self.kept = Some(*measured),
            // The save is built next. Measure the kept build first, so that there is something to compare with.
            Ok(Verdict::Overtaken) => return Ok(self.wait(None, console)? && self.remember(console)?),
            Ok(Verdict::NoBot(..))
            | Err(Failure::Engine(arena_engine::Error::Mistake(_)) | Failure::Experiment(_)) => {
                console.note(format!(
                    "note: {} cannot play under these rules, so no build is compared with it",
                    shown(&path)
                ));
            }
            Err(failure) => return Err(failure),
        }
        Ok(true)
    }

    /// Builds the bot and measures it.
    fn round(&mut self, console: &mut Console) -> Result<Verdict, Failure> {
        if let Some(watch) = &self.watch {
            watch.begin();
        }
        self.number += 1;
        console.note(format!("build {}: {}", self.number, self.project.build));
        match self.project.run_build(self.stop())? {
            BuildEnd::Stopped => Ok(Verdict::Overtaken),
            BuildEnd::Failed { status, printed } => {
                let code = status.code().map_or("a signal".into(), |code| format!("exit code {code}"));
                let text = format!("{}build {}: failed with {code}", with_line_end(printed), self.number);
                let what = format!("the build of {} failed", shown(&self.project.folder));
                Ok(Verdict::NoBot(text.into(), Failure::usage(what, "repair the errors above")))
            }
            BuildEnd::Built if !self.project.bot.is_file() => {
                let what = format!("the build has not written {}", shown(&self.project.bot));
                let failure = Failure::usage(what.clone(), "correct `bot` or `build` in arena.toml");
                Ok(Verdict::NoBot(format!("build {}: {what}", self.number).into(), failure))
            }
            BuildEnd::Built => {
                let bot = self.project.bot.clone();
                self.measure(&bot, console)
            }
        }
    }

    /// A function that returns true once the round must end: a source was saved, or the user leaves.
    fn stop(&self) -> impl Fn() -> bool + Sync + use<> {
        let flags = [Some(self.interrupt.flag()), self.watch.as_ref().map(Watch::flag)];
        move || flags.iter().flatten().any(|flag| flag.load(Ordering::SeqCst))
    }

    /// Admits a component and measures it.
    fn measure(&self, path: &Path, console: &mut Console) -> Result<Verdict, Failure> {
        let unreadable = |error: std::io::Error| {
            Failure::machine(format!("cannot read {}", shown(path)), error, "check its permissions")
        };
        let stop = self.stop();
        roster::check_path(path)?;
        let component = fs::read(path).map_err(unreadable)?;
        let jobs = arena_players::jobs(self.args.game.jobs);
        let limits = self.options.limits.sandbox(jobs);
        let sandbox = self.args.game.cache.sandbox_of_project(limits, &self.project.folder)?;
        if let Some(watch) = &self.watch {
            let stopping = sandbox.clone();
            watch.answer(move || stopping.stop_compiling());
        }
        let admitted = admission::admit(&sandbox, &[path.to_owned()], jobs, &self.interrupt, console);
        if stop() {
            return Ok(Verdict::Overtaken);
        }
        let roster = admitted?;
        roster.require_no_failure()?;
        // Another build may have replaced the file in the meantime.
        if fs::read(path).map_err(unreadable)? != component {
            return self.measure(path, console);
        }
        let Some(contestant) = roster.contestants.first() else {
            let text = format!("{}\nbuild {}: refused", Finding::of(&roster).text(), self.number);
            return Ok(Verdict::NoBot(text.into(), Failure::Reported(NegativeResult::Refused)));
        };
        let plan = plan::plan(
            &self.options,
            self.asked.clone(),
            sandbox.engine_hash(),
            &roster.contestants,
            self.seed,
        )?;
        with_game!(plan.conditions.rules.kind(), G => {
            let it = Measuring { roster: &roster, contestant, plan: &plan, sandbox: &sandbox };
            let measured = self.play::<G>(it, component, console);
            if stop() {
                return Ok(Verdict::Overtaken);
            }
            admission::note_gaps(&sandbox, console);
            let (text, build) = measured?;
            Ok(Verdict::Measured(text, Box::new(build)))
        })
    }

    /// Measures a build, and compares it with the kept one. It ends early if the round must end.
    fn play<G: Playable>(
        &self,
        it: Measuring<'_>,
        component: Vec<u8>,
        console: &mut Console,
    ) -> Result<(Text, Build), Failure> {
        let Measuring { roster, contestant, plan, sandbox } = it;
        let (boards, kept) = (self.args.boards, self.kept.as_ref());
        console.begin_progress(boards as usize, "boards");
        let measured = builds::measure::<G>(
            contestant,
            component,
            plan,
            sandbox,
            boards,
            kept,
            self.stop(),
            || console.advance(),
            G::action_name,
        );
        console.end_progress();
        let Measured { build, games, asked } = measured?;
        let mut view = None;
        if let (Some(kept), Some(AskedTurn { event, .. })) = (kept, first_difference(&asked)) {
            let recording = Transcript::<G>::read(&kept.recording[..]).map_err(HostError::defect)?;
            view = Some(arena_tui::view(&recording, Seat::First, *event).map_err(HostError::defect)?);
        }
        let kept = kept.map(|kept| KeptBuild {
            is_same: kept.sha256 == build.sha256,
            boards: &kept.boards,
            asked: &asked,
            view: view.as_deref(),
        });
        let trial = Trial { bot: &contestant.bot, games: &games };
        let finding = Finding::of(roster).with_games(Some(&games));
        let output = DevOutput { number: self.number, contestant, plan, trial, boards: &build.boards, kept };
        Ok((output.text(&finding), build))
    }

    /// Prints a verdict, and keeps the first build. Returns the build that can be kept, and the result of the program with `--once`.
    #[expect(clippy::type_complexity, reason = "a pair of two results")]
    fn report(
        &mut self,
        verdict: Verdict,
        console: &mut Console,
    ) -> Result<(Option<Box<Build>>, Result<(), Failure>), Failure> {
        match verdict {
            Verdict::Overtaken => Ok((None, Err(Failure::Interrupted("interrupted".into())))),
            Verdict::NoBot(text, failure) => {
                console.line(text)?;
                Ok((None, Err(failure)))
            }
            Verdict::Measured(text, measured) => {
                console.line(text)?;
                let faulted = measured.has_faults;
                let is_first = self.kept.is_none() && !faulted;
                if is_first || (self.args.keep && !faulted) {
                    self.keep(*measured, console)?;
                    return Ok((None, Ok(())));
                }
                if self.args.keep {
                    console.note(format!(
                        "build {} is not kept, because the bot is at fault; next: repair it, or press k in `arena dev` without --once",
                        self.number
                    ));
                }
                let end = if faulted { Err(Failure::Reported(NegativeResult::Faulted)) } else { Ok(()) };
                Ok((Some(measured), end))
            }
        }
    }

    /// Keeps a build.
    fn keep(&mut self, measured: Build, console: &mut Console) -> Result<(), Failure> {
        self.project.keep(&measured.component)?;
        console.line(format!("build {} is kept: the next ones are compared with it", self.number))?;
        self.kept = Some(measured);
        Ok(())
    }

    /// Waits for a save, and keeps the last build if the user wants it. Returns false if the user leaves.
    fn wait(&mut self, mut last: Option<Box<Build>>, console: &mut Console) -> Result<bool, Failure> {
        loop {
            if self.interrupt.requested() {
                return Err(Failure::Interrupted("interrupted".into()));
            }
            match self.watch.as_ref().and_then(|watch| watch.wait(NEWS_WAIT)) {
                Some(News::Saved) => return Ok(true),
                Some(News::Leave) => return Ok(false),
                Some(News::Keep) => match last.take() {
                    Some(measured) => self.keep(*measured, console)?,
                    None => console.note("there is no build since the last one that was kept"),
                },
                None => {}
            }
        }
    }
}

/// A bot to measure, and what that needs.
#[derive(Clone, Copy)]
struct Measuring<'a> {
    roster: &'a Roster,
    contestant: &'a Contestant,
    plan: &'a Plan,
    sandbox: &'a Sandbox,
}

/// The text, ended by a line break unless it is empty.
fn with_line_end(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}
