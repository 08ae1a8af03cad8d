//! The time that a unit of fuel takes: for each operator that bots may use, in the circumstances that make it slow.
//!
//! It prints nanoseconds of processor time for a unit of fuel, the operator and the circumstances: the slowest case of each
//! operator, the slowest operators first, and every case that is slower than a unit may be. The figures are the least of several runs, because a busy machine only adds to them.
//!
//! ```sh
//! cargo bench --workspace --bench fuel                 # all operators, some minutes
//! cargo bench --workspace --bench fuel -- i64.div      # every case with these words
//! ```

#![expect(clippy::disallowed_macros, reason = "it prints its figures")]

use arena_referee::{NoReply, Player};
use arena_rules::Game;
use arena_rules::battleship::{Battleship, GameInfo, Ruleset, View};
use arena_sandbox::{Bot, Sandbox, SandboxLimits, TimeLimits};
use arena_testkit::operators::{Case, cases};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::env;
use std::time::Duration;

/// The number of runs of a case. Chosen: the least of five is steady on a busy machine.
const RUNS: u32 = 5;

/// The fuel for setting up a case. Chosen: more than any needs.
const SET_UP_FUEL: u64 = 300_000_000;

/// A watchdog that no case waits for.
const WATCHDOG: TimeLimits = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };

/// The slowest unit that is allowed, in nanoseconds: what a budget in seconds takes it for.
const NANOSECONDS_MAX: f64 = 10.0;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let runs = if args.iter().any(|arg| arg == "--test") { 1 } else { RUNS };
    let words: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    let sandbox = Sandbox::new(limits).expect("a sandbox can be made");
    let is_chosen =
        |case: &Case| words.iter().all(|&word| case.operator.contains(word) || case.situation.contains(word));
    let mut measured: Vec<(f64, Case)> = cases()
        .into_iter()
        .filter(is_chosen)
        .map(|case| (nanoseconds(&sandbox, &case, runs), case))
        .collect();
    measured.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let over = measured.iter().filter(|(nanoseconds, _)| *nanoseconds > NANOSECONDS_MAX).count();
    let summary = format!("{} cases, {over} of them over {NANOSECONDS_MAX} ns a unit", measured.len());
    if words.is_empty() {
        // The slowest case of each operator.
        let mut seen = HashSet::new();
        measured.retain(|(nanoseconds, case)| {
            *nanoseconds > NANOSECONDS_MAX || seen.insert(case.operator.clone())
        });
    }
    for (nanoseconds, case) in &measured {
        println!("{nanoseconds:8.2}  {:28}  {}", case.operator, case.situation);
    }
    println!("{summary}");
}

/// The nanoseconds of a unit.
fn nanoseconds(sandbox: &Sandbox, case: &Case, runs: u32) -> f64 {
    let (operator, situation) = (&case.operator, &case.situation);
    let component = arena_testkit::component(&case.text)
        .unwrap_or_else(|error| panic!("{operator}, {situation}: {error:?}"));
    let bot = sandbox.admit(&component).unwrap_or_else(|error| panic!("{operator}, {situation}: {error}"));
    let times = (0..runs)
        .map(|_| run(&bot, case.fuel).unwrap_or_else(|why| panic!("{operator}, {situation}, {why}")));
    times.min().map_or(0.0, |time| time.as_nanos() as f64 / case.fuel as f64)
}

/// The processor time in which a fresh instance uses up its fuel in a turn.
fn run(bot: &Bot, fuel: u64) -> Result<Duration, String> {
    let mut player = bot.player::<Battleship>(1, WATCHDOG).map_err(|error| error.to_string())?;
    player.begin_turn();
    player.deploy(&game(fuel), SET_UP_FUEL).map_err(|why| format!("it cannot be set up: {why:?}"))?;
    player.begin_turn();
    let (game, view) = (game(fuel), view());
    let before = now();
    let answer = player.play(&game, &view, fuel);
    let time = now() - before;
    match answer {
        Err(NoReply::Fault(fault)) if fault.class.name() == "out-of-fuel" => Ok(time),
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
