//! The Battleship state machine: who is to move, what an answer does, and when it is over.

use crate::{
    Coord, Fleet, FleetError, GameInfo, Mark, OnInvalid, OnOverrun, OnSkip, OwnCell, Rounds, Ruleset, View,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of the game. In a pair of games the players swap seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// Seat 1: shoots first, unless the rules draw who starts.
    First,
    /// Seat 2.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1, to index a pair by.
    pub const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    /// The opponent's seat.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::First => 1,
            Seat::Second => 2,
        }
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => Err(format!("there is no seat {number}: seats are 1 and 2")),
        }
    }
}

/// What a player answers at its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A shot at a spot, which may be no valid one.
    Shot(Coord),
    /// No shot.
    Skip,
}

impl From<Option<Coord>> for Answer {
    fn from(spot: Option<Coord>) -> Self {
        spot.map_or(Self::Skip, Self::Shot)
    }
}

/// Why an answer is not a valid one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invalid {
    /// The spot is off the board.
    OffBoard,
    /// The spot was already shot at.
    Repeat,
    /// No shot, where the rules want one.
    Skip,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "off the board",
            Self::Repeat => "already shot at",
            Self::Skip => "a skip, where the rules want a shot",
        })
    }
}

/// What a shot met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShotResult {
    /// Water.
    Miss,
    /// A ship that is still afloat, or, for a repeated shot, a ship.
    Hit,
    /// The last cell of a ship. Players are told so only where the rules announce it.
    Sunk,
}

/// What an answer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A shot that counted.
    Shot {
        /// Where.
        at: Coord,
        /// What it met.
        result: ShotResult,
    },
    /// The turn was spent on an invalid spot.
    Wasted {
        /// Where.
        at: Coord,
        /// What was wrong with it.
        why: Invalid,
        /// What a repeated shot met, the same again.
        result: Option<ShotResult>,
    },
    /// The turn passed without a shot.
    Skipped,
    /// The player is asked again, in the same turn.
    Retry {
        /// What it answered.
        at: Coord,
        /// What was wrong with it.
        why: Invalid,
    },
    /// The player lost by its answer.
    Lost {
        /// What was wrong with it.
        why: Invalid,
        /// Where, unless it was a skip.
        at: Option<Coord>,
    },
}

impl Effect {
    /// Whether the turn is over.
    pub const fn ends_turn(&self) -> bool {
        !matches!(self, Self::Retry { .. })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A side won.
    Win(Seat),
    /// Neither did.
    Draw,
    /// It was no game: neither side placed a legal fleet.
    NoContest,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// All of one side's ships were sunk.
    FleetSunk,
    /// All ships of both sides were sunk in one round.
    BothFleetsSunk,
    /// Both sides skipped, one after the other.
    BothSkipped,
    /// Both sides took all their turns.
    TurnsMax,
    /// A side lost by a fault: see it for what it was.
    Forfeit,
    /// A side placed no legal fleet.
    BadDeploy,
    /// Neither side placed a legal fleet.
    BothBadDeploy,
}

/// What becomes of the game after the deployments: a pair of fleets to play with, or an end.
///
/// A bad or late deployment loses; two of them are no contest.
///
/// # Errors
/// The end of a game in which a fleet is missing.
pub fn judge_deployments<F>(fleets: [Option<F>; 2]) -> Result<[F; 2], (Outcome, Reason)> {
    match fleets {
        [Some(first), Some(second)] => Ok([first, second]),
        [Some(_), None] => Err((Outcome::Win(Seat::First), Reason::BadDeploy)),
        [None, Some(_)] => Err((Outcome::Win(Seat::Second), Reason::BadDeploy)),
        [None, None] => Err((Outcome::NoContest, Reason::BothBadDeploy)),
    }
}

/// One side's share of the state.
#[derive(Clone, Debug)]
struct Side {
    fleet: Fleet,
    /// Where the opponent has shot, cell by cell.
    shot_at: Vec<bool>,
    /// Cells of each ship that have not been hit.
    cells_left: Vec<u8>,
    turns: u32,
    last: Option<Coord>,
    skipped: bool,
}

impl Side {
    fn new(fleet: Fleet) -> Self {
        let cells_left = fleet.ships().iter().map(crate::Ship::length).collect();
        let shot_at = vec![false; fleet.size().cells()];
        Self { fleet, shot_at, cells_left, turns: 0, last: None, skipped: false }
    }

