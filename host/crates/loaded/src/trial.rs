//! The trial of a game: many random games, each played twice, in which the game is checked against its contract.
//!
//! Most turns take a random action of the game's own. Some games have something else in them, by their number: random answers of any
//! value, as a bot may give them; turns that overrun their budget; everything hidden drawn again. If the game has options, every second
//! game has other values of them.

mod plan;
mod repeated_game;
#[cfg(test)]
mod tests;

use crate::fault::{Error, GameFault};
use crate::game::Game;
use crate::state::CallFuel;
use arena_rules::Scores;
use arena_rules::loaded::Reproduction;
use arena_text::Line;
use repeated_game::{RepeatedGame, Stopped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of games. Chosen: with 1,000, an action that one game in 300 needs is met with a probability of 96 %; with 81 % if it needs
/// the defaults of options.
pub const GAMES: u32 = 1_000;

/// The seed of the first game. Chosen: fixed, so that two builds of a game have the same trial.
const SEED: u64 = 1;

/// The fuel of a trial, after which no further game is begun, and the largest of one game. Chosen, and a part of the contract: at worst
/// three minutes, and some ten seconds of honest computing; the thousand games of `examples/games/connect-four` take a fortieth of it.
const FUEL_MAX: u64 = 200 * arena_sandbox::FUEL_PER_SECOND;

/// The result of a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The number of games that were played to their end, each twice.
    pub games: u32,
    /// The numbers of turns of these games, from the fewest to the most.
    pub turns: Vec<u32>,
    /// The number of games that each seat won.
    pub wins: [u32; 2],
    /// The number of games without a winner.
    pub draws: u32,
    /// The number of games that ended on the board, for each of the game's endings.
    pub endings: Vec<u32>,
    /// The scores, if the game has any.
    pub scores: Option<ScoresSeen>,
    /// The number of random answers that the game took as actions.
    pub odd_actions: u32,
    /// The number of random answers that the game refused, with another try.
    pub retries: u32,
    /// The number of random answers that lost a game.
    pub lost: u32,
    /// The number of overruns that lost a turn.
    pub overrun_turns: u32,
    /// The number of overruns that lost a game.
    pub overrun_games: u32,
    /// The number of times that everything hidden was drawn again.
    pub resampled: u32,
    /// The number of these times after which the other player, or an observer of both, saw something else.
    pub resampled_otherwise: u32,
    /// The number of games with other options than the defaults, or than those that were given.
    pub other_options: u32,
    /// For each option, the number of games in which it had another value.
    pub other_values: Vec<u32>,
    /// The number of sets of other values of the options that the game refused.
    pub refused_settings: u32,
    /// The reason why the game refused the options that were given, so that no game was played.
    pub refused_options: Option<Line<200>>,
    /// The fuel of calls, by the name of the function.
    pub fuel: BTreeMap<String, CallFuel>,
    /// The length of the longest observation as text, in bytes.
    pub observation_bytes: usize,
    /// The size of the largest picture: lines, and characters of its longest line.
    pub picture: [usize; 2],
    /// The peak of the memory of an instance, in bytes.
    pub memory_bytes: usize,
    /// The last picture of the first game, for an observer of both players.
    pub last_picture: String,
    /// The first fault, after which no further game was played.
    pub fault: Option<TrialFault>,
}

/// The scores of the games of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoresSeen {
    /// The lowest one.
    pub lowest: i64,
    /// The highest one.
    pub highest: i64,
    /// The sum of all, by seat.
    pub sums: Scores,
}

impl ScoresSeen {
    /// The scores of some games and of another one.
    fn and(before: Option<Self>, scores: Option<Scores>) -> Option<Self> {
        let Some([one, two]) = scores else { return before };
        let seen = before.unwrap_or(Self { lowest: one, highest: one, sums: [0; 2] });
        Some(Self {
            lowest: seen.lowest.min(one).min(two),
            highest: seen.highest.max(one).max(two),
            sums: [seen.sums[0] + one, seen.sums[1] + two],
        })
    }
}

