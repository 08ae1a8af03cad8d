//! The contracts with bots, `wit/`, in the sandbox: a list of versions, and an adapter for each that converts between the
//! rules' types and the contract's.

mod battleship;
mod coord;
mod loaded;
mod submarine;

use crate::live::LiveInstance;
use crate::refusal::{Refusal, RefusalKind};
use arena_rules::{Failure, Game, GameKind, Listed};
use std::fmt;
use wasmtime::component::types::{self, ComponentFunc, ComponentInstance, ComponentItem};
use wasmtime::component::{Component, ComponentExportIndex, ComponentNamedList, Lift, Lower, TypedFunc};
use wasmtime::{Engine, Result};

pub(crate) use loaded::plays_all as plays_all_loaded;

/// All contracts that a bot may be built against.
const CONTRACTS: &[&Contract] = &[&battleship::V0_1_0, &submarine::V0_1_0];

/// A version of a contract: one with the bots of a built-in game, or one of those with [loaded games and their bots](loaded).
#[derive(Debug)]
pub struct Contract {
    /// The name, without `arena:` and the version.
    name: &'static str,
    /// The version.
    pub(crate) version: &'static str,
    /// Whom it is with.
    of: Of,
}

/// The other side of a contract.
#[derive(Debug)]
enum Of {
    /// Bots for a built-in game.
    Bots(OfBots),
    /// Bots for loaded games, which have types of their game's.
    LoadedBots,
    /// Loaded games.
    Games,
}

/// A contract with the bots of a built-in game. Its export is an interface with the functions `name`, `deploy` and `play`.
#[derive(Debug)]
struct OfBots {
    /// The game.
    kind: GameKind,
    /// The export that makes a component a bot.
    export: &'static str,
    /// Checks the types of the functions that differ from game to game.
    check: fn(&Functions<'_>) -> Result<(), Refusal>,
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "arena:{}@{}", self.name, self.version)
    }
}

impl Contract {
    /// The contract with this text.
    pub(crate) fn of(text: &str) -> Option<&'static Self> {
        let all = CONTRACTS.iter().chain(loaded::CONTRACTS);
        all.copied().find(|contract| contract.to_string() == text)
    }

    /// The game whose bots have this contract; `None` for the contract with games.
    pub(crate) fn kind(&self) -> Option<GameKind> {
        match &self.of {
            Of::Bots(bots) => Some(bots.kind),
            Of::LoadedBots => Some(GameKind::Loaded),
            Of::Games => None,
        }
    }

    /// True for the contract with loaded games.
    pub(crate) fn is_game(&self) -> bool {
        matches!(self.of, Of::Games)
    }

    /// True for the contracts with loaded games and with their bots.
    pub(crate) fn is_of_loaded(&self) -> bool {
        !matches!(self.of, Of::Bots(_))
    }

    /// The export of a bot for a built-in game.
    fn export(&self) -> &'static str {
        if let Of::Bots(bots) = &self.of { bots.export } else { "" }
    }

    /// The number of resources of its own that a component may define: the state of a game.
    pub(crate) fn resources_max(&self) -> u64 {
        self.is_game().into()
    }
}

impl PartialEq for Contract {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Contract {}

/// A game that bots can play in the sandbox. Every game has at least one contract.
pub trait Sandboxed: Listed {
    /// The adapter for a contract of this game, by its version if there are several.
    #[doc(hidden)]
    fn adapter(contract: &'static Contract) -> Box<dyn Adapter<Self>>;

    /// The action of a player that [leaves the choice](Choice::Drawn) to the game, at a view of the game as it is.
    ///
    /// # Errors
    /// The game failed, or it draws no actions.
    fn drawn_action(_view: &Self::View, _seed: u64) -> Result<Self::Action, Failure> {
        Err(Failure::Arena("the game draws no actions".into()))
    }

    /// A view as it can be sent to another process.
    ///
    /// # Errors
    /// The game failed to show it.
    fn sent_view(view: &Self::View) -> Result<Self::View, Failure> {
        Ok(view.clone())
    }
}

/// The choice of a bot at its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<Action> {
    /// An action.
    Action(Action),
    /// Any action: the game draws one with this seed.
    Drawn(u64),
}

impl<Action> Choice<Action> {
    /// The action, at a view of the game as it is.
    ///
    /// # Errors
    /// As of [`Sandboxed::drawn_action`].
    pub(crate) fn action<G: Sandboxed<Action = Action>>(self, view: &G::View) -> Result<Action, Failure> {
        match self {
            Self::Action(action) => Ok(action),
            Self::Drawn(seed) => G::drawn_action(view, seed),
        }
    }
}

/// An adapter for a version of a contract, for the instances of one player.
pub trait Adapter<G: Game>: Send {
    /// Calls `deploy`.
    fn deploy(&mut self, live: &mut LiveInstance, exports: &Exports, game: &G::Info)
    -> Result<G::Deployment>;

