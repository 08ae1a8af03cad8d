//! Bots play the same games in the confined processes of the program and in this one, which has loaded their code, as a program
//! that embeds the sandbox can.

use crate::processes::has_code;
use crate::support::{Place, SEED, caches, house_bot};
use arena_engine::internals::recordings;
use arena_engine::{
    Control, GameOptions, Local, PreparedRun, Roster, RunOptions, SeedChoice, TournamentOptions, components,
};
use arena_experiments::boards::Boards;
use arena_experiments::sprt::Pairs;
use arena_experiments::verification::{self, Verifier};
use arena_experiments::{rerun, trial};
use arena_players::{CalledBots, Contestant, LimitOptions, Plan, Played, Runner, TimeOptions, play_between};
use arena_record::{Seed, Transcript};
use arena_rules::battleship::Battleship;
use arena_rules::{GameRules, Seat};
use arena_sandbox::{CacheOptions, CompileOptions, Compiler, Sandbox, SandboxLimits};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Specimens whose faults and outputs a process has to pass on.
const SPECIMENS: [&str; 6] =
    ["log-half-lines", "traps-in-play", "traps-on-third-play", "log-flood", "panics", "sweeper"];

/// A sandbox of the built program's compiler, whose bots play in processes of the program or in this one.
fn sandbox(has_processes: bool) -> Sandbox {
    let program = env!("CARGO_BIN_EXE_arena").into();
    let compiler = Compiler::Child { program, args: Vec::new() };
    let compiling = CompileOptions { compiler, cache: Some(CacheOptions::at(caches().join("arena"))) };
    let limits = SandboxLimits { workers: 2, ..SandboxLimits::default() };
    let make = if has_processes { Sandbox::with_processes } else { Sandbox::with_compiling };
    make(limits, compiling).expect("there is room")
}

fn admit(sandbox: &Sandbox, bots: &[PathBuf]) -> Vec<Contestant> {
    let roster = Roster::admit(sandbox, bots, 2, || {}).expect("they can be read");
    assert!(roster.refused.is_empty() && roster.failed.is_empty(), "{roster:?}");
    roster.contestants
}

/// Returns what is found about bots where they play in processes, after checking that it is the same where they play here.
#[track_caller]
fn same<T: PartialEq + std::fmt::Debug>(
    bots: &[PathBuf],
    rules: &str,
    find: impl Fn(&Sandbox, &Plan, &[Contestant]) -> T,
) -> T {
    let [elsewhere, here] = [true, false].map(|has_processes| {
        let sandbox = sandbox(has_processes);
        let contestants = admit(&sandbox, bots);
        let rules = GameRules::named(rules).expect("they are built in");
        let seed = SEED.parse::<Seed>().expect("it is a seed");
        let plan = Plan::of(rules, sandbox.engine_hash(), seed.into(), &LimitOptions::default(), 2);
        find(&sandbox, &plan, &contestants)
    });
    assert_eq!(elsewhere, here);
    elsewhere
}

fn house_bots(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| house_bot(name)).collect()
}

/// A specimen of the zoo as a file in a folder.
fn specimen(place: &Place, name: &str) -> PathBuf {
    let file = format!("zoo-{name}.wasm");
    place.write(&file, arena_testkit::zoo(name));
    place.path(&file)
}

#[test]
fn a_process_that_plays_bots_itself_has_their_code() {
    let sandbox = sandbox(false);
    let bots = admit(&sandbox, &house_bots(&["hunter"]));
    assert!(has_code(std::process::id()), "so it would be seen in the arena, too");
    drop(bots);
}

#[test]
fn a_tournament_is_the_same_to_the_byte() {
    let place = Place::with_house_bots();
    let bots = ["hunter.wasm", "random.wasm", "sweeper.wasm"].map(|bot| place.path(bot));
    let options = RunOptions {
        journal: Some(place.path("here.db")),
        transcripts: Some(place.path("here")),
        seed: Some(SeedChoice::Given(SEED.parse().expect("it is a seed"))),
        tournament: TournamentOptions { games_per_match: Some(6), ..TournamentOptions::default() },
        game: GameOptions { jobs: Some(1), ..GameOptions::default() },
        ..RunOptions::default()
    };
    let prepared = PreparedRun::new(options).expect("they are right");
    let sandbox = sandbox(false);
    let roster = Roster::admit(&sandbox, &components(&bots).expect("they are there"), 1, || {})
        .expect("they can be read");
    let mut run = prepared.plan(&sandbox, roster).and_then(|planned| planned.open()).expect("it can begin");
    let local = Local::start(&sandbox, &run, false).expect("there is nothing to start");
    run.play(&local, &|_| None, &Control::default(), &mut ()).expect("it is played");
    drop(run);
    let standings =
        |name: &str| place.arena(&format!("standings {name}.db --output json")).expect_code(0).without_head();
    for jobs in [1, 2, 5] {
        let name = format!("jobs-{jobs}");
        let args = format!(
            "run hunter.wasm random.wasm sweeper.wasm --games 6 --seed {SEED} --transcripts {name} \
             --journal {name}.db --jobs {jobs}"
        );
        place.arena(&args).expect_code(0);
        assert!(place.files(&name) == place.files("here"), "{jobs} jobs");
        assert_eq!(standings(&name), standings("here"), "{jobs} jobs");
    }
}

