//! Remote players driven call by call: the referee is here, and they may be in processes.
//!
//! Each player has a separate process that has loaded only its bot, and gets the bot's views. If a process ends, another one
//! gets the same calls, and must answer them in the same way.

use super::answers::{change_log, reply};
use super::protocol::{Call, Figures, Means, Message, ProtocolError, Service, Session};
use arena_record::Conditions;
use arena_referee::{Fault, HostError, NoReply, Player, Reply, Trouble};
use arena_rules::{Game, GameKind};
use arena_sandbox::{
    Bot, Connection, Pool, Prompt, STACK_BYTES, Sandbox, Sandboxed, SandboxedPlayer, TRIES_MAX, TimeLimits,
    processor_time,
};
use std::mem;
use std::time::{Duration, Instant};

/// Bots that are called move by move, in games under the same conditions.
pub struct CalledBots {
    bots: Vec<Bot>,
    times: TimeLimits,
    /// The processes of each bot; `None` when the bots are in this process.
    pools: Vec<Pool>,
    prompt: Option<Prompt>,
}

impl CalledBots {
    /// These bots of a sandbox. If the sandbox uses processes, one is started for each.
    ///
    /// # Errors
    /// A failure of the arena: a process cannot be started.
    pub fn new(
        sandbox: &Sandbox,
        bots: Vec<Bot>,
        conditions: &Conditions,
        times: TimeLimits,
    ) -> Result<Self, HostError> {
        Self::serving(sandbox, bots, &Session::new(Service::Calls, conditions, times))
    }

    /// The same for bots that are asked to print something: see [`Prompt`].
    ///
    /// # Errors
    /// A failure of the arena: a process cannot be started.
    pub fn prompted(
        sandbox: &Sandbox,
        bots: Vec<Bot>,
        conditions: &Conditions,
        times: TimeLimits,
        prompt: Prompt,
    ) -> Result<Self, HostError> {
        Self::serving(sandbox, bots, &Session::new(Service::PromptedCalls(prompt), conditions, times))
    }

    fn serving(sandbox: &Sandbox, bots: Vec<Bot>, session: &Session) -> Result<Self, HostError> {
        let called = Self::idle(sandbox, bots, session);
        called.pools.iter().try_for_each(|pool| pool.start(1))?;
        Ok(called)
    }

    /// These bots of a sandbox, with a session of calls. A process is started when its bot has its first player.
    pub(super) fn idle(sandbox: &Sandbox, bots: Vec<Bot>, session: &Session) -> Self {
        let times = session.times();
        let pool = |bot: &Bot| session.pool(sandbox, vec![bot.clone()], times.turn);
        let pools = if sandbox.has_processes() { bots.iter().map(pool).collect() } else { Vec::new() };
        Self { bots, times, pools, prompt: session.service.prompt() }
    }

    /// A fresh player of a bot, by its place, with the random seed of its side. It remembers nothing of other games.
    ///
    /// # Errors
    /// A failure of the arena: the bot is for another game, or a process cannot be started.
    pub fn seat<G: Sandboxed>(&self, bot: usize, seed: u64) -> Result<CalledPlayer<'_, G>, HostError> {
        let at = match self.pools.get(bot) {
            None => At::Here(self.bots[bot].player(seed, self.times)?.prompted(self.prompt)),
            Some(pool) => At::Process(Box::new(RemoteSeat::new(pool, seed)?)),
        };
        Ok(CalledPlayer { at, took: Duration::ZERO })
    }
}

/// A player that is called, for one game.
pub struct CalledPlayer<'a, G: Sandboxed> {
    at: At<'a, G>,
    took: Duration,
}

/// The place of a player.
enum At<'a, G: Sandboxed> {
    Here(SandboxedPlayer<G>),
    Process(Box<RemoteSeat<'a, G>>),
}

impl<G: Sandboxed> CalledPlayer<'_, G> {
    /// The text that the bot has printed so far in this game, as [`SandboxedPlayer::log`] has it.
    pub fn log(&self) -> String {
        match &self.at {
            At::Here(player) => player.log(),
            At::Process(player) => player.log.clone(),
        }
    }

    /// The peak of the bot's memory in this game, in bytes.
    pub fn memory_bytes_peak(&self) -> usize {
        match &self.at {
            At::Here(player) => player.memory_bytes_peak(),
            At::Process(player) => usize::try_from(player.figures.memory_bytes_peak).unwrap_or(usize::MAX),
        }
    }

    /// The processor time of the last call, without the transfer to and from the process. Unlike the time by the clock, it does not
    /// grow when the machine is busy.
    pub fn took(&self) -> Duration {
        match &self.at {
            At::Here(_) => self.took,
            // The reported time cannot exceed the time spent waiting for its one thread.
            At::Process(player) => self.took.min(player.figures.took),
        }
    }

    fn ask<T: Send>(
        &mut self,
        ask: impl FnOnce(&mut At<'_, G>) -> Result<T, NoReply> + Send,
    ) -> Result<T, NoReply> {
        let Self { at, took } = self;
        if let At::Process(_) = at {
            let asked_at = Instant::now();
            let reply = ask(at);
            *took = asked_at.elapsed();
            return reply;
        }
        // The thread that plays is the one whose time counts.
        arena_resources::on_stack("bot", STACK_BYTES, || {
            let used_before = processor_time();
            let reply = ask(at);
            *took = processor_time().saturating_sub(used_before);
            reply
        })?
    }
}

