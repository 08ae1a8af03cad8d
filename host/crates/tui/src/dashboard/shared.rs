//! What a tournament and its dashboard share. Each side locks it for no longer than it takes to copy, and nobody waits for
//! the screen.

use super::Model;
use crate::moment::Moment;
use crate::text::plain;
use arena_record::Header;
use arena_referee::Event;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A tournament as others see it: its model, and a desk for each worker.
#[derive(Debug, Default)]
pub struct Shared {
    model: Mutex<Model>,
    desks: Mutex<Vec<Arc<Mutex<Option<Running>>>>>,
    /// Counts the changes.
    version: AtomicU64,
}

/// A worker's place: the game it is playing, for the dashboard to see.
#[derive(Debug)]
pub struct Desk {
    running: Arc<Mutex<Option<Running>>>,
    shared: Arc<Shared>,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    /// The number of the game in the tournament, from 1.
    pub(crate) number: u64,
    pub(crate) names: [String; 2],
    pub(crate) moment: Moment,
}

/// What was shared at one time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) version: u64,
    pub(crate) model: Model,
    pub(crate) running: Vec<Running>,
}

impl Shared {
    /// What a tournament shares before it begins.
    pub fn new(model: Model) -> Arc<Self> {
        Arc::new(Self { model: Mutex::new(model), ..Self::default() })
    }

    /// Changes the model.
    pub fn update(&self, change: impl FnOnce(&mut Model)) {
        change(&mut lock(&self.model));
        self.changed();
    }

    /// A desk for a worker: the first that nobody has, so that a game that follows another is where that was.
    pub fn desk(self: &Arc<Self>) -> Desk {
        let mut desks = lock(&self.desks);
        // Only the list knows of a desk that nobody has; others come to know of it here, with the list locked.
        let running = match desks.iter().find(|desk| Arc::strong_count(desk) == 1) {
            Some(free) => Arc::clone(free),
            None => {
                desks.push(Arc::default());
                Arc::clone(&desks[desks.len() - 1])
            }
        };
        Desk { running, shared: Arc::clone(self) }
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// A number that is another after each change.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// All that is shared now. What changes meanwhile is in the next one.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let version = self.version();
        let model = lock(&self.model).clone();
        let running = lock(&self.desks).iter().filter_map(|desk| lock(desk).clone()).collect();
        Snapshot { version, model, running }
    }
}

impl Desk {
    /// A game begins: its number in the tournament, from 1, and what it is. Its rules have been validated.
    pub fn begin(&self, number: u64, header: &Header) {
        let names = header.bots.each_ref().map(|bot| plain(&bot.label).into_owned());
        let moment = Moment::of_truth(&header.rules, header.starter);
        *lock(&self.running) = Some(Running { number, names, moment });
        self.shared.changed();
    }

    /// Something happens in it.
    pub fn event(&self, event: &Event) {
        if let Some(running) = &mut *lock(&self.running) {
            // An event of the referee's follows from those before it. If one did not, this screen would be the wrong
            // place to find out.
            let _ = running.moment.step(event);
        }
        self.shared.changed();
    }

    /// It is over.
    pub fn end(&self) {
        *lock(&self.running) = None;
        self.shared.changed();
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.end();
    }
}

/// A panic of whoever held it leaves what is shown a change behind, and nothing worse.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
