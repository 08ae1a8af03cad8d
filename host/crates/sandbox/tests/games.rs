//! Running a bot: the properties of every run, the memory between calls, the bounds.

use crate::common::{self, FUEL, admit, deploy, fault, game, play, player, specimen, spots, view};
use arena_referee::{FaultClass, HostError, NoReply, Player};
use arena_rules::Coord;
use arena_rules::battleship::{Action, Battleship, Fleet};
use arena_rules::submarine::Submarine;
use arena_sandbox::{Bot, Sandbox, SandboxLimits, SandboxedPlayer, TimeLimits};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn the_same_bot_uses_the_same_fuel_on_every_run() {
    for name in ["sweeper", "log-flood", "shoots-at-random", "sleeps", "shoots-by-the-clock"] {
        let first = spots(&specimen(name), 5, 20);
        assert_eq!(first, spots(&specimen(name), 5, 20), "{name}");
        assert!(first.iter().all(|(_, fuel)| *fuel > 0), "{name}");
    }
}

#[test]
fn a_deployment_reaches_us_as_it_was_given() {
    let reply = deploy(&mut player(&specimen("sweeper"), 1), FUEL).expect("it answers");
    let game = game();
    Fleet::parse(&game.fleet_spec(), &reply.answer).expect("the fleet is legal");
}

#[test]
fn a_view_reaches_the_bot_as_it_is() {
    // The sweeper reads the width, the attacks and, for this one, `retry`.
    let bot = specimen("off-board-once");
    let mut player = player(&bot, 1);
    let mut retry = view(35);
    retry.retry = true;
    player.begin_turn();
    let reply = player.play(&game(), &retry, FUEL).expect("it answers");
    assert_eq!(reply.answer, Action::Shot(Coord::new(3, 4)));
}

#[test]
fn random_numbers_depend_on_the_side_seed_alone() {
    let bot = specimen("shoots-at-random");
    assert_eq!(spots(&bot, 5, 20), spots(&bot, 5, 20));
    assert_ne!(spots(&bot, 5, 20), spots(&bot, 6, 20));
}

#[test]
fn nothing_survives_from_one_game_to_the_next_nor_a_restart() {
    let bot = specimen("remembers");
    let expected: Vec<u8> = (0..5).collect();
    let columns = |spots: Vec<(Option<Coord>, u64)>| -> Vec<u8> {
        spots.into_iter().map(|(spot, _)| spot.expect("it shoots").column).collect()
    };
    assert_eq!(columns(spots(&bot, 1, 5)), expected);
    assert_eq!(columns(spots(&bot, 1, 5)), expected);

    let mut player = player(&bot, 1);
    let mut shoot = |restart: bool| {
        if restart {
            player.restart().expect("it can be restarted");
        }
        play(&mut player, 1, FUEL).expect("it answers").answer
    };
    assert_eq!(shoot(false), Some(Coord::new(0, 0)));
    assert_eq!(shoot(false), Some(Coord::new(0, 1)));
    assert_eq!(shoot(true), Some(Coord::new(0, 0)));
    assert_eq!(shoot(false), Some(Coord::new(0, 1)));
}

#[test]
fn after_a_fault_the_next_call_is_a_fresh_instances() {
    let bot = specimen("traps-on-third-play");
    let mut player = player(&bot, 1);
    for _ in 0..3 {
        play(&mut player, 1, FUEL).expect("it answers");
        play(&mut player, 1, FUEL).expect("it answers");
        assert_eq!(fault(play(&mut player, 1, FUEL)).0, FaultClass::Trap);
        player.restart().expect("it can be restarted");
    }
}

#[test]
fn a_budget_too_small_is_used_up_and_one_exactly_large_enough_is_not() {
    let bot = specimen("sweeper");
    let needed = play(&mut player(&bot, 1), 50, FUEL).expect("it answers").fuel_used;
    assert_eq!(fault(play(&mut player(&bot, 1), 50, 0)).0, FaultClass::OutOfFuel);
    assert_eq!(fault(play(&mut player(&bot, 1), 50, 1)).0, FaultClass::OutOfFuel);
    assert_eq!(fault(play(&mut player(&bot, 1), 50, needed / 2)).0, FaultClass::OutOfFuel);
    assert_eq!(play(&mut player(&bot, 1), 50, needed).expect("it answers").fuel_used, needed);
    assert_eq!(play(&mut player(&bot, 1), 50, u64::MAX).expect("it answers").fuel_used, needed);
}

