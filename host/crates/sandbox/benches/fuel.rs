//! The time that a unit of fuel takes: for each operator that bots may use, in the circumstances that make it slow.
//!
//! It prints nanoseconds of processor time for a unit of fuel, the operator and the circumstances: the slowest case of each
//! operator, the slowest operators first, and every case that is slower than a unit may be. Then come whole calls, for the time that fuel does
//! not cover, in milliseconds. The figures are the least of several runs, because a busy machine only adds to them.
//!
//! ```sh
//! cargo bench --profile dist --workspace --bench fuel                 # all operators, some minutes
//! cargo bench --profile dist --workspace --bench fuel -- i64.div      # every case with these words
//! cargo bench --profile dist --workspace --bench fuel -- worst-unit   # all of it, and a search of combinations for the slowest: `cargo xtask bench -- worst-unit`
//! cargo bench --profile dist --workspace --bench fuel -- slow.wat     # a bot in a file, such as the search writes
//! ```

#![expect(clippy::disallowed_macros, reason = "it prints its figures")]

use arena_referee::{NoReply, Player};
use arena_rules::Game;
use arena_rules::battleship::{Battleship, GameInfo, Ruleset, View};
use arena_sandbox::{Bot, STACK_BYTES, Sandbox, SandboxLimits, TimeLimits};
use arena_testkit::operators::{Case, Chance, Measured, Shape, cases};
use rustix::time::{ClockId, clock_gettime};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

/// The number of runs of a case. Chosen: the least of five is steady on a busy machine.
const RUNS: u32 = 5;

/// The word for a search, and the name of its results.
const WORST_UNIT: &str = "worst-unit";
const WORST_CALL: &str = "worst-call";

/// The fuel of a bot in a file. Chosen: a tenth of a turn.
const FILE_FUEL: u64 = 30_000_000;

/// The fuel for setting up a case. Chosen: more than any needs.
const SET_UP_FUEL: u64 = 300_000_000;

/// A watchdog that no case waits for.
const WATCHDOG: TimeLimits = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };

/// The slowest unit that is allowed, in nanoseconds: what a budget in seconds takes it for.
const NANOSECONDS_MAX: f64 = 10.0;

/// The seed of the search. Chosen: the first.
const SEED: u64 = 1;

/// The shapes that a search tries, and those that it changes further. Chosen: a search takes some minutes.
const SHAPES: usize = 400;
const KEPT: usize = 8;

/// The slowest cases that are shown and written by a search.
const WORST: usize = 10;

/// Nanoseconds, and what took them.
type Measurement = (f64, Case);

fn main() {
    // On a thread with less stack, each call would start one of its own, and this one would use no processor time for it.
    arena_resources::on_stack("bench", STACK_BYTES, measure).expect("there is room");
}

fn measure() {
    let args: Vec<String> = env::args().skip(1).collect();
    let runs = if args.iter().any(|arg| arg == "--test") { 1 } else { RUNS };
    let (files, words): (Vec<&String>, Vec<&String>) =
        args.iter().filter(|arg| !arg.starts_with("--")).partition(|word| word.ends_with(".wat"));
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    let sandbox = Sandbox::new(limits).expect("a sandbox can be made");
    if !files.is_empty() {
        return files.into_iter().for_each(|file| show(&measured(&sandbox, of_file(file), runs)));
    }
    let searches = words.iter().any(|word| *word == WORST_UNIT);
    let is_chosen = |case: &Case| {
        searches || words.iter().all(|&word| case.operator.contains(word) || case.situation.contains(word))
    };
    let chosen = cases().into_iter().filter(is_chosen);
    let measured = chosen.map(|case| measured(&sandbox, case, runs));
    let (mut all, mut calls): (Vec<Measurement>, Vec<Measurement>) =
        measured.partition(|(_, case)| case.measured == Measured::Unit);
    if searches {
        all.extend(search(&sandbox, runs));
    }
    sort(&mut all);
    sort(&mut calls);
    let over = all.iter().filter(|(nanoseconds, _)| *nanoseconds > NANOSECONDS_MAX).count();
    let summary = format!("{} cases, {over} of them over {NANOSECONDS_MAX} ns a unit", all.len());
    if words.is_empty() || searches {
        // The slowest case of each operator.
        let mut seen = HashSet::new();
        all.retain(|(nanoseconds, case)| {
            *nanoseconds > NANOSECONDS_MAX || seen.insert(case.operator.clone())
        });
    }
    if searches {
        all.truncate(WORST);
        write(&all, &calls);
    }
    all.iter().chain(&calls).for_each(show);
    println!("{summary}");
}

/// A bot in a file, for [`arena_testkit::component`].
fn of_file(file: &str) -> Case {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    Case {
        operator: file.to_owned(),
        situation: String::new(),
        text,
        fuel: FILE_FUEL,
        measured: Measured::Unit,
    }
}

