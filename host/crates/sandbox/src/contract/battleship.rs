//! The contract of Battleship, `wit/battleship/v0.1.0`: the types that cross, and the one place where they are turned from
//! the rules' types and back.

use super::Functions;
use crate::refusal::Refusal;
use arena_rules as rules;
use wasmtime::component::{ComponentType, Lift, Lower, TypedFunc};

pub(crate) type Deploy = TypedFunc<(&'static GameInfo<'static>,), (Vec<Placement>,)>;
pub(crate) type Play = TypedFunc<(&'static GameInfo<'static>, &'static View<'static>), (Option<Coord>,)>;

/// Checks the types of the functions that are not the same in every game.
pub(super) fn check(functions: &Functions<'_>) -> Result<(), Refusal> {
    functions.check::<(&GameInfo<'_>,), (Vec<Placement>,)>("deploy")?;
    functions.check::<(&GameInfo<'_>, &View<'_>), (Option<Coord>,)>("play")
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Coord {
    pub(super) row: u8,
    pub(super) column: u8,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "lifting makes its values from their numbers")]
pub(crate) enum Direction {
    #[component(name = "north")]
    North,
    #[component(name = "east")]
    East,
    #[component(name = "south")]
    South,
    #[component(name = "west")]
    West,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(record)]
pub(crate) struct Placement {
    anchor: Coord,
    direction: Direction,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum OwnCell {
    #[component(name = "water")]
    Water,
    #[component(name = "ship")]
    Ship,
    #[component(name = "missed")]
    Missed,
    #[component(name = "hit")]
    Hit,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum Mark {
    #[component(name = "unknown")]
    Unknown,
    #[component(name = "miss")]
    Miss,
    #[component(name = "hit")]
    Hit,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
pub(crate) struct GameInfo<'a> {
    width: u8,
    height: u8,
    fleet: &'a [u8],
    #[component(name = "may-touch")]
    may_touch: bool,
    #[component(name = "sinkings-announced")]
    sinkings_announced: bool,
    #[component(name = "turns-max")]
    turns_max: u32,
    #[component(name = "fuel-per-turn")]
    fuel_per_turn: u64,
    seed: u64,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
pub(crate) struct View<'a> {
    turn: u32,
    board: &'a [OwnCell],
    attacks: &'a [Mark],
    #[component(name = "last-spot")]
    last_spot: Option<Coord>,
    #[component(name = "my-last")]
    my_last: Option<Coord>,
    retry: bool,
    #[component(name = "ships-remaining")]
    ships_remaining: Option<&'a [u8]>,
}

/// Room for the boards of a view, kept from call to call so that a call allocates nothing.
#[derive(Default)]
pub(crate) struct Boards {
    board: Vec<OwnCell>,
    attacks: Vec<Mark>,
}

impl Boards {
    pub(crate) fn view<'a>(&'a mut self, view: &'a rules::View) -> View<'a> {
        self.board.clear();
        self.board.extend(view.board.iter().map(|cell| match cell {
            rules::OwnCell::Water => OwnCell::Water,
            rules::OwnCell::Ship => OwnCell::Ship,
            rules::OwnCell::Missed => OwnCell::Missed,
            rules::OwnCell::Hit => OwnCell::Hit,
        }));
        self.attacks.clear();
        self.attacks.extend(view.attacks.iter().map(|mark| match mark {
            rules::Mark::Unknown => Mark::Unknown,
            rules::Mark::Miss => Mark::Miss,
            rules::Mark::Hit => Mark::Hit,
        }));
        View {
            turn: view.turn,
            board: &self.board,
            attacks: &self.attacks,
            last_spot: view.last_spot.map(Coord::from),
            my_last: view.my_last.map(Coord::from),
            retry: view.retry,
            ships_remaining: view.ships_remaining.as_deref(),
        }
    }
}

impl<'a> From<&'a rules::GameInfo> for GameInfo<'a> {
    fn from(game: &'a rules::GameInfo) -> Self {
        Self {
            width: game.size.width,
            height: game.size.height,
            fleet: &game.fleet,
            may_touch: game.may_touch,
            sinkings_announced: game.sinkings_announced,
            turns_max: game.turns_max,
            fuel_per_turn: game.fuel_per_turn,
            seed: game.seed,
        }
    }
}

impl From<rules::Coord> for Coord {
    fn from(at: rules::Coord) -> Self {
        Self { row: at.row, column: at.column }
    }
}

impl From<Coord> for rules::Coord {
    fn from(at: Coord) -> Self {
        Self::new(at.row, at.column)
    }
}

impl From<Placement> for rules::Placement {
    fn from(placement: Placement) -> Self {
        let direction = match placement.direction {
            Direction::North => rules::Direction::North,
            Direction::East => rules::Direction::East,
            Direction::South => rules::Direction::South,
            Direction::West => rules::Direction::West,
        };
        Self::new(placement.anchor.into(), direction)
    }
}
