//! The confined processes that games are played in: the results do not depend on what happens to the processes, and the system says
//! that they are confined.

use crate::processes::{busy, kill_busy};
use crate::support::{Place, SEED};
use arena_testkit::wait_for;
use std::fs;

/// The times that a process is killed in a run.
const KILLS: usize = 20;

#[test]
fn processes_that_are_killed_cost_no_game_and_no_game_counts_twice() {
    expect_undisturbed(&Place::with_house_bots(), "hunter.wasm sweeper.wasm --games 6000");
}

#[test]
fn processes_with_a_loaded_game_that_are_killed_cost_no_game_and_the_game_is_not_charged() {
    let place = Place::with_game("connect-four", "one-ahead");
    expect_undisturbed(&place, "--game connect-four.wasm one-ahead.wasm builtin:random --games 12000");
}

/// Checks that a contest is the same when its processes are killed.
fn expect_undisturbed(place: &Place, contest: &str) {
    let args = |name: &str| format!("run {contest} --seed {SEED} --output csv --jobs 2 --journal {name}.db");
    place.arena(&args("undisturbed")).expect_code(0);
    let run = place.start(&args("disturbed"));
    kill_busy(run.id(), KILLS);
    let output = run.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    // The document has the head of the journal's chain.
    let [undisturbed, disturbed] = ["undisturbed", "disturbed"]
        .map(|name| place.arena(&format!("standings {name}.db --output json")).expect_code(0).stdout);
    assert_eq!(undisturbed, disturbed);
}

#[test]
fn the_system_says_that_a_process_is_confined() {
    let place = Place::with_house_bots();
    let mut run = place.start(&format!("run hunter.wasm sweeper.wasm --games 100000 --seed {SEED} --jobs 1"));
    let process = busy(run.id(), &[]).expect("it plays for long");
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000"] {
        assert!(status.contains(line), "{line} in {status}");
    }
    // Only root sees the rest of a process that keeps its memory private.
    if let Ok(environment) = fs::read(format!("/proc/{process}/environ")) {
        assert!(environment.is_empty());
    }
    for open in fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten() {
        let Ok(target) = fs::read_link(open.expect("it can be listed").path()) else { continue };
        let target = target.to_string_lossy().into_owned();
        let is_known = target.starts_with("pipe:")
            || target == format!("/proc/{process}/pagemap")
            || target.contains("arena-code")
            || target.contains("wasm-memory-image");
        assert!(is_known, "{target}");
    }
    run.kill().expect("it runs");
    run.wait().expect("it ends");
    let is_gone = || !fs::exists(format!("/proc/{process}/exe")).expect("it can be looked at");
    wait_for(|| is_gone().then_some(())).expect("it ends with the arena");
}