impl<G: Sandboxed> Player<G> for CalledPlayer<'_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.ask(|at| match at {
            At::Here(player) => player.deploy(game, fuel),
            At::Process(player) => player.deploy(fuel),
        })
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        self.ask(|at| match at {
            At::Here(player) => player.play(game, view, fuel),
            At::Process(player) => player.play(view, fuel),
        })
    }

    fn begin_turn(&mut self) {
        match &mut self.at {
            At::Here(player) => Player::<G>::begin_turn(player),
            At::Process(player) => player.begins_turn = true,
        }
    }

    fn restart(&mut self) -> Result<(), HostError> {
        match &mut self.at {
            At::Here(player) => Player::<G>::restart(player),
            At::Process(player) => {
                player.restarts = true;
                Ok(())
            }
        }
    }
}

/// The answer to a call: a deployment or an action with its fuel, or the bot's fault.
type CallResult<G> = Result<Message<G>, Fault>;

/// A player in a process.
struct RemoteSeat<'a, G: Sandboxed> {
    pool: &'a Pool,
    /// The process; none after a failure.
    connection: Option<Connection>,
    /// The frame that seats it.
    seat: Vec<u8>,
    /// The calls of this game, for a replacement process.
    history: CallHistory<G>,
    /// True if it is restarted before the next call.
    restarts: bool,
    /// True if a turn begins with the next call.
    begins_turn: bool,
    /// The log after the last call.
    log: String,
    /// The other figures after it.
    figures: Figures,
}

/// A call that is asked.
struct PendingCall {
    frame: Vec<u8>,
    fuel: u64,
    /// True if the answer is a deployment.
    deploys: bool,
}

/// The calls of a game and their answers.
struct CallHistory<G: Game> {
    calls: Vec<(PendingCall, CallResult<G>)>,
    bytes: usize,
}

/// The memory for the calls of a game, in bytes. Chosen: ten times that of the longest game on the largest board; only a bot that
/// answers hundreds of invalid actions in each turn needs more.
const HISTORY_BYTES_MAX: usize = 32 << 20;

/// The memory of an answer, in bytes. Chosen: more than an action takes.
const ANSWER_BYTES: usize = 256;

impl<G: Game> Default for CallHistory<G> {
    fn default() -> Self {
        Self { calls: Vec::new(), bytes: 0 }
    }
}

impl<G: Game> CallHistory<G> {
    /// Adds a call. If there are too many, none of them is kept.
    fn push(&mut self, asked: PendingCall, answer: CallResult<G>) {
        self.bytes = self.bytes.saturating_add(asked.frame.len() + ANSWER_BYTES);
        if self.bytes <= HISTORY_BYTES_MAX {
            self.calls.push((asked, answer));
        } else {
            self.calls = Vec::new();
        }
    }

    /// All calls.
    ///
    /// # Errors
    /// There were too many.
    fn whole(&self) -> Result<&[(PendingCall, CallResult<G>)], HostError> {
        if self.bytes > HISTORY_BYTES_MAX {
            let why = "a process for games is gone, and its game is too long to be repeated in another one";
            return Err(HostError::Process(why.into()));
        }
        Ok(&self.calls)
    }
}

impl<'a, G: Sandboxed> RemoteSeat<'a, G> {
    fn new(pool: &'a Pool, seed: u64) -> Result<Self, HostError> {
        // Its bot is the only one in the process.
        let seat = Call::<G>::Seat { bot: 0, seed }.to_frame();
        let connection = Some(pool.take()?);
        let mut called = Self {
            pool,
            connection,
            seat,
            history: CallHistory::default(),
            restarts: false,
            begins_turn: false,
            log: String::new(),
            figures: Figures::default(),
        };
        // If the process is gone by now, the first call fails.
        let _ = called.connection.as_mut().map(|connection| connection.send(&called.seat));
        Ok(called)
    }

    fn deploy(&mut self, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let call = Call::<G>::Deploy(self.means(fuel));
        match self.ask(PendingCall { frame: call.to_frame(), fuel, deploys: true })?? {
            Message::Deployment { answer, fuel } => Ok(Reply { answer, fuel_used: fuel }),
            _ => unreachable!("it was looked at"),
        }
    }

