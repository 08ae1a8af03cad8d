//! The batches of a worker, from the server to its jobs and back.

use super::{Ended, HEARTBEAT_EVERY, HeldBatch, Shared};
use crate::coordinator::lock;
use crate::ledger::RESULT;
use crate::message::{Answer, BatchAnswer, BatchMessage, Outcome, PartMessage, Question, Session};
use crate::parts::cut;
use async_nats::RequestErrorKind;
use async_nats::jetstream::message::PublishMessage;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The time after which a contest without a coordinator is over, for a worker that holds none of its games. Chosen: a
/// coordinator that is started again is back by then.
const OVER_AFTER: Duration = Duration::from_secs(10);

impl Shared {
    /// Ends it, unless it has ended.
    pub fn end(&self, ended: Ended) {
        lock(&self.queue).ended.get_or_insert(ended);
        self.changed.notify_all();
        self.is_stopping.notify_waiters();
    }

    fn has_ended(&self) -> bool {
        lock(&self.queue).ended.is_some()
    }

    /// Waits until it has ended.
    async fn stopping(&self) {
        loop {
            let notified = self.is_stopping.notified();
            if self.has_ended() {
                return;
            }
            notified.await;
        }
    }

    fn session(&self) -> Session {
        Session(self.session.load(Ordering::SeqCst))
    }

    /// Takes one batch after the other.
    pub async fn take_batches(self: Arc<Self>) {
        while !self.has_ended() {
            let batch = tokio::select! {
                batch = self.fetch() => batch,
                () = self.stopping() => return,
            };
            let Some(batch) = batch else { continue };
            let number = batch.number;
            lock(&self.held).insert(number, batch.games.len() as u64);
            let held = OnDrop(|| _ = lock(&self.held).remove(&number));
            tokio::select! {
                () = self.play_and_send(batch) => {}
                // It is given back with all others.
                () = self.stopping() => return,
            }
            drop(held);
        }
    }

    /// The next batch; `None` if no batch has come.
    async fn fetch(&self) -> Option<BatchMessage> {
        if !self.is_ready.load(Ordering::SeqCst) || !self.may_fetch.load(Ordering::SeqCst) {
            sleep(HEARTBEAT_EVERY / 4).await;
            return None;
        }
        let question = self.inner.signed(&Question::Batch { session: self.session() });
        let asked = self.inner.link.client.request(self.inner.link.contest.ask(), question.into());
        let answer = tokio::select! {
            answer = asked => answer.ok().and_then(|answer| postcard::from_bytes(&answer.payload).ok()),
            // What was asked before, the server has forgotten.
            () = self.inner.connection.reconnected.notified() => return None,
        };
        match answer {
            Some(BatchAnswer::Batch(batch)) => Some(batch),
            Some(BatchAnswer::Nothing) => None,
            // The next sign of life says why.
            Some(BatchAnswer::Unknown) | None => {
                sleep(HEARTBEAT_EVERY / 2).await;
                None
            }
        }
    }

    /// Plays a batch and brings its result.
    async fn play_and_send(&self, batch: BatchMessage) {
        let (number, secret) = (batch.number, batch.secret);
        let Some(outcome) = self.play(batch).await else { return };
        if let Outcome::Played { games, .. } = &outcome {
            self.inner.played.fetch_add(games.len() as u64, Ordering::SeqCst);
        }
        self.send_result(number, secret, &outcome).await;
    }

    /// Has a batch played: with nothing else in play if it may end this worker, so that it is clear which one it was.
    /// `None` if it is not to be played any more.
    async fn play(&self, batch: BatchMessage) -> Option<Outcome> {
        let _shared;
        let _exclusive;
        if batch.is_alone {
            _exclusive = self.exclusive.write().await;
            if !self.may_play_alone(batch.number).await {
                return None;
            }
        } else {
            _shared = self.exclusive.read().await;
        }
        let (done, outcome) = oneshot::channel();
        let reports = Mutex::new((batch.games.iter().map(|_| None).collect(), 0));
        let batch =
            HeldBatch { games: batch.games, reports, began: Mutex::default(), done: Mutex::new(Some(done)) };
        if batch.games.is_empty() {
            return Some(Outcome::Played { took: Duration::ZERO, games: Vec::new() });
        }
        lock(&self.queue).batches.push_back(Arc::new(batch));
        self.changed.notify_one();
        match outcome.await {
            Ok(outcome) => Some(outcome),
            // Its players are gone: it is given back.
            Err(_) => std::future::pending().await,
        }
    }

