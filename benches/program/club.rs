//! A club whose pages are read while it plays: the cost of a page, and the games of its players with and without readers.
//!
//! The machine may be shared with other programs, and is shared with the readers. So games are counted for each second of processor time
//! of the players, in phases with and without readers that alternate.

use crate::{Bench, child};
use arena_benches::setting::{CLUB_BOTS, CLUB_PAGES_A_SECOND, house_bot};
use arena_engine::JournalContent;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The readers, each of whom asks for one page at a time. Chosen: none waits for another one's answer.
const READERS: u32 = 16;

/// The longest time in which a club writes its pages, and begins to play. Chosen: ten times what it takes here.
const LONG: Duration = Duration::from_secs(120);

/// A club that is served.
struct Club {
    child: Child,
    address: String,
    folder: PathBuf,
}

impl Drop for Club {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The counts of a club at a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    games: usize,
    /// The processor time of the club's own process.
    club: Duration,
    /// The processor time of the processes that play.
    players: Duration,
}

/// The sums of some phases.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    done: Done,
    time: Duration,
    pages: u64,
}

impl Bench {
    /// The cost of a page, and games with and without readers.
    pub fn club(&mut self) {
        for (name, bots) in CLUB_BOTS {
            let club = self.serve(name, bots, 1_000_000);
            club.wait_for_games();
            let mut sums = [Sum::default(); 2];
            for _ in 0..self.rounds() {
                for (sum, is_read) in sums.iter_mut().zip([false, true]) {
                    club.phase(sum, self.phase(), is_read);
                }
            }
            for (sum, readers) in sums.iter().zip(["without", "with"]) {
                let name = format!("club/{name}/{readers}");
                let games = sum.done.games as f64;
                self.keep(
                    &format!("{name}/games a processor second"),
                    games / sum.done.players.as_secs_f64(),
                );
                self.keep(&format!("{name}/games a second"), games / sum.time.as_secs_f64());
            }
            self.keep(
                &format!("club/{name}/pages a second"),
                sums[1].pages as f64 / sums[1].time.as_secs_f64(),
            );
        }
        // A club that has played everything: its process does nothing but answer.
        let (name, bots) = CLUB_BOTS[0];
        let club = self.serve(&format!("{name}, played"), bots, 40);
        club.wait_for_games();
        club.wait_for_quiet();
        let mut sum = Sum::default();
        club.phase(&mut sum, self.phase(), true);
        self.keep("club/page/processor/seconds", sum.done.club.as_secs_f64() / sum.pages as f64);
    }

    /// The time of a phase. Chosen: many stages.
    fn phase(&self) -> Duration {
        Duration::from_secs(if self.is_quick { 2 } else { 10 })
    }

    /// Serves a club with two authors and their bots.
    fn serve(&self, name: &str, bots: [&str; 2], games: u32) -> Club {
        let folder = self.folder.path().join(name);
        let arena = |words: &str| {
            let mut command = Command::new(&self.program);
            command.arg("club").args(words.split_whitespace()).arg("--data").arg(&folder);
            command.stdin(Stdio::null()).stderr(Stdio::null());
            command
        };
        let tokens = bots.map(|bot| {
            let output = arena(&format!("invite {bot}")).output().expect("the program starts");
            assert!(output.status.success(), "arena club invite {bot}");
            String::from_utf8(output.stdout).expect("a token is text").trim().to_owned()
        });
        // One job, so that a machine with two cores has one for the readers and the server.
        let mut serve = arena(&format!("serve --listen 127.0.0.1:0 --jobs 1 --games {games}"));
        serve.arg("--cache").arg(self.folder.path().join("cache")).stdout(Stdio::piped());
        let mut child = serve.spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is a pipe")).read_line(&mut line).expect("it is text");
        let address = line.trim().strip_prefix("http://").expect("it prints its address").to_owned();
        let club = Club { child, address, folder };
        for (bot, token) in bots.into_iter().zip(tokens) {
            let component = fs::read(house_bot(bot)).expect("the house bots have been built");
            let head = format!(
                "POST /submit HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n",
                component.len()
            );
            let answer = club.ask(&[head.as_bytes(), &component].concat());
            assert!(answer.contains("\"state\":\"plays\""), "{answer}");
        }
        club
    }
}

impl Club {
    fn ask(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, page: &str) -> String {
        self.ask(format!("GET /{page} HTTP/1.1\r\nHost: club\r\n\r\n").as_bytes())
    }

    fn games(&self) -> usize {
        let content = JournalContent::read_begun(&self.folder.join("season.db"));
        content.expect("it can be read").map_or(0, |content| content.known.len())
    }

    fn done(&self) -> Done {
        let [club, players] = child::processor(self.child.id());
        Done { games: self.games(), club, players }
    }

    /// Waits until there are games, and pages with them.
    fn wait_for_games(&self) {
        let begun = Instant::now();
        while self.games() == 0 || !self.get("").contains("href=\"games/") {
            assert!(begun.elapsed() < LONG, "no game was played");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until its process does nothing.
    fn wait_for_quiet(&self) {
        let begun = Instant::now();
        let mut quiet = 0;
        let mut last = self.done();
        while quiet < 3 {
            thread::sleep(Duration::from_secs(1));
            let now = self.done();
            quiet = if now.club - last.club > Duration::from_millis(20) { 0 } else { quiet + 1 };
            last = now;
            assert!(begun.elapsed() < LONG, "it has more to do");
        }
    }

    /// The pages that are read: the standings with the style, the bots, and games with a replay.
    fn pages(&self) -> Vec<String> {
        let standings = self.get("");
        let linked = standings.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let games =
            linked.filter(|link| link.starts_with("games/") && !link.contains('#')).map(str::to_owned);
        let of_all = ["", "style.css", "bots/1.html", "", "style.css", "bots/2.html"].map(str::to_owned);
        of_all.into_iter().chain(games.take(2)).collect()
    }

    /// Plays for a time, and adds what was done in it. With readers, pages are asked for, too.
    fn phase(&self, sum: &mut Sum, time: Duration, is_read: bool) {
        let pages = self.pages();
        let (is_over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
        let (before, begun) = (self.done(), Instant::now());
        thread::scope(|scope| {
            for reader in 0..if is_read { READERS } else { 0 } {
                let (pages, is_over, answered) = (&pages, &is_over, &answered);
                scope.spawn(move || self.read(pages, reader, is_over, answered));
            }
            thread::sleep(time);
            is_over.store(true, Ordering::Relaxed);
        });
        let (after, passed) = (self.done(), begun.elapsed());
        sum.done.games += after.games - before.games;
        sum.done.club += after.club - before.club;
        sum.done.players += after.players.saturating_sub(before.players);
        sum.time += passed;
        sum.pages += answered.into_inner();
    }

    /// Asks for pages at the rate of one reader, whether the club is quick or not.
    fn read(&self, pages: &[String], reader: u32, is_over: &AtomicBool, answered: &AtomicU64) {
        let pause = Duration::from_secs(1) * READERS / CLUB_PAGES_A_SECOND;
        let mut next = Instant::now() + pause * reader / READERS;
        for page in pages.iter().cycle().skip(reader as usize) {
            thread::sleep(next.saturating_duration_since(Instant::now()));
            next += pause;
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            if self.get(page).starts_with("HTTP/1.1 200 ") {
                answered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}
