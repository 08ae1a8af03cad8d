//! The side of a process that has states of a game, and the messages about them.

use crate::code::begin;
use crate::fault::Error;
use crate::game::Game;
use crate::process::{GONE, read, say};
use crate::state::State;
use arena_rules::loaded::{self, Applied, Penalty};
use arena_rules::{Failure, Seat};
use arena_sandbox::Wire;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of states of a process. A part of the protocol. Chosen: the sandbox has room for three instances.
pub const STATES_MAX: usize = 2;

/// A game from its beginning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// The value of each option.
    pub settings: BTreeMap<String, i64>,
    /// The seed for everything that is drawn.
    pub seed: u64,
    /// The seat that moves first.
    pub starter: Seat,
    /// What has changed the state since then.
    pub steps: Vec<Step>,
    /// The changes that will probably follow: their answers come with that to the beginning.
    pub foreseen: Vec<Step>,
}

/// A change of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// An action.
    Action(String),
    /// An overrun.
    Overrun,
}

/// A message to the process.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// A state, by its number, takes the place of another one, if there is one.
    Begin(u64, Option<u64>, Begin),
    /// A question about a state.
    Ask(u64, Ask),
}

/// A question about a state, or a change of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// The observation of a side.
    Observe(Seat),
    /// A picture.
    Picture(Option<Seat>),
    /// The legal actions.
    LegalActions,
    /// A random action, with this seed.
    RandomAction(u64),
    /// A change.
    Step(Step),
}

/// What is known after a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The seat to move; `None` after the end.
    pub to_move: Option<Seat>,
    /// The winner and the name of the ending, after the end.
    pub outcome: Option<(Option<Seat>, String)>,
}

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
pub enum Told {
    /// The turn of a state that was begun, and the answers to the first of the foreseen changes.
    Begun(Turn, Vec<Self>),
    /// An observation, a picture or an action.
    Text(String),
    /// The legal actions.
    Actions(Option<Vec<String>>),
    /// The consequence of an action, and the turn after it.
    Applied(Applied<String>, Turn),
    /// The consequence of an overrun, and the turn after it.
    Overran(Penalty, Turn),
    /// There is no answer.
    Failed(Failure),
}

/// Answers requests until there are no more.
///
/// # Errors
/// The arena sends nonsense, or is gone.
pub fn serve(game: Result<Game, Error>, wire: &mut Wire) -> Result<(), String> {
    let game = match game {
        Ok(game) => game,
        Err(error) => {
            read::<Request>(wire)?;
            return say(wire, &Told::Failed(error.into()));
        }
    };
    let mut states: BTreeMap<u64, State> = BTreeMap::new();
    loop {
        let told = match read(wire) {
            Ok(Request::Begin(number, instead_of, it)) => {
                if let Some(old) = instead_of {
                    states.remove(&old);
                }
                if states.len() >= STATES_MAX {
                    return Err("it was asked for too many states".into());
                }
                begun(&game, &it).map(|(mut state, turn)| {
                    let told = follow(&mut state, it.foreseen);
                    states.insert(number, state);
                    Told::Begun(turn, told)
                })
            }
            Ok(Request::Ask(number, ask)) => {
                let state = states.get_mut(&number).ok_or("there is no such state")?;
                answer(state, &ask)
            }
            Err(why) if why == GONE => return Ok(()),
            Err(why) => return Err(why),
        };
        say(wire, &told.unwrap_or_else(Told::Failed))?;
    }
}

/// A state after its steps.
fn begun(game: &Game, it: &Begin) -> Result<(State, Turn), Failure> {
    let mut state = begin(game, &it.settings, it.seed, it.starter)?;
    for step in &it.steps {
        match step {
            Step::Action(action) => drop(loaded::State::apply(&mut state, action)?),
            Step::Overrun => drop(loaded::State::overrun(&mut state)?),
        }
    }
    let turn = turn(&mut state)?;
    Ok((state, turn))
}

/// The answers to these changes, until the game is over or fails.
fn follow(state: &mut State, steps: Vec<Step>) -> Vec<Told> {
    let mut all = Vec::new();
    for step in steps {
        // A state that has failed cannot be asked again.
        let told = answer(state, &Ask::Step(step)).unwrap_or_else(Told::Failed);
        let is_over = match &told {
            Told::Applied(Applied::Retry(_), _) => false,
            Told::Applied(_, turn) | Told::Overran(_, turn) => turn.to_move.is_none(),
            _ => true,
        };
        all.push(told);
        if is_over {
            break;
        }
    }
    all
}

fn turn(state: &mut dyn loaded::State) -> Result<Turn, Failure> {
    let to_move = state.to_move()?;
    let outcome = if to_move.is_none() { Some(state.outcome()?) } else { None };
    Ok(Turn { to_move, outcome })
}

fn answer(state: &mut dyn loaded::State, ask: &Ask) -> Result<Told, Failure> {
    Ok(match ask {
        Ask::Observe(viewer) => Told::Text(state.observe(*viewer)?.text()?),
        Ask::Picture(viewer) => Told::Text(state.picture(*viewer)?),
        Ask::LegalActions => Told::Actions(state.legal_actions()?),
        Ask::RandomAction(seed) => Told::Text(state.random_action(*seed)?),
        Ask::Step(Step::Action(action)) => {
            let applied = state.apply(action)?;
            let turn = if let Applied::Done(_) = applied { turn(state)? } else { Turn::default() };
            Told::Applied(applied, turn)
        }
        Ask::Step(Step::Overrun) => {
            let penalty = state.overrun()?;
            // The arena asks nothing more of a game that was lost.
            let turn = if penalty == Penalty::Turn { turn(state)? } else { Turn::default() };
            Told::Overran(penalty, turn)
        }
    })
}
