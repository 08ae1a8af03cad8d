//! Playing a recording again by the rules alone, without the bots.

mod battleship;
mod submarine;

use crate::Transcript;
use arena_referee::Event;
use arena_rules::{GameRules, Outcome, Reason, Seat, judge_deployments};

/// Why a recording cannot be what happened: by the rules, these events do not follow from each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {problem}")]
pub struct ReplayError {
    /// The event, from 1; its line in the file is one more.
    pub event: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// Plays one event, or says why it does not follow from those before it.
type Step<'a> = dyn FnMut(&Event) -> Result<(), String> + 'a;

impl Transcript {
    /// Plays the recorded answers again by the rules, and checks that everything else follows from them: whose turn it
    /// is, its number, what each shot met, and how the game ended.
    ///
    /// It gives the events back, for a screen to show. The bots are not asked; whether they would answer so is for
    /// verification to say.
    ///
    /// # Errors
    /// The first event that does not follow from those before it.
    pub fn replay(&self) -> Result<&[Event], ReplayError> {
        let at = |event: usize| move |problem| ReplayError { event, problem };
        let starter = self.header.starter;
        let mut step: Box<Step<'_>> = match &self.header.rules {
            GameRules::Battleship(rules) => {
                // A header from elsewhere may hold rules that are no game.
                rules.validate().map_err(|error| at(1)(error.to_string()))?;
                let mut replay = battleship::Replay::new(rules, starter);
                Box::new(move |event| replay.step(event))
            }
            GameRules::Submarine(rules) => {
                let mut replay = submarine::Replay::new(rules, starter);
                Box::new(move |event| replay.step(event))
            }
        };
        for (index, event) in self.events.iter().enumerate() {
            step(event).map_err(at(index + 1))?;
        }
        drop(step);
        Ok(&self.events)
    }
}

/// The deployments of a recording, until both sides have had theirs.
struct Deployments<F> {
    placed: [Option<Option<F>>; 2],
    /// Both have had theirs, and there are no others in a game.
    judged: bool,
}

impl<F> Deployments<F> {
    const fn none() -> Self {
        Self { placed: [None, None], judged: false }
    }

    /// Takes a side's deployment, or none where it had no legal one, and once both are there says what to play with.
    fn take(&mut self, seat: Seat, placed: Option<F>) -> Result<Option<Deployed<F>>, String> {
        if self.judged || self.placed[seat.index()].replace(placed).is_some() {
            return Err("this side has deployed already".into());
        }
        if self.placed.iter().any(Option::is_none) {
            return Ok(None);
        }
        self.judged = true;
        Ok(Some(judge_deployments(self.placed.each_mut().map(|placed| placed.take().flatten()))))
    }
}

/// What both deployments came to: what to play with, or the end.
type Deployed<F> = Result<[F; 2], (Outcome, Reason)>;

/// The complaint about an event that another game has.
fn foreign(event: &Event) -> String {
    format!("this game has no such event: {event:?}")
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, recorded: &T, actual: &T) -> Result<(), String> {
    if recorded == actual {
        Ok(())
    } else {
        Err(format!("{what} is recorded as {recorded:?}, and by the rules it is {actual:?}"))
    }
}
