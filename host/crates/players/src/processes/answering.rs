//! The side of a process whose player answers calls: it has a player, and answers each call.

use super::protocol::{Call, Figures, LogChange, Means, Message, Session};
use arena_referee::{NoReply, Player, Reply};
use arena_sandbox::{Bot, Choice, Sandboxed, SandboxedPlayer, Wire, processor_time};

/// Answers calls until there are no more.
pub fn answer_all<G: Sandboxed>(session: &Session, bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let rules = G::rules(&session.rules).ok_or("rules of another game")?;
    let mut seated: Option<Answering<G>> = None;
    while let Some(call) = wire.read_frame()? {
        let call: Call<G> = postcard::from_bytes(&call).map_err(|error| format!("a wrong call: {error}"))?;
        let player = seated.as_mut().ok_or("nobody is seated");
        let (message, figures) = match call {
            Call::Seat { bot, seed } => {
                let bot = bots.get(bot as usize).ok_or("another bot is to be seated")?;
                let player = bot.player::<G>(seed, session.times()).map_err(|error| error.to_string())?;
                let player = player.prompted(session.service.prompt());
                let info = G::info(rules, session.fuel_per_turn, seed);
                seated = Some(Answering { player, info, logged: String::new() });
                continue;
            }
            Call::Leave => {
                seated = None;
                continue;
            }
            Call::Deploy(means) => player?.answer(
                means,
                |player, info| player.deploy(info, means.fuel),
                |answer, fuel| Message::Deployment { answer, fuel },
            ),
            Call::Play(means, view) => player?.answer(
                means,
                |player, info| player.choose(info, &view, means.fuel),
                |choice, fuel| match choice {
                    Choice::Action(answer) => Message::Action { answer, fuel },
                    Choice::Drawn(seed) => Message::Drawn { seed, fuel },
                },
            ),
        };
        wire.send(&message)?;
        wire.send(&figures)?;
    }
    Ok(())
}

/// The player that is seated.
struct Answering<G: Sandboxed> {
    player: SandboxedPlayer<G>,
    info: G::Info,
    /// Its log as far as the arena has it.
    logged: String,
}

impl<G: Sandboxed> Answering<G> {
    fn answer<T>(
        &mut self,
        means: Means,
        ask: impl FnOnce(&mut SandboxedPlayer<G>, &G::Info) -> Result<Reply<T>, NoReply>,
        message: impl FnOnce(T, u64) -> Message<G>,
    ) -> (Message<G>, Figures) {
        let Self { player, info, logged } = self;
        let restarted = if means.restarts { Player::<G>::restart(player) } else { Ok(()) };
        if means.begins_turn {
            Player::<G>::begin_turn(player);
        }
        let used_before = processor_time();
        let reply = restarted.map_err(NoReply::from).and_then(|()| ask(player, info));
        let took = processor_time().saturating_sub(used_before);
        let message = match reply {
            Ok(Reply { answer, fuel_used }) => message(answer, fuel_used),
            Err(NoReply::Fault(fault)) => Message::Fault(fault),
            Err(NoReply::Host(error)) => Message::Failed(error.to_string().as_str().into()),
            Err(NoReply::Left | NoReply::OpponentGone(_)) => {
                Message::Failed("a bot reports for another seat".into())
            }
        };
        let log = player.log();
        let change = LogChange::between(logged, &log);
        *logged = log;
        (message, Figures { log: change, memory_bytes_peak: player.memory_bytes_peak() as u64, took })
    }
}
