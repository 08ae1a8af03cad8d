//! Tests of the ledger with honest and dishonest workers, at times that each test chooses.

use super::*;
use crate::limits::WorkerLimits;
use crate::message::{BatchMessage, Hello, Versions};
use crate::{RegisteredWorker, WorkerKey};
use std::sync::mpsc::{Receiver, Sender, channel};

mod bounds;
mod earlier;
mod shown;

/// The coordinator's side of a contest, with a simulated clock.
struct Setting {
    ledger: Ledger<u32>,
    now: Instant,
    answers: (Sender<Answered<u32>>, Receiver<Answered<u32>>),
    tokens: u32,
}

/// The worker's side of a contest.
struct Worker {
    key: WorkerKey,
    session: Session,
}

fn hello(name: &str, jobs: u16) -> Hello {
    let versions = Versions { arena: "1".into(), revision: 2, transcript: "2.1".into(), engine: "aa".into() };
    Hello { name: name.into(), machine: "here".into(), jobs, versions, limits: WorkerLimits::default() }
}

fn key_of(game: u32) -> Key {
    Key { seats: [0, 1], pair: game / 2, game }
}

/// The outcome of a batch with these games.
fn played(games: &[u32]) -> Outcome {
    let games = games.iter().map(|&game| (key_of(game), GameReport::Played(vec![1]))).collect();
    Outcome::Played { took: Duration::from_millis(1), games }
}

/// A result in one signed message, for the batch with this number and this secret.
fn sealed(key: &WorkerKey, contest: &str, [batch, secret]: [u64; 2], outcome: &Outcome) -> Vec<u8> {
    let bytes = postcard::to_allocvec(outcome).unwrap();
    let part = PartMessage { contest, batch, secret, part: 0, parts: 1, bytes: &bytes };
    key.seal(RESULT, &postcard::to_allocvec(&part).unwrap())
}

impl Setting {
    fn new(register: Option<Register>) -> Self {
        Self { ledger: Ledger::new([7; 32], register), now: Instant::now(), answers: channel(), tokens: 0 }
    }

    /// Opens batches of one game each.
    fn publish(&mut self, batches: u32, owners: usize) {
        for game in 0..batches {
            let games = vec![Game { key: key_of(game), order: vec![1] }];
            let batch = Batch { games, owners, is_suspect: false, tries_alone: 2 };
            self.ledger.publish(batch, self.answers.0.clone());
        }
    }

    fn enter(&mut self, name: &str, jobs: u16) -> Worker {
        self.enter_as(WorkerKey::fresh(), name, jobs).expect("it may play")
    }

    fn enter_as(&mut self, key: WorkerKey, name: &str, jobs: u16) -> Result<Worker, Why> {
        let (session, _) = self.ledger.hello(&key.public(), &hello(name, jobs), self.now)?;
        Ok(Worker { key, session })
    }

    fn next(&mut self, worker: &Worker) -> Option<BatchMessage> {
        self.ledger.next(worker.session, self.now)
    }

    /// Advances the time, while these workers send heartbeats and keep their batches.
    fn wait(&mut self, millis: u64, living: &[&Worker]) {
        for _ in 0..millis / 250 {
            self.now += Duration::from_millis(250);
            for worker in living {
                let held: Vec<u64> = self
                    .ledger
                    .runs
                    .get(&worker.session)
                    .map_or(Vec::new(), |run| run.held.iter().copied().collect());
                self.ledger.heartbeat(worker.session, 0, &held, self.now);
            }
            self.ledger.check_workers(self.now);
        }
    }

    /// Sends a result under a key. Returns the number of messages to acknowledge.
    fn send_result_as(&mut self, key: &WorkerKey, batch: &BatchMessage, games: &[u32]) -> usize {
        self.send_outcome(key, batch, &played(games)).ack.len()
    }

    fn send_outcome(&mut self, key: &WorkerKey, batch: &BatchMessage, outcome: &Outcome) -> FollowUp<u32> {
        let sealed = sealed(key, "c", [batch.number, batch.secret], outcome);
        self.tokens += 1;
        self.ledger.take("c", &sealed, self.tokens, self.now)
    }

    fn send_result(&mut self, worker: &Worker, batch: &BatchMessage) -> usize {
        let games: Vec<u32> = batch.games.iter().map(|game| game.key.game).collect();
        self.send_result_as(&worker.key, batch, &games)
    }

    /// The workers that have answered the next batch; `None` when it was abandoned.
    fn answered(&self) -> Option<Vec<WorkerId>> {
        match self.answers.1.try_recv().expect("there is an answer").answers {
            Answers::Played(results) => Some(results.into_iter().map(|result| result.worker).collect()),
            Answers::GivenUp(_) | Answers::TooLarge(_) => None,
        }
    }