    /// Calls `play`.
    fn play(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        game: &G::Info,
        view: &G::View,
    ) -> Result<Choice<G::Action>>;

    /// Forgets the functions of an instance that is gone.
    fn forget(&mut self);
}

/// A function of an instance. It is looked up at its first call and kept, because a look-up takes longer than a call.
struct Cached<F>(Option<F>);

impl<F> Default for Cached<F> {
    fn default() -> Self {
        Self(None)
    }
}

impl<F> Cached<F> {
    fn get(&mut self, look_up: impl FnOnce() -> Result<F>) -> Result<&F> {
        match &mut self.0 {
            Some(function) => Ok(function),
            empty => Ok(empty.insert(look_up()?)),
        }
    }

    fn forget(&mut self) {
        self.0 = None;
    }
}

/// The largest number of names of exports in a refusal, and the length of each. Chosen: they have to fit into its line.
const NAMES_SHOWN_MAX: usize = 3;
const NAME_CHARS_MAX: usize = 60;

const BUILD_AGAINST: &str = "`arena new` makes a bot that fits, and `arena wit` prints the contract";

/// Finds the contract that a component was built against, by the names of its exports alone.
pub(crate) fn identify(exports: &[String]) -> Result<&'static Contract, Refusal> {
    identify_bot(exports).or_else(|refusal| loaded::identify(exports).ok_or(refusal))
}

/// Finds the contract of a bot for a built-in game.
fn identify_bot(exports: &[String]) -> Result<&'static Contract, Refusal> {
    let shown = |name: &str| format!("`{}`", arena_text::line(name, NAME_CHARS_MAX));
    let refuse = |kind, message| Err(Refusal::new(kind, message, BUILD_AGAINST));
    let export = |contract: &Contract| contract.export();
    let is_exported = |contract: &&&Contract| exports.iter().any(|name| name == export(contract));
    // Of two versions for one game, the later one in the list counts.
    let mut found: Vec<&'static Contract> = CONTRACTS.iter().filter(is_exported).copied().rev().collect();
    found.dedup_by_key(|contract| contract.name);
    match found[..] {
        [contract] => return Ok(contract),
        [second, first, ..] => {
            let message = format!("is a bot for two games, {} and {}", first.name, second.name);
            return refuse(RefusalKind::NotABot, message);
        }
        [] => {}
    }
    let expected: Vec<String> = CONTRACTS.iter().map(|contract| format!("`{}`", export(contract))).collect();
    let expected = expected.join(" or ");
    for name in exports {
        let Some((package, rest)) = name.strip_prefix("arena:").and_then(|name| name.split_once('/')) else {
            continue;
        };
        if rest != "bot" && !rest.starts_with("bot@") {
            continue;
        }
        return match CONTRACTS.iter().rfind(|contract| contract.name == package) {
            Some(contract) => refuse(
                RefusalKind::OtherVersion,
                format!(
                    "is for another version of the contract: it exports {}, not `{}`",
                    shown(name),
                    export(contract)
                ),
            ),
            None => refuse(
                RefusalKind::OtherGame,
                format!("plays another game: it exports {}, not {expected}", shown(name)),
            ),
        };
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
    refuse(RefusalKind::NotABot, format!("is not a bot: it exports {found}, not {expected}"))
}

