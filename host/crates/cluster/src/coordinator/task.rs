//! The thread that communicates with the server.

use super::{Command, Shared, Waiting, json, lock};
use crate::error::ConnectError;
use crate::keys::Sealed;
use crate::ledger::{ASK, FollowUp, Sender, sender};
use crate::message::{Answer, BATCH_WAIT, BatchAnswer, Request, Why, sha256};
use crate::server::{Link, Server, keep_only, put_component};
use crate::status::Status;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::{Message, Subject};
use futures_util::StreamExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{sleep, timeout};

/// The interval between two checks for silent workers and late batches. Chosen: a quarter of the shortest time after which a batch is
/// late.
const CHECK_EVERY: Duration = Duration::from_millis(250);

/// The time between two checks that shows that this program was suspended. Chosen: half the time after which a worker is silent.
const SUSPENDED_AFTER: Duration = Duration::from_millis(1_250);

/// The interval between two checks that the server still has its stream. Chosen: a server that lost its disk costs a few seconds.
const RESTORE_EVERY: Duration = Duration::from_secs(5);

/// The time before an unanswered request is repeated. Chosen: a server restart takes a second.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The number of results requested at once. Chosen.
const RESULTS_AT_ONCE: usize = 64;

/// The time for which a request for results stays open at the server. Chosen.
const RESULTS_WAIT: Duration = Duration::from_secs(5);

/// The timeout for the last messages to the server. Chosen: as long as a person waits for a prompt.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

/// The time for which the reported state of the workers is cached. Chosen: any client may ask for it, so a flood of requests must be
/// cheap.
const STATUS_CACHE_TIME: Duration = Duration::from_millis(200);

/// The maximum number of refused keys that are printed. Chosen: more than an organiser reads.
const REFUSED_MAX: usize = 1_000;

/// The state of the thread that communicates with the server.
pub struct Task {
    shared: Arc<Shared>,
    link: Link,
    results: PullConsumer,
}

