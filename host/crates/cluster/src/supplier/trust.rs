//! The trust in workers: rechecked games, and when a worker is excluded.

use super::Remote;
use super::recheck::Verdict;
use crate::coordinator::lock;
use crate::ledger::WorkerId;
use crate::message::Key;
use arena_text::counted;

/// The number of a new worker's games that must pass a recheck before only a share is rechecked. Chosen: a liar that takes a new key after
/// each lie gets no lie into the journal, and an honest worker's first batches are small, so they cost this machine little.
const PROBATION_GAMES: u64 = 16;

/// The number of games that a worker may report as decided by a clock although no clock decides them here. Chosen: a machine that stalls
/// once.
const CLAIMS_MAX: u64 = 3;

/// The number of games with which a worker may fail although this machine can play them. Chosen: a machine that runs out of memory once.
const FAILURES_MAX: u64 = 16;

/// The trust in the people who run the workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// All reports are believed.
    #[default]
    Full,
    /// The organiser's own machines: 1 % of the games are replayed.
    Own,
    /// People whom the organiser knows: 5 % are replayed, by admitted workers only.
    Known,
    /// Strangers: the same, and two owners play each game.
    Strangers,
}

impl Trust {
    /// The percentage of games that are replayed on this machine.
    pub fn recheck(self) -> u8 {
        match self {
            Self::Full => 0,
            Self::Own => 1,
            Self::Known | Self::Strangers => 5,
        }
    }

    /// The number of owners that must play each game.
    pub fn owners(self) -> usize {
        if self == Self::Strangers { 2 } else { 1 }
    }

    /// True if a register of admitted workers is required.
    pub fn needs_register(self) -> bool {
        matches!(self, Self::Known | Self::Strangers)
    }
}

/// The record of a worker's games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// The number of its games in the journal.
    in_journal: u64,
    /// The number of its rechecked games that were the same.
    same: u64,
    /// The number of its games reported as decided by a clock that no clock decides here.
    claims: u64,
    /// The number of its failures with games that this machine can play.
    failures: u64,
}

/// The outcome of the rechecks in a batch, for each worker that played it.
pub struct Findings(Vec<Finding>);

struct Finding {
    worker: WorkerId,
    same: u64,
    claims: u64,
    failures: u64,
    /// The number of the first game that differs, and how many differ.
    others: Option<(usize, u64)>,
}

impl Findings {
    /// Creates empty findings for these workers.
    pub fn new(workers: &[WorkerId]) -> Self {
        let finding = |&worker| Finding { worker, same: 0, claims: 0, failures: 0, others: None };
        Self(workers.iter().map(finding).collect())
    }

    /// Adds the verdict on a worker's game with this number; `None` when the worker failed with it.
    pub fn add(&mut self, worker: WorkerId, number: usize, verdict: Option<Verdict>) {
        let Some(finding) = self.0.iter_mut().find(|finding| finding.worker == worker) else { return };
        match verdict {
            Some(Verdict::Same) => finding.same += 1,
            Some(Verdict::ClockClaim) => finding.claims += 1,
            Some(Verdict::Different) => {
                let (first, others) = finding.others.unwrap_or((number, 0));
                finding.others = Some((first, others + 1));
            }
            None => finding.failures += 1,
        }
    }
}

impl Remote {
    /// True if not enough games of a worker have passed a recheck.
    pub(super) fn is_new(&self, worker: WorkerId) -> bool {
        lock(&self.records).get(&worker).is_none_or(|record| record.same < PROBATION_GAMES)
    }

    /// Counts games from a worker that went to the journal.
    pub(super) fn count_in_journal(&self, worker: WorkerId, games: usize) {
        lock(&self.records).entry(worker).or_default().in_journal += games as u64;
    }

    /// Judges workers by the findings on a batch. Returns true if one of them is excluded: then only games played on this machine count.
    /// `discarded` returns the discarded games of an excluded worker.
    pub(super) fn judge(
        &self,
        Findings(findings): Findings,
        discarded: &dyn Fn(WorkerId) -> Vec<Key>,
    ) -> bool {
        // Another thread may have excluded a worker.
        let mut has_liar = findings.iter().any(|finding| self.coordinator.is_excluded(finding.worker));
        for Finding { worker, same, claims, failures, others } in findings {
            let other_games = others.map_or(0, |(_, others)| others);
            self.coordinator.checked(worker, [same, other_games + claims]);
            let mut records = lock(&self.records);
            let record = records.entry(worker).or_default();
            record.same += same;
            record.claims += claims;
            record.failures += failures;
            let why = match others {
                Some((number, _)) => Some(format!("its game {number} differs when it is replayed here")),
                None if record.claims > CLAIMS_MAX => Some(format!(
                    "it reported that the clock stopped a bot in {}, and here it does not",
                    counted(record.claims, "game")
                )),
                None if record.failures > FAILURES_MAX => Some(format!(
                    "it failed with {} that this machine can play",
                    counted(record.failures, "game")
                )),
                None => None,
            };
            let Some(mut why) = why else { continue };
            has_liar = true;
            let before = std::mem::take(&mut record.in_journal);
            drop(records);
            if before > 0 {
                why += &format!(
                    "; {} from it counted before: replay them with `arena verify`",
                    counted(before, "game")
                );
            }
            self.coordinator.exclude(worker, &why, discarded(worker));
        }
        has_liar
    }
}
