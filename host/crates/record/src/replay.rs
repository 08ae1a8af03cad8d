//! A stepper over recorded events, which judges each of them by the rules alone, without the bots.

use crate::Problem;
use arena_referee::{ATTEMPTS_PER_TURN_MAX, Attempts, End, Event, FaultClass, Verdict};
use arena_rules::{Failure, Game, Ruling, Seat, judge_deployments};
use serde::Serialize;

/// The reason why a recording is impossible: by the rules, an event does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {problem}")]
pub struct ReplayError {
    /// The number of the event, from 1; its line in the file is one more.
    pub event: usize,
    /// The problem.
    pub problem: Problem,
    /// The failure of the game's code, or of what runs it, if that is the problem: then nothing is known about the event.
    pub failure: Option<Failure>,
}

/// The problem of a turn that comes too early.
const NOT_DEPLOYED: &str = "the deployments are not complete";

/// A game at a moment of its recording. Every reader of recordings goes through it, event by event.
///
/// It plays the recorded actions by the rules, and checks that everything else follows: whose turn it is and its number, the
/// effects, the verdicts, and the end.
#[derive(Clone, Debug)]
pub struct Replay<G: Game> {
    rules: G::Rules,
    starter: Seat,
    /// The deployment of each side once it is known; `Some(None)` if it had no legal one.
    placed: [Option<Option<G::Setup>>; 2],
    game: Option<G>,
    end: Option<End>,
    /// False once a verdict came from the clock.
    reproducible: bool,
    events: usize,
}

