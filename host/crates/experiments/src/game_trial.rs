//! The trial of a game that is a component: it plays by itself, with random actions.

use crate::ExperimentError;
use arena_engine::internals::game_file::check_settings;
use arena_engine::{HostError, Sandbox};
use arena_loaded::{Answer, GameFault, Order};
use arena_record::Seed;
use arena_rules::loaded;
use arena_sandbox::{AdmitError, Component};
use std::path::Path;

pub use arena_loaded::trial::{GAMES, Progress};
pub use arena_loaded::{LastGame, RandomGames};

/// The number of games of a quick trial. Chosen: some hundredths of a second for a small game.
pub const QUICK_GAMES: u32 = 50;

/// A game that was tried.
pub struct TriedGame {
    /// Its component.
    pub component: Component,
    /// The facts that it states and the trial, or the fault of a game that cannot be played at all.
    pub answer: Result<Answer, GameFault>,
}

/// Has the game in a file play a number of games, with these values of its options. `go_on` is called after each game;
/// the trial ends early when it returns false.
///
/// # Errors
/// Values that the game does not have or refuses, a file that has changed since it was judged, or a failure of the arena.
pub fn play(
    file: &Path,
    sandbox: &Sandbox,
    games: u32,
    settings: &[(String, i64)],
    go_on: impl FnMut(Progress) -> bool,
) -> Result<TriedGame, ExperimentError> {
    let component = sandbox.admit_component_file(file).map_err(|error| match error {
        AdmitError::Host(error) => error.into(),
        changed => ExperimentError::FileChanged { file: file.to_owned(), why: changed.to_string() },
    })?;
    if !settings.is_empty()
        // A game that cannot be loaded is found again below.
        && let Ok(answer) = by_game(arena_loaded::run(sandbox, &component, Order::About, |_| true))?
    {
        check_settings(&answer.about, settings)?;
    }
    let order = Order::Trial(games, settings.to_vec());
    let answer = by_game(arena_loaded::run(sandbox, &component, order, go_on))?;
    let refused = answer.as_ref().ok().and_then(|it| it.trial.as_ref()?.refused_options.as_ref());
    if let Some(why) = refused {
        return Err(ExperimentError::SettingsRefused { file: file.to_owned(), why: why.to_string() });
    }
    Ok(TriedGame { component, answer })
}

/// Plays games in a loaded game with random actions, drawn with this seed: what the game costs without bots. `go_on` is called after each game
/// and every few turns; the games end early when it returns false.
///
/// # Errors
/// The game fails, or a failure of the arena.
pub fn random_games(
    rules: &loaded::Rules,
    games: u32,
    seed: &Seed,
    go_on: impl FnMut(Progress) -> bool,
) -> Result<RandomGames, HostError> {
    let (first, _) = seed.bytes().split_first_chunk().expect("32 bytes are more than 8");
    Ok(arena_loaded::random_games(rules, games, u64::from_le_bytes(*first), go_on)?)
}

/// The answer or the fault of a game, or a failure of the arena.
fn by_game(answer: Result<Answer, arena_loaded::Error>) -> Result<Result<Answer, GameFault>, HostError> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(arena_loaded::Error::Game(fault)) => Ok(Err(fault)),
        Err(arena_loaded::Error::Host(error)) => Err(error),
    }
}
