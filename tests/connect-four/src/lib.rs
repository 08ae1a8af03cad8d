//! Connect Four, natively: discs fall into columns, and the first line of four of one side wins.
//!
//! It is a game as an author would write it next to the program: it implements [`Game`] and is in no list. It has what the listed games
//! have not: it begins without a deployment, its chance comes from a seed, and both sides see one board.
#![forbid(unsafe_code)]

use arena_rules::random::{SeededRng, seeded};
use arena_rules::{Failure, Game, NoDeployment, Outcome, Reason, RulesError, Ruling, Seat, Size, Unsuited};
use rand::seq::IteratorRandom;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A side has a line of its discs.
pub const LINE: Reason = Reason::own("line");
/// No cell is empty, and no side has a line.
pub const BOARD_FULL: Reason = Reason::own("board-full");

/// The least and the largest number of rows and of columns. Chosen: the board of the usual game has 6 and 7.
pub const SIDES: std::ops::RangeInclusive<u8> = 1..=12;

/// The switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Rules {
    /// The name to show.
    pub name: String,
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    /// The number of discs of a line that wins.
    pub line: u8,
    /// The number of neutral discs that lie in the lowest row at the beginning, in columns that are drawn from the seed.
    pub neutral: u8,
    /// The number of discs of both sides with which the game's own code fails, as that of a component can; 0 if it never does.
    pub fails_with: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self { name: "connect-four".into(), columns: 7, rows: 6, line: 4, neutral: 0, fails_with: 0 }
    }
}

impl arena_rules::Rules for Rules {
    fn game(&self) -> &str {
        "connect-four"
    }

    fn reasons(&self) -> Cow<'_, [Reason]> {
        Cow::Borrowed(&[LINE, BOARD_FULL])
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }

    fn size(&self) -> Option<Size> {
        Some(Size::new(self.columns, self.rows))
    }

    fn turn_budget_ms(&self) -> u32 {
        100
    }

    fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        let comments = [
            ("name", "the name to show"),
            ("columns", "from 1 to 12"),
            ("rows", "from 1 to 12"),
            ("line", "the number of discs that win, from 2"),
            ("neutral", "the number of neutral discs in the lowest row at the beginning"),
            ("fails-with", "the number of discs with which the game fails; 0 for never"),
        ];
        comments.map(|(switch, comment)| (switch.into(), comment.into())).into()
    }

    fn validate(&self) -> Result<(), RulesError> {
        let wrong = |switch: &'static str, cause: &str| {
            Err(RulesError { switch: switch.into(), cause: cause.into() })
        };
        match self {
            Self { columns, .. } if !SIDES.contains(columns) => wrong("columns", "must be from 1 to 12"),
            Self { rows, .. } if !SIDES.contains(rows) => wrong("rows", "must be from 1 to 12"),
            Self { line: 0 | 1, .. } => wrong("line", "must be at least 2"),
            Self { neutral, columns, rows, .. } if neutral > columns || neutral == columns && *rows == 1 => {
                wrong("neutral", "leaves no empty cell")
            }
            _ => Ok(()),
        }
    }
}

/// A cell as a side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// It has no disc.
    Empty,
    /// It has a disc of the side that looks.
    Mine,
    /// It has a disc of the other side.
    Theirs,
    /// It has a neutral disc.
    Neutral,
}

/// The board as a side sees it, at its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The columns from left to right, each from the lowest cell to the highest.
    pub columns: Vec<Vec<Cell>>,
}

impl View {
    /// The columns with an empty cell.
    pub fn open(&self) -> impl Iterator<Item = Column> + '_ {
        let is_open = |cells: &Vec<Cell>| cells.contains(&Cell::Empty);
        (0..)
            .map(Column)
            .zip(&self.columns)
            .filter(move |(_, cells)| is_open(cells))
            .map(|(column, _)| column)
    }
}

/// What a side knows besides its view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Info {
    /// The number of discs of a line that wins.
    pub line: u8,
    /// The fuel of a turn.
    pub fuel_per_turn: u64,
    /// The random seed of the side.
    pub seed: u64,
}

/// An action: a column, from 0, into which a disc falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column(pub u8);

/// An effect: the row, from 0, in which the disc lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row(pub u8);

/// The reason why an action is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Invalid {
    /// There is no such column: the side loses.
    #[error("no column")]
    NoColumn,
    /// The column is full: the side is asked again.
    #[error("full")]
    Full,
}

