//! The dashboard of a tournament that is being played.

mod candidates;
mod confetti;
mod draw;
mod games;
mod model;
mod podium;
mod progress;
mod shared;
mod showcase;
mod standings;
mod trend;
mod workers;

use candidates::ShowcaseKind;
use confetti::Confetti;
pub use model::{
    FAULTS_KEPT_MAX, FaultGroup, FaultNotice, GameLine, Model, RefusedBot, StandingsLine, WorkersState,
};
pub use shared::{DashboardState, Slot};
pub(crate) use shared::{Running, Snapshot, StartedGame};
use showcase::Showcase;
use trend::Trend;
use workers::WorkersPage;
pub use workers::{WorkersColumn, WorkersTable};

use crate::canvas::moved;
use crate::game::GameScreen;
use crate::on_screen::OnScreen;
use crate::screen::{Ended, Gesture, KeyEffect, Mouse, Screen};
use crate::target::{Clicked, Targets};
use crate::theme::Theme;
use arena_pictures::Timeline;
use arena_record::Transcript;
use crossterm::event::KeyCode;
use games::GameList;
use ratatui::buffer::Buffer;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

/// The shortest time between two looks at the tournament. Chosen: ten a second look live, and cost the games next to
/// nothing.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The time after which an idle screen shows something else. Chosen: standings can be read in it.
const ROTATE_EVERY: Duration = Duration::from_secs(12);

/// The rows by which a projector scrolls standings that do not fit. Chosen: about as many as fit on a small screen.
const STANDINGS_PAGE: usize = 8;

/// The part of the tournament that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// Standings, running games and faults; and the showcase, if there is room.
    All,
    /// The showcase, with the top of the standings.
    Showcase,
}

/// The dashboard of a tournament: it looks at the shared data, and the tournament never waits for it.
#[derive(Debug)]
pub struct DashboardScreen<G: OnScreen> {
    shared: Arc<DashboardState<G>>,
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
    /// The page of the workers, if it is open.
    workers: Option<WorkersPage>,
    view: View,
    showcase: Showcase<G>,
    /// True if the showcase was on the last picture: it stands still while it is hidden.
    showcase_drawn: Cell<bool>,
    trend: Trend,
    /// The confetti for the champion; `None` without animations.
    confetti: Option<Confetti>,
    /// True if the podium was on the last picture: nothing falls while it is hidden.
    podium_drawn: Cell<bool>,
    /// The time since the last key, or since the end of the tournament if that came later.
    idle: Duration,
    /// The time without a key after which the screen of a finished tournament closes; `None` when it stays.
    linger: Option<Duration>,
    /// True if the view changes by itself.
    rotates: bool,
    /// The game of the list that is shown, if there is one.
    opened: Option<Box<GameScreen<G>>>,
    /// The parts of the last picture that can be clicked on.
    targets: RefCell<Targets>,
}

impl<G: OnScreen> DashboardScreen<G> {
    /// The dashboard of shared data.
    pub fn new(shared: Arc<DashboardState<G>>) -> Self {
        let seen = shared.snapshot(Vec::new());
        Self {
            shared,
            seen,
            since: Duration::ZERO,
            selected: 0,
            is_large: false,
            top: 0,
            has_help: false,
            list: None,
            workers: None,
            view: View::All,
            showcase: Showcase::new(),
            showcase_drawn: Cell::new(false),
            trend: Trend::default(),
            confetti: None,
            podium_drawn: Cell::new(false),
            idle: Duration::ZERO,
            linger: None,
            rotates: false,
            opened: None,
            targets: RefCell::default(),
        }
    }

    /// The same dashboard, which ends by itself when the tournament is over and no key was pressed for this time.
    #[must_use]
    pub fn lingering(self, linger: Option<Duration>) -> Self {
        Self { linger, ..self }
    }

    /// The same dashboard, for a projector: it shows the standings and the best games in turn.
    #[must_use]
    pub fn rotating(self) -> Self {
        Self { rotates: true, ..self }
    }

    /// The time after which the screen ends by itself, if it does.
    fn ends_in(&self) -> Option<Duration> {
        let linger = self.linger.filter(|_| self.seen.model.is_over)?;
        Some(linger.saturating_sub(self.idle))
    }

    /// Looks at the tournament again.
    fn look(&mut self) {
        let was_over = self.seen.model.is_over;
        let known = std::mem::take(&mut self.seen.running);
        self.seen = self.shared.snapshot(known);
        self.trend.look(&self.seen.model.standings);
        if self.seen.model.is_over && !was_over {
            self.idle = Duration::ZERO;
        }
        if let Some(list) = &mut self.list {
            list.look(&self.shared, &self.seen.model);
        }
    }

    /// Shows something else, if it is time for that.
    fn rotate(&mut self) -> bool {
        let next = match self.view {
            View::All if self.showcase.game.is_some() => View::Showcase,
            // A game is shown to its end.
            View::Showcase if self.showcase.is_over() => View::All,
            _ => return false,
        };
        if !self.rotates
            || self.idle < ROTATE_EVERY
            || self.opened.is_some()
            || self.list.is_some()
            || self.workers.is_some()
        {
            return false;
        }
        self.view = next;
        self.idle = Duration::ZERO;
        if next == View::All {
            // The next page of standings that do not fit.
            let page = STANDINGS_PAGE;
            let count = self.seen.model.standings.len();
            self.top = if self.top + page < count { self.top + page } else { 0 };
        }
        true
    }

