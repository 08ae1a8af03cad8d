//! The side of a process that plays: it referees the games that it gets, has a bot play alone, or has a player answer calls,
//! and reports what the players answer.

use super::answering;
use super::protocol::{Board, Message, Order, Service, Session};
use crate::game::{Silent, play_out};
use arena_referee::{HostError, NoReply, Player, Reply, Stopped, play_solo};
use arena_rules::{GameRules, with_game};
use arena_sandbox::{Bot, Sandboxed, SandboxedPlayer, Wire};
use serde::Serialize;
use std::cell::RefCell;

/// Plays until there are no more orders. This is the work of a process that
/// [`player_main_if_asked`](arena_sandbox::player_main_if_asked) starts.
///
/// # Errors
/// The arena sends nonsense, or is gone.
pub fn serve(bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let Some(session) = wire.read_frame()? else { return Ok(()) };
    let mut session: Session =
        serde_json::from_slice(&session).map_err(|error| format!("a wrong session: {error}"))?;
    let bots = match session.rules {
        GameRules::Loaded(rules) => {
            // The game comes after the bots.
            let game = bots.split_last().and_then(|(game, bots)| Some((game.component()?, bots)));
            let (game, bots) = game.ok_or("there is no code of the game")?;
            let rules = arena_loaded::with_code_here(rules, &game).map_err(|error| error.to_string())?;
            session.rules = GameRules::Loaded(rules);
            bots
        }
        _ => bots,
    };
    wire.set_live(session.is_live);
    with_game!(session.rules.kind(), G => match session.service {
        Service::Games => play_all::<G>(&session, bots, wire),
        Service::Boards => play_boards::<G>(&session, bots, wire),
        Service::Calls | Service::PromptedCalls(_) => answering::answer_all::<G>(&session, bots, wire),
    })
}

fn play_all<G: Sandboxed>(session: &Session, bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let times = session.times();
    while let Some(order) = wire.read_frame()? {
        let order = Order::from_bytes(&order).map_err(|error| format!("a wrong order: {error}"))?;
        let seated = order.seats.map(|seat| bots.get(seat as usize));
        let [Some(first), Some(second)] = seated else { return Err("an order for other bots".into()) };
        let plan = session.game_plan::<G>(&order).ok_or("rules of another game")?;
        let reporter = RefCell::new(Reporter { wire, failed: None });
        let seat = |bot: &Bot, seed| -> Result<_, HostError> {
            Ok(ReportedPlayer { player: bot.player::<G>(seed, times)?, reporter: &reporter })
        };
        let [first_seed, second_seed] = order.side_seeds;
        let played =
            play_out(&plan, || Ok([seat(first, first_seed)?, seat(second, second_seed)?]), &mut Silent);
        let logs = played.map(|players| players.map(|player| player.player.log()));
        reporter.into_inner().end::<G>(Some(order), logs)?;
    }
    Ok(())
}

fn play_boards<G: Sandboxed>(session: &Session, bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let rules = G::rules(&session.rules).ok_or("rules of another game")?;
    let [bot] = bots else { return Err("boards for several bots".into()) };
    let fuel = session.fuel_per_turn;
    while let Some(board) = wire.read_frame()? {
        let Board { seed, fleets } =
            postcard::from_bytes(&board).map_err(|error| format!("a wrong board: {error}"))?;
        let info = G::info(rules, fuel, seed);
        let player = bot.player::<G>(seed, session.times()).map_err(|error| error.to_string())?;
        let reporter = RefCell::new(Reporter { wire, failed: None });
        let mut player = ReportedPlayer { player, reporter: &reporter };
        let game = G::draw_solo(rules, fleets).map_err(|error| error.to_string())?;
        let done = play_solo(&info, game, fuel, &mut player);
        let log = player.player.log();
        drop(player);
        let logs = done.map(|_| [log, String::new()]).map_err(Stopped::failure);
        reporter.into_inner().end::<G>(None, logs)?;
    }
    Ok(())
}

/// The way to the arena.
struct Reporter<'a> {
    wire: &'a mut Wire,
    /// The reason why nothing can be sent to the arena any more.
    failed: Option<String>,
}

impl Reporter<'_> {
    fn send(&mut self, message: &impl Serialize) {
        if let Err(why) = self.wire.send(message) {
            self.failed = Some(why);
        }
    }

    /// Reports the end of an order, or of a board: the logs of the players, or the failure of the arena.
    fn end<G: Sandboxed>(
        mut self,
        order: Option<Order>,
        logs: Result<[String; 2], HostError>,
    ) -> Result<(), String> {
        let is_over = logs.is_ok();
        self.send(&match logs {
            Ok(logs) => Message::<G>::Over { logs },
            Err(HostError::Game(why)) => Message::GameFailed(why.to_string().as_str().into()),
            Err(error) => Message::Failed(error.to_string().as_str().into()),
        });
        if let (Some(order), true) = (order, is_over) {
            self.send(&order);
        }
        self.failed.map_or(Ok(()), Err)
    }
}

/// A bot whose answers are sent to the arena.
struct ReportedPlayer<'a, 'w, G: Sandboxed> {
    player: SandboxedPlayer<G>,
    reporter: &'a RefCell<Reporter<'w>>,
}

impl<G: Sandboxed> ReportedPlayer<'_, '_, G> {
    fn send<T: Clone>(
        &self,
        reply: Result<Reply<T>, NoReply>,
        message: impl FnOnce(T, u64) -> Message<G>,
    ) -> Result<Reply<T>, NoReply> {
        let mut reporter = self.reporter.borrow_mut();
        match &reply {
            Ok(reply) => reporter.send(&message(reply.answer.clone(), reply.fuel_used)),
            Err(NoReply::Fault(fault)) => reporter.send(&Message::<G>::Fault(fault.clone())),
            // The game fails, and its end reports it.
            Err(_) => {}
        }
        match reporter.failed {
            None => reply,
            Some(_) => Err(HostError::Process("the arena is gone".into()).into()),
        }
    }
}

impl<G: Sandboxed> Player<G> for ReportedPlayer<'_, '_, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let reply = self.player.deploy(game, fuel);
        self.send(reply, |answer, fuel| Message::Deployment { answer, fuel })
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let reply = self.player.play(game, view, fuel);
        self.send(reply, |answer, fuel| Message::Action { answer, fuel })
    }

    fn begin_turn(&mut self) {
        Player::<G>::begin_turn(&mut self.player);
    }

    fn restart(&mut self) -> Result<(), HostError> {
        Player::<G>::restart(&mut self.player)
    }
}
