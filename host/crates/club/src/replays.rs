//! Replays of games that the pages have none of, made when somebody asks for one: the address of a game stays, and an author sees the
//! log of the bot in each of its games.
//!
//! One thread makes them, with a pause after each, so that they cost the games little.

use crate::club::{Club, House};
use crate::uploads::Refusal;
use arena_engine::logs::Logs;
use arena_report::Page;
use axum::http::StatusCode;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::oneshot;

/// The most replays that are waited for. Chosen: some seconds.
const QUEUE: usize = 16;

/// The number of replays without logs that are kept in memory. Chosen: those of the links that are shared at a time; some ten megabytes.
const KEPT: usize = 32;

/// The pause after a replay, in times of what it took. Chosen: replays take a quarter of a processor at most.
const PAUSE: u32 = 3;

/// The page of a replay and its picture; `None` when there is no such game.
pub(crate) type Made = Option<Arc<[Page; 2]>>;

/// A replay that somebody waits for.
struct Asked {
    number: usize,
    logs: Logs,
    answer: oneshot::Sender<Result<Made, Refusal>>,
}

/// The replays that are waited for, and those that were made last.
pub(crate) struct Replays {
    /// `None` when the club ends.
    asking: Mutex<Option<SyncSender<Asked>>>,
    asked: Mutex<Option<Receiver<Asked>>>,
    kept: Mutex<VecDeque<(usize, Arc<[Page; 2]>)>>,
}

impl Default for Replays {
    fn default() -> Self {
        let (asking, asked) = sync_channel(QUEUE);
        Self { asking: Mutex::new(Some(asking)), asked: Mutex::new(Some(asked)), kept: Mutex::default() }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The refusal of a replay that cannot be made now.
fn busy() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "many replays are asked for at the moment",
        "ask again in some seconds",
    )
}

impl Replays {
    /// The replay of a game, by its number, with these logs.
    pub(crate) async fn get(&self, number: usize, logs: Logs) -> Result<Made, Refusal> {
        let is_plain = logs.iter().all(Option::is_none);
        if is_plain && let Some((_, pages)) = locked(&self.kept).iter().find(|(kept, _)| *kept == number) {
            return Ok(Some(Arc::clone(pages)));
        }
        let (answer, made) = oneshot::channel();
        let asked = Asked { number, logs, answer };
        let is_taken = locked(&self.asking).as_ref().is_some_and(|asking| asking.try_send(asked).is_ok());
        if !is_taken {
            return Err(busy());
        }
        let made = made.await.map_err(|_| busy())??;
        if let Some(pages) = made.as_ref().filter(|_| is_plain) {
            let mut kept = locked(&self.kept);
            kept.retain(|(other, _)| *other != number);
            kept.push_back((number, Arc::clone(pages)));
            if kept.len() > KEPT {
                kept.pop_front();
            }
        }
        Ok(made)
    }

    /// Ends the thread that makes them.
    pub(crate) fn end(&self) {
        locked(&self.asking).take();
    }
}

/// Makes the replays that are asked for, until the club is ended.
pub(crate) fn make_all(club: &Club, house: &dyn House) {
    let state = &club.state;
    let Some(asked) = locked(&state.replays.asked).take() else { return };
    for Asked { number, logs, answer } in asked {
        if state.is_over() {
            return;
        }
        let begun = Instant::now();
        let made = house.replay(&state.folder.journal(), number, logs);
        let made = made.map(|pages| pages.map(Arc::new)).map_err(|reason| {
            house.note(format!("the replay of game {number} is not shown: {reason}"));
            Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the club cannot make the replay",
                "tell the organiser",
            )
        });
        // The one who asked may have gone.
        let _ = answer.send(made);
        state.pause(PAUSE * begun.elapsed());
    }
}
