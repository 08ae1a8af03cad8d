//! The data that a tournament and its dashboard share. Each side locks it only for as long as a copy takes, and the
//! tournament never waits for the screen.

use super::candidates::{Candidate, Candidates, ShowcaseKind};
use super::model::{stakes, surprise};
use super::{GameLine, Model};
use crate::on_screen::OnScreen;
use arena_pictures::text::plain;
use arena_pictures::{Chances, Knowledge, Moment};
use arena_record::{Header, Transcript};
use arena_referee::Event;
use arena_rules::{Outcome, Seat};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The slot of a game: the one that is being played, if any.
type Place<G> = Arc<Mutex<Option<Playing<G>>>>;

/// A tournament as others see it: its model, and a slot for each worker.
#[derive(Debug)]
pub struct DashboardState<G: OnScreen> {
    model: Mutex<Model>,
    slots: Mutex<Vec<Place<G>>>,
    /// All games so far, in the order of the schedule.
    games: Mutex<Vec<GameLine>>,
    /// The games that can be shown at human speed.
    candidates: Mutex<Candidates<G>>,
    /// The number of changes.
    version: AtomicU64,
}

/// The place in which a worker publishes the game that it is playing, for the dashboard to see.
#[derive(Debug)]
pub struct Slot<G: OnScreen> {
    running: Place<G>,
    shared: Arc<DashboardState<G>>,
}

/// A game that was begun. Each has one of its own, also if it is begun again.
#[derive(Debug)]
pub(crate) struct StartedGame {
    /// The number of the game in the tournament, from 1.
    pub(crate) number: u64,
    pub(crate) names: [String; 2],
    header: Header,
}

/// A game that is being played. Its events are kept as they come: a dashboard that shows it works out what follows from them.
#[derive(Debug)]
struct Playing<G: OnScreen> {
    game: Arc<StartedGame>,
    events: Vec<Event<G>>,
}

/// A game that is being played, as a dashboard shows it.
#[derive(Clone, Debug)]
pub(crate) struct Running<G: OnScreen> {
    pub(crate) game: Arc<StartedGame>,
    /// The game after the events that were taken in.
    pub(crate) moment: Moment<G>,
    /// The number of these events.
    taken: usize,
}

impl<G: OnScreen> Playing<G> {
    /// The game, and its events after those that a dashboard with these games has taken in.
    fn news(&self, known: &[Running<G>]) -> (Arc<StartedGame>, Vec<Event<G>>) {
        let known = known.iter().find(|known| Arc::ptr_eq(&known.game, &self.game));
        (Arc::clone(&self.game), self.events[known.map_or(0, |known| known.taken)..].to_vec())
    }
}

impl<G: OnScreen> Running<G> {
    /// The game with its news. `None` when it cannot be shown: its rules are of another game.
    fn with(known: &mut Vec<Self>, game: Arc<StartedGame>, events: &[Event<G>]) -> Option<Self> {
        let place = known.iter().position(|known| Arc::ptr_eq(&known.game, &game));
        let mut running = match place {
            Some(place) => known.swap_remove(place),
            None => {
                let moment = Moment::new(&game.header, Knowledge::NotKept)?;
                Self { game, moment, taken: 0 }
            }
        };
        for event in events {
            // An event of the referee's follows from those before it. A screen is not the place to report a violation.
            let _ = running.moment.step(event);
        }
        running.taken += events.len();
        Some(running)
    }
}

/// A copy of the shared data at one time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<G: OnScreen> {
    pub(crate) version: u64,
    pub(crate) model: Model,
    pub(crate) running: Vec<Running<G>>,
}

