//! A simulation of a thousand workers with eight jobs each: nothing is lost when a tenth of them vanishes, and the rate recovers.
//!
//! The times and sizes of batches were recorded from a worker that played games of `density` on a 32 by 32 board. The different speeds
//! of the machines are invented.

use super::*;
use crate::limits::WorkerLimits;
use crate::message::{BatchMessage, Hello, Versions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::mpsc::{Receiver, Sender, channel};

const WORKERS: u64 = 1_000;
const JOBS: u64 = 8;

/// The recorded batches: games, microseconds of one job, bytes. `tests/remote/record.rs` makes the file.
const BATCHES: &str = include_str!("batches.csv");

/// A recorded batch of one game.
#[derive(Clone, Copy)]
struct Recorded {
    took: Duration,
    bytes: usize,
}

fn recorded() -> Vec<Recorded> {
    let batch = |line: &str| {
        let mut fields = line.split(',').map(|field| field.parse::<u64>().expect("it is a number"));
        let [games, took, bytes] = std::array::from_fn(|_| fields.next().expect("a line has three"));
        (games == 1).then_some(Recorded { took: Duration::from_micros(took), bytes: bytes as usize })
    };
    BATCHES.lines().skip(1).filter_map(batch).collect()
}

/// The number of open batches, as with a real coordinator.
const OPEN: usize = (WORKERS * JOBS * 3) as usize;

/// The interval between two rounds of heartbeats and checks.
const TICK: Duration = Duration::from_secs(1);

/// A contest in simulated time.
struct Contest {
    ledger: Ledger<()>,
    begun: Instant,
    now: Instant,
    answers: (Sender<Answered<()>>, Receiver<Answered<()>>),
    sessions: Vec<Session>,
    /// The number of workers that are still there. They are the first ones.
    living: usize,
    /// The times at which batches will be done, with their numbers, secrets and workers.
    done: BinaryHeap<Reverse<(Instant, u64, u64, usize)>>,
    games_published: u32,
    /// The number of answers for each game.
    answered: Vec<u8>,
    recorded: Vec<Recorded>,
    rng: Pcg64Mcg,
    /// The time at which each job of each worker becomes free.
    free: Vec<[Instant; JOBS as usize]>,
}

impl Contest {
    fn new() -> Self {
        let begun = Instant::now();
        let mut contest = Self {
            ledger: Ledger::new([7; 32], None),
            begun,
            now: begun,
            answers: channel(),
            sessions: Vec::new(),
            living: WORKERS as usize,
            done: BinaryHeap::new(),
            games_published: 0,
            answered: Vec::new(),
            recorded: recorded(),
            rng: Pcg64Mcg::seed_from_u64(31),
            free: vec![[begun; JOBS as usize]; WORKERS as usize],
        };
        for worker in 0..WORKERS {
            let versions =
                Versions { arena: "1".into(), revision: 2, transcript: "2.1".into(), engine: "aa".into() };
            let jobs = u16::try_from(JOBS).expect("there are few");
            let name = format!("w{worker}");
            let hello = Hello {
                name: name.as_str().into(),
                machine: "m".into(),
                jobs,
                versions,
                limits: WorkerLimits::default(),
            };
            let key = PublicKey::made_up(worker);
            let (session, _) = contest.ledger.hello(&key, &hello, begun).expect("it may play");
            contest.sessions.push(session);
        }
        contest
    }

    /// The time of a game on a worker's machine, as a percentage of the recorded one: from 50 to 200.
    fn percent(worker: usize) -> u32 {
        50 + (worker as u32 * 37) % 151
    }

    /// The largest number of games that a number of workers can play in a second.
    fn most(&self, workers: usize) -> f64 {
        let took = self.recorded.iter().map(|batch| batch.took.as_secs_f64()).sum::<f64>();
        let usual = took / self.recorded.len() as f64;
        (0..workers).map(|worker| JOBS as f64 * 100.0 / f64::from(Self::percent(worker)) / usual).sum()
    }

    /// Publishes batches until enough are open, and hands them out.
    fn hand_out(&mut self) {
        while self.ledger.open.len() < OPEN {
            let game = self.games_published;
            self.games_published += 1;
            self.answered.push(0);
            let games = vec![Game { key: Key { seats: [0, 1], pair: game / 2, game }, order: vec![0; 40] }];
            let batch = Batch { games, owners: 1, is_suspect: false, tries_alone: 2 };
            self.ledger.publish(batch, self.answers.0.clone());
        }
        for worker in 0..self.living {
            self.fill(worker);
        }
    }

    fn fill(&mut self, worker: usize) {
        while let Some(BatchMessage { number, secret, .. }) =
            self.ledger.next(self.sessions[worker], self.now)
        {
            let took = self.recorded[self.rng.random_range(0..self.recorded.len())].took;
            let job = self.free[worker].iter_mut().min().expect("it has jobs");
            *job = (*job).max(self.now) + took * Self::percent(worker) / 100;
            self.done.push(Reverse((*job, number, secret, worker)));
        }
    }

    /// Simulates a number of seconds. Returns the number of games answered in them.
    fn run(&mut self, seconds: u64) -> u64 {
        let until = self.now + TICK * u32::try_from(seconds).expect("it is short");
        let mut games = 0;
        while self.now < until {
            let tick = self.now + TICK;
            while let Some(&Reverse((at, number, secret, worker))) = self.done.peek()
                && at < tick
            {
                self.done.pop();
                if worker >= self.living {
                    continue;
                }
                self.now = at;
                let key = self.ledger.open.get(&number).map(|open| open.games[0].key);
                if let Some(key) = key {
                    let Recorded { took, bytes } = self.recorded[number as usize % self.recorded.len()];
                    let outcome =
                        Outcome::Played { took, games: vec![(key, GameReport::Played(vec![0; bytes]))] };
                    self.ledger.answer(number, secret, outcome, vec![()], at, &mut FollowUp::default());
                }
                for answered in self.answers.1.try_iter() {
                    let Answers::Played(results) = answered.answers else { panic!("it is abandoned") };
                    self.answered[results[0].games[0].0.game as usize] += 1;
                    games += 1;
                }
                self.fill(worker);
            }
            self.now = tick;
            for worker in 0..self.living {
                let session = self.sessions[worker];
                let held: Vec<u64> = self.ledger.runs[&session].held.iter().copied().collect();
                self.ledger.heartbeat(session, 0, &held, tick);
            }
            self.ledger.check_workers(tick);
            self.hand_out();
        }
        games
    }
}

#[test]
fn a_thousand_workers_play_on_when_a_tenth_of_them_vanishes() {
    let memory_before = resident_mib();
    let mut contest = Contest::new();
    contest.hand_out();
    contest.run(10);
    let before = contest.run(10);
    let most = contest.most(contest.living);
    let share = before as f64 / (most * 10.0);
    assert!((0.9..1.05).contains(&share), "{before} games in 10 s, and {most:.0} a second can be played");
    let lost = contest.games_published;
    contest.living = contest.living * 9 / 10;
    // The coordinator notices the silent workers, and others play all their batches.
    let (mut seconds, mut caught_up) = (Vec::new(), None);
    for second in 1..=20 {
        seconds.push(contest.run(1));
        if caught_up.is_none() && contest.answered[..lost as usize].iter().all(|&answers| answers > 0) {
            caught_up = Some(second);
        }
    }
    let after = seconds[10..].iter().sum::<u64>();
    assert!(after as f64 > before as f64 * 0.85, "{before} games in 10 s before, then {seconds:?}");
    assert!(contest.answered[..lost as usize - OPEN].iter().all(|&answers| answers == 1));
    contest.run(10);
    assert!(contest.answered[..lost as usize].iter().all(|&answers| answers == 1), "each counts once");
    assert!(contest.ledger.open.len() <= OPEN && contest.ledger.runs.len() == contest.living);
    let copies = contest.ledger.given_out as f64
        / contest.answered.iter().map(|&answers| f64::from(answers)).sum::<f64>();
    assert!(copies < 1.35, "{copies:.2} copies of each batch were given out");
    let simulated = contest.now.duration_since(contest.begun);
    let games = contest.answered.iter().filter(|&&answers| answers > 0).count();
    note(&format!(
        "{games} games in {simulated:?} of simulated time, {:?} of real time",
        contest.begun.elapsed()
    ));
    note(&format!(
        "{} games a second before of {most:.0} possible, then {seconds:?}; {copies:.3} copies",
        before / 10
    ));
    note(&format!("what was open when they vanished was played after {caught_up:?} seconds"));
    note(&format!("{:?} MiB of memory before, {:?} now", memory_before, resident_mib()));
}

/// The resident memory of this process, where the system reports it.
fn resident_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1_024)
}

/// Measures the coordinator's processor time for a signed message. To measure, run it by name in an optimised build.
#[test]
fn a_message_is_signed_and_its_signature_is_verified() {
    const MESSAGES: u32 = 20;
    let key = crate::WorkerKey::fresh();
    let body = vec![7; 1_300];
    let begun = Instant::now();
    let sealed: Vec<Vec<u8>> = (0..MESSAGES).map(|_| key.seal(RESULT, &body)).collect();
    let signing = begun.elapsed() / MESSAGES;
    let begun = Instant::now();
    assert!(sealed.iter().all(|sealed| Sealed::parse(sealed).unwrap().signer(RESULT) == Some(key.public())));
    note(&format!("{signing:?} to sign a message, {:?} to verify a signature", begun.elapsed() / MESSAGES));
}

#[expect(clippy::disallowed_macros, clippy::print_stdout, reason = "a measurement is printed, not asserted")]
fn note(line: &str) {
    println!("{line}");
}
