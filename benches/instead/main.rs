//! Matches of ten games by the arena and by the alternatives: a process for each bot, and a first attempt at a host for
//! components.
//!
//! The referee is the same for all, and so are the bots, except for the code at their boundary.

#[path = "../bare_host.rs"]
mod bare_host;
mod nested;
mod process;

use arena_benches::setting::{BOTS, house_bot, play, rules, sandboxed, side_seeds};
use arena_referee::Player;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_sandbox::{CacheOptions, CompileOptions, Compiler, Sandbox, SandboxLimits};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use nested::NestedBot;
use process::ProcessPlayer;
use std::env;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// The games of a match, as `arena run` has them.
const GAMES: u64 = 10;

/// Plays a match of a bot against itself, with fresh players for each game.
fn play_match<P: Player<Battleship>>(rules: &Ruleset, mut fresh: impl FnMut(u64) -> P) -> usize {
    let games = (0..GAMES).map(|number| {
        let [mut first, mut second] = side_seeds(number).map(&mut fresh);
        play(rules, number, [&mut first, &mut second]).len()
    });
    games.sum()
}

fn matches(criterion: &mut Criterion) {
    let rules = rules("guide");
    for name in BOTS {
        let mut group = criterion.benchmark_group(format!("instead/{name}"));
        group.throughput(Throughput::Elements(GAMES));

        let folder = TempDir::new().expect("a temporary folder");
        let sandbox = || {
            let compiler = Compiler::this_program().expect("the system says which file this program is");
            let cache = Some(CacheOptions::at(folder.path()));
            let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
            Sandbox::with_compiling(limits, CompileOptions { compiler, cache })
                .expect("the machine has room for a sandbox")
        };
        let admit = |sandbox: &Sandbox| {
            sandbox.admit_file(house_bot(name)).expect("the house bots have been built by `cargo xtask bots`")
        };
        let bot = admit(&sandbox());
        let by_arena = || play_match(&rules, |seed| sandboxed(&bot, seed));
        let events = by_arena();
        let mut measure = |way: &str, play: &dyn Fn() -> usize| {
            assert_eq!(play(), events, "{way}: the same bots play the same games");
            group.bench_function(BenchmarkId::from_parameter(way), |bencher| bencher.iter(play));
        };
        measure("arena", &by_arena);
        measure("arena, loaded for each match", &|| {
            let bot = admit(&sandbox());
            play_match(&rules, |seed| sandboxed(&bot, seed))
        });
        let program = built(&format!("process-{name}"));
        measure("processes", &|| play_match(&rules, |_| ProcessPlayer::start(&program)));
        let component = built("../guest/wasm32-wasip2/release/examples").join(format!("nested_{name}.wasm"));
        let loaded = NestedBot::load(&component);
        measure("nested lists", &|| play_match(&rules, |_| loaded.player()));
        measure("nested lists, compiled for each match", &|| {
            let loaded = NestedBot::load(&component);
            play_match(&rules, |_| loaded.player())
        });
        group.finish();
    }
}

/// A path relative to the folder of built programs.
fn built(name: &str) -> PathBuf {
    let this = env::current_exe().expect("the system says which file this program is");
    // Cargo builds benchmarks into the folder `deps` in it.
    let path = this.ancestors().nth(2).expect("this program is in a target directory").join(name);
    assert!(path.exists(), "{} is missing: run `cargo xtask bench -- instead`", path.display());
    path
}

criterion_group! {
    name = benches;
    // Chosen: the whole run takes a minute, because a match with a compilation takes a third of a second.
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4));
    targets = matches
}

// The benchmark is the compiler of its own sandbox, so its `main` begins as the program's does.
fn main() {
    arena_sandbox::compiler_main_if_asked();
    benches();
    Criterion::default().configure_from_args().final_summary();
}
