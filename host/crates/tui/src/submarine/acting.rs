//! A turn of Submarine: an attack, or a move.

use crate::grid::Block;
use crate::help::Keys;
use crate::on_screen::{Click, Confirm, Input, Reaction, Typed};
use arena_live::Decision;
use arena_pictures::submarine::letter;
use arena_pictures::{Emphasis, Moment, Pictured, Tone, spot};
use arena_rules::submarine::{Action, Illegal, SIZE, Ship, Submarine};
use arena_rules::{Coord, Game, Ruling, Seat};
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
            Some(illegal) => Reaction::Notice(format!(
                "{}: {}",
                Submarine::action_name(moment.rules(), &action),
                why(illegal)
            )),
        }
    }

    /// The reason why an action is not legal, if it is not. It is tried out on a copy of the game.
    fn why_not(&self, action: Action, moment: &Moment<Submarine>) -> Option<Illegal> {
        let mut trial = moment.game()?.clone();
        if trial.to_move() != Some(self.me) {
            return None;
        }
        match trial.act(self.me, &action) {
            Ruling::Done(_) => None,
            Ruling::Retry(illegal) | Ruling::Lost(illegal) => Some(illegal),
        }
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
            KeyCode::Enter => match parse(&self.typed.take()) {
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
            match parse(self.typed.text()) {
                Ok(action) => action,
                Err(_) => return ("attack: b3 or a 3,1   move: m w b3 or m w 3,1".into(), Tone::Faint),
            }
        };
        match self.why_not(action, moment) {
            None => (format!("Enter: {}", Submarine::action_name(moment.rules(), &action)), Tone::Good),
            Some(illegal) => (
                format!("{}: {}", Submarine::action_name(moment.rules(), &action), why(illegal)),
                Tone::Fault,
            ),
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

/// The reason why an action is not legal, for the person who would take it.
fn why(illegal: Illegal) -> &'static str {
    match illegal {
        Illegal::OffBoard => "that is off the board",
        Illegal::OutOfReach => "none of your ships is within one step of it",
        Illegal::Sunk => "that ship is sunk",
        Illegal::NoDistance => "it is there already",
        Illegal::NotStraight => "a ship moves along a row or a column",
        Illegal::Occupied => "another ship of yours is there",
    }
}

/// The action that was typed: `b3` or `a 3,1` to attack, `m w b3` or `m w 3,1` to move.
fn parse(typed: &str) -> Result<Action, String> {
    let text = typed.trim().to_ascii_lowercase();
    if let Some(rest) = text.strip_prefix('m') {
        let rest = rest.trim_start();
        let ship = Ship::ALL.into_iter().find(|&ship| rest.starts_with(letter(ship)));
        let ship = ship.ok_or("which ship? m w, m c or m s, then where to, like m w b3")?;
        return Ok(Action::Move(ship, spot::parse(SIZE, &rest[1..])?));
    }
    // A spot may follow after `a `, but `a 3` is a spot itself.
    let after = text.strip_prefix("a ").map(|rest| spot::parse(SIZE, rest));
    match after {
        Some(Ok(at)) => Ok(Action::Attack(at)),
        _ => spot::parse(SIZE, &text).map(Action::Attack),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: Result<Action, &str>) {
        match (parse(typed), expected) {
            (Ok(action), Ok(expected)) => assert_eq!(action, expected, "{typed:?}"),
            (Err(text), Err(expected)) => assert!(text.contains(expected), "{typed:?}: {text}"),
            (parsed, _) => panic!("{typed:?}: {parsed:?}"),
        }
    }

    #[test]
    fn an_action_is_typed_in_a_few_ways() {
        let at = Coord::new(3, 1);
        for typed in ["b3", "3,1", "a 3,1", "a b3", "A B3", " a (3, 1) "] {
            check(typed, Ok(Action::Attack(at)));
        }
        check("a 3", Ok(Action::Attack(Coord::new(3, 0))));
        for typed in ["m w b3", "m w 3,1", "mw3,1", "M W B3"] {
            check(typed, Ok(Action::Move(Ship::Battleship, at)));
        }
        check("m s a0", Ok(Action::Move(Ship::Submarine, Coord::new(0, 0))));
    }

    #[test]
    fn text_that_is_not_an_action_is_explained() {
        check("m", Err("which ship?"));
        check("m x b3", Err("which ship?"));
        check("m w", Err("type a spot"));
        check("m w é", Err("not a spot"));
        check("f1", Err("columns are a to e"));
        check("a 9,9", Err("not a spot"));
        check("w b3", Err("not a spot"));
    }
}
