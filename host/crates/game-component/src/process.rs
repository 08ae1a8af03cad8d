//! Work with a game in a confined process: the arena sends an order, and the process answers. The arena believes nothing: what it gets is
//! bounded, and its texts are made plain when they are read.

use crate::about::About;
use crate::fault::{Error, GameFault};
use crate::game::Game;
use crate::trial::{self, Trial};
use crate::wit_text::wit_text;
use arena_referee::HostError;
use arena_sandbox::{Component, Process, Sandbox, Wire};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The longest message, in bytes. Chosen: a trial of a million games has 4 MB.
const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// The time for the next message. Chosen: a process reports every few calls, and each call has 30 seconds at most.
const MESSAGE_TIME_MAX: Duration = Duration::from_secs(300);

/// The task of a process with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Print the contract with its bots.
    Wit,
    /// Play a trial of this number of games.
    Trial(u32),
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
    /// The contract with its bots, if that was ordered: a WIT document.
    pub wit: Option<String>,
    /// The trial, if that was ordered.
    pub trial: Option<Trial>,
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
    if !sandbox.has_processes() {
        return carry_out(component, order, go_on);
    }
    let mut process = sandbox.start_component(component)?;
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
pub fn serve(component: &Component, wire: &mut Wire) -> Result<(), String> {
    wire.set_live(true);
    let order: Order = read(wire)?;
    let mut failed = None;
    let done = carry_out(component, order, |games| {
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

fn carry_out(component: &Component, order: Order, go_on: impl FnMut(u32) -> bool) -> Result<Answer, Error> {
    let game = Game::new(component.clone())?;
    let mut answer = Answer {
        about: game.about().clone(),
        lists_actions: game.lists_actions(),
        resamples: game.resamples(),
        wit: None,
        trial: None,
    };
    match order {
        Order::Wit => answer.wit = Some(wit_text(&game)),
        Order::Trial(games) => answer.trial = Some(trial::play(&game, games, go_on)?),
    }
    Ok(answer)
}

/// A message with its length before it, in four bytes, little-endian.
fn frame(message: &impl Serialize) -> Vec<u8> {
    let content = serde_json::to_vec(message).expect("a message is plain data");
    let length = u32::try_from(content.len()).expect("a message is short");
    [length.to_le_bytes().as_slice(), &content].concat()
}

fn say(wire: &mut Wire, message: &Message) -> Result<(), String> {
    wire.buffer().extend(frame(message));
    wire.written().map_err(|error| format!("it cannot answer: {error}"))
}

fn read<T: DeserializeOwned>(wire: &mut Wire) -> Result<T, String> {
    let cannot = |error: std::io::Error| format!("it cannot read: {error}");
    let mut length = [0; 4];
    if !wire.read(&mut length).map_err(cannot)? {
        return Err("the arena is gone".to_owned());
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
