//! A game of loaded code, as a state machine.

use super::said::Said;
use super::{Applied, Course, Penalty, Rules, Sight, State};
use crate::random::SeededRng;
use crate::{
    Failure, Game, GameKind, GameRules, Listed, NoDeployment, Outcome, Reason, Ruling, Seat, Unsuited,
};
use rand::Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The longest part of an action, and of the reason against it, in a complaint, in characters. Chosen: a line of a terminal each.
const SHOWN_CHARS_MAX: usize = 120;

/// The state of a game of loaded code.
///
/// If the code cannot copy a state, a clone plays the game again from its beginning. What a side sees is asked of the code once a turn at
/// most, and only if somebody looks.
pub struct Loaded {
    rules: Rules,
    seed: u64,
    starter: Seat,
    steps: Vec<Step>,
    now: Arc<Now>,
    views: [OnceLock<Observation>; 2],
    mover: Option<Seat>,
    turns: [u32; 2],
    said: Said,
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

/// What a side sees. Its text is asked of the code when somebody looks at it first, while it is that of the present state.
pub struct Observation {
    text: OnceLock<String>,
    /// `None` for one that was recorded.
    present: Option<Present>,
}

/// The state that an observation is of.
struct Present {
    now: Arc<Now>,
    seat: Seat,
    is_over: bool,
    sight: OnceLock<Option<Box<dyn Sight>>>,
}

impl Observation {
    /// The code's text. It is empty after the end, and if the code fails.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let Some(present) = &self.present else { return String::new() };
            let told = present.sight().map(Sight::text);
            match told {
                Some(Ok(text)) => text,
                Some(Err(failure)) => {
                    present.now.fail(failure);
                    String::new()
                }
                None => String::new(),
            }
        })
    }

    /// An action that the code draws with this seed; `None` for one that was recorded, and if the code fails.
    pub fn random_action(&self, seed: u64) -> Option<String> {
        self.present.as_ref()?.now.ask(|state| state.random_action(seed))
    }

    /// The observation in the type that the code has for it, if this is one of the present state of code that has this type.
    pub fn sight<T: Sight>(&self) -> Option<&T> {
        let sight: &dyn Any = self.present.as_ref()?.sight()?;
        sight.downcast_ref()
    }
}

impl Present {
    fn sight(&self) -> Option<&dyn Sight> {
        let ask = || if self.is_over { None } else { self.now.ask(|state| state.observe(self.seat)) };
        self.sight.get_or_init(ask).as_deref()
    }
}

