//! A game of loaded code, as a state machine.

use super::{AnyState, Applied, BoardResult, Breach, Judge, Observation, Reproduction, Rules, State};
use crate::random::SeededRng;
use crate::{
    Failure, Game, GameKind, GameRules, Listed, NoDeployment, Outcome, Reason, Ruling, Scores, Seat, Unsuited,
};
use rand::Rng;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// The longest part of an action, and of the reason against it, in a complaint, in characters. Chosen: a line of a terminal each.
const SHOWN_CHARS_MAX: usize = 120;

/// The state of a game of loaded code.
#[derive(Clone)]
pub struct Loaded {
    rules: Rules,
    seed: u64,
    starter: Seat,
    steps: Vec<Step>,
    /// The code's state, or the first failure.
    state: Result<AnyState, Failure>,
    views: [Observation; 2],
    mover: Option<Seat>,
    judge: Judge,
    end: Option<(Outcome, Reason)>,
    /// Those of the code, after the end.
    scores: Option<Scores>,
}

/// A change of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Action(String),
    Overrun,
    Forfeit(Seat),
}

/// The part of the rules that a side gets: nothing, because its observations have all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Nothing {}

impl Loaded {
    fn begin(rules: &Rules, seed: u64, starter: Seat) -> Self {
        let begun = match rules.code() {
            Some(code) => code.begin(rules.settings(), seed, starter),
            None => Err(Failure::from("its code is not loaded")),
        };
        let mut game = Self {
            rules: rules.clone(),
            seed,
            starter,
            steps: Vec::new(),
            state: Err(Failure::from("it has not begun")),
            views: Default::default(),
            mover: None,
            judge: Judge::new(rules.about()),
            end: None,
            scores: None,
        };
        let entered = begun.and_then(|state| game.enter(state));
        if let Err(failure) = entered {
            game.state = Err(failure);
        }
        game.note(Judge::begin(game.mover.is_some()));
        game
    }

    /// The code's state.
    ///
    /// # Errors
    /// The game has failed.
    fn state(&self) -> Result<&dyn State, Failure> {
        self.state.as_deref().map_err(Failure::clone)
    }

    /// Notes a failure, unless there is one already: the first is the cause.
    fn note(&mut self, judged: Result<(), impl Into<Failure>>) {
        if let (Err(failure), Ok(_)) = (judged, &self.state) {
            self.state = Err(failure.into());
        }
    }

    /// A picture of the state as text, as a side, or for `None` an observer of both, may see it.
    ///
    /// # Errors
    /// The code failed. The game goes on: no turn depends on a picture.
    pub fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure> {
        self.state()?.picture(viewer)
    }

    /// A drawing of the state as SVG, as a side, or for `None` an observer of both, may see it; `None` if there is none.
    ///
    /// # Errors
    /// The code failed. The game goes on: no turn depends on a drawing.
    pub fn drawing(&self, viewer: Option<Seat>) -> Result<Option<String>, Failure> {
        self.state()?.drawing(viewer)
    }

    /// All legal actions of the side to move; `None` after the end, and if the code cannot list them.
    ///
    /// # Errors
    /// The code failed. The game goes on.
    pub fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure> {
        if self.mover.is_none() { Ok(None) } else { self.state()?.legal_actions() }
    }

    /// The code's reason why an action of the side to move is not legal; `None` if it is legal.
    ///
    /// # Errors
    /// The code failed. The game goes on.
    pub fn objection(&self, action: &str) -> Result<Option<String>, Failure> {
        let Some(seat) = self.mover else { return Ok(Some("the game is over".into())) };
        Ok(match self.applied(seat, action)? {
            Applied::Done(_) => None,
            Applied::Retry(why) | Applied::Lost(why) => Some(why),
        })
    }

    /// The consequence of an action.
    fn applied(&self, seat: Seat, action: &str) -> Result<Applied<(String, AnyState)>, Failure> {
        match self.judge.objection(seat, action) {
            Some(why) => Ok(Applied::Lost(why)),
            None => self.state()?.apply(action),
        }
    }

