//! The built program as users run it: workers, the journal, its start, many games and many bots, a club with
//! readers, and a game that is a component.
//!
//! These are child processes of seconds, so they are not measured by criterion. Compared runs are interleaved, several
//! times, and the medians are kept. The results are written next to those of criterion.
//!
//! ```sh
//! cargo xtask bench                                       # everything
//! cargo bench --profile dist --workspace --bench program                 # all of this
//! cargo bench --profile dist --workspace --bench program -- workers      # those with this name
//! cargo bench --profile dist --workspace --bench program -- --quick      # with fewer games
//! ```

mod child;
mod club;
mod remote;
mod threads;

use arena_benches::results::{self, Values};
use arena_benches::setting::{BOTS, THINKING_BOT, connect_four, connect_four_bot, house_bot};
use child::{Usage, interleaved};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::slice;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The random seed of all runs. It is large enough to need no note.
const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// The bytes in a binary mebibyte.
const MIB: f64 = 1_048_576.0;

/// A part of this benchmark.
type Measure = fn(&mut Bench);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if threads::played(&args) {
        return;
    }
    let words: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let mut bench = Bench::new(args.iter().any(|arg| arg == "--quick"));
    let parts: [(&str, Measure); 9] = [
        ("workers", Bench::workers),
        ("journal", Bench::journal),
        ("start", Bench::start),
        ("games", Bench::games),
        ("bots", Bench::bots),
        ("remote", Bench::remote),
        ("million", Bench::million),
        ("club", Bench::club),
        ("loaded", Bench::loaded),
    ];
    for (name, measure) in parts {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            measure(&mut bench);
        }
    }
    let file = results::add(&bench.values).expect("the results can be written");
    println!("written to {}", file.display());
}

/// The measurements so far, and what they need.
struct Bench {
    program: PathBuf,
    /// Everything that a run writes. It is in the target directory, because the folder for temporary files may be in memory.
    folder: TempDir,
    is_quick: bool,
    values: Values,
}

