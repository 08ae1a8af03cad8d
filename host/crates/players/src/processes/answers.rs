//! The answers of a process that plays, which come from itself or through a worker: they are validated here.

use super::protocol::{LogChange, Message, Order, ProtocolError, is_of_component};
use arena_loaded::Step;
use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::Game;
use arena_rules::loaded::Loaded;
use arena_sandbox::Connection;
use std::cell::RefCell;

/// The longest log of a bot, in bytes. Chosen: the sandbox keeps 64 KiB, and marks and moments are short compared with
/// that.
const LOG_BYTES_MAX: usize = 512 << 10;

/// The part of a game's messages that is looked at beforehand, in bytes. Chosen: games of some thousand turns fit.
const FORESEEN_BYTES_MAX: usize = 1 << 20;

/// An action that a side was asked for, with its fuel.
///
/// # Errors
/// As of [`reply`].
#[inline(always)]
fn action<G: Game>(connection: &mut Connection, fuel_max: u64) -> Result<Reply<G::Action>, NoReply> {
    // Nearly all messages are actions, and all others are large: by itself, an action is decoded in a third of the time.
    let pending = connection.pending();
    if let Some((&Message::<G>::ACTION, rest)) = pending.split_first()
        && let Ok(((answer, fuel_used), after)) = postcard::take_from_bytes::<(G::Action, u64)>(rest)
        && fuel_used <= fuel_max
    {
        let bytes = pending.len() - after.len();
        connection.understand(bytes);
        return Ok(Reply { answer, fuel_used });
    }
    reply(connection, fuel_max, |message: Message<G>| match message {
        Message::Action { answer, fuel } => Some((answer, fuel)),
        _ => None,
    })
}

/// The answers of the game that comes next, as changes of a loaded game, without understanding them: those up to its end, or as far as
/// they are in the first megabyte. It waits for them.
///
/// # Errors
/// The process is gone, or sends an invalid message.
pub fn foresee(connection: &mut Connection) -> Result<Vec<Step>, HostError> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while at < FORESEEN_BYTES_MAX {
        let (message, end) = connection.peek::<Message<Loaded>>(at)?;
        match message {
            Message::Action { answer, .. } => steps.push(Step::Action(answer)),
            Message::Fault(fault) if fault.class.is_overrun() => steps.push(Step::Overrun),
            _ => break,
        }
        at = end;
    }
    Ok(steps)
}

/// The logs of a game that is over: the game of this order, or a board for `None`. The order is not recorded: messages that come through
/// a worker are those of one game, and have none.
///
/// # Errors
/// The process says anything else, or has played another game.
pub fn logs<G: Game>(connection: &mut Connection, of: Option<Order>) -> Result<[String; 2], HostError> {
    let logs = match connection.message::<Message<G>>()? {
        Message::Over { logs: [first, second] } => [log(connection, &first)?, log(connection, &second)?],
        _ => return Err(connection.broken(ProtocolError::NotOver)),
    };
    if let (Some(of), Some(_)) = (of, connection.process_id())
        && connection.unrecorded_message::<Order>()? != of
    {
        return Err(connection.broken(ProtocolError::OtherGame));
    }
    Ok(logs)
}

/// A log as the process has sent it.
fn log(connection: &mut Connection, log: &str) -> Result<String, HostError> {
    if log.len() > LOG_BYTES_MAX {
        return Err(connection.broken(ProtocolError::LongLog));
    }
    // It was already plain if the arena's code sent it.
    Ok(arena_text::lines(log))
}

/// Changes a log as the process reports.
///
/// # Errors
/// The change is of another log, or the new one is longer than a log can be.
pub fn change_log(
    connection: &mut Connection,
    old: &mut String,
    LogChange { kept, rest }: &LogChange,
) -> Result<(), HostError> {
    let kept = *kept as usize;
    let has_lines = old.get(..kept).is_some_and(|lines| lines.is_empty() || lines.ends_with('\n'));
    if !has_lines || kept + rest.len() > LOG_BYTES_MAX {
        return Err(connection.broken(ProtocolError::OtherLog));
    }
    old.truncate(kept);
    old.push_str(&log(connection, rest)?);
    Ok(())
}

/// The answer that a side was asked for. `answer` takes it out of the message, with its fuel.
///
/// # Errors
/// A fault of the bot; or a failure of the arena, after which further messages of the process are unknown.
pub fn reply<G: Game, T>(
    connection: &mut Connection,
    fuel_max: u64,
    answer: impl FnOnce(Message<G>) -> Option<(T, u64)>,
) -> Result<Reply<T>, NoReply> {
    match connection.message()? {
        Message::Fault(fault) if is_of_component(&fault) => Err(fault.into()),
        Message::Fault(_) => Err(connection.broken(ProtocolError::NoFault).into()),
        Message::Failed(why) => Err(HostError::Process(why.to_string().into()).into()),
        Message::GameFailed(why) => Err(HostError::Game(why.to_string().into()).into()),
        message => match answer(message) {
            Some((answer, fuel_used)) if fuel_used <= fuel_max => Ok(Reply { answer, fuel_used }),
            Some(_) => Err(connection.broken(ProtocolError::TooMuchFuel).into()),
            None => Err(connection.broken(ProtocolError::OtherAnswer).into()),
        },
    }
}

