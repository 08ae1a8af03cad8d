//! Work with a game in a confined process: the arena sends an order, and the process answers. The arena believes nothing: what it gets is
//! bounded, and its texts are made plain when they are read.

use crate::bot_contract::bot_contract;
use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Game;
use crate::play::{self, Ask, Begin, Request, STATES_MAX, Told, Turn};
use crate::trial::{self, Trial};
use arena_referee::HostError;
use arena_rules::loaded::{About, BotContract};
use arena_rules::{Failure, Seat};
use arena_sandbox::{Component, Process, Sandbox, Wire};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The longest message, in bytes. Chosen: a trial of a million games has 4 MB.
const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// The time for the next message. Chosen: a process reports every few calls, and each call has 30 seconds at most.
const MESSAGE_TIME_MAX: Duration = Duration::from_secs(300);

/// The number of bots whose types are compared in one process. Chosen: their code takes little memory, and a process starts in 20 ms.
const BOTS_AT_ONCE_MAX: usize = 32;

/// The longest text about a failure, in characters. Chosen: five lines of a terminal.
const FAILURE_CHARS_MAX: usize = 400;

/// The end of the arena's messages.
pub const GONE: &str = "the arena is gone";

/// The task of a process with a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Describe it.
    About,
    /// Begin it with these values of its options.
    Begin(Vec<(String, i64)>),
    /// Compare the types of bots with its own.
    Bots,
    /// Have states of it, and answer questions about them.
    Play,
    /// Read the contract with its bots.
    Contract,
    /// Play a trial of this number of games, with these values of options in all of them.
    Trial(u32, Vec<(String, i64)>),
}

/// The answer to an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The facts about the game.
    pub about: About,
    /// True if it lists the legal actions.
    pub lists_actions: bool,
    /// True if it draws again what is hidden.
    pub resamples: bool,
    /// The reason why it refuses the values of its options together, if it was to begin with some and does.
    pub refused: Option<String>,
    /// The contract with its bots, if that was ordered. It has been checked.
    pub contract: Option<BotContract>,
    /// The trial, if that was ordered.
    pub trial: Option<Trial>,
    /// For each bot, how it differs from a bot for this game, if that was ordered.
    pub bots: Vec<Result<(), String>>,
}

/// A message of the process.
#[derive(Serialize, Deserialize)]
enum Message {
    /// It is alive, and has played this number of games.
    Beat(u32),
    /// The answer, or the fault that the game has before it can be played.
    Answer(Result<Box<Answer>, GameFault>),
    /// The arena failed.
    Failed(String),
}

/// Does what is ordered with a game of a sandbox: in a confined process, or in this one if the sandbox has none. `go_on` is called with the
/// number of games that were played; the work ends early when it returns false.
///
/// # Errors
/// The fault of a game that cannot be played at all, or a failure of the arena.
pub fn run(
    sandbox: &Sandbox,
    component: &Component,
    order: Order,
    mut go_on: impl FnMut(u32) -> bool,
) -> Result<Answer, Error> {
    let mut answer = run_with(sandbox, &[component], order, &mut go_on)?;
    if let Some(found) = answer.trial.as_mut().and_then(|trial| trial.fault.as_mut()) {
        found.course = found.course.clone().plain();
    }
    if let Some(wrong) = answer.contract.as_ref().and_then(|contract| contract.check().err()) {
        return Err(GameFault::new(FaultKind::WrongTypes, "bot", wrong.to_string()).into());
    }
    Ok(answer)
}

/// Checks, for each of these bots, that it exports the interface of the game's bots, with the same types. The inner error is the first
/// difference, as a sentence about the bot.
pub fn compare(
    sandbox: &Sandbox,
    game: &Component,
    bots: &[Component],
) -> Result<Vec<Result<(), String>>, Error> {
    let mut checked = Vec::new();
    for some in bots.chunks(BOTS_AT_ONCE_MAX) {
        let components: Vec<&Component> = [game].into_iter().chain(some).collect();
        let found = run_with(sandbox, &components, Order::Bots, &mut |_| true)?.bots;
        if found.len() != some.len() {
            return Err(HostError::Process("a process with a game compared other bots".into()).into());
        }
        checked.extend(found.into_iter().map(|it| it.map_err(|why| arena_text::line(&why, 300))));
    }
    Ok(checked)
}

