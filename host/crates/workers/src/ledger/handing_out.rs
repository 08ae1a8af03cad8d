//! Batches are given to workers, and to others if those are late or fall silent.

use super::{Answers, FollowUp, Holder, Ledger, WorkerId};
use crate::message::{BatchMessage, Session};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The number of batches that a worker holds for each job. Chosen: one is played, and the next one is there when it ends.
pub const HELD_PER_JOB: usize = 2;

/// The largest number of jobs of a worker that counts. It is that of `arena worker --jobs`.
pub const JOBS_MAX: u16 = 256;

/// The time after which a worker that says nothing is silent: others get its batches, too. Chosen: two signs of life are lost.
const SILENT_AFTER: Duration = Duration::from_millis(2_500);

/// The time after which a silent worker is gone. Chosen: five signs of life.
const GONE_AFTER: Duration = Duration::from_secs(5);

/// The times of the usual way from a batch to its result after which a batch is late. Chosen: a machine of a third of the usual speed
/// keeps its batches.
const LATE_TIMES: u32 = 3;

/// The shortest time after which a batch is late. Chosen: batches of half a second wait behind another one.
const LATE_AFTER_MIN: Duration = Duration::from_secs(1);

/// The number of workers that may hold a batch at the same time beyond those that are asked for. Chosen: the copies of a batch that is
/// long, and not late, cost no more than that.
const FURTHER_HOLDERS_MAX: usize = 2;

/// The time after which a batch that a worker does not name among those that it holds was lost on the way. Chosen: two signs of life
/// name it.
const LOST_AFTER: Duration = Duration::from_secs(3);

/// The number of batches that are looked at for a worker. Chosen: if the first so many are for other owners, those come for them.
const EXAMINED_MAX: usize = 1_024;

impl<T> Ledger<T> {
    /// The number of jobs of a run that count: what a worker claims counts as far as it brings results.
    pub(super) fn jobs(claimed: u16, brought: u64) -> usize {
        usize::from(claimed.clamp(1, JOBS_MAX))
            .min(usize::try_from(brought).unwrap_or(usize::MAX).saturating_add(1))
    }

    /// The next batch for a worker, if there is one.
    pub fn next(&mut self, session: Session, now: Instant) -> Option<BatchMessage> {
        let run = self.runs.get(&session).filter(|_| !self.is_withdrawn)?;
        let worker = run.worker;
        if run.held.len() >= Self::jobs(run.jobs, run.brought) * HELD_PER_JOB {
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
                && (open.owners == 1 || !open.brought.iter().any(|brought| is_same_owner(brought.worker)))
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

    /// Puts a batch into the queue if further workers are to get it, and takes it out if not.
    pub(super) fn update_queue(&mut self, number: u64) -> bool {
        let is_wanted = self.open.get(&number).is_some_and(|open| {
            let trusted = open.holders.iter().filter(|holder| !holder.is_doubted).count();
            open.brought.len() + trusted < open.owners
                && open.holders.len() < open.owners + FURTHER_HOLDERS_MAX
        });
        if is_wanted {
            self.queue.insert(number);
        } else {
            self.queue.remove(&number);
        }
        is_wanted
    }

    /// Takes a batch back from the worker that got it with this secret.
    pub(super) fn take_back(&mut self, number: u64, secret: u64) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let Some(place) = open.holders.iter().position(|holder| holder.secret == secret) else { return };
        let holder = open.holders.remove(place);
        if let Some(run) = self.runs.get_mut(&holder.session) {
            run.held.remove(&number);
        }
        self.update_queue(number);
    }

    /// Takes back everything that a run of a worker holds. Returns the messages of results of which only parts have come.
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

    /// Answers a worker that asks if it is to play a batch with nothing else in play. If the worker ends then, it is this batch that
    /// has ended it.
    pub fn may_play_alone(&mut self, session: Session, number: u64) -> (bool, FollowUp<T>) {
        let mut follow_up = FollowUp::default();
        let Some(open) = self.open.get_mut(&number) else { return (false, follow_up) };
        let Some(holder) = open.holders.iter_mut().find(|holder| holder.session == session) else {
            return (false, follow_up);
        };
        // A try counts once for a worker, and only if one that held the batch has fallen silent.
        if std::mem::replace(&mut holder.has_asked, true) || !open.is_alone {
            return (true, follow_up);
        }
        if open.tries_alone == 0 {
            let why = Answers::GivenUp("it has ended each worker that played it".into());
            self.give_up(number, why, &mut follow_up);
            return (false, follow_up);
        }
        open.tries_alone -= 1;
        (true, follow_up)
    }

    /// Takes note of a sign of life. Returns false if the run is not known.
    pub fn heartbeat(&mut self, session: Session, played: u64, held: &[u64], now: Instant) -> bool {
        let Some(run) = self.runs.get_mut(&session) else { return false };
        let seconds = now.saturating_duration_since(run.heard).as_secs_f64();
        if let Some(before) = run.played.filter(|_| seconds > 0.0) {
            let rate = played.saturating_sub(before) as f64 / seconds;
            // Each second has a quarter of the weight.
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

    /// Takes note that all workers were there at this moment: it is the coordinator that has heard nothing.
    pub fn reset_heartbeats(&mut self, now: Instant) {
        self.runs.values_mut().for_each(|run| run.heard = now);
    }

    /// Looks for workers that are silent or gone, and for batches that are late.
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
        // The middle one, so that no worker decides what is usual.
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
                // It may be this batch that has ended it.
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
