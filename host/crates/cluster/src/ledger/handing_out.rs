//! Handing out batches: to workers, and to other workers when those are late or fall silent.

use super::{Answers, FollowUp, Holder, Ledger, WorkerId};
use crate::message::{BatchMessage, Session};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The number of batches that a worker holds for each job. Chosen: one is in play, and the next one is ready when it ends.
pub const HELD_PER_JOB: usize = 2;

/// The largest number of jobs that a worker can have: the limit of `arena worker --jobs`.
pub const JOBS_MAX: u16 = 256;

/// The time without a heartbeat after which a worker is silent and others get its batches too. Chosen: two heartbeats are lost.
const SILENT_AFTER: Duration = Duration::from_millis(2_500);

/// The time without a heartbeat after which a worker is gone. Chosen: five heartbeats are lost.
const GONE_AFTER: Duration = Duration::from_secs(5);

/// The multiple of the median turnaround after which a batch is late. Chosen: a machine with a third of the usual speed keeps its
/// batches.
const LATE_TIMES: u32 = 3;

/// The shortest time after which a batch is late. Chosen: a batch takes half a second and may wait behind another one.
const LATE_AFTER_MIN: Duration = Duration::from_secs(1);

/// The number of workers that may hold a batch at the same time in addition to the required ones. Chosen: it bounds the cost of copies of
/// a batch that is long rather than late.
const FURTHER_HOLDERS_MAX: usize = 2;

/// The time after which a batch missing from a worker's heartbeats counts as lost in transit. Chosen: two heartbeats would have named
/// it.
const LOST_AFTER: Duration = Duration::from_secs(3);

/// The number of queued batches examined for a worker. Chosen: if that many batches are reserved for other owners, those owners take them
/// soon.
const EXAMINED_MAX: usize = 1_024;

impl<T> Ledger<T> {
    /// The number of jobs of a run that count: its claim, but at most one more than its completed batches.
    pub(super) fn jobs(claimed: u16, batches_done: u64) -> usize {
        usize::from(claimed.clamp(1, JOBS_MAX))
            .min(usize::try_from(batches_done).unwrap_or(usize::MAX).saturating_add(1))
    }

    /// Hands out the next batch to a worker; `None` when there is no batch for it.
    pub fn next(&mut self, session: Session, now: Instant) -> Option<BatchMessage> {
        let run = self.runs.get(&session).filter(|_| !self.is_withdrawn)?;
        let worker = run.worker;
        if run.held.len() >= Self::jobs(run.jobs, run.batches_done) * HELD_PER_JOB {
            return None;
        }
        let owner = &self.identities[worker.0].owner;
        let is_same_owner = |WorkerId(id): WorkerId| self.identities[id].owner == *owner;
        let may_take = |number: &u64| {
            let open = &self.open[number];
            let is_holder = |holder: &Holder| {
                holder.session == session
                    || (open.owners > 1 && !holder.is_doubted && is_same_owner(holder.worker))
            };
            !open.holders.iter().any(is_holder)
                && (open.owners == 1 || !open.results.iter().any(|result| is_same_owner(result.worker)))
        };
        let number = self.queue.iter().copied().take(EXAMINED_MAX).find(may_take)?;
        let secret = self.draw_secret();
        let open = self.open.get_mut(&number).expect("what is in the queue is open");
        let holder = Holder { session, worker, secret, since: now, has_asked: false, is_doubted: false };
        open.holders.push(holder);
        let message = BatchMessage { number, secret, is_alone: open.is_alone, games: open.games.clone() };
        self.runs.get_mut(&session).expect("it was there").held.insert(number);
        self.given_out += 1;
        self.update_queue(number);
        Some(message)
    }

    /// Adds a batch to the queue if it needs more workers; removes it otherwise. Returns true if it was added.
    pub(super) fn update_queue(&mut self, number: u64) -> bool {
        let is_wanted = self.open.get(&number).is_some_and(|open| {
            let trusted = open.holders.iter().filter(|holder| !holder.is_doubted).count();
            open.results.len() + trusted < open.owners
                && open.holders.len() < open.owners + FURTHER_HOLDERS_MAX
        });
        if is_wanted {
            self.queue.insert(number);
        } else {
            self.queue.remove(&number);
        }
        is_wanted
    }