fn run_with(
    sandbox: &Sandbox,
    components: &[&Component],
    order: Order,
    go_on: &mut dyn FnMut(u32) -> bool,
) -> Result<Answer, Error> {
    if !sandbox.has_processes() {
        let components: Vec<Component> = components.iter().map(|it| (*it).clone()).collect();
        return carry_out(&components, order, go_on);
    }
    let mut process = sandbox.start_components(components)?;
    let deadline = || Instant::now() + MESSAGE_TIME_MAX;
    process.send(&frame(&order), deadline())?;
    let mut heard = Vec::new();
    loop {
        match receive::<Message>(&mut process, &mut heard, deadline())? {
            Message::Beat(games) => {
                let goes_on = go_on(games);
                process.send(&frame(&goes_on), deadline())?;
            }
            Message::Answer(answer) => return answer.map(|answer| *answer).map_err(Error::Game),
            Message::Failed(what) => {
                return Err(HostError::Process(arena_text::line(&what, 200).into()).into());
            }
        }
    }
}

/// The work of a process that [`component_main_if_asked`](arena_sandbox::component_main_if_asked) starts.
///
/// # Errors
/// The arena sends nonsense, or is gone.
pub fn serve(components: &[Component], wire: &mut Wire) -> Result<(), String> {
    let order: Order = read(wire)?;
    if order == Order::Play {
        let [component] = components else { return Err("it has several games".into()) };
        return play::serve(Game::new(component.clone()), wire);
    }
    wire.set_live(true);
    let mut failed = None;
    let done = carry_out(components, order, &mut |games| {
        let told = say(wire, &Message::Beat(games)).and_then(|()| read::<bool>(wire));
        told.unwrap_or_else(|why| {
            failed = Some(why);
            false
        })
    });
    if let Some(why) = failed {
        return Err(why);
    }
    say(
        wire,
        &match done {
            Ok(answer) => Message::Answer(Ok(Box::new(answer))),
            Err(Error::Game(fault)) => Message::Answer(Err(fault)),
            Err(Error::Host(error)) => Message::Failed(error.to_string()),
        },
    )
}

fn carry_out(
    components: &[Component],
    order: Order,
    go_on: &mut dyn FnMut(u32) -> bool,
) -> Result<Answer, Error> {
    let [component, bots @ ..] = components else {
        return Err(HostError::Defect("there is no game".into()).into());
    };
    let game = Game::new(component.clone())?;
    let mut answer = Answer {
        about: game.about().clone(),
        lists_actions: game.lists_actions(),
        resamples: game.resamples(),
        refused: None,
        contract: None,
        trial: None,
        bots: Vec::new(),
    };
    match order {
        Order::About | Order::Play => {}
        Order::Begin(settings) => {
            // Any seed and starter: a game cannot know before it begins which it gets.
            answer.refused = game.start(&settings, 0, Seat::First)?.err();
        }
        Order::Bots => {
            answer.bots = bots.iter().map(|bot| game.check_bot(bot)).collect::<Result<_, _>>()?;
        }
        Order::Contract => answer.contract = Some(bot_contract(&game)),
        Order::Trial(games, settings) => {
            answer.trial = Some(trial::play(&game, games, &settings, go_on)?);
        }
    }
    Ok(answer)
}

/// A message with its length before it, in four bytes, little-endian.
fn frame(message: &impl Serialize) -> Vec<u8> {
    let content = serde_json::to_vec(message).expect("a message is plain data");
    let length = u32::try_from(content.len()).expect("a message is short");
    [length.to_le_bytes().as_slice(), &content].concat()
}

