//! Workers past one machine, on this one: a server of NATS, workers of one job, and a run that coordinates them.

use crate::child::{self, Usage, interleaved};
use crate::{Bench, MIB, SEED};
use arena_benches::setting::{REMOTE_BOTS, house_bot};
use arena_testkit::nats::{Listener, Server, server_or_skip};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

/// The games of the largest contest, at which the memory is looked at. The last look is before the end.
const LOOKS: [(&str, f64); 3] = [("10", 0.1), ("50", 0.5), ("100", 0.999)];

/// Switches of `guide` for games of some ten turns, so that a million take minutes.
const TINY: [(&str, &str); 3] = [("width", "3"), ("height", "2"), ("fleet", "[2]")];

/// The subject of the message after which nothing is counted any more.
const END: &str = "bench.end";

/// A worker, which ends with the measurement.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Bench {
    /// One local job, one worker and two workers, and what passes through the server.
    pub fn remote(&mut self) {
        let Some(server) = server_or_skip(&[]) else { return };
        for bot in REMOTE_BOTS {
            let games = self.games_of_some_seconds(bot);
            let usages = interleaved(self.rounds(), 3, |workers| self.contest(&server, bot, games, workers));
            for (workers, usage) in usages.iter().enumerate() {
                let rate = f64::from(games) / (usage.last_line - usage.first_line).as_secs_f64();
                self.keep(&format!("remote/{bot}/{workers}/games a second"), rate);
            }
            self.traffic(&server, bot, games / 2);
        }
    }

    /// A number of games that takes one job some seconds, so that the first, small batches matter little. Chosen.
    fn games_of_some_seconds(&self, bot: &str) -> u32 {
        match (self.is_quick, bot) {
            (true, _) => 100,
            (false, "density") => 10_000,
            (false, "posterior") => 400,
            (false, _) => 40_000,
        }
    }

    /// A contest with a journal: of this number of workers, or of one job here.
    fn contest(&self, server: &Server, bot: &str, games: u32, workers: usize) -> Usage {
        let journal = self.new_file(games);
        let place = match workers {
            0 => String::new(),
            _ => format!("--workers {}", server.url()),
        };
        let _workers: Vec<Worker> = (0..workers).map(|number| self.worker(server, number)).collect();
        let usage =
            self.run_warm(&[bot, bot], &format!("--games {games} --jobs 1 --journal {journal} {place}"));
        fs::remove_file(&journal).expect("the run has made a journal");
        usage
    }

    fn worker(&self, server: &Server, number: usize) -> Worker {
        let cache = self.folder.path().join("cache");
        let mut command = Command::new(&self.program);
        command.args(["worker", &server.url(), "--jobs", "1", "--name", &format!("worker-{number}")]);
        command.arg("--cache").arg(cache).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().expect("the program starts"))
    }

    /// The bytes and messages that pass through the server for a game.
    fn traffic(&mut self, server: &Server, bot: &str, games: u32) {
        // Answers to requests, which are batches and the results that the server delivers; and results as they come to it.
        let subjects = ["_INBOX.>", "arena.arena.results"];
        let counts = subjects.map(|subject| count(server.listen(&[subject, END])));
        self.contest(server, bot, games, 1);
        server.publish(END, b"");
        let [answers, results] = counts.map(|counted| counted.join().expect("it counts"));
        let batches = (answers.0.saturating_sub(results.0), answers.1.saturating_sub(results.1));
        for (name, (messages, bytes)) in [("batches", batches), ("results", results)] {
            self.keep(&format!("remote/{bot}/{name}/messages a game"), messages as f64 / f64::from(games));
            self.keep(&format!("remote/{bot}/{name}/bytes a game"), bytes as f64 / f64::from(games));
        }
    }

    /// The memory of each side during a contest of very many short games.
    pub fn million(&mut self) {
        let Some(server) = server_or_skip(&[]) else { return };
        let games: u32 = if self.is_quick { 20_000 } else { 1_000_000 };
        let rules = self.folder.path().join("tiny.toml");
        fs::write(&rules, tiny(&self.program)).expect("it can be written");
        let workers = [0, 1].map(|number| self.worker(&server, number));
        let journal = self.new_file(games);
        let mut args: Vec<OsString> = vec!["run".into()];
        args.extend([house_bot("random"), house_bot("random"), "--rules".into(), rules].map(OsString::from));
        let words = format!("--games {games} --jobs 1 --journal {journal} --workers {}", server.url());
        args.extend(["--seed", SEED].into_iter().chain(words.split_whitespace()).map(OsString::from));
        args.extend(["--cache".into(), self.folder.path().join("cache").into()]);
        let mut command = Command::new(&self.program);
        command.args(&args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut run = command.spawn().expect("the program starts");
        let mut lines = BufReader::new(run.stdout.take().expect("its output is a pipe")).lines();
        let mut read = 0;
        for (name, share) in LOOKS {
            let wanted = (f64::from(games) * share) as u64;
            read += lines.by_ref().take((wanted - read) as usize).filter(Result::is_ok).count() as u64;
            assert_eq!(read, wanted, "the contest has ended early");
            let sides = [("coordinator", run.id()), ("worker", workers[0].0.id()), ("server", server.id())];
            for (side, id) in sides {
                let mebibytes = child::memory_bytes_peak(id) as f64 / MIB;
                self.keep(&format!("remote/million/{name}/{side}/MiB"), mebibytes);
            }
        }
        lines.for_each(drop);
        assert!(run.wait().expect("it is a child").success(), "arena {args:?}");
        fs::remove_file(&journal).expect("the run has made a journal");
        self.keep("remote/million/games", f64::from(games));
    }
}

/// Counts messages and their bytes up to [`END`].
fn count(mut listener: Listener) -> JoinHandle<(u64, u64)> {
    thread::spawn(move || {
        let (mut messages, mut bytes) = (0, 0);
        while let Some((_, body)) = listener.hear().filter(|(subject, _)| subject != END) {
            messages += 1;
            bytes += body.len() as u64;
        }
        (messages, bytes)
    })
}

/// The rules `guide` with [`TINY`].
fn tiny(program: &std::path::Path) -> String {
    let output = Command::new(program).args(["rules", "show", "guide"]).output().expect("the program starts");
    let rules = String::from_utf8(output.stdout).expect("it prints text");
    let line = |line: &str| match TINY.iter().find(|(key, _)| line.starts_with(&format!("{key} = "))) {
        Some((key, value)) => format!("{key} = {value}\n"),
        None => format!("{line}\n"),
    };
    rules.lines().map(line).collect()
}
