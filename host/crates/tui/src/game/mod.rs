//! The screen of a game, watched as it is played or replayed: both are the same.

mod bar;
mod draw;
mod scene;

pub(crate) use draw::{PANEL_WIDTH_MIN, canvas, footer, keys, title};
pub(crate) use scene::Scene;

use crate::OnScreen;
use crate::feed::{Update, Updates};
use crate::moment::{Moment, Sight};
use crate::screen::{Ended, KeyEffect, Screen};
use crate::theme::Theme;
use crate::timeline::Timeline;
use arena_rules::Seat;
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use std::cell::Cell;
use std::time::Duration;

/// The speeds, in events a second. Chosen: at 1 a person follows each shot, at 4 a game takes half a minute, and
/// at 256 it takes a second.
const SPEEDS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The first speed: an index of [`SPEEDS`].
const SPEED_AT_FIRST: usize = 2;

/// The time between two looks at a game that is being played. Chosen: the same as the dashboard's.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The shortest time between two pictures. Chosen: faster than thirty a second, nobody sees a difference.
const PICTURE_MIN: Duration = Duration::from_millis(33);

/// Rows that an arrow scrolls a board that does not fit. Chosen: less than half of what the smallest terminal shows.
const SCROLL_ROWS: u8 = 4;

/// Rows of a board that any terminal shows: there is nothing to scroll to beyond the last of them.
const ROWS_SHOWN_MIN: u8 = 10;

/// The pace of the screen along the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It stands.
    Paused,
    /// It goes on at its speed, up to the newest event.
    Playing,
    /// It shows the newest event as soon as it comes.
    Live,
}

/// The overlay on the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Overlay {
    None,
    Help,
    /// The number of a turn is being typed.
    GoTo(String),
}

/// The condition under which the bots' logs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logs {
    /// If there is room below the boards, once a bot has printed something.
    IfRoom,
    Shown,
    Hidden,
}

/// The screen of a game.
#[derive(Debug)]
pub struct GameScreen<G: OnScreen> {
    timeline: Timeline<G>,
    /// The position of the screen on the timeline, and the game there.
    position: usize,
    moment: Moment<G>,
    pace: Pace,
    speed: usize,
    /// The time that has passed since the last step.
    carry: Duration,
    sight: Sight,
    logs: Logs,
    /// True if the logs were on the last picture.
    logs_drawn: Cell<bool>,
    overlay: Overlay,
    /// True if more events may come.
    is_open: bool,
    /// The source of the news; none once nothing more comes.
    updates: Option<Updates<G>>,
    /// The first row to show, if the user scrolls a board that does not fit.
    top: Option<u8>,
    /// True if the host can save the game.
    can_save: bool,
    /// An answer to the last key, until the next change.
    notice: Option<String>,
    /// The reason why the game has no result, if it has none.
    stopped: Option<String>,
    /// The seat whose board is on the left.
    left: Seat,
}

impl<G: OnScreen> GameScreen<G> {
    /// A recorded game, from its beginning, paused.
    pub fn replay(timeline: Timeline<G>) -> Self {
        Self::new(timeline, Pace::Paused, false)
    }

    /// A game that is being played. It is shown from its beginning at a speed that can be followed, even if it is played
    /// faster.
    pub fn watch(timeline: Timeline<G>) -> Self {
        Self::new(timeline, Pace::Playing, true)
    }

    /// A game that a person plays at a seat: the newest event is shown as that side sees it.
    pub(crate) fn of_person(timeline: Timeline<G>, seat: Seat, updates: Updates<G>) -> Self {
        let screen = Self::new(timeline, Pace::Live, true).fed_by(updates);
        Self { sight: Sight::Of(seat), left: seat, ..screen }
    }

    fn new(timeline: Timeline<G>, pace: Pace, is_open: bool) -> Self {
        let moment = timeline.moment(0);
        Self {
            timeline,
            position: 0,
            moment,
            pace,
            speed: SPEED_AT_FIRST,
            carry: Duration::ZERO,
            sight: Sight::Truth,
            logs: Logs::IfRoom,
            logs_drawn: Cell::new(false),
            overlay: Overlay::None,
            is_open,
            updates: None,
            top: None,
            can_save: false,
            notice: None,
            stopped: None,
            left: Seat::First,
        }
    }

