//! Submarine: placing three ships, then attacks and moves.

use super::typed::Typed;
use super::{Answer, Confirm, Said, move_cursor};
use crate::grid::{Grid, Mark};
use crate::key::Key;
use crate::moment::SubmarineMoment;
use crate::spot;
use crate::theme::Tone;
use crate::words::letter;
use arena_rules::submarine::{Action, Effect, Illegal, SIZE, Ship};
use arena_rules::{Coord, Seat, random};

/// Three ships that are being placed.
#[derive(Clone, Debug)]
pub(super) struct Positioning {
    placed: Vec<Coord>,
    cursor: Coord,
    seed: u64,
}

impl Positioning {
    pub(super) fn new(seed: u64) -> Self {
        Self { placed: Vec::new(), cursor: Coord::new(2, 2), seed }
    }

    pub(super) fn cursor(&self) -> Coord {
        self.cursor
    }

    fn ship(&self) -> Option<Ship> {
        Ship::ALL.get(self.placed.len()).copied()
    }

    /// The ship that is placed where the cursor is, if there is one.
    fn taken_by(&self) -> Option<Ship> {
        let index = self.placed.iter().position(|&at| at == self.cursor)?;
        Ship::ALL.get(index).copied()
    }

    pub(super) fn key(&mut self, key: Key) -> Answer {
        match key {
            Key::Char('x') => {
                self.seed = self.seed.wrapping_add(1);
                self.placed = random_cells(self.seed);
            }
            Key::Backspace if self.placed.pop().is_none() => {
                return Answer::Told("no ship is placed yet".into());
            }
            Key::Backspace => {}
            Key::Enter => match (self.ship(), self.taken_by()) {
                (Some(_), Some(other)) => return Answer::Told(format!("the {other} is there already")),
                (Some(_), None) => self.placed.push(self.cursor),
                (None, _) => {
                    let Ok(cells) = <[Coord; 3]>::try_from(self.placed.clone()) else {
                        return Answer::Nothing;
                    };
                    return Answer::Said(Said::Positions(cells));
                }
            },
            key => return move_cursor(&mut self.cursor, SIZE, key),
        }
        Answer::Changed
    }

    pub(super) fn hint(&self) -> (String, Tone) {
        let at = spot::name(SIZE, self.cursor);
        match (self.ship(), self.taken_by()) {
            (None, _) => (
                "all ships are placed: Enter begins, x draws others, Backspace takes one back".into(),
                Tone::Good,
            ),
            (Some(ship), Some(other)) => {
                (format!("the {ship} to {at}: the {other} is there already"), Tone::Fault)
            }
            (Some(ship), None) => {
                let points = ship.hit_points();
                (format!("the {ship}, {points} hit points, to {at}: Enter places it"), Tone::Good)
            }
        }
    }

    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::of_threes(|at| {
            let ship = self.placed.iter().position(|&cell| cell == at).map(|index| Ship::ALL[index]);
            match ship {
                Some(ship) => ([letter(ship), hit_points(ship), ' '], Tone::Ship),
                None => ([' ', '·', ' '], Tone::Faint),
            }
        });
        if let (Some(ship), None) = (self.ship(), self.taken_by()) {
            grid.put(self.cursor, letter(ship), Tone::Good);
        }
        grid.mark(self.cursor, Mark::Cursor);
        grid
    }
}

fn hit_points(ship: Ship) -> char {
    char::from_digit(ship.hit_points().into(), 10).unwrap_or('?')
}

/// Three different cells, drawn uniformly.
fn random_cells(seed: u64) -> Vec<Coord> {
    // The fleet of three ships of one cell that may touch is what the positions of submarine are.
    let spec = arena_rules::FleetSpec { size: SIZE, lengths: vec![1; 3], may_touch: true };
    let fleet = arena_rules::uniform(&spec, &mut random::seeded(seed));
    fleet.map_or_else(Vec::new, |fleet| fleet.placements().iter().map(|ship| ship.anchor).collect())
}

/// What a turn may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Attack,
    Move(Ship),
}

/// A turn that is being thought about.
#[derive(Clone, Debug)]
pub(super) struct Acting {
    me: Seat,
    choice: Choice,
    cursor: Coord,
    typed: Typed,
}

impl Acting {
    pub(super) fn new(me: Seat, cursor: Coord) -> Self {
        Self { me, choice: Choice::Attack, cursor, typed: Typed::default() }
    }

    pub(super) fn cursor(&self) -> Coord {
        self.cursor
    }

    pub(super) fn typed(&self) -> &str {
        self.typed.text()
    }

    /// Whether the cursor is on one's own board: a ship is to be moved.
    pub(super) fn is_on_own_board(&self) -> bool {
        self.choice != Choice::Attack
    }

