//! The contracts with bots, `wit/`, as the sandbox sees them: which export is a bot's, and where its functions are.

pub(crate) mod battleship;
pub(crate) mod submarine;

use crate::refusal::{Refusal, RefusalKind};
use crate::sanitize;
use arena_rules::GameKind;
use wasmtime::Engine;
use wasmtime::component::types::{self, ComponentFunc, ComponentInstance, ComponentItem};
use wasmtime::component::{Component, ComponentExportIndex, ComponentNamedList, Lift, Lower, TypedFunc};

/// The contract's version in the name of each game's export.
pub(crate) const VERSION: &str = "0.1.0";

/// The export that makes a component a bot for a game.
pub(crate) const fn export(game: GameKind) -> &'static str {
    match game {
        GameKind::Battleship => "arena:battleship/bot@0.1.0",
        GameKind::Submarine => "arena:submarine/bot@0.1.0",
    }
}

/// The most names of exports in a refusal, and the longest one. Chosen: they have to fit into its line.
const NAMES_SHOWN_MAX: usize = 3;
const NAME_CHARS_MAX: usize = 60;

const BUILD_AGAINST: &str = "build against a contract in `wit/`; `examples/first-bot` is a bot to copy";

/// Finds the bot's interface among a component's exports, by their names alone.
pub(crate) fn identify(exports: &[String]) -> Result<GameKind, Refusal> {
    let is_exported = |game: &GameKind| exports.iter().any(|name| name == export(*game));
    let shown = |name: &str| format!("`{}`", sanitize::line(name, NAME_CHARS_MAX));
    let refuse = |kind, message| Err(Refusal::new(kind, message, BUILD_AGAINST));
    match GameKind::ALL.into_iter().filter(is_exported).collect::<Vec<_>>()[..] {
        [game] => return Ok(game),
        [first, second, ..] => {
            return refuse(RefusalKind::NotABot, format!("it is a bot for two games, {first} and {second}"));
        }
        [] => {}
    }
    let expected = GameKind::ALL.map(|game| format!("`{}`", export(game))).join(" or ");
    for name in exports {
        let Some((package, rest)) = name.strip_prefix("arena:").and_then(|name| name.split_once('/')) else {
            continue;
        };
        let is_bot = rest == "bot" || rest.starts_with("bot@");
        let game = GameKind::ALL.into_iter().find(|game| game.name() == package);
        if let (true, Some(game)) = (is_bot, game) {
            let message = format!(
                "it is for another version of the contract: it exports {}, not `{}`",
                shown(name),
                export(game)
            );
            return refuse(RefusalKind::OtherVersion, message);
        }
        if is_bot {
            let message = format!("it plays another game: it exports {}, not {expected}", shown(name));
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
    refuse(RefusalKind::NotABot, format!("it is no bot: it exports {found}, not {expected}"))
}

/// Where a component's three functions are. Their types have been checked.
pub(crate) struct Exports {
    pub(crate) name: ComponentExportIndex,
    pub(crate) deploy: ComponentExportIndex,
    pub(crate) play: ComponentExportIndex,
}

pub(crate) type Name = TypedFunc<(), (String,)>;

impl Exports {
    /// Finds the three functions and checks their types, before anything is run.
    pub(crate) fn find(engine: &Engine, component: &Component, game: GameKind) -> Result<Self, Refusal> {
        let component_type = component.component_type();
        let export = export(game);
        let Some(ComponentItem::ComponentInstance(bot)) =
            component_type.get_export(engine, export).map(|item| item.ty)
        else {
            let message = format!("its export `{export}` is not an interface");
            return Err(Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST));
        };
        Functions { engine, component: &component_type, bot: &bot, export }.check_all(game)?;

        let find = |name| {
            let bot = component.get_export_index(None, export)?;
            component.get_export_index(Some(&bot), name)
        };
        let found = (|| Some(Self { name: find("name")?, deploy: find("deploy")?, play: find("play")? }))();
        found.ok_or_else(|| {
            Refusal::new(RefusalKind::WrongTypes, "its functions cannot be found", BUILD_AGAINST)
        })
    }
}

/// The functions of a bot's interface, for a check of their types.
struct Functions<'a> {
    engine: &'a Engine,
    component: &'a types::Component,
    bot: &'a ComponentInstance,
    export: &'static str,
}

impl Functions<'_> {
    fn check_all(&self, game: GameKind) -> Result<(), Refusal> {
        self.check::<(), (String,)>("name")?;
        match game {
            GameKind::Battleship => battleship::check(self),
            GameKind::Submarine => submarine::check(self),
        }
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
            None => refuse(format!("its interface `{}` has no function `{name}`", self.export)),
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