    fn expect_no_answer(&self) {
        assert!(self.answers.1.try_recv().is_err());
    }
}

#[test]
fn only_the_worker_that_holds_a_batch_answers_it_and_only_once() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let [holder, other] = ["holder", "other"].map(|name| setting.enter(name, 1));
    let batch = setting.next(&holder).expect("there is one");
    assert!(setting.next(&other).is_none());
    // Another key with an overheard secret, a key that never said hello, and the right key without the secret.
    assert_eq!(setting.send_result(&other, &batch), 1);
    assert_eq!(setting.send_result_as(&WorkerKey::fresh(), &batch, &[0]), 1);
    let guessed = BatchMessage { secret: batch.secret + 1, ..batch.clone() };
    assert_eq!(setting.send_result(&holder, &guessed), 1);
    setting.expect_no_answer();
    assert_eq!(setting.send_result(&holder, &batch), 0);
    assert_eq!(setting.answered().map(|workers| workers.len()), Some(1));
    assert_eq!(setting.send_result(&holder, &batch), 1);
    setting.expect_no_answer();
    assert_eq!(setting.ledger.status(setting.now).messages_dropped, 4);
}

#[test]
fn a_worker_that_sends_other_games_is_excluded_by_its_key_and_its_batches_go_to_others() {
    let mut setting = Setting::new(None);
    setting.publish(2, 1);
    let bad = setting.enter("bad", 2);
    let batches = [setting.next(&bad), setting.next(&bad)].map(|batch| batch.expect("it has two"));
    setting.send_result_as(&bad.key, &batches[0], &[9]);
    assert_eq!(setting.send_result(&bad, &batches[1]), 1);
    setting.expect_no_answer();
    let why = setting.enter_as(bad.key, "another name", 1).err().expect("it is excluded");
    assert!(why.contains("other games"), "{why}");
    // The name is still free for others.
    let honest = setting.enter("bad", 1);
    assert_eq!([setting.next(&honest), setting.next(&honest)].iter().flatten().count(), 2);
}

#[test]
fn a_claim_of_many_jobs_counts_only_as_far_as_results_confirm_it() {
    let mut setting = Setting::new(None);
    setting.publish(1_000, 1);
    let greedy = setting.enter("greedy", u16::MAX);
    let take_all = |setting: &mut Setting| -> Vec<BatchMessage> {
        std::iter::from_fn(|| setting.ledger.next(greedy.session, setting.now)).collect()
    };
    let first = take_all(&mut setting);
    assert_eq!((first.len(), setting.ledger.jobs_at_work()), (HELD_PER_JOB, 1));
    for batch in &first {
        setting.send_result(&greedy, batch);
    }
    assert_eq!((take_all(&mut setting).len(), setting.ledger.jobs_at_work()), (3 * HELD_PER_JOB, 3));
    setting.ledger.heartbeat(greedy.session, u64::MAX, &[], setting.now);
    setting.now += Duration::from_secs(1);
    setting.ledger.heartbeat(greedy.session, 0, &[u64::MAX; 3], setting.now);
    assert!(setting.ledger.status(setting.now).games_per_second.is_finite());
}

#[test]
fn a_late_batch_is_given_to_another_worker_and_the_first_result_counts() {
    let mut setting = Setting::new(None);
    setting.publish(2, 1);
    let [slow, quick] = ["slow", "quick"].map(|name| setting.enter(name, 1));
    let late = setting.next(&slow).expect("there is one");
    let batch = setting.next(&quick).expect("there is one");
    setting.send_result(&quick, &batch);
    setting.answered();
    assert!(setting.next(&quick).is_none());
    setting.wait(1_250, &[&slow, &quick]);
    let again = setting.next(&quick).expect("it is late");
    assert_eq!((again.number, again.is_alone), (late.number, false));
    assert_ne!(again.secret, late.secret);
    setting.send_result(&slow, &late);
    assert_eq!(setting.answered().map(|workers| workers.len()), Some(1));
    assert_eq!(setting.send_result(&quick, &again), 1);
    setting.expect_no_answer();
    let status = setting.ledger.status(setting.now);
    assert_eq!(status.workers.iter().map(|worker| worker.late).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn a_batch_whose_workers_fall_silent_is_played_alone_and_finally_abandoned() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let first = setting.enter("first", 1);
    assert!(!setting.next(&first).expect("there is one").is_alone);
    for _ in 0..2 {
        setting.wait(6_000, &[]);
        let worker = setting.enter("next", 1);
        let batch = setting.next(&worker).expect("it is there again");
        assert!(batch.is_alone);
        // Asking twice is one try.
        assert!(setting.ledger.may_play_alone(worker.session, batch.number).0);
        assert!(setting.ledger.may_play_alone(worker.session, batch.number).0);
    }
    setting.wait(6_000, &[]);
    let last = setting.enter("last", 1);
    let batch = setting.next(&last).expect("it is there again");
    // A worker that does not hold the batch is refused.
    let other = setting.enter("other", 1);
    assert!(!setting.ledger.may_play_alone(other.session, batch.number).0);
    setting.expect_no_answer();
    assert!(!setting.ledger.may_play_alone(last.session, batch.number).0);
    assert_eq!(setting.answered(), None);
}

#[test]
fn a_batch_lost_in_transit_is_handed_out_again() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let worker = setting.enter("worker", 1);
    let lost = setting.next(&worker).expect("there is one");
    for millis in [1_000, 1_000, 1_000, 1] {
        assert!(setting.next(&worker).is_none());
        setting.now += Duration::from_millis(millis);
        setting.ledger.heartbeat(worker.session, 0, &[], setting.now);
    }
    let again = setting.next(&worker).expect("it is there again");
    assert_eq!((again.number, again.is_alone), (lost.number, false));
}