    /// Asks the coordinator if it is to play a batch that may end it.
    async fn may_play_alone(&self, batch: u64) -> bool {
        loop {
            match self.inner.ask(&Question::Alone { session: self.session(), batch }).await {
                Some(Answer::Play) => return true,
                Some(_) => return false,
                None => sleep(HEARTBEAT_EVERY).await,
            }
        }
    }

    /// Sends a result until the server has stored it.
    async fn send_result(&self, batch: u64, secret: u64, outcome: &Outcome) {
        let bytes_max = self.inner.link.client.max_payload();
        let encode = |outcome: &Outcome| postcard::to_allocvec(outcome).expect("a result is plain data");
        let mut bytes = encode(outcome);
        if cut(&bytes, bytes_max).is_none() {
            bytes = encode(&Outcome::TooLarge);
        }
        let parts = cut(&bytes, bytes_max).unwrap_or_default();
        let count = u32::try_from(parts.len()).expect("there are few parts");
        for (part, bytes) in (0..).zip(parts) {
            let message = PartMessage { contest: &self.contest, batch, secret, part, parts: count, bytes };
            let body: Vec<u8> = postcard::to_allocvec(&message).expect("a part is plain data");
            let sealed = self.inner.key.seal(RESULT, &body);
            let id = format!("{secret:x}-{part}");
            loop {
                let message = PublishMessage::build().payload(sealed.clone().into()).message_id(&id);
                let subject = self.inner.link.contest.results();
                if let Ok(stored) = self.inner.link.context.send_publish(subject, message).await
                    && stored.await.is_ok()
                {
                    break;
                }
                sleep(HEARTBEAT_EVERY).await;
            }
        }
    }

    /// Gives back what it holds.
    pub async fn leave(&self) {
        // A coordinator that does not hear of it notices that the worker is silent.
        let _ = self.inner.ask(&Question::Leave { session: self.session() }).await;
    }

    /// Says that it lives, and does what the coordinator answers.
    pub async fn send_heartbeats(self: Arc<Self>) {
        let mut heard = Instant::now();
        let mut ticks = interval(HEARTBEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.has_ended() {
            ticks.tick().await;
            let question = Question::Alive {
                session: self.session(),
                played: self.inner.played.load(Ordering::SeqCst),
                held: lock(&self.held).keys().copied().collect(),
            };
            let subject = self.inner.link.contest.ask();
            let answer = self.inner.link.client.request(subject, self.inner.signed(&question).into()).await;
            let answer = match answer {
                Ok(answer) => serde_json::from_slice(&answer.payload).ok(),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    self.may_fetch.store(false, Ordering::SeqCst);
                    if heard.elapsed() > OVER_AFTER && lock(&self.held).is_empty() {
                        self.end(Ended::Over);
                    }
                    continue;
                }
                // The server is gone or busy, and nothing is known.
                Err(_) => {
                    heard = Instant::now();
                    continue;
                }
            };
            heard = Instant::now();
            match answer {
                Some(Answer::Known) => self.may_fetch.store(true, Ordering::SeqCst),
                Some(Answer::Refused(why)) => self.end(Ended::Refused(why)),
                Some(Answer::Unknown) => match self.inner.hello().await {
                    Some(Answer::Welcome { session, manifest }) if manifest.id.as_str() == self.contest => {
                        self.session.store(session.0, Ordering::SeqCst);
                        self.may_fetch.store(true, Ordering::SeqCst);
                    }
                    Some(Answer::Welcome { .. }) => self.end(Ended::Over),
                    Some(Answer::Refused(why)) => self.end(Ended::Refused(why)),
                    Some(_) | None => {}
                },
                Some(_) | None => {}
            }
        }
    }
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
