//! The games of batches, for the processes of a worker.

use crate::message::GameReport;
use crate::worker::HeldBatch;
use arena_players::{
    CalledBots, Connection, Order, Processes, Queue, RemotePlayer, Session as Common, Silent, logs, play_out,
};
use arena_referee::HostError;
use arena_rules::with_game;
use std::cell::RefCell;
use std::sync::Arc;

/// Plays batches on one job until `stop` returns true. `take` returns the next batch: `None` when there are no more or, unless it may
/// wait, when there is no batch at the moment.
///
/// Returns false without having played if the system has no room for a process of this job, while other jobs have theirs.
pub fn play_batches(
    processes: &Processes,
    common: &Common,
    take: &dyn Fn(bool) -> Option<Arc<HeldBatch>>,
    stop: &dyn Fn() -> bool,
) -> bool {
    processes.work_if_there_is_room(&Games {
        take,
        stop,
        common,
        bots: processes.bots(),
        current: RefCell::default(),
    })
}

/// The batches for one job.
struct Games<'a> {
    take: &'a dyn Fn(bool) -> Option<Arc<HeldBatch>>,
    stop: &'a dyn Fn() -> bool,
    common: &'a Common,
    /// The number of bots.
    bots: usize,
    /// The batch in play, and the index of its next game.
    current: RefCell<Option<(Arc<HeldBatch>, usize)>>,
}

impl Games<'_> {
    /// Decodes the order of a game.
    ///
    /// # Errors
    /// The bytes are not a valid order.
    fn order(&self, batch: &HeldBatch, place: usize) -> Result<Order, HostError> {
        let order = Order::from_bytes(&batch.games[place].order).ok();
        let is_of_these = |order: &Order| order.seats.iter().all(|&seat| (seat as usize) < self.bots);
        order
            .filter(is_of_these)
            .ok_or_else(|| HostError::Worker("the coordinator sent an invalid order".into()))
    }
}

impl Queue for Games<'_> {
    type Item = (Arc<HeldBatch>, usize);
    type Game = Vec<u8>;

    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)> {
        loop {
            if (self.stop)() {
                return None;
            }
            let mut current = self.current.borrow_mut();
            let Some((batch, next)) = current.as_mut().filter(|(batch, next)| *next < batch.games.len())
            else {
                let batch = (self.take)(may_wait)?;
                batch.begin();
                *current = Some((batch, 0));
                continue;
            };
            let item = (Arc::clone(batch), *next);
            *next += 1;
            match self.order(&item.0, item.1) {
                Ok(order) => return Some((item, vec![order])),
                Err(error) => item.0.report(item.1, failed(&error)),
            }
        }
    }

    fn referee(
        &self,
        (batch, place): &Self::Item,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Vec<u8>, HostError> {
        connection.borrow_mut().record();
        let order = self.order(batch, *place)?;
        arena_players::foresee(&self.common.rules, &order, connection)?;
        with_game!(self.common.rules.kind(), G => {
        let plan = self.common.game_plan::<G>(&order);
        let plan = plan.ok_or_else(|| HostError::Worker("the contest's rules are for another game".into()))?;
        play_out(&plan, || Ok([RemotePlayer(connection), RemotePlayer(connection)]), &mut Silent)?;
        let mut connection = connection.borrow_mut();
        logs::<G>(&mut connection, Some(order))?;
        Ok(connection.take_recorded())
        })
    }

    fn is_by_clock(&self, _: &Vec<u8>) -> bool {
        // The coordinator rechecks such a game itself.
        false
    }

    fn play_by_calls(&self, _: &Self::Item, _: usize, _: &CalledBots) -> Result<Vec<u8>, HostError> {
        Err(HostError::Defect("a worker does not play games call by call".into()))
    }

    fn put(&self, (batch, place): Self::Item, messages: Result<Vec<Vec<u8>>, HostError>) {
        let messages = messages.map(|games| games.into_iter().next().unwrap_or_default());
        batch.report(place, messages.map_or_else(|error| failed(&error), GameReport::Played));
    }
}

fn failed(error: &HostError) -> GameReport {
    GameReport::Failed(error.to_string().as_str().into())
}
