//! The state machine of Battleship: who is to move, what an action does, and when the game is over.

use super::{
    Fleet, FleetError, FleetSpec, GameInfo, Mark, OnInvalid, OnOverrun, OnSkip, OwnCell, Placing, Rounds,
    Ruleset, View, scatter, uniform,
};
use crate::random::SeededRng;
use crate::{
    Coord, Failure, Game, GameKind, GameRules, Listed, Outcome, Placement, Reason, Ruling, Scores, Seat,
    Size, SoloRecord, Unsuited, random,
};
use rand::seq::IteratorRandom;
use serde::{Deserialize, Serialize};
use std::fmt;

/// All of one side's ships were sunk.
pub const FLEET_SUNK: Reason = Reason::own("fleet-sunk");
/// All ships of both sides were sunk in one round.
pub const BOTH_FLEETS_SUNK: Reason = Reason::own("both-fleets-sunk");
/// Both sides skipped, one after the other.
pub const BOTH_SKIPPED: Reason = Reason::own("both-skipped");

/// The reasons of its own for which a game can end.
pub(super) const REASONS: &[Reason] = &[FLEET_SUNK, BOTH_FLEETS_SUNK, BOTH_SKIPPED];

/// The answer of a player at its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// A shot at a cell. It may be invalid.
    Shot(Coord),
    /// No shot.
    Skip,
}

impl From<Option<Coord>> for Action {
    fn from(spot: Option<Coord>) -> Self {
        spot.map_or(Self::Skip, Self::Shot)
    }
}

/// The reason why an action is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invalid {
    /// The cell is off the board.
    OffBoard,
    /// The cell was already shot at.
    Repeat,
    /// A skip, if the rules do not allow it.
    Skip,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "off the board",
            Self::Repeat => "already shot at",
            Self::Skip => "a skip, where a shot is required",
        })
    }
}

/// The result of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShotResult {
    /// Water.
    Miss,
    /// A ship that is still afloat; for a repeated shot, any ship.
    Hit,
    /// The last cell of a ship. Players see the difference to a hit only if the rules announce sinkings.
    Sunk,
}

/// The effect of an action that took a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The turn passed without a shot.
    Skipped,
    /// The turn was spent on an invalid shot.
    Wasted {
        /// The reason why the shot is invalid.
        why: Invalid,
        /// The result of a repeated shot, the same again.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        result: Option<ShotResult>,
    },
    /// The shot counted.
    #[serde(untagged)]
    Shot(ShotResult),
}

/// The part of the state that belongs to one side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    fleet: Fleet,
    /// The number of cells of each ship that have not been hit.
    cells_left: Vec<u8>,
    /// The sum of these numbers.
    all_cells_left: u32,
    turns: u32,
    skipped: bool,
    /// The side's view, kept up to date by each shot, so that it need not be computed. It is also the only record of
    /// the cells that were shot at.
    view: View,
}

impl Side {
    fn new(fleet: Fleet) -> Self {
        let own_cell = |ship: bool| if ship { OwnCell::Ship } else { OwnCell::Water };
        let board = fleet.covered().map(own_cell).collect();
        let view = View { board, ..View::first(fleet.size(), None) };
        let cells_left: Vec<u8> = fleet.ships().iter().map(super::Ship::length).collect();
        let all_cells_left = cells_left.iter().copied().map(u32::from).sum();
        Self { fleet, cells_left, all_cells_left, turns: 0, skipped: false, view }
    }

    fn is_sunk(&self) -> bool {
        self.all_cells_left == 0
    }
}

/// A game of Battleship in progress, from two legal fleets to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battleship {
    rules: Ruleset,
    sides: [Side; 2],
    starter: Seat,
    mover: Seat,
    end: Option<(Outcome, Reason)>,
}

impl Battleship {
    /// The fleet of a side.
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

    /// A game in which seat 1 plays alone, with these fleets: see [`Game::draw_solo`].
    pub fn solo(rules: &Ruleset, fleets: [Fleet; 2]) -> Self {
        let rules = Ruleset {
            off_board: OnInvalid::Lose,
            repeat: OnInvalid::Lose,
            skip: OnSkip::Lose,
            overrun: OnOverrun::Skip,
            two_skips_draw: false,
            // Every shot is at another cell, so the board is cleared in the end.
            turns_max: u32::MAX,
            ..rules.clone()
        };
        Self::new(&rules, fleets, Seat::First)
    }

    fn invalid(&mut self, seat: Seat, at: Coord, why: Invalid, rule: OnInvalid) -> Ruling<Self> {
        match rule {
            OnInvalid::Retry => {
                self.sides[seat.index()].view.retry = true;
                Ruling::Retry(why)
            }
            OnInvalid::Lose => self.lose(seat, why),
            OnInvalid::Waste => {
                let enemy = &self.sides[seat.other().index()];
                let result = (why == Invalid::Repeat).then(|| match enemy.fleet.ship_index(at) {
                    Some(_) => ShotResult::Hit,
                    None => ShotResult::Miss,
                });
                let spot = result.map(|_| at);
                self.end_turn(seat, spot, false);
                Ruling::Done(Effect::Wasted { why, result })
            }
        }
    }