pub fn say(wire: &mut Wire, message: &impl Serialize) -> Result<(), String> {
    wire.buffer().extend(frame(message));
    wire.written().map_err(|error| format!("it cannot answer: {error}"))
}

pub fn read<T: DeserializeOwned>(wire: &mut Wire) -> Result<T, String> {
    let cannot = |error: std::io::Error| format!("it cannot read: {error}");
    let mut length = [0; 4];
    if !wire.read(&mut length).map_err(cannot)? {
        return Err(GONE.to_owned());
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MESSAGE_BYTES_MAX {
        return Err(format!("a message of {length} bytes"));
    }
    let mut content = vec![0; length];
    wire.read(&mut content).map_err(cannot)?;
    serde_json::from_slice(&content).map_err(|error| format!("a wrong message: {error}"))
}

/// The next message of a process, of which `heard` has the beginning.
fn receive<T: DeserializeOwned>(
    process: &mut Process,
    heard: &mut Vec<u8>,
    deadline: Instant,
) -> Result<T, HostError> {
    let nonsense = || HostError::Process("a process with a game sends an invalid message".into());
    loop {
        if let Some((length, rest)) = heard.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            if length > MESSAGE_BYTES_MAX {
                return Err(nonsense());
            }
            if let Some(content) = rest.get(..length) {
                let message = serde_json::from_slice(content).map_err(|_| nonsense())?;
                heard.drain(..4 + length);
                return Ok(message);
            }
        }
        process.receive(heard, deadline)?;
    }
}

/// A process that has states of a game.
pub struct Link {
    process: Process,
    heard: Vec<u8>,
    /// The numbers of its states, the oldest first.
    states: VecDeque<u64>,
    is_broken: bool,
}

impl Link {
    pub fn start(sandbox: &Sandbox, component: &Component) -> Result<Self, HostError> {
        let mut process = sandbox.start_components(&[component])?;
        process.send(&frame(&Order::Play), Instant::now() + MESSAGE_TIME_MAX)?;
        Ok(Self { process, heard: Vec::new(), states: VecDeque::new(), is_broken: false })
    }

    /// True once it has failed.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// True if it has this state.
    pub fn has(&self, number: u64) -> bool {
        self.states.contains(&number)
    }

    /// Begins a state, in the place of the oldest one if there is no room.
    pub fn begin(&mut self, number: u64, begin: &Begin) -> Result<(Turn, Vec<Told>), Failure> {
        let old = if self.states.len() < STATES_MAX { None } else { self.states.pop_front() };
        match self.request(&Request::Begin(number, old, begin.clone()))? {
            Told::Begun(turn, told) => {
                self.states.push_back(number);
                Ok((turn, told))
            }
            _ => {
                self.is_broken = true;
                Err(nonsense())
            }
        }
    }

    /// Asks about a state that it has.
    pub fn ask(&mut self, number: u64, ask: &Ask) -> Result<Told, Failure> {
        self.request(&Request::Ask(number, ask.clone()))
    }

    fn request(&mut self, request: &Request) -> Result<Told, Failure> {
        let deadline = Instant::now() + MESSAGE_TIME_MAX;
        let sent = self.process.send(&frame(request), deadline);
        let told = sent.and_then(|()| receive(&mut self.process, &mut self.heard, deadline));
        match told {
            Ok(told) => sound(told),
            Err(error) => {
                self.is_broken = true;
                Err(Error::from(error).into())
            }
        }
    }
}

/// An answer of a game that has not failed.
pub fn sound(told: Told) -> Result<Told, Failure> {
    match told {
        Told::Failed(Failure::Game(why)) => Err(Failure::Game(arena_text::line(&why, FAILURE_CHARS_MAX))),
        Told::Failed(Failure::Arena(why)) => Err(Failure::Arena(arena_text::line(&why, FAILURE_CHARS_MAX))),
        told => Ok(told),
    }
}

/// The failure of a process that answers another question.
pub fn nonsense() -> Failure {
    Failure::Arena("a process with a game sends another answer than the one that was asked for".into())
}
