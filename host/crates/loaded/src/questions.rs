//! Questions about states of a game, the messages to a process that has some, and the answers of its instances.

use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Game;
use crate::state::{Penalty, State, observation_text, text_of};
use arena_rules::loaded::{Applied, BoardResult, Parameter};
use arena_rules::{Failure, Seat};
use arena_sandbox::{Value, Wire};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The number of states of a process. Chosen: the sandbox has room for three instances.
const STATES_MAX: usize = 2;

/// The longest action in a text about a fault, in characters. Chosen: a line of a terminal.
const SHOWN_CHARS_MAX: usize = 120;

/// The seed of the action that is the example for a text which is none. Chosen: any one, and the same one, so that a game stays the same.
const EXAMPLE_SEED: u64 = 1;

/// A game from its beginning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// The value of each option.
    pub settings: BTreeMap<String, i64>,
    /// The seed for everything that is drawn.
    pub seed: u64,
    /// The seat that begins.
    pub starter: Seat,
    /// The changes of the state since then.
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

/// A message to a process that has states, by their numbers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// It is to have this state.
    Begin(u64, Begin),
    /// It is asked about a state.
    Ask(u64, Question),
}

/// A question about a state, or a change of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Question {
    /// The observation of a side.
    Observe(Seat),
    /// A picture.
    Picture(Option<Seat>),
    /// A drawing.
    Drawing(Option<Seat>),
    /// The legal actions.
    LegalActions,
    /// A random action, with this seed.
    RandomAction(u64),
    /// A change.
    Step(Step),
}

/// The side whose turn it is in a state, or the end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Turn {
    /// It is the turn of this seat.
    Of(Seat),
    /// The game is over.
    Over(BoardResult),
}

impl Turn {
    /// True unless the game is over.
    pub const fn goes_on(&self) -> bool {
        matches!(self, Self::Of(_))
    }
}

/// The consequence of a change, with the effect of an action and the turn after it.
pub type Stepped = Applied<(String, Turn)>;

/// An answer. It is of bounded depth, because it comes from a process.
#[derive(Debug, Serialize, Deserialize)]
pub enum Response {
    /// The turn of a state that was begun, and the answers to the first of the foreseen changes.
    Begun(Turn, Vec<Result<Stepped, Failure>>),
    /// An observation, a picture or an action.
    Text(String),
    /// A drawing as the game makes it, if it draws.
    Drawing(Option<String>),
    /// The legal actions.
    Actions(Option<Vec<String>>),
    /// The consequence of a change.
    Stepped(Stepped),
    /// The process does not have the state.
    NotHere,
}

/// A state in an instance of this process.
pub struct Live {
    state: State,
    turn: Turn,
}

impl Live {
    /// The same state, with its turn.
    pub fn new(mut state: State) -> Result<Self, Error> {
        Ok(Self { turn: turn(&mut state)?, state })
    }

    /// The state after the steps of a game.
    pub fn after(game: &Game, begin: &Begin) -> Result<Self, Failure> {
        let settings = in_order(&game.about().parameters, &begin.settings)?;
        let started = game.start(&settings, begin.seed, begin.starter)?;
        let mut live = Self::new(started.map_err(|why| format!("it refuses its options: {why}"))?)?;
        for step in &begin.steps {
            live.step(step)?;
        }
        Ok(live)
    }

    /// The present turn.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The state, to look at it.
    pub fn state(&mut self) -> &mut State {
        &mut self.state
    }

    /// The state alone.
    pub fn into_state(self) -> State {
        self.state
    }

    /// The legal actions, if the game lists them.
    pub fn legal_actions(&mut self) -> Result<Option<Vec<String>>, Error> {
        let actions = self.state.legal_actions()?;
        let texts =
            |actions: Vec<Value>| actions.iter().map(|action| text_of("legal-actions", action)).collect();
        actions.map(texts).transpose()
    }

    /// A random action, with this seed.
    pub fn random_action(&mut self, seed: u64) -> Result<String, Error> {
        text_of("random-action", &self.state.random_action(seed)?)
    }

    /// Answers a question. A state that has failed is not asked again.
    pub fn answer(&mut self, question: &Question) -> Result<Response, Error> {
        Ok(match question {
            Question::Observe(viewer) => Response::Text(observation_text(&self.state.observation(*viewer)?)?),
            Question::Picture(viewer) => Response::Text(self.state.picture(*viewer)?),
            Question::Drawing(viewer) => Response::Drawing(self.state.picture_svg(*viewer)?),
            Question::LegalActions => Response::Actions(self.legal_actions()?),
            Question::RandomAction(seed) => Response::Text(self.random_action(*seed)?),
            Question::Step(step) => Response::Stepped(self.step(step)?),
        })
    }

