//! One thread of the coordinator: publishes batches, referees their results, and delivers their games.

use super::batch_size::BatchSize;
use super::recheck::Verdict;
use super::trust::Findings;
use super::{Remote, key};
use crate::coordinator::{OpenBatches, lock};
use crate::ledger::{Answered, Answers, Batch, BatchNumber, BatchResult, EarlierGame, Receipt, WorkerId};
use crate::message::{Game, GameReport, Games, Key};
use arena_engine::{Asked, RoundQueue, Source};
use arena_players::worker_pool::{caught, settled};
use arena_players::{Connection, Played};
use arena_referee::HostError;
use arena_rules::{Outcome, Seat};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::mem;
use std::time::Duration;

/// The number of times that workers play a batch alone before it is abandoned, after a worker fell silent with it. Chosen: machines that
/// are switched off cost one or two.
const TRIES_OF_BATCH: u32 = 2;

/// The same for a part of an abandoned batch. Chosen: each worker that it ends must be restarted by hand.
const TRIES_OF_PART: u32 = 1;

/// The same for a single game of such a batch. After that, this machine plays the game. Chosen.
const TRIES_OF_GAME: u32 = 3;

/// The number of times that workers may fail with a game before this machine plays it. Each worker tries several processes. Chosen: a
/// worker's failure must not make a game fail.
const TRIES_MAX: u32 = 2;

/// The interval between two polls. Chosen: too short to be noticed.
const POLL_EVERY: Duration = Duration::from_millis(50);

/// The time to wait for batches in play after a request to stop. Chosen: a batch takes half a second, and a worker holds two for each
/// job.
const STOPPING: Duration = Duration::from_secs(3);

/// A game to be played by workers.
struct Item {
    asked: Asked,
    /// The number of times that workers failed with it.
    tries: u32,
}

/// A worker's refereed result for a batch. A game is missing if the worker failed with it.
struct Answer {
    worker: WorkerId,
    games: Vec<Option<Played>>,
    receipt: Receipt,
}

/// One thread's batches.
pub struct BatchPlayer<'a, 'q, 'w> {
    remote: &'a Remote,
    queue: &'a RoundQueue<'q, 'w>,
    batches: OpenBatches<'a>,
    open: HashMap<BatchNumber, Vec<Item>>,
    /// The games of the next batch.
    filling: Vec<Item>,
    /// The batches to publish next, each with true if it is a part of an abandoned one.
    to_publish: VecDeque<(Vec<Item>, bool)>,
}

impl<'a, 'q, 'w> BatchPlayer<'a, 'q, 'w> {
    /// Creates a thread's state without games.
    pub fn new(remote: &'a Remote, queue: &'a RoundQueue<'q, 'w>) -> Self {
        Self {
            remote,
            queue,
            batches: remote.coordinator.batches(),
            open: HashMap::new(),
            filling: Vec::new(),
            to_publish: VecDeque::new(),
        }
    }

    /// Has games played until none are left.
    pub fn work(mut self) {
        loop {
            let is_wait_over = || {
                let withdrawn = self.remote.withdrawn();
                self.open.is_empty() || self.remote.coordinator.jobs() == 0 || withdrawn.elapsed() > STOPPING
            };
            let stops = self.queue.control.is_cancelled();
            if stops && is_wait_over() {
                self.give_up();
                return;
            }
            if !stops {
                self.publish();
            }
            if self.has_nothing() {
                return;
            }
            if let Some(answered) = self.batches.next(POLL_EVERY) {
                self.take(answered);
            }
        }
    }

    /// True if it holds no games. Other threads may wait for a game that it holds.
    fn has_nothing(&self) -> bool {
        self.open.is_empty() && self.filling.is_empty() && self.to_publish.is_empty()
    }