#[test]
fn each_call_has_the_whole_budget_it_is_given() {
    let bot = specimen("sweeper");
    let needed = play(&mut player(&bot, 1), 50, FUEL).expect("it answers").fuel_used;
    let mut player = player(&bot, 1);
    for _ in 0..10 {
        play(&mut player, 50, needed).expect("it answers");
    }
}

#[test]
fn a_loop_with_fuel_left_is_ended_by_the_wall_clock() {
    let bot = specimen("loops-in-play");
    let times = TimeLimits { turn: Duration::from_millis(100), game: Duration::from_secs(300) };
    let mut player = bot.player::<Battleship>(1, times).expect("it plays Battleship");
    let begin = Instant::now();
    let (class, _) = fault(play(&mut player, 1, u64::MAX / 2));
    assert_eq!(class, FaultClass::WallClock);
    assert!(begin.elapsed() >= Duration::from_millis(100), "{:?}", begin.elapsed());

    // The turn is over, so that another attempt in it gets no time at all; the next turn has its own.
    assert_eq!(fault(player.play(&game(), &view(1), u64::MAX / 2)).0, FaultClass::WallClock);
    assert_eq!(fault(player.play(&game(), &view(1), u64::MAX / 2)).0, FaultClass::WallClock);
    assert_eq!(fault(play(&mut player, 1, 1_000)).0, FaultClass::OutOfFuel);
}

#[test]
fn a_side_that_has_used_up_its_half_of_the_games_time_gets_no_more_in_any_turn_and_the_other_side_keeps_its_own()
 {
    let times = TimeLimits { turn: Duration::from_secs(300), game: Duration::from_secs(2) };
    let seated = |name| specimen(name).player::<Battleship>(1, times).expect("it plays Battleship");
    let (mut loops, mut sweeper) = (seated("loops-in-play"), seated("sweeper"));
    let begin = Instant::now();
    for _ in 0..3 {
        let (class, detail) = fault(play(&mut loops, 1, u64::MAX / 2));
        assert_eq!(class, FaultClass::WallClock);
        assert_eq!(detail, "used up its 1 s of wall-clock time in the game, half of --game-timeout");
        assert!(begin.elapsed() >= times.side(), "{:?}", begin.elapsed());
        play(&mut sweeper, 1, FUEL).expect("it answers");
    }
    // Even with little fuel: it is not called any more.
    assert_eq!(fault(play(&mut loops, 1, 1_000)).0, FaultClass::WallClock);
}

#[test]
fn a_log_is_kept_up_to_its_bound_and_says_what_was_cut() {
    let mut player = player(&specimen("log-flood"), 1);
    play(&mut player, 1, FUEL).expect("it answers");
    let log = player.log();
    // The flood is one line, of which 4 KiB are kept.
    let cut = ((100 * 4) << 10) - (4 << 10);
    assert_eq!(log, format!("turn 1: {} [{cut} bytes more of this line were cut]", "a".repeat(4 << 10)));
    // It outlives the instance.
    player.restart().expect("it can be restarted");
    assert_eq!(player.log(), log);
}

#[test]
fn a_log_holds_nothing_that_a_terminal_would_obey() {
    let mut player = player(&specimen("panics"), 1);
    fault(play(&mut player, 1, FUEL));
    assert!(player.log().contains("turn 1: no spot left\n"), "{:?}", player.log());
    assert!(!player.log().contains('\x1b'), "{:?}", player.log());
}

#[test]
fn a_fault_has_the_functions_that_were_being_called_and_they_are_the_same_on_every_run() {
    let code = "(func $play (param $args i32) (result i32) (call $aim) (i32.const 0))
                (func $aim (call $_ZN3bot4look17h0123456789abcdefE))
                (func $_ZN3bot4look17h0123456789abcdefE (loop $again (br $again)))";
    let bot = admit(&arena_testkit::component(code).expect("it is a component")).expect("it is a bot");
    let stack = || match play(&mut player(&bot, 1), 1, 100_000) {
        Err(NoReply::Fault(fault)) => fault.stack,
        other => panic!("{other:?}"),
    };
    assert_eq!(stack()[..3], ["bot::look", "aim", "play"]);
    assert_eq!(stack(), stack());
}

#[test]
fn a_fault_of_the_clock_has_no_stack_because_it_would_differ_from_run_to_run() {
    let times = TimeLimits { turn: Duration::from_millis(100), game: Duration::from_secs(300) };
    let mut player = specimen("loops-in-play").player::<Battleship>(1, times).expect("it plays Battleship");
    let Err(NoReply::Fault(fault)) = play(&mut player, 1, u64::MAX / 2) else { panic!("it does not end") };
    assert_eq!((fault.class, fault.stack), (FaultClass::WallClock, Vec::new()));
}

