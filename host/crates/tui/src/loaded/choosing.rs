//! The input of a person in a loaded game: an action that is typed, or one of those that the game lists.

use crate::grid::Block;
use crate::help::Keys;
use crate::on_screen::{Choices, Click, Confirm, Input, Reaction};
use arena_live::Decision;
use arena_pictures::{Moment, Pictured, Tone};
use arena_rules::loaded::Loaded;
use arena_rules::{Coord, Game};
use crossterm::event::KeyCode;

/// The longest action that can be typed, in characters. Chosen: some screens full; a longer one cannot be checked by eye.
const TYPED_CHARS_MAX: usize = 4_096;

/// The longest reason against an action, in characters. Chosen: a line of a wide terminal.
const WHY_CHARS_MAX: usize = 200;

/// An action that a person is putting together.
#[derive(Debug)]
pub(super) struct Choosing {
    /// All legal actions; `None` if the game does not list them.
    legal: Option<Vec<String>>,
    /// The reason why they are not known, if the game failed to list them.
    unknown: Option<String>,
    typed: String,
    /// The places of the legal actions that contain what was typed.
    fitting: Vec<usize>,
    /// The place of the one that was chosen among them.
    chosen: Option<usize>,
}

impl Choosing {
    /// The input at a moment.
    pub(super) fn of(moment: &Moment<Loaded>) -> Self {
        let (legal, unknown) = match moment.game().map(Loaded::legal_actions) {
            Some(Ok(legal)) => (legal, None),
            Some(Err(failure)) => (None, Some(arena_text::line(&failure.to_string(), WHY_CHARS_MAX))),
            None => (None, None),
        };
        let mut choosing = Self { legal, unknown, ..Self::none() };
        choosing.search();
        choosing
    }

    /// An input without legal actions.
    pub(super) fn none() -> Self {
        Self { legal: None, unknown: None, typed: String::new(), fitting: Vec::new(), chosen: None }
    }

    /// The line: what was typed, or the action that was chosen.
    fn line(&self) -> &str {
        let chosen = self.chosen.and_then(|place| self.fitting.get(place));
        match (chosen, &self.legal) {
            (Some(&place), Some(legal)) => &legal[place],
            _ => &self.typed,
        }
    }

    /// Looks for the legal actions that contain what was typed.
    fn search(&mut self) {
        let legal = self.legal.iter().flatten().enumerate();
        self.fitting =
            legal.filter(|(_, action)| action.contains(&self.typed)).map(|(place, _)| place).collect();
        self.chosen = None;
    }

    /// Replaces what was typed.
    fn put(&mut self, typed: String) {
        self.typed = typed;
        self.search();
    }

    /// Chooses the next action that fits, or the one before, round and round.
    fn choose(&mut self, is_onwards: bool) -> Reaction<Loaded> {
        let count = self.fitting.len();
        if count == 0 {
            let text = match &self.legal {
                None => "the game does not list its legal actions: type one",
                Some(_) => "no legal action has that in it",
            };
            return Reaction::Notice(text.into());
        }
        self.chosen = Some(match self.chosen {
            None if is_onwards => 0,
            None => count - 1,
            Some(place) if is_onwards => (place + 1) % count,
            Some(place) => (place + count - 1) % count,
        });
        Reaction::Changed
    }

    /// Decides on the line, if the game allows it.
    fn decide(&mut self, moment: &Moment<Loaded>) -> Reaction<Loaded> {
        let action = self.line().trim().to_owned();
        if action.is_empty() {
            let how = if self.fitting.is_empty() {
                "type an action"
            } else {
                "type an action, or choose one with the arrows"
            };
            return Reaction::Notice(how.into());
        }
        let Some(me) = moment.game().and_then(Game::to_move) else { return Reaction::Nothing };
        match <Loaded as Pictured>::objection(moment, me, &action) {
            None => Reaction::Decided(Decision::Action(action)),
            Some(why) => Reaction::Notice(why),
        }
    }
}

impl Input<Loaded> for Choosing {
    fn key(&mut self, key: KeyCode, moment: &Moment<Loaded>) -> Reaction<Loaded> {
        match key {
            KeyCode::Enter => return self.decide(moment),
            KeyCode::Down | KeyCode::Tab => return self.choose(true),
            KeyCode::Up | KeyCode::BackTab => return self.choose(false),
            KeyCode::Esc if self.line().is_empty() => return Reaction::Confirm(Confirm::Leave),
            KeyCode::Esc => self.put(String::new()),
            KeyCode::Char('?') if self.line().is_empty() => return Reaction::Help,
            KeyCode::Backspace if !self.line().is_empty() => {
                let mut line = self.line().to_owned();
                line.pop();
                self.put(line);
            }
            KeyCode::Char(c) if !c.is_control() && self.line().chars().count() < TYPED_CHARS_MAX => {
                self.put(format!("{}{c}", self.line()));
            }
            _ => return Reaction::Nothing,
        }
        Reaction::Changed
    }

    fn click(&mut self, _click: Click, _moment: &Moment<Loaded>) -> Reaction<Loaded> {
        Reaction::Nothing
    }

    fn pick(&mut self, place: usize) -> Reaction<Loaded> {
        if place >= self.fitting.len() {
            return Reaction::Nothing;
        }
        self.chosen = Some(place);
        Reaction::Changed
    }

    fn hint(&self, _moment: &Moment<Loaded>) -> (String, Tone) {
        let text = match (&self.legal, self.line().is_empty()) {
            (_, false) => "enter: do it, if the game allows it".into(),
            (Some(_), true) => "type an action, or choose one with ↑ ↓".into(),
            (None, true) => match &self.unknown {
                Some(why) => format!("type an action; the game cannot list them: {why}"),
                None => "type an action, as the game writes it".into(),
            },
        };
        (text, Tone::Text)
    }

    fn draw(&self, _moment: &Moment<Loaded>, _boards: [&mut Block; 2]) {}

    fn choices(&self) -> Option<Choices<'_>> {
        let legal = self.legal.as_ref()?;
        let list = self.fitting.iter().map(|&place| legal[place].as_str()).collect();
        Some(Choices { list, chosen: self.chosen, of: legal.len() })
    }

    fn typed(&self) -> Option<(&str, Coord)> {
        Some((self.line(), Coord::new(0, 0)))
    }

    fn keys(&self) -> &'static Keys {
        match (&self.legal, self.line().is_empty()) {
            (Some(_), true) => &[("↑↓", "choose"), ("enter", "do it")],
            (Some(_), false) => &[("↑↓", "choose"), ("enter", "do it"), ("esc", "clear")],
            (None, true) => &[("enter", "do it")],
            (None, false) => &[("enter", "do it"), ("esc", "clear")],
        }
    }

    fn quit_key(&self) -> Option<&'static str> {
        self.line().is_empty().then_some("esc")
    }
}
