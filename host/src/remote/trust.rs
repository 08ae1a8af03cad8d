//! The trust in workers: how many owners play a game, what share is played again here, and what ends the trust in one.

use super::coordinate::{Remote, lock};
use super::recheck::Verdict;
use arena_text::counted;
use arena_workers::{Key, WorkerId};

/// The number of games of a worker that are played again here before a share is enough. Chosen: who takes a new key after each lie
/// has no lie in the journal, and an honest worker's first batches, which are small, cost this machine little.
const PROBATION_GAMES: u64 = 16;

/// The number of games of which a worker may say that a clock decided them, while none does here. Chosen: a machine that stalls once.
const CLAIMS_MAX: u64 = 3;

/// The number of games with which a worker may fail that are played here without a failure. Chosen: a machine that runs out of
/// memory once.
const FAILURES_MAX: u64 = 16;

/// What is known of a worker's games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// The number of its games that went to the journal.
    brought: u64,
    /// The number of its games that were played again, and were the same.
    same: u64,
    /// The number of its games by a clock that did not need one here.
    claims: u64,
    /// The number of its failures with games that were played here.
    failures: u64,
}

/// What came of the games of a batch that were played again, for each worker that has played it.
pub struct Findings(Vec<Finding>);

struct Finding {
    worker: WorkerId,
    same: u64,
    claims: u64,
    failures: u64,
    /// The first game that is another one, and the number of them.
    others: Option<(usize, u64)>,
}

impl Findings {
    /// No findings on these workers.
    pub fn new(workers: &[WorkerId]) -> Self {
        let finding = |&worker| Finding { worker, same: 0, claims: 0, failures: 0, others: None };
        Self(workers.iter().map(finding).collect())
    }

    /// Adds the verdict on a worker's game of this number; `None` if the worker has failed with it.
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
    /// True if a worker has not shown yet that its games are the same when they are played again.
    pub(super) fn is_new(&self, worker: WorkerId) -> bool {
        lock(&self.records).get(&worker).is_none_or(|record| record.same < PROBATION_GAMES)
    }

    /// Notes that games of a worker went to the journal.
    pub(super) fn brought(&self, worker: WorkerId, games: usize) {
        lock(&self.records).entry(worker).or_default().brought += games as u64;
    }

    /// Judges workers by what came of a batch. Returns true if one of them may not play any more: then only what
    /// was played here counts. `thrown_away` has the games of a worker that do not count then.
    pub(super) fn judge(
        &self,
        Findings(findings): Findings,
        thrown_away: &dyn Fn(WorkerId) -> Vec<Key>,
    ) -> bool {
        // Another thread may have found a lie of it.
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
                Some((number, _)) => {
                    Some(format!("its game {number} is another one when it is played again"))
                }
                None if record.claims > CLAIMS_MAX => Some(format!(
                    "it says of {} that the clock stopped a bot, and it does not here",
                    counted(record.claims, "game")
                )),
                None if record.failures > FAILURES_MAX => Some(format!(
                    "it failed with {} that can be played here",
                    counted(record.failures, "game")
                )),
                None => None,
            };
            let Some(mut why) = why else { continue };
            has_liar = true;
            let before = std::mem::take(&mut record.brought);
            drop(records);
            if before > 0 {
                why += &format!(
                    "; {} of it counted before: `arena verify` plays them again",
                    counted(before, "game")
                );
            }
            self.coordinator.exclude(worker, &why, thrown_away(worker));
        }
        has_liar
    }
}