#[test]
fn the_pairs_of_a_sequential_test_are_the_same() {
    let pairs = same(&house_bots(&["hunter", "random"]), "guide", |sandbox, plan, contestants| {
        let runner = Runner { plan, contestants, keeps_transcripts: true, keeps_journal: false };
        let mut found = Vec::new();
        Pairs::start(sandbox, runner, 40).expect("they start").play(
            || false,
            |pair, games| {
                found.push((pair, games.expect("they are played")));
                ControlFlow::Continue(())
            },
        );
        found
    });
    assert_eq!(pairs.len(), 40);
}

#[test]
fn trial_games_are_the_same() {
    let place = Place::empty();
    for name in SPECIMENS {
        let games = same(&[specimen(&place, name)], "guide", |sandbox, _, contestants| {
            let games = trial::play(&contestants[0], sandbox, &trial::TrialOptions::default(), || true)
                .expect("they are played");
            // All but the time.
            let figures = |game: trial::TrialGame| {
                let faults: Vec<_> =
                    game.faults.into_iter().map(|it| (it.turn, it.fault, it.verdict)).collect();
                let fuel = (game.fuel_of_deployment, game.fuel_of_turns, game.throughput.fuel);
                (game.played, faults, fuel, game.memory_bytes_peak, game.differs)
            };
            games.into_iter().map(figures).collect::<Vec<_>>()
        });
        assert_eq!(games.len(), 6, "{name}");
    }
}

#[test]
fn boards_are_cleared_the_same() {
    let place = Place::empty();
    let bots = ["traps-in-play", "traps-on-third-play", "sweeper"].map(|name| specimen(&place, name));
    let bots = [house_bots(&["random"]), bots.to_vec()].concat();
    same(&bots, "classic", |sandbox, plan, contestants| {
        let boards = Boards::<Battleship>::new(sandbox, plan, 20).expect("the rules are for one");
        let mut cleared = Vec::new();
        for contestant in contestants {
            boards.play(&contestant.bot, || false, |board| cleared.push(board)).expect("they are played");
        }
        assert_eq!(cleared.len(), 20 * contestants.len());
        cleared
    });
}

#[test]
fn the_games_of_a_journal_are_asked_again_and_verified_the_same() {
    let place = Place::with_house_bots();
    place
        .arena(&format!("run hunter.wasm random.wasm --games 6 --seed {SEED} --journal a.db"))
        .expect_code(0);
    let recording = |game: u32| {
        let (_, recording) =
            recordings::of_journal(&place.path("a.db"), &game.to_string()).expect("it can be read");
        recording
    };
    let verdicts = same(&house_bots(&["hunter", "random"]), "guide", |sandbox, _, contestants| {
        let verifier = Verifier::new(sandbox, contestants);
        let verify = |game| verifier.verify(&recording(game), None, TimeOptions::default());
        (1..=6).map(|game| verify(game).expect("there is a verdict")).collect::<Vec<_>>()
    });
    assert!(verdicts.iter().all(verification::Verdict::is_same), "{verdicts:?}");

    let transcript: Transcript<Battleship> = recording(1).transcript().expect("it is whole");
    let bots = SPECIMENS.map(|name| specimen(&place, name));
    same(&bots, "guide", |sandbox, plan, contestants| {
        let ask = |(contestant, seat): (&Contestant, Seat)| {
            let name = |_: &_, action: &_| format!("{action:?}");
            rerun::rerun(&transcript, seat, &contestant.bot, sandbox, plan.times, None, name)
                .expect("it is asked")
        };
        let seats = contestants.iter().flat_map(|contestant| Seat::BOTH.map(|seat| (contestant, seat)));
        seats.map(ask).collect::<Vec<_>>()
    });
}

#[test]
fn a_game_whose_players_are_called_is_the_same() {
    let place = Place::empty();
    for name in SPECIMENS {
        let bots = [specimen(&place, name), house_bot("random")];
        same(&bots, "guide", |sandbox, plan, contestants| {
            let runner = Runner { plan, contestants, keeps_transcripts: true, keeps_journal: false };
            let bots = runner.bots();
            let seats = CalledBots::new(sandbox, bots, &plan.conditions, plan.times).expect("they start");
            let play = |fixture| -> Played {
                let header = runner.header(fixture);
                let [first, second] = header.bots.each_ref().map(|seated| seated.seed);
                let [one, other] = fixture.seats;
                let seat = || Ok([seats.seat(one, first)?, seats.seat(other, second)?]);
                let (transcript, players) =
                    play_between::<Battleship, _>(header, seat, None).expect("it is played");
                let logs = players.map(|player| player.log());
                runner.played(transcript, logs).expect("it has an end")
            };
            arena_league::match_games(0, 1, 2).map(play).collect::<Vec<_>>()
        });
    }
}