    /// Answers a key of the dashboard itself.
    fn answer(&mut self, key: KeyCode) -> KeyEffect {
        let last = self.seen.running.len().saturating_sub(1);
        match key {
            KeyCode::Char('q') => return KeyEffect::End(Ended::Quit),
            KeyCode::Esc if self.is_large => self.is_large = false,
            KeyCode::Esc if self.view == View::Showcase => self.view = View::All,
            KeyCode::Char('g') => self.list = Some(GameList::new(&self.shared, &self.seen.model)),
            KeyCode::Char('w') if self.seen.model.workers.is_some() => {
                self.workers = Some(WorkersPage::default());
            }
            KeyCode::Char('v') => {
                self.view = if self.view == View::All { View::Showcase } else { View::All };
            }
            KeyCode::Char('c') => self.showcase.choice = self.showcase.choice.next(),
            KeyCode::Char('n') => self.showcase.skip(),
            KeyCode::Char('m') => {
                let Some(running) = self.seen.running.get(self.selected()) else { return KeyEffect::Nothing };
                self.shared.choose_pairing(running.game.names.clone());
                self.showcase.choice = ShowcaseKind::Pairing;
            }
            KeyCode::Enter => self.is_large = !self.is_large,
            KeyCode::Left => self.selected = self.selected.min(last).saturating_sub(1),
            KeyCode::Right => self.selected = (self.selected + 1).min(last),
            key => match moved(self.top, self.seen.model.standings.len(), key) {
                Some(top) => self.top = top,
                None => return KeyEffect::Nothing,
            },
        }
        KeyEffect::Changed
    }
}

impl<G: OnScreen> Screen for DashboardScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        match &self.opened {
            Some(game) => {
                self.showcase_drawn.set(false);
                self.podium_drawn.set(false);
                game.draw(theme, buffer);
            }
            None => self.draw_on(theme, buffer),
        }
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        self.idle = Duration::ZERO;
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
        // On the dashboard and its pages alike: none of them takes text.
        match key {
            KeyCode::Char('t') => return KeyEffect::Theme,
            KeyCode::Char('?') => {
                self.has_help = true;
                return KeyEffect::Changed;
            }
            _ => {}
        }
        if let Some(list) = &mut self.list {
            return list.key(key, &self.shared, &self.seen.model).unwrap_or_else(|| {
                self.list = None;
                KeyEffect::Changed
            });
        }
        if let Some(page) = &mut self.workers {
            let rows = self.seen.model.workers.as_ref().map_or(0, |workers| workers.table.rows.len());
            match (key, moved(page.top, rows, key)) {
                (KeyCode::Esc | KeyCode::Char('q' | 'w'), _) => self.workers = None,
                (_, Some(top)) => page.top = top,
                _ => return KeyEffect::Nothing,
            }
            return KeyEffect::Changed;
        }
        self.answer(key)
    }

    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        self.idle = Duration::ZERO;
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
        let seconds_left = self.ends_in().map(|left| left.as_secs());
        self.idle = self.idle.saturating_add(elapsed);
        let mut has_changed = self.opened.as_mut().is_some_and(|game| game.tick(elapsed));
        if self.showcase_drawn.get() || self.showcase.game.is_none() {
            has_changed |= self.showcase.tick(elapsed, &self.shared);
        }
        if let Some(confetti) = self.confetti.as_mut().filter(|_| self.podium_drawn.get()) {
            has_changed |= confetti.tick(elapsed);
        }
        has_changed |= self.rotate();
        self.since = self.since.saturating_add(elapsed);
        has_changed |= self.trend.tick(elapsed) && self.opened.is_none();
        if self.since >= LOOK_EVERY {
            // Even if nothing has changed: the next look is as far away.
            self.since = Duration::ZERO;
            if self.shared.version() != self.seen.version {
                self.look();
                has_changed |= self.opened.is_none();
            }
        }
        has_changed | (self.ends_in().map(|left| left.as_secs()) != seconds_left)
    }

    fn wait(&self) -> Option<Duration> {
        let is_open = !self.seen.model.is_over || self.rotates;
        let notice = is_open.then(|| LOOK_EVERY.saturating_sub(self.since));
        let game = self.opened.as_ref().and_then(|game| game.wait());
        let showcase = self.showcase_drawn.get().then(|| self.showcase.wait()).flatten();
        let confetti = self.confetti.filter(|_| self.podium_drawn.get()).and_then(Confetti::wait);
        // The seconds that are left are counted down.
        let ends = self.ends_in().map(|_| Duration::from_secs(1));
        [notice, game, showcase, confetti, ends].into_iter().flatten().min()
    }

    fn ended(&self) -> Option<Ended> {
        self.ends_in().is_some_and(|left| left.is_zero()).then_some(Ended::Quit)
    }

    fn offer(&mut self, can_save: bool, animates: bool) {
        self.showcase.animates = animates;
        self.confetti = animates.then(Confetti::default);
        if let Some(game) = &mut self.opened {
            game.offer(can_save, animates);
        }
    }

    fn game_screen(&mut self) -> Option<&mut dyn Screen<Game = G>> {
        Some(self.opened.as_deref_mut()?)
    }

    fn opened(&mut self, number: u64, game: Result<Transcript<G>, String>) {
        let timeline = game.and_then(|game| Timeline::of(&game).map_err(|error| error.to_string()));
        match (timeline, &mut self.list) {
            (Ok(timeline), _) => self.opened = Some(Box::new(GameScreen::replay(timeline.numbered(number)))),
            (Err(why), Some(list)) => list.notice(why),
            (Err(_), None) => {}
        }
    }
}