impl<G: Game> Replay<G> {
    /// A game before its first event, by valid rules: those of a file have to be validated before.
    /// The seed is that of the header for what the engine places, and for chance.
    pub fn new(rules: &G::Rules, starter: Seat, seed: u64) -> Self {
        let setups = G::without_deployment(rules, seed);
        let placed = setups.clone().map_or([None, None], |setups| setups.map(|setup| Some(Some(setup))));
        Self {
            rules: rules.clone(),
            starter,
            placed,
            game: setups.map(|setups| G::new(rules, setups, starter)),
            end: None,
            reproducible: true,
            events: 0,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// The legal deployment of a side, once it has placed it.
    pub fn setup(&self, seat: Seat) -> Option<&G::Setup> {
        self.placed[seat.index()].as_ref()?.as_ref()
    }

    /// The game, once both sides have a legal deployment.
    pub fn game(&self) -> Option<&G> {
        self.game.as_ref()
    }

    /// The seat to move; `None` before the first turn and after the last.
    pub fn to_move(&self) -> Option<Seat> {
        self.game.as_ref()?.to_move()
    }

    /// The end, once it is recorded.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Goes on by one event.
    ///
    /// # Errors
    /// The event does not follow. The replay cannot continue after that.
    pub fn step(&mut self, event: &Event<G>) -> Result<(), ReplayError> {
        self.events += 1;
        let judged = self.judge(event);
        // What a failed game says has no meaning.
        let failure = self.game.as_ref().and_then(G::failure);
        let judged = match &failure {
            Some(Failure::Game(why)) => Err(format!("the game itself failed: {why}")),
            Some(Failure::Arena(why)) => Err(format!("the game cannot be played here: {why}")),
            None => judged,
        };
        judged.map_err(|problem| ReplayError { event: self.events, problem: problem.into(), failure })
    }

    fn judge(&mut self, event: &Event<G>) -> Result<(), String> {
        if self.end.is_some() {
            return Err("the game is over already".into());
        }
        if let Event::Faulted { fault, .. } = event {
            self.reproducible &= fault.class != FaultClass::WallClock;
        }
        match event {
            Event::Placed { seat, deployment, .. } => {
                let setup = G::setup(&self.rules, deployment)
                    .map_err(|error| format!("the deployment is not legal: {error}"))?;
                self.place(*seat, Some(setup))
            }
            Event::Faulted { seat, turn: 0, verdict, .. } => {
                same("the verdict", verdict, &Verdict::NotPlaced, json)?;
                self.place(*seat, None)
            }
            Event::Acted { seat, turn, action, effect, attempts, .. } => {
                let game = self.mover(*seat, *turn, attempts.as_ref())?;
                let ruling = game.act(*seat, action);
                same("the effect", &Ruling::Done(effect.clone()), &ruling, |ruling| {
                    ruling_words(ruling, action)
                })
            }
            Event::Faulted { seat, turn, fault, verdict, attempts } => {
                let game = match (fault.class, attempts) {
                    // A client may go away in the other side's turn.
                    (FaultClass::Disconnected, None) => self.player(*seat, *turn)?,
                    _ => self.mover(*seat, *turn, attempts.as_ref())?,
                };
                match verdict {
                    Verdict::TurnSkipped if fault.class.is_overrun() && game.overrun(*seat) => Ok(()),
                    Verdict::Loses => {
                        game.forfeit(*seat);
                        Ok(())
                    }
                    Verdict::TurnSkipped | Verdict::NotPlaced => {
                        Err(format!("the verdict {} is not in these rules", json(verdict)))
                    }
                }
            }
            Event::Ended { outcome, reason, scores, reproducible } => {
                same("reproducible", reproducible, &self.reproducible, json)?;
                let by_rules = match &self.placed {
                    [Some(first), Some(second)] => match judge_deployments([first.as_ref(), second.as_ref()])
                    {
                        Ok(_) => self.game.as_ref().and_then(G::end),
                        Err(end) => Some(end),
                    },
                    _ => None,
                };
                self.end = Some((*outcome, *reason));
                same("the end", &self.end, &by_rules, end_words)?;
                let by_rules = arena_rules::scores(&self.rules, self.game.as_ref(), (*outcome, *reason));
                same("the score", scores, &by_rules, json)
            }
        }
    }

    fn place(&mut self, seat: Seat, setup: Option<G::Setup>) -> Result<(), String> {
        if self.placed[seat.index()].replace(setup).is_some() {
            return Err("this side has deployed already".into());
        }
        if let [Some(Some(first)), Some(Some(second))] = &self.placed {
            self.game = Some(G::new(&self.rules, [first.clone(), second.clone()], self.starter));
        }
        Ok(())
    }

    /// The game in which a side's turn with this number is now or, if the other side is to move, next.
    fn player(&mut self, seat: Seat, turn: u32) -> Result<&mut G, String> {
        let game = self.game.as_mut().ok_or(NOT_DEPLOYED)?;
        if game.to_move().is_none() {
            return Err("the game is over, so no side is to move".into());
        }
        same("the turn", &turn, &(game.turns(seat) + 1), json)?;
        Ok(game)
    }

    /// The game before the action or the fault of a side's turn, after its attempts that were not valid.
    fn mover(&mut self, seat: Seat, turn: u32, attempts: Option<&Attempts<G>>) -> Result<&mut G, String> {
        let to_move = self.game.as_ref().ok_or(NOT_DEPLOYED)?.to_move();
        let side =
            |side: &Option<Seat>| side.map_or("no side".into(), |seat| format!("seat {}", u8::from(seat)));
        same("the side to move", &Some(seat), &to_move, side)?;
        let game = self.player(seat, turn)?;
        if let Some(Attempts { invalid, first, why }) = attempts {
            if !(1..=ATTEMPTS_PER_TURN_MAX).contains(&u64::from(*invalid)) {
                return Err(format!("{invalid} attempts in a turn, which has 1 to {ATTEMPTS_PER_TURN_MAX}"));
            }
            let ruling = game.act(seat, first);
            same("the first attempt", &Ruling::Retry(why.clone()), &ruling, |ruling| {
                ruling_words(ruling, first)
            })?;
        }
        Ok(game)
    }
}

/// Compares a recorded value with the one by the rules. `words` formats a value for the error.
fn same<T: PartialEq>(
    what: &str,
    recorded: &T,
    actual: &T,
    words: impl Fn(&T) -> String,
) -> Result<(), String> {
    if recorded == actual {
        return Ok(());
    }
    Err(format!("{what} is recorded as {}, but by the rules it is {}", words(recorded), words(actual)))
}

/// A value as a transcript has it.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("events are plain data")
}

/// The words for a ruling on an action.
fn ruling_words<G: Game>(ruling: &Ruling<G>, action: &G::Action) -> String {
    match ruling {
        Ruling::Done(effect) => json(effect),
        Ruling::Retry(why) => format!("not valid ({})", G::complaint(action, why)),
        Ruling::Lost(why) => format!("not valid, and loses ({})", G::complaint(action, why)),
    }
}

/// The words for the end of a game.
fn end_words(end: &Option<End>) -> String {
    match end {
        None => "none yet".into(),
        Some((outcome, reason)) => format!("{}, {reason}", json(outcome)),
    }
}
