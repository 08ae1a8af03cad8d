//! The limits and times of the ledger, each from both sides.

use super::*;

impl Setting {
    /// Lets this time pass, while these workers send heartbeats. Returns the follow-up of the check after it.
    fn pass(&mut self, millis: u64, living: &[&Worker]) -> FollowUp<u32> {
        self.now += Duration::from_millis(millis);
        for worker in living {
            let held: Vec<u64> = self.run(worker).held.iter().copied().collect();
            assert!(self.ledger.heartbeat(worker.session, 0, &held, self.now));
        }
        self.ledger.check_workers(self.now)
    }

    fn run(&mut self, worker: &Worker) -> &mut Run {
        self.ledger.runs.get_mut(&worker.session).expect("it is connected")
    }

    /// Says hello with a key that no worker has. Returns the reason if it may not play.
    fn enter_made_up(&mut self, number: u64) -> Result<Session, String> {
        let entered = self.ledger.hello(&PublicKey::made_up(number), &hello("w", 1), self.now);
        entered.map(|(session, _)| session).map_err(|why| why.to_string())
    }
}

#[test]
fn a_worker_is_silent_after_two_and_a_half_seconds_and_gone_after_five() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let [first, other] = ["first", "other"].map(|name| setting.enter(name, 1));
    let batch = setting.next(&first).expect("there is one");
    assert!(!setting.pass(2_500, &[&other]).has_work);
    assert!(setting.next(&other).is_none());
    assert!(setting.pass(1, &[&other]).has_work);
    let again = setting.next(&other).expect("the first one is silent");
    assert_eq!((again.number, again.is_alone), (batch.number, true));
    assert!(setting.pass(2_499, &[&other]).notes.is_empty());
    assert_eq!(setting.ledger.status(setting.now).workers[0].silent_ms, Some(5_000));
    let follow_up = setting.pass(1, &[&other]);
    assert_eq!((follow_up.notes, follow_up.has_work), (vec!["worker first is gone".to_owned()], true));
    let status = setting.ledger.status(setting.now);
    let silent = status.workers.iter().map(|worker| (worker.name.as_str(), worker.silent_ms));
    assert_eq!(silent.collect::<Vec<_>>(), [("other", Some(0)), ("first", None)]);
    assert!(!setting.ledger.heartbeat(first.session, 0, &[], setting.now), "it says hello again");
}

#[test]
fn a_coordinator_that_was_suspended_takes_no_worker_for_silent() {
    let mut setting = Setting::new(None);
    let worker = setting.enter("worker", 1);
    setting.now += Duration::from_secs(60);
    setting.ledger.reset_heartbeats(setting.now);
    assert!(setting.pass(2_500, &[]).notes.is_empty());
    assert!(!setting.run(&worker).is_silent);
}

#[test]
fn a_batch_is_late_after_a_second_or_three_times_the_median_of_all_workers() {
    for (turnarounds, late_after) in [([0, 10, 200], 1_000), ([100, 500, 60_000], 1_500)] {
        let mut setting = Setting::new(None);
        setting.publish(1, 1);
        let workers = ["a", "b", "c"].map(|name| setting.enter(name, 1));
        for (worker, turnaround) in workers.iter().zip(turnarounds) {
            setting.run(worker).turnaround = Some(Duration::from_millis(turnaround));
        }
        setting.next(&workers[0]).expect("there is one");
        let living: Vec<&Worker> = workers.iter().collect();
        setting.pass(late_after, &living);
        assert!(setting.next(&workers[1]).is_none(), "{late_after}");
        setting.pass(1, &living);
        assert!(setting.next(&workers[1]).is_some_and(|batch| !batch.is_alone), "{late_after}");
        let late: Vec<u64> = setting.ledger.status(setting.now).workers.iter().map(|it| it.late).collect();
        assert_eq!(late, [1, 0, 0]);
    }
}

#[test]
fn a_late_batch_is_with_three_workers_at_most() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let workers = ["a", "b", "c", "d"].map(|name| setting.enter(name, 1));
    setting.run(&workers[3]).turnaround = Some(Duration::ZERO);
    let living: Vec<&Worker> = workers.iter().collect();
    let got = living.iter().map(|worker| {
        setting.pass(1_001, &living);
        setting.next(worker).is_some()
    });
    assert_eq!(got.collect::<Vec<_>>(), [true, true, true, false]);
}

#[test]
fn a_worker_has_as_many_jobs_as_it_claims_and_confirms_and_256_at_most() {
    let jobs = [(0, 9), (8, 0), (8, 6), (8, 7), (8, 8), (JOBS_MAX, u64::MAX), (u16::MAX, u64::MAX)]
        .map(|(claimed, done)| Ledger::<()>::jobs(claimed, done));
    assert_eq!(jobs, [1, 1, 7, 8, 8, 256, 256]);
}

#[test]
fn batches_for_other_owners_are_looked_through_up_to_1024() {
    let keys: [WorkerKey; 4] = std::array::from_fn(|_| WorkerKey::fresh());
    let entry = |owner: &str| RegisteredWorker { name: "w".into(), owner: owner.into(), blocked: None };
    let owners = ["alice", "alice", "alice", "bob"];
    let register = keys.iter().zip(owners).map(|(key, owner)| (key.public(), entry(owner)));
    let mut setting = Setting::new(Some(register.collect()));
    let workers = keys.map(|key| setting.enter_as(key, "w", JOBS_MAX).expect("it is admitted"));
    for worker in &workers {
        setting.run(worker).batches_done = u64::from(JOBS_MAX);
    }
    let [first, second, third, of_bob] = workers;
    setting.publish(1_023, 2);
    let taken = [&first, &second].map(|worker| std::iter::from_fn(|| setting.next(worker)).count());
    assert_eq!(taken, [512, 511], "two for each job");
    setting.publish(1, 2);
    assert!(setting.next(&third).is_some(), "it is the last one of 1024");
    setting.publish(1, 2);
    assert!(setting.next(&third).is_none(), "it is behind 1024 for others");
    assert!(setting.next(&of_bob).is_some());
}

#[test]
fn a_key_has_at_most_64_runs_and_a_contest_10_000_of_100_000_workers() {
    let mut setting = Setting::new(None);
    assert!((0..64).all(|_| setting.enter_made_up(0).is_ok()));
    assert_eq!(setting.enter_made_up(0), Err("there are too many workers with its key".into()));
    let too_many = Err("there are too many workers".to_owned());
    setting.enter_made_up(1).expect("it may play");
    // Saying hello looks at all runs, so these are copied.
    for number in 0..9_999 - 65 {
        let of = Run { held: BTreeSet::new(), ..*setting.ledger.runs.values().next().unwrap() };
        setting.ledger.runs.insert(Session(number), of);
    }
    let last = setting.enter_made_up(2).expect("it is the last one");
    assert_eq!(setting.enter_made_up(3), too_many);
    assert_eq!(setting.ledger.leave(last).notes, ["worker w-3 has left"]);
    // Workers that have left count, and known ones may come back.
    (3..99_999).for_each(|number| _ = setting.ledger.identity(&PublicKey::made_up(number), &"w".into()));
    let last = setting.enter_made_up(100_000).expect("it is the last one");
    setting.ledger.leave(last);
    assert_eq!(setting.enter_made_up(100_001), too_many);
    assert!(setting.enter_made_up(100_000).is_ok());
}
