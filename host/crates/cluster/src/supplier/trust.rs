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

impl Finding {
    /// The numbers of games that were the same and that were not.
    fn checks(&self) -> [u64; 2] {
        [self.same, self.others.map_or(0, |(_, others)| others) + self.claims]
    }
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

impl Record {
    /// True if not enough of its games have passed a recheck.
    fn is_new(&self) -> bool {
        self.same < PROBATION_GAMES
    }

    /// Adds a finding. Returns the reason why the worker is excluded, if it is.
    fn add(&mut self, finding: &Finding) -> Option<String> {
        self.same += finding.same;
        self.claims += finding.claims;
        self.failures += finding.failures;
        let why = match finding.others {
            Some((number, _)) => format!("its game {number} differs when it is replayed here"),
            None if self.claims > CLAIMS_MAX => format!(
                "it reported that the clock stopped a bot in {}, and here it does not",
                counted(self.claims, "game")
            ),
            None if self.failures > FAILURES_MAX => {
                format!("it failed with {} that this machine can play", counted(self.failures, "game"))
            }
            None => return None,
        };
        Some(match std::mem::take(&mut self.in_journal) {
            0 => why,
            before => {
                let games = counted(before, "game");
                format!("{why}; {games} from it counted before: replay them with `arena verify`")
            }
        })
    }
}

impl Remote {
    /// True if not enough games of a worker have passed a recheck.
    pub(super) fn is_new(&self, worker: WorkerId) -> bool {
        lock(&self.records).get(&worker).is_none_or(Record::is_new)
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
        for finding in findings {
            let worker = finding.worker;
            self.coordinator.checked(worker, finding.checks());
            let why = lock(&self.records).entry(worker).or_default().add(&finding);
            if let Some(why) = why {
                has_liar = true;
                self.coordinator.exclude(worker, &why, discarded(worker));
            }
        }
        has_liar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: WorkerId = WorkerId(3);

    /// Adds verdicts on games with the numbers from 7 on to a worker's record. Returns the reason for its exclusion.
    fn add(record: &mut Record, verdicts: &[Option<Verdict>]) -> Option<String> {
        let mut findings = Findings::new(&[WorkerId(2), WORKER]);
        (7..).zip(verdicts).for_each(|(number, verdict)| findings.add(WORKER, number, *verdict));
        let of = |id| findings.0.iter().find(|finding| finding.worker == id).expect("it has played");
        assert_eq!(Record::default().add(of(WorkerId(2))), None, "the other worker has no finding");
        record.add(of(WORKER))
    }

    #[test]
    fn a_worker_is_excluded_with_its_fourth_claim_that_a_clock_decided_a_game() {
        let mut record = Record::default();
        assert_eq!(add(&mut record, &[Some(Verdict::ClockClaim); 3]), None);
        assert_eq!(add(&mut record, &[Some(Verdict::Same)]), None);
        let why = "it reported that the clock stopped a bot in 4 games, and here it does not";
        assert_eq!(add(&mut record, &[Some(Verdict::ClockClaim)]).as_deref(), Some(why));
    }

    #[test]
    fn a_worker_is_excluded_with_its_seventeenth_failure_with_a_game_that_can_be_played() {
        let mut record = Record::default();
        assert_eq!(add(&mut record, &[None; 16]), None);
        let why = "it failed with 17 games that this machine can play";
        assert_eq!(add(&mut record, &[None]).as_deref(), Some(why));
    }

    #[test]
    fn a_worker_is_excluded_with_its_first_other_game_and_its_earlier_games_are_named_once() {
        let mut record = Record { in_journal: 5, ..Record::default() };
        let other = Some(Verdict::Different);
        let why = "its game 8 differs when it is replayed here; 5 games from it counted before: replay them with `arena verify`";
        assert_eq!(add(&mut record, &[Some(Verdict::Same), other, other]).as_deref(), Some(why));
        let again = "its game 7 differs when it is replayed here";
        assert_eq!(add(&mut record, &[other]).as_deref(), Some(again));
        let mut findings = Findings::new(&[WORKER]);
        [8, 9].into_iter().for_each(|number| findings.add(WORKER, number, other));
        assert_eq!(findings.0[0].others, Some((8, 2)), "the first one, and their number");
        [Some(Verdict::Same), Some(Verdict::ClockClaim), None]
            .into_iter()
            .for_each(|it| findings.add(WORKER, 1, it));
        assert_eq!(findings.0[0].checks(), [1, 3]);
    }

    #[test]
    fn a_worker_is_new_until_sixteen_games_have_passed() {
        let mut record = Record::default();
        add(&mut record, &[Some(Verdict::Same); 15]);
        add(&mut record, &[Some(Verdict::ClockClaim), None]);
        assert!(record.is_new());
        add(&mut record, &[Some(Verdict::Same)]);
        assert!(!record.is_new());
    }

    #[test]
    fn the_less_workers_are_trusted_the_more_is_asked_of_them() {
        let asked = [Trust::Full, Trust::Own, Trust::Known, Trust::Strangers]
            .map(|trust| (trust.recheck(), trust.owners(), trust.needs_register()));
        assert_eq!(asked, [(0, 1, false), (1, 1, false), (5, 1, true), (5, 2, true)]);
    }
}
