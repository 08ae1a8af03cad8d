//! A person as a player: the referee's questions go to the screen, and the person's decisions come back.

use arena_record::{BotId, Label, Name};
use arena_referee::{Fault, FaultClass, HostError, NoReply, Player, Reply};
use arena_rules::{Game, Seat};
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

/// A question of the referee to a person.
#[derive(Clone, Debug)]
pub enum Question<G: Game> {
    /// The deployment, with the information about the game.
    Deployment(G::Info),
    /// The next action.
    Action,
}

/// The decision of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<G: Game> {
    /// A deployment.
    Deployment(G::Deployment),
    /// An action.
    Action(G::Action),
    /// A resignation.
    Resign,
}

/// A person as an entrant of a game. A person has no component, and so no hash.
pub fn person_id(label: Label) -> BotId {
    let name = label.as_str().into();
    BotId { label, name, sha256: Name::default() }
}

/// The time that a screen gives a person for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As long as the screen is there.
    Forever,
    /// Until this time.
    Until(Instant),
}

/// Passes a question of the person at a seat to the screen; `None` when the screen is gone.
type Ask<G> = dyn Fn(Seat, Question<G>) -> Option<Patience> + Send;

/// A person at a screen, as a player. The referee asks it like any player: a person has no fuel, and no clock unless the screen has one.
///
/// A person who resigns loses by a fault. When the screen is gone, or its time is over, the game ends without a result.
pub struct Person<G: Game> {
    seat: Seat,
    ask: Box<Ask<G>>,
    decisions: Receiver<Decision<G>>,
}

impl<G: Game> fmt::Debug for Person<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl<G: Game> Person<G> {
    /// The person at a seat, and the screen's end of the channel for the decisions. `ask` passes a question to the screen; it returns `None`
    /// when the screen is gone.
    pub fn new(
        seat: Seat,
        ask: impl Fn(Seat, Question<G>) -> Option<Patience> + Send + 'static,
    ) -> (Self, Sender<Decision<G>>) {
        let (decide, decisions) = channel();
        (Self { seat, ask: Box::new(ask), decisions }, decide)
    }

    fn ask(&self, question: Question<G>) -> Result<Decision<G>, NoReply> {
        match (self.ask)(self.seat, question).ok_or(NoReply::Left)? {
            Patience::Forever => self.decisions.recv().map_err(|_| NoReply::Left),
            Patience::Until(end) => {
                let time = end.saturating_duration_since(Instant::now());
                self.decisions.recv_timeout(time).map_err(|_| NoReply::Left)
            }
        }
    }
}

/// The reason why a person gave no answer of the kind that was asked for.
fn no_answer<G: Game>(decision: &Decision<G>) -> NoReply {
    match decision {
        Decision::Resign => Fault::new(FaultClass::Resigned, "resigned").into(),
        other => HostError::Defect(format!("the screen was not asked for {other:?}").into()).into(),
    }
}

impl<G: Game> Player<G> for Person<G> {
    fn deploy(&mut self, game: &G::Info, _fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        match self.ask(Question::Deployment(game.clone()))? {
            Decision::Deployment(answer) => Ok(Reply { answer, fuel_used: 0 }),
            other => Err(no_answer(&other)),
        }
    }

    fn play(&mut self, _game: &G::Info, _view: &G::View, _fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        match self.ask(Question::Action)? {
            Decision::Action(answer) => Ok(Reply { answer, fuel_used: 0 }),
            other => Err(no_answer(&other)),
        }
    }
}
