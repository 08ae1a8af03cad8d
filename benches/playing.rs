//! The cost of the sandbox: the same bots and the same game behind the same referee, natively and as components, on one core.
//!
//! `alone` is clearing boards that were drawn before; `game` is games of a bot against itself, from fresh players to the
//! last event. `connect four` is turns of a game that is a component. A native bot is called directly, so the difference is all that a sandbox costs: instances, calls, and the
//! code of a component, which counts its fuel. All of it is on one thread, so its processor time is measured, to which other
//! work of the machine adds little.

use arena_benches::native::Native;
use arena_benches::setting::{
    BOTS, Board, RULES, connect_four, connect_four_bot, house_bot, play, rules, sandboxed, side_seeds,
};
use arena_connect_four::ConnectFour;
use arena_referee::{Event, Player, RandomPlayer};
use arena_rules::Game;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::loaded::Loaded;
use arena_sandbox::{Bot, Sandbox, SandboxLimits};
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hunter::Hunter;
use random::Random;
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::time::Duration;

/// The boards of a measured run. Chosen: enough that one which takes long does not count.
const BOARDS: u64 = 100;

/// The games of a measured run. Chosen for the same reason.
const GAMES: u64 = 50;

/// The processor time of this thread.
struct ProcessorTime;

impl Measurement for ProcessorTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("the clock is not before its start")
    }

    fn end(&self, started: Duration) -> Duration {
        self.start() - started
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, time: &Duration) -> f64 {
        time.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// A player for any game, made from the random seed of its side.
type Fresh<'a> = &'a dyn Fn(u64) -> Box<dyn Player<Battleship>>;

/// Calls a function with each kind of player of a bot.
fn kinds(name: &str, component: &Bot, mut measure: impl FnMut(&str, Fresh<'_>)) {
    match name {
        "random" => measure("native", &|_| Box::<Native<Random>>::default()),
        "hunter" => measure("native", &|_| Box::<Native<Hunter>>::default()),
        other => unreachable!("{other} is not one of the bots"),
    }
    measure("component", &|seed| Box::new(sandboxed(component, seed)));
}

/// Calls a function with each rule set and each bot.
fn settings(mut measure: impl FnMut(&str, &Ruleset, &str, &Bot)) {
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() })
        .expect("the machine has room for a sandbox");
    let bots = BOTS.map(|name| {
        sandbox.admit_file(house_bot(name)).expect("the house bots have been built by `cargo xtask bots`")
    });
    for name in RULES {
        let rules = rules(name);
        for (bot, component) in BOTS.iter().zip(&bots) {
            measure(name, &rules, bot, component);
        }
    }
}

fn solo_boards(criterion: &mut Criterion<ProcessorTime>) {
    settings(|name, rules, bot, component| {
        let boards: Vec<Board> = (0..BOARDS).map(|seed| Board::drawn(rules, seed)).collect();
        let mut group = criterion.benchmark_group(format!("alone/{name}"));
        group.throughput(Throughput::Elements(BOARDS));
        kinds(bot, component, |kind, fresh| {
            group.bench_function(BenchmarkId::new(bot, kind), |bencher| {
                bencher
                    .iter(|| boards.iter().map(|board| board.clear(&mut *fresh(board.seed()))).sum::<u32>());
            });
        });
        group.finish();
    });
}

fn game(criterion: &mut Criterion<ProcessorTime>) {
    settings(|name, rules, bot, component| {
        let mut group = criterion.benchmark_group(format!("game/{name}"));
        group.throughput(Throughput::Elements(GAMES));
        let mut events = None;
        kinds(bot, component, |kind, fresh| {
            let play_all = || {
                let games = (0..GAMES).map(|number| {
                    let [mut first, mut second] = side_seeds(number).map(fresh);
                    play(rules, number, [&mut *first, &mut *second]).len()
                });
                games.sum::<usize>()
            };
            assert_eq!(play_all(), *events.get_or_insert_with(play_all), "both kinds play the same");
            group.bench_function(BenchmarkId::new(bot, kind), |bencher| bencher.iter(play_all));
        });
        group.finish();
    });
}

/// Games of Connect Four between two players, and the number of their turns.
fn turns<G: Game>(rules: &G::Rules, fresh: impl Fn(u64) -> Box<dyn Player<G>>) -> u64 {
    let is_turn = |event: &&Event<G>| matches!(event, Event::Acted { .. });
    let games = (0..GAMES).map(|number| {
        let [mut first, mut second] = side_seeds(number).map(&fresh);
        play(rules, number, [&mut *first, &mut *second]).iter().filter(is_turn).count() as u64
    });
    games.sum()
}

/// Turns of Connect Four: natively, as a component, and with bots that are components, too. Random players of a component ask it for their
/// actions.
fn loaded_game(criterion: &mut Criterion<ProcessorTime>) {
    let new_sandbox = || Sandbox::new(SandboxLimits { workers: 2, ..SandboxLimits::default() });
    let built = "the example games have been built by `cargo xtask bots`";
    let bytes = fs::read(connect_four()).expect(built);
    let bot = new_sandbox().expect("there is room").admit_file(connect_four_bot()).expect(built);
    let native = arena_connect_four::Rules::default();
    let loaded = arena_loaded::rules(&arena_loaded::code(bytes, new_sandbox)).expect("it is a game");
    let ways: [(&str, &dyn Fn() -> u64); 3] = [
        ("native", &|| turns::<ConnectFour>(&native, |seed| Box::new(RandomPlayer::new(&native, seed)))),
        ("game", &|| turns::<Loaded>(&loaded, |seed| Box::new(RandomPlayer::new(&loaded, seed)))),
        ("game and bots", &|| turns::<Loaded>(&loaded, |seed| Box::new(sandboxed(&bot, seed)))),
    ];
    let mut group = criterion.benchmark_group("connect four");
    for (name, play_all) in ways {
        group.throughput(Throughput::Elements(play_all()));
        group.bench_function(name, |bencher| bencher.iter(play_all));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    // Chosen: the whole run takes two minutes.
    config = Criterion::default()
        .with_measurement(ProcessorTime)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = solo_boards, game, loaded_game
}
criterion_main!(benches);