    fn is_sunk(&self) -> bool {
        self.cells_left.iter().all(|&cells| cells == 0)
    }
}

/// A game in progress, from two legal fleets to its end.
///
/// The caller asks [`Battle::to_move`], shows that side its [`Battle::view`] and brings its answer; the state machine
/// says what the answer did. It never panics on an answer, whatever it is.
#[derive(Clone, Debug)]
pub struct Battle {
    rules: Ruleset,
    sides: [Side; 2],
    starter: Seat,
    mover: Seat,
    retry: bool,
    end: Option<(Outcome, Reason)>,
}

impl Battle {
    /// A game about to begin. `starter` shoots first.
    ///
    /// # Panics
    /// When a fleet was made for a board of another size.
    pub fn new(rules: &Ruleset, fleets: [Fleet; 2], starter: Seat) -> Self {
        assert!(fleets.iter().all(|fleet| fleet.size() == rules.size()), "the fleets are for another board");
        Self {
            rules: rules.clone(),
            sides: fleets.map(Side::new),
            starter,
            mover: starter,
            retry: false,
            end: None,
        }
    }

    /// Whose turn it is; none when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.mover)
    }

    /// How the game ended; none while it goes on.
    pub fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    /// Turns a side has taken, skipped ones included.
    pub fn turns(&self, seat: Seat) -> u32 {
        self.sides[seat.index()].turns
    }

    /// A side's fleet.
    pub fn fleet(&self, seat: Seat) -> &Fleet {
        &self.sides[seat.index()].fleet
    }

