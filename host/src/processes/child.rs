//! The side of a process that plays: it referees each game that it is told to, and tells what the players answer.

use super::words::{FRAME_BYTES_MAX, Order, Session, Told};
use crate::game::{Nobody, Playable, play_out};
use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::with_game;
use arena_sandbox::{Bot, SandboxedPlayer, TimeLimits, Wire};
use serde::Serialize;
use std::cell::RefCell;
use std::mem;

/// Plays until there are no more orders. It is the work of a process that [`player_main_if_asked`](arena_sandbox::player_main_if_asked) starts.
///
/// # Errors
/// The arena sends nonsense, or is gone.
pub fn serve(bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let Some(session) = read(wire)? else { return Ok(()) };
    let session: Session =
        serde_json::from_slice(&session).map_err(|error| format!("a wrong session: {error}"))?;
    wire.set_live(session.is_live);
    with_game!(session.rules.kind(), G => play_all::<G>(&session, bots, wire))
}

/// Reads a frame; none at the end of the input.
fn read(wire: &mut Wire) -> Result<Option<Vec<u8>>, String> {
    let cannot = |error: std::io::Error| format!("it cannot read: {error}");
    let mut length = [0; 4];
    if !wire.read(&mut length).map_err(cannot)? {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > FRAME_BYTES_MAX {
        return Err(format!("a frame of {length} bytes"));
    }
    let mut content = vec![0; length];
    wire.read(&mut content).map_err(cannot)?;
    Ok(Some(content))
}

fn play_all<G: Playable>(session: &Session, bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let times = TimeLimits { turn: session.turn, game: session.game };
    while let Some(order) = read(wire)? {
        let order = Order::from_bytes(&order).map_err(|error| format!("a wrong order: {error}"))?;
        let seated = order.seats.map(|seat| bots.get(seat as usize));
        let [Some(first), Some(second)] = seated else { return Err("an order for other bots".into()) };
        let plan = session.game_plan::<G>(&order).ok_or("rules of another game")?;
        let out = RefCell::new(Out { wire, failed: None });
        let seat = |bot: &Bot, seed| Ok(Telling { player: bot.player::<G>(seed, times)?, out: &out });
        let [first_seed, second_seed] = order.side_seeds;
        let played =
            play_out(&plan, || Ok([seat(first, first_seed)?, seat(second, second_seed)?]), &mut Nobody);
        let last = match played {
            Ok(players) => Told::<G>::Over { logs: players.map(|player| player.player.log()) },
            Err(error) => Told::Failed(error.0.as_str().into()),
        };
        out.borrow_mut().tell(&last);
        if let Some(why) = out.into_inner().failed {
            return Err(why);
        }
    }
    Ok(())
}

/// The way to the arena.
struct Out<'a> {
    wire: &'a mut Wire,
    /// The reason why the arena cannot be told any more.
    failed: Option<String>,
}

impl Out<'_> {
    fn tell(&mut self, word: &impl Serialize) {
        let buffer = mem::take(self.wire.buffer());
        let told = postcard::to_extend(word, buffer).map_err(|error| error.to_string()).and_then(|buffer| {
            *self.wire.buffer() = buffer;
            self.wire.written().map_err(|error| error.to_string())
        });
        if let Err(why) = told {
            self.failed = Some(format!("it cannot answer: {why}"));
        }
    }
}

/// A bot whose answers are told to the arena.
struct Telling<'a, 'w, G: Playable> {
    player: SandboxedPlayer<G>,
    out: &'a RefCell<Out<'w>>,
}

impl<G: Playable> Telling<'_, '_, G> {
    fn tell<T: Clone>(
        &self,
        reply: Result<Reply<T>, NoReply>,
        word: impl FnOnce(T, u64) -> Told<G>,
    ) -> Result<Reply<T>, NoReply> {
        let mut out = self.out.borrow_mut();
        match &reply {
            Ok(reply) => out.tell(&word(reply.answer.clone(), reply.fuel_used)),
            Err(NoReply::Fault(fault)) => out.tell(&Told::<G>::Fault(fault.clone().into())),
            // The game fails, which is told at its end.
            Err(_) => {}
        }
        match out.failed {
            None => reply,
            Some(_) => Err(HostError("the arena is gone".into()).into()),
        }
    }
}

impl<G: Playable> Player<G> for Telling<'_, '_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let reply = self.player.deploy(game, fuel);
        self.tell(reply, |answer, fuel| Told::Deployment { answer, fuel })
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let reply = self.player.play(game, view, fuel);
        self.tell(reply, |answer, fuel| Told::Action { answer, fuel })
    }

    fn begin_turn(&mut self) {
        Player::<G>::begin_turn(&mut self.player);
    }

    fn restart(&mut self) -> Result<(), HostError> {
        Player::<G>::restart(&mut self.player)
    }
}