/// A side that plays in a process. The process has both sides of a game, and plays the same game with the same referee, so
/// its next message answers this question.
pub struct RemotePlayer<'a>(pub &'a RefCell<Connection>);

impl<G: Game> Player<G> for RemotePlayer<'_> {
    fn deploy(&mut self, _: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        reply(&mut self.0.borrow_mut(), fuel, |message: Message<G>| match message {
            Message::Deployment { answer, fuel } => Some((answer, fuel)),
            _ => None,
        })
    }

    #[inline(always)]
    fn play(&mut self, _: &G::Info, _: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        action::<G>(&mut self.0.borrow_mut(), fuel)
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
        let reply = action::<Battleship>(&mut connection, BUDGET);
        assert_eq!(connection.is_broken, reply.is_err());
        reply.ok().map(|reply| reply.fuel_used)
    }

    /// The same of an answer that is not decoded in the quick way.
    fn fuel_of_reply(fuel: u64) -> Option<u64> {
        let mut connection = connection(&Message::Action { answer: Action::Skip, fuel });
        let reply = reply(&mut connection, BUDGET, |message: Message<Battleship>| match message {
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
    fn the_steps_that_are_foreseen_are_those_up_to_the_end_of_the_game() {
        let action = |answer: &str| Message::<Loaded>::Action { answer: answer.into(), fuel: 1 };
        let over = |class| Message::<Loaded>::Fault(Fault::new(class, "it failed"));
        let end = Message::<Loaded>::Over { logs: [String::new(), String::new()] };
        let foreseen = |messages: &[&Message<Loaded>]| {
            let bytes = messages.iter().flat_map(|it| postcard::to_allocvec(it).expect("it is plain data"));
            let mut connection = Connection::replaying(bytes.collect());
            let steps = foresee(&mut connection).expect("they are whole");
            let left = connection.message::<Message<Loaded>>().expect("nothing was understood");
            assert_eq!(format!("{left:?}"), format!("{:?}", messages[0]));
            steps
                .into_iter()
                .map(|step| match step {
                    Step::Action(action) => action,
                    Step::Overrun => "overrun".into(),
                })
                .collect::<Vec<String>>()
                .join(", ")
        };
        let [a, b] = ["a1", "b2"].map(action);
        let late = over(FaultClass::OutOfFuel);
        assert_eq!(foreseen(&[&a, &late, &b, &end, &a]), "a1, overrun, b2");
        assert_eq!(foreseen(&[&b, &over(FaultClass::Trap), &a]), "b2");
        assert_eq!(foreseen(&[&end, &a]), "");
    }

    #[test]
    fn a_fault_that_no_component_can_have_is_a_violation() {
        for (class, is_possible) in [(FaultClass::Trap, true), (FaultClass::IllegalAction, false)] {
            let mut connection = connection(&Message::Fault(Fault::new(class, "it failed")));
            let reply = action::<Battleship>(&mut connection, BUDGET);
            let is_fault = matches!(reply, Err(NoReply::Fault(_)));
            assert_eq!((is_fault, connection.is_broken), (is_possible, !is_possible), "{class}");
        }
    }

    #[test]
    fn a_log_and_a_changed_one_have_a_bounded_length() {
        let line = "x".repeat(LOG_BYTES_MAX);
        for (length, is_taken) in [(LOG_BYTES_MAX, true), (LOG_BYTES_MAX + 1, false)] {
            let mut over = connection(&Message::Over { logs: ["x".repeat(length), String::new()] });
            assert_eq!(logs::<Battleship>(&mut over, None).is_ok(), is_taken, "{length}");
            let (mut old, rest) = ("one\n".to_owned(), line[..length - 4].to_owned());
            let mut changed = Connection::replaying(Vec::new());
            let change = change_log(&mut changed, &mut old, &LogChange { kept: 4, rest });
            assert_eq!((change.is_ok(), changed.is_broken), (is_taken, !is_taken), "{length}");
        }
    }

    #[test]
    fn only_whole_lines_of_a_log_stay() {
        for (kept, is_taken) in [(0, true), (4, true), (3, false), (5, false)] {
            let mut old = "one\n".to_owned();
            let change = LogChange { kept, rest: "two".into() };
            let changed = change_log(&mut Connection::replaying(Vec::new()), &mut old, &change);
            assert_eq!(changed.is_ok(), is_taken, "{kept}");
        }
    }
}
