//! The states of a game as its rules have them: values. The code, in an instance here or in a process, has only the latest states, and
//! plays a game again for an earlier one.

use crate::drawing::plain_drawing;
use crate::lock::lock;
use crate::questions::{Begin, Question, Response, Step, Turn};
use arena_rules::loaded::{self, AnyState, Applied, BoardResult, Observed};
use arena_rules::{Failure, Seat};
use std::sync::{Arc, Mutex, MutexGuard};

/// A host for the code of a game: an instance in this process, or another process. Its errors are a fault of the game or of the arena.
pub trait CodeHost: Send + Sync + 'static {
    /// A state in the host, which changes with each step.
    type Live: Send;

    /// A state at the beginning of a game, and its turn.
    fn begin(&self, begin: &Begin) -> Result<(Self::Live, Turn), Failure>;

    /// The answer to a question about a state. If there is none, or it is gone, it is played again.
    fn ask(
        &self,
        live: &mut Option<Self::Live>,
        past: &GameSoFar,
        question: &Question,
    ) -> Result<Response, Failure>;

    /// The observation of a side.
    fn observe(
        &self,
        live: &mut Option<Self::Live>,
        past: &GameSoFar,
        viewer: Seat,
    ) -> Result<Box<dyn Observed>, Failure>;
}

/// All that a state follows from, and its turn.
pub struct GameSoFar {
    game: Arc<Begin>,
    steps: Steps,
    turn: Turn,
}

impl GameSoFar {
    /// The game until now.
    pub fn begin(&self) -> Begin {
        Begin { steps: self.steps.to_vec(), ..(*self.game).clone() }
    }

    /// Checks the turn of a game that was played again until now.
    pub fn check(&self, turn: &Turn) -> Result<(), Failure> {
        if *turn == self.turn { Ok(()) } else { Err("it is another game when it is played again".into()) }
    }
}

/// A state of a game.
pub struct Position<P: CodeHost> {
    host: Arc<P>,
    past: GameSoFar,
    /// The state in the host; `None` if it has changed, or failed.
    live: Mutex<Option<P::Live>>,
}

/// The changes of a game so far. Positions of one game share them.
struct Steps {
    all: Arc<Mutex<Vec<Step>>>,
    count: usize,
}

impl Steps {
    fn to_vec(&self) -> Vec<Step> {
        lock(&self.all)[..self.count].to_vec()
    }

    /// These changes and another one.
    fn and(&self, step: Step) -> Self {
        let count = self.count + 1;
        let mut all = lock(&self.all);
        if all.len() == self.count {
            all.push(step);
            return Self { all: Arc::clone(&self.all), count };
        }
        let mut others = all[..self.count].to_vec();
        others.push(step);
        Self { all: Arc::new(Mutex::new(others)), count }
    }
}

/// The failure of a process that answers another question.
pub fn other_answer() -> Failure {
    Failure::Arena("a process with a game sends another answer than the one that was asked for".into())
}

impl<P: CodeHost> Position<P> {
    /// The position at the beginning of a game in a host.
    pub fn begin(host: Arc<P>, begin: Begin) -> Result<Self, Failure> {
        let (live, turn) = host.begin(&begin)?;
        let game = Arc::new(Begin { foreseen: Vec::new(), ..begin });
        let steps = Steps { all: Arc::default(), count: 0 };
        Ok(Self { host, past: GameSoFar { game, steps, turn }, live: Mutex::new(Some(live)) })
    }

    /// Asks the state in the host, and returns it with the answer.
    #[expect(clippy::type_complexity, reason = "it is the answer and the state")]
    fn ask_with<T>(
        &self,
        ask: impl FnOnce(&P, &mut Option<P::Live>, &GameSoFar) -> Result<T, Failure>,
    ) -> Result<(T, MutexGuard<'_, Option<P::Live>>), Failure> {
        let mut live = lock(&self.live);
        match ask(&self.host, &mut live, &self.past) {
            Ok(answer) => Ok((answer, live)),
            Err(failure) => {
                // A state that has failed is not used any more.
                *live = None;
                Err(failure)
            }
        }
    }

    fn ask(&self, question: &Question) -> Result<Response, Failure> {
        self.ask_with(|host, live, past| host.ask(live, past, question)).map(|(response, _)| response)
    }

    fn text(&self, question: &Question) -> Result<String, Failure> {
        if let Response::Text(text) = self.ask(question)? { Ok(text) } else { Err(other_answer()) }
    }

    /// The consequence of a change, with the next position.
    fn step(&self, step: Step) -> Result<Applied<(String, AnyState)>, Failure> {
        let question = Question::Step(step.clone());
        let (response, mut live) = self.ask_with(|host, live, past| host.ask(live, past, &question))?;
        Ok(match response {
            Response::Stepped(Applied::Done((effect, turn))) => {
                let GameSoFar { game, steps, .. } = &self.past;
                let past = GameSoFar { game: Arc::clone(game), steps: steps.and(step), turn };
                let live = Mutex::new(live.take());
                Applied::Done((effect, Arc::new(Self { host: Arc::clone(&self.host), past, live })))
            }
            Response::Stepped(Applied::Retry(why)) => Applied::Retry(why),
            Response::Stepped(Applied::Lost(why)) => Applied::Lost(why),
            _ => return Err(other_answer()),
        })
    }
}

impl<P: CodeHost> loaded::State for Position<P> {
    fn to_move(&self) -> Result<Option<Seat>, Failure> {
        Ok(if let Turn::Of(seat) = self.past.turn { Some(seat) } else { None })
    }

    fn outcome(&self) -> Result<BoardResult, Failure> {
        if let Turn::Over(result) = &self.past.turn { Ok(result.clone()) } else { Err(other_answer()) }
    }

    fn observe(&self, viewer: Seat) -> Result<Box<dyn Observed>, Failure> {
        self.ask_with(|host, live, past| host.observe(live, past, viewer)).map(|(observed, _)| observed)
    }

    fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure> {
        // It was plain if the arena's code sent it.
        Ok(arena_text::lines(&self.text(&Question::Picture(viewer))?))
    }

    fn drawing(&self, viewer: Option<Seat>) -> Result<Option<String>, Failure> {
        match self.ask(&Question::Drawing(viewer))? {
            // Here, because the process with the game may lie.
            Response::Drawing(svg) => Ok(svg.and_then(|svg| plain_drawing(&svg).ok())),
            _ => Err(other_answer()),
        }
    }

    fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure> {
        match self.ask(&Question::LegalActions)? {
            Response::Actions(actions) => Ok(actions),
            _ => Err(other_answer()),
        }
    }

    fn apply(&self, action: &str) -> Result<Applied<(String, AnyState)>, Failure> {
        self.step(Step::Action(action.to_owned()))
    }

    fn overrun(&self) -> Result<Option<AnyState>, Failure> {
        let stepped = self.step(Step::Overrun)?;
        Ok(if let Applied::Done((_, next)) = stepped { Some(next) } else { None })
    }

    fn random_action(&self, seed: u64) -> Result<String, Failure> {
        self.text(&Question::RandomAction(seed))
    }
}
