//! Work with a game in a confined process: the arena sends an order, and the process answers. The arena believes nothing: what it gets is
//! bounded, and its texts are made plain when they are read.

use crate::bot_contract::bot_contract;
use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Game;
use crate::questions;
use crate::random_games::{self, RandomGames};
use crate::trial::{self, Progress, Trial};
use arena_referee::HostError;
use arena_rules::Seat;
use arena_rules::loaded::{About, BotContract};
use arena_sandbox::{Bot, Component, Connection, Sandbox, Wire, frame_of};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The longest message, in bytes. Chosen: a trial of a million games has 4 MB.
pub const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// The time for the next message. Chosen: a process reports every few calls, and each call has 30 seconds at most.
pub const MESSAGE_TIME_MAX: Duration = Duration::from_secs(300);

/// The number of bots whose types are compared in one process. Chosen: their code takes little memory, and a process starts in 20 ms.
const BOTS_AT_ONCE_MAX: usize = 32;

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
    /// Play this number of games with random actions, with these values of all options and this seed.
    Random(u32, Vec<(String, i64)>, u64),
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
    #[serde(with = "as_json")]
    pub contract: Option<BotContract>,
    /// The trial, if that was ordered.
    pub trial: Option<Trial>,
    /// The games with random actions, if they were ordered.
    pub random: Option<RandomGames>,
    /// For each bot, how it differs from a bot for this game, if that was ordered.
    pub bots: Vec<Result<(), String>>,
}

/// Types of bots are nested, and the reader of JSON bounds the depth.
mod as_json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
    }

    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// A message of the process.
#[derive(Serialize, Deserialize)]
enum Message {
    /// It is alive, and so far in its trial.
    Beat(Progress),
    /// The answer, or the fault that the game has before it can be played.
    Answer(Result<Box<Answer>, GameFault>),
    /// The arena failed.
    Failed(String),
}

/// Does what is ordered with a game of a sandbox: in a confined process, or in this one if the sandbox has none. `go_on` is called with the
/// progress of a trial; the work ends early when it returns false.
///
/// # Errors
/// The fault of a game that cannot be played at all, or a failure of the arena.
pub fn run(
    sandbox: &Sandbox,
    component: &Component,
    order: Order,
    mut go_on: impl FnMut(Progress) -> bool,
) -> Result<Answer, Error> {
    let mut answer = run_with(sandbox, &[component], order, &mut go_on)?;
    if let Some(found) = answer.trial.as_mut().and_then(|trial| trial.fault.as_mut()) {
        found.reproduction = found.reproduction.clone().plain();
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
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Answer, Error> {
    if !sandbox.has_processes() {
        let components: Vec<Component> = components.iter().map(|it| (*it).clone()).collect();
        return carry_out(&components, order, go_on);
    }
    let process = sandbox.start_components(components)?;
    let deadline = || Instant::now() + MESSAGE_TIME_MAX;
    let mut connection = Connection::new(process, MESSAGE_BYTES_MAX, deadline());
    connection.send(&frame_of(&order))?;
    loop {
        connection.deadline = deadline();
        match connection.message::<Message>()? {
            Message::Beat(progress) => connection.send(&frame_of(&go_on(progress)))?,
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
pub fn serve(loaded: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let components: Option<Vec<Component>> = loaded.iter().map(Bot::component).collect();
    let components = components.ok_or("it has bots for built-in games")?;
    let Some(order) = read(wire)? else { return Ok(()) };
    if order == Order::Play {
        let [component] = &components[..] else { return Err("it has several games".into()) };
        return questions::serve(Game::new(component.clone()), wire);
    }
    wire.set_live(true);
    let mut failed = None;
    let done = carry_out(&components, order, &mut |progress| {
        let told = wire.send(&Message::Beat(progress)).and_then(|()| read(wire));
        told.unwrap_or_else(|why| {
            failed = Some(why);
            None
        })
        .unwrap_or(false)
    });
    if let Some(why) = failed {
        return Err(why);
    }
    wire.send(&match done {
        Ok(answer) => Message::Answer(Ok(Box::new(answer))),
        Err(Error::Game(fault)) => Message::Answer(Err(fault)),
        Err(Error::Host(error)) => Message::Failed(error.to_string()),
    })
}

fn carry_out(
    components: &[Component],
    order: Order,
    go_on: &mut dyn FnMut(Progress) -> bool,
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
        random: None,
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
        Order::Random(games, settings, seed) => {
            answer.random = Some(random_games::play(&game, games, &settings, seed, go_on)?);
        }
    }
    Ok(answer)
}

/// The next message of the arena; `None` at the end.
pub fn read<T: DeserializeOwned>(wire: &mut Wire) -> Result<Option<T>, String> {
    let Some(frame) = wire.read_frame()? else { return Ok(None) };
    postcard::from_bytes(&frame).map(Some).map_err(|error| format!("a wrong message: {error}"))
}
