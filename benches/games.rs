//! The benchmark of whole games: the number of games per second, with one worker and with two.
//!
//! A measured run is a match of [`GAMES`] games between the house bots `hunter` and `random` by the rules `guide`, without
//! transcripts. It includes the schedule, the workers, fresh instances for each game, the referee and the score. Admission
//! is not included: the bots are compiled once, before the measurement.
//!
//! The absolute figures depend on the machine. The ratio between the two shows how well games scale with cores. The bots
//! must have been built: `cargo xtask bench` does so.

use arena::cli::{Cli, Command};
use arena::commands::run::RunArgs;
use arena::game::{Nobody, Table};
use arena::plan::{self, Plan};
use arena::roster::Roster;
use arena::tournament::{self, Source};
use arena_record::Seed;
use arena_rules::battleship::Battleship;
use arena_sandbox::Sandbox;
use clap::Parser;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::convert::Infallible;

/// The games of a measured run. Chosen: enough that starting the workers does not count.
const GAMES: u32 = 200;

/// The arguments of `arena run` for the match.
fn args(workers: u32) -> RunArgs {
    let bot = |name: &str| format!("{}/../bots/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
    let (hunter, random) = (bot("hunter"), bot("random"));
    let [games, jobs] = [GAMES, workers].map(|number| number.to_string());
    let words = ["arena", "run", &hunter, &random, "--games", &games, "--jobs", &jobs];
    match Cli::parse_from(words).command {
        Command::Run(args) => args,
        other => unreachable!("the arguments are those of `arena run`, not {other:?}"),
    }
}

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(GAMES.into())).sample_size(10);
    for workers in [1, 2] {
        let args = args(workers);
        let jobs = plan::jobs(args.game.jobs);
        let sandbox =
            Sandbox::new(args.game.limits.sandbox(jobs)).expect("the machine has room for a sandbox");
        let roster = Roster::admit(&sandbox, &args.bots, jobs, || {})
            .expect("the bots have been built by `cargo xtask bots`");
        let contestants = roster.contestants.as_slice();
        let plan = Plan::new(&args.game, None, sandbox.engine_hash(), contestants, Seed::from(1).into())
            .expect("the bots play one game");
        let table = Table { plan: &plan, contestants, keeps_transcripts: false };
        let (settings, schedule) =
            plan::settings(&args.tournament, contestants.len()).expect("two bots can play a match");
        group.bench_function(BenchmarkId::new("workers", workers), |bencher| {
            bencher.iter(|| {
                let (results, delivered) = tournament::play(
                    &settings,
                    schedule.clone(),
                    contestants.len(),
                    plan.jobs,
                    || false,
                    |_, fixture| {
                        let played = table.play::<Battleship>(fixture, &mut Nobody)?;
                        Ok(Source::Played(Box::new(played)))
                    },
                    |_, _, _| Ok::<_, Infallible>(()),
                );
                assert!(delivered.is_ok() && results.complete);
                results
            });
        });
    }
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
