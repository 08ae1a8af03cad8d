//! One thread of the coordinator: it has batches played, referees them, and brings their games.

use super::batch_size::BatchSize;
use super::coordinate::{Remote, key, lock};
use super::recheck::Verdict;
use arena_engine::round::RoundQueue;
use arena_engine::tournament::{Asked, Source};
use arena_players::crew::{caught, settled};
use arena_players::{Connection, Played};
use arena_referee::HostError;
use arena_workers::{Answered, Batch, BatchNumber, Game, Games, Outcome, Receipt, Session, Told, Why};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::mem;
use std::time::Duration;

/// The number of times that workers play a batch with nothing else in play before it is given up, after they played it with others.
/// Chosen: machines that are switched off cost one or two.
const TRIES_OF_BATCH: u32 = 2;

/// The same for a part of a batch that was given up. Chosen: each worker that it ends is one that somebody has to start again.
const TRIES_OF_PART: u32 = 1;

/// The same for a single game of such a batch, which has no result after that.
const TRIES_OF_GAME: u32 = 3;

/// The number of times that workers may fail with a game, each of which has tried several processes.
const TRIES_MAX: u32 = 3;

/// The time between two looks at what has changed. Chosen: nobody sees it.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The time for which batches that are played are waited for after a request to stop. Chosen: a batch takes half a second, and a
/// worker holds two for each job.
const STOPPING: Duration = Duration::from_secs(3);

/// A game that was taken.
struct Item {
    asked: Asked,
    /// The number of workers that failed with it.
    tries: u32,
}

/// A game that a worker has brought.
struct Brought {
    item: Item,
    played: Played,
}

/// One thread's batches.
pub struct BatchPlayer<'a, 'q, 'w> {
    remote: &'a Remote,
    queue: &'a RoundQueue<'q, 'w>,
    lane: arena_workers::Lane<'a>,
    open: HashMap<BatchNumber, Vec<Item>>,
    /// The games of the next batch.
    filling: Vec<Item>,
    /// Batches that are published next, and true for those that are parts of one that was given up.
    due: VecDeque<(Vec<Item>, bool)>,
}

impl<'a, 'q, 'w> BatchPlayer<'a, 'q, 'w> {
    /// A thread without games.
    pub fn new(remote: &'a Remote, queue: &'a RoundQueue<'q, 'w>) -> Self {
        Self {
            remote,
            queue,
            lane: remote.coordinator.lane(),
            open: HashMap::new(),
            filling: Vec::new(),
            due: VecDeque::new(),
        }
    }

    /// Has games played until there are no more.
    pub fn work(mut self) {
        loop {
            let waits_in_vain = || {
                let withdrawn = self.remote.withdrawn();
                self.open.is_empty() || self.remote.coordinator.jobs() == 0 || withdrawn.elapsed() > STOPPING
            };
            let stops = self.queue.control.is_cancelled();
            if stops && waits_in_vain() {
                self.give_up();
                return;
            }
            if !stops {
                self.publish();
            }
            if self.has_nothing() {
                return;
            }
            if let Some(answered) = self.lane.next(LOOK_EVERY) {
                self.take(answered);
            }
        }
    }

    /// True if it holds no game, for which others may wait.
    fn has_nothing(&self) -> bool {
        self.open.is_empty() && self.filling.is_empty() && self.due.is_empty()
    }

    /// Publishes batches until enough are on their way.
    fn publish(&mut self) {
        while let Some((items, is_suspect)) = self.due.pop_front() {
            self.send(items, is_suspect);
        }
        let jobs = self.remote.coordinator.jobs();
        let lanes = self.remote.lanes;
        let open_max = BatchSize::batches(jobs, lanes).div_ceil(lanes);
        while self.open.len() < open_max {
            let left = self.filling.len() + self.queue.games.left();
            let games = lock(&self.remote.batch_size).games_of(left, jobs, lanes);
            while self.filling.len() < games {
                let Some(asked) = self.queue.next(self.has_nothing()) else {
                    break;
                };
                match self.remote.coordinator.left(&key(asked.fixture)) {
                    Some(left) => self.take_left(asked, left),
                    None => self.filling.push(Item { asked, tries: 0 }),
                }
            }
            // A batch that is not full waits for more games as long as others are on their way.
            let is_due = self.filling.len() >= games || self.open.len() * 2 < open_max;
            if self.filling.is_empty() || !is_due {
                return;
            }
            let items = mem::take(&mut self.filling);
            self.send(items, false);
        }
    }

    fn send(&mut self, items: Vec<Item>, is_suspect: bool) {
        let game = |item: &Item| Game {
            key: key(item.asked.fixture),
            order: self.queue.order(&item.asked).1.to_bytes(),
        };
        let games = items.iter().map(game).collect();
        let tries_alone = match (is_suspect, items.len()) {
            (false, _) => TRIES_OF_BATCH,
            (true, 1) => TRIES_OF_GAME,
            (true, _) => TRIES_OF_PART,
        };
        let batch = self.lane.publish(Batch { games, is_suspect, tries_alone });
        self.open.insert(batch, items);
    }

