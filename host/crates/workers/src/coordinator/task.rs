//! The side of the thread that speaks with the server.

use super::{Command, Shared, Waiting, json, lock};
use crate::keys::Sealed;
use crate::ledger::{ASK, FollowUp, Sender, sender};
use crate::message::{Answer, BATCH_WAIT, BatchAnswer, Question, Why, sha256};
use crate::server::{ConnectError, Link, Server, keep_only, put_component};
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

/// The time between two looks at workers that are silent and batches that are late. Chosen: a part of the shortest time after which one
/// is late.
const CHECK_EVERY: Duration = Duration::from_millis(250);

/// The time after which a look is so late that it was this program that has slept. Chosen: half the time after which a worker is silent.
const SUSPENDED_AFTER: Duration = Duration::from_millis(1_250);

/// The time between two looks at what the server keeps, which may be lost. Chosen: a server that lost its disk costs some seconds.
const RESTORE_EVERY: Duration = Duration::from_secs(5);

/// The time after which a request that the server did not answer is sent again. Chosen: a server that restarts takes a second.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The number of results that are asked for at once. Chosen.
const RESULTS_AT_ONCE: usize = 64;

/// The time that a request for results waits at the server.
const RESULTS_WAIT: Duration = Duration::from_secs(5);

/// The longest time that the last messages to the server take. Chosen: as long as a person waits for a prompt.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

/// The time for which the state of the workers is told as it was. Chosen: anybody may ask for it, and a flood of questions costs little.
const STATUS_CACHE_TIME: Duration = Duration::from_millis(200);

/// The number of refused keys that are remembered. Chosen: more than an organiser reads.
const REFUSED_MAX: usize = 1_000;

/// The side of the thread that speaks with the server.
pub struct Task {
    shared: Arc<Shared>,
    link: Link,
    results: PullConsumer,
}

impl Task {
    /// Connects, and makes everything ready for the first batch.
    pub async fn begin(
        server: &Server,
        shared: &Arc<Shared>,
        components: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, ConnectError> {
        let link = server.connect("arena coordinator", &shared.connection).await?;
        shared.bytes_max.store(link.client.max_payload() as u64, Ordering::SeqCst);
        let (status, ask) = (link.contest.status(), link.contest.ask());
        if link.client.request(status.clone(), Vec::new().into()).await.is_ok() {
            return Err(ConnectError {
                what: format!(
                    "{server}: another `arena run` coordinates a contest named `{}` there",
                    link.contest.as_str()
                ),
                next: "wait until it has ended, or name this one: `--contest NAME`, also for its workers",
            });
        }
        let results = link.stream().await?;
        link.reset_consumer(&results).await;
        let store = link.store().await?;
        let mut missing: HashSet<&str> = shared.manifest.bots.iter().map(|bot| bot.sha256.as_str()).collect();
        keep_only(&store, &missing).await;
        for component in components {
            let hash = sha256(&component);
            if missing.remove(hash.as_str()) {
                put_component(&store, &hash, &component, link.client.max_payload()).await?;
            }
        }
        if !missing.is_empty() {
            let what = "a bot's file has changed since it was admitted".into();
            return Err(ConnectError { what, next: "run it again" });
        }
        let results = link.results(&results).await?;
        let task = Self { shared: Arc::clone(shared), link, results };
        task.take_over().await?;
        let questions = task.subscribed(ask).await?;
        let statuses = task.subscribed(status).await?;
        // From now on another coordinator is refused. If the server is gone by now, it hears of it when it is back.
        let _ = task.link.client.flush().await;
        tokio::spawn(answer_questions(Arc::clone(shared), questions, task.link.clone()));
        tokio::spawn(answer_status(Arc::clone(shared), statuses, task.link.clone()));
        Ok(task)
    }

    async fn subscribed(&self, subject: String) -> Result<async_nats::Subscriber, ConnectError> {
        self.link.client.subscribe(subject.clone()).await.map_err(|error| ConnectError {
            what: format!("the server does not let it answer on {subject}: {error}"),
            next: "check what the account may do",
        })
    }

    /// Takes the results that an earlier coordinator has left.
    async fn take_over(&self) -> Result<(), ConnectError> {
        loop {
            let fetch = self.results.fetch().max_messages(RESULTS_AT_ONCE).messages().await;
            let mut messages = fetch.map_err(|error| ConnectError {
                what: format!("the server does not give the results that are left: {error}"),
                next: "run it again",
            })?;
            let mut count = 0;
            while let Some(Ok(message)) = messages.next().await {
                count += 1;
                let (message, acker) = message.split();
                let contest = self.shared.manifest.id.as_str();
                let ackers = self.shared.ledger().take_over(contest, &message.payload, acker);
                self.ack(ackers).await;
            }
            if count == 0 {
                let halves = self.shared.ledger().end_take_over();
                self.ack(halves).await;
                return Ok(());
            }
        }
    }

    /// Does what it is told, until the end.
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
                // A server that is gone is not waited for.
                Command::Over => _ = timeout(LAST_MESSAGES, self.link.purge_results()).await,
                Command::End => break,
            }
        }
        parts.iter().for_each(tokio::task::JoinHandle::abort);
        let _ = timeout(LAST_MESSAGES, self.link.client.flush()).await;
    }

    /// The same, for a part of it that runs beside the others.
    fn copy(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), link: self.link.clone(), results: self.results.clone() }
    }

    async fn ack(&self, ackers: Vec<Acker>) {
        for acker in ackers {
            // A result that the server does not hear of comes again, to the next coordinator.
            let _ = acker.ack().await;
        }
    }

    /// Does what follows from a message.
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
                    // What the server was asked before, it has forgotten.
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
                        // The consumer may be gone.
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

    /// Looks for workers that are silent, batches that are late, and questions that wait for too long.
    async fn check_workers(self) {
        let mut checked_at = Instant::now();
        loop {
            sleep(CHECK_EVERY).await;
            let now = Instant::now();
            // A worker's signs of life are lost without a server, or while this program sleeps.
            if !self.shared.connection.is_connected() || now.duration_since(checked_at) > SUSPENDED_AFTER {
                self.shared.ledger().reset_heartbeats(now);
            }
            checked_at = now;
            let follow_up = self.shared.ledger().check_workers(now);
            self.apply(follow_up).await;
            self.shared.count_jobs();
            let over: Vec<Waiting> = {
                let mut waiting = lock(&self.shared.waiting);
                std::iter::from_fn(|| waiting.pop_if(|first| first.until <= now)).collect()
            };
            for Waiting { reply, .. } in over {
                answer_batch(&self.link, reply, &BatchAnswer::Nothing).await;
            }
        }
    }

    /// Makes again what a server has lost.
    async fn restore_server(self) {
        loop {
            sleep(RESTORE_EVERY).await;
            if let Ok(results) = self.link.stream().await {
                // The next look makes what cannot be made now.
                let _ = self.link.results(&results).await;
            }
        }
    }
}

