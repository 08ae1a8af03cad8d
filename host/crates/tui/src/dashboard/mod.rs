//! The dashboard of a tournament that is being played.

mod draw;
mod model;
mod shared;

pub use model::{FAULTS_KEPT_MAX, FaultNews, Model, Refused, Standing};
pub use shared::{Desk, Shared};
pub(crate) use shared::{Running, Snapshot};

use crate::key::{Effect, Ended, Key};
use std::sync::Arc;
use std::time::Duration;

/// The least time between two looks at the tournament. Chosen: ten a second look alive, and take nothing from the games.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The dashboard of a tournament: it looks at what the tournament shares, and the tournament never waits for it.
#[derive(Debug)]
pub struct DashboardScreen {
    shared: Arc<Shared>,
    seen: Snapshot,
    /// Time since the last look.
    since: Duration,
    /// The running game that is selected: a number from 0, which may be past the last one.
    selected: usize,
    /// Whether it is shown large.
    is_large: bool,
    /// The first line of the standings that is shown.
    top: usize,
    has_help: bool,
}

impl DashboardScreen {
    /// The dashboard of what is shared.
    pub fn new(shared: Arc<Shared>) -> Self {
        let seen = shared.snapshot();
        Self { shared, seen, since: Duration::ZERO, selected: 0, is_large: false, top: 0, has_help: false }
    }

    /// Lets time pass, and looks at the tournament if it is time to. Says whether the screen is another for it.
    pub fn tick(&mut self, elapsed: Duration) -> bool {
        self.since = self.since.saturating_add(elapsed);
        if self.since < LOOK_EVERY || self.shared.version() == self.seen.version {
            return false;
        }
        self.since = Duration::ZERO;
        self.seen = self.shared.snapshot();
        true
    }

    /// The time after which [`DashboardScreen::tick`] may have something to do; none once the tournament is over.
    pub fn wait(&self) -> Option<Duration> {
        (!self.seen.model.is_over).then(|| LOOK_EVERY.saturating_sub(self.since))
    }

    /// Answers a key.
    pub fn key(&mut self, key: Key) -> Effect {
        if key == Key::Interrupt {
            return Effect::End(Ended::Interrupted);
        }
        if std::mem::take(&mut self.has_help) {
            return Effect::Changed;
        }
        let last = self.seen.running.len().saturating_sub(1);
        match key {
            Key::Char('q') => return Effect::End(Ended::Quit),
            Key::Esc if self.is_large => self.is_large = false,
            Key::Esc => return Effect::End(Ended::Quit),
            Key::Char('?') => self.has_help = true,
            Key::Enter => self.is_large = !self.is_large,
            Key::Left => self.selected = self.selected.min(last).saturating_sub(1),
            Key::Right => self.selected = (self.selected + 1).min(last),
            Key::Up => self.top = self.top.saturating_sub(1),
            Key::Down => self.top = (self.top + 1).min(self.seen.model.standings.len().saturating_sub(1)),
            Key::Home => self.top = 0,
            Key::End => self.top = self.seen.model.standings.len().saturating_sub(1),
            _ => return Effect::Nothing,
        }
        Effect::Changed
    }
}
