//! The effect of keys and of the mouse on the screen of a game.

use super::{GameScreen, Logs, Overlay, Playback};
use crate::on_screen::OnScreen;
use crate::screen::{Ended, Gesture, KeyEffect, Mouse};
use crate::target::Clicked;
use arena_pictures::Viewpoint;
use arena_rules::Seat;
use crossterm::event::KeyCode;

/// Rows that an arrow scrolls a board that does not fit. Chosen: less than half of what the smallest terminal shows.
const SCROLL_ROWS: u8 = 4;

/// Rows of a board that any terminal shows: there is nothing to scroll to beyond the last of them.
const ROWS_SHOWN_MIN: u8 = 10;

impl<G: OnScreen> GameScreen<G> {
    /// Answers a key.
    pub(super) fn answer(&mut self, key: KeyCode) -> KeyEffect {
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
            KeyCode::Char('q') => return KeyEffect::End(Ended::Quit),
            KeyCode::Esc => self.notice("nothing is open: q quits"),
            KeyCode::Char('w') if self.can_save && self.timeline.is_over() => return self.save(),
            KeyCode::Char('t') => return KeyEffect::Theme,
            KeyCode::Char('?') => self.overlay = Overlay::Help,
            KeyCode::Char('g') => self.overlay = Overlay::GoTo(String::new()),
            KeyCode::Char('l') => self.logs = if self.logs_drawn.get() { Logs::Hidden } else { Logs::Shown },
            KeyCode::Char('b') => self.viewpoint = self.next_viewpoint(),
            KeyCode::Char('h') if G::HAS_BOARDS => self.has_heat = !self.has_heat,
            KeyCode::Char('m') if G::HAS_BOARDS => self.has_marks = !self.has_marks,
            KeyCode::Char(' ') => self.toggle_pause(),
            KeyCode::Right => self.step_on(),
            KeyCode::Left => self.jump(self.position.saturating_sub(1)),
            KeyCode::Home => self.jump(0),
            KeyCode::End => self.go_to_end(),
            KeyCode::Enter if self.timeline.is_over() && self.is_fed() => self.ask_for_next(),
            KeyCode::Char('+' | '=') => self.motion.faster(),
            KeyCode::Char('-' | '_') => self.motion.slower(),
            KeyCode::Char('n') => self.jump_to_fault(true),
            KeyCode::Char('p') => self.jump_to_fault(false),
            KeyCode::Char('<' | '>') if !G::HAS_BOARDS => self.scroll_watched(key),
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => return self.scroll(key),
            KeyCode::Char('f') => {
                self.top = None;
                self.unscroll();
            }
            _ => return KeyEffect::Nothing,
        }
        KeyEffect::Changed
    }

    /// Answers the mouse: a click or a drag on the bar goes there, one on a turn to that turn, and the wheel steps.
    pub(super) fn answer_mouse(&mut self, mouse: Mouse) -> KeyEffect {
        let clicked = self.targets.borrow().at(mouse.column, mouse.row);
        if self.overlay != Overlay::None {
            if mouse.gesture != Gesture::Press {
                return KeyEffect::Nothing;
            }
            self.overlay = Overlay::None;
            return KeyEffect::Changed;
        }
        match (mouse.gesture, clicked) {
            (Gesture::Press | Gesture::Drag, Some(Clicked::Bar { column, columns })) => {
                let last = usize::from(columns.saturating_sub(1)).max(1);
                self.jump(self.timeline.len() * usize::from(column) / last);
            }
            (Gesture::Press, Some(Clicked::Row(position))) => self.jump(position),
            (Gesture::Press, Some(Clicked::Cell { .. })) => self.toggle_pause(),
            (Gesture::Up, _) => self.jump(self.position.saturating_sub(1)),
            (Gesture::Down, _) => self.jump(self.position + 1),
            _ => return KeyEffect::Nothing,
        }
        KeyEffect::Changed
    }

    /// True if something is open that Esc closes.
    pub(crate) fn has_overlay(&self) -> bool {
        self.overlay != Overlay::None
    }

    /// Saves the game, if it is not saved yet.
    fn save(&mut self) -> KeyEffect {
        match &self.saved {
            None => KeyEffect::Save,
            Some(place) => {
                self.notice = Some(format!("already saved: {place}"));
                KeyEffect::Changed
            }
        }
    }

    /// Goes to a position and stands there.
    fn jump(&mut self, position: usize) {
        self.motion.pause();
        self.stand_at(position);
    }

    /// Goes one event forward, with its animation.
    fn step_on(&mut self) {
        let before = self.position;
        self.jump(before + 1);
        if self.position > before {
            self.strike();
        }
    }

    fn go_to_end(&mut self) {
        self.jump(self.timeline.len());
        if self.is_open {
            self.motion.playback = Playback::Live;
        }
    }

    fn toggle_pause(&mut self) {
        let playback = match self.motion.playback {
            Playback::Playing | Playback::Live => Playback::Paused,
            Playback::Paused if self.position == self.timeline.len() && !self.is_open => {
                self.stand_at(0);
                Playback::Playing
            }
            Playback::Paused => Playback::Playing,
        };
        self.motion.pause();
        self.motion.playback = playback;
    }

    fn next_viewpoint(&self) -> Viewpoint {
        match self.viewpoint {
            Viewpoint::Truth => Viewpoint::Of(Seat::First),
            Viewpoint::Of(Seat::First) => Viewpoint::Of(Seat::Second),
            Viewpoint::Of(Seat::Second) => Viewpoint::Truth,
        }
    }

    /// Goes to the next fault, or the one before; after the last one comes the first.
    fn jump_to_fault(&mut self, is_onwards: bool) {
        let here = self.position;
        let faults = self.timeline.faults();
        let (found, around) = if is_onwards {
            (faults.iter().find(|&&fault| fault > here), faults.first())
        } else {
            (faults.iter().rfind(|&&fault| fault < here), faults.last())
        };
        match (found.copied(), around.copied()) {
            (Some(position), _) => self.jump(position),
            (None, None) => self.notice("there is no fault in this game"),
            (None, Some(position)) => {
                self.jump(position);
                self.notice(if is_onwards { "the first fault again" } else { "the last fault again" });
            }
        }
    }

    fn scroll(&mut self, key: KeyCode) -> KeyEffect {
        if !G::HAS_BOARDS {
            self.scroll_watched(key);
            return KeyEffect::Changed;
        }
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
