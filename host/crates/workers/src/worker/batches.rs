//! The batches of a worker, from the server to its jobs and back.

use super::{BEAT_EVERY, Ended, InPlay, Shared, lock};
use crate::coordinator::json;
use crate::parts::cut;
use crate::server::{RESULTS_SUBJECT, WORKERS};
use crate::words::{Answer, BatchWord, Beat, Beaten, Outcome, PartWord, Question};
use async_nats::RequestErrorKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The time that a request for a batch waits at the server.
const BATCH_WAIT: Duration = Duration::from_secs(5);

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

    /// Takes one batch after the other.
    pub async fn take_batches(self: Arc<Self>) {
        let mut consumer = None;
        while !self.has_ended() {
            let message = tokio::select! {
                message = self.fetch(&mut consumer) => message,
                () = self.stopping() => return,
            };
            let Some(message) = message else { continue };
            tokio::select! {
                () = self.see_to(&message) => {}
                () = self.stopping() => {
                    // It is delivered to another worker at once.
                    let _ = message.ack_with(AckKind::Nak(None)).await;
                }
            }
        }
    }

    /// The next batch; none if none has come, for whatever reason. A consumer is kept as long as it gives batches.
    async fn fetch(&self, known: &mut Option<PullConsumer>) -> Option<Message> {
        if !self.is_ready.load(Ordering::SeqCst) || !self.may_fetch.load(Ordering::SeqCst) {
            sleep(BEAT_EVERY / 4).await;
            return None;
        }
        let consumer = match known {
            Some(consumer) => consumer,
            None => match self.me.link.consumer(&self.contest).await {
                Some(consumer) => known.insert(consumer),
                None => {
                    sleep(BEAT_EVERY).await;
                    return None;
                }
            },
        };
        let asked = consumer.batch().max_messages(1).expires(BATCH_WAIT).messages().await;
        let next = match asked {
            Ok(mut messages) => tokio::select! {
                next = messages.next() => next,
                // What the server was asked before, it has forgotten.
                () = self.me.connection.back.notified() => return None,
            },
            Err(error) => Some(Err(error.into())),
        };
        match next {
            Some(Ok(message)) => Some(message),
            None => None,
            Some(Err(_)) => {
                // The consumer may be gone, and is made again by the coordinator.
                *known = None;
                sleep(BEAT_EVERY / 4).await;
                None
            }
        }
    }

    /// Plays a batch, brings its result, and acknowledges it.
    async fn see_to(&self, message: &Message) {
        let Ok(word) = postcard::from_bytes::<BatchWord>(&message.payload) else {
            // Nobody can play it, now or later.
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let count = word.games.len() as u64;
        self.held.fetch_add(count, Ordering::SeqCst);
        let held = OnDrop(|| _ = self.held.fetch_sub(count, Ordering::SeqCst));
        let batch = word.batch;
        let done = async {
            let is_suspect = word.is_suspect || deliveries > 1;
            let outcome = self.play(word, is_suspect).await;
            if let Outcome::Played { games, .. } = &outcome {
                self.me.played.fetch_add(games.len() as u64, Ordering::SeqCst);
            }
            self.bring(batch, &outcome).await;
        };
        tokio::select! {
            () = done => {}
            () = keep_alive(message) => {}
        }
        drop(held);
        // If it gets lost, the batch is played again, and the second result is dropped.
        let _ = message.ack().await;
    }

    /// Has a batch played: with nothing else in play if it may end this worker, so that nobody doubts which one it was.
    async fn play(&self, word: BatchWord, is_suspect: bool) -> Outcome {
        let _together;
        let _alone;
        if is_suspect {
            _alone = self.alone.write().await;
            if !self.is_to_play(word.batch).await {
                return Outcome::GivenUp("it has ended each worker that played it".into());
            }
        } else {
            _together = self.alone.read().await;
        }
        let (done, outcome) = oneshot::channel();
        let told = Mutex::new((word.games.iter().map(|_| None).collect(), 0));
        let batch = InPlay { games: word.games, told, began: Mutex::default(), done: Mutex::new(Some(done)) };
        if batch.games.is_empty() {
            return Outcome::Played { took: Duration::ZERO, games: Vec::new() };
        }
        lock(&self.queue).batches.push_back(Arc::new(batch));
        self.changed.notify_one();
        match outcome.await {
            Ok(outcome) => outcome,
            // Its players are gone: it is given back.
            Err(_) => std::future::pending().await,
        }
    }

    /// Asks the coordinator if it is to play a batch that may end it.
    async fn is_to_play(&self, batch: [u64; 2]) -> bool {
        loop {
            match self.me.ask(&Question::Suspect { batch }).await {
                Some(Answer::Play) => return true,
                Some(_) => return false,
                None => sleep(BEAT_EVERY).await,
            }
        }
    }

    /// Sends a result until the server has stored it.
    async fn bring(&self, batch: [u64; 2], outcome: &Outcome) {
        let bytes_max = self.me.link.client.max_payload();
        let encode = |outcome: &Outcome| postcard::to_allocvec(outcome).expect("a result is plain data");
        let mut bytes = encode(outcome);
        if cut(&bytes, bytes_max).is_none() {
            bytes = encode(&Outcome::GivenUp("its result is too large".into()));
        }
        let parts = cut(&bytes, bytes_max).unwrap_or_default();
        let answer = self.me.answers.fetch_add(1, Ordering::SeqCst);
        let session = self.me.session;
        let count = u32::try_from(parts.len()).expect("there are few parts");
        for (part, bytes) in (0..).zip(parts) {
            let word = PartWord { contest: &self.contest, batch, session, answer, part, parts: count, bytes };
            let word: Vec<u8> = postcard::to_allocvec(&word).expect("a part is plain data");
            let id = format!("{:x}-{answer}-{part}", session.0);
            loop {
                let message = PublishMessage::build().payload(word.clone().into()).message_id(&id);
                if let Ok(stored) = self.me.link.context.send_publish(RESULTS_SUBJECT, message).await
                    && stored.await.is_ok()
                {
                    break;
                }
                sleep(BEAT_EVERY).await;
            }
        }
    }

    /// Says that it lives, and does what the coordinator answers.
    pub async fn beat(self: Arc<Self>) {
        let mut heard = Instant::now();
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.has_ended() {
            ticks.tick().await;
            let beat = Beat {
                session: self.me.session,
                contest: self.contest.as_str().into(),
                played: self.me.played.load(Ordering::SeqCst),
                in_flight: self.held.load(Ordering::SeqCst),
            };
            let answer = self.me.link.client.request(WORKERS, json(&beat).into()).await;
            let answer = match answer {
                Ok(answer) => serde_json::from_slice(&answer.payload).ok(),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    self.may_fetch.store(false, Ordering::SeqCst);
                    if heard.elapsed() > OVER_AFTER && self.held.load(Ordering::SeqCst) == 0 {
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
                Some(Beaten::Known) => self.may_fetch.store(true, Ordering::SeqCst),
                Some(Beaten::Excluded(why)) => self.end(Ended::Refused(why)),
                Some(Beaten::Unknown) => match self.me.hello().await {
                    Some(Answer::Contest(manifest)) if manifest.id.as_str() == self.contest => {
                        self.may_fetch.store(true, Ordering::SeqCst);
                    }
                    Some(Answer::Contest(_)) => self.end(Ended::Over),
                    Some(Answer::Refused(why)) => self.end(Ended::Refused(why)),
                    Some(_) | None => {}
                },
                None => {}
            }
        }
    }
}

/// Says again and again that a batch is worked on.
async fn keep_alive(message: &Message) {
    loop {
        sleep(BEAT_EVERY).await;
        // If the server does not hear of it, it delivers the batch again.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
