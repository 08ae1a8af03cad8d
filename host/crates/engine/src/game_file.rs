//! A loaded game: from a file, or from the journal that has its code.

use crate::error::Error;
use crate::mistake::Mistake;
use crate::sandboxes::{sandbox, usual_cache};
use arena_files::FileError;
use arena_loaded::{About, Parameter};
use arena_players::{MEMORY_MIB, sandbox_limits};
use arena_record::Conditions;
use arena_referee::{HostError, Trouble};
use arena_rules::loaded::{self, Code, NAME_CHARS_MAX};
use arena_rules::{Failure, GameRules, Rules};
use arena_sandbox::{CacheOptions, Sandbox, SandboxLimits};
use arena_store::{JournalError, Reader};
use arena_text::{ShownPath, shown};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A game that the user names. Its clones load it once.
#[derive(Clone, Debug)]
pub struct GameChoice {
    file: PathBuf,
    settings: Vec<(String, i64)>,
    cache: Option<CacheOptions>,
    loaded: Arc<OnceLock<GameRules>>,
}

/// The limits of the sandbox of a game. A process of it has few states, and a game has the memory that a bot has by default: a part of
/// the contract with games.
fn limits() -> SandboxLimits {
    sandbox_limits(1, u64::from(MEMORY_MIB) << 20)
}

/// The code of a game, compiled with this cache when it is needed.
fn code(bytes: Vec<u8>, cache: Option<CacheOptions>) -> Arc<dyn Code> {
    let make = move || -> Result<Sandbox, HostError> {
        sandbox(limits(), cache.clone()).map_err(|error| HostError::Machine(Trouble::of(error)))
    };
    arena_loaded::code(bytes, make)
}

impl GameChoice {
    /// The game of this component, with values of options that differ from their defaults, compiled with this cache.
    pub fn new(file: PathBuf, settings: Vec<(String, i64)>, cache: Option<CacheOptions>) -> Self {
        Self { file, settings, cache, loaded: Arc::default() }
    }

    /// The game of recordings in files, compiled with the cache of this user, as that of a journal.
    pub(crate) fn of_recordings(file: &Path) -> Self {
        Self::new(file.to_owned(), Vec::new(), usual_cache())
    }

    /// The game of these rules, which have their code.
    pub fn of(rules: GameRules) -> Self {
        let loaded = Arc::new(OnceLock::from(rules));
        Self { file: PathBuf::new(), settings: Vec::new(), cache: None, loaded }
    }

    /// The rules of the game, with its code.
    ///
    /// # Errors
    /// A file that is no game, an option that it does not have, or a failure of the machine.
    pub fn load(&self) -> Result<GameRules, Error> {
        match self.loaded.get() {
            Some(rules) => Ok(rules.clone()),
            None => self.read().map(|rules| self.loaded.get_or_init(|| rules).clone()),
        }
    }

    /// Gives the recording with this name the code of this game, if it was played in it.
    ///
    /// # Errors
    /// As of [`load`](Self::load), and a recording of another game.
    pub(crate) fn give_code(&self, name: &str, conditions: &mut Conditions) -> Result<(), Error> {
        let (GameRules::Loaded(recorded), GameRules::Loaded(rules)) = (&mut conditions.rules, self.load()?)
        else {
            return Err(Mistake::RecordingOfBuiltInGame { recording: name.into() }.into());
        };
        match rules.code().filter(|_| rules.sha256() == recorded.sha256()) {
            Some(code) => {
                *recorded = std::mem::take(recorded).with_code(Arc::clone(code));
                Ok(())
            }
            None => Err(Error::Mistake(Mistake::RecordingOfOtherGame {
                recording: name.into(),
                file: shown(&self.file),
                game: recorded.about().name.clone(),
                sha256: recorded.sha256().into(),
            })),
        }
    }

    fn read(&self) -> Result<GameRules, Error> {
        let file = shown(&self.file);
        let bytes_max = limits().component_bytes_max as u64;
        let bytes = arena_files::read(&self.file, bytes_max).map_err(|error| {
            let next = match &error {
                FileError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    "check the path, or build the game first: `arena new my-game --game` makes one"
                }
                _ => "name the component of a game, a .wasm file",
            };
            Error::unreadable(&file, error, "game", next)
        })?;
        let rules = arena_loaded::rules(&code(bytes, self.cache.clone()));
        let mut rules = rules.map_err(|failure| match failure {
            Failure::Game(problem) => Error::Mistake(Mistake::NotAGame { file: file.clone(), problem }),
            failure => HostError::from(failure).with_file(&file).into(),
        })?;
        check_settings(rules.about(), &self.settings)?;
        for (name, value) in &self.settings {
            rules = rules.with(name, *value);
        }
        if self.settings.is_empty() {
            // A game that refuses its own defaults fails when it begins.
            return Ok(named(rules));
        }
        let refused = arena_loaded::refusal(&rules);
        let refused = refused.map_err(|failure| HostError::from(failure).with_file(&file))?;
        let rules = named(rules);
        match refused {
            Some(problem) => {
                Err(Mistake::GameOptionsRefused { file, options: rules.name().into(), problem }.into())
            }
            None => Ok(rules),
        }
    }
}

/// Checks that a game has these options, each given once and with a value in its range.
///
/// # Errors
/// The first option that is wrong.
pub fn check_settings(about: &About, settings: &[(String, i64)]) -> Result<(), Error> {
    let About { name: game, parameters, .. } = about;
    for (at, (name, value)) in settings.iter().enumerate() {
        let (game, option, value) = (game.clone(), name.clone(), *value);
        let Some(&Parameter { minimum, maximum, .. }) = parameters.iter().find(|it| it.name == *name) else {
            let known = parameters.iter().map(|it| it.name.clone()).collect();
            return Err(Mistake::NoSuchGameOption { game, option, known }.into());
        };
        if !(minimum..=maximum).contains(&value) {
            return Err(Mistake::GameOptionRange { game, option, value, minimum, maximum }.into());
        }
        if settings[..at].iter().any(|(other, _)| other == name) {
            return Err(Mistake::GameOptionTwice { game, option }.into());
        }
    }
    Ok(())
}

/// The rules with a name to show that says which options differ from their defaults: `connect-four, columns=8`.
fn named(mut rules: loaded::Rules) -> GameRules {
    let About { name, parameters, .. } = rules.about();
    let mut name = name.clone();
    for Parameter { name: option, default, .. } in parameters {
        match rules.settings().get(option) {
            Some(value) if value != default => name += &format!(", {option}={value}"),
            _ => {}
        }
    }
    rules.rename(arena_text::line(&name, NAME_CHARS_MAX));
    GameRules::Loaded(rules)
}

/// Checks that the game of a recording with this name is the one in a file.
///
/// # Errors
/// It is another game, or the file cannot be loaded.
pub(crate) fn check_game(file: &Path, name: &ShownPath, conditions: &Conditions) -> Result<(), Error> {
    GameChoice::of_recordings(file).give_code(name.as_ref(), &mut conditions.clone())
}

/// Gives a journal's game its code, if it is a loaded one: to these conditions, and to all that the reader reads from now on.
///
/// # Errors
/// The journal has no code, or other code.
pub fn give_code(reader: &Reader, conditions: &mut Conditions) -> Result<(), JournalError> {
    let GameRules::Loaded(rules) = &mut conditions.rules else { return Ok(()) };
    if let Some(bytes) = reader.code(rules.sha256())? {
        let code = code(bytes, usual_cache());
        reader.set_code(Arc::clone(&code));
        *rules = std::mem::take(rules).with_code(code);
    }
    Ok(())
}
