//! The contract of submarine, `wit/submarine/v0.1.0`: its types, and the conversions from the rules' types and back.

use super::coord::Coord;
use super::{Adapter, Cached, Choice, Contract, Exports, Functions, Of, OfBots, Sandboxed};
use crate::live::LiveInstance;
use crate::refusal::Refusal;
use arena_rules::GameKind;
use arena_rules::submarine::{self as rules, Submarine};
use wasmtime::Result;
use wasmtime::component::{ComponentType, Lift, Lower, TypedFunc};

type Deploy = TypedFunc<(GameInfo,), (Positions,)>;
type Play = TypedFunc<(GameInfo, &'static View), (Action,)>;

pub(super) static V0_1_0: Contract = Contract {
    name: "submarine",
    version: "0.1.0",
    of: Of::Bots(OfBots { kind: GameKind::Submarine, export: "arena:submarine/bot@0.1.0", check }),
};

fn check(functions: &Functions<'_>) -> Result<(), Refusal> {
    functions.check::<(GameInfo,), (Positions,)>("deploy")?;
    functions.check::<(GameInfo, &View), (Action,)>("play")
}

impl Sandboxed for Submarine {
    fn adapter(_contract: &'static Contract) -> Box<dyn Adapter<Self>> {
        Box::<SubmarineAdapter>::default()
    }
}

/// The adapter for version 0.1.0.
#[derive(Default)]
struct SubmarineAdapter {
    play: Cached<Play>,
}

impl Adapter<Submarine> for SubmarineAdapter {
    fn deploy(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        game: &rules::GameInfo,
    ) -> Result<[arena_rules::Coord; 3]> {
        let deploy: Deploy = live.function(exports.deploy()?)?;
        let (positions,) = deploy.call(&mut live.store, (game.into(),))?;
        Ok(positions.into())
    }

    fn play(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        game: &rules::GameInfo,
        view: &rules::View,
    ) -> Result<Choice<rules::Action>> {
        let play = self.play.get(|| live.function(&exports.play))?;
        let (action,) = play.call(&mut live.store, (game.into(), &view.into()))?;
        Ok(Choice::Action(action.into()))
    }

    fn forget(&mut self) {
        self.play.forget();
    }
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
enum Ship {
    #[component(name = "battleship")]
    Battleship,
    #[component(name = "cruiser")]
    Cruiser,
    #[component(name = "submarine")]
    Submarine,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(record)]
struct Positions {
    battleship: Coord,
    cruiser: Coord,
    submarine: Coord,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct GameInfo {
    #[component(name = "actions-max")]
    actions_max: u32,
    #[component(name = "fuel-per-turn")]
    fuel_per_turn: u64,
    seed: u64,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct OwnShip {
    ship: Ship,
    #[component(name = "hit-points")]
    hit_points: u8,
    at: Coord,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct EnemyShip {
    ship: Ship,
    #[component(name = "hit-points")]
    hit_points: u8,
}

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct Attacked {
    at: Coord,
    hit: Option<Ship>,
    near: Vec<Ship>,
}

#[derive(Clone, Copy, ComponentType, Lower)]
#[component(record)]
struct Moved {
    ship: Ship,
    down: i8,
    right: i8,
}

#[derive(Clone, ComponentType, Lower)]
#[component(variant)]
enum Report {
    #[component(name = "attacked")]
    Attacked(Attacked),
    #[component(name = "moved")]
    Moved(Moved),
}

#[derive(Clone, ComponentType, Lower)]
#[component(record)]
struct View {
    turn: u32,
    own: Vec<OwnShip>,
    enemy: Vec<EnemyShip>,
    #[component(name = "my-last")]
    my_last: Option<Report>,
    #[component(name = "enemy-last")]
    enemy_last: Option<Report>,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(record)]
struct Sail {
    ship: Ship,
    to: Coord,
}

#[derive(Clone, Copy, ComponentType, Lift)]
#[component(variant)]
enum Action {
    #[component(name = "attack")]
    Attack(Coord),
    #[component(name = "move")]
    Move(Sail),
}

impl From<rules::Ship> for Ship {
    fn from(ship: rules::Ship) -> Self {
        match ship {
            rules::Ship::Battleship => Self::Battleship,
            rules::Ship::Cruiser => Self::Cruiser,
            rules::Ship::Submarine => Self::Submarine,
        }
    }
}

impl From<Ship> for rules::Ship {
    fn from(ship: Ship) -> Self {
        match ship {
            Ship::Battleship => Self::Battleship,
            Ship::Cruiser => Self::Cruiser,
            Ship::Submarine => Self::Submarine,
        }
    }
}

impl From<Positions> for [arena_rules::Coord; 3] {
    fn from(positions: Positions) -> Self {
        [positions.battleship, positions.cruiser, positions.submarine].map(Into::into)
    }
}

impl From<&rules::GameInfo> for GameInfo {
    fn from(game: &rules::GameInfo) -> Self {
        Self { actions_max: game.actions_max, fuel_per_turn: game.fuel_per_turn, seed: game.seed }
    }
}

impl From<&rules::Report> for Report {
    fn from(report: &rules::Report) -> Self {
        match report {
            rules::Report::Attacked { at, hit, near } => Self::Attacked(Attacked {
                at: (*at).into(),
                hit: hit.map(Into::into),
                near: near.iter().map(|&ship| ship.into()).collect(),
            }),
            rules::Report::Moved { ship, down, right } => {
                Self::Moved(Moved { ship: (*ship).into(), down: *down, right: *right })
            }
        }
    }
}

impl From<&rules::View> for View {
    fn from(view: &rules::View) -> Self {
        let own = |own: &rules::OwnShip| OwnShip {
            ship: own.ship.into(),
            hit_points: own.hit_points,
            at: own.at.into(),
        };
        let enemy =
            |enemy: &rules::EnemyShip| EnemyShip { ship: enemy.ship.into(), hit_points: enemy.hit_points };
        Self {
            turn: view.turn,
            own: view.own.iter().map(own).collect(),
            enemy: view.enemy.iter().map(enemy).collect(),
            my_last: view.my_last.as_ref().map(Into::into),
            enemy_last: view.enemy_last.as_ref().map(Into::into),
        }
    }
}

impl From<Action> for rules::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::Attack(at) => Self::Attack(at.into()),
            Action::Move(Sail { ship, to }) => Self::Move(ship.into(), to.into()),
        }
    }
}
