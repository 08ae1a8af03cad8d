//! The side of the thread that speaks with the server.

use super::{BatchNumber, Command, Shared, json};
use crate::results::Todo;
use crate::server::{CONTEST, ConnectError, Link, Server, WORKERS, keep_only, put_component, subject_of};
use crate::words::{Answer, Beat, Question, Why, sha256};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{Acker, PublishMessage};
use futures_util::StreamExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{sleep, timeout};

/// The time between two looks after what may be lost. Chosen: half of them see a loss, so it takes 10 s at most.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The time after which a message that the server did not store is sent again. Chosen: a server that restarts takes a second.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The number of results that are asked for at once. Chosen.
const RESULTS_AT_ONCE: usize = 64;

/// The time that a request for results waits at the server.
const RESULTS_WAIT: Duration = Duration::from_secs(5);

/// The longest time that the last words to the server take. Chosen: nobody waits longer for a prompt.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The side of the thread that speaks with the server.
pub struct Task {
    shared: Arc<Shared>,
    link: Link,
    commands: UnboundedSender<Command>,
    results: PullConsumer,
}

impl Task {
    /// Connects, and makes everything ready for the first batch.
    pub async fn begin(
        server: &Server,
        shared: &Arc<Shared>,
        commands: UnboundedSender<Command>,
        components: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, ConnectError> {
        let link = server.connect("arena coordinator", &shared.connection).await?;
        shared.bytes_max.store(link.client.max_payload() as u64, Ordering::SeqCst);
        if link.client.request(CONTEST, json(&Question::Coordinator).into()).await.is_ok() {
            return Err(ConnectError {
                what: format!("{server}: another `arena run` coordinates a contest there"),
                next: "wait until it has ended, or use another server or another account of it",
            });
        }
        let (games, results) = link.streams().await?;
        link.forget(&games, &results).await?;
        link.batches(&games, &shared.manifest.id).await?;
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
        let task = Self { shared: Arc::clone(shared), link, commands, results };
        task.take_over().await?;
        tokio::spawn(answer_questions(
            Arc::clone(shared),
            task.subscribed(CONTEST).await?,
            task.link.clone(),
        ));
        tokio::spawn(answer_beats(Arc::clone(shared), task.subscribed(WORKERS).await?, task.link.clone()));
        Ok(task)
    }

    async fn subscribed(&self, subject: &'static str) -> Result<async_nats::Subscriber, ConnectError> {
        self.link.client.subscribe(subject).await.map_err(|error| ConnectError {
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
                let todo = self.shared.books().take(&self.shared.manifest.id, &message.payload, acker, true);
                self.ack(todo.ack).await;
            }
            if count == 0 {
                let halves = self.shared.books().taken_over();
                self.ack(halves).await;
                return Ok(());
            }
        }
    }

    /// Does what it is told, until the end.
    pub async fn run(self, mut orders: UnboundedReceiver<Command>) {
        let reading = self.clone_for(Self::read_results);
        let looking = self.clone_for(Self::look_after);
        while let Some(command) = orders.recv().await {
            match command {
                Command::Publish(batch) => self.publish(batch),
                Command::Ack(ackers) => self.ack(ackers).await,
                // A server that is gone is not waited for.
                Command::Withdraw => _ = timeout(LAST_WORDS, self.link.purge()).await,
                Command::Over => _ = timeout(LAST_WORDS, self.link.purge_results()).await,
                Command::End => break,
            }
        }
        reading.abort();
        looking.abort();
        let _ = timeout(LAST_WORDS, async {
            self.link.purge().await;
            let _ = self.link.client.flush().await;
        })
        .await;
    }

    /// Runs a part of it beside the others.
    fn clone_for<F: Future<Output = ()> + Send + 'static>(
        &self,
        work: impl FnOnce(Self) -> F,
    ) -> tokio::task::JoinHandle<()> {
        tokio::spawn(work(Self {
            shared: Arc::clone(&self.shared),
            link: self.link.clone(),
            commands: self.commands.clone(),
            results: self.results.clone(),
        }))
    }

    async fn ack(&self, ackers: Vec<Acker>) {
        for acker in ackers {
            // A result that the server does not hear of comes again, to the next coordinator.
            let _ = acker.ack().await;
        }
    }