/// A fault, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("game {game}, turn {turn}: {fault}")]
pub struct TrialFault {
    /// The number of the game, from 1.
    pub game: u32,
    /// The number of the turn, of both players together, from 1.
    pub turn: u32,
    /// All that the game depends on, with the turn in which it was found.
    pub reproduction: Reproduction,
    /// The fault.
    pub fault: GameFault,
}

/// The progress of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The number of games that were played.
    pub played: u32,
    /// The number of games for which there is fuel, if further ones take as much: at most as many as were asked for.
    pub expected: u32,
}

impl Trial {
    /// The fuel of all calls.
    fn fuel_used(&self) -> u64 {
        sum(&self.fuel)
    }

    /// The progress of a trial of this number of games.
    fn progress(&self, games: u32) -> Progress {
        let (played, used) = (self.games, self.fuel_used());
        let fitting = u128::from(played) * u128::from(FUEL_MAX) / u128::from(used.max(1));
        let is_begun = played > 0;
        let expected =
            if is_begun { games.min(fitting.try_into().unwrap_or(games)).max(played) } else { games };
        Progress { played, expected }
    }

    fn add_fuel(&mut self, of: &BTreeMap<String, CallFuel>) {
        for (name, fuel) in of {
            self.fuel.entry(name.clone()).or_default().add(fuel);
        }
    }
}

/// The fuel of all calls.
fn sum(fuel: &BTreeMap<String, CallFuel>) -> u64 {
    fuel.values().fold(0, |sum, fuel| sum.saturating_add(fuel.total))
}

/// Plays a trial of this number of games, in all of which these options have these values. `go_on` is called with the progress, after each
/// game and every few calls; the trial ends early when it returns false.
///
/// # Errors
/// A failure of the arena. A fault of the game is a part of the result.
pub fn play(
    game: &Game,
    games: u32,
    settings: &[(String, i64)],
    go_on: impl FnMut(Progress) -> bool,
) -> Result<Trial, arena_referee::HostError> {
    play_and_tell(game, games, settings, go_on, |_| ())
}

/// The same, with each game that was played without a fault.
fn play_and_tell(
    game: &Game,
    games: u32,
    settings: &[(String, i64)],
    mut go_on: impl FnMut(Progress) -> bool,
    mut tell: impl FnMut(Reproduction),
) -> Result<Trial, arena_referee::HostError> {
    let about = game.about();
    let mut trial = Trial {
        endings: vec![0; about.endings.len()],
        other_values: vec![0; about.parameters.len()],
        ..Trial::default()
    };
    let mut go_on = |trial: &Trial| go_on(trial.progress(games));
    // By the options that differ: games with expensive ones leave room for all others.
    let mut fuel_used = Vec::new();
    for number in 0..games {
        if trial.fuel_used() > FUEL_MAX {
            break;
        }
        let plan = plan::plan(about, settings, number);
        let group = plan.group;
        fuel_used.resize(fuel_used.len().max(group.number + 1), 0);
        if fuel_used[group.number] > FUEL_MAX / group.share {
            continue;
        }
        let before = trial.fuel_used();
        let mut repeated = RepeatedGame::new(game, &mut trial, &mut go_on);
        let played = repeated.play_twice(plan);
        let (turn, reproduction) = repeated.place();
        fuel_used[group.number] += trial.fuel_used() - before;
        match played {
            Ok(Ok(())) => {
                trial.games += 1;
                tell(reproduction);
            }
            Ok(Err(Stopped)) => break,
            Err(Error::Host(error)) => return Err(error),
            Err(Error::Game(fault)) => {
                trial.fault = Some(TrialFault { game: trial.games + 1, turn, reproduction, fault });
                break;
            }
        }
        if !go_on(&trial) {
            break;
        }
    }
    trial.turns.sort_unstable();
    Ok(trial)
}
