//! The places where the code of a game runs: this process, and processes that have states of it.

use crate::fault::Error;
use crate::game::Game;
use crate::position::{CodeHost, GameSoFar, other_answer};
use crate::process::{MESSAGE_BYTES_MAX, MESSAGE_TIME_MAX, Order};
use crate::questions::{Begin, Live, Question, Request, Response, Step, Stepped, Turn};
use arena_referee::HostError;
use arena_rules::loaded::Observed;
use arena_rules::{Failure, Seat};
use arena_sandbox::{Component, Connection, MessageError, Pool, PoolLimits, Sandbox, frame_of};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest text about a failure, in characters. Chosen: five lines of a terminal.
const FAILURE_CHARS_MAX: usize = 400;

impl CodeHost for Game {
    type Live = Live;

    fn begin(&self, begin: &Begin) -> Result<(Live, Turn), Failure> {
        let live = Live::after(self, begin)?;
        let turn = live.turn().clone();
        Ok((live, turn))
    }

    fn ask(
        &self,
        live: &mut Option<Live>,
        past: &GameSoFar,
        question: &Question,
    ) -> Result<Response, Failure> {
        Ok(self.live(live, past)?.answer(question)?)
    }

    /// The observation as the game has it, for a bot in the same process.
    fn observe(
        &self,
        live: &mut Option<Live>,
        past: &GameSoFar,
        viewer: Seat,
    ) -> Result<Box<dyn Observed>, Failure> {
        Ok(Box::new(self.live(live, past)?.state().observation(viewer)?))
    }
}

impl Game {
    fn live<'l>(&self, live: &'l mut Option<Live>, past: &GameSoFar) -> Result<&'l mut Live, Failure> {
        if live.is_none() {
            let again = Live::after(self, &past.begin())?;
            past.check(again.turn())?;
            *live = Some(again);
        }
        Ok(live.as_mut().expect("it is there"))
    }
}

/// The processes with a game's code, of which each has a few states at a time.
pub struct Games {
    pool: Pool,
    /// The number of states that were begun.
    states: AtomicU64,
}

/// A state in one of the processes.
pub struct Remote {
    number: u64,
    process: Option<u32>,
    /// The answers to the next changes. The state in the process has gone through them already.
    foreseen: VecDeque<(Step, Result<Stepped, Failure>)>,
}

impl Games {
    pub fn new(sandbox: &Sandbox, component: &Component) -> Self {
        let (sandbox, component) = (sandbox.clone(), component.clone());
        let start = move || sandbox.start_components(&[&component]);
        let task = postcard::to_allocvec(&Order::Play).expect("an order is plain data");
        let limits = PoolLimits { order_max: MESSAGE_TIME_MAX, message_bytes_max: MESSAGE_BYTES_MAX };
        Self { pool: Pool::new(start, &task, limits), states: AtomicU64::new(0) }
    }

    /// A number for another state.
    fn number(&self) -> u64 {
        self.states.fetch_add(1, Ordering::Relaxed)
    }
}

/// Has a process answer a request.
fn exchange(connection: &mut Connection, request: &Request) -> Result<Result<Response, Failure>, HostError> {
    connection.send(&frame_of(request))?;
    let response: Result<Response, Failure> = connection.message()?;
    if connection.has_more() {
        return Err(connection.broken(MessageError::TooMany));
    }
    Ok(response.map_err(plain))
}

/// A failure that a process reports.
fn plain(failure: Failure) -> Failure {
    let line = |why: String| arena_text::line(&why, FAILURE_CHARS_MAX);
    match failure {
        Failure::Game(why) => Failure::Game(line(why)),
        Failure::Arena(why) => Failure::Arena(line(why)),
    }
}

impl CodeHost for Games {
    type Live = Remote;

    fn begin(&self, begin: &Begin) -> Result<(Remote, Turn), Failure> {
        let number = self.number();
        let request = Request::Begin(number, begin.clone());
        let begun = self.pool.carry_out(None, |connection| {
            let mut connection = connection.borrow_mut();
            Ok((exchange(&mut connection, &request)?, connection.process_id()))
        });
        let (response, process) = begun.map_err(Error::from)?;
        let Response::Begun(turn, stepped) = response? else { return Err(other_answer()) };
        let foreseen = begin.foreseen.iter().cloned().zip(stepped).collect();
        Ok((Remote { number, process, foreseen }, turn))
    }

    fn ask(
        &self,
        live: &mut Option<Remote>,
        past: &GameSoFar,
        question: &Question,
    ) -> Result<Response, Failure> {
        if let (Question::Step(step), Some(live)) = (question, &mut *live)
            && live.foreseen.front().is_some_and(|(foreseen, _)| foreseen == step)
            && let Some((_, stepped)) = live.foreseen.pop_front()
        {
            return stepped.map(Response::Stepped).map_err(plain);
        }
        // With other steps foreseen, the state in the process is one of the future.
        let there = live.take().filter(|live| live.foreseen.is_empty());
        let (number, process) = there.map_or_else(|| (self.number(), None), |it| (it.number, it.process));
        let ask = |number| Request::Ask(number, question.clone());
        let asked = self.pool.carry_out(process, |connection| {
            let mut connection = connection.borrow_mut();
            let id = connection.process_id();
            let mut number = number;
            let mut response = exchange(&mut connection, &ask(number))?;
            if let Ok(Response::NotHere) = response {
                // Under its number, another process may still have the state as it was, and be asked later.
                number = self.number();
                response = match exchange(&mut connection, &Request::Begin(number, past.begin()))? {
                    Ok(Response::Begun(turn, _)) => match past.check(&turn) {
                        Ok(()) => exchange(&mut connection, &ask(number))?,
                        Err(failure) => Err(failure),
                    },
                    Ok(_) => Err(other_answer()),
                    Err(failure) => Err(failure),
                };
            }
            Ok((response, number, id))
        });
        let (response, number, process) = asked.map_err(Error::from)?;
        *live = Some(Remote { number, process, foreseen: VecDeque::new() });
        response
    }

    fn observe(
        &self,
        live: &mut Option<Remote>,
        past: &GameSoFar,
        viewer: Seat,
    ) -> Result<Box<dyn Observed>, Failure> {
        match self.ask(live, past, &Question::Observe(viewer))? {
            Response::Text(text) => Ok(Box::new(text)),
            _ => Err(other_answer()),
        }
    }
}
