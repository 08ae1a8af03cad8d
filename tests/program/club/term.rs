//! A term of a club in some seconds: authors submit one version after the other, some of them are hostile, and the club is killed three
//! times. `cargo xtask club-term` plays a whole one.

mod class;

use super::{LONG, PAUSE, Served, upload};
use crate::support::{Place, house_bot, signal};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The variable with the size of a term: authors, of whom ten are hostile, versions, and weeks.
const SIZE: &str = "ARENA_CLUB_TERM";

/// The variable with a folder of bots that were made with `arena new`, one for each language.
const LANGUAGES: &str = "ARENA_CLUB_LANGUAGES";

/// The longest time until a bot is judged. Chosen: ten times that of a bot in Python after 64 others.
const JUDGED_TIME: Duration = Duration::from_secs(600);

/// The way in which an author is hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attack {
    /// Sends a byte now and then.
    SlowUpload,
    /// Sends without end.
    EndlessUpload,
    /// Sends many empty uploads, and has many connections.
    Flood,
    /// Submits files, of which the state of each is the expected one.
    Files(&'static [(&'static str, &'static str)]),
    /// Submits the bots of an honest author.
    CopiesOthers,
}

/// The hostile authors. What plays or is superseded does no harm: its name or log is strange.
const HOSTILE: [(&str, Attack); 10] = [
    ("slow", Attack::SlowUpload),
    ("endless", Attack::EndlessUpload),
    ("flood", Attack::Flood),
    ("thief", Attack::CopiesOthers),
    (
        "traps",
        Attack::Files(&[("traps-in-play", "faulted"), ("traps-in-name", "refused"), ("panics", "faulted")]),
    ),
    (
        "loops",
        Attack::Files(&[
            ("loops-in-deploy", "faulted"),
            ("loops-in-name", "refused"),
            ("loops-in-start", "refused"),
        ]),
    ),
    (
        "memory",
        Attack::Files(&[("grow-bomb", "faulted"), ("huge-memory", "refused"), ("table-bomb", "faulted")]),
    ),
    ("names", Attack::Files(&[("huge-name", "refused"), ("long-name", "plays"), ("escape-name", "plays")])),
    ("logs", Attack::Files(&[("log-flood", "plays"), ("log-escapes", "plays"), ("log-garbage", "plays")])),
    (
        "no-bot",
        Attack::Files(&[
            ("not-a-component", "refused"),
            ("exports-nothing", "refused"),
            ("unknown-import", "refused"),
        ]),
    ),
];

/// Ends the attacks when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A term.
struct Term {
    place: Place,
    honest: Vec<String>,
    /// The components that honest authors submit variants of.
    bots: Vec<PathBuf>,
    /// The number of versions of honest authors.
    versions: u32,
    weeks: u32,
    /// The submissions that were accepted, by author.
    accepted: BTreeMap<String, Vec<i64>>,
}

/// A component that plays like another one and is not the same: it has a custom section with a number.
fn variant(component: &Path, number: u32) -> Vec<u8> {
    let mut bytes = fs::read(component).expect("the house bots have been built");
    bytes.extend([0, 6, 1, b'n']);
    bytes.extend(number.to_le_bytes());
    bytes
}

/// The components that authors submit variants of: house bots, and one in each language that was built.
fn bots() -> Vec<PathBuf> {
    let mut bots = ["hunter", "random", "sweeper", "density"].map(house_bot).to_vec();
    bots.extend(env::var_os(LANGUAGES).iter().flat_map(|folder| {
        let files = fs::read_dir(folder).expect("the folder of languages can be read").flatten();
        let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "wasm"));
        paths.sort();
        paths
    }));
    bots
}

impl Term {
    /// Invites all authors.
    fn new(authors: u32, versions: u32, weeks: u32) -> Self {
        let place = Place::empty();
        let honest: Vec<String> = (0..authors - 10).map(|number| format!("author-{number}")).collect();
        let names = HOSTILE.iter().map(|(name, _)| *name).chain(honest.iter().map(String::as_str));
        for name in names {
            place.write(name, place.arena(&format!("club invite {name} --data club")).expect_code(0).stdout);
        }
        for (_, attack) in HOSTILE {
            let Attack::Files(files) = attack else { continue };
            for (name, _) in files {
                let bytes = match *name {
                    "not-a-component" => b"\x7fELF".repeat(1_000),
                    zoo => arena_testkit::zoo(zoo),
                };
                place.write(&format!("{name}.wasm"), bytes);
            }
        }
        Self { place, honest, bots: bots(), versions, weeks, accepted: BTreeMap::new() }
    }