    /// Publishes batches until enough are in flight.
    fn publish(&mut self) {
        while let Some((items, is_suspect)) = self.to_publish.pop_front() {
            self.send(items, is_suspect);
        }
        let jobs = self.remote.coordinator.jobs();
        let threads = self.remote.threads;
        let open_max = BatchSize::batches(jobs, threads).div_ceil(threads);
        while self.open.len() < open_max {
            let left = self.filling.len() + self.queue.games.left();
            let games = lock(&self.remote.batch_size).games_of(left, jobs, threads);
            while self.filling.len() < games {
                let Some(asked) = self.queue.next(self.has_nothing()) else {
                    break;
                };
                match self.remote.coordinator.take_earlier_game(&key(asked.fixture)) {
                    Some(left) if self.remote.owners == 1 => self.take_earlier_game(asked, left),
                    // Several owners must play each game, so one owner's result does not count.
                    Some(left) => {
                        self.remote.coordinator.acknowledge(left.receipt);
                        self.filling.push(Item { asked, tries: 0 });
                    }
                    None => self.filling.push(Item { asked, tries: 0 }),
                }
            }
            // An incomplete batch waits for more games while enough others are in flight.
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
        let batch =
            self.batches.publish(Batch { games, owners: self.remote.owners, is_suspect, tries_alone });
        self.open.insert(batch, items);
    }

    /// Processes the answers to a batch.
    fn take(&mut self, Answered { batch, answers }: Answered) {
        let Some(items) = self.open.remove(&batch) else { return };
        match answers {
            Answers::Played(answers) => {
                for BatchResult { took, games, .. } in &answers {
                    let bytes = games.iter().map(|(_, report)| report.bytes()).sum();
                    lock(&self.remote.batch_size).played(items.len(), *took, bytes);
                }
                let answers = answers
                    .into_iter()
                    .map(|BatchResult { worker, games, receipt, .. }| (worker, games, receipt))
                    .collect();
                self.judge(items, answers);
            }
            // The workers may be at fault or lie, so this machine plays the game.
            Answers::GivenUp(why) => {
                if let Some(item) = self.split(items) {
                    self.play_instead(item, None, &format!("no worker could play it: {why}"));
                }
            }
            Answers::TooLarge(worker) => {
                if let Some(item) = self.split(items) {
                    self.play_instead(
                        item,
                        Some(worker),
                        "a worker reports that its result is too large for the server",
                    );
                }
            }
        }
    }

    /// Splits an abandoned batch into halves, to find the game at fault. Returns the game once it is the only one.
    fn split(&mut self, mut items: Vec<Item>) -> Option<Item> {
        let second = items.split_off(items.len().div_ceil(2));
        if second.is_empty() {
            return items.pop();
        }
        for half in [items, second] {
            self.to_publish.push_back((half, true));
        }
        None
    }

    /// Plays a game on this machine that workers could not play. If a worker reported that, it counts as the worker's failure, since the
    /// report may be a lie.
    fn play_instead(&mut self, item: Item, worker: Option<WorkerId>, why: &str) {
        match self.remote.recheck.play(self.queue, &[&item.asked]).pop() {
            Some(Ok(played)) => {
                if let Some(worker) = worker {
                    let mut findings = Findings::new(&[worker]);
                    findings.add(worker, item.asked.number, None);
                    self.remote.judge(findings, &|_| vec![key(item.asked.fixture)]);
                }
                self.put(&item, played, &[]);
            }
            Some(Err(error)) => self.failed(&item, error.with_note(why.to_owned())),
            None => self.to_publish.push_back((vec![item], false)),
        }
    }

    /// Delivers a game that counts, as these workers reported it.
    fn put(&self, item: &Item, played: Played, workers: &[WorkerId]) {
        let half_points = match played.result.outcome {
            Outcome::Win(Seat::First) => Some(2),
            Outcome::Draw => Some(1),
            Outcome::Win(Seat::Second) => Some(0),
            Outcome::NoContest => None,
        };
        if let Some(half_points) = half_points {
            self.remote.coordinator.count(&key(item.asked.fixture), half_points, workers);
        }
        self.queue.games.put(&item.asked, Ok(Ok((self.queue.ready)(played))));
    }

    /// Processes a game that was played for an earlier coordinator.
    fn take_earlier_game(&mut self, asked: Asked, earlier: EarlierGame) {
        let EarlierGame { worker, messages, receipt } = earlier;
        let games = vec![(key(asked.fixture), GameReport::Played(messages))];
        self.judge(vec![Item { asked, tries: 0 }], vec![(worker, games, receipt)]);
    }

    /// Referees the games of a batch from the workers' messages, replays some of them on this machine, and delivers those that count.
    fn judge(&mut self, mut items: Vec<Item>, answers: Vec<(WorkerId, Games, Receipt)>) {
        let mut refereed: Vec<Answer> = Vec::new();
        for (worker, games, receipt) in answers {
            if self.remote.coordinator.is_excluded(worker) {
                self.remote.coordinator.dropped(worker, keys(&items));
                self.remote.coordinator.acknowledge(receipt);
                continue;
            }
            match self.referee(&items, games) {
                Ok(games) => refereed.push(Answer { worker, games, receipt }),
                Err(error) => {
                    let why = format!("its games cannot be refereed: {error}");
                    self.remote.coordinator.exclude(worker, &why, keys(&items));
                    self.remote.coordinator.acknowledge(receipt);
                }
            }
        }
        if refereed.len() < self.remote.owners {
            self.drop_all(refereed);
            self.to_publish.push_back((items, false));
            return;
        }
        let workers: Vec<WorkerId> = refereed.iter().map(|answer| answer.worker).collect();
        for (place, item) in items.iter_mut().enumerate() {
            item.tries += u32::from(refereed.iter().any(|answer| answer.games[place].is_none()));
        }
        let here = self.played_here(&items, &refereed);
        let mut findings = Findings::new(&workers);
        for (place, ours) in &here {
            let Ok(ours) = ours else { continue };
            for answer in &refereed {
                let verdict = answer.games[*place].as_ref().map(|theirs| Verdict::of(ours, theirs));
                findings.add(answer.worker, items[*place].asked.number, verdict);
            }
        }
        let discarded = |worker: WorkerId| -> Vec<Key> {
            let Some(answer) = refereed.iter().find(|answer| answer.worker == worker) else {
                return Vec::new();
            };
            let counts = |place: usize| match here.get(&place) {
                Some(Ok(ours)) => answer.games[place].as_ref() == Some(ours),
                _ => false,
            };
            let places = (0..items.len()).filter(|&place| !counts(place));
            places.map(|place| key(items[place].asked.fixture)).collect()
        };
        let has_liar = self.remote.judge(findings, &discarded);
        self.put_games(items, refereed, here, has_liar);
    }

    fn drop_all(&self, answers: Vec<Answer>) {
        for answer in answers {
            self.remote.coordinator.acknowledge(answer.receipt);
        }
    }

    /// Referees the games of a batch from a worker's messages.
    ///
    /// # Errors
    /// The messages are invalid for these games.
    fn referee(&self, items: &[Item], games: Games) -> Result<Vec<Option<Played>>, HostError> {
        let referee = |(item, (_, report)): (&Item, (_, GameReport))| {
            let GameReport::Played(messages) = report else { return Ok(None) };
            let connection = RefCell::new(Connection::replaying(messages));
            let played = settled(caught(|| {
                let game = self.queue.order(&item.asked);
                let played = self.queue.referee(&item.asked, game, &connection)?;
                connection.borrow_mut().end()?;
                Ok(played)
            }));
            match played {
                Ok(played) => Ok(Some(played)),
                Err(error) if connection.borrow().is_broken => Err(error),
                // The worker's process failed.
                Err(_) => Ok(None),
            }
        };
        items.iter().zip(games).map(referee).collect()
    }

    /// Plays some games of a batch on this machine: those on which the workers disagree, those that a worker reports as decided by the
    /// clock, those with which workers have failed too often, and a share of the others. Returns them by their indices in the batch.
    fn played_here(&self, items: &[Item], answers: &[Answer]) -> BTreeMap<usize, Result<Played, HostError>> {
        let (mut chosen, mut others) = (BTreeSet::new(), Vec::new());
        for (place, item) in items.iter().enumerate() {
            let games: Option<Vec<&Played>> =
                answers.iter().map(|answer| answer.games[place].as_ref()).collect();
            let must = match &games {
                None => item.tries >= TRIES_MAX,
                Some(games) => {
                    games.iter().any(|game| !game.result.reproducible)
                        || games.windows(2).any(|pair| pair[0] != pair[1])
                }
            };
            if must {
                chosen.insert(place);
            } else if games.is_some() {
                others.push(place);
            }
        }
        let is_new = answers.iter().any(|answer| self.remote.is_new(answer.worker));
        chosen
            .extend(self.remote.recheck.choose(others.len(), is_new).into_iter().map(|place| others[place]));
        let asked: Vec<&Asked> = chosen.iter().map(|&place| &items[place].asked).collect();
        let played = self.remote.recheck.play(self.queue, &asked);
        chosen.into_iter().zip(played).collect()
    }

    /// Delivers the games of a batch that count: those played on this machine and, unless a worker has lied, those on which all workers
    /// agree. The others are published again.
    fn put_games(
        &mut self,
        items: Vec<Item>,
        mut answers: Vec<Answer>,
        mut here: BTreeMap<usize, Result<Played, HostError>>,
        has_liar: bool,
    ) {
        let (mut again, mut count) = (Vec::new(), 0);
        let workers: Vec<WorkerId> = answers.iter().map(|answer| answer.worker).collect();
        for (place, item) in items.into_iter().enumerate() {
            let theirs =
                answers.iter_mut().map(|answer| answer.games[place].take()).collect::<Option<Vec<_>>>();
            let (played, by) = match (here.remove(&place), theirs) {
                (Some(Ok(ours)), theirs) => {
                    let same = workers.iter().zip(theirs.unwrap_or_default());
                    let same =
                        same.filter(|(_, theirs)| *theirs == ours).map(|(worker, _)| *worker).collect();
                    (ours, same)
                }
                (Some(Err(error)), _) => {
                    let asked = format!("workers had failed with it {} times", item.tries);
                    self.failed(&item, error.with_note(asked));
                    continue;
                }
                (None, Some(mut theirs)) if !has_liar && !theirs.is_empty() => {
                    count += 1;
                    (theirs.swap_remove(0), workers.clone())
                }
                (None, _) => {
                    again.push(item);
                    continue;
                }
            };
            for answer in &answers {
                self.remote.coordinator.hold(item.asked.number, answer.receipt.clone());
            }
            self.put(&item, played, &by);
        }
        if !has_liar {
            answers.iter().for_each(|answer| self.remote.count_in_journal(answer.worker, count));
        }
        self.drop_all(answers);
        if !again.is_empty() {
            self.to_publish.push_back((again, false));
        }
    }

    /// Delivers a game that also failed on this machine.
    fn failed(&self, item: &Item, failure: HostError) {
        self.queue.games.put(&item.asked, Ok(Err(failure)));
    }

    /// Returns all unfinished games as missing.
    fn give_up(&mut self) {
        let open = self.open.drain().flat_map(|(_, items)| items);
        let due = self.to_publish.drain(..).flat_map(|(items, _)| items);
        for item in open.chain(due).chain(self.filling.drain(..)) {
            self.queue.games.put(&item.asked, Ok(Ok(Source::Missing)));
        }
    }
}

/// The keys of games.
fn keys(items: &[Item]) -> Vec<Key> {
    items.iter().map(|item| key(item.asked.fixture)).collect()
}
