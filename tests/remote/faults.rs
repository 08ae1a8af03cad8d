//! Workers, servers and coordinators are killed or stopped, and messages repeated: nothing is lost, and nothing counts twice.

use crate::processes::children;
use crate::setting::{Running, Setting};
use crate::support::signal;
use arena_testkit::nats::Listener;
use arena_testkit::wait_for;
use std::collections::HashSet;
use std::fs;
use std::thread;

/// The number of times that two workers are killed in a run.
const ROUNDS: usize = 10;

/// The subjects of requests and of results.
const MESSAGES: [&str; 2] = ["arena.arena.ask", "arena.arena.results"];

#[test]
fn workers_that_are_killed_twenty_times_cost_no_game_and_no_game_counts_twice() {
    let Some(setting) = Setting::new() else { return };
    let mut run = setting.coordinate("");
    let mut given = 0;
    for _ in 0..ROUNDS {
        let workers = ["north", "south"].map(|name| setting.worker(name));
        workers.iter().for_each(wait_until_it_plays);
        given = setting.wait_for_batches(given);
        run.expect_running();
        workers.into_iter().for_each(Running::kill);
    }
    let _calm = ["east", "west"].map(|name| setting.worker(name));
    run.expect_code(0);
    setting.expect_same_as_here();
}

#[test]
fn a_stopped_worker_does_not_block_others_and_harms_nothing_when_it_continues() {
    let Some(setting) = Setting::new() else { return };
    let mut run = setting.coordinate("");
    let slow = setting.worker("slow");
    // By then its batches have many games.
    setting.wait_for_games(&mut run, 300);
    signal(slow.child(), "STOP");
    // Another worker gets its batches too.
    let _quick = setting.worker("quick");
    run.expect_code(0);
    signal(slow.child(), "CONT");
    setting.expect_same_as_here();
}

#[test]
fn a_server_that_is_stopped_or_killed_in_a_run_loses_nothing() {
    let Some(mut setting) = Setting::new() else { return };
    let mut run = setting.coordinate("");
    let mut workers = ["north", "south"].map(|name| setting.worker(name));
    for is_killed in [true, false] {
        let before = setting.games();
        setting.wait_for_games(&mut run, before);
        if is_killed {
            setting.server.kill()
        } else {
            setting.server.stop()
        }
        setting.server.start();
    }
    run.expect_code(0);
    assert!(run.printed().contains("the server is back"), "{}", run.printed());
    workers.iter_mut().for_each(Running::expect_running);
    setting.expect_same_as_here();
}

#[test]
fn a_server_that_has_lost_its_store_gets_everything_again() {
    let Some(mut setting) = Setting::new() else { return };
    let mut run = setting.coordinate("");
    let _workers = ["north", "south"].map(|name| setting.worker(name));
    setting.wait_for_games(&mut run, 0);
    setting.server.kill();
    fs::remove_dir_all(setting.server.store()).expect("it has one");
    setting.server.start();
    run.expect_code(0);
    setting.expect_same_as_here();
}

#[test]
fn a_coordinator_that_is_killed_is_resumed_with_its_workers_and_then_without() {
    let Some(setting) = Setting::new() else { return };
    let _workers = ["north", "south"].map(|name| setting.worker(name));
    for options in ["", "--resume"] {
        let before = setting.games();
        let mut run = setting.coordinate(options);
        setting.wait_for_games(&mut run, before);
        run.kill();
    }
    setting.play_here().expect_code(0);
    setting.expect_same_as_here();
}

#[test]
fn a_killed_coordinator_resumes_with_the_games_that_its_workers_played_since() {
    let Some(setting) = Setting::new() else { return };
    let _workers = ["north", "south"].map(|name| setting.worker(name));
    let mut run = setting.coordinate("");
    setting.wait_for_games(&mut run, 0);
    run.kill();
    setting.coordinate("--resume").expect_code(0);
    setting.expect_same_as_here();
}

#[test]
fn requests_and_results_that_arrive_three_times_count_once() {
    let Some(setting) = Setting::new() else { return };
    let listener = setting.server.listen(&MESSAGES);
    // It ends with the server.
    thread::spawn(|| repeat_twice(listener));
    let mut run = setting.coordinate("");
    let _workers = ["north", "south"].map(|name| setting.worker(name));
    run.expect_code(0);
    setting.expect_same_as_here();
}

/// Publishes each new message twice more.
fn repeat_twice(mut listener: Listener) -> Option<()> {
    let mut heard = HashSet::new();
    loop {
        let (subject, body) = listener.hear()?;
        if heard.insert(body.clone()) {
            listener.publish(&subject, &body)?;
            listener.publish(&subject, &body)?;
        }
    }
}

/// Waits until a worker has child processes.
fn wait_until_it_plays(worker: &Running) {
    wait_for(|| (!children(worker.child()).is_empty()).then_some(())).expect("it plays");
}
