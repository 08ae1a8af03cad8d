//! The rate limit for verifying signatures of clients that are not workers of the contest. Verifying a signature takes as long as
//! refereeing a game, and every user of the server's account can send any number of messages.
//!
//! A request from a run names its session. Only the coordinator and the worker know the session, and without the right one the signature
//! is not verified. A hello has no session, so hellos have a budget: each key that the contest knows has its own, and all others share one.

use super::Ledger;
use crate::coordinator::lock;
use crate::keys::{PublicKey, Sealed};
use crate::message::Session;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

/// The number of signatures verified per second for all unknown clients together. Chosen: a thousand workers can join within five
/// seconds, and a flood costs 3 % of a core at 0.15 ms each.
const STRANGERS_PER_SECOND: f64 = 200.0;

/// The number of signatures verified per second for hellos of a known key, and for forged messages under that key. Chosen: a key has at
/// most 64 runs, and all of them say hello at once when the coordinator is restarted.
const KEY_PER_SECOND: f64 = 16.0;

/// The number of hellos that a known key may send at once. Chosen: as above.
const KEY_AT_ONCE: f64 = 64.0;

/// A budget of signature verifications: a token bucket. It is ours because it is this short, and its caller gives the time, which tests choose.
#[derive(Clone, Copy, Debug)]
struct Budget {
    left: f64,
    at: Instant,
}

impl Budget {
    /// Refills the budget for the time until now.
    fn fill(&mut self, per_second: f64, most: f64, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        (self.left, self.at) = ((self.left + seconds * per_second).min(most), now);
    }

    fn take(&mut self) -> bool {
        let is_available = self.left >= 1.0;
        if is_available {
            self.left -= 1.0;
        }
        is_available
    }
}

/// The budgets of a contest.
#[derive(Default)]
pub struct RateLimits {
    strangers: Option<Budget>,
    of_keys: HashMap<PublicKey, Budget>,
}

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The owner of this key: the signature is valid.
    Signed(PublicKey),
    /// A client that names a run that does not belong to this key. The signature was not verified.
    NoRun(PublicKey),
    /// Unknown: the signature is invalid, or was not verified.
    Unknown,
}

impl RateLimits {
    /// The budget of a known key, or the shared budget of all others.
    fn budget(&mut self, key: &PublicKey, is_known: bool, now: Instant) -> &mut Budget {
        let (budget, per_second, most) = match is_known {
            true => {
                let full = Budget { left: KEY_AT_ONCE, at: now };
                (self.of_keys.entry(key.clone()).or_insert(full), KEY_PER_SECOND, KEY_AT_ONCE)
            }
            false => {
                let full = Budget { left: STRANGERS_PER_SECOND, at: now };
                (self.strangers.get_or_insert(full), STRANGERS_PER_SECOND, STRANGERS_PER_SECOND)
            }
        };
        budget.fill(per_second, most, now);
        budget
    }
}

impl<T> Ledger<T> {
    /// True if the signature of a message under this key may be verified. `session` is that of the run that the message names.
    fn is_to_be_checked(&mut self, key: &PublicKey, session: Option<Session>, now: Instant) -> bool {
        let is_known = self.is_known(key);
        let budget = self.rate_limits.budget(key, is_known, now);
        // A worker's own requests are free. Forged requests under its key are charged once the signature proves invalid.
        let is_allowed = if session.is_some() { budget.left >= 1.0 } else { budget.take() };
        if is_allowed {
            self.checks += 1;
        } else {
            self.dropped += 1;
        }
        is_allowed
    }

    /// True if a key is in the register or has played.
    fn is_known(&self, key: &PublicKey) -> bool {
        self.by_key.contains_key(key)
            || self.register.as_ref().is_some_and(|register| register.worker(key).is_ok())
    }
}