/// The places of a bot's functions. Their types have been checked, except that of `play` of a bot for a loaded game.
pub struct Exports {
    pub(crate) name: ComponentExportIndex,
    /// `None` for a bot for a loaded game.
    deploy: Option<ComponentExportIndex>,
    pub(crate) play: ComponentExportIndex,
}

pub(crate) type Name = TypedFunc<(), (String,)>;

impl Exports {
    /// Finds the functions of a bot, and checks their types, before anything is run. A game has no such functions.
    pub(crate) fn find(
        engine: &Engine,
        component: &Component,
        contract: &Contract,
    ) -> Result<Option<Self>, Refusal> {
        let component_type = component.component_type();
        let export = match &contract.of {
            Of::Bots(bots) => Some(bots.export),
            Of::LoadedBots => {
                loaded::bot_export(contract, component_type.exports(engine).map(|(name, _)| name))
            }
            Of::Games => return Ok(None),
        };
        let export = export.unwrap_or_default();
        let Some(ComponentItem::ComponentInstance(bot)) =
            component_type.get_export(engine, export).map(|item| item.ty)
        else {
            let message =
                format!("its export `{}` is not an interface", arena_text::line(export, NAME_CHARS_MAX));
            return Err(Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST));
        };
        let functions = Functions { engine, component: &component_type, bot: &bot, export };
        functions.check::<(), (String,)>("name")?;
        let find = |name| {
            let bot = component.get_export_index(None, export)?;
            component.get_export_index(Some(&bot), name)
        };
        let deploy = match &contract.of {
            Of::Bots(bots) => {
                (bots.check)(&functions)?;
                find("deploy").map(Some)
            }
            _ => {
                match loaded::plays_all(contract) {
                    true => functions.check::<(), (u64,)>("play")?,
                    false => functions.check_is_function("play")?,
                }
                Some(None)
            }
        };
        let found = (|| Some(Self { name: find("name")?, deploy: deploy?, play: find("play")? }))();
        found.map(Some).ok_or_else(|| {
            Refusal::new(RefusalKind::WrongTypes, "its functions cannot be found", BUILD_AGAINST)
        })
    }

    /// True for those of a bot for a loaded game.
    pub(crate) fn is_of_loaded(&self) -> bool {
        self.deploy.is_none()
    }

    /// The place of `deploy`.
    pub(crate) fn deploy(&self) -> Result<&ComponentExportIndex> {
        self.deploy.as_ref().ok_or_else(|| wasmtime::format_err!("a bot for a loaded game has no deployment"))
    }
}

/// The functions of a bot's interface, for a check of their types.
pub(crate) struct Functions<'a> {
    engine: &'a Engine,
    component: &'a types::Component,
    bot: &'a ComponentInstance,
    export: &'a str,
}

impl Functions<'_> {
    fn check<Params, Return>(&self, name: &str) -> Result<(), Refusal>
    where
        Params: ComponentNamedList + Lower,
        Return: ComponentNamedList + Lift,
    {
        self.check_is_function(name)?;
        let Some(ComponentItem::ComponentFunc(function)) =
            self.bot.get_export(self.engine, name).map(|item| item.ty)
        else {
            unreachable!("it is a function")
        };
        self.matches::<Params, Return>(&function).map_err(|error| {
            let message = format!("its function `{name}` has another type: {}", error.root_cause());
            Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST)
        })
    }

    fn check_is_function(&self, name: &str) -> Result<(), Refusal> {
        let export = arena_text::line(self.export, NAME_CHARS_MAX);
        let message = match self.bot.get_export(self.engine, name).map(|item| item.ty) {
            Some(ComponentItem::ComponentFunc(function)) if !function.async_() => return Ok(()),
            Some(ComponentItem::ComponentFunc(_)) => format!("its function `{name}` is async"),
            Some(_) => format!("its `{name}` is not a function"),
            None => format!("its interface `{export}` has no function `{name}`"),
        };
        Err(Refusal::new(RefusalKind::WrongTypes, message, BUILD_AGAINST))
    }

    fn matches<Params, Return>(&self, function: &ComponentFunc) -> Result<()>
    where
        Params: ComponentNamedList + Lower,
        Return: ComponentNamedList + Lift,
    {
        function.typecheck::<Params, Return>(&self.component.instance_type())
    }
}
