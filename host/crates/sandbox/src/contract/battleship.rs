//! The contract of Battleship, `wit/battleship/v0.1.0`: its types, and the conversions from the rules' types and back.

use super::coord::Coord;
use super::{Adapter, Cached, Choice, Contract, Exports, Functions, Of, OfBots, Sandboxed};
use crate::live::LiveInstance;
use crate::refusal::Refusal;
use arena_rules::battleship::{self as rules, Battleship};
use arena_rules::{self as shared, GameKind};
use wasmtime::Result;
use wasmtime::component::{ComponentType, Lift, Lower, TypedFunc};

type Deploy = TypedFunc<(&'static GameInfo<'static>,), (Vec<Placement>,)>;
type Play = TypedFunc<(&'static GameInfo<'static>, &'static View<'static>), (Option<Coord>,)>;

pub(super) static V0_1_0: Contract = Contract {
    name: "battleship",
    version: "0.1.0",
    of: Of::Bots(OfBots { kind: GameKind::Battleship, export: "arena:battleship/bot@0.1.0", check }),
};

fn check(functions: &Functions<'_>) -> Result<(), Refusal> {
    functions.check::<(&GameInfo<'_>,), (Vec<Placement>,)>("deploy")?;
    functions.check::<(&GameInfo<'_>, &View<'_>), (Option<Coord>,)>("play")
}

impl Sandboxed for Battleship {
    fn adapter(_contract: &'static Contract) -> Box<dyn Adapter<Self>> {
        Box::<BattleshipAdapter>::default()
    }
}

/// The adapter for version 0.1.0.
#[derive(Default)]
struct BattleshipAdapter {
    play: Cached<Play>,
}

impl Adapter<Battleship> for BattleshipAdapter {
    fn deploy(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        game: &rules::GameInfo,
    ) -> Result<Vec<shared::Placement>> {
        let deploy: Deploy = live.function(exports.deploy()?)?;
        let (fleet,) = deploy.call(&mut live.store, (&game.into(),))?;
        Ok(fleet.into_iter().map(Into::into).collect())
    }

    fn play(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        game: &rules::GameInfo,
        view: &rules::View,
    ) -> Result<Choice<rules::Action>> {
        let play = self.play.get(|| live.function(&exports.play))?;
        let (spot,) = play.call(&mut live.store, (&game.into(), &view.into()))?;
        Ok(Choice::Action(spot.map(shared::Coord::from).into()))
    }

    fn forget(&mut self) {
        self.play.forget();
    }
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "lifting makes its values from their numbers")]
enum Direction {
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
struct Placement {
    anchor: Coord,
    direction: Direction,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct GameInfo<'a> {
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
struct View<'a> {
    turn: u32,
    board: &'a [u8],
    attacks: &'a [u8],
    #[component(name = "last-spot")]
    last_spot: Option<Coord>,
    #[component(name = "my-last")]
    my_last: Option<Coord>,
    retry: bool,
    #[component(name = "ships-remaining")]
    ships_remaining: Option<&'a [u8]>,
}

impl<'a> From<&'a rules::View> for View<'a> {
    fn from(view: &'a rules::View) -> Self {
        Self {
            turn: view.turn,
            // The rules' values are the contract's bytes.
            board: bytemuck::cast_slice(&view.board),
            attacks: bytemuck::cast_slice(&view.attacks),
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

impl From<Placement> for shared::Placement {
    fn from(placement: Placement) -> Self {
        let direction = match placement.direction {
            Direction::North => shared::Direction::North,
            Direction::East => shared::Direction::East,
            Direction::South => shared::Direction::South,
            Direction::West => shared::Direction::West,
        };
        Self::new(placement.anchor.into(), direction)
    }
}
