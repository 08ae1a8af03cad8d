//! Fetching batches for a worker's jobs, and sending their results.

use super::{Ended, HEARTBEAT_EVERY, HeldBatch, Shared};
use crate::coordinator::lock;
use crate::ledger::RESULT;
use crate::message::{Answer, BatchAnswer, BatchMessage, Outcome, PartMessage, Request, Session};
use crate::parts::cut;
use async_nats::RequestErrorKind;
use async_nats::jetstream::message::PublishMessage;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The time without a coordinator after which a contest is over for a worker that holds no batches. Chosen: a restarted coordinator is
/// back by then.
const OVER_AFTER: Duration = Duration::from_secs(10);

impl Shared {
    /// Ends the contest, unless it has ended.
    pub fn end(&self, ended: Ended) {
        lock(&self.queue).ended.get_or_insert(ended);
        self.changed.notify_all();
        self.is_stopping.notify_waiters();
    }

    fn has_ended(&self) -> bool {
        lock(&self.queue).ended.is_some()
    }

    /// Waits until the contest has ended.
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

    /// Fetches and plays batches one after another.
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
                // It is returned with all others.
                () = self.stopping() => return,
            }
            drop(held);
        }
    }

    /// Fetches the next batch; `None` when there is no batch at the moment.
    async fn fetch(&self) -> Option<BatchMessage> {
        if !self.is_ready.load(Ordering::SeqCst) || !self.may_fetch.load(Ordering::SeqCst) {
            sleep(HEARTBEAT_EVERY / 4).await;
            return None;
        }
        let request = self.inner.signed(&Request::Batch { session: self.session() });
        let asked = self.inner.link.client.request(self.inner.link.contest.ask(), request.into());
        let answer = tokio::select! {
            answer = asked => answer.ok().and_then(|answer| postcard::from_bytes(&answer.payload).ok()),
            // The server lost the pending request.
            () = self.inner.connection.reconnected.notified() => return None,
        };
        match answer {
            Some(BatchAnswer::Batch(batch)) => Some(batch),
            Some(BatchAnswer::Nothing) => None,
            // The answer to the next heartbeat has the reason.
            Some(BatchAnswer::Unknown) | None => {
                sleep(HEARTBEAT_EVERY / 2).await;
                None
            }
        }
    }

    /// Plays a batch and sends its result.
    async fn play_and_send(&self, batch: BatchMessage) {
        let (number, secret) = (batch.number, batch.secret);
        let Some(outcome) = self.play(batch).await else { return };
        if let Outcome::Played { games, .. } = &outcome {
            self.inner.played.fetch_add(games.len() as u64, Ordering::SeqCst);
        }
        self.send_result(number, secret, &outcome).await;
    }

    /// Plays a batch. A batch that may end this worker is played alone, to find the cause. Returns `None` when the batch was dropped.
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
            // The jobs have ended: the batch is returned.
            Err(_) => std::future::pending().await,
        }
    }

    /// Asks the coordinator whether to play a batch that may end this worker.
    async fn may_play_alone(&self, batch: u64) -> bool {
        loop {
            match self.inner.ask(&Request::Alone { session: self.session(), batch }).await {
                Some(Answer::Play) => return true,
                Some(_) => return false,
                None => sleep(HEARTBEAT_EVERY).await,
            }
        }
    }

    /// Sends a result, and retries until the server has stored it.
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

    /// Returns all held batches.
    pub async fn leave(&self) {
        // If the message is lost, the coordinator notices that the worker is silent.
        let _ = self.inner.ask(&Request::Leave { session: self.session() }).await;
    }

    /// Sends heartbeats, and acts on the coordinator's answers.
    pub async fn send_heartbeats(self: Arc<Self>) {
        let mut heard = Instant::now();
        let mut ticks = interval(HEARTBEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.has_ended() {
            ticks.tick().await;
            let request = Request::Alive {
                session: self.session(),
                played: self.inner.played.load(Ordering::SeqCst),
                held: lock(&self.held).keys().copied().collect(),
            };
            let subject = self.inner.link.contest.ask();
            let answer = self.inner.link.client.request(subject, self.inner.signed(&request).into()).await;
            let answer = match answer {
                Ok(answer) => serde_json::from_slice(&answer.payload).ok(),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    self.may_fetch.store(false, Ordering::SeqCst);
                    if heard.elapsed() > OVER_AFTER && lock(&self.held).is_empty() {
                        self.end(Ended::Over);
                    }
                    continue;
                }
                // The server is unreachable or busy, so the coordinator's state is unknown.
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
