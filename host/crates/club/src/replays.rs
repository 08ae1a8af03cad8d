//! Reading journals on request: for replays that are missing from the pages, because the address of a game stays, and an author sees
//! the log of the bot in each of its games; and for the contests of seasons that are over.
//!
//! One thread reads and makes them, with a pause after each, so that they cost the games little.

use crate::club::Club;
use crate::error::ClubError;
use crate::pages::Pages;
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::logs::Logs;
use arena_pages::{Contest, Page};
use axum::http::StatusCode;
use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::oneshot;

/// The most requests that wait. Chosen: some seconds.
const QUEUE: usize = 16;

/// The number of replays without logs that are kept in memory. Chosen: those of the links that are shared at a time; some ten megabytes.
const KEPT: usize = 32;

/// The pause after a replay, in times of what it took. Chosen: replays take a quarter of a processor at most.
const PAUSE: u32 = 3;

/// The page of a replay and its picture; `None` when there is no such game.
pub(crate) type Made = Option<Arc<[Page; 2]>>;

/// The pages of the bots of a season that is over, from the folder of its pages.
#[derive(Default)]
pub(crate) struct PagesOfBots {
    /// By the label at the end of the season.
    pub(crate) labels: HashMap<String, String>,
    /// By the SHA-256 of the component.
    pub(crate) versions: HashMap<String, String>,
}

impl PagesOfBots {
    fn of(contest: &Contest) -> Self {
        let mut pages = Self::default();
        for bot in &contest.bots {
            let (label, sha256) = (bot.label.as_str(), bot.sha256.as_str());
            pages.labels.extend(contest.page_of_label(label).map(|page| (label.to_owned(), page)));
            pages.versions.extend(contest.page_of_version(sha256).map(|page| (sha256.to_owned(), page)));
        }
        pages
    }
}

/// A season and the number of a game of it.
type GameOfSeason = (u32, usize);

/// A request that somebody waits for.
type Asked = Box<dyn FnOnce(&Club) + Send>;

/// The requests that wait, and the latest replays.
pub(crate) struct Replays {
    /// `None` when the club ends.
    asking: Mutex<Option<SyncSender<Asked>>>,
    asked: Mutex<Option<Receiver<Asked>>>,
    /// Replays without logs, by season and number.
    kept: Mutex<VecDeque<(GameOfSeason, Arc<[Page; 2]>)>>,
    /// Of each season that was asked for: two short texts for each version.
    pages: Mutex<HashMap<u32, Arc<PagesOfBots>>>,
}

impl Default for Replays {
    fn default() -> Self {
        let (asking, asked) = sync_channel(QUEUE);
        Self {
            asking: Mutex::new(Some(asking)),
            asked: Mutex::new(Some(asked)),
            kept: Mutex::default(),
            pages: Mutex::default(),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The refusal of a replay that cannot be made now.
fn busy() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "many replays and earlier seasons are asked for at the moment",
        "ask again in some seconds",
    )
}

impl State {
    /// Has the thread do something, and waits for it.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        what: String,
        work: impl FnOnce(&Pages) -> Result<T, ClubError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (answer, done) = oneshot::channel();
        let asked = move |club: &Club| {
            let done = work(&club.pages).map_err(|reason| {
                club.state.note(format!("{what} cannot be read: {reason}"));
                let what = format!("the club cannot read {what}");
                Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, what, "tell the organiser")
            });
            // The one who asked may have gone.
            let _ = answer.send(done);
        };
        let asking = &self.replays.asking;
        let is_taken = locked(asking).as_ref().is_some_and(|asking| asking.try_send(Box::new(asked)).is_ok());
        if !is_taken {
            return Err(busy());
        }
        done.await.map_err(|_| busy())?
    }

    /// The replay of a game of a season, by its number, with these logs.
    pub(crate) async fn replay(&self, season: u32, number: usize, logs: Logs) -> Result<Made, Refusal> {
        let game = (season, number);
        let is_plain = logs.iter().all(Option::is_none);
        let kept = &self.replays.kept;
        if is_plain && let Some((_, pages)) = locked(kept).iter().find(|(kept, _)| *kept == game) {
            return Ok(Some(Arc::clone(pages)));
        }
        let what = format!("game {number} of season {season}");
        let made = self.ask(what, move |pages| pages.replay(season, number, logs)).await?.map(Arc::new);
        if let Some(pages) = made.as_ref().filter(|_| is_plain) {
            let mut kept = locked(kept);
            kept.retain(|(other, _)| *other != game);
            kept.push_back((game, Arc::clone(pages)));
            if kept.len() > KEPT {
                kept.pop_front();
            }
        }
        Ok(made)
    }

    /// Forgets all that has names of authors, because some have changed.
    pub(crate) fn forget_names(&self) {
        locked(&self.replays.kept).clear();
        locked(&self.replays.pages).clear();
        self.forget_taken();
    }

    /// The contest of a season that is over.
    pub(crate) async fn past_contest(&self, season: u32) -> Result<Arc<Contest>, Refusal> {
        self.ask(format!("season {season}"), move |pages| pages.contest(season)).await
    }

    /// The pages of the bots of a season that is over.
    pub(crate) async fn pages_of_bots(&self, season: u32) -> Result<Arc<PagesOfBots>, Refusal> {
        let known = locked(&self.replays.pages).get(&season).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let read = move |pages: &Pages| Ok(PagesOfBots::of(&*pages.contest(season)?));
        let pages = Arc::new(self.ask(format!("season {season}"), read).await?);
        locked(&self.replays.pages).insert(season, Arc::clone(&pages));
        Ok(pages)
    }
}

impl Replays {
    /// Ends the thread that makes them.
    pub(crate) fn end(&self) {
        locked(&self.asking).take();
    }
}

/// Reads and makes what is asked for, until the club is ended.
pub(crate) fn make_all(club: &Club) {
    let state = &club.state;
    let Some(asked) = locked(&state.replays.asked).take() else { return };
    for work in asked {
        if state.is_over() {
            return;
        }
        let begun = Instant::now();
        work(club);
        state.pause(PAUSE * begun.elapsed());
    }
}