    /// Offers to save the game once it is over, if the host can.
    pub fn set_saving(&mut self, can_save: bool) {
        self.can_save = can_save;
    }

    /// The same screen, which takes its news from a feed.
    pub(crate) fn fed_by(mut self, updates: Updates<G>) -> Self {
        self.updates = Some(updates);
        self
    }

    /// True if the feed may bring more news.
    pub(crate) fn is_fed(&self) -> bool {
        self.updates.is_some()
    }

    /// The game as far as it is known.
    pub fn timeline(&self) -> &Timeline<G> {
        &self.timeline
    }

    /// The position of the screen on the timeline.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The pace of the screen.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The eyes that the game is seen with.
    pub fn sight(&self) -> Sight {
        self.sight
    }

    /// Shows the truth, and stands still: the end of a person's game.
    pub(crate) fn reveal(&mut self) {
        self.sight = Sight::Truth;
        self.pace = Pace::Paused;
    }

    pub(crate) fn notice(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    /// Takes in a piece of news. Returns true if the screen has to be drawn again.
    pub fn receive(&mut self, update: Update<G>) -> bool {
        match update {
            Update::Event(event) => {
                if let Err(error) = self.timeline.push(event) {
                    self.stop(format!("the game cannot be shown any further: {error}"));
                } else if self.pace == Pace::Live {
                    self.stand_at(self.timeline.len());
                }
                true
            }
            Update::Log { seat, text } => {
                self.timeline.set_log(seat, text);
                self.logs != Logs::Hidden
            }
            Update::Restarted => {
                self.timeline.restart();
                self.stand_at(0);
                self.notice("the game restarts");
                true
            }
            Update::Stopped(why) => {
                self.stop(format!("the game has no result: {why}"));
                true
            }
        }
    }

    /// Closes the feed: nothing more comes. Returns true if the screen has to be drawn again.
    pub fn close_feed(&mut self) -> bool {
        let was_open = std::mem::replace(&mut self.is_open, false);
        if was_open && !self.timeline.is_over() {
            self.stopped.get_or_insert_with(|| "the game has stopped without a result".into());
        }
        was_open
    }

    /// The game cannot go on; of several reasons, the first one counts.
    fn stop(&mut self, why: String) {
        self.is_open = false;
        self.stopped.get_or_insert(why);
    }

    /// Takes in the news of the feed.
    fn take_updates(&mut self) -> bool {
        let Some(updates) = &self.updates else { return false };
        let (new, is_open) = updates.take();
        let mut changed = false;
        for update in new {
            changed |= self.receive(update);
        }
        if !is_open {
            self.updates = None;
            changed |= self.close_feed();
        }
        changed
    }

    /// Moves on by the time that has passed.
    fn advance(&mut self, elapsed: Duration) -> bool {
        if self.pace != Pace::Playing {
            return false;
        }
        if self.position == self.timeline.len() {
            // The next event is shown when it comes, not a step's time later.
            self.carry = self.step_time();
            return false;
        }
        self.carry = self.carry.saturating_add(elapsed);
        let before = self.position;
        while self.carry >= self.step_time() && self.position < self.timeline.len() {
            self.carry -= self.step_time();
            self.stand_at(self.position + 1);
        }
        if self.position == self.timeline.len() && !self.is_open {
            self.pace = Pace::Paused;
            self.carry = Duration::ZERO;
        }
        self.position != before
    }

    fn step_time(&self) -> Duration {
        Duration::from_secs(1) / SPEEDS[self.speed]
    }

    fn stand_at(&mut self, position: usize) {
        let position = position.min(self.timeline.len());
        self.notice = None;
        if position == self.position + 1
            && let Some(event) = self.timeline.events_until(position).last()
            // It followed when it came, so it follows now.
            && self.moment.step(event).is_ok()
        {
            self.position = position;
            return;
        }
        self.position = position;
        self.moment = self.timeline.moment(position);
    }

    /// Goes to a position and stands there.
    fn jump(&mut self, position: usize) {
        self.pace = Pace::Paused;
        self.carry = Duration::ZERO;
        self.stand_at(position);
    }

    fn go_to_end(&mut self) {
        self.jump(self.timeline.len());
        if self.is_open {
            self.pace = Pace::Live;
        }
    }

    fn toggle_pause(&mut self) {
        self.carry = Duration::ZERO;
        self.pace = match self.pace {
            Pace::Playing | Pace::Live => Pace::Paused,
            Pace::Paused if self.position == self.timeline.len() && !self.is_open => {
                self.stand_at(0);
                Pace::Playing
            }
            Pace::Paused => Pace::Playing,
        };
    }

    fn next_sight(&self) -> Sight {
        match self.sight {
            Sight::Truth => Sight::Of(Seat::First),
            Sight::Of(Seat::First) => Sight::Of(Seat::Second),
            Sight::Of(Seat::Second) => Sight::Truth,
        }
    }

    fn jump_to_fault(&mut self, is_onwards: bool) {
        let here = self.position;
        let faults = self.timeline.faults();
        let found = if is_onwards {
            faults.iter().find(|&&fault| fault > here)
        } else {
            faults.iter().rfind(|&&fault| fault < here)
        };
        match found {
            Some(&position) => self.jump(position),
            None if faults.is_empty() => self.notice("there is no fault in this game"),
            None => self.notice("there is no further fault that way"),
        }
    }

    fn scroll(&mut self, key: KeyCode) -> KeyEffect {
        let last = self.timeline.size().height.saturating_sub(ROWS_SHOWN_MIN);
        let top = self.top.unwrap_or(0);
        let top = match key {
            KeyCode::Up => top.saturating_sub(SCROLL_ROWS),
            KeyCode::Down => top.saturating_add(SCROLL_ROWS),
            KeyCode::PageUp => 0,
            _ => last,
        };
        self.top = Some(top.min(last));
        KeyEffect::Changed
    }
}

impl<G: OnScreen> Screen for GameScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        self.draw_on(theme, buffer);
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        match &mut self.overlay {
            Overlay::Help => {
                self.overlay = Overlay::None;
                return KeyEffect::Changed;
            }
            Overlay::GoTo(typed) => {
                match key {
                    // Ten digits are more than any turn has.
                    KeyCode::Char(c) if c.is_ascii_digit() && typed.len() < 10 => typed.push(c),
                    KeyCode::Backspace => _ = typed.pop(),
                    KeyCode::Enter => {
                        let turn = typed.parse::<u64>();
                        self.overlay = Overlay::None;
                        if let Ok(turn) = turn {
                            self.jump(self.timeline.position_of_turn(turn));
                        }
                    }
                    KeyCode::Esc => self.overlay = Overlay::None,
                    _ => return KeyEffect::Nothing,
                }
                return KeyEffect::Changed;
            }
            Overlay::None => {}
        }
        self.notice = None;
        match key {
            KeyCode::Char('q') | KeyCode::Esc => return KeyEffect::End(Ended::Quit),
            KeyCode::Char('w') if self.can_save && self.timeline.is_over() => return KeyEffect::Save,
            KeyCode::Char('?') => self.overlay = Overlay::Help,
            KeyCode::Char('g') => self.overlay = Overlay::GoTo(String::new()),
            KeyCode::Char('l') => self.logs = if self.logs_drawn.get() { Logs::Hidden } else { Logs::Shown },
            KeyCode::Char('b') => self.sight = self.next_sight(),
            KeyCode::Char(' ') => self.toggle_pause(),
            KeyCode::Right => self.jump(self.position + 1),
            KeyCode::Left => self.jump(self.position.saturating_sub(1)),
            KeyCode::Home => self.jump(0),
            KeyCode::End => self.go_to_end(),
            KeyCode::Char('+' | '=') => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            KeyCode::Char('-' | '_') => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char('n') => self.jump_to_fault(true),
            KeyCode::Char('p') => self.jump_to_fault(false),
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => return self.scroll(key),
            KeyCode::Char('f') => self.top = None,
            _ => return KeyEffect::Nothing,
        }
        KeyEffect::Changed
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        self.take_updates() | self.advance(elapsed)
    }

    fn wait(&self) -> Option<Duration> {
        let moves = self.pace == Pace::Playing && self.position < self.timeline.len();
        let step = moves.then(|| self.step_time().saturating_sub(self.carry).max(PICTURE_MIN));
        let look = self.updates.as_ref().map(|_| LOOK_EVERY);
        [step, look].into_iter().flatten().min()
    }

    fn game_screen(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}