    /// The lengths of a side's ships still afloat, longest first.
    pub fn afloat(&self, seat: Seat) -> Vec<u8> {
        let side = &self.sides[seat.index()];
        let left = side.fleet.ships().iter().zip(&side.cells_left);
        let mut lengths: Vec<u8> =
            left.filter(|&(_, &cells)| cells > 0).map(|(ship, _)| ship.length()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// What a side may see now.
    pub fn view(&self, seat: Seat) -> View {
        let (own, enemy) = (&self.sides[seat.index()], &self.sides[seat.other().index()]);
        let size = self.rules.size();
        let own_cell = |(index, &shot): (usize, &bool)| match (own.fleet.ship_index(size.coord(index)), shot)
        {
            (None, false) => OwnCell::Water,
            (Some(_), false) => OwnCell::Ship,
            (None, true) => OwnCell::Missed,
            (Some(_), true) => OwnCell::Hit,
        };
        let mark = |(index, &shot): (usize, &bool)| match (shot, enemy.fleet.ship_index(size.coord(index))) {
            (false, _) => Mark::Unknown,
            (true, None) => Mark::Miss,
            (true, Some(_)) => Mark::Hit,
        };
        View {
            turn: own.turns.saturating_add(1),
            board: own.shot_at.iter().enumerate().map(own_cell).collect(),
            attacks: enemy.shot_at.iter().enumerate().map(mark).collect(),
            last_spot: enemy.last,
            my_last: own.last,
            retry: self.retry && self.to_move() == Some(seat),
            ships_remaining: self.rules.sinkings_announced.then(|| self.afloat(seat.other())),
        }
    }

    /// What the side to move answers, and what that does.
    ///
    /// # Panics
    /// When the game is over or it is the other side's turn.
    pub fn answer(&mut self, seat: Seat, answer: Answer) -> Effect {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        match answer {
            Answer::Skip => match self.rules.skip {
                OnSkip::Skip => self.pass(seat),
                OnSkip::Lose => self.lose(seat, Invalid::Skip, None),
            },
            Answer::Shot(at) => {
                let enemy = &self.sides[seat.other().index()];
                match self.rules.size().index(at) {
                    None => self.invalid(seat, at, Invalid::OffBoard, self.rules.off_board),
                    Some(cell) if enemy.shot_at[cell] => {
                        self.invalid(seat, at, Invalid::Repeat, self.rules.repeat)
                    }
                    Some(cell) => self.shoot(seat, at, cell),
                }
            }
        }
    }

    /// The side to move overran its turn's budget. Says whether the game goes on.
    ///
    /// # Panics
    /// When the game is over or it is the other side's turn.
    pub fn overrun(&mut self, seat: Seat) -> bool {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        match self.rules.overrun {
            OnOverrun::Skip => {
                self.pass(seat);
                true
            }
            OnOverrun::Lose => {
                self.forfeit(seat);
                false
            }
        }
    }

    /// A side lost by a fault that the rules never forgive.
    pub fn forfeit(&mut self, seat: Seat) {
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn invalid(&mut self, seat: Seat, at: Coord, why: Invalid, rule: OnInvalid) -> Effect {
        match rule {
            OnInvalid::Retry => {
                self.retry = true;
                Effect::Retry { at, why }
            }
            OnInvalid::Lose => self.lose(seat, why, Some(at)),
            OnInvalid::Waste => {
                let enemy = &self.sides[seat.other().index()];
                let result = (why == Invalid::Repeat).then(|| match enemy.fleet.ship_index(at) {
                    Some(_) => ShotResult::Hit,
                    None => ShotResult::Miss,
                });
                let spot = result.map(|_| at);
                self.end_turn(seat, spot, false);
                Effect::Wasted { at, why, result }
            }
        }
    }

    fn lose(&mut self, seat: Seat, why: Invalid, at: Option<Coord>) -> Effect {
        self.forfeit(seat);
        Effect::Lost { why, at }
    }

    fn pass(&mut self, seat: Seat) -> Effect {
        self.end_turn(seat, None, true);
        Effect::Skipped
    }

    fn shoot(&mut self, seat: Seat, at: Coord, cell: usize) -> Effect {
        let enemy = &mut self.sides[seat.other().index()];
        enemy.shot_at[cell] = true;
        let result = match enemy.fleet.ship_index(at) {
            None => ShotResult::Miss,
            Some(ship) => {
                enemy.cells_left[ship] -= 1;
                if enemy.cells_left[ship] == 0 { ShotResult::Sunk } else { ShotResult::Hit }
            }
        };
        self.end_turn(seat, Some(at), false);
        Effect::Shot { at, result }
    }

    fn end_turn(&mut self, seat: Seat, spot: Option<Coord>, skipped: bool) {
        let side = &mut self.sides[seat.index()];
        side.turns += 1;
        side.last = spot;
        side.skipped = skipped;
        self.retry = false;
        self.mover = seat.other();
        self.end = self.judge(seat);
    }

    /// Whether the turn that just ended, of the side given, ended the game.
    fn judge(&self, moved: Seat) -> Option<(Outcome, Reason)> {
        let round_over = moved != self.starter;
        if round_over || self.rules.rounds == Rounds::EachShot {
            let sunk = Seat::BOTH.map(|seat| self.sides[seat.index()].is_sunk());
            match sunk {
                [true, true] => return Some((Outcome::Draw, Reason::BothFleetsSunk)),
                [true, false] => return Some((Outcome::Win(Seat::Second), Reason::FleetSunk)),
                [false, true] => return Some((Outcome::Win(Seat::First), Reason::FleetSunk)),
                [false, false] => {}
            }
        }
        // Before its first turn a side has not skipped one, so two skips in a row are two turns.
        if self.rules.two_skips_draw && self.sides.iter().all(|side| side.skipped) {
            return Some((Outcome::Draw, Reason::BothSkipped));
        }
        if self.sides.iter().all(|side| side.turns >= self.rules.turns_max) {
            return Some((Outcome::Draw, Reason::TurnsMax));
        }
        None
    }
}

impl GameInfo {
    /// What a side is told of a game by these rules.
    pub fn new(rules: &Ruleset, fuel_per_turn: u64, seed: u64) -> Self {
        Self {
            size: rules.size(),
            fleet: rules.fleet.clone(),
            may_touch: rules.may_touch,
            sinkings_announced: rules.sinkings_announced,
            turns_max: rules.turns_max,
            fuel_per_turn,
            seed,
        }
    }
}

/// The placements of a deployment, checked against the rules.
///
/// # Errors
/// What is wrong with it.
pub fn check_deployment(rules: &Ruleset, placements: &[crate::Placement]) -> Result<Fleet, FleetError> {
    Fleet::parse(&crate::FleetSpec::of(rules), placements)
}
