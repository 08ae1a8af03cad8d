//! The books of a coordinator: the batches that are open, the workers that are there, and the results that have come.

use crate::coordinator::{Answered, BatchNumber, Left, Receipt, Status};
use crate::parts::{Assembly, Made, Whole};
use crate::words::{Beat, Beaten, Games, Key, Name, Outcome, PartWord, Session, Told, Why};
use async_nats::jetstream::message::Acker;
use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// The time after which a worker of which nothing was heard is gone. Chosen: five signs of life.
const GONE_AFTER: Duration = Duration::from_secs(5);

/// The results that a coordinator takes over from one before it, in bytes. Chosen: those that were in flight.
const LEFT_BYTES_MAX: usize = 64 << 20;

/// A batch that has not been answered.
pub struct Open {
    pub answers: Sender<Answered>,
    /// The message.
    pub word: Vec<u8>,
    pub keys: Vec<Key>,
    /// The number of times that it was published.
    pub tries: u32,
    /// The number of times that a worker may still begin to play it with nothing else in play.
    pub tries_alone: u32,
    /// True if it was open when the server had nothing left the last time.
    pub is_doubtful: bool,
}

/// A worker that was heard of.
struct Heard {
    name: Name,
    jobs: u16,
    last: Instant,
    /// None before its first sign of life.
    played: Option<u64>,
    in_flight: u64,
    /// Games a second, averaged over the last seconds.
    rate: f64,
}

/// The books.
#[derive(Default)]
pub struct Books {
    pub open: HashMap<BatchNumber, Open>,
    workers: BTreeMap<Session, Heard>,
    excluded: HashMap<Session, (Name, Why)>,
    assembly: Assembly<Acker>,
    pub left: HashMap<Key, Left>,
    left_bytes: usize,
    /// The results of games that the journal does not have yet, by the number of the game.
    waiting: BTreeMap<usize, Receipt>,
}

/// The tasks that follow from a result.
#[derive(Default)]
pub struct Todo {
    /// Messages that nobody needs any more.
    pub ack: Vec<Acker>,
    /// Batches to be published again.
    pub again: Vec<BatchNumber>,
    /// Lines for the user.
    pub notes: Vec<String>,
}

