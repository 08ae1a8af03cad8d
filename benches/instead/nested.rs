//! A first attempt at a host for components: boards as nested lists of enums, an engine with wasmtime's default settings and
//! fuel, and a bot that is compiled in this process.

use crate::bare_host::{self, Live, State};
use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::battleship::{Action, Battleship, GameInfo, Mark, OwnCell, View};
use arena_rules::{Coord, Direction, Placement};
use std::fs;
use std::path::Path;
use wasmtime::Result;
use wasmtime::component::{ComponentType, InstancePre, Lift, Lower, TypedFunc};

/// A compiled component, with the engine it belongs to.
pub struct NestedBot(InstancePre<State>);

impl NestedBot {
    /// Makes an engine and compiles the component in a file.
    pub fn load(file: &Path) -> Self {
        let built = fs::read(file).expect("the component has been built by `cargo xtask bench`");
        Self(bare_host::compile(&built).expect("it is a component"))
    }

    /// A player for one game, with an instance of its own.
    pub fn player(&self) -> NestedPlayer {
        let make = || {
            let mut live = Live::begin(&self.0, "bench:nested/bot@0.1.0")?;
            let (deploy, play) = (live.function("deploy")?, live.function("play")?);
            Ok(NestedPlayer { live, deploy, play })
        };
        let player: Result<_> = make();
        player.expect("the bot starts")
    }
}

/// An instance that plays one game.
pub struct NestedPlayer {
    live: Live,
    deploy: TypedFunc<(NestedGame,), (Vec<NestedPlacement>,)>,
    play: TypedFunc<(NestedGame, NestedView), (Option<NestedCoord>,)>,
}

impl NestedPlayer {
    fn reply<T>(&mut self, answer: Result<T>, before: u64) -> Result<Reply<T>, NoReply> {
        let left = self.live.store.get_fuel().unwrap_or_default();
        match answer {
            Ok(answer) => Ok(Reply { answer, fuel_used: before - left }),
            Err(error) => Err(HostError::Machine(error.to_string().into()).into()),
        }
    }

    /// Fills up the fuel of a call, and returns it.
    fn refuel(&mut self, fuel: u64) -> u64 {
        self.live.store.set_fuel(fuel).expect("the engine counts fuel");
        fuel
    }
}

impl Player<Battleship> for NestedPlayer {
    fn deploy(&mut self, game: &GameInfo, fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fuel = self.refuel(fuel);
        let fleet = self.deploy.call(&mut self.live.store, (game.into(),));
        self.reply(fleet.map(|(fleet,)| fleet.into_iter().map(Into::into).collect()), fuel)
    }

    fn play(&mut self, game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Action>, NoReply> {
        let fuel = self.refuel(fuel);
        let view = NestedView::of(view, game.size.width.into());
        let shot = self.play.call(&mut self.live.store, (game.into(), view));
        self.reply(shot.map(|(shot,)| shot.map(Coord::from).into()), fuel)
    }
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
struct NestedCoord {
    row: u8,
    column: u8,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "lifting makes its values from their numbers")]
enum NestedDirection {
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
struct NestedPlacement {
    anchor: NestedCoord,
    direction: NestedDirection,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
enum NestedOwnCell {
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
enum NestedMark {
    #[component(name = "unknown")]
    Unknown,
    #[component(name = "miss")]
    Miss,
    #[component(name = "hit")]
    Hit,
}

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct NestedGame {
    width: u8,
    height: u8,
    fleet: Vec<u8>,
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

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct NestedView {
    turn: u32,
    board: Vec<Vec<NestedOwnCell>>,
    attacks: Vec<Vec<NestedMark>>,
    #[component(name = "last-spot")]
    last_spot: Option<NestedCoord>,
    #[component(name = "my-last")]
    my_last: Option<NestedCoord>,
    retry: bool,
    #[component(name = "ships-remaining")]
    ships_remaining: Option<Vec<u8>>,
}

impl NestedView {
    fn of(view: &View, width: usize) -> Self {
        let own = |cell: &OwnCell| match cell {
            OwnCell::Water => NestedOwnCell::Water,
            OwnCell::Ship => NestedOwnCell::Ship,
            OwnCell::Missed => NestedOwnCell::Missed,
            OwnCell::Hit => NestedOwnCell::Hit,
        };
        let mark = |mark: &Mark| match mark {
            Mark::Unknown => NestedMark::Unknown,
            Mark::Miss => NestedMark::Miss,
            Mark::Hit => NestedMark::Hit,
        };
        Self {
            turn: view.turn,
            board: view.board.chunks(width).map(|row| row.iter().map(own).collect()).collect(),
            attacks: view.attacks.chunks(width).map(|row| row.iter().map(mark).collect()).collect(),
            last_spot: view.last_spot.map(Into::into),
            my_last: view.my_last.map(Into::into),
            retry: view.retry,
            ships_remaining: view.ships_remaining.clone(),
        }
    }
}

impl From<&GameInfo> for NestedGame {
    fn from(game: &GameInfo) -> Self {
        Self {
            width: game.size.width,
            height: game.size.height,
            fleet: game.fleet.clone(),
            may_touch: game.may_touch,
            sinkings_announced: game.sinkings_announced,
            turns_max: game.turns_max,
            fuel_per_turn: game.fuel_per_turn,
            seed: game.seed,
        }
    }
}

impl From<Coord> for NestedCoord {
    fn from(at: Coord) -> Self {
        Self { row: at.row, column: at.column }
    }
}

impl From<NestedCoord> for Coord {
    fn from(at: NestedCoord) -> Self {
        Self::new(at.row, at.column)
    }
}

impl From<NestedPlacement> for Placement {
    fn from(placement: NestedPlacement) -> Self {
        let direction = match placement.direction {
            NestedDirection::North => Direction::North,
            NestedDirection::East => Direction::East,
            NestedDirection::South => Direction::South,
            NestedDirection::West => Direction::West,
        };
        Self::new(placement.anchor.into(), direction)
    }
}
