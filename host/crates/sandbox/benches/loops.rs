//! The time of a unit of fuel in loops as bots have them. The cost of instances and calls is measured in `benches/steps.rs`.

use arena_referee::Player;
use arena_rules::Game;
use arena_rules::battleship::{Battleship, GameInfo, Ruleset, View};
use arena_sandbox::{Bot, STACK_BYTES, Sandbox, SandboxLimits, SandboxedPlayer, TimeLimits};
use criterion::{Criterion, Throughput, criterion_group};
use std::time::Duration;

/// A turn's budget. Chosen: more than any of these needs.
const FUEL: u64 = 300_000_000;

/// A loop as in a search: a pseudo-random number, a load, an addition and a store in each round.
const HOT_LOOP: &str = r#"
    (func $play (param $args i32) (result i32)
        (local $x i64) (local $at i32)
        (local.set $x (i64.const 0x2545F4914F6CDD1D))
        (loop $again
            (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
            (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
            (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
            (local.set $at (i32.add
                (i32.const 8192) (i32.and (i32.wrap_i64 (local.get $x)) (i32.const 0x3ffc))))
            (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
            (br $again))
        (unreachable))"#;

/// A loop of divisions, the slowest of the arithmetic.
const DIVISIONS: &str = r#"
    (func $play (param $args i32) (result i32)
        (local $x i64)
        (loop $again
            (local.set $x (i64.div_u (i64.const -1) (i64.or (local.get $x) (i64.const 3))))
            (br $again))
        (unreachable))"#;

/// The fuel of one run of a loop. Chosen: enough that the first touch of each page does not count.
const LOOP_FUEL: u64 = 50_000_000;

fn sandbox() -> Sandbox {
    Sandbox::new(SandboxLimits { workers: 2, ..SandboxLimits::default() }).expect("a sandbox can be made")
}

fn admit(sandbox: &Sandbox, bytes: &[u8]) -> Bot {
    sandbox.admit(bytes).expect("it is a bot")
}

fn player(bot: &Bot) -> SandboxedPlayer<Battleship> {
    bot.player(1, TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) })
        .expect("it plays Battleship")
}

fn game() -> GameInfo {
    Battleship::info(&Ruleset::guide(), FUEL, 7)
}

fn view() -> View {
    View::first(Ruleset::guide().size(), None)
}

fn fuel(c: &mut Criterion) {
    let sandbox = sandbox();
    let (game, view) = (game(), view());
    let mut group = c.benchmark_group("fuel");
    group.throughput(Throughput::Elements(LOOP_FUEL)).sample_size(20);
    let loops = [
        ("empty loop", arena_testkit::zoo("loops-in-play")),
        ("hot loop", arena_testkit::component(HOT_LOOP).expect("it can be made")),
        ("divisions", arena_testkit::component(DIVISIONS).expect("it can be made")),
        ("cache misses", arena_testkit::zoo("misses-caches")),
        ("host calls", arena_testkit::zoo("writes-forever")),
    ];
    for (name, bytes) in loops {
        let bot = admit(&sandbox, &bytes);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut player = player(&bot);
                player.begin_turn();
                player.play(&game, &view, LOOP_FUEL).expect_err("it has no end")
            });
        });
    }
}

criterion_group!(benches, fuel);

fn main() {
    // On a thread with less stack, each call would start one of its own.
    arena_resources::on_stack("bench", STACK_BYTES, benches).expect("there is room");
    Criterion::default().configure_from_args().final_summary();
}
