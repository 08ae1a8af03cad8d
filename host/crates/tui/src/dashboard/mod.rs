//! The dashboard of a tournament that is being played.

mod draw;
mod model;
mod shared;

pub use model::{FAULTS_KEPT_MAX, FaultNews, Model, RefusedBot, Standing};
pub(crate) use shared::{Running, Snapshot};
pub use shared::{Shared, Slot};

use crate::OnScreen;
use crate::screen::{Ended, KeyEffect, Screen};
use crate::theme::Theme;
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use std::sync::Arc;
use std::time::Duration;

/// The shortest time between two looks at the tournament. Chosen: ten a second look alive, and cost the games nothing.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The dashboard of a tournament: it looks at the shared data, and the tournament never waits for it.
#[derive(Debug)]
pub struct DashboardScreen<G: OnScreen> {
    shared: Arc<Shared<G>>,
    seen: Snapshot<G>,
    /// The time since the last look.
    since: Duration,
    /// The running game that is selected: a number from 0, which may be past the last one.
    selected: usize,
    /// True if it is shown large.
    is_large: bool,
    /// The first line of the standings that is shown.
    top: usize,
    has_help: bool,
}

impl<G: OnScreen> DashboardScreen<G> {
    /// The dashboard of shared data.
    pub fn new(shared: Arc<Shared<G>>) -> Self {
        let seen = shared.snapshot();
        Self { shared, seen, since: Duration::ZERO, selected: 0, is_large: false, top: 0, has_help: false }
    }
}

impl<G: OnScreen> Screen for DashboardScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        self.draw_on(theme, buffer);
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        if std::mem::take(&mut self.has_help) {
            return KeyEffect::Changed;
        }
        let last = self.seen.running.len().saturating_sub(1);
        match key {
            KeyCode::Char('q') => return KeyEffect::End(Ended::Quit),
            KeyCode::Esc if self.is_large => self.is_large = false,
            KeyCode::Esc => return KeyEffect::End(Ended::Quit),
            KeyCode::Char('?') => self.has_help = true,
            KeyCode::Enter => self.is_large = !self.is_large,
            KeyCode::Left => self.selected = self.selected.min(last).saturating_sub(1),
            KeyCode::Right => self.selected = (self.selected + 1).min(last),
            KeyCode::Up => self.top = self.top.saturating_sub(1),
            KeyCode::Down => self.top = (self.top + 1).min(self.seen.model.standings.len().saturating_sub(1)),
            KeyCode::Home => self.top = 0,
            KeyCode::End => self.top = self.seen.model.standings.len().saturating_sub(1),
            _ => return KeyEffect::Nothing,
        }
        KeyEffect::Changed
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        self.since = self.since.saturating_add(elapsed);
        if self.since < LOOK_EVERY || self.shared.version() == self.seen.version {
            return false;
        }
        self.since = Duration::ZERO;
        self.seen = self.shared.snapshot();
        true
    }

    fn wait(&self) -> Option<Duration> {
        (!self.seen.model.is_over).then(|| LOOK_EVERY.saturating_sub(self.since))
    }
}
