//! The dashboard of a tournament that is being played.

mod draw;
mod games;
mod model;
mod shared;

pub use games::GameLine;
pub use model::{FAULTS_KEPT_MAX, FaultNews, Model, RefusedBot, Standing};
pub(crate) use shared::{Running, Snapshot};
pub use shared::{Shared, Slot};

use crate::OnScreen;
use crate::game::GameScreen;
use crate::screen::{Ended, KeyEffect, Screen};
use crate::theme::Theme;
use crate::timeline::Timeline;
use arena_record::Transcript;
use crossterm::event::KeyCode;
use games::GameList;
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
    /// The list of all games, if it is open.
    list: Option<GameList>,
    /// The game of the list that is shown, if there is one.
    opened: Option<Box<GameScreen<G>>>,
}

impl<G: OnScreen> DashboardScreen<G> {
    /// The dashboard of shared data.
    pub fn new(shared: Arc<Shared<G>>) -> Self {
        let seen = shared.snapshot();
        Self {
            shared,
            seen,
            since: Duration::ZERO,
            selected: 0,
            is_large: false,
            top: 0,
            has_help: false,
            list: None,
            opened: None,
        }
    }
}

impl<G: OnScreen> Screen for DashboardScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        match &self.opened {
            Some(game) => game.draw(theme, buffer),
            None => self.draw_on(theme, buffer),
        }
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        if let Some(game) = &mut self.opened {
            return match game.key(key) {
                KeyEffect::End(_) => {
                    self.opened = None;
                    KeyEffect::Changed
                }
                effect => effect,
            };
        }
        if std::mem::take(&mut self.has_help) {
            return KeyEffect::Changed;
        }
        if let Some(list) = &mut self.list {
            return list.key(key, &self.shared, &self.seen.model).unwrap_or_else(|| {
                self.list = None;
                KeyEffect::Changed
            });
        }
        let last = self.seen.running.len().saturating_sub(1);
        match key {
            KeyCode::Char('q') => return KeyEffect::End(Ended::Quit),
            KeyCode::Esc if self.is_large => self.is_large = false,
            KeyCode::Esc => return KeyEffect::End(Ended::Quit),
            KeyCode::Char('?') => self.has_help = true,
            KeyCode::Char('g') => self.list = Some(GameList::new(&self.shared, &self.seen.model)),
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
        let game_changed = self.opened.as_mut().is_some_and(|game| game.tick(elapsed));
        self.since = self.since.saturating_add(elapsed);
        if self.since < LOOK_EVERY || self.shared.version() == self.seen.version {
            return game_changed;
        }
        self.since = Duration::ZERO;
        self.seen = self.shared.snapshot();
        if let Some(list) = &mut self.list {
            list.look(&self.shared, &self.seen.model);
        }
        game_changed || self.opened.is_none()
    }

    fn wait(&self) -> Option<Duration> {
        let news = (!self.seen.model.is_over).then(|| LOOK_EVERY.saturating_sub(self.since));
        let game = self.opened.as_ref().and_then(|game| game.wait());
        news.into_iter().chain(game).min()
    }

    fn game_screen(&mut self) -> Option<&mut GameScreen<G>> {
        self.opened.as_deref_mut()
    }

    fn opened(&mut self, game: Result<Transcript<G>, String>) {
        let timeline = game.and_then(|game| Timeline::of(&game).map_err(|error| error.to_string()));
        match (timeline, &mut self.list) {
            (Ok(timeline), _) => self.opened = Some(Box::new(GameScreen::replay(timeline))),
            (Err(why), Some(list)) => list.notice(why),
            (Err(_), None) => {}
        }
    }
}
