//! Recorded games that are played again, in processes if the sandbox has them.

use super::answers::{RemotePlayer, logs};
use super::game_max;
use super::protocol::{Order, Service, Session};
use crate::game;
use arena_record::{Header, Transcript};
use arena_referee::HostError;
use arena_sandbox::{Bot, Pool, Sandbox, Sandboxed, TimeLimits};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of pools that are kept, one for each kind of games: those of a tournament are of one kind. Chosen: recordings of
/// all built-in rules of a game may be mixed, and processes that wait take memory.
const POOLS_MAX: usize = 4;

/// A place where recorded games are played again, between any of some bots.
pub struct Replayer {
    sandbox: Sandbox,
    bots: Vec<Bot>,
    /// The processes for games of the last kinds, each with what they have in common.
    pools: Mutex<Vec<(Session, Arc<Pool>)>>,
}

impl Replayer {
    /// A place for games between these bots of a sandbox.
    pub fn new(sandbox: Sandbox, bots: Vec<Bot>) -> Self {
        Self { sandbox, bots, pools: Mutex::default() }
    }

    /// Plays the game that a header describes, between these of the bots, by seat.
    ///
    /// # Errors
    /// A failure of the arena: the game has no result.
    pub fn play<G: Sandboxed>(
        &self,
        header: Header,
        bots: [&Bot; 2],
        times: TimeLimits,
    ) -> Result<Transcript<G>, HostError> {
        if !self.sandbox.has_processes() {
            return game::play(header, bots, times);
        }
        let place = |bot: &Bot| self.bots.iter().position(|other| other.hash() == bot.hash());
        let [Some(first), Some(second)] = bots.map(place) else {
            return Err(HostError::Defect(
                "a bot is to play a game again that was not admitted for it".into(),
            ));
        };
        let order = Order::of(&header, [first, second]);
        let session = Session::new(Service::Games, &header.conditions, times);
        self.pool(session, times).carry_out(None, |connection| {
            connection.borrow_mut().send(&order.to_frame())?;
            let seat = || Ok([RemotePlayer(connection), RemotePlayer(connection)]);
            let (transcript, _) = game::play_between(header.clone(), seat, None)?;
            logs::<G>(&mut connection.borrow_mut(), Some(order))?;
            Ok(transcript)
        })
    }

    /// The processes for a session.
    fn pool(&self, session: Session, times: TimeLimits) -> Arc<Pool> {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pool)) = pools.iter().find(|(other, _)| *other == session) {
            return Arc::clone(pool);
        }
        if pools.len() == POOLS_MAX {
            pools.remove(0);
        }
        let pool = Arc::new(session.pool(&self.sandbox, self.bots.clone(), game_max(times)));
        pools.push((session, Arc::clone(&pool)));
        pool
    }
}
