//! The games of `arena run` while they are played: their lines on the console, or the dashboard.

use crate::args::DashboardArgs;
use crate::console::{Console, SharedConsole};
use crate::dashboard::{self, Dashboard};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use arena_cluster::{Remote, WorkersUpdate};
use arena_engine::{Control, GameSummary, Local, Observer, Results, Run, Supplier};
use arena_players::Played;
use arena_referee::HostError;
use arena_resources::NewThread;
use arena_tui::WorkersState;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time between two looks at the workers. Chosen: short enough that a change shows at once.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// The parts of a run that are shown.
pub struct Shown<'a> {
    /// The dashboard, if there is one.
    pub dashboard: Option<DashboardArgs>,
    /// The journal, in which it finds games.
    pub journal: Option<&'a Path>,
    /// True if each game has a line.
    pub has_lines: bool,
}

/// The place where the games are played.
pub enum PlayedBy {
    /// This machine.
    Here(Box<Local>),
    /// Workers on others.
    Elsewhere(Box<Remote>),
}

impl PlayedBy {
    fn supplier(&self) -> &dyn Supplier {
        match self {
            Self::Here(local) => local.as_ref(),
            Self::Elsewhere(remote) => remote.as_ref(),
        }
    }

    /// The workers, if they play.
    pub fn remote(&self) -> Option<&Remote> {
        match self {
            Self::Here(_) => None,
            Self::Elsewhere(remote) => Some(remote),
        }
    }
}

/// Plays the missing games of a run, before the screen if there is one.
///
/// # Errors
/// They cannot be played, kept or shown.
pub fn play(
    run: &mut Run,
    place: &PlayedBy,
    shown: &Shown<'_>,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<(), Failure> {
    let (supplier, remote) = (place.supplier(), place.remote());
    let games_planned = run.games_planned();
    let dashboard = shown.dashboard.map(|_| dashboard::dashboard(run.planned(), games_planned));
    if let Some(dashboard) = &dashboard {
        let earlier = run.results();
        earlier.games.iter().for_each(|game| dashboard.game(game, false, earlier));
    } else {
        console.begin_progress(games_planned, "games");
    }
    let dashboard = dashboard.as_deref();
    let watch = |number| dashboard.map(|dashboard| dashboard.watcher(number));
    let control = Control::of_flag(interrupt.flag());
    let shared = console.shared();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        if let Some(remote) = remote {
            let (beside, is_over) = (&shared, &is_over);
            let tell = move || tell_of_workers(remote, beside, dashboard, is_over);
            NewThread::named("workers").start_in(scope, tell)?;
        }
        // A screen ends only when the games have ended, so nothing may fail between the two.
        let screen = dashboard.zip(shown.dashboard).map(|(dashboard, args)| {
            let show = move || dashboard.show(interrupt, shown.journal, args);
            NewThread::named("screen").start_in(scope, show).inspect_err(|_| {
                is_over.store(true, Ordering::SeqCst);
            })
        });
        let screen = screen.transpose()?;
        let mut lines = GameLines {
            lines: shown.has_lines.then(|| output::Lines::new(run.bots(), games_planned)),
            dashboard,
            console,
            progress: (0, games_planned),
            disqualified: run.results().disqualified.len(),
            failed: None,
        };
        let played = run.play(supplier, &watch, &control, &mut lines);
        let played = lines.failed.take().map_or(played.map_err(Failure::from), Err);
        is_over.store(true, Ordering::SeqCst);
        if let Some(dashboard) = dashboard {
            dashboard.end(run.results(), matches!(played, Err(Failure::Engine(_))));
        }
        // The screen stays until the user closes it.
        let closed =
            screen.map_or(Ok(()), |screen| screen.join().unwrap_or_else(|panic| resume_unwind(panic)));
        closed.and(played)
    })
}

/// The lines of games, on the console or the dashboard.
struct GameLines<'a> {
    /// The lines, if they are to be printed.
    lines: Option<output::Lines>,
    dashboard: Option<&'a dyn Dashboard>,
    console: &'a mut Console,
    /// The number of the games that were printed, and of all games on the schedule.
    progress: (usize, usize),
    /// The number of disqualifications that were printed.
    disqualified: usize,
    /// The reason why they cannot be printed.
    failed: Option<Failure>,
}

impl Observer for GameLines<'_> {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, results: &Results) -> ControlFlow<()> {
        if let Some(lines) = self.lines.as_ref().filter(|_| !arena_tui::is_on()) {
            for it in results.disqualified.iter().skip(self.disqualified) {
                self.console.hold(lines.disqualified(it));
            }
            self.disqualified = results.disqualified.len();
            // Games of an earlier run were printed by it, and those that a disqualified bot loses without playing are summarised
            // above: a night has thousands of them.
            if played.is_some() || game.result.is_err() {
                self.console.hold(lines.game(game));
            }
        }
        if let Some(dashboard) = self.dashboard {
            dashboard.game(game, played.is_some(), results);
        }
        self.progress = (results.sums.delivered + 1, results.games_planned);
        if let Err(error @ HostError::Game(_)) = &game.result {
            self.failed = Some(self.console.flush().map_or_else(Failure::from, |()| error.clone().into()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn after_batch(&mut self) -> ControlFlow<()> {
        if let Err(error) = self.console.flush() {
            self.failed = Some(error.into());
            return ControlFlow::Break(());
        }
        let (done, planned) = self.progress;
        self.console.advance_to(done, planned);
        ControlFlow::Continue(())
    }
}

/// Reports on the workers until the games are over.
fn tell_of_workers(
    remote: &Remote,
    shared: &SharedConsole,
    dashboard: Option<&dyn Dashboard>,
    is_over: &AtomicBool,
) {
    loop {
        // Asked first, so that the report includes what comes with the last games.
        let was_over = is_over.load(Ordering::SeqCst);
        let WorkersUpdate { messages, status, owners_wanted } = remote.update();
        messages.into_iter().for_each(|message| shared.note(message));
        if was_over {
            return;
        }
        let line = output::workers_line(&status, owners_wanted);
        if let Some(dashboard) = dashboard {
            dashboard.workers(WorkersState { line: line.clone(), table: output::workers_table(&status) });
        }
        shared.say(&line.into());
        thread::sleep(TELL_EVERY);
    }
}