impl<G: OnScreen> DashboardState<G> {
    /// The shared data of a tournament before it begins.
    pub fn new(model: Model) -> Arc<Self> {
        Arc::new(Self {
            model: Mutex::new(model),
            slots: Mutex::default(),
            games: Mutex::default(),
            candidates: Mutex::default(),
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

    /// Calls a function with all games so far. No game can be added meanwhile, so it has to be brief.
    pub(super) fn with_games<T>(&self, look: impl FnOnce(&[GameLine]) -> T) -> T {
        look(&lock(&self.games))
    }

    /// Takes a game that is over, and keeps it if it is one to show.
    fn played(&self, Playing { game, events }: Playing<G>) {
        let StartedGame { number, names, header } = &*game;
        let transcript = Transcript { header: header.clone(), events };
        let Some(Event::Ended { outcome, .. }) = transcript.events.last() else { return };
        let has_fault = transcript.events.iter().any(|event| matches!(event, Event::Faulted { .. }));
        let mut kinds = Vec::new();
        if let Outcome::Win(winner) = *outcome {
            let (stakes, surprise) = {
                let model = lock(&self.model);
                let labels = [winner, winner.other()].map(|seat| names[seat.index()].as_str());
                let row = |label: &str| model.standings.iter().find(|row| row.label == label);
                (stakes(&model.standings, labels), surprise(labels.map(row)))
            };
            if !has_fault && let Some(comeback) = comeback(&transcript, winner) {
                // Of equal stakes, the greater comeback counts.
                kinds.push((ShowcaseKind::Stakes, stakes * (CERTAIN + 1) + comeback));
                if comeback > CERTAIN / 2 {
                    kinds.push((ShowcaseKind::Comeback, comeback));
                }
            }
            if surprise > 0 {
                kinds.push((ShowcaseKind::Upset, surprise));
            }
        }
        if has_fault {
            kinds.push((ShowcaseKind::Fault, *number));
        }
        let mut candidates = lock(&self.candidates);
        let is_of =
            |pairing: &[String; 2]| pairing.iter().eq(names.iter()) || pairing.iter().eq(names.iter().rev());
        if candidates.pairing.as_ref().is_some_and(is_of) {
            kinds.push((ShowcaseKind::Pairing, *number));
        }
        kinds.retain(|&(kind, order)| candidates.wants(kind, order));
        for (kind, order) in kinds {
            candidates.put(kind, order, Candidate { number: *number, transcript: transcript.clone() });
        }
    }

    /// Offers an earlier game, to be shown when there is no better one.
    pub fn offer(&self, number: u64, transcript: Transcript<G>) {
        lock(&self.candidates).put(ShowcaseKind::Stakes, 0, Candidate { number, transcript });
        self.changed();
    }

    /// True if there is no game that could be shown next.
    pub fn wants_game(&self) -> bool {
        lock(&self.candidates).is_empty()
    }

    /// Takes a game to show, if possible of this kind.
    pub(super) fn take_candidate(&self, kind: ShowcaseKind) -> Option<Candidate<G>> {
        lock(&self.candidates).take(kind)
    }

    /// Chooses the pairing whose games are to be shown, by their labels.
    pub(super) fn choose_pairing(&self, labels: [String; 2]) {
        lock(&self.candidates).pairing = Some(labels);
    }

    /// A slot for a worker: the first free one, so that consecutive games are shown in the same place.
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

    /// A copy of the shared data, with the games that go on from those that are `known`. A change during the copy is in the next one.
    pub(crate) fn snapshot(&self, mut known: Vec<Running<G>>) -> Snapshot<G> {
        let version = self.version();
        let model = lock(&self.model).clone();
        let news: Vec<_> =
            lock(&self.slots).iter().filter_map(|slot| Some(lock(slot).as_ref()?.news(&known))).collect();
        let running =
            news.into_iter().filter_map(|(game, events)| Running::with(&mut known, game, &events)).collect();
        Snapshot { version, model, running }
    }
}

/// A chance of one, as [`comeback`] counts.
const CERTAIN: u64 = 1_000;

/// The largest chance of the loser of a game that was won, in thousandths: 0 in a game without boards, whose chances are unknown. `None`
/// when it is not a game that the rules allow.
fn comeback<G: OnScreen>(transcript: &Transcript<G>, winner: Seat) -> Option<u64> {
    if !G::HAS_BOARDS {
        return Some(0);
    }
    let mut moment = Moment::new(&transcript.header, Knowledge::NotKept)?;
    let mut chances = Chances::new(&moment);
    for event in &transcript.events {
        moment.step(event).ok()?;
        chances.push(&moment);
    }
    let of_loser = chances.of(winner.other(), transcript.events.len()).fold(0.0, f64::max);
    // A side that can still lose is never certain.
    Some(((of_loser * CERTAIN as f64) as u64).min(CERTAIN - 1))
}

impl<G: OnScreen> Slot<G> {
    /// Begins a game: its number in the tournament, from 1, and its header, with rules of this game that have been
    /// validated. A game with other rules is not shown.
    pub fn begin(&self, number: u64, header: &Header) {
        let names = header.labels().map(|label| plain(label).into_owned());
        let game = Arc::new(StartedGame { number, names, header: header.clone() });
        self.set(Some(Playing { game, events: Vec::new() }));
    }

    /// Adds the next event of the game.
    pub fn event(&self, event: &Event<G>) {
        if let Some(playing) = &mut *lock(&self.running) {
            playing.events.push(event.clone());
        }
        self.shared.changed();
    }

    /// Ends the game.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, playing: Option<Playing<G>>) {
        let before = std::mem::replace(&mut *lock(&self.running), playing);
        if let Some(played) = before {
            self.shared.played(played);
        }
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
