//! Whole games per second: `hunter` against `random` by the rules of `guide`, with one worker and with two.
//!
//! The figures of a machine are its own; the ratio of the two is what to look at. The bots must be built before, which
//! `cargo xtask bench` sees to.

use arena::cli::{Cli, Command};
use arena::game::Table;
use arena::plan::{self, Plan};
use arena::roster::Roster;
use arena::tournament::{self, Source};
use arena_sandbox::Sandbox;
use clap::Parser;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::convert::Infallible;

/// Games in a measured run. Chosen: enough that starting the workers does not count.
const GAMES: u32 = 200;

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(GAMES.into())).sample_size(10);
    for workers in [1, 2] {
        let bot = |name: &str| format!("{}/../bots/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
        let (hunter, random) = (bot("hunter"), bot("random"));
        let [games, jobs] = [GAMES, workers].map(|number| number.to_string());
        let words = ["arena", "run", &hunter, &random, "--games", &games, "--jobs", &jobs];
        let Command::Run(args) = Cli::parse_from(words).command else {
            unreachable!("these words are a run")
        };
        let plan = Plan::new(&args.game).expect("the plan is sound");
        let sandbox = Sandbox::new(plan.sandbox_limits.clone()).expect("the machine has room for a sandbox");
        let roster = Roster::admit(&sandbox, &args.bots, plan.jobs, || {})
            .expect("`cargo xtask bots` has built the bots");
        let engine = sandbox.engine_hash();
        let table = Table { plan: &plan, engine: &engine, contestants: &roster.contestants };
        let (course, schedule) = plan::course(&args.course, 2).expect("it can be scheduled");
        group.bench_function(BenchmarkId::new("workers", workers), |bencher| {
            bencher.iter(|| {
                let (results, told) = tournament::play(
                    &course,
                    schedule.clone(),
                    2,
                    plan.jobs,
                    || false,
                    |_, fixture| table.play(fixture).map(|played| Source::Played(Box::new(played))),
                    |_, _, _| Ok::<_, Infallible>(()),
                );
                assert!(told.is_ok() && results.complete);
                results
            });
        });
    }
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
