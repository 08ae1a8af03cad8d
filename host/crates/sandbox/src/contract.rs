//! The contract with bots, `wit/battleship/v0.1.0`, as the sandbox sees it: which export is a bot's, the types that
//! cross, and the one place where they are turned from the rules' types and back.

use crate::refusal::{Refusal, RefusalKind};
use crate::sanitize;
use arena_rules as rules;
use wasmtime::component::types::{self, ComponentFunc, ComponentInstance, ComponentItem};
use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, ComponentType, Instance, Lift, Lower, TypedFunc,
};
use wasmtime::{AsContextMut, Engine};

/// The games whose bots this sandbox runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// The Battleship family: `arena:battleship/bot`.
    Battleship,
}

impl Game {
    /// Its name, as in its package's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Battleship => "battleship",
        }
    }
}

/// The export that makes a component a bot.
pub(crate) const EXPORT: &str = "arena:battleship/bot@0.1.0";

/// The contract's version in that name.
pub(crate) const VERSION: &str = "0.1.0";

/// The most names of exports in a refusal, and the longest one. Chosen: they have to fit into its line.
const NAMES_SHOWN_MAX: usize = 3;
const NAME_CHARS_MAX: usize = 60;

const BUILD_AGAINST: &str = "build against `wit/battleship/v0.1.0`; `examples/first-bot` is a bot to copy";

/// Finds the bot's interface among a component's exports, by their names alone.
pub(crate) fn identify(exports: &[String]) -> Result<Game, Refusal> {
    if exports.iter().any(|name| name == EXPORT) {
        return Ok(Game::Battleship);
    }
    let shown = |name: &str| format!("`{}`", sanitize::line(name, NAME_CHARS_MAX));
    let refuse = |kind, message| Err(Refusal::new(kind, message, BUILD_AGAINST));
    for name in exports {
        let Some((package, rest)) = name.strip_prefix("arena:").and_then(|name| name.split_once('/')) else {
            continue;
        };
        let is_bot = rest == "bot" || rest.starts_with("bot@");
        if is_bot && package == Game::Battleship.name() {
            let message = format!(
                "it is for another version of the contract: it exports {}, not `{EXPORT}`",
                shown(name)
            );
            return refuse(RefusalKind::OtherVersion, message);
        }
        if is_bot {
            let message = format!("it plays another game: it exports {}, not `{EXPORT}`", shown(name));
            return refuse(RefusalKind::OtherGame, message);
        }
    }
    let found = match exports {
        [] => "nothing".to_owned(),
        names => {
            let mut list: Vec<String> = names.iter().take(NAMES_SHOWN_MAX).map(|name| shown(name)).collect();
            if names.len() > NAMES_SHOWN_MAX {
                list.push(format!("{} more", names.len() - NAMES_SHOWN_MAX));
            }
            list.join(", ")
        }
    };
    refuse(RefusalKind::NotABot, format!("it is no bot: it exports {found}, not `{EXPORT}`"))
}

/// Where a component's three functions are.
pub(crate) struct Exports {
    name: ComponentExportIndex,
    deploy: ComponentExportIndex,
    play: ComponentExportIndex,
}

pub(crate) type Name = TypedFunc<(), (String,)>;
pub(crate) type Deploy = TypedFunc<(&'static GameInfo<'static>,), (Vec<Placement>,)>;
pub(crate) type Play = TypedFunc<(&'static GameInfo<'static>, &'static View<'static>), (Option<Coord>,)>;

impl Exports {
    /// Finds the three functions and checks their types, before anything is run.
    pub(crate) fn find(engine: &Engine, component: &Component) -> Result<Self, Refusal> {
        let component_type = component.component_type();
        let Some(ComponentItem::ComponentInstance(bot)) =
            component_type.get_export(engine, EXPORT).map(|item| item.ty)
        else {
            let message = format!("its export `{EXPORT}` is not an interface");
            return Err(Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST));
        };
        Functions { engine, component: &component_type, bot: &bot }.check_all()?;

        let find = |name| {
            let bot = component.get_export_index(None, EXPORT)?;
            component.get_export_index(Some(&bot), name)
        };
        let found = (|| Some(Self { name: find("name")?, deploy: find("deploy")?, play: find("play")? }))();
        found.ok_or_else(|| {
            Refusal::new(RefusalKind::WrongTypes, "its functions cannot be found", BUILD_AGAINST)
        })
    }

    pub(crate) fn name(&self, store: impl AsContextMut, instance: &Instance) -> wasmtime::Result<Name> {
        instance.get_typed_func(store, self.name)
    }

    pub(crate) fn deploy(&self, store: impl AsContextMut, instance: &Instance) -> wasmtime::Result<Deploy> {
        instance.get_typed_func(store, self.deploy)
    }

    pub(crate) fn play(&self, store: impl AsContextMut, instance: &Instance) -> wasmtime::Result<Play> {
        instance.get_typed_func(store, self.play)
    }
}

/// The functions of a bot's interface, for a check of their types.
struct Functions<'a> {
    engine: &'a Engine,
    component: &'a types::Component,
    bot: &'a ComponentInstance,
}

impl Functions<'_> {
    fn check_all(&self) -> Result<(), Refusal> {
        self.check::<(), (String,)>("name")?;
        self.check::<(&GameInfo<'_>,), (Vec<Placement>,)>("deploy")?;
        self.check::<(&GameInfo<'_>, &View<'_>), (Option<Coord>,)>("play")
    }

    fn check<Params, Return>(&self, name: &str) -> Result<(), Refusal>
    where
        Params: ComponentNamedList + Lower,
        Return: ComponentNamedList + Lift,
    {
        let refuse = |message: String| Err(Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST));
        match self.bot.get_export(self.engine, name).map(|item| item.ty) {
            Some(ComponentItem::ComponentFunc(function)) if function.async_() => {
                refuse(format!("its function `{name}` is async"))
            }
            Some(ComponentItem::ComponentFunc(function)) => match self.matches::<Params, Return>(&function) {
                Ok(()) => Ok(()),
                Err(error) => {
                    refuse(format!("its function `{name}` has another type: {}", error.root_cause()))
                }
            },
            Some(_) => refuse(format!("its `{name}` is not a function")),
            None => refuse(format!("its interface `{EXPORT}` has no function `{name}`")),
        }
    }

    fn matches<Params, Return>(&self, function: &ComponentFunc) -> wasmtime::Result<()>
    where
        Params: ComponentNamedList + Lower,
        Return: ComponentNamedList + Lift,
    {
        function.typecheck::<Params, Return>(&self.component.instance_type())
    }
}

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Coord {
    row: u8,
    column: u8,
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
