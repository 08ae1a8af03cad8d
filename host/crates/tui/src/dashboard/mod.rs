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
use crate::screen::{Ended, Gesture, KeyEffect, Mouse, Screen};
use crate::target::{Clicked, Targets};
use crate::theme::Theme;
use crate::timeline::Timeline;
use arena_record::Transcript;
use crossterm::event::KeyCode;
use games::GameList;
use ratatui::buffer::Buffer;
use std::cell::RefCell;
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
    /// The parts of the last picture that can be clicked on.
    targets: RefCell<Targets>,
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
            targets: RefCell::default(),
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
            let closes = key == KeyCode::Esc && !game.has_overlay();
            return match game.key(key) {
                effect if !closes && !matches!(effect, KeyEffect::End(_)) => effect,
                _ => {
                    self.opened = None;
                    KeyEffect::Changed
                }
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
            KeyCode::Char('t') => return KeyEffect::Theme,
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

    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        if let Some(game) = &mut self.opened {
            return game.mouse(mouse);
        }
        let clicked = self.targets.borrow().at(mouse.column, mouse.row);
        match (mouse.gesture, clicked) {
            (Gesture::Up, _) => self.key(KeyCode::Up),
            (Gesture::Down, _) => self.key(KeyCode::Down),
            (Gesture::Press, _) if self.has_help => self.key(KeyCode::Esc),
            (Gesture::Press, Some(Clicked::Row(place))) => {
                let Some(list) = &mut self.list else { return KeyEffect::Nothing };
                if list.put_cursor(place) { KeyEffect::Changed } else { self.key(KeyCode::Enter) }
            }
            (Gesture::Press, Some(Clicked::Game(number))) => {
                let was_selected = self.selected() == number;
                self.selected = number;
                if was_selected { self.key(KeyCode::Enter) } else { KeyEffect::Changed }
            }
            (Gesture::Press, Some(Clicked::Cell { .. })) if self.is_large => self.key(KeyCode::Enter),
            _ => KeyEffect::Nothing,
        }
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