impl Bench {
    fn new(is_quick: bool) -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder in the target directory");
        Self { program: child::program(), folder, is_quick, values: Values::default() }
    }

    /// Runs `arena run` with bots and these arguments, and a folder of compiled bots.
    fn run(&self, bots: &[PathBuf], words: &str, cache: &str) -> Usage {
        let mut args: Vec<OsString> = vec!["run".into()];
        args.extend(bots.iter().map(OsString::from));
        args.extend(["--seed", SEED].into_iter().chain(words.split_whitespace()).map(OsString::from));
        child::run(&self.program, &self.folder.path().join(cache), &args)
    }

    /// Runs a tournament of house bots that are compiled already.
    fn run_warm(&self, names: &[&str], words: &str) -> Usage {
        let bots: Vec<PathBuf> = names.iter().map(|name| house_bot(name)).collect();
        self.run(&bots, words, "cache")
    }

    /// The path of a new file in the folder.
    fn new_file(&self, number: u32) -> String {
        self.folder.path().join(format!("{number}.db")).display().to_string()
    }

    fn keep(&mut self, name: &str, value: f64) {
        println!("{name}: {value:.6}");
        self.values.insert(name.to_owned(), value);
    }

    fn keep_seconds(&mut self, name: &str, time: Duration) {
        self.keep(&format!("{name}/seconds"), time.as_secs_f64());
    }

    /// A bot against itself with one worker, with two, and with one for each core: processes of the program, or threads.
    fn workers(&mut self) {
        let cores = thread::available_parallelism().map_or(1, usize::from).to_string();
        let numbers = [("1", "1"), ("2", "2"), ("all", &cores)];
        let this = std::env::current_exe().expect("the system says which file this program is");
        let cache = self.folder.path().join("cache");
        let places = ["workers", "threads"];
        let ways: Vec<_> =
            numbers.iter().flat_map(|number| places.iter().map(move |place| (number, place))).collect();
        for bot in BOTS.into_iter().chain([THINKING_BOT]) {
            // Its start must not affect a rate.
            let games = match bot {
                THINKING_BOT => self.games_of_a_second() / 10,
                _ => 3 * self.games_of_a_second(),
            };
            self.run_warm(&[bot, bot], "--games 2");
            let usages = interleaved(self.rounds(), ways.len(), |way| {
                let ((_, number), place) = ways[way];
                match *place {
                    "threads" => child::run(&this, &cache, &threads::args(bot, games, number)),
                    _ => self.run_warm(&[bot, bot], &format!("--games {games} --jobs {number}")),
                }
            });
            for (((number, _), place), usage) in ways.iter().zip(usages) {
                let rate = f64::from(games) / usage.time.as_secs_f64();
                self.keep(&format!("{place}/{bot}/{number}/games a second"), rate);
            }
        }
    }

    /// The same tournament with a journal and without.
    fn journal(&mut self) {
        for bot in BOTS {
            let games = 2 * self.games_of_a_second();
            let journal = self.new_file(games);
            let usages = interleaved(self.rounds(), 2, |way| {
                if way == 0 {
                    return self.run_warm(&[bot, bot], &format!("--games {games}"));
                }
                let usage = self.run_warm(&[bot, bot], &format!("--games {games} --journal {journal}"));
                fs::remove_file(&journal).expect("the run has made a journal");
                usage
            });
            for (name, usage) in ["off", "on"].into_iter().zip(usages) {
                self.keep_seconds(&format!("journal/{bot}/{name}"), usage.time);
                self.keep_seconds(&format!("journal/{bot}/{name}/processor"), usage.processor);
            }
        }
    }

    /// The start of the program with four bots, cold and warm, to the line of its first game.
    fn start(&mut self) {
        let fourth = self.folder.path().join("fourth.wasm");
        fs::write(&fourth, variant(4)).expect("it can be written");
        let bots = [house_bot("hunter"), house_bot("random"), house_bot("sweeper"), fourth];
        let run = || self.run(&bots, "--games 1", "cache of four");
        let cold = run();
        let warm = interleaved(4 * self.rounds(), 1, |_| run());
        self.keep_seconds("start/cold", cold.first_line);
        self.keep_seconds("start/warm", warm[0].first_line);
    }

    /// Tournaments of more and more games, with a journal.
    fn games(&mut self) {
        let most = if self.is_quick { 2_000 } else { 100_000 };
        for (name, games) in [("few", 10), ("some", 1_000), ("many", most)] {
            let file = self.new_file(games);
            let usage = self.run_warm(&["random", "random"], &format!("--games {games} --journal {file}"));
            fs::remove_file(file).expect("the run has made a journal");
            self.keep(&format!("games/{name}/count"), f64::from(games));
            self.keep_usage(&format!("games/{name}"), usage);
        }
    }

    /// Folders of more and more bots that have never been seen, and the same again.
    fn bots(&mut self) {
        let most = if self.is_quick { 60 } else { 300 };
        for (name, bots) in [("few", 3), ("some", 30), ("many", most)] {
            let folder = self.folder.path().join(format!("{bots} bots"));
            fs::create_dir(&folder).expect("a new folder");
            for number in 0_u32..bots {
                let file = folder.join(format!("{number:03}.wasm"));
                fs::write(file, variant(number)).expect("it can be written");
            }
            let cache = format!("cache of {bots}");
            // Each plays one match, so that nearly all of the time is admission.
            let words = "--format swiss --rounds 1 --games 2";
            let [cold, warm] = [(); 2].map(|()| self.run(slice::from_ref(&folder), words, &cache));
            let entries = fs::read_dir(self.folder.path().join(cache)).expect("a cache");
            let is_compiled =
                |entry: &fs::DirEntry| entry.path().extension().is_some_and(|it| it == "artifact");
            let compiled = entries.filter_map(Result::ok).filter(is_compiled).count();
            self.keep(&format!("bots/{name}/count"), f64::from(bots));
            self.keep(&format!("bots/{name}/compiled"), compiled as f64);
            self.keep_usage(&format!("bots/{name}/cold"), cold);
            self.keep_usage(&format!("bots/{name}/warm"), warm);
        }
    }

    /// Connect Four as a component, between two quick bots with one worker.
    fn loaded(&mut self) {
        let bots = [connect_four_bot(), connect_four_bot()];
        let game = connect_four();
        let run = |games: u32| {
            self.run(&bots, &format!("--game {} --games {games} --jobs 1", game.display()), "cache")
        };
        // Its start must not affect the rate.
        run(2);
        let games = self.games_of_a_second();
        let usage = interleaved(self.rounds(), 1, |_| run(games))[0];
        self.keep("loaded/games a second", f64::from(games) / usage.time.as_secs_f64());
    }

    /// A number of games that takes a second or more. Chosen.
    fn games_of_a_second(&self) -> u32 {
        if self.is_quick { 100 } else { 10_000 }
    }

    /// The number of runs of each compared alternative. Chosen: the median of five is steady.
    fn rounds(&self) -> usize {
        if self.is_quick { 1 } else { 5 }
    }

    fn keep_usage(&mut self, name: &str, usage: Usage) {
        self.keep_seconds(name, usage.time);
        self.keep_seconds(&format!("{name}/processor"), usage.processor);
        self.keep(&format!("{name}/MiB"), usage.memory_bytes_peak as f64 / MIB);
    }
}

/// A component like `random` and not the same: it has a custom section with a number, which changes nothing that it does.
fn variant(number: u32) -> Vec<u8> {
    let mut component = fs::read(house_bot("random")).expect("the house bots have been built");
    // The section's kind, the number of bytes that follow, the length of its name, and its name.
    component.extend([0, 6, 1, b'n']);
    component.extend(number.to_le_bytes());
    component
}
