//! Decodes and validates the messages of a process that plays, which come from itself or through a worker.

use super::protocol::{LogChange, MESSAGE_BYTES_MAX, Message, Order, ProtocolError, is_of_component};
use arena_game_component::Step;
use arena_referee::{HostError, NoReply, Player, Reply, Trouble};
use arena_rules::Game;
use arena_rules::loaded::Loaded;
use arena_sandbox::Process;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

/// The longest log of a bot, in bytes. Chosen: the sandbox keeps 64 KiB, and marks and moments are short compared with
/// that.
const LOG_BYTES_MAX: usize = 512 << 10;

/// The part of a game's messages that is looked at beforehand, in bytes. Chosen: games of some thousand turns fit.
const FORESEEN_BYTES_MAX: usize = 1 << 20;

/// A process and what it has sent so far.
pub struct Connection {
    /// `None` when the messages came through a worker, and are all there.
    process: Option<Process>,
    heard: Vec<u8>,
    /// The number of bytes in front that have been understood.
    understood: usize,
    /// The messages that were understood, if they are to be passed on.
    recorded: Option<Vec<u8>>,
    /// The moment until which it must have answered.
    pub deadline: Instant,
    /// True once it has sent an invalid message, or is gone: it is not used any more.
    pub is_broken: bool,
    /// Only held: the process counts as one of its pool until then.
    _alive: Option<Arc<()>>,
}

impl Connection {
    /// A connection that begins, to a process that counts as alive as long as the connection holds this token.
    pub fn new(process: Process, deadline: Instant, alive: Arc<()>) -> Self {
        Self {
            process: Some(process),
            heard: Vec::new(),
            understood: 0,
            recorded: None,
            deadline,
            is_broken: false,
            _alive: Some(alive),
        }
    }

    /// A connection over messages that a process sent on another machine.
    pub fn replaying(messages: Vec<u8>) -> Self {
        let deadline = Instant::now();
        Self {
            process: None,
            heard: messages,
            understood: 0,
            recorded: None,
            deadline,
            is_broken: false,
            _alive: None,
        }
    }

    /// Starts recording the messages that are understood.
    pub fn record(&mut self) {
        self.recorded = Some(Vec::new());
    }

    /// Takes the recorded messages.
    pub fn take_recorded(&mut self) -> Vec<u8> {
        self.recorded.take().unwrap_or_default()
    }

    /// Checks that all messages were understood.
    ///
    /// # Errors
    /// There are more.
    pub fn end(&mut self) -> Result<(), HostError> {
        if self.understood < self.heard.len() {
            return Err(self.broken(ProtocolError::TooMuch));
        }
        Ok(())
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// The process is gone.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), HostError> {
        let sent = match &mut self.process {
            Some(process) => process.send(frame, self.deadline),
            None => Err(HostError::Process("there is no process to send to".into())),
        };
        self.is_broken |= sent.is_err();
        sent
    }

    /// The next message.
    ///
    /// # Errors
    /// The process is gone, or sends an invalid message.
    pub fn message<T: DeserializeOwned>(&mut self) -> Result<T, HostError> {
        loop {
            let rest = &self.heard[self.understood..];
            match postcard::take_from_bytes(rest) {
                Ok((message, after)) => {
                    let left = after.len();
                    self.understand(left);
                    return Ok(message);
                }
                Err(postcard::Error::DeserializeUnexpectedEnd) if rest.len() < MESSAGE_BYTES_MAX => {}
                Err(_) => return Err(self.broken(ProtocolError::NoMessage)),
            }
            self.receive()?;
        }
    }

    /// Notes that all except this number of bytes have been understood.
    fn understand(&mut self, left: usize) {
        let now = self.heard.len() - left;
        if let Some(recorded) = &mut self.recorded {
            recorded.extend_from_slice(&self.heard[self.understood..now]);
        }
        self.understood = now;
    }