impl Task {
    /// Connects and prepares the server for the first batch.
    pub async fn begin(
        server: &Server,
        shared: &Arc<Shared>,
        components: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, ConnectError> {
        let link = server.connect("arena coordinator", &shared.connection).await?;
        shared.bytes_max.store(link.client.max_payload() as u64, Ordering::SeqCst);
        let (status, ask) = (link.contest.status(), link.contest.ask());
        if link.client.request(status.clone(), Vec::new().into()).await.is_ok() {
            let (server, contest) = (server.to_string(), link.contest.as_str().to_owned());
            return Err(ConnectError::ContestTaken { server, contest });
        }
        let results = link.stream().await?;
        link.reset_consumer(&results).await;
        let store = link.store().await?;
        let entries = shared.manifest.bots.iter().chain(&shared.manifest.game);
        let mut missing: HashSet<&str> = entries.map(|entry| entry.sha256.as_str()).collect();
        keep_only(&store, &missing).await;
        for component in components {
            let hash = sha256(&component);
            if missing.remove(hash.as_str()) {
                put_component(&store, &hash, &component, link.client.max_payload()).await?;
            }
        }
        if !missing.is_empty() {
            return Err(ConnectError::ComponentChanged);
        }
        let results = link.results(&results).await?;
        let task = Self { shared: Arc::clone(shared), link, results };
        task.take_over().await?;
        let requests = task.subscribed(ask).await?;
        let statuses = task.subscribed(status).await?;
        // From now on another coordinator is refused. A server that is unreachable learns of the subscription when it is back.
        let _ = task.link.client.flush().await;
        tokio::spawn(answer_requests(Arc::clone(shared), requests, task.link.clone()));
        tokio::spawn(answer_status(Arc::clone(shared), statuses, task.link.clone()));
        Ok(task)
    }

    async fn subscribed(&self, subject: String) -> Result<async_nats::Subscriber, ConnectError> {
        let subscribed = self.link.client.subscribe(subject.clone()).await;
        subscribed.map_err(|error| ConnectError::NoSubscription { subject, cause: error.into() })
    }

    /// Takes the results left by an earlier coordinator.
    async fn take_over(&self) -> Result<(), ConnectError> {
        loop {
            let fetch = self.results.fetch().max_messages(RESULTS_AT_ONCE).messages().await;
            let mut messages = fetch.map_err(|error| ConnectError::NoResults { cause: error.into() })?;
            let mut count = 0;
            while let Some(Ok(message)) = messages.next().await {
                count += 1;
                let (message, acker) = message.split();
                let contest = self.shared.manifest.id.as_str();
                let ackers = self.shared.ledger().take_over(contest, &message.payload, acker);
                self.ack(ackers).await;
            }
            if count == 0 {
                let incomplete = self.shared.ledger().end_take_over();
                self.ack(incomplete).await;
                return Ok(());
            }
        }
    }

    /// Executes commands until the end.
    pub async fn run(self, mut orders: UnboundedReceiver<Command>) {
        let parts = [
            tokio::spawn(self.copy().read_results()),
            tokio::spawn(self.copy().check_workers()),
            tokio::spawn(self.copy().restore_server()),
        ];
        while let Some(command) = orders.recv().await {
            match command {
                Command::HandOut => {
                    self.shared.is_due.store(false, Ordering::SeqCst);
                    hand_out(&self.shared, &self.link).await;
                }
                Command::Ack(ackers) => self.ack(ackers).await,
                // Do not wait for an unreachable server.
                Command::Over => _ = timeout(LAST_MESSAGES, self.link.purge_results()).await,
                Command::End => break,
            }
        }
        parts.iter().for_each(tokio::task::JoinHandle::abort);
        let _ = timeout(LAST_MESSAGES, self.link.client.flush()).await;
    }

    /// A copy for a concurrent task.
    fn copy(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), link: self.link.clone(), results: self.results.clone() }
    }

    async fn ack(&self, ackers: Vec<Acker>) {
        for acker in ackers {
            // Without an acknowledgement, the result is redelivered to the next coordinator.
            let _ = acker.ack().await;
        }
    }

    /// Carries out the follow-up of a message.
    async fn apply(&self, FollowUp { ack, notes, has_work }: FollowUp<Acker>) {
        self.ack(ack).await;
        self.shared.note(notes);
        if has_work {
            hand_out(&self.shared, &self.link).await;
        }
    }

    async fn read_results(mut self) {
        loop {
            let batch = self.results.batch().max_messages(RESULTS_AT_ONCE).expires(RESULTS_WAIT);
            let Ok(mut messages) = batch.messages().await else {
                sleep(RETRY_AFTER).await;
                continue;
            };
            loop {
                let next = tokio::select! {
                    next = messages.next() => next,
                    // The server lost the pending request.
                    () = self.shared.connection.reconnected.notified() => None,
                };
                match next {
                    Some(Ok(message)) => {
                        let (message, acker) = message.split();
                        let contest = self.shared.manifest.id.as_str();
                        let follow_up =
                            self.shared.ledger().take(contest, &message.payload, acker, Instant::now());
                        self.apply(follow_up).await;
                        self.shared.count_jobs();
                    }
                    Some(Err(_)) => {
                        // The consumer may have been deleted.
                        sleep(RETRY_AFTER).await;
                        if let Ok(results) = self.link.stream().await
                            && let Ok(consumer) = self.link.results(&results).await
                        {
                            self.results = consumer;
                        }
                        break;
                    }
                    None => break,
                }
            }
        }
    }

    /// Checks for silent workers, late batches, and expired requests.
    async fn check_workers(self) {
        let mut checked_at = Instant::now();
        loop {
            sleep(CHECK_EVERY).await;
            let now = Instant::now();
            // Heartbeats are lost without a server, or while this program is suspended.
            if !self.shared.connection.is_connected() || now.duration_since(checked_at) > SUSPENDED_AFTER {
                self.shared.ledger().reset_heartbeats(now);
            }
            checked_at = now;
            let follow_up = self.shared.ledger().check_workers(now);
            self.apply(follow_up).await;
            self.shared.count_jobs();
            let expired: Vec<Waiting> = {
                let mut waiting = lock(&self.shared.waiting);
                std::iter::from_fn(|| waiting.pop_if(|first| first.until <= now)).collect()
            };
            for Waiting { reply, .. } in expired {
                answer_batch(&self.link, reply, &BatchAnswer::Nothing).await;
            }
        }
    }

    /// Recreates the stream and the consumer if the server lost them.
    async fn restore_server(self) {
        loop {
            sleep(RESTORE_EVERY).await;
            if let Ok(results) = self.link.stream().await {
                // On failure, the next check tries again.
                let _ = self.link.results(&results).await;
            }
        }
    }
}

/// Gives batches to the waiting workers, in the order of their requests.
async fn hand_out(shared: &Shared, link: &Link) {
    let given = {
        let mut ledger = shared.ledger();
        lock(&shared.waiting).hand_out(&mut ledger, Instant::now())
    };
    for (reply, answer) in given {
        answer_batch(link, reply, &answer).await;
    }
}

