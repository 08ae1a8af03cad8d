//! The functions that a game exports, with the types that the contract requires.

use crate::fault::{FaultKind, GameFault};
use arena_sandbox::{Function, Interface, ValueType};

/// The interface that is the same for all games.
const RULES: &str = "arena:game/rules@0.1.0";

/// Types of the contract, as text.
const SEAT: &str = "enum { one, two }";
const STATE: &str = "borrow<state>";
const REFUSAL: &str = "variant { retry(string), lost(string) }";
const ABOUT: &str = "record { name: string, version: string, \
    parameters: list<record { name: string, help: string, default: s64, minimum: s64, maximum: s64 }>, \
    endings: list<record { name: string, text: string }>, max-game-length: u32, turn-milliseconds: u32, \
    scores: option<record { minimum: s64, maximum: s64 }> }";
const SETTINGS: &str = "list<record { name: string, value: s64 }>";
const OUTCOME: &str = "record { winner: option<enum { one, two }>, reason: string, \
    scores: option<record { one: s64, two: s64 }> }";

/// The functions of a game.
#[derive(Clone, Debug)]
pub struct Functions {
    pub describe: Function,
    pub new_initial_state: Function,
    pub current_player: Function,
    pub outcome: Function,
    pub overrun: Function,
    pub picture: Function,
    pub observe: Function,
    pub apply_action: Function,
    pub random_action: Function,
    /// Optional.
    pub legal_actions: Option<Function>,
    /// Optional.
    pub resample: Option<Function>,
    /// Optional.
    pub picture_svg: Option<Function>,
}

impl Functions {
    /// Finds the functions in the interfaces of a component, and checks their types. Returns them with the name of the interface `moves`.
    pub fn find(interfaces: &[Interface]) -> Result<(Self, String), GameFault> {
        let exported = || interfaces.iter().filter(|interface| interface.is_exported);
        let rules = exported().find(|interface| interface.name == RULES);
        let rules =
            rules.ok_or_else(|| wrong("rules", format!("is missing: the game exports no `{RULES}`")))?;
        let mut found = exported().filter(|interface| path_of(&interface.name).ends_with("/moves"));
        let moves = match (found.next(), found.next()) {
            (Some(moves), None) => moves,
            (None, _) => {
                return Err(wrong("moves", "is missing: the game exports no interface of this name"));
            }
            _ => return Err(wrong("moves", "is exported twice, by two packages")),
        };
        let seat_maybe = format!("option<{SEAT}>");
        let fixed = |name: &str, params: &[&str], result: &str| required(rules, name, params, result);
        let observe = find(moves, "observe")?;
        let plain = |ty: &Option<ValueType>| match ty {
            Some(ty) if is_plain(ty) => ty.to_string(),
            _ => "OBSERVATION, a type without resources, streams and futures".to_owned(),
        };
        let observe = matching(observe, &[STATE, SEAT], &plain(&observe.result))?;

        let apply_action = find(moves, "apply-action")?;
        let action = match &apply_action.params[..] {
            [_, action] if is_plain(action) => action.to_string(),
            _ => "ACTION, a type without resources, streams and futures".to_owned(),
        };
        let refused = match &apply_action.result {
            Some(ValueType::Result(Some(effect), _)) if is_plain(effect) => {
                format!("result<{effect}, {REFUSAL}>")
            }
            Some(ValueType::Result(None, _)) => format!("result<_, {REFUSAL}>"),
            _ => format!("result<EFFECT, {REFUSAL}>"),
        };
        let apply_action = matching(apply_action, &[STATE, &action], &refused)?;
        let random_action = required(moves, "random-action", &[STATE, "u64"], &action)?;
        let optional = |name: &str, params: &[&str], result: &str| match find(moves, name) {
            Err(_) => Ok(None),
            Ok(function) => matching(function, params, result).map(Some),
        };
        let functions = Self {
            describe: fixed("describe", &[], ABOUT)?,
            new_initial_state: fixed(
                "[static]state.new-initial-state",
                &[SETTINGS, "u64", SEAT],
                "result<state, string>",
            )?,
            current_player: fixed("[method]state.current-player", &[STATE], &seat_maybe)?,
            outcome: fixed("[method]state.outcome", &[STATE], OUTCOME)?,
            overrun: fixed("[method]state.overrun", &[STATE], "enum { turn, game }")?,
            picture: fixed("[method]state.picture", &[STATE, &seat_maybe], "string")?,
            observe,
            apply_action,
            random_action,
            legal_actions: optional("legal-actions", &[STATE], &format!("list<{action}>"))?,
            resample: optional("resample-from-infostate", &[STATE, SEAT, "u64"], "state")?,
            picture_svg: optional("picture-svg", &[STATE, &seat_maybe], "string")?,
        };
        Ok((functions, moves.name.clone()))
    }
}

/// The name of an interface without its version.
pub fn path_of(interface: &str) -> &str {
    interface.split_once('@').map_or(interface, |(path, _)| path)
}

/// The name of a function as the contract's text has it, without the resource.
pub fn plain_name(function: &str) -> &str {
    function.rsplit_once(['.', ']']).map_or(function, |(_, name)| name)
}

/// True for a type that can be passed between two components and written as text.
pub fn is_plain(ty: &ValueType) -> bool {
    match ty {
        ValueType::Plain(_) | ValueType::Enum(_) | ValueType::Flags(_) => true,
        ValueType::List(element) | ValueType::FixedList(element, _) | ValueType::Option(element) => {
            is_plain(element)
        }
        ValueType::Record(fields) => fields.iter().all(|(_, ty)| is_plain(ty)),
        ValueType::Tuple(types) => types.iter().all(is_plain),
        ValueType::Variant(cases) => cases.iter().all(|(_, ty)| ty.as_ref().is_none_or(is_plain)),
        ValueType::Result(ok, err) => [ok, err].into_iter().flatten().all(|ty| is_plain(ty)),
        ValueType::Own(_) | ValueType::Borrow(_) | ValueType::Unsuited(_) => false,
    }
}

fn wrong(call: &str, what: impl AsRef<str>) -> GameFault {
    GameFault::new(FaultKind::WrongTypes, call, what)
}

fn find<'a>(interface: &'a Interface, name: &str) -> Result<&'a Function, GameFault> {
    let missing = || wrong(plain_name(name), format!("is missing in `{}`", interface.name));
    interface.functions.iter().find(|function| function.name == name).ok_or_else(missing)
}

fn required(interface: &Interface, name: &str, params: &[&str], result: &str) -> Result<Function, GameFault> {
    matching(find(interface, name)?, params, result)
}

/// The function, if its type is this one.
fn matching(function: &Function, params: &[&str], result: &str) -> Result<Function, GameFault> {
    let name = plain_name(&function.name);
    if function.is_async {
        return Err(wrong(name, "is async; the arena calls it and waits"));
    }
    let found: Vec<String> = function.params.iter().map(ToString::to_string).collect();
    let found_result = function.result.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    if found != params {
        return Err(wrong(
            name,
            format!("takes ({}); it must take ({})", found.join(", "), params.join(", ")),
        ));
    }
    if found_result != result {
        return Err(wrong(name, format!("returns {found_result}; it must return {result}")));
    }
    Ok(function.clone())
}