    /// Publishes an open batch until the server has stored it.
    fn publish(&self, batch: BatchNumber) {
        let Some((word, tries)) = self.shared.books().open.get_mut(&batch).map(|open| {
            open.tries += 1;
            (open.word.clone(), open.tries)
        }) else {
            return;
        };
        let (shared, context) = (Arc::clone(&self.shared), self.link.context.clone());
        tokio::spawn(async move {
            let [run, number] = batch.0;
            let id = format!("{run:x}-{number}-{tries}");
            let subject = subject_of(&shared.manifest.id);
            let is_wanted =
                || !shared.is_ending.load(Ordering::SeqCst) && shared.books().open.contains_key(&batch);
            while is_wanted() {
                let message = PublishMessage::build().payload(word.clone().into()).message_id(&id);
                if let Ok(stored) = context.send_publish(subject.clone(), message).await
                    && stored.await.is_ok()
                {
                    return;
                }
                sleep(AGAIN_AFTER).await;
            }
        });
    }

    /// Does what follows from a result.
    async fn see_to(&self, todo: Todo) {
        self.ack(todo.ack).await;
        todo.again.into_iter().for_each(|batch| self.publish(batch));
        self.shared.note(todo.notes);
    }

    async fn read_results(mut self) {
        loop {
            let batch = self.results.batch().max_messages(RESULTS_AT_ONCE).expires(RESULTS_WAIT);
            let Ok(mut messages) = batch.messages().await else {
                sleep(AGAIN_AFTER).await;
                continue;
            };
            loop {
                let next = tokio::select! {
                    next = messages.next() => next,
                    // What the server was asked before, it has forgotten.
                    () = self.shared.connection.back.notified() => None,
                };
                match next {
                    Some(Ok(message)) => {
                        let (message, acker) = message.split();
                        let todo = self.shared.books().take(
                            &self.shared.manifest.id,
                            &message.payload,
                            acker,
                            false,
                        );
                        self.see_to(todo).await;
                    }
                    Some(Err(_)) => {
                        // The consumer may be gone.
                        sleep(AGAIN_AFTER).await;
                        if let Ok((_, results)) = self.link.streams().await
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

    /// Looks after workers that are gone, streams that are gone, and batches that are lost.
    async fn look_after(mut self) {
        loop {
            sleep(LOOK_EVERY).await;
            let gone = self.shared.books().forget_gone();
            self.shared.count_jobs();
            self.shared.note(gone);
            let is_idle = self.is_idle().await;
            let mut lost = Vec::new();
            for (batch, open) in &mut self.shared.books().open {
                if open.is_doubtful && is_idle {
                    lost.push(*batch);
                }
                open.is_doubtful = is_idle;
            }
            if !lost.is_empty() {
                self.shared
                    .note([format!("the server has lost {} batches: they are sent again", lost.len())]);
            }
            for batch in lost {
                let _ = self.commands.send(Command::Publish(batch));
            }
        }
    }

    /// Makes what is gone again. Returns true if the server has no batch and no result that is on its way.
    async fn is_idle(&mut self) -> bool {
        let Ok((games, results)) = self.link.streams().await else { return false };
        if self.link.batches(&games, &self.shared.manifest.id).await.is_err() {
            return false;
        }
        let Ok(mut consumer) = self.link.results(&results).await else { return false };
        let Ok(batches) = games.get_info().await else { return false };
        // Asked after the batches: a worker stores its result before it acknowledges the batch.
        let Ok(info) = consumer.info().await else { return false };
        batches.state.messages == 0 && info.num_pending == 0
    }
}

async fn answer_questions(shared: Arc<Shared>, mut asked: async_nats::Subscriber, link: Link) {
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply else { continue };
        let answer = match serde_json::from_slice(&message.payload) {
            Ok(Question::Coordinator) => Answer::Busy,
            Ok(Question::Worker { session, name, jobs, versions }) => {
                let entered = match versions.difference(&shared.versions) {
                    Some(why) => Err(Why::from(why.as_str())),
                    None => shared.books().enter(session, &name, jobs),
                };
                match entered {
                    Ok(note) => {
                        shared.count_jobs();
                        shared.note(note);
                        Answer::Contest(shared.manifest.clone())
                    }
                    Err(why) => {
                        shared.note([format!("worker {name} is refused: {why}")]);
                        Answer::Refused(why)
                    }
                }
            }
            Ok(Question::Suspect { batch }) => match shared.books().try_alone(BatchNumber(batch)) {
                true => Answer::Play,
                false => Answer::GiveUp,
            },
            Err(_) => Answer::Refused("it does not say what it is".into()),
        };
        // Whoever gets no answer asks again.
        let _ = link.client.publish(reply, json(&answer).into()).await;
    }
}

async fn answer_beats(shared: Arc<Shared>, mut beats: async_nats::Subscriber, link: Link) {
    while let Some(message) = beats.next().await {
        let (Some(reply), Ok(beat)) = (message.reply, serde_json::from_slice::<Beat>(&message.payload))
        else {
            continue;
        };
        let answer = shared.books().beat(&shared.manifest.id, &beat);
        let _ = link.client.publish(reply, json(&answer).into()).await;
    }
}
