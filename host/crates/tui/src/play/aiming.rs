//! A turn of the Battleship family: where to shoot, or not to.

use super::typed::Typed;
use super::{Answer, Confirm, Said, move_cursor};
use crate::key::Key;
use crate::moment::BattleMoment;
use crate::spot;
use crate::theme::Tone;
use arena_rules::shot_board::Shot;
use arena_rules::{Coord, OnSkip, Seat};

/// A turn that is being thought about.
#[derive(Clone, Debug)]
pub(super) struct Aiming {
    me: Seat,
    cursor: Coord,
    typed: Typed,
}

impl Aiming {
    pub(super) fn new(me: Seat, cursor: Coord) -> Self {
        Self { me, cursor, typed: Typed::default() }
    }

    pub(super) fn cursor(&self) -> Coord {
        self.cursor
    }

    pub(super) fn typed(&self) -> &str {
        self.typed.text()
    }

    pub(super) fn key(&mut self, key: Key, game: &BattleMoment) -> Answer {
        let size = game.rules.size();
        if let Some(answer) = self.typed.take_back(key) {
            return answer;
        }
        match key {
            Key::Char(c) if !self.typed.is_empty() || c.is_ascii_digit() => self.type_in(c, game),
            // A letter that names a column begins a spot; any other may be a command.
            Key::Char(c) if spot::column_of(size, c).is_some() => self.type_in(c, game),
            Key::Char('s') => self.skip(game),
            Key::Char('q') => Answer::Confirm(Confirm::Leave),
            Key::Char('?') => Answer::Help,
            // One that names no column is no spot, and the screen says so.
            Key::Char(c) if c.is_ascii_alphabetic() => self.type_in(c, game),
            Key::Enter if self.typed.is_empty() => self.shoot(self.cursor, game),
            Key::Enter => self.enter(game),
            key => {
                self.typed.clear();
                move_cursor(&mut self.cursor, size, key)
            }
        }
    }

    fn type_in(&mut self, c: char, game: &BattleMoment) -> Answer {
        if !self.typed.push(c, " ,()?") {
            return Answer::Nothing;
        }
        // The cursor shows what has been typed so far, if it is a spot.
        if let Ok(at) = spot::parse(game.rules.size(), self.typed.text()) {
            self.cursor = at;
        }
        Answer::Changed
    }

    fn enter(&mut self, game: &BattleMoment) -> Answer {
        let typed = self.typed.take();
        match typed.trim().to_ascii_lowercase().as_str() {
            "s" | "skip" => self.skip(game),
            "q" | "quit" => Answer::Confirm(Confirm::Leave),
            "?" | "help" => Answer::Help,
            _ => match spot::parse(game.rules.size(), &typed) {
                Ok(at) => {
                    self.cursor = at;
                    self.shoot(at, game)
                }
                Err(words) => Answer::Told(words),
            },
        }
    }

    fn shoot(&self, at: Coord, game: &BattleMoment) -> Answer {
        match self.why_not(at, game) {
            None => Answer::Said(Said::Shot(Some(at))),
            Some(words) => Answer::Told(words),
        }
    }

    /// Why a spot of the board is no good, if it is not.
    fn why_not(&self, at: Coord, game: &BattleMoment) -> Option<String> {
        let met = match game.learned[self.me.index()].cell(at) {
            Shot::Unshot => return None,
            Shot::Miss => "a miss",
            Shot::Hit | Shot::Sunk(_) => "a hit",
        };
        Some(format!("you have shot {} already: {met}", spot::name(game.rules.size(), at)))
    }

    fn skip(&self, game: &BattleMoment) -> Answer {
        let opponent = self.me.other();
        let skipped_before = game
            .battle
            .as_ref()
            .is_some_and(|battle| battle.turns(opponent) > 0 && game.last[opponent.index()].is_none());
        let words = match game.rules.skip {
            OnSkip::Lose => "a skip loses the game by these rules",
            OnSkip::Skip if game.rules.two_skips_draw && skipped_before => {
                "your opponent did not shoot either, so the game is a draw"
            }
            OnSkip::Skip => "your turn passes without a shot",
        };
        Answer::Confirm(Confirm::Skip(words))
    }

    /// What Enter would do.
    pub(super) fn hint(&self, game: &BattleMoment) -> (String, Tone) {
        if !self.typed.is_empty() {
            return match spot::parse(game.rules.size(), self.typed.text()) {
                Ok(at) => self.hint_at(at, Tone::Fault, game),
                // It may be half of a spot yet.
                Err(_) => {
                    let (by_name, by_number) = spot::example(game.rules.size());
                    let words =
                        format!("a spot is a letter and a number, {by_name}, or row,column, {by_number}");
                    (words, Tone::Faint)
                }
            };
        }
        // The cursor stays where the last shot went: there is nothing wrong with that.
        self.hint_at(self.cursor, Tone::Faint, game)
    }

    fn hint_at(&self, at: Coord, shot_already: Tone, game: &BattleMoment) -> (String, Tone) {
        match self.why_not(at, game) {
            None => (format!("Enter shoots {}", spot::name(game.rules.size(), at)), Tone::Good),
            Some(words) => (words, shot_already),
        }
    }
}
