//! A term of twelve weeks on two machines: bots come, change, leave and fail, runs are killed, tables and heads are published every
//! week, and at the end the losers check every step.

use crate::season::{bring, league, leave};
use crate::support::{Place, Run, command};
use serde_json::Value;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// The Mondays on which games are played, and the seconds since 1970 of the first one.
const MONDAYS: [&str; 12] = [
    "2026-01-05",
    "2026-01-12",
    "2026-01-19",
    "2026-01-26",
    "2026-02-02",
    "2026-02-09",
    "2026-02-16",
    "2026-02-23",
    "2026-03-02",
    "2026-03-09",
    "2026-03-16",
    "2026-03-23",
];
const FIRST_MONDAY: u64 = 1_767_571_200;
const WEEK_SECONDS: u64 = 7 * 86_400;

/// The bots that a machine gets in a week, from 1, and those that leave.
type Change = (usize, &'static str, Option<&'static str>);

const NORTH: [Change; 11] = [
    (1, "ann", Some("sweeper")),
    (1, "bob", Some("always-skips")),
    (2, "cleo", Some("shoots-at-random")),
    (3, "bob", Some("repeats-once-then-valid")),
    (4, "dan", Some("traps-on-third-play")),
    (5, "cleo", None),
    // Disqualified by then: a new file does not bring it back.
    (6, "dan", Some("always-skips")),
    (8, "dan", None),
    (9, "bob", Some("always-skips")),
    (10, "cleo", Some("shoots-at-random")),
    (12, "ann", None),
];

const SOUTH: [Change; 5] = [
    (1, "fay", Some("shoots-at-random")),
    (1, "ann", Some("sweeper")),
    (4, "gil", Some("repeats-once-then-valid")),
    (7, "fay", Some("always-skips")),
    (11, "gil", None),
];

/// The weeks in which the run in the north is killed, and continued by another one.
const KILLED: [usize; 3] = [3, 6, 10];

/// A machine of the term, with its bots in the folder `bots`.
struct Machine {
    place: Place,
    journal: &'static str,
    changes: &'static [Change],
}

/// What is published of a journal.
#[derive(Debug, PartialEq)]
struct Table {
    rows: Value,
    crosstable: Value,
    disqualified: Value,
}

impl Table {
    fn of(document: &Value) -> Self {
        let [rows, crosstable, disqualified] =
            ["standings", "crosstable", "disqualified"].map(|entry| document[entry].clone());
        Self { rows, crosstable, disqualified }
    }
}

impl Machine {
    fn new(journal: &'static str, changes: &'static [Change]) -> Self {
        Self { place: league(&[]), journal, changes }
    }

    /// Brings and removes the bots of a week.
    fn change(&self, week: usize) {
        for &(_, label, specimen) in self.changes.iter().filter(|(of, ..)| *of == week) {
            match specimen {
                Some(specimen) => bring(&self.place, label, specimen),
                None => leave(&self.place, label),
            }
        }
    }

    /// The command in a week.
    fn command(&self, week: usize, options: &str) -> std::process::Command {
        let line = format!("run bots --journal {} --games 20 --max-faults 3 {options}", self.journal);
        let mut command = command(self.place.folder(), &line.split_whitespace().collect::<Vec<_>>());
        let now = FIRST_MONDAY + WEEK_SECONDS * (week as u64 - 1);
        command.env("SOURCE_DATE_EPOCH", now.to_string());
        command
    }

    fn standings(&self, options: &str) -> Value {
        self.place.arena(&format!("standings {} -o json {options}", self.journal)).expect_code(0).json()
    }

    fn games(&self) -> u64 {
        self.place.games_in(self.journal)
    }

    /// Kills the run of a week once it has played some games.
    fn kill_in(&self, week: usize, options: &str) {
        let before = self.games();
        let mut command = self.command(week, options);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        while self.games() < before + 3 && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        // It may have ended by itself just now.
        let _ = child.kill();
        child.wait().unwrap();
    }

    /// Checks a published table and head of a week.
    fn check(&self, week: usize, table: &Table, head: &str) {
        let then = self.standings(&format!("--at {}", MONDAYS[week - 1]));
        assert_eq!(Table::of(&then), *table, "{} in week {week}", self.journal);
        assert_eq!(then["head"]["sha256"], head, "{} in week {week}", self.journal);
        let verify = format!("verify --journal {} --head {head} --sample 2", self.journal);
        self.place.arena(&verify).expect_code(0);
    }
}

#[test]
fn every_table_and_head_of_a_term_holds_at_its_end() {
    let north = Machine::new("north.db", &NORTH);
    let south = Machine::new("south.db", &SOUTH);
    let mut published = Vec::new();
    for week in 1..=MONDAYS.len() {
        north.change(week);
        south.change(week);
        let secret = if week == 1 { "--seed secret" } else { "" };
        if KILLED.contains(&week) {
            north.kill_in(week, secret);
        }
        Run::of(&mut north.command(week, secret)).expect_code(0);
        // In a week without changes, the stage goes on with the seed that it has.
        let has_changed = SOUTH.iter().any(|(of, ..)| *of == week);
        let beacon = if has_changed { format!("--beacon draw-{week}") } else { String::new() };
        Run::of(&mut south.command(week, &beacon)).expect_code(0);
        let documents = [&north, &south].map(|machine| machine.standings(""));
        let head = |document: &Value| document["head"]["sha256"].as_str().unwrap().to_owned();
        published.push(documents.each_ref().map(|document| (Table::of(document), head(document))));
    }

    let dan = &north.standings("")["disqualified"][0]["bot"];
    assert!(dan.as_str().unwrap().starts_with("dan"), "{dan}");
    for machine in [&north, &south] {
        machine.place.arena(&format!("journal close {}", machine.journal)).expect_code(0);
        let verified = machine.place.arena(&format!("verify --journal {}", machine.journal)).expect_code(0);
        let games = machine.games();
        assert!(verified.stdout.ends_with(&format!("verified {games} of {games}\n")), "{}", verified.stdout);
        let run = Run::of(&mut machine.command(12, "")).expect_code(2);
        assert!(run.stderr.contains("the season is closed"), "{}", run.stderr);
    }
    for (week, [in_north, in_south]) in (1..).zip(&published) {
        north.check(week, &in_north.0, &in_north.1);
        south.check(week, &in_south.0, &in_south.1);
    }
}
