//! The steps of a tournament, one by one.
//!
//! The step of writing a game to the journal is measured by the store's own benchmark, `journal`.

mod bare;

use arena_benches::native::Native;
use arena_benches::setting::{RULES, fuel_per_turn, house_bot, on_enough_stack, play, rules, sandboxed};
use arena_record::Transcript;
use arena_referee::{GamePlan, NoReply, Player, Reply, play_game};
use arena_rules::battleship::{
    Action, Battleship, Fleet, FleetSpec, GameInfo, Ruleset, View, scatter, uniform,
};
use arena_rules::{Game, Placement, Seat, random};
use arena_sandbox::{Bot, CacheOptions, CompileOptions, Compiler, Sandbox, SandboxLimits};
use bare::BareBot;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use hunter::Hunter;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// A bot whose `play` answers at once, without a look at its arguments.
const EMPTY_BOT: &str = "(func $play (param $args i32) (result i32) (call $skip))";

/// A recording, for its header.
const RECORDING: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../host/crates/record/tests/data/recordings/1.0-battleship.jsonl");

/// A sandbox that compiles as the program does, in child processes, with this cache.
fn sandbox(cache: Option<CacheOptions>) -> Sandbox {
    let compiler = Compiler::this_program().expect("the system says which file this program is");
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    Sandbox::with_compiling(limits, CompileOptions { compiler, cache })
        .expect("the machine has room for a sandbox")
}

fn admit(sandbox: &Sandbox, name: &str) -> Bot {
    sandbox.admit_file(house_bot(name)).expect("the house bots have been built by `cargo xtask bots`")
}

fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step/load");
    let cold = sandbox(None);
    group.bench_function("cold", |bencher| bencher.iter(|| admit(&cold, "hunter")));
    let folder = TempDir::new().expect("a temporary folder");
    let warm = sandbox(Some(CacheOptions::at(folder.path().to_path_buf())));
    admit(&warm, "hunter");
    group.bench_function("warm", |bencher| bencher.iter(|| admit(&warm, "hunter")));
    group.finish();
}

/// The first turn of a game by a rule set, in which both sides have a fleet.
fn first_turn(rules: &Ruleset) -> (GameInfo, View) {
    let info = Battleship::info(rules, fuel_per_turn(rules), 7);
    let game = Battleship::new(rules, [fleet(&info, 1), fleet(&info, 2)], Seat::First);
    (info, game.view(Seat::First).clone())
}

fn fleet(info: &GameInfo, seed: u64) -> Fleet {
    scatter(&info.fleet_spec(), &mut random::seeded(seed)).expect("a house rule set has legal fleets")
}

fn calling(criterion: &mut Criterion) {
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() })
        .expect("the machine has room for a sandbox");
    let component = |name| match name {
        "empty" => arena_testkit::component(EMPTY_BOT).expect("it can be made"),
        name => fs::read(house_bot(name)).expect("the house bots have been built by `cargo xtask bots`"),
    };
    let (info, view) = first_turn(&rules("guide"));
    // A typed call has one lifetime for all its data.
    let (game, seen): (&'static GameInfo, &'static View) =
        (Box::leak(Box::new(info.clone())), Box::leak(Box::new(view.clone())));
    for name in ["empty", "random", "hunter"] {
        let bytes = component(name);
        let mut bare = BareBot::new(&bytes).expect("it is a bot");
        criterion.bench_function(&format!("step/bare call/{name}"), |bencher| {
            bencher.iter(|| bare.ask(game, seen, info.fuel_per_turn).expect("it answers"));
        });
        let bot = sandbox.admit(&bytes).expect("it is a bot");
        let ask = |player: &mut dyn Player<Battleship>| {
            player.begin_turn();
            player.play(&info, &view, info.fuel_per_turn).expect("it answers")
        };
        criterion.bench_function(&format!("step/instance and first call/{name}"), |bencher| {
            bencher.iter(|| ask(&mut sandboxed(&bot, 7)));
        });
        let mut player = sandboxed(&bot, 7);
        criterion.bench_function(&format!("step/call/{name}"), |bencher| bencher.iter(|| ask(&mut player)));
    }
}

/// A player that costs nothing: it shoots at the cells in order.
struct Counting<'a> {
    fleet: &'a Fleet,
    next: usize,
}

impl Player<Battleship> for Counting<'_> {
    fn deploy(&mut self, _game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        Ok(Reply { answer: self.fleet.placements().to_vec(), fuel_used: 0 })
    }

    fn play(&mut self, game: &GameInfo, _view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
        self.next += 1;
        Ok(Reply { answer: Action::Shot(game.size.coord(self.next - 1)), fuel_used: 0 })
    }
}

fn refereeing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step/turn of refereeing");
    for name in ["guide", "classic"] {
        let rules = rules(name);
        let info = Battleship::info(&rules, fuel_per_turn(&rules), 7);
        let fleets = [fleet(&info, 1), fleet(&info, 2)];
        let plan = GamePlan {
            rules: &rules,
            fuel_per_turn: info.fuel_per_turn,
            side_seeds: [1, 2],
            fleet_seed: 3,
            starter: Seat::First,
            score_wall_clock: false,
        };
        let referee = || {
            let [mut first, mut second] = fleets.each_ref().map(|fleet| Counting { fleet, next: 0 });
            let mut events = Vec::new();
            play_game(&plan, [&mut first, &mut second], &mut |event| events.push(event)).expect("it ends");
            (first.next + second.next, events)
        };
        let (turns, _) = referee();
        group.throughput(Throughput::Elements(turns as u64));
        group.bench_function(name, |bencher| bencher.iter(referee));
    }
    group.finish();
}

fn drawing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step/draw a fleet");
    for name in RULES {
        let spec = FleetSpec::of(&rules(name));
        let mut rng = random::seeded(1);
        group.bench_function(BenchmarkId::new("uniform", name), |bencher| {
            bencher.iter(|| uniform(&spec, &mut rng).expect("there are legal fleets"));
        });
        group.bench_function(BenchmarkId::new("scatter", name), |bencher| {
            bencher.iter(|| scatter(&spec, &mut rng).expect("there are legal fleets"));
        });
    }
    group.finish();
}

fn recording(criterion: &mut Criterion) {
    let bytes = fs::read(RECORDING).expect("the recording is in the repository");
    let Transcript { header, .. } =
        Transcript::<Battleship>::read(&bytes[..]).expect("the recording is complete");
    let [mut first, mut second] = [(); 2].map(|()| Native::<Hunter>::default());
    let events = play(&rules("guide"), 1, [&mut first, &mut second]);
    let transcript = Transcript { header, events };
    criterion.bench_function("step/encode a transcript", |bencher| bencher.iter(|| transcript.to_bytes()));
}

criterion_group! {
    name = benches;
    // Chosen: the whole run takes a minute.
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = loading, calling, refereeing, drawing, recording
}

// The benchmark is the compiler of its own sandbox, so its `main` begins as the program's does.
fn main() {
    arena_sandbox::compiler_main_if_asked();
    on_enough_stack(benches);
    Criterion::default().configure_from_args().final_summary();
}