    /// Takes a batch back from the holder with this secret.
    pub(super) fn take_back(&mut self, number: u64, secret: u64) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let Some(place) = open.holders.iter().position(|holder| holder.secret == secret) else { return };
        let holder = open.holders.remove(place);
        if let Some(run) = self.runs.get_mut(&holder.session) {
            run.held.remove(&number);
        }
        self.update_queue(number);
    }

    /// Takes back all batches that a run holds. Returns the messages of its incomplete results.
    pub(super) fn take_back_all(&mut self, session: Session) -> Vec<T> {
        let held = self.runs.get(&session).map(|run| run.held.clone()).unwrap_or_default();
        let mut tokens = Vec::new();
        for number in held {
            let holder = self.open[&number].holders.iter().find(|holder| holder.session == session);
            if let Some(secret) = holder.map(|holder| holder.secret) {
                tokens.extend(self.assembly.forget_one(number, secret));
                self.take_back(number, secret);
            }
        }
        tokens
    }

    /// Answers whether a worker may play a batch alone. If the worker ends while it plays the batch alone, the batch is the cause.
    pub fn may_play_alone(&mut self, session: Session, number: u64) -> (bool, FollowUp<T>) {
        let mut follow_up = FollowUp::default();
        let Some(open) = self.open.get_mut(&number) else { return (false, follow_up) };
        let Some(holder) = open.holders.iter_mut().find(|holder| holder.session == session) else {
            return (false, follow_up);
        };
        // A try counts once for each worker, and only after a worker that held the batch has fallen silent.
        if std::mem::replace(&mut holder.has_asked, true) || !open.is_alone {
            return (true, follow_up);
        }
        if open.tries_alone == 0 {
            let why = Answers::GivenUp("every worker that played it ended".into());
            self.give_up(number, why, &mut follow_up);
            return (false, follow_up);
        }
        open.tries_alone -= 1;
        (true, follow_up)
    }

    /// Records a heartbeat. Returns false if the run is unknown.
    pub fn heartbeat(&mut self, session: Session, played: u64, held: &[u64], now: Instant) -> bool {
        let Some(run) = self.runs.get_mut(&session) else { return false };
        let seconds = now.saturating_duration_since(run.heard).as_secs_f64();
        if let Some(before) = run.played.filter(|_| seconds > 0.0) {
            let rate = played.saturating_sub(before) as f64 / seconds;
            // Exponential moving average: the latest heartbeat has a weight of a quarter.
            run.rate = run.rate * 0.75 + rate * 0.25;
        }
        (run.heard, run.is_silent, run.played) = (now, false, Some(played));
        let held: BTreeSet<u64> = held.iter().copied().collect();
        let not_named: Vec<u64> = run.held.difference(&held).copied().collect();
        for number in not_named {
            let holder = self.open[&number].holders.iter().find(|holder| holder.session == session);
            let lost = holder.filter(|holder| now.saturating_duration_since(holder.since) > LOST_AFTER);
            if let Some(secret) = lost.map(|holder| holder.secret) {
                self.take_back(number, secret);
            }
        }
        true
    }

    /// Counts all workers as heard at this time, because the coordinator itself could not receive heartbeats.
    pub fn reset_heartbeats(&mut self, now: Instant) {
        self.runs.values_mut().for_each(|run| run.heard = now);
    }

    /// Checks for workers that are silent or gone, and for late batches.
    pub fn check_workers(&mut self, now: Instant) -> FollowUp<T> {
        let mut follow_up = FollowUp::default();
        let age = |heard: Instant| now.saturating_duration_since(heard);
        let gone: Vec<Session> = self
            .runs
            .iter()
            .filter(|(_, run)| age(run.heard) > GONE_AFTER)
            .map(|(session, _)| *session)
            .collect();
        for run in self.runs.values_mut() {
            run.is_silent = age(run.heard) > SILENT_AFTER;
        }
        let mut turnarounds: Vec<Duration> = self.runs.values().filter_map(|run| run.turnaround).collect();
        turnarounds.sort_unstable();
        // The median, so that no single worker decides what is usual.
        let usual = turnarounds.get(turnarounds.len() / 2);
        self.late_after = usual.map(|usual| (*usual * LATE_TIMES).max(LATE_AFTER_MIN));
        let mut changed = Vec::new();
        for (number, open) in &mut self.open {
            for holder in open.holders.iter_mut().filter(|holder| !holder.is_doubted) {
                let is_silent = self.runs.get(&holder.session).is_none_or(|run| run.is_silent);
                let is_late = self.late_after.is_some_and(|after| age(holder.since) > after);
                if is_silent || is_late {
                    holder.is_doubted = true;
                    self.identities[holder.worker.0].late += 1;
                    changed.push(*number);
                }
                // This batch may have ended the worker.
                open.is_alone |= is_silent;
            }
        }
        for number in changed {
            follow_up.has_work |= self.update_queue(number);
        }
        for session in gone {
            follow_up.ack.extend(self.take_back_all(session));
            if let Some(run) = self.runs.remove(&session) {
                follow_up.notes.push(format!("worker {} is gone", self.identities[run.worker.0].name));
            }
            follow_up.has_work = true;
        }
        follow_up
    }
}