fn show((nanoseconds, case): &Measurement) {
    let time = match case.measured {
        Measured::Unit => format!("{nanoseconds:8.2}   "),
        Measured::Turn | Measured::Start => format!("{:8.3} ms", nanoseconds / 1e6),
    };
    println!("{time}  {:28}  {}", case.operator, case.situation);
}

fn measured(sandbox: &Sandbox, case: Case, runs: u32) -> Measurement {
    (nanoseconds(sandbox, &case, runs), case)
}

fn sort<T>(all: &mut [(f64, T)]) {
    all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
}

/// Draws shapes at random, and changes the slowest ones further. Returns the slowest.
fn search(sandbox: &Sandbox, runs: u32) -> Vec<Measurement> {
    let mut chance = Chance(SEED);
    let mut kept: Vec<(f64, Shape)> = Vec::new();
    for number in 0..SHAPES {
        // Every other one is new, until half of them are tried.
        let shape = if kept.len() < KEPT || (number < SHAPES / 2 && number % 2 == 0) {
            Shape::drawn(&mut chance)
        } else {
            kept[chance.below(KEPT as u64) as usize].1.changed(&mut chance)
        };
        kept.push((nanoseconds(sandbox, &shape.case(), 1), shape));
        sort(&mut kept);
        kept.truncate(KEPT);
    }
    // A run that others have slowed down is not among the slowest once it is repeated.
    let mut all: Vec<Measurement> =
        kept.into_iter().map(|(_, shape)| measured(sandbox, shape.case(), runs)).collect();
    sort(&mut all);
    all
}

/// Writes the slowest cases, so that each can be measured again, and their figures and those of whole calls for the tables of `BENCHMARKS.md`.
fn write(worst: &[Measurement], calls: &[Measurement]) {
    let Some(folder) = env::var_os("CRITERION_HOME").map(PathBuf::from) else { return };
    let texts = folder.join(WORST_UNIT);
    fs::create_dir_all(&texts).expect("the folder of results can be written to");
    let mut figures = BTreeMap::new();
    for (number, (nanoseconds, case)) in (1..).zip(worst) {
        let file = texts.join(format!("{number}.wat"));
        fs::write(&file, &case.text).expect("the folder of results can be written to");
        let words = [case.operator.as_str(), case.situation.as_str()].join(", ");
        figures.insert(format!("{WORST_UNIT}/{}", words.trim_end_matches(", ")), nanoseconds);
    }
    for (nanoseconds, case) in calls {
        figures.insert(format!("{WORST_CALL}/{} {}", case.operator, case.situation), nanoseconds);
    }
    let figures = serde_json::to_vec_pretty(&figures).expect("figures are plain data");
    fs::write(folder.join(WORST_UNIT).with_extension("json"), figures)
        .expect("the folder of results can be written to");
    println!(
        "each of these is a file in {}, for `cargo bench --profile dist --workspace --bench fuel -- FILE.wat`",
        texts.display()
    );
}

/// The nanoseconds of a unit, or of a call.
fn nanoseconds(sandbox: &Sandbox, case: &Case, runs: u32) -> f64 {
    let (operator, situation) = (&case.operator, &case.situation);
    let component = arena_testkit::component(&case.text)
        .unwrap_or_else(|error| panic!("{operator}, {situation}: {error:?}"));
    let bot = sandbox.admit(&component).unwrap_or_else(|error| panic!("{operator}, {situation}: {error}"));
    let times =
        (0..runs).map(|_| run(&bot, case).unwrap_or_else(|why| panic!("{operator}, {situation}, {why}")));
    let nanoseconds = times.min().map_or(0.0, |time| time.as_nanos() as f64);
    if case.measured == Measured::Unit { nanoseconds / case.fuel as f64 } else { nanoseconds }
}

/// The processor time in which a fresh instance uses up its fuel in a turn; or that of another turn, or of its first call, until all of it
/// is gone.
fn run(bot: &Bot, case: &Case) -> Result<Duration, String> {
    let fuel = case.fuel;
    let mut player = bot.player::<Battleship>(1, WATCHDOG).map_err(|error| error.to_string())?;
    player.begin_turn();
    let before = now();
    player.deploy(&game(fuel), SET_UP_FUEL).map_err(|why| format!("it cannot be set up: {why:?}"))?;
    if case.measured == Measured::Start {
        drop(player);
        return Ok(now() - before);
    }
    player.begin_turn();
    let (game, view) = (game(fuel), view());
    let before = now();
    let answer = player.play(&game, &view, fuel);
    let time = now() - before;
    let uses_up_its_fuel = case.measured == Measured::Unit;
    match answer {
        Err(NoReply::Fault(fault)) if (fault.class.name() == "out-of-fuel") == uses_up_its_fuel => Ok(time),
        Ok(_) if !uses_up_its_fuel => Ok(time),
        other => Err(format!("it ended: {other:?}")),
    }
}

fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("the clock does not run backwards")
}

fn game(fuel: u64) -> GameInfo {
    Battleship::info(&Ruleset::guide(), fuel, 7)
}

fn view() -> View {
    View::first(Ruleset::guide().size(), None)
}
