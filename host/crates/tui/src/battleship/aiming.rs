//! A turn of Battleship: a shot, or a skip.

use crate::grid::Block;
use crate::help::Keys;
use crate::on_screen::{Click, Confirm, Input, Reaction, Typed};
use arena_live::Decision;
use arena_pictures::{Moment, Pictured, Tone, spot};
use arena_rules::battleship::{Action, Battleship, OnSkip};
use arena_rules::{Coord, Game, Seat, Size};
use crossterm::event::KeyCode;

/// A turn that a person is thinking about.
#[derive(Clone, Debug)]
pub(super) struct Aiming {
    size: Size,
    me: Seat,
    cursor: Coord,
    typed: Typed,
    /// The advice for the last key.
    advice: Option<String>,
}

impl Aiming {
    pub(super) fn new(size: Size, me: Seat, cursor: Coord) -> Self {
        Self { size, me, cursor, typed: Typed::default(), advice: None }
    }

    /// True if a letter names a column: it then begins a spot, and means something else only with Enter.
    fn has_column(&self, letter: char) -> bool {
        spot::column_of(self.size, letter).is_some()
    }

    fn type_in(&mut self, c: char) -> Reaction<Battleship> {
        if !self.typed.push(c, " ,()?") {
            return Reaction::Nothing;
        }
        // The cursor shows what has been typed so far, if it is a spot.
        if let Ok(at) = spot::parse(self.size, self.typed.text()) {
            self.cursor = at;
        }
        Reaction::Changed
    }

    fn enter(&mut self, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        let typed = self.typed.take();
        match typed.trim().to_ascii_lowercase().as_str() {
            "s" | "skip" => self.skip(moment),
            "q" | "quit" => Reaction::Confirm(Confirm::Leave),
            "?" | "help" => Reaction::Help,
            _ => match spot::parse(self.size, &typed) {
                Ok(at) => {
                    self.cursor = at;
                    self.shoot(at, moment)
                }
                Err(text) => Reaction::Notice(text),
            },
        }
    }

    /// Puts the cursor on the cell with the best chance of a hit, and says how good it is.
    fn advise(&mut self, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        let Some(heat) = Battleship::heat(moment, self.me.other()) else {
            return Reaction::Notice("no fleet was found that fits all shots: no hint".into());
        };
        let best = self
            .size
            .coords()
            .zip(&heat.cells)
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, chance)) = best else { return Reaction::Nothing };
        self.cursor = at;
        let name = spot::name(self.size, at);
        self.advice = Some(format!("hint: {name}, a ship with {:.0} %, {}", chance * 100.0, heat.source()));
        Reaction::Changed
    }

    fn shoot(&self, at: Coord, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        match self.why_not(at, moment) {
            None => Reaction::Decided(Decision::Action(Action::Shot(at))),
            Some(text) => Reaction::Notice(text),
        }
    }

    /// The reason why a cell should not be shot at, if there is one.
    fn why_not(&self, at: Coord, moment: &Moment<Battleship>) -> Option<String> {
        Battleship::objection(moment, self.me, &Action::Shot(at))
    }

    fn skip(&self, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        let (rules, opponent) = (moment.rules(), self.me.other());
        let has_played = moment.game().is_some_and(|game| game.turns(opponent) > 0);
        let skipped_before = has_played && moment.last_shot_at(self.me).is_none();
        let consequence = match rules.skip {
            OnSkip::Lose => "a skip loses the game by these rules",
            OnSkip::Skip if rules.two_skips_draw && skipped_before => {
                "your opponent did not shoot either, so the game is a draw"
            }
            OnSkip::Skip => "your turn passes without a shot",
        };
        Reaction::Confirm(Confirm::Action { action: Action::Skip, question: format!("skip? {consequence}") })
    }

    fn hint_at(&self, at: Coord, shot_already: Tone, moment: &Moment<Battleship>) -> (String, Tone) {
        match self.why_not(at, moment) {
            None => (format!("Enter shoots {}", spot::name(self.size, at)), Tone::Good),
            Some(text) => (text, shot_already),
        }
    }
}

impl Input<Battleship> for Aiming {
    fn key(&mut self, key: KeyCode, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        self.advice = None;
        if let Some(answer) = self.typed.take_back(key) {
            return answer;
        }
        match key {
            KeyCode::Char('!') => {
                self.typed.take();
                self.advise(moment)
            }
            KeyCode::Char(c) if !self.typed.is_empty() || c.is_ascii_digit() => self.type_in(c),
            // A letter that names a column begins a spot; any other may be a command.
            KeyCode::Char(c) if self.has_column(c) => self.type_in(c),
            KeyCode::Char('s') => self.skip(moment),
            KeyCode::Char('q') => Reaction::Confirm(Confirm::Leave),
            KeyCode::Char('?') => Reaction::Help,
            // A letter that does not name a column is not a spot, and the screen says so.
            KeyCode::Char(c) if c.is_ascii_alphabetic() => self.type_in(c),
            KeyCode::Enter if self.typed.is_empty() => self.shoot(self.cursor, moment),
            KeyCode::Enter => self.enter(moment),
            key => self.typed.give_way_to_cursor(&mut self.cursor, self.size, key),
        }
    }

    fn click(&mut self, click: Click, moment: &Moment<Battleship>) -> Reaction<Battleship> {
        if click.is_own {
            return Reaction::Nothing;
        }
        self.typed.take();
        self.advice = None;
        self.cursor = click.at;
        if click.decides { self.shoot(click.at, moment) } else { Reaction::Changed }
    }

    fn hint(&self, moment: &Moment<Battleship>) -> (String, Tone) {
        if let Some(advice) = &self.advice {
            return (advice.clone(), Tone::Last);
        }
        if !self.typed.is_empty() {
            return match spot::parse(self.size, self.typed.text()) {
                Ok(at) => self.hint_at(at, Tone::Fault, moment),
                // It may be the first half of a spot.
                Err(_) => {
                    let (by_name, by_number) = spot::example(self.size);
                    let text =
                        format!("a spot is a letter and a number, {by_name}, or row,column, {by_number}");
                    (text, Tone::Faint)
                }
            };
        }
        // The cursor stays on the last shot. That is not an error.
        self.hint_at(self.cursor, Tone::Faint, moment)
    }

    fn draw(&self, _moment: &Moment<Battleship>, [_, other]: [&mut Block; 2]) {
        other.put_cursor(self.cursor);
    }

    fn typed(&self) -> Option<(&str, Coord)> {
        Some((self.typed.text(), self.cursor))
    }

    fn keys(&self) -> &'static Keys {
        if self.has_column('s') {
            &[
                ("arrows", "aim"),
                ("enter", "shoot"),
                ("b7 enter", "shoot b7"),
                ("s enter", "skip"),
                ("!", "hint"),
            ]
        } else {
            &[("arrows", "aim"), ("enter", "shoot"), ("b7 enter", "shoot b7"), ("s", "skip"), ("!", "hint")]
        }
    }

    fn quit_key(&self) -> Option<&'static str> {
        Some(if self.has_column('q') { "esc" } else { "q" })
    }
}