    fn lose(&mut self, seat: Seat, why: Invalid) -> Ruling<Self> {
        self.forfeit(seat);
        Ruling::Lost(why)
    }

    fn shoot(&mut self, seat: Seat, at: Coord, cell: usize) -> Ruling<Self> {
        let enemy = &mut self.sides[seat.other().index()];
        let (result, mark, own_cell) = match enemy.fleet.ship_index(at) {
            None => (ShotResult::Miss, Mark::Miss, OwnCell::Missed),
            Some(ship) => {
                enemy.cells_left[ship] -= 1;
                enemy.all_cells_left -= 1;
                let result = if enemy.cells_left[ship] == 0 { ShotResult::Sunk } else { ShotResult::Hit };
                (result, Mark::Hit, OwnCell::Hit)
            }
        };
        enemy.view.board[cell] = own_cell;
        self.sides[seat.index()].view.attacks[cell] = mark;
        if result == ShotResult::Sunk {
            self.announce_sinkings(seat);
        }
        self.end_turn(seat, Some(at), false);
        Ruling::Done(Effect::Shot(result))
    }

    /// Shows a side which ships of its opponent are afloat, if the rules do so.
    fn announce_sinkings(&mut self, seat: Seat) {
        if self.rules.sinkings_announced {
            self.sides[seat.index()].view.ships_remaining = Some(self.afloat(seat.other()));
        }
    }

    fn end_turn(&mut self, seat: Seat, spot: Option<Coord>, skipped: bool) {
        let side = &mut self.sides[seat.index()];
        side.turns += 1;
        side.skipped = skipped;
        side.view.turn = side.turns.saturating_add(1);
        side.view.my_last = spot;
        side.view.retry = false;
        self.sides[seat.other().index()].view.last_spot = spot;
        self.mover = seat.other();
        self.end = self.judge(seat);
    }

    /// Returns the end of the game if the turn that `moved` has just taken ended it.
    fn judge(&self, moved: Seat) -> Option<(Outcome, Reason)> {
        let round_over = moved != self.starter;
        if round_over || self.rules.rounds == Rounds::EachShot {
            let sunk = Seat::BOTH.map(|seat| self.sides[seat.index()].is_sunk());
            match sunk {
                [true, true] => return Some((Outcome::Draw, BOTH_FLEETS_SUNK)),
                [true, false] => return Some((Outcome::Win(Seat::Second), FLEET_SUNK)),
                [false, true] => return Some((Outcome::Win(Seat::First), FLEET_SUNK)),
                [false, false] => {}
            }
        }
        // Before its first turn a side has not skipped one, so two skips in a row are two turns.
        if self.rules.two_skips_draw && self.sides.iter().all(|side| side.skipped) {
            return Some((Outcome::Draw, BOTH_SKIPPED));
        }
        if self.sides.iter().all(|side| side.turns >= self.rules.turns_max) {
            return Some((Outcome::Draw, Reason::TurnsMax));
        }
        None
    }
}

impl Listed for Battleship {
    const KIND: GameKind = GameKind::Battleship;

    fn built_in() -> Vec<Ruleset> {
        vec![Ruleset::guide(), Ruleset::classic(), Ruleset::pirates()]
    }

    fn rules(any: &GameRules) -> Option<&Ruleset> {
        if let GameRules::Battleship(rules) = any { Some(rules) } else { None }
    }
}

impl Game for Battleship {
    type Rules = Ruleset;
    type Info = GameInfo;
    type Deployment = Vec<Placement>;
    type Setup = Fleet;
    type SetupError = FleetError;
    type View = View;
    type Action = Action;
    type Invalid = Invalid;
    type Effect = Effect;

    fn resized(rules: &Ruleset, size: Size) -> Option<Ruleset> {
        Some(rules.clone().with_size(size))
    }

    fn info(rules: &Ruleset, fuel_per_turn: u64, seed: u64) -> GameInfo {
        GameInfo {
            size: rules.size(),
            fleet: rules.fleet.clone(),
            may_touch: rules.may_touch,
            sinkings_announced: rules.sinkings_announced,
            turns_max: rules.turns_max,
            fuel_per_turn,
            seed,
        }
    }

    fn setup(rules: &Ruleset, placements: &Vec<Placement>) -> Result<Fleet, FleetError> {
        Fleet::parse(&FleetSpec::of(rules), placements)
    }

    fn deployment(fleet: &Fleet) -> Vec<Placement> {
        fleet.placements().to_vec()
    }

    fn drawn(rules: &Ruleset, seed: u64) -> Option<Result<[Fleet; 2], Unsuited>> {
        (rules.placing == Placing::Engine).then(|| draw_two(rules, seed))
    }

