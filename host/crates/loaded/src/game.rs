//! A game that was loaded.

use crate::contract::{Functions, path_of};
use crate::difference::difference;
use crate::fault::{Error, FaultKind, GameFault};
use crate::lock::lock;
use crate::state::{Calls, State};
use arena_referee::HostError;
use arena_rules::Seat;
use arena_rules::loaded::About;
use arena_sandbox::{Component, Interface, Value, ValueType};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The largest number of actions that are kept, and the longest text of one, in bytes. Chosen: together some 3 MiB of memory.
const ACTIONS_MAX: usize = 2_000;
const ACTION_BYTES_MAX: usize = 64;

/// A game whose contract has been checked, and which has described itself. It is cheap to clone.
#[derive(Clone)]
pub struct Game {
    pub(crate) parts: Arc<Parts>,
}

/// The parts that all states of a game share.
pub(crate) struct Parts {
    pub(crate) component: Component,
    pub(crate) functions: Functions,
    pub(crate) about: About,
    interfaces: Vec<Interface>,
    /// The name of the interface `moves`.
    moves: String,
    /// Actions by their texts: a game has few, and reading one can take as long as applying it.
    actions: Mutex<HashMap<String, Value>>,
}

impl Parts {
    /// An action from its text in the notation WAVE. The error is the reason why it is not one.
    pub(crate) fn action(&self, text: &str) -> Result<Value, String> {
        if let Some(action) = lock(&self.actions).get(text) {
            return Ok(action.clone());
        }
        let action = self.functions.apply_action.parse(1, text)?;
        let mut actions = lock(&self.actions);
        if text.len() <= ACTION_BYTES_MAX && actions.len() < ACTIONS_MAX {
            actions.insert(text.to_owned(), action.clone());
        }
        Ok(action)
    }
}

/// The types that a game and its bots have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotTypes {
    /// The name of the interface that bots export.
    pub interface: String,
    /// The type of an observation.
    pub observation: ValueType,
    /// The type of an action.
    pub action: ValueType,
}

