//! Contests that are not disturbed: the same journal, standings and transcripts for any number of workers.

use crate::setting::{Running, Setting, rows};
use crate::support::{Place, SEED};

/// Plays a contest on this machine and on workers.
#[track_caller]
fn check_contest(setting: &Setting, contest: &str) {
    let Setting { place, server } = setting;
    let run = format!("run {contest} --seed {SEED} --output json");
    let here = place.arena(&format!("{run} --journal here.db --transcripts here")).expect_code(0);
    let there = format!("{run} --journal there.db --transcripts there --workers {}", server.url());
    let there = place.arena(&there).expect_code(0);
    assert_eq!(there.stdout.replace("there/", "here/"), here.stdout);
    assert_eq!(rows(&place.path("there.db")), rows(&place.path("here.db")));
    assert_eq!(place.files("there"), place.files("here"));
}

fn workers(setting: &Setting, number: usize) -> Vec<Running> {
    (1..=number).map(|number| setting.worker(&format!("worker{number}"))).collect()
}

#[test]
fn one_worker_plays_one_contest_after_the_other() {
    let Some(setting) = Setting::new() else { return };
    let _workers = workers(&setting, 1);
    check_contest(&setting, "hunter.wasm random.wasm sweeper.wasm --games 40");
    for file in ["here.db", "there.db"] {
        std::fs::remove_file(setting.place.path(file)).expect("it is there");
    }
    check_contest(&setting, "hunter.wasm random.wasm --games 50 --rules pirates --format knockout");
}

#[test]
fn three_workers_play_a_swiss_tournament_in_which_a_bot_is_disqualified() {
    let Some(setting) = Setting::new() else { return };
    setting.place.write("faulty.wasm", arena_testkit::zoo("loops-in-play"));
    let _workers = workers(&setting, 3);
    check_contest(
        &setting,
        "faulty.wasm hunter.wasm random.wasm sweeper.wasm --games 10 --format swiss --rounds 3 --max-faults 3 \
         --fuel 20000000",
    );
    let standings = setting.place.arena("standings there.db").expect_code(0).stdout;
    assert!(standings.contains("disqualified"), "{standings}");
}

#[test]
fn three_workers_play_submarine() {
    let Some(setting) = Setting::with(Place::with_submarine_bots()) else { return };
    let _workers = workers(&setting, 3);
    check_contest(&setting, "sub-random.wasm sub-tracker.wasm --games 60");
}