    /// An action that a side was asked for, with its fuel.
    ///
    /// # Errors
    /// As of [`reply`](Self::reply).
    #[inline(always)]
    fn action<G: Game>(&mut self, fuel_max: u64) -> Result<Reply<G::Action>, NoReply> {
        // Nearly all messages are actions, and all others are large: by itself, an action is decoded in a third of the time.
        if let Some((&Message::<G>::ACTION, rest)) = self.heard[self.understood..].split_first()
            && let Ok(((answer, fuel_used), after)) = postcard::take_from_bytes::<(G::Action, u64)>(rest)
            && fuel_used <= fuel_max
        {
            let left = after.len();
            self.understand(left);
            return Ok(Reply { answer, fuel_used });
        }
        self.reply(fuel_max, |message: Message<G>| match message {
            Message::Action { answer, fuel } => Some((answer, fuel)),
            _ => None,
        })
    }

    /// The answers of the game that comes next, as changes of a loaded game, without understanding them: those up to its end, or as far
    /// as they are in the first megabyte. It waits for them. What is no message is found when it is read.
    ///
    /// # Errors
    /// The process is gone.
    pub fn foresee(&mut self) -> Result<Vec<Step>, HostError> {
        let (mut steps, mut at) = (Vec::new(), 0);
        while at < FORESEEN_BYTES_MAX {
            let rest = &self.heard[self.understood + at..];
            match postcard::take_from_bytes::<Message<Loaded>>(rest) {
                Ok((message, after)) => {
                    at += rest.len() - after.len();
                    match message {
                        Message::Action { answer, .. } => steps.push(Step::Action(answer)),
                        Message::Fault(fault) if fault.class.is_overrun() => steps.push(Step::Overrun),
                        _ => break,
                    }
                }
                Err(postcard::Error::DeserializeUnexpectedEnd) if rest.len() < MESSAGE_BYTES_MAX => {
                    if self.process.is_none() {
                        break;
                    }
                    self.receive()?;
                }
                Err(_) => break,
            }
        }
        Ok(steps)
    }

    /// Waits until the process sends more.
    ///
    /// # Errors
    /// It is gone, or has sent all.
    fn receive(&mut self) -> Result<(), HostError> {
        self.heard.drain(..self.understood);
        self.understood = 0;
        let received = match &mut self.process {
            Some(process) => process.receive(&mut self.heard, self.deadline),
            None => Err(HostError::Process("the words of a game end before the game does".into())),
        };
        self.is_broken |= received.is_err();
        received
    }

    /// The failure of a process that has sent an invalid message. It is not used any more.
    fn broken(&mut self, error: ProtocolError) -> HostError {
        self.is_broken = true;
        HostError::Process(Trouble::of(error))
    }

    /// The logs of a game that is over: the game of this order, or a board for `None`. The order is not recorded: messages that come
    /// through a worker are those of one game, and have none.
    ///
    /// # Errors
    /// The process says anything else, or has played another game.
    pub fn logs<G: Game>(&mut self, of: Option<Order>) -> Result<[String; 2], HostError> {
        let logs = match self.message::<Message<G>>()? {
            Message::Over { logs: [first, second] } => [self.log(&first)?, self.log(&second)?],
            _ => return Err(self.broken(ProtocolError::NotOver)),
        };
        if let (Some(of), Some(_)) = (of, &self.process) {
            let recorded = self.recorded.take();
            let played: Order = self.message()?;
            self.recorded = recorded;
            if played != of {
                return Err(self.broken(ProtocolError::OtherGame));
            }
        }
        Ok(logs)
    }

    /// A log as the process has sent it.
    ///
    /// # Errors
    /// It is longer than a log can be.
    pub fn log(&mut self, log: &str) -> Result<String, HostError> {
        if log.len() > LOG_BYTES_MAX {
            return Err(self.broken(ProtocolError::LongLog));
        }
        // It was already plain if the arena's code sent it.
        Ok(arena_text::lines(log))
    }

    /// Changes a log as the process reports.
    ///
    /// # Errors
    /// The change is of another log, or the new one is longer than a log can be.
    pub fn change(
        &mut self,
        log: &mut String,
        LogChange { kept, rest }: &LogChange,
    ) -> Result<(), HostError> {
        let kept = *kept as usize;
        let has_lines = log.get(..kept).is_some_and(|lines| lines.is_empty() || lines.ends_with('\n'));
        if !has_lines || kept + rest.len() > LOG_BYTES_MAX {
            return Err(self.broken(ProtocolError::OtherLog));
        }
        log.truncate(kept);
        log.push_str(&self.log(rest)?);
        Ok(())
    }