    fn serve(&self) -> Served<'_> {
        Served::start(&self.place, "--games 4 --behind-proxy --log-level debug")
    }

    /// Submits a file, and notes that it was accepted. Returns its state.
    fn submit(&self, served: &Served, file: &str, author: &str) -> Option<(i64, String)> {
        let run = served.submit(file, author);
        let answered = (run.code == 0 || run.code == 3).then(|| run.json());
        answered.map(|it| {
            let id = it["id"].as_i64().expect("it has a number");
            (id, it["state"].as_str().expect("it has a state").to_owned())
        })
    }

    /// The state of a submission after its verdict, which may be later than the answer.
    fn judged(&self, served: &Served, author: &str, id: i64, answered: String) -> String {
        let begun = Instant::now();
        let mut state = answered;
        while state == "waiting" {
            assert!(begun.elapsed() < JUDGED_TIME, "submission {id} of {author} is not judged");
            thread::sleep(PAUSE);
            let mine = served.mine(author);
            let version = mine.as_array().expect("a list").iter().find(|it| it["id"] == id);
            state = version.and_then(|it| it["state"].as_str()).expect("it is there").to_owned();
        }
        state
    }

    /// The versions of an author, and the games of each.
    fn versions_of(served: &Served, author: &str) -> BTreeMap<i64, u64> {
        let mine = served.author("mine -o json", author).expect_code(0).json();
        let versions = mine.as_array().expect("a list").iter();
        versions
            .map(|it| (it["id"].as_i64().expect("a number"), it["standing"]["games"].as_u64().unwrap_or(0)))
            .collect()
    }

    /// One week: the honest authors whose turn it is submit a version each, while the hostile ones attack. In a week with a kill, the club
    /// is killed after the last submission, in the middle of games and attacks.
    fn week(&mut self, week: u32, number: &AtomicU32, is_killed: bool) {
        let served = self.serve();
        let is_over = AtomicBool::new(false);
        let count = self.versions / self.weeks + u32::from(week < self.versions % self.weeks);
        let mut accepted = Vec::new();
        let before = thread::scope(|scope| {
            // If something is wrong, the attacks end, too.
            let over = Over(&is_over);
            let attacks: Vec<_> = HOSTILE
                .iter()
                .map(|(author, attack)| {
                    let (term, served, is_over) = (&*self, &served, &is_over);
                    scope.spawn(move || term.attack(served, author, *attack, week, is_over))
                })
                .collect();
            for _ in 0..count {
                let number = number.fetch_add(1, Ordering::Relaxed);
                let author = &self.honest[number as usize % self.honest.len()];
                let bot = &self.bots[number as usize % self.bots.len()];
                self.place.write(&format!("{number}.wasm"), variant(bot, number));
                let (id, state) =
                    self.submit(&served, &format!("{number}.wasm"), author).expect("it is accepted");
                let state = self.judged(&served, author, id, state);
                assert_eq!(state, "plays", "{author} is charged for {}", bot.display());
                accepted.push((author.clone(), id));
            }
            let before = self
                .honest
                .iter()
                .map(|author| (author.clone(), Self::versions_of(&served, author)))
                .collect();
            if is_killed {
                signal(&served.child, "KILL");
            }
            drop(over);
            for (attack, (author, _)) in attacks.into_iter().zip(HOSTILE) {
                let ids = attack.join().expect("an attack goes as it should");
                accepted.extend(ids.into_iter().map(|id| (author.to_owned(), id)));
            }
            before
        });
        if is_killed {
            drop(served);
        } else {
            served.interrupt();
        }
        accepted.into_iter().for_each(|(author, id)| self.accepted.entry(author).or_default().push(id));
        self.expect_nothing_lost(&before);
    }

    /// Checks that each accepted submission and each game that was counted is there after the end of a club.
    fn expect_nothing_lost(&self, before: &BTreeMap<String, BTreeMap<i64, u64>>) {
        let served = self.serve();
        for (author, ids) in &self.accepted {
            let versions = Self::versions_of(&served, author);
            ids.iter()
                .for_each(|id| assert!(versions.contains_key(id), "submission {id} of {author} is lost"));
        }
        for (author, before) in before {
            let after = Self::versions_of(&served, author);
            for (id, games) in before {
                assert!(after[id] >= *games, "games of {author} are lost: {} of {games}", after[id]);
            }
        }
        served.interrupt();
    }

    /// What a hostile author does in a week. Returns the submissions that were accepted. Errors of the connection are its own affair.
    fn attack(
        &self,
        served: &Served,
        author: &str,
        attack: Attack,
        week: u32,
        is_over: &AtomicBool,
    ) -> Vec<i64> {
        let token = fs::read_to_string(self.place.path(author)).expect("it is there").trim().to_owned();
        let connect = || {
            let stream = TcpStream::connect(&served.address).ok()?;
            stream.set_write_timeout(Some(Duration::from_secs(1))).ok()?;
            Some(stream)
        };
        let goes_on = || !is_over.load(Ordering::Relaxed);
        let head = |rest: &str| upload(&token, &format!("X-Forwarded-For: 10.6.6.6\r\n{rest}"));
        match attack {
            Attack::SlowUpload => {
                let Some(mut stream) = connect() else { return Vec::new() };
                let _ = stream.write_all(head("Content-Length: 100000").as_bytes());
                while goes_on() && stream.write_all(b"\0").is_ok() {
                    thread::sleep(Duration::from_millis(100));
                }
            }
            Attack::EndlessUpload => {
                let Some(mut stream) = connect() else { return Vec::new() };
                let _ = stream.write_all(head("Transfer-Encoding: chunked").as_bytes());
                let block = [b"10000\r\n".as_slice(), &[7; 1 << 16], b"\r\n"].concat();
                while goes_on() && stream.write_all(&block).is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            Attack::Flood => {
                let mut held = Vec::new();
                for _ in 0..200 {
                    let Some(mut stream) = connect().filter(|_| goes_on()) else { break };
                    // A part of an upload, and a whole one without a file.
                    let _ = stream.write_all(head("Content-Length: 9").as_bytes());
                    held.push(stream);
                    let Some(mut stream) = connect() else { break };
                    let _ = stream.write_all(head("Content-Length: 0").as_bytes());
                }
                while goes_on() {
                    thread::sleep(Duration::from_millis(10));
                }
            }
            Attack::Files(files) => {
                let (name, expected) = files[week as usize % files.len()];
                let submitted = self.submit(served, &format!("{name}.wasm"), author);
                if let Some((_, state)) = &submitted {
                    assert!(state == expected || state == "waiting", "{name} is {state}, and not {expected}");
                }
                return submitted.map(|(id, _)| id).into_iter().collect();
            }
            Attack::CopiesOthers => {
                // In the first week, no honest author may have been first.
                let submitted = (week > 0).then(|| self.submit(served, "0.wasm", author)).flatten();
                if let Some((_, state)) = &submitted {
                    assert!(state == "refused" || state == "waiting", "a copy is {state}");
                }
                return submitted.map(|(id, _)| id).into_iter().collect();
            }
        }
        Vec::new()
    }

    /// Plays all weeks, and checks what is left of them.
    #[expect(clippy::disallowed_macros, reason = "`cargo xtask club-term` ends with it")]
    fn play(mut self) {
        let number = AtomicU32::new(0);
        for week in 0..self.weeks {
            // Three times, in the first, second and third quarter.
            let is_killed = (1..=3).any(|quarter| week == quarter * self.weeks / 4);
            self.week(week, &number, is_killed);
        }
        let served = self.serve();
        self.wait_for_all_games(&served);
        for author in &self.honest {
            let mine = served.author("mine -o json", author).expect_code(0).json();
            for version in mine.as_array().expect("a list") {
                let state = version["state"].as_str();
                assert!(matches!(state, Some("plays" | "superseded")), "{author} is charged: {version}");
                let faults = version["standing"]["faults"].as_u64().unwrap_or(0);
                assert_eq!(faults, 0, "{author} is charged: {version}");
            }
        }
        let accepted: usize = self.accepted.values().map(Vec::len).sum();
        assert!(accepted >= self.versions as usize, "{accepted}");
        served.interrupt();
        self.place.arena("club season reveal --data club").expect_code(0);
        let verified = self.place.arena("verify --journal club/season.db").expect_code(0);
        println!(
            "{} honest and {} hostile authors, {accepted} submissions, bots of {} kinds, {} weeks\n{}",
            self.honest.len(),
            HOSTILE.len(),
            self.bots.len(),
            self.weeks,
            verified.stdout
        );
    }

    /// Waits until each honest author's newest version has played against all others.
    fn wait_for_all_games(&self, served: &Served) {
        let begun = Instant::now();
        let mut last = (0, begun);
        loop {
            let games: Vec<u64> = self
                .honest
                .iter()
                .map(|author| served.mine(author)[0]["standing"]["games"].as_u64().unwrap_or(0))
                .collect();
            let others = self.honest.len() as u64 - 1;
            if games.iter().all(|&games| games >= 4 * others) {
                return;
            }
            let sum = games.iter().sum();
            if sum != last.0 {
                last = (sum, Instant::now());
            }
            assert!(last.1.elapsed() < LONG, "no game is played any more: {games:?}");
            thread::sleep(PAUSE);
        }
    }
}

#[test]
fn a_term_with_hostile_authors_and_three_crashes_loses_nothing_and_charges_no_honest_author() {
    let size = env::var(SIZE).unwrap_or_else(|_| "13,8,4".into());
    let numbers: Vec<u32> = size.split(',').map(|it| it.parse().expect("numbers with commas")).collect();
    let [authors, versions, weeks] = numbers[..] else { panic!("{SIZE} has three numbers") };
    assert!(authors > 11 && versions >= authors - 10 && weeks >= 4, "{size}: too small for a term");
    Term::new(authors, versions, weeks).play();
}