#[test]
fn the_stack_of_an_endless_recursion_is_cut() {
    let Err(NoReply::Fault(fault)) = play(&mut player(&specimen("recursion"), 1), 1, FUEL) else {
        panic!("it does not end")
    };
    assert_eq!((fault.class, fault.stack.len()), (FaultClass::StackOverflow, 10));
}

#[test]
fn memory_used_is_measured_and_keeps_its_peak() {
    let mut player = player(&specimen("sweeper"), 1);
    assert_eq!(player.memory_bytes_peak(), 0);
    play(&mut player, 1, FUEL).expect("it answers");
    assert_eq!(player.memory_bytes_peak(), 64 << 10);

    let mut player = common::player(&specimen("grow-bomb"), 1);
    fault(play(&mut player, 1, FUEL));
    assert!(player.memory_bytes_peak() > 32 << 20, "{}", player.memory_bytes_peak());
}

#[test]
fn many_players_on_many_threads_answer_as_one_does() {
    let bots = [specimen("sweeper"), specimen("shoots-at-random"), specimen("log-flood")];
    let alone: Vec<_> = bots.iter().map(|bot| spots(bot, 9, 30)).collect();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for (bot, alone) in bots.iter().zip(&alone) {
                    assert_eq!(&spots(bot, 9, 30), alone, "{}", bot.name());
                }
                fault(play(&mut player(&specimen("recursion"), 1), 1, FUEL));
            });
        }
    });
}

#[test]
fn a_player_may_move_to_another_thread_in_the_middle_of_its_game() {
    let mut player = player(&specimen("remembers"), 1);
    play(&mut player, 1, FUEL).expect("it answers");
    let moved = thread::spawn(move || play(&mut player, 2, FUEL).expect("it answers").answer);
    assert_eq!(moved.join().expect("it ends well"), Some(Coord::new(0, 1)));
}

#[test]
fn more_live_players_than_there_is_room_for_is_the_hosts_failure() {
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() })
        .expect("a sandbox can be made");
    let bot = sandbox.admit(&arena_testkit::zoo("sweeper")).expect("it is a bot");
    let room = sandbox.limits().bots_max();
    let mut players: Vec<_> = (0..=room as u64).map(|seed| player(&bot, seed)).collect();
    for player in &mut players[..room] {
        play(player, 1, FUEL).expect("there is room");
    }
    let Err(NoReply::Host(error)) = play(&mut players[room], 1, FUEL) else { panic!("there is no room") };
    assert!(
        matches!(&error, HostError::Machine(what) if what.to_string().contains("maximum concurrent limit")),
        "{error}"
    );
    // Room that is given back can be had again.
    players.remove(0);
    play(&mut players[room - 1], 1, FUEL).expect("there is room");
}

#[test]
fn limits_that_no_machine_can_keep_are_the_hosts_failure() {
    let default = SandboxLimits::default();
    for limits in [
        SandboxLimits { workers: usize::MAX, ..default.clone() },
        SandboxLimits { workers: 1 << 24, ..default.clone() },
        SandboxLimits { memory_bytes_max: usize::MAX, ..default.clone() },
    ] {
        let error = Sandbox::new(limits.clone()).err().unwrap_or_else(|| panic!("{limits:?}"));
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn what_is_shared_between_threads_may_be() {
    fn check<T: Send + Sync>() {}
    fn check_send<T: Send>() {}
    check::<Sandbox>();
    check::<Bot>();
    check_send::<SandboxedPlayer<Battleship>>();
}

#[test]
fn a_bot_that_is_asked_to_play_another_game_is_our_failure() {
    let times = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };
    let asked = specimen("sweeper").player::<Submarine>(1, times);
    assert!(matches!(asked, Err(HostError::Defect(what)) if what.to_string().contains("battleship")));
}

#[test]
fn the_engines_hash_is_the_same_for_the_same_settings() {
    let other =
        Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() }).expect("it can be made");
    assert_eq!(common::sandbox().engine_hash(), other.engine_hash());
}

#[test]
fn bots_outlive_the_sandbox_they_came_from() {
    let bot = {
        let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
        let sandbox = Sandbox::new(limits).expect("a sandbox can be made");
        sandbox.admit(&arena_testkit::zoo("sweeper")).expect("it is a bot")
    };
    assert_eq!(spots(&bot, 1, 3).len(), 3);
}