/// The columns with a neutral disc. A setup has no more of them than the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neutral(Vec<u8>);

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    line: usize,
    fails_with: u32,
    mover: Seat,
    turns: [u32; 2],
    end: Option<(Outcome, Reason)>,
    views: [View; 2],
}

impl ConnectFour {
    /// The length of the longest line of the side's discs through a cell.
    fn longest(&self, seat: Seat, column: usize, row: usize) -> usize {
        let columns = &self.views[seat.index()].columns;
        let is_mine = |column: isize, row: isize| {
            let at = usize::try_from(column).ok().zip(usize::try_from(row).ok());
            at.and_then(|(column, row)| columns.get(column)?.get(row)) == Some(&Cell::Mine)
        };
        let (column, row) = (column.cast_signed(), row.cast_signed());
        let run = |across: isize, up: isize| {
            (1..).take_while(|&step| is_mine(column + step * across, row + step * up)).count()
        };
        let through = |(across, up): (isize, isize)| 1 + run(across, up) + run(-across, -up);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().map(through).max().expect("there are four directions")
    }
}

impl Game for ConnectFour {
    type Rules = Rules;
    type Info = Info;
    type Deployment = ();
    type Setup = Neutral;
    type SetupError = NoDeployment;
    type View = View;
    type Action = Column;
    type Invalid = Invalid;
    type Effect = Row;

    fn info(rules: &Rules, fuel_per_turn: u64, seed: u64) -> Info {
        Info { line: rules.line, fuel_per_turn, seed }
    }

    fn setup(_rules: &Rules, (): &()) -> Result<Neutral, NoDeployment> {
        Err(NoDeployment)
    }

    fn deployment(_setup: &Neutral) {}

    fn without_deployment(rules: &Rules, seed: u64) -> Option<[Neutral; 2]> {
        let drawn = Self::any_setup(rules, &mut seeded(seed)).ok()?;
        Some([drawn.clone(), drawn])
    }

    fn any_setup(rules: &Rules, rng: &mut SeededRng) -> Result<Neutral, Unsuited> {
        let mut columns = vec![0; rules.neutral.into()];
        (0..rules.columns).sample_fill(rng, &mut columns);
        Ok(Neutral(columns))
    }

    fn any_action(_info: &Info, view: &View, rng: &mut SeededRng) -> Result<Column, Failure> {
        Ok(view.open().choose(rng).expect("a side is asked only while a column is open"))
    }

    fn new(rules: &Rules, [Neutral(neutral), _]: [Neutral; 2], starter: Seat) -> Self {
        let mut columns = vec![vec![Cell::Empty; rules.rows.into()]; rules.columns.into()];
        neutral.iter().for_each(|&column| columns[usize::from(column)][0] = Cell::Neutral);
        let view = View { columns };
        Self {
            line: rules.line.into(),
            fails_with: rules.fails_with,
            mover: starter,
            turns: [0; 2],
            end: None,
            views: [view.clone(), view],
        }
    }

    fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.mover)
    }

    fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    fn turns(&self, seat: Seat) -> u32 {
        self.turns[seat.index()]
    }

    fn view(&self, seat: Seat) -> &View {
        &self.views[seat.index()]
    }

    fn act(&mut self, seat: Seat, &Column(column): &Column) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let column = usize::from(column);
        let Some(cells) = self.views[0].columns.get(column) else {
            self.forfeit(seat);
            return Ruling::Lost(Invalid::NoColumn);
        };
        let Some(row) = cells.iter().position(|&cell| cell == Cell::Empty) else {
            return Ruling::Retry(Invalid::Full);
        };
        self.views[seat.index()].columns[column][row] = Cell::Mine;
        self.views[seat.other().index()].columns[column][row] = Cell::Theirs;
        self.turns[seat.index()] += 1;
        self.mover = seat.other();
        if self.longest(seat, column, row) >= self.line {
            self.end = Some((Outcome::Win(seat), LINE));
        } else if self.views[0].open().next().is_none() {
            self.end = Some((Outcome::Draw, BOARD_FULL));
        }
        Ruling::Done(Row(row as u8))
    }

    fn forfeit(&mut self, seat: Seat) {
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn complaint(action: &Column, why: &Invalid) -> String {
        match why {
            Invalid::NoColumn => format!("there is no column {}", action.0),
            Invalid::Full => format!("column {} is full", action.0),
        }
    }

    fn failure(&self) -> Option<Failure> {
        let discs = self.turns[0] + self.turns[1];
        (self.fails_with > 0 && discs >= self.fails_with).then(|| "it has no room for another disc".into())
    }
}