    /// Enters a state, in which another turn begins or the game has ended.
    fn enter(&mut self, state: AnyState) -> Result<(), Failure> {
        self.mover = state.to_move()?;
        self.views = Default::default();
        if self.mover.is_some() {
            self.views = Seat::BOTH.map(|seat| Observation::of(Arc::clone(&state), seat));
        } else {
            let BoardResult { winner, reason, scores } = state.outcome()?;
            let mut endings = self.rules.about().endings.iter();
            let known = endings.find(|ending| ending.name == reason).and_then(super::Ending::reason);
            let unknown = || format!("it ended for a reason that it does not list: {reason}");
            self.scores = scores;
            self.end = Some((winner.map_or(Outcome::Draw, Outcome::Win), known.ok_or_else(unknown)?));
        }
        self.state = Ok(state);
        Ok(())
    }

    /// Goes on with the state after a turn, which is judged with whether the game goes on.
    fn go_on(&mut self, next: AnyState, judged: impl FnOnce(&mut Judge, bool) -> Result<(), Breach>) {
        let entered = self.enter(next);
        self.note(entered);
        let judged = judged(&mut self.judge, self.mover.is_some());
        self.note(judged);
        if self.end.is_some() {
            self.note(self.judge.end(self.scores));
        }
    }

    /// A side has lost by a fault.
    fn lose(&mut self, seat: Seat) {
        self.mover = None;
        self.views = Default::default();
        self.end.get_or_insert((Outcome::Win(seat.other()), Reason::Forfeit));
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

    /// An action that the code draws.
    fn any_action(_info: &Nothing, view: &Observation, rng: &mut SeededRng) -> Result<String, Failure> {
        view.random_action(rng.next_u64())
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

    fn scores(&self) -> Option<Scores> {
        self.scores
    }

    fn turns(&self, seat: Seat) -> u32 {
        self.judge.turns(seat)
    }

    fn view(&self, seat: Seat) -> &Observation {
        &self.views[seat.index()]
    }

    fn act(&mut self, seat: Seat, action: &String) -> Ruling<Self> {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let applied = self.applied(seat, action);
        if !matches!(applied, Ok(Applied::Retry(_))) {
            self.steps.push(Step::Action(action.clone()));
        }
        match applied {
            Ok(Applied::Done((effect, next))) => {
                self.go_on(next, |judge, goes_on| judge.act(seat, action, &effect, goes_on));
                Ruling::Done(effect)
            }
            Ok(Applied::Retry(why)) => {
                let judged = self.judge.refuse(seat, action, &why);
                self.note(judged);
                Ruling::Retry(why)
            }
            Ok(Applied::Lost(why)) => {
                self.lose(seat);
                Ruling::Lost(why)
            }
            Err(failure) => {
                self.note(Err(failure));
                Ruling::Lost(String::new())
            }
        }
    }

    fn overrun(&mut self, seat: Seat) -> bool {
        assert_eq!(self.to_move(), Some(seat), "it is not this side's turn");
        let overrun = self.state().and_then(State::overrun);
        self.steps.push(Step::Overrun);
        match overrun {
            Ok(Some(next)) => {
                self.go_on(next, |judge, goes_on| judge.turn(seat, goes_on));
                return true;
            }
            Ok(None) => {}
            Err(failure) => self.note(Err(failure)),
        }
        self.lose(seat);
        false
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
        self.state.as_ref().err().cloned()
    }

    fn reproduction(&self) -> Option<String> {
        let mut reproduction = Reproduction::new(self.rules.settings().clone(), self.seed, self.starter);
        for step in &self.steps {
            match step {
                Step::Action(action) => reproduction.act(action),
                Step::Overrun => reproduction.overrun(),
                Step::Forfeit(_) => {}
            }
        }
        Some(reproduction.to_string())
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
