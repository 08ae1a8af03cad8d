//! The rounds of `arena dev`: a build, its verdict, and the wait for the next save.

use super::DevArgs;
use crate::console::Console;
use crate::dev::{News, Watch};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use arena_engine::GameOptions;
use arena_experiments::builds::Build;
use arena_experiments::project::{BuildEnd, BuildFailure, Project};
use arena_players::RunSeed;
use arena_rules::GameRules;
use arena_text::{Text, shown};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The time that the loop waits for news before it checks for Ctrl-C. Chosen: too short to notice.
const NEWS_WAIT: Duration = Duration::from_millis(50);

/// The state of `arena dev`: the project, and the builds so far.
pub(super) struct Session<'a> {
    pub(super) args: &'a DevArgs,
    pub(super) project: Project,
    pub(super) options: GameOptions,
    pub(super) asked: Option<GameRules>,
    pub(super) seed: RunSeed,
    pub(super) interrupt: Interrupt,
    /// The thread that notices saves; `None` with `--once`.
    pub(super) watch: Option<Watch>,
    /// The build that the next ones are compared with.
    pub(super) kept: Option<Build>,
    /// The number of builds so far.
    pub(super) number: u32,
    /// True if the last build that there was is a game.
    pub(super) is_game: bool,
}

/// The end of a round.
pub(super) enum Verdict {
    /// The round has no result: a source was saved, or the user leaves.
    Overtaken,
    /// There is no bot to measure, for this reason.
    NoBot(Text, Failure),
    /// The bot was measured.
    Measured(Text, Box<Build>),
    /// It is a game, which was checked: it is at fault or not.
    Game(Text, Result<(), Failure>),
}

impl Session<'_> {
    /// Measures the build that was kept in an earlier session. Returns false if the user leaves.
    pub(super) fn remember(&mut self, console: &mut Console) -> Result<bool, Failure> {
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
            Ok(Verdict::NoBot(..) | Verdict::Game(..))
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
    pub(super) fn round(&mut self, console: &mut Console) -> Result<Verdict, Failure> {
        if let Some(watch) = &self.watch {
            watch.begin();
        }
        self.number += 1;
        console.note(format!("build {}: {}", self.number, self.project.how()));
        match self.project.run_build(self.stop())? {
            BuildEnd::Stopped => Ok(Verdict::Overtaken),
            BuildEnd::Failed { why, printed } => {
                let text = format!("{}build {}: {why}", with_line_end(printed), self.number);
                let what = match why {
                    BuildFailure::Failed { .. } => {
                        format!("the build of {} failed", shown(&self.project.folder))
                    }
                    _ => why.to_string(),
                };
                Ok(Verdict::NoBot(text.into(), Failure::usage(what, why.next_step())))
            }
            BuildEnd::Built => {
                let bot = self.project.component.clone();
                self.measure(&bot, console)
            }
        }
    }

    /// A function that returns true once the round must end: a source was saved, or the user leaves.
    pub(super) fn stop(&self) -> impl Fn() -> bool + Sync + use<> {
        let flags = [Some(self.interrupt.flag()), self.watch.as_ref().map(Watch::flag)];
        move || flags.iter().flatten().any(|flag| flag.load(Ordering::SeqCst))
    }

    /// Prints a verdict, and keeps the first build. Returns the build that can be kept, and the result of the program with `--once`.
    #[expect(clippy::type_complexity, reason = "a pair of two results")]
    pub(super) fn report(
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
            Verdict::Game(text, end) => {
                console.line(text)?;
                self.is_game = true;
                Ok((None, end))
            }
            Verdict::Measured(text, measured) => {
                console.line(text)?;
                self.is_game = false;
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
    pub(super) fn wait(
        &mut self,
        mut last: Option<Box<Build>>,
        console: &mut Console,
    ) -> Result<bool, Failure> {
        loop {
            if self.interrupt.requested() {
                return Err(Failure::Interrupted("interrupted".into()));
            }
            match self.watch.as_ref().and_then(|watch| watch.wait(NEWS_WAIT)) {
                Some(News::Saved) => return Ok(true),
                Some(News::Leave) => return Ok(false),
                Some(News::Keep) => match last.take() {
                    Some(measured) => self.keep(*measured, console)?,
                    None if self.is_game => {
                        console.note("builds of a game are not compared, so none is kept")
                    }
                    None => console.note("there is no build since the last one that was kept"),
                },
                None => {}
            }
        }
    }
}

/// The text, ended by a line break unless it is empty.
fn with_line_end(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}