    fn any_setup(rules: &Ruleset, rng: &mut SeededRng) -> Result<Fleet, Unsuited> {
        scatter(&FleetSpec::of(rules), rng)
            .ok_or_else(|| Unsuited("no fleet could be drawn on this board in time".into()))
    }

    fn any_action(info: &GameInfo, view: &View, rng: &mut SeededRng) -> Result<Action, Failure> {
        let unknown = (0..view.attacks.len()).filter(|&cell| view.attacks[cell] == Mark::Unknown);
        // Once every cell is known, nothing is left to hit.
        Ok(unknown.choose(rng).map_or(Action::Skip, |cell| Action::Shot(info.size.coord(cell))))
    }

    /// # Panics
    /// If a fleet was made for a board of another size.
    fn new(rules: &Ruleset, fleets: [Fleet; 2], starter: Seat) -> Self {
        assert!(fleets.iter().all(|fleet| fleet.size() == rules.size()), "the fleets are for another board");
        let sides = fleets.map(Side::new);
        let mut game = Self { rules: rules.clone(), sides, starter, mover: starter, end: None };
        Seat::BOTH.into_iter().for_each(|seat| game.announce_sinkings(seat));
        game
    }

    fn suits_one(rules: &Ruleset) -> Result<(), Unsuited> {
        if FleetSpec::of(rules).can_be_drawn() {
            return Ok(());
        }
        Err(Unsuited(format!(
            "the fleet of the rules `{}` is too tight to draw boards at random",
            rules.name
        )))
    }

    fn draw_solo(rules: &Ruleset, seed: u64) -> Result<Self, Unsuited> {
        Ok(Self::solo(rules, draw_two(rules, seed)?))
    }

    fn solo_record(&self, rules: &Ruleset) -> Option<SoloRecord<Self>> {
        let rules = Ruleset {
            name: format!("{}-alone", rules.name),
            skip: OnSkip::Skip,
            two_skips_draw: false,
            // Seat 1 never shoots twice at a cell.
            turns_max: rules.turns_max.max(u32::try_from(rules.size().cells()).unwrap_or(u32::MAX)),
            ..rules.clone()
        };
        let setups = self.sides.each_ref().map(|side| side.fleet.clone());
        Some(SoloRecord { rules: GameRules::Battleship(rules), setups, pass: Action::Skip })
    }

    fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.mover)
    }

    fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    /// Shots saved: the winner has the number of turns that it has left, and all others have 0.
    fn scores(&self) -> Option<Scores> {
        let mut scores = [0; 2];
        if let Some((Outcome::Win(winner), _)) = self.end {
            let turns = self.turns(winner);
            scores[winner.index()] = self.rules.turns_max.saturating_sub(turns).into();
        }
        Some(scores)
    }

    fn turns(&self, seat: Seat) -> u32 {
        self.sides[seat.index()].turns
    }

    fn view(&self, seat: Seat) -> &View {
        &self.sides[seat.index()].view
    }

    #[inline]
    fn act(&mut self, seat: Seat, action: &Action) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        match *action {
            Action::Skip if self.rules.skip == OnSkip::Lose => self.lose(seat, Invalid::Skip),
            Action::Skip => {
                self.end_turn(seat, None, true);
                Ruling::Done(Effect::Skipped)
            }
            Action::Shot(at) => match self.rules.size().index(at) {
                None => self.invalid(seat, at, Invalid::OffBoard, self.rules.off_board),
                Some(cell) if self.sides[seat.index()].view.attacks[cell] != Mark::Unknown => {
                    self.invalid(seat, at, Invalid::Repeat, self.rules.repeat)
                }
                Some(cell) => self.shoot(seat, at, cell),
            },
        }
    }

    fn overrun(&mut self, seat: Seat) -> bool {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        match self.rules.overrun {
            OnOverrun::Skip => self.end_turn(seat, None, true),
            OnOverrun::Lose => self.forfeit(seat),
        }
        self.rules.overrun == OnOverrun::Skip
    }

    fn forfeit(&mut self, seat: Seat) {
        // No side is asked again.
        self.sides[seat.index()].view.retry = false;
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }

    fn is_skip(effect: &Effect) -> bool {
        *effect == Effect::Skipped
    }

    fn complaint(action: &Action, why: &Invalid) -> String {
        match action {
            Action::Shot(at) => format!("the cell {at} is {why}"),
            Action::Skip => why.to_string(),
        }
    }
}

/// Two fleets, drawn uniformly in sequence from a seed.
fn draw_two(rules: &Ruleset, seed: u64) -> Result<[Fleet; 2], Unsuited> {
    let spec = FleetSpec::of(rules);
    let mut rng = random::seeded(seed);
    let mut draw = || {
        uniform(&spec, &mut rng)
            .ok_or_else(|| Unsuited("no fleet could be drawn on this board in time".into()))
    };
    Ok([draw()?, draw()?])
}