/// Identifies the sender of a request. `purpose` is that of its signature, and `session` that of the run that it names. The ledger is not
/// locked while the signature is verified.
pub fn sender<T>(
    ledger: &Mutex<Ledger<T>>,
    sealed: &Sealed<'_>,
    purpose: &str,
    session: Option<Session>,
    now: Instant,
) -> Sender {
    let claimed = sealed.claimed();
    {
        let mut ledger = lock(ledger);
        if session.is_some_and(|session| !ledger.is_run_of(session, &claimed)) {
            return Sender::NoRun(claimed);
        }
        if !ledger.is_to_be_checked(&claimed, session, now) {
            return Sender::Unknown;
        }
    }
    match sealed.signer(purpose) {
        Some(signer) => Sender::Signed(signer),
        None => {
            if session.is_some() {
                lock(ledger).rate_limits.budget(&claimed, true, now).take();
            }
            Sender::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::ASK;
    use crate::limits::WorkerLimits;
    use crate::message::{Hello, Versions};
    use crate::{Register, RegisteredWorker, WorkerKey};
    use std::sync::OnceLock;
    use std::time::Duration;

    fn hello() -> Hello {
        let versions =
            Versions { arena: "1".into(), revision: 2, transcript: "2.1".into(), engine: "aa".into() };
        Hello { name: "w".into(), machine: "m".into(), jobs: 1, versions, limits: WorkerLimits::default() }
    }

    /// The identified sender of a message under a key with another key's signature.
    fn forged(ledger: &Mutex<Ledger<()>>, key: &PublicKey, session: Option<Session>, now: Instant) -> Sender {
        static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
        let bytes = BYTES.get_or_init(|| WorkerKey::fresh().seal(ASK, b"request"));
        let key = key.to_string();
        let sealed = Sealed::parse(bytes).expect("it is a message").under(&key);
        sender(ledger, &sealed, ASK, session, now)
    }

    fn signed(ledger: &Mutex<Ledger<()>>, key: &WorkerKey, session: Option<Session>, now: Instant) -> Sender {
        let bytes = key.seal(ASK, b"request");
        sender(ledger, &Sealed::parse(&bytes).expect("it is a message"), ASK, session, now)
    }

    #[test]
    fn a_flood_from_strangers_costs_a_bounded_number_of_verifications_and_harms_no_worker() {
        let (worker, admitted) = (WorkerKey::fresh(), WorkerKey::fresh());
        let entry = RegisteredWorker { name: "w".into(), owner: "o".into(), blocked: None };
        let register: Register =
            [&worker, &admitted].map(|key| (key.public(), entry.clone())).into_iter().collect();
        let ledger = Mutex::new(Ledger::<()>::new([7; 32], Some(register)));
        let begun = Instant::now();
        let (session, _) = lock(&ledger).hello(&worker.public(), &hello(), begun).expect("it may play");
        let stranger = WorkerKey::fresh().public();
        for flood in 0..1_000_u32 {
            // The flood lasts a quarter of a second.
            let now = begun + Duration::from_micros(250) * flood;
            assert_eq!(forged(&ledger, &stranger, None, now), Sender::Unknown);
            // Without the session, a worker's key is useless.
            let guessed = Session(u64::from(flood));
            assert_eq!(forged(&ledger, &worker.public(), Some(guessed), now), Sender::NoRun(worker.public()));
            if flood % 250 == 0 {
                for key in [&worker, &admitted] {
                    assert_eq!(signed(&ledger, key, None, now), Sender::Signed(key.public()));
                }
                assert_eq!(signed(&ledger, &worker, Some(session), now), Sender::Signed(worker.public()));
            }
        }
        let checks = lock(&ledger).checks;
        assert!((260..=262).contains(&checks), "200 at once, 50 meanwhile, and 12 of workers: {checks}");
        assert_eq!(lock(&ledger).dropped, 1_012 - checks);
    }

    #[test]
    fn messages_forged_under_a_key_harm_only_the_worker_with_that_key() {
        let [victim, other] = [WorkerKey::fresh(), WorkerKey::fresh()];
        let ledger = Mutex::new(Ledger::<()>::new([7; 32], None));
        let now = Instant::now();
        let [of_victim, of_other] = [&victim, &other]
            .map(|key| lock(&ledger).hello(&key.public(), &hello(), now).expect("it may play").0);
        for _ in 0..1_000 {
            assert_eq!(forged(&ledger, &victim.public(), Some(of_victim), now), Sender::Unknown);
        }
        assert_eq!(lock(&ledger).checks, 64);
        assert_eq!(signed(&ledger, &other, Some(of_other), now), Sender::Signed(other.public()));
        assert_eq!(signed(&ledger, &victim, Some(of_victim), now), Sender::Unknown);
        let later = now + Duration::from_millis(100);
        assert_eq!(signed(&ledger, &victim, Some(of_victim), later), Sender::Signed(victim.public()));
        for (seconds, checks) in [(2, 32), (3, 16), (1_000, 64)] {
            let later = now + Duration::from_secs(seconds);
            let before = lock(&ledger).checks;
            for _ in 0..100 {
                forged(&ledger, &victim.public(), None, later);
            }
            assert_eq!(lock(&ledger).checks - before, checks, "after {seconds} s: 16 a second, 64 at once");
        }
    }
}
