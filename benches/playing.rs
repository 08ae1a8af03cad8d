//! The cost of the sandbox: the same bots and the same game behind the same referee, natively and as components, on one core.
//!
//! `alone` is clearing boards that were drawn before; `game` is games of a bot against itself, from fresh players to the
//! last event. `connect four` is turns of a game that is a component, and `any game` those of the one whose file [`GAME`] names. A native bot
//! is called directly, so the difference is all that a sandbox costs: instances, calls, and the code of a component, which counts its
//! fuel. All of it is on one thread, so its processor time is measured, to which other work of the machine adds little.

mod one_ahead;

use arena_benches::native::Native;
use arena_benches::setting::{
    BOTS, Board, CONNECT_FOUR_BOARDS, RULES, connect_four, connect_four_bot, house_bot, on_enough_stack,
    play, rules, sandboxed, side_seeds,
};
use arena_connect_four::ConnectFour;
use arena_referee::{Event, Player, RandomPlayer};
use arena_rules::Game;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::loaded::{self, Loaded};
use arena_sandbox::{Bot, Sandbox, SandboxLimits};
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use hunter::Hunter;
use one_ahead::OneAhead;
use random::Random;
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

/// The boards of a measured run. Chosen: enough that one which takes long does not count.
const BOARDS: u64 = 100;

/// The games of a measured run. Chosen for the same reason.
const GAMES: u64 = 50;

/// The variables that name the file of a game to measure, and that of a bot for it.
const GAME: &str = "ARENA_BENCH_GAME";
const BOT: &str = "ARENA_BENCH_BOT";

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

/// Games between two players, and the number of their turns.
fn turns<G: Game>(rules: &G::Rules, fresh: impl Fn(u64) -> Box<dyn Player<G>>) -> u64 {
    let is_turn = |event: &&Event<G>| matches!(event, Event::Acted { .. });
    let games = (0..GAMES).map(|number| {
        let [mut first, mut second] = side_seeds(number).map(&fresh);
        play(rules, number, [&mut *first, &mut *second]).iter().filter(is_turn).count() as u64
    });
    games.sum()
}

/// A game that is a component, and a bot for it.
fn loaded(game: &Path, bot: &Path) -> (loaded::Rules, Bot) {
    let new_sandbox = || Sandbox::new(SandboxLimits { workers: 2, ..SandboxLimits::default() });
    let bytes = fs::read(game).expect("the example games have been built by `cargo xtask bots`");
    let bot = new_sandbox().expect("there is room").admit_file(bot).expect("it is a bot");
    (arena_loaded::rules(&arena_loaded::code(bytes, new_sandbox)).expect("it is a game"), bot)
}

/// A way to play games; it returns the number of their turns.
type Way<'a> = (&'a str, &'a dyn Fn() -> u64);

fn measure_turns(criterion: &mut Criterion<ProcessorTime>, name: &str, ways: &[Way<'_>]) {
    let mut group = criterion.benchmark_group(name);
    for (way, play_all) in ways {
        group.throughput(Throughput::Elements(play_all()));
        group.bench_function(*way, |bencher| bencher.iter(play_all));
    }
    group.finish();
}

/// Turns of Connect Four, natively and as a component: between random players, of which those of a component ask it for their actions, and
/// between two copies of a bot.
fn loaded_game(criterion: &mut Criterion<ProcessorTime>) {
    let (rules, bot) = loaded(&connect_four(), &connect_four_bot());
    for (name, [columns, rows]) in CONNECT_FOUR_BOARDS {
        let native = arena_connect_four::Rules { columns, rows, ..Default::default() };
        let rules = rules.clone().with("columns", columns.into()).with("rows", rows.into());
        let bots: [&dyn Fn() -> u64; 2] =
            [&|| turns::<ConnectFour>(&native, |_| Box::new(OneAhead)), &|| {
                turns::<Loaded>(&rules, |seed| Box::new(sandboxed(&bot, seed)))
            }];
        assert_eq!(bots[0](), bots[1](), "both play the same");
        let ways: [Way<'_>; 4] = [
            ("native", &|| turns::<ConnectFour>(&native, |seed| Box::new(RandomPlayer::new(&native, seed)))),
            ("game", &|| turns::<Loaded>(&rules, |seed| Box::new(RandomPlayer::new(&rules, seed)))),
            ("native bots", bots[0]),
            ("game and bots", bots[1]),
        ];
        measure_turns(criterion, name, &ways);
    }
}

/// Turns of the game and the bot that the environment names.
fn any_game(criterion: &mut Criterion<ProcessorTime>) {
    let [Some(game), Some(bot)] = [GAME, BOT].map(|name| env::var_os(name).map(PathBuf::from)) else {
        return;
    };
    let (rules, bot) = loaded(&game, &bot);
    let ways: [Way<'_>; 2] = [
        ("game", &|| turns::<Loaded>(&rules, |seed| Box::new(RandomPlayer::new(&rules, seed)))),
        ("game and bots", &|| turns::<Loaded>(&rules, |seed| Box::new(sandboxed(&bot, seed)))),
    ];
    measure_turns(criterion, "any game", &ways);
}

criterion_group! {
    name = benches;
    // Chosen: the whole run takes two minutes.
    config = Criterion::default()
        .with_measurement(ProcessorTime)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = solo_boards, game, loaded_game, any_game
}

fn main() {
    on_enough_stack(benches);
    Criterion::default().configure_from_args().final_summary();
}