/// Gives batches to the workers that wait for them, in the order in which they have asked.
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
    // A worker that gets no answer asks again; that it does not have the batch, its next signs of life say.
    let _ = link.client.publish(reply, bytes.into()).await;
}

async fn answer_questions(shared: Arc<Shared>, mut asked: async_nats::Subscriber, link: Link) {
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply.clone() else { continue };
        if let Some(answer) = answer(&shared, &link, &message, reply.clone()).await {
            // A worker that gets no answer asks again.
            let _ = link.client.publish(reply, json(&answer).into()).await;
        }
    }
}

/// The answer to a question; `None` if it is a batch, or if it comes later, or if the question is not signed.
async fn answer(shared: &Shared, link: &Link, message: &Message, reply: Subject) -> Option<Answer> {
    let sealed = Sealed::parse(&message.payload)?;
    let question: Question = serde_json::from_slice(sealed.body).ok()?;
    let now = Instant::now();
    let purpose = format!("{ASK} {}", link.contest.as_str());
    let signer = match sender(&shared.ledger, &sealed, &purpose, question.session(), now) {
        Sender::Signed(signer) => signer,
        Sender::NoRun(key) => {
            if matches!(question, Question::Batch { .. }) {
                answer_batch(link, reply, &BatchAnswer::Unknown).await;
                return None;
            }
            let refusal = shared.ledger().refusal(&key);
            return Some(refusal.map_or(Answer::Unknown, Answer::Refused));
        }
        Sender::Unknown => return None,
    };
    match question {
        Question::Hello(hello) => {
            let entered = match hello.versions.difference(&shared.versions) {
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
        Question::Batch { session } => {
            // Those who wait were asked when there was something to do: it was nothing for them.
            let next = shared.ledger().next(session, now);
            match next {
                Some(batch) => answer_batch(link, reply, &BatchAnswer::Batch(batch)).await,
                None => lock(&shared.waiting).push(Waiting { session, reply, until: now + BATCH_WAIT }),
            }
            None
        }
        Question::Alone { session, batch } => {
            let (may_play, follow_up) = shared.ledger().may_play_alone(session, batch);
            shared.note(follow_up.notes);
            for acker in follow_up.ack {
                let _ = acker.ack().await;
            }
            Some(if may_play { Answer::Play } else { Answer::GiveUp })
        }
        Question::Alive { session, played, held } => {
            let is_known = shared.ledger().heartbeat(session, played, &held, now);
            Some(if is_known { Answer::Known } else { Answer::Unknown })
        }
        Question::Leave { session } => {
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