    /// Changes the state.
    pub fn step(&mut self, step: &Step) -> Result<Stepped, Error> {
        let stepped = match step {
            Step::Action(action) => self.apply(action)?,
            Step::Overrun if self.state.overrun()? == Penalty::Game => Applied::Lost(String::new()),
            Step::Overrun => Applied::Done((String::new(), turn(&mut self.state)?)),
        };
        if let Applied::Done((_, turn)) = &stepped {
            self.turn = turn.clone();
        }
        Ok(stepped)
    }

    /// Applies an action. A text that is no value of the action's type loses: no bot can answer it.
    fn apply(&mut self, action: &str) -> Result<Stepped, Error> {
        let state = &mut self.state;
        let value = match state.parse_action(action) {
            Ok(value) => value,
            Err(why) => {
                let ty = arena_text::line(&state.action_type().to_string(), SHOWN_CHARS_MAX);
                let example = arena_text::line(&self.random_action(EXAMPLE_SEED)?, SHOWN_CHARS_MAX);
                return Ok(Applied::Lost(format!("{why}; write it like {example}, of the type {ty}")));
            }
        };
        Ok(match state.apply(value)? {
            Applied::Done(effect) => {
                let effect = effect.map_or(Ok(String::new()), |effect| text_of("apply-action", &effect))?;
                Applied::Done((effect, turn(state)?))
            }
            Applied::Retry(_) if turn(state)? != self.turn => {
                let action = arena_text::line(action, SHOWN_CHARS_MAX);
                let what = format!("answers {action} with `retry`, and it is no longer the player's turn");
                return Err(GameFault::new(FaultKind::Contradiction, "apply-action", what).into());
            }
            Applied::Retry(why) => Applied::Retry(why),
            Applied::Lost(why) => Applied::Lost(why),
        })
    }

    /// The answers to these changes, until the game is over or fails.
    fn follow(&mut self, steps: &[Step]) -> Vec<Result<Stepped, Failure>> {
        let mut all = Vec::new();
        for step in steps {
            let stepped = self.step(step).map_err(Failure::from);
            let goes_on = match &stepped {
                Ok(Applied::Done((_, turn))) => turn.goes_on(),
                Ok(Applied::Retry(_)) => true,
                Ok(Applied::Lost(_)) | Err(_) => false,
            };
            all.push(stepped);
            if !goes_on {
                break;
            }
        }
        all
    }
}

/// The values of options in the order in which a game names them.
pub fn in_order(
    parameters: &[Parameter],
    settings: &BTreeMap<String, i64>,
) -> Result<Vec<(String, i64)>, Failure> {
    let value = |it: &Parameter| Some((it.name.clone(), *settings.get(&it.name)?));
    let values: Option<Vec<_>> = parameters.iter().map(value).collect();
    values.ok_or_else(|| "an option of the game has no value".into())
}

fn turn(state: &mut State) -> Result<Turn, Error> {
    if let Some(seat) = state.current_player()? {
        return Ok(Turn::Of(seat));
    }
    Ok(Turn::Over(state.outcome()?))
}

/// Answers requests until there are no more. This is the work of a process that has states of a game.
///
/// # Errors
/// The arena sends nonsense.
pub fn serve(game: Result<Game, Error>, wire: &mut Wire) -> Result<(), String> {
    let game = game.map_err(Failure::from);
    // The states by their numbers, the oldest first.
    let mut states: VecDeque<(u64, Live)> = VecDeque::new();
    while let Some(request) = crate::process::read(wire)? {
        let response = match (&game, request) {
            (Err(failure), _) => Err(failure.clone()),
            (Ok(game), Request::Begin(number, begin)) => {
                if states.len() == STATES_MAX {
                    states.pop_front();
                }
                Live::after(game, &begin).map(|mut live| {
                    let turn = live.turn.clone();
                    let responses = live.follow(&begin.foreseen);
                    states.push_back((number, live));
                    Response::Begun(turn, responses)
                })
            }
            (Ok(_), Request::Ask(number, question)) => {
                match states.iter().position(|(other, _)| *other == number) {
                    Some(place) => {
                        let response = states[place].1.answer(&question).map_err(Failure::from);
                        if response.is_err() {
                            states.remove(place);
                        }
                        response
                    }
                    None => Ok(Response::NotHere),
                }
            }
        };
        wire.send(&response)?;
    }
    Ok(())
}