    /// Takes the answer to a batch.
    fn take(&mut self, answered: Answered) {
        let Answered { batch, session, outcome, receipt } = answered;
        let Some(items) = self.open.remove(&batch) else { return };
        match outcome {
            Outcome::Played { took, games } => {
                let bytes = games.iter().map(|(_, told)| told.bytes()).sum();
                lock(&self.remote.batch_size).played(items.len(), took, bytes);
                self.referee(items, session, games, &receipt);
            }
            Outcome::GivenUp(why) => self.split(items, &why),
        }
        self.remote.coordinator.drop_receipt(receipt);
    }

    /// Has the halves of a batch played that was given up, so that the game at fault is found.
    fn split(&mut self, mut items: Vec<Item>, why: &Why) {
        if let [_] = &items[..] {
            let item = items.pop().expect("it is there");
            let failure = HostError::Worker(format!("no worker could play it: {why}").into());
            self.queue.games.put(&item.asked, Ok(Err(failure)));
            return;
        }
        let second = items.split_off(items.len().div_ceil(2));
        for half in [items, second] {
            self.due.push_back((half, true));
        }
    }

    /// Takes a game that was played for a coordinator before this one.
    fn take_left(&mut self, asked: Asked, left: arena_workers::Left) {
        let arena_workers::Left { session, told, receipt } = left;
        let games = vec![(key(asked.fixture), Told::Played(told))];
        self.referee(vec![Item { asked, tries: 0 }], session, games, &receipt);
        self.remote.coordinator.drop_receipt(receipt);
    }

    /// Referees games with what a worker tells of them.
    fn referee(&mut self, items: Vec<Item>, session: Session, games: Games, receipt: &Receipt) {
        let mut brought: Vec<Brought> = Vec::new();
        let mut again = Vec::new();
        let mut broken = None;
        for (item, (_, told)) in items.into_iter().zip(games) {
            let words = match told {
                Told::Played(words) => words,
                Told::Failed(why) => {
                    self.failed(item, &HostError::Worker(why.to_string().into()));
                    continue;
                }
            };
            let connection = RefCell::new(Connection::told(words));
            let played = settled(caught(|| {
                let header = self.queue.order(&item.asked).0;
                let played = self.queue.referee(&item.asked, header, &connection)?;
                connection.borrow_mut().end()?;
                Ok(played)
            }));
            match played {
                Ok(played) => brought.push(Brought { item, played }),
                Err(error) if connection.borrow().is_broken => {
                    broken.get_or_insert(error);
                    again.push(item);
                }
                Err(error) => self.failed(item, &error),
            }
        }
        if let Some(error) = broken {
            let why = format!("its games cannot be refereed: {error}");
            self.remote.coordinator.exclude(session, why.as_str());
        } else if self.are_true(session, &mut brought) {
            for Brought { item, played } in brought.drain(..) {
                let Item { asked, .. } = &item;
                if self.remote.brought(session, asked.number, receipt) {
                    self.queue.games.put(asked, Ok(Ok((self.queue.ready)(played))));
                } else {
                    again.push(item);
                }
            }
        }
        again.extend(brought.into_iter().map(|brought| brought.item));
        if !again.is_empty() {
            self.due.push_back((again, false));
        }
    }

    /// Counts a failure with a game, which is played again a few times.
    fn failed(&mut self, mut item: Item, error: &HostError) {
        item.tries += 1;
        if item.tries < TRIES_MAX {
            self.due.push_back((vec![item], false));
        } else {
            let failure = error.clone().with_note(format!("on workers, {TRIES_MAX} times"));
            self.queue.games.put(&item.asked, Ok(Err(failure)));
        }
    }

    /// Plays some of the games again. Returns false if the worker lies about one.
    fn are_true(&self, session: Session, brought: &mut [Brought]) -> bool {
        let Some(recheck) = &self.remote.recheck else { return true };
        let chosen = recheck.choose(brought.len());
        let games: Vec<_> =
            chosen.iter().map(|&place| (&brought[place].item.asked, &brought[place].played)).collect();
        let verdicts = recheck.verdicts(self.queue, &games);
        for (place, verdict) in chosen.into_iter().zip(verdicts) {
            let Brought { item, played } = &mut brought[place];
            match verdict {
                Verdict::Same => {}
                Verdict::Instead(ours) => *played = *ours,
                Verdict::Another => {
                    self.remote.lied(session, item.asked.number);
                    return false;
                }
            }
        }
        true
    }

    /// Gives back all games that are not there: they are not played now.
    fn give_up(&mut self) {
        let open = self.open.drain().flat_map(|(_, items)| items);
        let due = self.due.drain(..).flat_map(|(items, _)| items);
        for item in open.chain(due).chain(self.filling.drain(..)) {
            self.queue.games.put(&item.asked, Ok(Ok(Source::Missing)));
        }
    }
}