impl Clone for Observation {
    /// A clone may outlive the present state, so it has only the text.
    fn clone(&self) -> Self {
        Self { text: self.text().to_owned().into(), present: None }
    }
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Observation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: String::deserialize(deserializer)?.into(), present: None })
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl PartialEq for Observation {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
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

    /// Asks the code something on which the game does not depend: if it fails, the game goes on.
    fn look<T>(
        &self,
        call: impl FnOnce(&mut (dyn State + 'static)) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = self.failure.get() {
            return Err(failure.clone());
        }
        call(state.as_deref_mut().ok_or_else(|| Failure::from("its code is not loaded"))?)
    }

    /// Notes a failure, unless there is one already: the first is the cause.
    fn fail(&self, failure: impl Into<Failure>) {
        self.failure.get_or_init(|| failure.into());
    }
}

impl Loaded {
    fn begin(rules: &Rules, seed: u64, starter: Seat) -> Self {
        let begun = match rules.code() {
            Some(code) => code.begin(rules.settings(), seed, starter),
            None => Err(Failure::from("its code is not loaded")),
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
            said: Said::default(),
            end: None,
        };
        game.mover = game.now.ask(State::to_move).flatten();
        if game.mover != Some(starter) {
            game.now.fail("its first turn is not that of the seat that starts");
        }
        game
    }

    /// A picture of the state as text, as a side, or for `None` an observer of both, may see it.
    ///
    /// # Errors
    /// The code failed. The game goes on: no turn depends on a picture.
    pub fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure> {
        self.now.look(|state| state.picture(viewer))
    }

    /// All legal actions of the side to move; `None` after the end, and if the code cannot list them.
    ///
    /// # Errors
    /// The code failed. The game goes on.
    pub fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure> {
        if self.mover.is_none() {
            return Ok(None);
        }
        self.now.look(State::legal_actions)
    }

    /// The code's reason why an action of the side to move is not legal; `None` if it is legal. It is tried on a copy.
    ///
    /// # Errors
    /// The code failed. The game goes on.
    pub fn objection(&self, action: &String) -> Result<Option<String>, Failure> {
        let mut copy = self.clone();
        let Some(seat) = copy.mover else { return Ok(Some("the game is over".into())) };
        let ruling = copy.act(seat, action);
        match (copy.now.failure.get(), ruling) {
            (Some(failure), _) => Err(failure.clone()),
            (None, Ruling::Done(_)) => Ok(None),
            (None, Ruling::Retry(why) | Ruling::Lost(why)) => Ok(Some(why)),
        }
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
                let mut endings = self.rules.about().endings.iter();
                let known = endings.find(|ending| ending.name == reason).and_then(super::Ending::reason);
                if known.is_none() {
                    self.now.fail(format!("it ended for a reason that it does not list: {reason}"));
                }
                Some((outcome, known?))
            });
        } else if mover == Some(seat) {
            self.now.fail("the same side is to move after its turn");
        } else if self.turns[0] + self.turns[1] >= self.rules.about().max_game_length {
            self.now.fail("it goes on after the largest number of turns that it states");
        }
    }

    fn fail_if_too_much_is_said(&self) {
        if let Some(why) = self.said.failure() {
            self.now.fail(why);
        }
    }

    /// The same game with a copy of its state.
    fn with_state(&self, state: Box<dyn State>) -> Self {
        let Self { rules, seed, starter, steps, mover, turns, said, end, .. } = self;
        Self {
            rules: rules.clone(),
            seed: *seed,
            starter: *starter,
            steps: steps.clone(),
            now: Arc::new(Now { state: Mutex::new(Some(state)), failure: OnceLock::new() }),
            views: Default::default(),
            mover: *mover,
            turns: *turns,
            said: said.clone(),
            end: *end,
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
        let fork =
            self.now.state.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|it| it.fork());
        let game = match fork {
            Some(state) => self.with_state(state),
            None => {
                let mut game = Self::begin(&self.rules, self.seed, self.starter);
                self.steps.iter().for_each(|step| {
                    if game.failure().is_none() {
                        game.play(step);
                    }
                });
                game
            }
        };
        if let Some(failure) = self.now.failure.get() {
            game.now.fail(failure.clone());
        }
        // The steps have no action that was refused.
        Self { said: self.said.clone(), ..game }
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
        view.random_action(rng.next_u64()).unwrap_or_default()
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
            let (now, is_over) = (Arc::clone(&self.now), self.mover.is_none());
            let present = Present { now, seat, is_over, sight: OnceLock::new() };
            Observation { text: OnceLock::new(), present: Some(present) }
        })
    }

    fn act(&mut self, seat: Seat, action: &String) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let answer = match self.said.objection(seat, action) {
            Some(why) => Some(Applied::Lost(why)),
            None => self.now.ask(|state| state.apply(action)),
        };
        match answer {
            Some(Applied::Done(effect)) => {
                self.steps.push(Step::Action(action.clone()));
                self.said.take(seat, action, &effect);
                self.took_turn(seat);
                self.fail_if_too_much_is_said();
                Ruling::Done(effect)
            }
            Some(Applied::Retry(why)) => {
                self.said.refuse(seat, action, &why);
                self.fail_if_too_much_is_said();
                if self.now.ask(State::to_move).is_some_and(|mover| mover != Some(seat)) {
                    let action: String = action.chars().take(SHOWN_CHARS_MAX).collect();
                    self.now
                        .fail(format!("it refused {action} with another try, and has another side to move"));
                }
                Ruling::Retry(why)
            }
            Some(Applied::Lost(why)) => {
                self.steps.push(Step::Action(action.clone()));
                self.lose(seat);
                Ruling::Lost(why)
            }
            None => {
                self.steps.push(Step::Action(action.clone()));
                Ruling::Lost(String::new())
            }
        }
    }

    fn overrun(&mut self, seat: Seat) -> bool {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let penalty = self.now.ask(State::overrun);
        self.steps.push(Step::Overrun);
        self.said.overrun();
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

    fn text_bytes(action: &String) -> u64 {
        action.len() as u64
    }

    fn complaint(action: &String, why: &String) -> String {
        let [action, why] = [action, why].map(|text| text.chars().take(SHOWN_CHARS_MAX).collect::<String>());
        format!("the action {action} is refused: {why}")
    }

    fn failure(&self) -> Option<Failure> {
        self.now.failure.get().cloned()
    }

    fn course(&self) -> Option<String> {
        let mut course = Course::new(self.rules.settings().clone(), self.seed, self.starter);
        for step in &self.steps {
            match step {
                Step::Action(action) => course.act(action),
                Step::Overrun => course.overrun(),
                Step::Forfeit(_) => {}
            }
        }
        Some(course.to_string())
    }
}

impl Listed for Loaded {
    const KIND: GameKind = GameKind::Loaded;

    /// There are none: they come with their code.
    fn built_in() -> Vec<Rules> {
        Vec::new()
    }

    fn rules(any: &GameRules) -> Option<&Rules> {
        if let GameRules::Loaded(rules) = any { Some(rules) } else { None }
    }
}