async fn answer_batch(link: &Link, reply: Subject, answer: &BatchAnswer) {
    let bytes = postcard::to_allocvec(answer).expect("a batch is plain data");
    // A worker without an answer asks again. Its next heartbeats show that it does not hold the batch.
    let _ = link.client.publish(reply, bytes.into()).await;
}

async fn answer_requests(shared: Arc<Shared>, mut asked: async_nats::Subscriber, link: Link) {
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply.clone() else { continue };
        if let Some(answer) = answer(&shared, &link, &message, reply.clone()).await {
            // A worker without an answer asks again.
            let _ = link.client.publish(reply, json(&answer).into()).await;
        }
    }
}

/// The answer to a request; `None` if it is a batch, is sent later, or the request is not signed.
async fn answer(shared: &Shared, link: &Link, message: &Message, reply: Subject) -> Option<Answer> {
    let sealed = Sealed::parse(&message.payload)?;
    let request: Request = serde_json::from_slice(sealed.body).ok()?;
    let now = Instant::now();
    let purpose = format!("{ASK} {}", link.contest.as_str());
    let signer = match sender(&shared.ledger, &sealed, &purpose, request.session(), now) {
        Sender::Signed(signer) => signer,
        Sender::NoRun(key) => {
            if matches!(request, Request::Batch { .. }) {
                answer_batch(link, reply, &BatchAnswer::Unknown).await;
                return None;
            }
            let refusal = shared.ledger().refusal(&key);
            return Some(refusal.map_or(Answer::Unknown, Answer::Refused));
        }
        Sender::Unknown => return None,
    };
    match request {
        Request::Hello(hello) => {
            let refusal = hello.versions.difference(&shared.versions);
            let entered = match refusal.or_else(|| hello.limits.exceeded_by(&shared.manifest, hello.jobs)) {
                Some(why) => Err(Why::from(why.as_str())),
                None => shared.ledger().hello(&signer, &hello, now),
            };
            Some(match entered {
                Ok((session, note)) => {
                    shared.count_jobs();
                    shared.note(note);
                    Answer::Welcome { session, manifest: shared.manifest.clone() }
                }
                Err(why) => {
                    let mut refused = lock(&shared.refused);
                    if refused.len() < REFUSED_MAX && refused.insert(signer.clone()) {
                        shared
                            .note([format!("worker {} is refused: {why} (its key is {signer})", hello.name)]);
                    }
                    Answer::Refused(why)
                }
            })
        }
        Request::Batch { session } => {
            // The workers in the queue were offered the open batches before, and may not take any of them.
            let next = shared.ledger().next(session, now);
            match next {
                Some(batch) => answer_batch(link, reply, &BatchAnswer::Batch(batch)).await,
                None => lock(&shared.waiting).push(Waiting { session, reply, until: now + BATCH_WAIT }),
            }
            None
        }
        Request::Alone { session, batch } => {
            let (may_play, follow_up) = shared.ledger().may_play_alone(session, batch);
            shared.note(follow_up.notes);
            for acker in follow_up.ack {
                let _ = acker.ack().await;
            }
            Some(if may_play { Answer::Play } else { Answer::GiveUp })
        }
        Request::Alive { session, played, held } => {
            let is_known = shared.ledger().heartbeat(session, played, &held, now);
            Some(if is_known { Answer::Known } else { Answer::Unknown })
        }
        Request::Leave { session } => {
            let follow_up = shared.ledger().leave(session);
            shared.count_jobs();
            lock(&shared.waiting).leave(session);
            shared.note(follow_up.notes);
            for acker in follow_up.ack {
                let _ = acker.ack().await;
            }
            hand_out(shared, link).await;
            Some(Answer::Known)
        }
    }
}

async fn answer_status(shared: Arc<Shared>, mut asked: async_nats::Subscriber, link: Link) {
    let mut last: Option<(Instant, Vec<u8>)> = None;
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply else { continue };
        let now = Instant::now();
        let known = last.take().filter(|(made, _)| now.duration_since(*made) < STATUS_CACHE_TIME);
        let (_, status) = last.insert(known.unwrap_or_else(|| {
            let mut status: Status = shared.ledger().status(now);
            let mut bytes = json(&status);
            while bytes.len() > link.client.max_payload() && !status.workers.is_empty() {
                let half = status.workers.len() / 2;
                status.workers_left_out += status.workers.drain(half..).len();
                bytes = json(&status);
            }
            (now, bytes)
        }));
        let _ = link.client.publish(reply, status.clone().into()).await;
    }
}