    fn play(&mut self, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let sent = G::sent_view(view).map_err(HostError::from)?;
        let call = Call::<G>::Play(self.means(fuel), sent);
        match self.ask(PendingCall { frame: call.to_frame(), fuel, deploys: false })?? {
            Message::Action { answer, fuel } => Ok(Reply { answer, fuel_used: fuel }),
            Message::Drawn { seed, fuel } => {
                let answer = G::drawn_action(view, seed).map_err(HostError::from)?;
                Ok(Reply { answer, fuel_used: fuel })
            }
            _ => unreachable!("it was looked at"),
        }
    }

    /// The means of the next call.
    fn means(&mut self, fuel: u64) -> Means {
        Means { fuel, restarts: mem::take(&mut self.restarts), begins_turn: mem::take(&mut self.begins_turn) }
    }

    /// Asks the process, or its replacements.
    fn ask(&mut self, asked: PendingCall) -> Result<CallResult<G>, HostError> {
        let mut tries = 0;
        loop {
            let result = match &mut self.connection {
                Some(connection) => exchange(connection, self.pool, &asked, &mut self.log),
                None => self.come_back().and_then(|(mut connection, log)| {
                    self.log = log;
                    let result = exchange(&mut connection, self.pool, &asked, &mut self.log);
                    self.connection = Some(connection);
                    result
                }),
            };
            match result {
                Ok((answer, figures)) => {
                    self.figures = figures;
                    self.history.push(asked, answer.clone());
                    return Ok(answer);
                }
                Err(error) => {
                    let is_gone = self.connection.take().is_none_or(|connection| connection.is_broken);
                    tries += 1;
                    if !is_gone {
                        return Err(error);
                    }
                    if tries == TRIES_MAX {
                        return Err(error.with_note(format!("{tries} times")));
                    }
                }
            }
        }
    }

    /// Brings another process to the state of the last one: it gets the same calls, and must answer them in the same way. Returns
    /// it with the log.
    fn come_back(&self) -> Result<(Connection, String), HostError> {
        let past = self.history.whole()?;
        let (mut connection, mut log) = (self.pool.take()?, String::new());
        connection.send(&self.seat)?;
        for (asked, answer) in past {
            let (again, _) = exchange::<G>(&mut connection, self.pool, asked, &mut log)?;
            if again != *answer {
                return Err(HostError::Process(Trouble::of(ProtocolError::OtherAnswers)));
            }
        }
        Ok((connection, log))
    }
}

impl<G: Sandboxed> Drop for RemoteSeat<'_, G> {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take()
            && !connection.has_more()
            && connection.send(&Call::<G>::Leave.to_frame()).is_ok()
        {
            self.pool.give_back(connection);
        }
    }
}

/// Has a process answer a call, and report the figures after it and the change of the log.
fn exchange<G: Sandboxed>(
    connection: &mut Connection,
    pool: &Pool,
    asked: &PendingCall,
    log: &mut String,
) -> Result<(CallResult<G>, Figures), HostError> {
    connection.deadline = pool.deadline();
    connection.send(&asked.frame)?;
    let reply = reply(connection, asked.fuel, |message: Message<G>| {
        let fuel = match (&message, asked.deploys) {
            (Message::Deployment { fuel, .. }, true) | (Message::Action { fuel, .. }, false) => *fuel,
            (Message::Drawn { fuel, .. }, false) if G::KIND == GameKind::Loaded => *fuel,
            _ => return None,
        };
        Some((message, fuel))
    });
    let answer = match reply {
        Ok(reply) => Ok(reply.answer),
        Err(NoReply::Fault(fault)) => Err(fault),
        Err(NoReply::Host(error)) => return Err(error),
        Err(NoReply::Left | NoReply::OpponentGone(_)) => unreachable!("a process is nobody's opponent"),
    };
    let figures: Figures = connection.message()?;
    figures.log.iter().try_for_each(|change| change_log(connection, log, change))?;
    Ok((answer, figures))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::Battleship;

    #[test]
    fn the_calls_of_a_game_are_kept_up_to_a_limit_and_then_none_of_them() {
        let mut past = CallHistory::<Battleship>::default();
        let mut push = |bytes: usize| {
            let asked = PendingCall { frame: vec![0; bytes], fuel: 1, deploys: false };
            past.push(asked, Ok(Message::Failed("no answer".into())));
            past.whole().map(<[_]>::len).map_err(|error| error.to_string())
        };
        assert_eq!(push(100), Ok(1));
        assert_eq!(push(HISTORY_BYTES_MAX - 100 - 2 * ANSWER_BYTES), Ok(2));
        for _ in 0..2 {
            assert!(push(0).is_err_and(|why| why.contains("too long")));
        }
        assert!(past.calls.is_empty());
    }
}
