//! A game of loaded code, as a state machine.

use crate::code::{Applied, Failure, Penalty, State};
use crate::rules::{Game as Code, Rules};
use arena_rules::random::SeededRng;
use arena_rules::{Game, NoDeployment, Outcome, Reason, Ruling, Seat, Unsuited};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The state of a game of loaded code.
///
/// A state of the code cannot be copied, so a clone plays the game again from its beginning, in the time that the game has taken so far.
/// What a side sees is asked of the code once a turn at most, and only if somebody looks.
pub struct Loaded {
    rules: Rules,
    seed: u64,
    starter: Seat,
    steps: Vec<Step>,
    now: Arc<Now>,
    views: [OnceLock<Observation>; 2],
    mover: Option<Seat>,
    turns: [u32; 2],
    end: Option<(Outcome, Reason)>,
}

/// A call that changed the state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Action(String),
    Overrun,
    Forfeit(Seat),
}

/// The code's state, or the failure that ended it.
struct Now {
    /// `None` if there is no code.
    state: Mutex<Option<Box<dyn State>>>,
    failure: OnceLock<Failure>,
}

/// What a side sees.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Observation {
    /// The code's text.
    pub text: String,
    /// The state that it is of, for a built-in opponent; `None` once it was recorded.
    #[serde(skip)]
    now: Option<Arc<Now>>,
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl PartialEq for Observation {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The part of the rules that a side gets: nothing, because its observations have all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Nothing {}

impl Now {
    /// Asks the code; `None` once it has failed.
    fn ask<T>(&self, call: impl FnOnce(&mut (dyn State + 'static)) -> Result<T, Failure>) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failure.get().is_some() {
            return None;
        }
        match call(state.as_deref_mut()?) {
            Ok(answer) => Some(answer),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    /// Notes a failure, unless there is one already: the first is the cause.
    fn fail(&self, failure: impl Into<Failure>) {
        self.failure.get_or_init(|| failure.into());
    }
}

impl Loaded {
    fn begin(rules: &Rules, seed: u64, starter: Seat) -> Self {
        let begun = match rules.loaded() {
            Some(code) => code.code.begin(rules.settings(), seed, starter),
            None => Err("its code is not loaded".into()),
        };
        let (state, failure) = (Mutex::new(None), OnceLock::new());
        let now = Now { state, failure };
        match begun {
            Ok(state) => *now.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(state),
            Err(failure) => now.fail(failure),
        }
        let mut game = Self {
            rules: rules.clone(),
            seed,
            starter,
            steps: Vec::new(),
            now: Arc::new(now),
            views: Default::default(),
            mover: None,
            turns: [0; 2],
            end: None,
        };
        game.mover = game.now.ask(State::to_move).flatten();
        if game.mover != Some(starter) {
            game.now.fail("its first turn is not that of the seat that starts");
        }
        game
    }

    fn code(&self) -> Option<&Code> {
        self.rules.loaded().map(AsRef::as_ref)
    }

    /// Takes note of a turn that was taken, and looks whether the game has ended.
    fn took_turn(&mut self, seat: Seat) {
        self.turns[seat.index()] += 1;
        self.views = Default::default();
        let Some(mover) = self.now.ask(State::to_move) else { return };
        self.mover = mover;
        if mover.is_none() {
            self.end = self.now.ask(State::outcome).and_then(|(winner, reason)| {
                let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
                let reasons = self.code().map_or(&[][..], |code| &code.facts.reasons);
                let known = reasons.iter().find(|known| String::from(**known) == reason);
                if known.is_none() {
                    self.now.fail(format!("it ended for a reason that it does not list: {reason}"));
                }
                Some((outcome, *known?))
            });
        } else if mover == Some(seat) {
            self.now.fail("the same side is to move after its turn");
        } else if self.turns[0] + self.turns[1] >= self.code().map_or(0, |code| code.facts.turns_max) {
            self.now.fail("it goes on after the largest number of turns that it states");
        }
    }

    fn play(&mut self, step: &Step) {
        match step {
            Step::Action(action) => drop(self.act(self.mover.unwrap_or(self.starter), action)),
            Step::Overrun => drop(self.overrun(self.mover.unwrap_or(self.starter))),
            Step::Forfeit(seat) => self.forfeit(*seat),
        }
    }

    /// A side has lost by a fault.
    fn lose(&mut self, seat: Seat) {
        self.mover = None;
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
    }
}

impl Clone for Loaded {
    fn clone(&self) -> Self {
        let mut game = Self::begin(&self.rules, self.seed, self.starter);
        self.steps.iter().for_each(|step| {
            if game.failure().is_none() {
                game.play(step);
            }
        });
        if let Some(failure) = self.now.failure.get() {
            game.now.fail(failure.clone());
        }
        game
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, seed, starter, steps, .. } = self;
        f.debug_struct("Loaded")
            .field("rules", rules)
            .field("seed", seed)
            .field("starter", starter)
            .field("steps", steps)
            .finish()
    }
}

impl PartialEq for Loaded {
    /// Compares all that a game follows from.
    fn eq(&self, other: &Self) -> bool {
        (&self.rules, self.seed, self.starter, &self.steps)
            == (&other.rules, other.seed, other.starter, &other.steps)
    }
}

impl Eq for Loaded {}

impl Game for Loaded {
    type Rules = Rules;
    type Info = Nothing;
    type Deployment = ();
    /// The seed for everything that is drawn.
    type Setup = u64;
    type SetupError = NoDeployment;
    type View = Observation;
    type Action = String;
    type Invalid = String;
    type Effect = String;

    fn info(_rules: &Rules, _fuel_per_turn: u64, _seed: u64) -> Nothing {
        Nothing {}
    }

    fn setup(_rules: &Rules, (): &()) -> Result<u64, NoDeployment> {
        Err(NoDeployment)
    }

    fn deployment(_seed: &u64) {}

    fn without_deployment(_rules: &Rules, seed: u64) -> Option<[u64; 2]> {
        Some([seed; 2])
    }

    fn any_setup(_rules: &Rules, rng: &mut SeededRng) -> Result<u64, Unsuited> {
        Ok(rng.next_u64())
    }

    /// An action that the code draws. A view that was recorded has no code, and an empty text is no action of any game.
    fn any_action(_info: &Nothing, view: &Observation, rng: &mut SeededRng) -> String {
        let seed = rng.next_u64();
        view.now.as_ref().and_then(|now| now.ask(|state| state.random_action(seed))).unwrap_or_default()
    }

    fn new(rules: &Rules, [seed, _]: [u64; 2], starter: Seat) -> Self {
        Self::begin(rules, seed, starter)
    }

    fn to_move(&self) -> Option<Seat> {
        self.mover
    }

    fn end(&self) -> Option<(Outcome, Reason)> {
        self.end
    }

    fn turns(&self, seat: Seat) -> u32 {
        self.turns[seat.index()]
    }

    fn view(&self, seat: Seat) -> &Observation {
        self.views[seat.index()].get_or_init(|| {
            let is_over = self.mover.is_none();
            let text = if is_over { None } else { self.now.ask(|state| state.observe(seat)) };
            Observation { text: text.unwrap_or_default(), now: Some(Arc::clone(&self.now)) }
        })
    }

    fn act(&mut self, seat: Seat, action: &String) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let answer = self.now.ask(|state| state.apply(action));
        match answer {
            Some(Applied::Done(effect)) => {
                self.steps.push(Step::Action(action.clone()));
                self.took_turn(seat);
                Ruling::Done(effect)
            }
            Some(Applied::Retry(why)) => Ruling::Retry(why),
            Some(Applied::Lost(why)) => {
                self.steps.push(Step::Action(action.clone()));
                self.lose(seat);
                Ruling::Lost(why)
            }
            None => Ruling::Lost(String::new()),
        }
    }

    fn overrun(&mut self, seat: Seat) -> bool {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let penalty = self.now.ask(State::overrun);
        self.steps.push(Step::Overrun);
        match penalty {
            Some(Penalty::Turn) => self.took_turn(seat),
            Some(Penalty::Game) | None => self.lose(seat),
        }
        penalty == Some(Penalty::Turn)
    }

    fn forfeit(&mut self, seat: Seat) {
        if self.end.is_none() {
            self.steps.push(Step::Forfeit(seat));
        }
        self.lose(seat);
    }

    fn complaint(action: &String, why: &String) -> String {
        let [action, why] = [action, why].map(|text| arena_text::line(text, 120));
        format!("the action {action} is refused: {why}")
    }

    fn failure(&self) -> Option<&str> {
        self.now.failure.get().map(|failure| failure.0.as_str())
    }
}
