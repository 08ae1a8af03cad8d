//! The data that a tournament and its dashboard share. Each side locks it only for as long as a copy takes, and nobody waits
//! for the screen.

use super::{GameLine, Model};
use crate::OnScreen;
use crate::moment::{Knowledge, Moment};
use crate::text::plain;
use arena_record::Header;
use arena_referee::Event;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The place of a game: of the one that is being played, if any.
type Place<G> = Arc<Mutex<Option<Running<G>>>>;

/// A tournament as others see it: its model, and a slot for each worker.
#[derive(Debug)]
pub struct Shared<G: OnScreen> {
    model: Mutex<Model>,
    slots: Mutex<Vec<Place<G>>>,
    /// All games so far, in the order of the schedule.
    games: Mutex<Vec<GameLine>>,
    /// The number of changes.
    version: AtomicU64,
}

/// The place in which a worker publishes the game that it is playing, for the dashboard to see.
#[derive(Debug)]
pub struct Slot<G: OnScreen> {
    running: Place<G>,
    shared: Arc<Shared<G>>,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub(crate) struct Running<G: OnScreen> {
    /// The number of the game in the tournament, from 1.
    pub(crate) number: u64,
    pub(crate) names: [String; 2],
    pub(crate) moment: Moment<G>,
}

/// A copy of the shared data at one time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<G: OnScreen> {
    pub(crate) version: u64,
    pub(crate) model: Model,
    pub(crate) running: Vec<Running<G>>,
}

impl<G: OnScreen> Shared<G> {
    /// The shared data of a tournament before it begins.
    pub fn new(model: Model) -> Arc<Self> {
        Arc::new(Self {
            model: Mutex::new(model),
            slots: Mutex::default(),
            games: Mutex::default(),
            version: AtomicU64::new(0),
        })
    }

    /// Changes the model.
    pub fn update(&self, change: impl FnOnce(&mut Model)) {
        change(&mut lock(&self.model));
        self.changed();
    }

    /// Adds a game that was played.
    pub fn add_game(&self, game: GameLine) {
        lock(&self.games).push(game);
        self.changed();
    }

    /// Looks at all games so far. Nobody can add one meanwhile, so it has to be brief.
    pub(super) fn with_games<T>(&self, look: impl FnOnce(&[GameLine]) -> T) -> T {
        look(&lock(&self.games))
    }

    /// A slot for a worker: the first free one, so that a game that follows another is shown in the same place.
    pub fn slot(self: &Arc<Self>) -> Slot<G> {
        let mut slots = lock(&self.slots);
        // A free slot is referenced by the list alone; it is taken only here, with the list locked.
        let running = match slots.iter().find(|slot| Arc::strong_count(slot) == 1) {
            Some(free) => Arc::clone(free),
            None => {
                let new = Arc::default();
                slots.push(Arc::clone(&new));
                new
            }
        };
        Slot { running, shared: Arc::clone(self) }
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// A number that is different after each change.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// A copy of the shared data. A change during the copy is in the next one.
    pub(crate) fn snapshot(&self) -> Snapshot<G> {
        let version = self.version();
        let model = lock(&self.model).clone();
        let running = lock(&self.slots).iter().filter_map(|slot| lock(slot).clone()).collect();
        Snapshot { version, model, running }
    }
}

impl<G: OnScreen> Slot<G> {
    /// Begins a game: its number in the tournament, from 1, and its header, with rules of this game that have been
    /// validated. A game with other rules is not shown.
    pub fn begin(&self, number: u64, header: &Header) {
        let names = header.labels().map(|label| plain(label).into_owned());
        let moment = Moment::new(header, Knowledge::NotKept).ok();
        self.set(moment.map(|moment| Running { number, names, moment }));
    }

    /// Adds the next event of the game.
    pub fn event(&self, event: &Event<G>) {
        if let Some(running) = &mut *lock(&self.running) {
            // An event of the referee's follows from those before it. If one did not, this screen would be the wrong
            // place to find out.
            let _ = running.moment.step(event);
        }
        self.shared.changed();
    }

    /// Ends the game.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, running: Option<Running<G>>) {
        *lock(&self.running) = running;
        self.shared.changed();
    }
}

impl<G: OnScreen> Drop for Slot<G> {
    fn drop(&mut self) {
        self.end();
    }
}

/// Locks a mutex. A panic of another holder leaves the shown data at most one change behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