#[test]
fn a_game_of_strangers_is_played_by_two_owners_and_one_owner_cannot_play_it_twice() {
    let keys: Vec<WorkerKey> = (0..3).map(|_| WorkerKey::fresh()).collect();
    let worker = |(place, key): (usize, &WorkerKey)| {
        let owner = if place < 2 { "alice" } else { "bob" };
        (key.public(), RegisteredWorker { name: "w".into(), owner: owner.into(), blocked: None })
    };
    let register: Register = keys.iter().enumerate().map(worker).collect();
    assert_eq!(register.owners(), 2);
    let mut setting = Setting::new(Some(register));
    setting.publish(1, 2);
    assert!(setting.enter_as(WorkerKey::fresh(), "stranger", 1).is_err());
    let [first, second, third]: [Worker; 3] = keys
        .into_iter()
        .map(|key| setting.enter_as(key, "w", 1).expect("it is admitted"))
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .expect("there are three");
    let of_alice = setting.next(&first).expect("there is one");
    assert!(setting.next(&second).is_none());
    setting.send_result(&first, &of_alice);
    setting.expect_no_answer();
    assert!(setting.next(&second).is_none());
    let of_bob = setting.next(&third).expect("it is another owner");
    setting.send_result(&third, &of_bob);
    assert_eq!(setting.answered().map(|workers| workers.len()), Some(2));
}

#[test]
fn the_result_of_an_excluded_or_blocked_worker_for_an_open_batch_is_dropped() {
    let keys: Vec<WorkerKey> = (0..3).map(|_| WorkerKey::fresh()).collect();
    let publics: Vec<PublicKey> = keys.iter().map(WorkerKey::public).collect();
    let register = |blocked: Option<usize>| -> Register {
        let worker = |(place, key): (usize, &PublicKey)| {
            let blocked = (blocked == Some(place)).then(|| "slow".into());
            (
                key.clone(),
                RegisteredWorker { name: "w".into(), owner: place.to_string().as_str().into(), blocked },
            )
        };
        publics.iter().enumerate().map(worker).collect()
    };
    let mut setting = Setting::new(Some(register(None)));
    setting.publish(1, 2);
    let workers: Vec<Worker> =
        keys.into_iter().map(|key| setting.enter_as(key, "w", 1).expect("it is admitted")).collect();
    let batch = setting.next(&workers[0]).expect("there is one");
    setting.send_result(&workers[0], &batch);
    let follow_up = setting.ledger.set_register(register(Some(0)));
    assert_eq!((follow_up.ack.len(), follow_up.notes.len()), (1, 1));
    for worker in &workers[1..] {
        let batch = setting.next(worker).expect("it is wanted");
        setting.send_result(worker, &batch);
    }
    assert_eq!(setting.answered(), Some(vec![WorkerId(1), WorkerId(2)]));
}

#[test]
fn the_state_of_very_many_workers_fits_into_a_message_and_connected_workers_come_first() {
    let mut setting = Setting::new(None);
    for number in 0..1_200 {
        let key = PublicKey::made_up(number);
        setting.ledger.hello(&key, &hello("gone", 1), setting.now).expect("it may play");
    }
    setting.wait(6_000, &[]);
    let here = setting.enter("here", 1);
    let status = setting.ledger.status(setting.now);
    assert_eq!((status.workers.len(), status.workers_left_out, status.runs), (1_000, 201, 1));
    assert_eq!(status.workers[0].key, here.key.public());
    assert!(serde_json::to_vec(&status).unwrap().len() < 1 << 20);
}