impl Books {
    /// Takes a message of the stream of results. Before the first game, it may be left from an earlier coordinator.
    pub fn take(&mut self, contest: &str, payload: &[u8], acker: Acker, takes_over: bool) -> Todo {
        let mut todo = Todo::default();
        let word: PartWord<'_> = match postcard::from_bytes(payload) {
            Ok(word) => word,
            Err(_) => {
                todo.ack.push(acker);
                todo.notes.push("a message in the stream of results is no result: it is dropped".into());
                return todo;
            }
        };
        let batch = BatchNumber(word.batch);
        let is_wanted = takes_over || self.open.contains_key(&batch);
        if word.contest != contest || !is_wanted || self.excluded.contains_key(&word.session) {
            todo.ack.push(acker);
            if word.contest == contest && is_wanted {
                todo.again.push(batch);
            }
            return todo;
        }
        let session = word.session;
        match self.assembly.add(&word, acker) {
            Made::Incomplete => {}
            Made::Nonsense(ackers) => {
                todo.ack = ackers;
                if !takes_over {
                    todo.again.push(batch);
                    todo.notes.extend(self.exclude(session, "it sent what is no result".into()));
                }
            }
            Made::Whole(whole) if takes_over => self.leave(whole, &mut todo),
            Made::Whole(whole) => self.answer(whole, &mut todo),
        }
        todo
    }

    /// Gives a result to whoever asked for its batch.
    fn answer(&mut self, whole: Whole<Acker>, todo: &mut Todo) {
        let Whole { batch, session, outcome, tokens } = whole;
        let batch = BatchNumber(batch);
        // The parts of another answer to it are of no use any more.
        todo.ack.extend(self.assembly.forget(batch.0));
        let Some(open) = self.open.remove(&batch) else {
            todo.ack.extend(tokens);
            return;
        };
        let fits = |games: &Games| games.iter().map(|(key, _)| key).eq(&open.keys);
        if let Outcome::Played { games, .. } = &outcome
            && !fits(games)
        {
            todo.ack.extend(tokens);
            self.open.insert(batch, open);
            todo.again.push(batch);
            todo.notes.extend(self.exclude(session, "it sent other games than it was asked for".into()));
            return;
        }
        let receipt = Receipt::new(tokens);
        // A lane that is gone needs nothing.
        let _ = open.answers.send(Answered { batch, session, outcome, receipt });
    }

    /// Keeps a result that an earlier coordinator asked for.
    fn leave(&mut self, whole: Whole<Acker>, todo: &mut Todo) {
        let receipt = Receipt::new(whole.tokens);
        if let Outcome::Played { games, .. } = whole.outcome {
            for (key, told) in games {
                let Told::Played(told) = told else { continue };
                if self.left_bytes + told.len() <= LEFT_BYTES_MAX {
                    self.left_bytes += told.len();
                    self.left.insert(key, Left { session: whole.session, told, receipt: receipt.clone() });
                }
            }
        }
        todo.ack.extend(receipt.released());
    }

    /// Ends the taking over. Returns the messages of results that are not whole.
    pub fn taken_over(&mut self) -> Vec<Acker> {
        self.assembly.clear()
    }

    /// Has a result wait until the journal has the game of this number.
    pub fn hold(&mut self, number: usize, receipt: Receipt) {
        self.waiting.insert(number, receipt);
    }

    /// Returns the messages of the results all of whose games are in the journal, which has those up to this number.
    pub fn kept(&mut self, number: usize) -> Vec<Acker> {
        let later = self.waiting.split_off(&number.saturating_add(1));
        let kept = std::mem::replace(&mut self.waiting, later);
        kept.into_values().flat_map(Receipt::released).collect()
    }

    /// Answers a sign of life.
    pub fn beat(&mut self, contest: &str, beat: &Beat) -> Beaten {
        if let Some((_, why)) = self.excluded.get(&beat.session) {
            return Beaten::Excluded(why.clone());
        }
        let Some(heard) = self.workers.get_mut(&beat.session).filter(|_| beat.contest == contest) else {
            return Beaten::Unknown;
        };
        let seconds = heard.last.elapsed().as_secs_f64();
        if let Some(before) = heard.played.filter(|_| seconds > 0.0) {
            let rate = beat.played.saturating_sub(before) as f64 / seconds;
            // Each second has a quarter of the weight.
            heard.rate = heard.rate * 0.75 + rate * 0.25;
        }
        heard.last = Instant::now();
        heard.played = Some(beat.played);
        heard.in_flight = beat.in_flight;
        Beaten::Known
    }

    /// Answers a worker that asks if it is to play a batch with nothing else in play. If the worker ends then, it is this batch that
    /// has ended it.
    pub fn try_alone(&mut self, batch: BatchNumber) -> bool {
        let Some(open) = self.open.get_mut(&batch) else { return false };
        let may_play = open.tries_alone > 0;
        open.tries_alone = open.tries_alone.saturating_sub(1);
        may_play
    }

    /// Enters a worker. Returns a line for the user if it is new, or the reason why it may not play.
    pub fn enter(&mut self, session: Session, name: &Name, jobs: u16) -> Result<Option<String>, Why> {
        let is_same = |(of, (other, _)): (&Session, &(Name, Why))| *of == session || other == name;
        if let Some((_, (_, why))) = self.excluded.iter().find(|excluded| is_same((excluded.0, excluded.1))) {
            return Err(why.clone());
        }
        let heard = Heard {
            name: self.unique(session, name),
            jobs,
            last: Instant::now(),
            played: None,
            in_flight: 0,
            rate: 0.0,
        };
        let shown = heard.name.clone();
        let is_new = self.workers.insert(session, heard).is_none();
        Ok(is_new.then(|| format!("worker {shown} plays {jobs} at a time")))
    }

    /// A name that no other worker has.
    fn unique(&self, session: Session, name: &Name) -> Name {
        let is_free =
            |name: &Name| !self.workers.iter().any(|(of, heard)| *of != session && heard.name == *name);
        let numbered = (2..).map(|number| Name::from(format!("{}-{number}", name.as_str()).as_str()));
        std::iter::once(name.clone())
            .chain(numbered)
            .take(1_000)
            .find(is_free)
            .unwrap_or_else(|| name.clone())
    }

    /// The name of a worker.
    pub fn name(&self, session: Session) -> Name {
        let heard = self.workers.get(&session).map(|heard| heard.name.clone());
        let excluded = || self.excluded.get(&session).map(|(name, _)| name.clone());
        heard.or_else(excluded).unwrap_or_else(|| Name::from("of an earlier run"))
    }

    /// Excludes a worker. Returns a line for the user, unless it was excluded before.
    pub fn exclude(&mut self, session: Session, why: Why) -> Option<String> {
        let name = self.name(session);
        self.workers.remove(&session);
        let line = format!("worker {name} is excluded: {why}");
        self.excluded.insert(session, (name, why)).is_none().then_some(line)
    }

    /// Forgets the workers that are gone. Returns a line for the user about each.
    pub fn forget_gone(&mut self) -> Vec<String> {
        let gone: Vec<Session> = self
            .workers
            .iter()
            .filter(|(_, heard)| heard.last.elapsed() > GONE_AFTER)
            .map(|(of, _)| *of)
            .collect();
        let forget = |session| self.workers.remove(&session);
        let line = |heard: Heard| format!("worker {} is gone", heard.name);
        gone.into_iter().filter_map(forget).map(line).collect()
    }

    /// The state of the workers, without that of the connection.
    pub fn status(&self) -> Status {
        Status {
            workers: self.workers.len(),
            jobs: self.workers.values().map(|heard| usize::from(heard.jobs)).sum(),
            games_per_second: self.workers.values().map(|heard| heard.rate).sum(),
            // Workers may claim any number.
            games_in_flight: self.workers.values().map(|heard| heard.in_flight).fold(0, u64::saturating_add),
            ..Status::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_that_claim_the_largest_numbers_end_no_contest() {
        let mut books = Books::default();
        for session in [Session(1), Session(2)] {
            books.enter(session, &"greedy".into(), u16::MAX).expect("it may play");
            let beat = Beat { session, contest: "c".into(), played: u64::MAX, in_flight: u64::MAX };
            assert!(matches!(books.beat("c", &beat), Beaten::Known));
        }
        let status = books.status();
        assert_eq!((status.jobs, status.games_in_flight), (2 * usize::from(u16::MAX), u64::MAX));
    }
}
