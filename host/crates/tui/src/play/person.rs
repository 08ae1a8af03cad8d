//! A person as a player: the referee's questions go to the screen, and the person's decisions come back.

use crate::on_screen::{Decision, OnScreen};
use arena_referee::{Fault, FaultClass, HostError, NoReply, Player, Reply};
use arena_rules::{Game, Seat};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A question of the referee to a person.
#[derive(Clone, Debug)]
pub(crate) enum Question<G: Game> {
    /// The deployment, with the information about the game.
    Deployment(G::Info),
    /// The next action.
    Action,
}

/// A person at the keyboard, as a player. The referee asks it like any player, and waits for as long as the person
/// thinks: a person has no fuel and no clock.
///
/// A person who resigns loses by a fault. When the screen is gone, the game ends without a result.
#[derive(Debug)]
pub struct Person<G: Game> {
    seat: Seat,
    questions: Sender<(Seat, Question<G>)>,
    decisions: Receiver<Decision<G>>,
}

impl<G: Game> Person<G> {
    /// The person at a seat, whose questions go to the screen by this channel, and the screen's end of the one for the decisions.
    pub(crate) fn new(seat: Seat, questions: Sender<(Seat, Question<G>)>) -> (Self, Sender<Decision<G>>) {
        let (decide, decisions) = channel();
        (Self { seat, questions, decisions }, decide)
    }

    fn ask(&self, question: Question<G>) -> Result<Decision<G>, NoReply> {
        self.questions.send((self.seat, question)).map_err(|_| NoReply::Left)?;
        self.decisions.recv().map_err(|_| NoReply::Left)
    }
}

/// The reason why a person gave no answer of the kind that was asked for.
fn no_answer<G: Game>(decision: &Decision<G>) -> NoReply {
    match decision {
        Decision::Resign => Fault::new(FaultClass::Resigned, "resigned").into(),
        other => HostError::Defect(format!("the screen was not asked for {other:?}").into()).into(),
    }
}

impl<G: OnScreen> Player<G> for Person<G> {
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
