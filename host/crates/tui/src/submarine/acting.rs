//! A turn of Submarine: an attack, or a move.

use crate::grid::Block;
use crate::help::Keys;
use crate::on_screen::{Click, Confirm, Input, Reaction, Typed};
use arena_live::Decision;
use arena_pictures::{Emphasis, Moment, Pictured, Tone, spot};
use arena_rules::submarine::{Action, SIZE, Ship, Submarine};
use arena_rules::{Coord, Seat};
use crossterm::event::KeyCode;

/// The kind of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnKind {
    Attack,
    Move(Ship),
}

/// A turn that a person is thinking about.
#[derive(Clone, Debug)]
pub(super) struct Acting {
    me: Seat,
    choice: TurnKind,
    cursor: Coord,
    typed: Typed,
    /// The advice that was asked for with the last key.
    advice: Option<String>,
}

impl Acting {
    pub(super) fn new(me: Seat, cursor: Coord) -> Self {
        Self { me, choice: TurnKind::Attack, cursor, typed: Typed::default(), advice: None }
    }

    /// Moves to the next choice: the attack, then a move of each ship afloat, then the attack again.
    fn next_choice(&mut self, moment: &Moment<Submarine>) {
        let moves = moment.ships(self.me).into_iter().map(|own| TurnKind::Move(own.ship));
        let choices: Vec<TurnKind> = std::iter::once(TurnKind::Attack).chain(moves).collect();
        let now = choices.iter().position(|&choice| choice == self.choice).unwrap_or(0);
        self.choice = choices[(now + 1) % choices.len()];
        if let TurnKind::Move(ship) = self.choice {
            self.cursor = moment.ship(self.me, ship).map_or(self.cursor, |own| own.at);
        }
    }

    fn action(&self, at: Coord) -> Action {
        match self.choice {
            TurnKind::Attack => Action::Attack(at),
            TurnKind::Move(ship) => Action::Move(ship, at),
        }
    }

    /// Puts the cursor on the cell in reach with the best chance of a hit, and says how good it is.
    fn advise(&mut self, moment: &Moment<Submarine>) -> Reaction<Submarine> {
        let heat = Submarine::heat(moment, self.me.other());
        let cells = heat.map_or_else(Vec::new, |heat| heat.cells);
        let in_reach = |at: &Coord| self.why_not(Action::Attack(*at), moment).is_none();
        let open = SIZE.coords().zip(cells).filter(|(at, _)| in_reach(at));
        let best = open.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, chance)) = best else {
            return Reaction::Notice("nothing is in reach: move a ship".into());
        };
        (self.choice, self.cursor) = (TurnKind::Attack, at);
        self.advice =
            Some(format!("hint: attack {}, a ship with {:.0} %", spot::name(SIZE, at), chance * 100.0));
        Reaction::Changed
    }

    fn act(&self, action: Action, moment: &Moment<Submarine>) -> Reaction<Submarine> {
        match self.why_not(action, moment) {
            None => Reaction::Decided(Decision::Action(action)),
            Some(why) => Reaction::Notice(why),
        }
    }

    /// The reason why an action is not legal, if it is not.
    fn why_not(&self, action: Action, moment: &Moment<Submarine>) -> Option<String> {
        Submarine::objection(moment, self.me, &action)
    }
}

impl Input<Submarine> for Acting {
    fn key(&mut self, key: KeyCode, moment: &Moment<Submarine>) -> Reaction<Submarine> {
        self.advice = None;
        if let Some(answer) = self.typed.take_back(key) {
            return answer;
        }
        match key {
            KeyCode::Char('!') => {
                self.typed.take();
                self.advise(moment)
            }
            KeyCode::Char('q') if self.typed.is_empty() => Reaction::Confirm(Confirm::Leave),
            KeyCode::Char('?') if self.typed.is_empty() => Reaction::Help,
            KeyCode::Char(c) if self.typed.push(c, " ,()") => Reaction::Changed,
            KeyCode::Char(_) => Reaction::Nothing,
            KeyCode::Tab => {
                self.next_choice(moment);
                Reaction::Changed
            }
            KeyCode::Enter if self.typed.is_empty() => self.act(self.action(self.cursor), moment),
            KeyCode::Enter => match Submarine::read_action(moment.rules(), &self.typed.take()) {
                Ok(action) => self.act(action, moment),
                Err(text) => Reaction::Notice(text),
            },
            key => self.typed.give_way_to_cursor(&mut self.cursor, SIZE, key),
        }
    }

    /// A click on the other board attacks. One on a ship of the person's own chooses it, and the next one moves it.
    fn click(&mut self, click: Click, moment: &Moment<Submarine>) -> Reaction<Submarine> {
        self.typed.take();
        self.advice = None;
        self.cursor = click.at;
        if !click.is_own {
            self.choice = TurnKind::Attack;
        } else if let Some(own) = moment.ships(self.me).into_iter().find(|own| own.at == click.at) {
            self.choice = TurnKind::Move(own.ship);
            return Reaction::Changed;
        } else if self.choice == TurnKind::Attack {
            return Reaction::Notice("first click on the ship that is to move".into());
        }
        if click.decides { self.act(self.action(click.at), moment) } else { Reaction::Changed }
    }

    fn hint(&self, moment: &Moment<Submarine>) -> (String, Tone) {
        if let Some(advice) = &self.advice {
            return (advice.clone(), Tone::Last);
        }
        let action = if self.typed.is_empty() {
            self.action(self.cursor)
        } else {
            match Submarine::read_action(moment.rules(), self.typed.text()) {
                Ok(action) => action,
                Err(_) => return ("attack: b3 or a 3,1   move: m w b3 or m w 3,1".into(), Tone::Faint),
            }
        };
        match self.why_not(action, moment) {
            None => (format!("Enter: {}", Submarine::action_name(moment.rules(), &action)), Tone::Good),
            Some(why) => (why, Tone::Fault),
        }
    }

    /// Draws the cells in reach, and the cursor.
    fn draw(&self, moment: &Moment<Submarine>, [own, other]: [&mut Block; 2]) {
        // To move a ship, the cursor is on the person's own board.
        let target = if self.choice == TurnKind::Attack { other } else { own };
        for at in SIZE.coords() {
            if self.why_not(self.action(at), moment).is_none() {
                target.grid.mark(at, Emphasis::Reach);
            }
        }
        target.put_cursor(self.cursor);
    }

    fn typed(&self) -> Option<(&str, Coord)> {
        Some((self.typed.text(), self.cursor))
    }

    fn keys(&self) -> &'static Keys {
        &[
            ("arrows", "aim"),
            ("enter", "do it"),
            ("tab", "attack or move"),
            ("!", "hint"),
            ("b3 enter", "attack b3"),
        ]
    }
}
