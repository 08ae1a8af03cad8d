//! Built-in opponents: house bots inside the program, so that an author has opponents without any other file.
//!
//! The path `builtin:NAME` names one of them, and `./builtin:NAME` a file with that name. In a game that is a component, `builtin:random` is
//! [another one](in_game).

use crate::error::Error;
use crate::mistake::Mistake;
use arena_files::FileError;
use arena_rules::GameRules;
use std::path::{Path, PathBuf};

/// The beginning of the name of a built-in opponent.
const PREFIX: &str = "builtin:";

/// The opponents: for each game the simplest one, and a stronger one to beat next.
const OPPONENTS: [(&str, &[u8]); 5] = [
    ("random", include_bytes!("../builtin/random.wasm")),
    ("hunter", include_bytes!("../builtin/hunter.wasm")),
    ("sub-random", include_bytes!("../builtin/sub-random.wasm")),
    ("sub-tracker", include_bytes!("../builtin/sub-tracker.wasm")),
    ("game-random", include_bytes!("../builtin/game-random.wasm")),
];

/// The path of an opponent that takes random legal actions, in Battleship, and the same in games that are components.
const RANDOM: [&str; 2] = ["builtin:random", "builtin:game-random"];

/// The paths of bots in a game with these rules, if they are known: in a game that is a component, `builtin:random` takes the game's random
/// actions.
pub fn in_game(rules: Option<&GameRules>, mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    if let Some(GameRules::Loaded(_)) = rules {
        paths
            .iter_mut()
            .filter(|path| path.as_os_str() == RANDOM[0])
            .for_each(|path| *path = RANDOM[1].into());
    }
    paths
}

/// The name in a game that is a component of the built-in bot with this name, if it differs.
pub fn other_name(name: &str) -> Option<&'static str> {
    (name == RANDOM[0]).then_some(RANDOM[1])
}

/// The paths of bots that may have played any games: `builtin:random` is both of its components.
pub fn in_any_game(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    if paths.iter().any(|path| path.as_os_str() == RANDOM[0]) {
        paths.push(RANDOM[1].into());
    }
    paths
}

/// The paths of all built-in opponents.
pub fn paths() -> impl Iterator<Item = String> {
    OPPONENTS.iter().map(|(name, _)| format!("{PREFIX}{name}"))
}

/// Returns the component of the built-in opponent that a path names; `None` when the path does not begin with `builtin:`.
///
/// # Errors
/// There is no such opponent.
pub fn component(path: &Path) -> Result<Option<&'static [u8]>, Error> {
    let Some(name) = path.to_str().and_then(|path| path.strip_prefix(PREFIX)) else { return Ok(None) };
    match OPPONENTS.iter().find(|(opponent, _)| *opponent == name) {
        Some((_, component)) => Ok(Some(component)),
        None => {
            let known = paths().collect();
            Err(Mistake::NoSuchOpponent { name: arena_text::shown(path), known }.into())
        }
    }
}

/// Reads a component: a built-in opponent, or a file of at most this size.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    match component(path) {
        Ok(Some(component)) => Ok(component.to_vec()),
        _ => arena_files::read(path, bytes_max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_is_another_component_in_a_game_that_is_a_component() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let named = paths(&["builtin:random", "random", "builtin:hunter"]);
        assert_eq!(in_game(None, named.clone()), named);
        assert_eq!(in_game(GameRules::built_in().first(), named.clone()), named);
        assert_eq!(
            in_any_game(named),
            paths(&["builtin:random", "random", "builtin:hunter", "builtin:game-random"])
        );
        assert_eq!(in_any_game(paths(&["builtin:hunter"])), paths(&["builtin:hunter"]));
    }

    #[test]
    fn a_path_with_the_prefix_is_a_built_in_opponent_and_any_other_path_is_a_file() {
        for (name, bytes) in OPPONENTS {
            assert_eq!(component(Path::new(&format!("builtin:{name}"))).unwrap(), Some(bytes));
        }
        let known = ["random", "hunter", "sub-random", "sub-tracker", "game-random"];
        assert!(paths().eq(known.map(|name| format!("builtin:{name}"))));
        for file in ["hunter", "hunter.wasm", "./builtin:hunter", "bots/builtin:hunter", "built"] {
            assert_eq!(component(Path::new(file)).unwrap(), None, "{file}");
        }
        for name in ["builtin:", "builtin:oracle", "builtin:hunter.wasm"] {
            assert!(component(Path::new(name)).is_err(), "{name}");
        }
    }
}