impl Game {
    /// Checks a component of a sandbox against the contract, and asks it to describe itself. Its code has to be in this process.
    ///
    /// # Errors
    /// The fault of the game, or a failure of the arena.
    pub fn new(component: Component) -> Result<Self, Error> {
        let interfaces = component
            .interfaces()?
            .map_err(|refusal| GameFault::new(FaultKind::WrongTypes, "rules", refusal.to_string()))?;
        let (functions, moves) = Functions::find(&interfaces)?;
        let mut calls = Calls::new(component.start(0)?);
        let described = calls.ask(&functions.describe, Vec::new())?;
        let about = crate::about::read(&described)?;
        let parts = Parts { component, functions, about, interfaces, moves, actions: Mutex::default() };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The facts about it.
    pub fn about(&self) -> &About {
        &self.parts.about
    }

    /// The component.
    pub fn component(&self) -> &Component {
        &self.parts.component
    }

    /// True if the game can list the legal actions.
    pub fn lists_actions(&self) -> bool {
        self.parts.functions.legal_actions.is_some()
    }

    /// True if the game can draw what is hidden again.
    pub fn resamples(&self) -> bool {
        self.parts.functions.resample.is_some()
    }

    /// The type of an effect; `None` when the game has none.
    pub fn effect(&self) -> Option<&ValueType> {
        match &self.parts.functions.apply_action.result {
            Some(ValueType::Result(Some(effect), _)) => Some(effect),
            _ => None,
        }
    }

    /// The types of its bots, and the interface that they export: `bot` of the same package and version as `moves`.
    pub fn bot_types(&self) -> BotTypes {
        let Parts { functions, moves, .. } = &*self.parts;
        let (path, version) = (path_of(moves), &moves[path_of(moves).len()..]);
        let package = path.strip_suffix("/moves").unwrap_or(path);
        BotTypes {
            interface: format!("{package}/bot{version}"),
            observation: functions.observe.result.clone().expect("it has been checked"),
            action: functions.apply_action.params[1].clone(),
        }
    }

    /// The types with names in its interfaces, each with the name of the interface.
    pub(crate) fn named_types(&self) -> impl Iterator<Item = (&str, &str, &ValueType)> {
        self.parts.interfaces.iter().flat_map(|interface| {
            interface.types.iter().map(|(name, ty)| (interface.name.as_str(), name.as_str(), ty))
        })
    }

    /// Checks that a bot exports the interface of this game's bots, with the same types, or plays all games.
    ///
    /// # Errors
    /// The first difference, as a sentence about the bot. The outer error is a failure of the arena.
    pub fn check_bot(&self, bot: &Component) -> Result<Result<(), String>, HostError> {
        if bot.plays_all() {
            return Ok(Ok(()));
        }
        let BotTypes { interface, observation, action } = self.bot_types();
        let interfaces = match bot.interfaces()? {
            Ok(interfaces) => interfaces,
            Err(refusal) => return Ok(Err(refusal.to_string())),
        };
        let Some(found) = interfaces.iter().find(|it| it.is_exported && it.name == interface) else {
            // A bot for another game, or for another version of this one.
            let other = interfaces.iter().filter(|it| it.is_exported).map(|it| it.name.as_str());
            let other = other.filter(|name| path_of(name).ends_with("/bot")).collect::<Vec<_>>();
            return Ok(Err(match &other[..] {
                [] => format!("exports no `{interface}`"),
                others => {
                    format!("is a bot for `{}`, and this game is for `{interface}`", others.join("`, `"))
                }
            }));
        };
        let function = |name: &str| found.functions.iter().find(|function| function.name == name);
        let (Some(name), Some(play)) = (function("name"), function("play")) else {
            return Ok(Err(format!("has no function `name` or no function `play` in `{interface}`")));
        };
        if !name.params.is_empty() || name.result != Some(ValueType::Plain("string")) {
            return Ok(Err("has a function `name` that is not func() -> string".to_owned()));
        }
        let ([seen], Some(answer)) = (&play.params[..], &play.result) else {
            return Ok(Err("has a function `play` that is not func(observation) -> action".to_owned()));
        };
        let differs =
            difference("observation", &observation, seen).or_else(|| difference("action", &action, answer));
        Ok(differs.map_or(Ok(()), |what| Err(format!("has other types than the game: {what}"))))
    }

    /// The state at the beginning of a game in a fresh instance, with a value for each option, in their order. The inner error is the game's
    /// reason why these values do not fit together.
    ///
    /// # Errors
    /// The fault of the game, or a failure of the arena.
    pub fn start(
        &self,
        settings: &[(String, i64)],
        seed: u64,
        starter: Seat,
    ) -> Result<Result<State, String>, Error> {
        self.start_in(Calls::new(self.parts.component.start(seed)?), settings, seed, starter)
    }

    /// The same in an instance in which another game was played. A game that has no state outside of its states is the same there.
    ///
    /// # Errors
    /// As of [`start`](Self::start).
    pub fn start_after(
        &self,
        other: State,
        settings: &[(String, i64)],
        seed: u64,
        starter: Seat,
    ) -> Result<Result<State, String>, Error> {
        self.start_in(other.into_calls()?, settings, seed, starter)
    }

    fn start_in(
        &self,
        mut calls: Calls,
        settings: &[(String, i64)],
        seed: u64,
        starter: Seat,
    ) -> Result<Result<State, String>, Error> {
        let settings = settings.iter().map(|(name, value)| {
            Value::record([("name", Value::string(name)), ("value", Value::s64(*value))])
        });
        let function = &self.parts.functions.new_initial_state;
        let started = calls
            .ask(function, vec![Value::list(settings), Value::u64(seed), crate::state::seat(starter)])?;
        Ok(match started.into_result() {
            Some(Ok(Some(value))) => Ok(State::new(Arc::clone(&self.parts), calls, value)),
            Some(Err(Some(why))) => Err(why.as_str().unwrap_or_default().to_owned()),
            _ => return Err(HostError::Defect("a checked result has no content".into()).into()),
        })
    }
}