    pub(super) fn key(&mut self, key: Key, game: &SubmarineMoment) -> Answer {
        if let Some(answer) = self.typed.take_back(key) {
            return answer;
        }
        match key {
            Key::Char('q') if self.typed.is_empty() => Answer::Confirm(Confirm::Leave),
            Key::Char('?') if self.typed.is_empty() => Answer::Help,
            Key::Char(c) if self.typed.push(c, " ,()") => Answer::Changed,
            Key::Char(_) => Answer::Nothing,
            Key::Tab => {
                self.next_choice(game);
                Answer::Changed
            }
            Key::Enter if self.typed.is_empty() => self.act(self.action(self.cursor), game),
            Key::Enter => match parse(&self.typed.take()) {
                Ok(action) => self.act(action, game),
                Err(words) => Answer::Told(words),
            },
            key => {
                self.typed.clear();
                move_cursor(&mut self.cursor, SIZE, key)
            }
        }
    }

    /// The attack, then a move of each ship afloat, and round again.
    fn next_choice(&mut self, game: &SubmarineMoment) {
        let afloat = game.ships(self.me);
        let choices: Vec<Choice> = std::iter::once(Choice::Attack)
            .chain(afloat.iter().map(|&(ship, _, _)| Choice::Move(ship)))
            .collect();
        let now = choices.iter().position(|&choice| choice == self.choice).unwrap_or(0);
        self.choice = choices[(now + 1) % choices.len()];
        if let Choice::Move(ship) = self.choice {
            self.cursor = game.place(self.me, ship).unwrap_or(self.cursor);
        }
    }

    fn action(&self, at: Coord) -> Action {
        match self.choice {
            Choice::Attack => Action::Attack(at),
            Choice::Move(ship) => Action::Move(ship, at),
        }
    }

    fn act(&self, action: Action, game: &SubmarineMoment) -> Answer {
        match self.why_not(action, game) {
            None => Answer::Said(Said::Action(action)),
            Some(illegal) => Answer::Told(format!("{}: {}", words_of(action), why(illegal))),
        }
    }

    /// Why an action is not legal, if it is not: it is tried out on a copy of the game.
    fn why_not(&self, action: Action, game: &SubmarineMoment) -> Option<Illegal> {
        let mut trial = game.game.clone()?;
        if trial.to_move() != Some(self.me) {
            return None;
        }
        match trial.act(self.me, action) {
            Effect::Done(_) => None,
            Effect::Illegal(illegal) => Some(illegal),
        }
    }

    pub(super) fn hint(&self, game: &SubmarineMoment) -> (String, Tone) {
        let action = if self.typed.is_empty() {
            self.action(self.cursor)
        } else {
            match parse(self.typed.text()) {
                Ok(action) => action,
                Err(_) => return ("attack: b3 or a 3,1   move: m w b3 or m w 3,1".into(), Tone::Faint),
            }
        };
        match self.why_not(action, game) {
            None => (format!("Enter: {}", words_of(action)), Tone::Good),
            Some(illegal) => (format!("{}: {}", words_of(action), why(illegal)), Tone::Fault),
        }
    }

    /// Marks what is in reach, and the cursor.
    pub(super) fn mark(&self, grid: &mut Grid, game: &SubmarineMoment) {
        for at in SIZE.coords() {
            if self.why_not(self.action(at), game).is_none() {
                grid.mark(at, Mark::Reach);
            }
        }
        grid.mark(self.cursor, Mark::Cursor);
    }
}

/// Why an action is not legal, to whoever would take it.
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

fn words_of(action: Action) -> String {
    match action {
        Action::Attack(at) => format!("attack {}", spot::name(SIZE, at)),
        Action::Move(ship, to) => format!("move the {ship} to {}", spot::name(SIZE, to)),
    }
}

/// What somebody typed: `b3` or `a 3,1` to attack, `m w b3` or `m w 3,1` to move.
fn parse(typed: &str) -> Result<Action, String> {
    let text = typed.trim().to_ascii_lowercase();
    if let Some(rest) = text.strip_prefix('m') {
        let rest = rest.trim_start();
        let ship = Ship::ALL.into_iter().find(|&ship| rest.starts_with(letter(ship)));
        let ship = ship.ok_or("which ship? m w, m c or m s, then where to, like m w b3")?;
        return Ok(Action::Move(ship, spot::parse(SIZE, &rest[1..])?));
    }
    // After `a ` a spot may follow; and `a 3` is one itself.
    let after = text.strip_prefix("a ").map(|rest| spot::parse(SIZE, rest));
    match after {
        Some(Ok(at)) => Ok(Action::Attack(at)),
        _ => spot::parse(SIZE, &text).map(Action::Attack),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::submarine::Positions;

    fn check(typed: &str, expected: Result<Action, &str>) {
        match (parse(typed), expected) {
            (Ok(action), Ok(expected)) => assert_eq!(action, expected, "{typed:?}"),
            (Err(words), Err(expected)) => assert!(words.contains(expected), "{typed:?}: {words}"),
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
    fn what_is_no_action_is_explained() {
        check("m", Err("which ship?"));
        check("m x b3", Err("which ship?"));
        check("m w", Err("type a spot"));
        check("m w é", Err("no spot"));
        check("f1", Err("columns are a to e"));
        check("a 9,9", Err("no spot"));
        check("w b3", Err("no spot"));
    }

    #[test]
    fn random_positions_are_legal() {
        for seed in 0..100 {
            let cells: [Coord; 3] = random_cells(seed).try_into().unwrap();
            Positions::new(cells).unwrap();
        }
    }
}
