//! The contracts of games that are components, `wit/game`, and of their bots. Only the names of their exports are known here:
//! each game has types of its own.

use super::{Adapter, Cached, Choice, Contract, Exports, Of, Sandboxed};
use crate::live::LiveInstance;
use crate::state::Stop;
use crate::values::{TEXT_BYTES_MAX, Value};
use arena_rules::loaded::{Loaded, Observation};
use arena_rules::{Failure, Game};
use wasmtime::component::types::Type;
use wasmtime::component::{Func, TypedFunc, Val};
use wasmtime::{Result, format_err};

/// The export that makes a component a game.
const GAME: &str = "arena:game/rules@0.1.0";

/// The contracts of this module.
pub(super) const CONTRACTS: &[&Contract] = &[&OF_GAMES, &OF_BOTS, &OF_RANDOM];

/// The contract of a game.
static OF_GAMES: Contract = Contract { name: "game", version: "0.1.0", of: Of::Games };

/// The contract of a bot for one.
static OF_BOTS: Contract = Contract { name: "game/bot", version: "0.1.0", of: Of::LoadedBots };

/// The contract of the built-in opponent, a bot for all of them: it answers a random number, and the arena takes the action that the game
/// draws with it.
static OF_RANDOM: Contract = Contract { name: "game/random", version: "0.1.0", of: Of::LoadedBots };

/// The export of the built-in opponent.
const RANDOM: &str = "arena:game/random@0.1.0";

/// True for the contract of a bot that plays all loaded games.
pub(crate) fn plays_all(contract: &Contract) -> bool {
    contract == &OF_RANDOM
}

/// The export of a bot with this contract, among all exports.
pub(super) fn bot_export<'a>(
    contract: &Contract,
    mut exports: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    exports.find(|name| if plays_all(contract) { *name == RANDOM } else { is_bot(name) })
}

/// True for the export of a bot: the interface `bot` of the game's package.
fn is_bot(export: &str) -> bool {
    let (path, _) = export.split_once('@').unwrap_or((export, ""));
    path.ends_with("/bot") && !path.starts_with("arena:")
}

/// Finds the contract by the names of the exports: a game exports the rules, and a bot one interface `bot`.
pub(super) fn identify(exports: &[String]) -> Option<&'static Contract> {
    match exports {
        _ if exports.iter().any(|name| name == GAME) => Some(&OF_GAMES),
        _ if exports.iter().any(|name| name == RANDOM) => Some(&OF_RANDOM),
        _ if exports.iter().filter(|name| is_bot(name)).count() == 1 => Some(&OF_BOTS),
        _ => None,
    }
}

impl Sandboxed for Loaded {
    fn adapter(contract: &'static Contract) -> Box<dyn Adapter<Self>> {
        if plays_all(contract) { Box::<RandomAdapter>::default() } else { Box::<LoadedAdapter>::default() }
    }

    fn drawn_action(view: &Observation, seed: u64) -> Result<String, Failure> {
        view.random_action(seed)
    }

    fn sent_view(view: &Observation) -> Result<Observation, Failure> {
        view.to_text()
    }
}

/// The adapter for bots of all loaded games. It calls `play` with values of any type.
#[derive(Default)]
struct LoadedAdapter {
    play: Cached<(Func, Type)>,
}

impl Adapter<Loaded> for LoadedAdapter {
    fn deploy(&mut self, _: &mut LiveInstance, exports: &Exports, _: &<Loaded as Game>::Info) -> Result<()> {
        exports.deploy().map(drop)
    }

    fn play(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        _game: &<Loaded as Game>::Info,
        view: &Observation,
    ) -> Result<Choice<String>> {
        let (play, seen) = self.play.get(|| {
            let found = live.instance.get_func(&mut live.store, exports.play);
            let function = found.ok_or_else(|| format_err!("there is no function `play`"))?;
            let seen = function.ty(&live.store).params().next().map(|(_, ty)| ty);
            Ok((function, seen.ok_or_else(|| format_err!("`play` takes no observation"))?))
        })?;
        let observation = match view.observed::<Value>()? {
            Some(value) => value.0,
            // It was recorded or sent. If it is none, that is no fault of the bot.
            None => Val::from_wave(seen, &view.text()?)
                .map_err(|_| Stop::Host("the game has no observation".into()))?,
        };
        let mut action = [Val::Bool(false)];
        let called = play.call(&mut live.store, &[observation], &mut action);
        let [action] = action;
        let text =
            Value::of_call(called, action)?.text().ok_or_else(|| format_err!("the action has no text"))?;
        if text.len() > TEXT_BYTES_MAX {
            return Err(format_err!(
                "the action has {} bytes as text; it can have {TEXT_BYTES_MAX}",
                text.len()
            ));
        }
        Ok(Choice::Action(text))
    }

    fn forget(&mut self) {
        self.play.forget();
    }
}

/// The adapter for the built-in opponent.
#[derive(Default)]
struct RandomAdapter {
    play: Cached<TypedFunc<(), (u64,)>>,
}

impl Adapter<Loaded> for RandomAdapter {
    fn deploy(&mut self, _: &mut LiveInstance, exports: &Exports, _: &<Loaded as Game>::Info) -> Result<()> {
        exports.deploy().map(drop)
    }

    fn play(
        &mut self,
        live: &mut LiveInstance,
        exports: &Exports,
        _game: &<Loaded as Game>::Info,
        _view: &Observation,
    ) -> Result<Choice<String>> {
        let play = self.play.get(|| live.instance.get_typed_func(&mut live.store, exports.play))?;
        let (seed,) = play.call(&mut live.store, ())?;
        Ok(Choice::Drawn(seed))
    }

    fn forget(&mut self) {
        self.play.forget();
    }
}