    /// True if it has sent more messages than it was asked for.
    pub fn has_more(&self) -> bool {
        self.understood < self.heard.len()
    }

    /// The answer that a side was asked for. `answer` takes it out of the message, with its fuel.
    ///
    /// # Errors
    /// A fault of the bot; or a failure of the arena, after which further messages of the process are unknown.
    pub fn reply<G: Game, T>(
        &mut self,
        fuel_max: u64,
        answer: impl FnOnce(Message<G>) -> Option<(T, u64)>,
    ) -> Result<Reply<T>, NoReply> {
        match self.message()? {
            Message::Fault(fault) if is_of_component(&fault) => Err(fault.into()),
            Message::Fault(_) => Err(self.broken(ProtocolError::NoFault).into()),
            Message::Failed(why) => Err(HostError::Process(why.to_string().into()).into()),
            Message::GameFailed(why) => Err(HostError::Game(why.to_string().into()).into()),
            message => match answer(message) {
                Some((answer, fuel_used)) if fuel_used <= fuel_max => Ok(Reply { answer, fuel_used }),
                Some(_) => Err(self.broken(ProtocolError::TooMuchFuel).into()),
                None => Err(self.broken(ProtocolError::OtherAnswer).into()),
            },
        }
    }
}

/// A side that plays in a process. The process has both sides of a game, and plays the same game with the same referee, so
/// its next message answers this question.
pub struct RemotePlayer<'a>(pub &'a RefCell<Connection>);

impl<G: Game> Player<G> for RemotePlayer<'_> {
    fn deploy(&mut self, _: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.0.borrow_mut().reply(fuel, |message: Message<G>| match message {
            Message::Deployment { answer, fuel } => Some((answer, fuel)),
            _ => None,
        })
    }

    #[inline(always)]
    fn play(&mut self, _: &G::Info, _: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        self.0.borrow_mut().action::<G>(fuel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_referee::{Fault, FaultClass};
    use arena_rules::Coord;
    use arena_rules::battleship::{Action, Battleship};

    const BUDGET: u64 = 1_000;

    /// A connection over one message.
    fn connection(message: &Message<Battleship>) -> Connection {
        Connection::replaying(postcard::to_allocvec(message).expect("it is plain data"))
    }

    /// The fuel of an action that was reported with this fuel; `None` when it is a violation.
    fn fuel_of_action(fuel: u64) -> Option<u64> {
        let answer = Action::Shot(Coord::new(1, 2));
        let mut connection = connection(&Message::Action { answer, fuel });
        let reply = connection.action::<Battleship>(BUDGET);
        assert_eq!(connection.is_broken, reply.is_err());
        reply.ok().map(|reply| reply.fuel_used)
    }

    /// The same of an answer that is not decoded in the quick way.
    fn fuel_of_reply(fuel: u64) -> Option<u64> {
        let mut connection = connection(&Message::Action { answer: Action::Skip, fuel });
        let reply = connection.reply(BUDGET, |message: Message<Battleship>| match message {
            Message::Action { answer, fuel } => Some((answer, fuel)),
            _ => None,
        });
        assert_eq!(connection.is_broken, reply.is_err());
        reply.ok().map(|reply| reply.fuel_used)
    }

    #[test]
    fn an_answer_has_at_most_the_fuel_of_its_budget() {
        for of_answer in [fuel_of_action, fuel_of_reply] {
            assert_eq!(of_answer(0), Some(0));
            assert_eq!(of_answer(BUDGET), Some(BUDGET));
            for more in [BUDGET + 1, BUDGET + 1_000_000, u64::MAX] {
                assert_eq!(of_answer(more), None, "{more}");
            }
        }
    }

    #[test]
    fn a_fault_that_no_component_can_have_is_a_violation() {
        for (class, is_possible) in [(FaultClass::Trap, true), (FaultClass::IllegalAction, false)] {
            let mut connection = connection(&Message::Fault(Fault::new(class, "it failed")));
            let reply = connection.action::<Battleship>(BUDGET);
            let is_fault = matches!(reply, Err(NoReply::Fault(_)));
            assert_eq!((is_fault, connection.is_broken), (is_possible, !is_possible), "{class}");
        }
    }
}
