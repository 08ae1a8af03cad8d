//! Workers and coordinators that are not let in, or not believed.

use crate::bad_workers::{BadWorker, DEADLY_GAME, Kind};
use crate::setting::{Running, Setting, rows};
use crate::support::{Place, SEED};
use arena_testkit::nats::wait_for;

/// Two bots whose places somebody can exchange: both are quick to compile.
const CONTEST: &str = "run shoots-at-random.wasm sweeper.wasm --games 100";

fn setting() -> Option<Setting> {
    Setting::with(Place::with_specimens(&["shoots-at-random", "sweeper"]))
}

fn coordinate(setting: &Setting, options: &str) -> Running {
    let url = setting.server.url();
    Running::start(
        &setting.place,
        "coordinator",
        &format!("{CONTEST} --seed {SEED} --journal remote.db --workers {url} {options}"),
        &[],
    )
}

/// Waits until a program has printed these words.
#[track_caller]
fn wait_until_told(running: &Running, words: &str) {
    let told = || running.printed().contains(words).then_some(());
    wait_for(told).unwrap_or_else(|| panic!("no `{words}` in\n{}", running.printed()));
}

#[track_caller]
fn expect_honest_journal(setting: &Setting) {
    setting.place.arena(&format!("{CONTEST} --seed {SEED} --journal here.db")).expect_code(0);
    assert_eq!(rows(&setting.place.path("remote.db")), rows(&setting.place.path("here.db")));
}

/// Has a bad worker begin a contest, which an honest one ends. Returns the words of the coordinator.
#[track_caller]
fn check_bad_worker(kind: Kind, options: &str, told: &str) -> String {
    let Some(setting) = setting() else { return String::new() };
    let mut run = coordinate(&setting, options);
    let mut bad = BadWorker::start(&setting, kind);
    wait_until_told(&run, told);
    wait_for(|| bad.has_ended().then_some(())).expect("it is told, and ends");
    let _honest = setting.worker("honest");
    run.expect_code(0);
    expect_honest_journal(&setting);
    run.printed()
}

#[test]
fn a_worker_that_lies_is_found_before_any_of_its_games_counts_if_each_is_played_again() {
    let printed = check_bad_worker(Kind::SwapsBots, "--recheck 100", "worker bad is excluded: its game ");
    assert!(!printed.contains("taken back"), "{printed}");
}

#[test]
fn a_worker_that_lies_is_found_if_some_games_are_played_again_and_its_games_are_played_again() {
    check_bad_worker(Kind::SwapsBots, "--recheck 5", "worker bad is excluded: its game ");
}

#[test]
fn a_worker_that_tells_nonsense_is_excluded() {
    check_bad_worker(Kind::TellsNonsense, "", "worker bad is excluded: its games cannot be refereed");
    check_bad_worker(Kind::EndsGamesEarly, "", "worker bad is excluded: its games cannot be refereed");
}

#[test]
fn a_worker_of_another_engine_is_refused() {
    check_bad_worker(Kind::IsOfAnotherEngine, "", "worker bad is refused: the hash of its engine is 000");
}

#[test]
fn a_game_that_ends_each_worker_is_found_and_fails_as_ours() {
    let Some(setting) = setting() else { return };
    let mut run = coordinate(&setting, "");
    let mut worker = BadWorker::start(&setting, Kind::Ends);
    let mut ended = 0;
    while run.is_running() {
        if worker.has_ended() {
            ended += 1;
            worker = BadWorker::start(&setting, Kind::Ends);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    run.expect_code(1);
    let printed = run.printed();
    assert!(
        printed.contains("no worker could play it: it has ended each worker that played it"),
        "{printed}"
    );
    assert!(printed.contains("games without a result, which the table does not count: 1"), "{printed}");
    assert!(ended >= 3, "{ended}");
    // It is the game, and not another one, that is left to be played.
    setting.place.arena(&format!("{CONTEST} --seed {SEED} --journal remote.db --resume")).expect_code(0);
    let left = rows(&setting.place.path("remote.db")).into_iter().rfind(|(table, _)| *table == "game");
    assert!(format!("{left:?}").contains(&format!("Integer({DEADLY_GAME})")), "{left:?}");
}

#[test]
fn a_second_coordinator_is_refused_and_leaves_nothing_behind() {
    let Some(setting) = setting() else { return };
    let first = coordinate(&setting, "");
    wait_for(|| (setting.server.messages("ARENA_GAMES")? > 0).then_some(())).expect("it begins");
    let second = format!("{CONTEST} --journal second.db --workers {}", setting.server.url());
    let second = setting.place.arena(&second).expect_code(1);
    assert!(second.stderr.contains("another `arena run` coordinates a contest there"), "{}", second.stderr);
    assert!(!setting.place.path("second.db").exists());
    drop(first);
}

#[test]
fn nonsense_in_the_streams_and_on_the_subjects_is_dropped() {
    let Some(setting) = setting() else { return };
    let mut run = coordinate(&setting, "");
    wait_for(|| (setting.server.messages("ARENA_GAMES")? > 0).then_some(())).expect("it begins");
    for subject in ["arena.results", "arena.contest", "arena.workers"] {
        for body in [&b""[..], b"{}", &[0xff; 300]] {
            setting.server.publish(subject, body);
        }
    }
    let _worker = setting.worker("honest");
    run.expect_code(0);
    assert!(run.printed().contains("is no result: it is dropped"), "{}", run.printed());
    expect_honest_journal(&setting);
}
