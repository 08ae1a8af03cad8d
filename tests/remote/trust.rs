//! Workers that lie or are not admitted, and second coordinators.

use crate::bad_workers::{BadWorker, Kind};
use crate::setting::{Running, Setting, rows};
use crate::support::{Place, SEED, signal};
use arena_cluster::WorkerKey;
use arena_testkit::wait_for;
use serde_json::Value;

/// Two bots that a bad worker can swap. Both compile quickly.
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

/// Waits until a program has printed this text.
#[track_caller]
fn wait_until_printed(running: &Running, text: &str) {
    let printed = || running.printed().contains(text).then_some(());
    wait_for(printed).unwrap_or_else(|| panic!("no `{text}` in\n{}", running.printed()));
}

#[track_caller]
fn expect_honest_journal(setting: &Setting) {
    setting.place.arena(&format!("{CONTEST} --seed {SEED} --journal here.db")).expect_code(0);
    assert_eq!(rows(&setting.place.path("remote.db")), rows(&setting.place.path("here.db")));
}

/// Starts a contest with a bad worker and completes it with an honest one. Returns the coordinator's output.
#[track_caller]
fn check_bad_worker(kind: Kind, options: &str, expected: &str) -> String {
    let Some(setting) = setting() else { return String::new() };
    let mut run = coordinate(&setting, options);
    let mut bad = BadWorker::start(&setting, kind);
    wait_until_printed(&run, expected);
    wait_for(|| bad.has_ended().then_some(())).expect("it is refused, and ends");
    let _honest = setting.worker("honest");
    run.expect_code(0);
    expect_honest_journal(&setting);
    run.printed()
}

#[test]
fn a_lying_worker_is_found_before_any_of_its_games_counts_if_every_game_is_rechecked() {
    let printed = check_bad_worker(Kind::SwapsBots, "--recheck 100", "worker bad is excluded: its game ");
    assert!(!printed.contains("taken back"), "{printed}");
}

#[test]
fn a_lying_worker_is_found_if_some_games_are_rechecked_and_its_games_are_replayed() {
    check_bad_worker(Kind::SwapsBots, "--recheck 5", "worker bad is excluded: its game ");
}

#[test]
fn a_liar_that_takes_a_new_key_for_each_batch_gets_no_lie_into_the_journal() {
    let Some(setting) = setting() else { return };
    let mut run = coordinate(&setting, "--recheck 5");
    let _bad = BadWorker::start(&setting, Kind::ChangesKeys);
    // Each key is excluded after its first lie.
    wait_for(|| (run.printed().matches("is excluded: its game").count() >= 3).then_some(()))
        .expect("it lies");
    let _honest = setting.worker("honest");
    run.expect_code(0);
    expect_honest_journal(&setting);
}

#[test]
fn false_claims_that_the_clock_stopped_a_bot_change_no_result() {
    // Also when no other games are rechecked.
    for options in ["", "--recheck 5"] {
        let printed = check_bad_worker(
            Kind::ClaimsTheClock,
            options,
            "worker bad is excluded: it reported that the clock stopped a bot in ",
        );
        let why = "games, and here it does not\n";
        assert!(printed.is_empty() || printed.contains(why), "{printed}");
    }
}

#[test]
fn eight_of_ten_strangers_lie_and_the_journal_has_only_honest_games() {
    let Some(setting) = setting() else { return };
    let kinds = [Kind::SwapsBots, Kind::SwapsBots, Kind::SwapsBots, Kind::ClaimsTheClock].repeat(2);
    let keys: Vec<WorkerKey> = (0..10).map(|_| WorkerKey::fresh()).collect();
    register(&setting, &keys, &[]);
    let mut run = coordinate(&setting, "--trust strangers --admit workers.toml");
    let bad: Vec<_> =
        kinds.iter().zip(&keys).map(|(kind, key)| BadWorker::start_with(&setting, *kind, key)).collect();
    // The colluding workers are the first to play the same games.
    wait_until_printed(&run, "differs when it is replayed here");
    let honest = ["nine", "ten"].into_iter().zip(&keys[8..]);
    let _honest: Vec<Running> = honest.map(|(name, key)| worker_with_key(&setting, name, key)).collect();
    run.expect_code(0);
    expect_honest_journal(&setting);
    let excluded = run.printed().matches("is excluded").count();
    assert!(excluded > 0 && !run.printed().contains("worker w9 is excluded"), "{}", run.printed());
    let trail = trail(&setting);
    assert_eq!(events(&trail).iter().filter(|(_, event)| event == "excluded").count(), excluded, "{trail:?}");
    drop(bad);
}

/// The trail of workers in the journal.
fn trail(setting: &Setting) -> Vec<Value> {
    let info = setting.place.arena("journal info remote.db -o json").expect_code(0);
    let info: Value = serde_json::from_str(&info.stdout).expect("it is a document");
    info["trail"].as_array().cloned().expect("it has a trail")
}

/// The names and events of a trail.
fn events(trail: &[Value]) -> Vec<(String, String)> {
    let text = |entry: &Value, field: &str| entry[field].as_str().expect("it is a text").to_owned();
    trail.iter().map(|entry| (text(entry, "name"), text(entry, "event"))).collect()
}

#[test]
fn the_journal_records_events_about_workers_and_an_exclusion_survives_a_resume() {
    let Some(setting) = setting() else { return };
    let keys: Vec<WorkerKey> = (0..3).map(|_| WorkerKey::fresh()).collect();
    register(&setting, &keys[..2], &[]);
    let options = "--trust known --admit workers.toml";
    let mut run = coordinate(&setting, options);
    let liar = BadWorker::start_with(&setting, Kind::SwapsBots, &keys[0]);
    wait_until_printed(&run, "worker w1 is excluded: its game ");
    drop(liar);
    register(&setting, &keys, &[1]);
    wait_until_printed(&run, "workers.toml: read again");
    signal(run.child(), "INT");
    run.expect_code(130);
    let before = trail(&setting);
    let expected = [("w1", "excluded"), ("w2", "blocked"), ("w3", "admitted")];
    let mut late: Vec<(String, String)> = events(&before).split_off(2);
    // Batches that the worker sent before its exclusion may be discarded after it.
    late.retain(|(_, event)| event != "dropped");
    late.sort();
    assert_eq!(late, expected.map(|(name, event)| (name.to_owned(), event.to_owned())));
    let of = |event: &str| before.iter().find(|entry| entry["event"] == event).expect("it is there");
    assert_eq!(of("excluded")["key"], keys[0].public().to_string());
    let ranges = of("excluded")["games"].as_array().expect("it is a list");
    assert!(!ranges.is_empty() && ranges[0].as_array().is_some_and(|range| range.len() == 4), "{before:?}");
    assert_eq!((&of("blocked")["why"], &of("blocked")["owner"]), (&"it is slow".into(), &"o2".into()));

    let mut run = coordinate(&setting, &format!("{options} --resume"));
    let mut liar = BadWorker::start_with(&setting, Kind::SwapsBots, &keys[0]);
    wait_until_printed(&run, "worker bad is refused: its game ");
    wait_for(|| liar.has_ended().then_some(())).expect("it is refused, and ends");
    let _honest = worker_with_key(&setting, "honest", &keys[2]);
    run.expect_code(0);
    expect_honest_journal(&setting);
    assert_eq!(trail(&setting), before, "nothing is written twice");
    let info = setting.place.arena("journal info remote.db").expect_code(0).stdout;
    assert!(info.contains("1 worker was excluded, and "), "{info}");
    let verified = setting.place.arena("verify --journal remote.db").expect_code(0);
    assert!(verified.stderr.contains("1 worker was excluded, and "), "{}", verified.stderr);
}

#[test]
fn only_admitted_workers_that_are_not_blocked_play() {
    let Some(setting) = setting() else { return };
    let keys: Vec<WorkerKey> = (0..2).map(|_| WorkerKey::fresh()).collect();
    register(&setting, &keys[..1], &[]);
    let mut run = coordinate(&setting, "--trust known --admit workers.toml");
    let _stranger = worker_with_key(&setting, "stranger", &keys[1]);
    wait_until_printed(&run, "worker stranger is refused: the organiser has not admitted its key");
    // The file is read again when it changes.
    register(&setting, &keys, &[0]);
    wait_until_printed(&run, "workers.toml: read again");
    let mut slow = worker_with_key(&setting, "slow", &keys[0]);
    slow.expect_code(1);
    assert!(slow.printed().contains("it is slow"), "{}", slow.printed());
    let _other = worker_with_key(&setting, "other", &keys[1]);
    wait_until_printed(&run, "worker w2 joined with 1 job");
    run.expect_code(0);
    expect_honest_journal(&setting);
}

#[test]
fn trust_in_other_people_requires_a_register() {
    let Some(setting) = setting() else { return };
    register(&setting, &[WorkerKey::fresh()], &[]);
    for (options, expected) in [
        ("--trust known", "this trust level requires a register of workers"),
        ("--trust strangers --admit workers.toml", "2 owners must play each game, and the register has 1"),
        ("--admit no-such.toml", "no-such.toml"),
        ("--contest no.name", "a contest's name has"),
    ] {
        let mut run = coordinate(&setting, options);
        run.expect_code(2);
        assert!(run.printed().contains(expected) && run.printed().contains("next:"), "{}", run.printed());
    }
}

/// Writes a register in which each worker has a different owner, and some workers are blocked.
fn register(setting: &Setting, keys: &[WorkerKey], blocked: &[usize]) {
    let worker = |(number, key): (usize, &WorkerKey)| {
        let number_shown = number + 1;
        let blocked = if blocked.contains(&number) { "blocked = \"it is slow\"\n" } else { "" };
        let key = key.public();
        format!(
            "[[worker]]\nkey = \"{key}\"\nname = \"w{number_shown}\"\nowner = \"o{number_shown}\"\n{blocked}"
        )
    };
    setting.place.write("workers.toml", keys.iter().enumerate().map(worker).collect::<String>());
}

/// Starts an honest worker with this key.
fn worker_with_key(setting: &Setting, name: &str, key: &WorkerKey) -> Running {
    let file = format!("{name}.key");
    setting.place.write(&file, key.seed());
    let args = format!("worker {} --jobs 1 --name {name} --key {file}", setting.server.url());
    Running::start(&setting.place, name, &args, &[])
}

#[test]
fn a_worker_that_sends_nonsense_is_excluded() {
    check_bad_worker(Kind::SendsNonsense, "", "worker bad is excluded: its games cannot be refereed");
    check_bad_worker(Kind::EndsGamesEarly, "", "worker bad is excluded: its games cannot be refereed");
}

#[test]
fn a_worker_whose_results_are_all_too_large_costs_no_game() {
    let printed = check_bad_worker(Kind::SendsTooMuch, "", "worker bad is excluded: it failed with 17 games");
    assert!(!printed.contains("without a result"), "{printed}");
}

#[test]
fn a_worker_with_another_engine_is_refused() {
    check_bad_worker(Kind::IsOfAnotherEngine, "", "worker bad is refused: its engine hash is 000");
}

#[test]
fn a_game_that_ends_each_worker_is_found_and_played_by_the_coordinator() {
    let Some(setting) = setting() else { return };
    let mut run = coordinate(&setting, "");
    let mut worker = BadWorker::start(&setting, Kind::Ends);
    let mut ended = 0;
    let is_over = wait_for(|| {
        if worker.has_ended() {
            ended += 1;
            worker = BadWorker::start(&setting, Kind::Ends);
        }
        (!run.is_running()).then_some(())
    });
    is_over.unwrap_or_else(|| panic!("{ended} workers ended\n{}", run.printed()));
    run.expect_code(0);
    assert!(ended >= 3, "{ended}");
    expect_honest_journal(&setting);
}

#[test]
fn a_second_coordinator_is_refused_and_leaves_nothing_behind() {
    let Some(setting) = setting() else { return };
    let first = coordinate(&setting, "");
    wait_until_printed(&first, "waiting for workers");
    let second = format!("{CONTEST} --journal second.db --workers {}", setting.server.url());
    let second = setting.place.arena(&second).expect_code(1);
    assert!(
        second.stderr.contains("another `arena run` coordinates a contest named `arena` there"),
        "{}",
        second.stderr
    );
    assert!(!setting.place.path("second.db").exists());
    drop(first);
}

#[test]
fn invalid_messages_in_the_stream_and_on_the_subjects_are_dropped() {
    let Some(setting) = setting() else { return };
    let mut run = coordinate(&setting, "");
    wait_until_printed(&run, "waiting for workers");
    for subject in ["arena.arena.results", "arena.arena.ask", "arena.arena.status"] {
        for body in [&b""[..], b"{}", &[0xff; 300]] {
            setting.server.publish(subject, body);
        }
    }
    let _worker = setting.worker("honest");
    run.expect_code(0);
    assert!(
        run.printed().contains("an invalid message in the stream of results was dropped"),
        "{}",
        run.printed()
    );
    expect_honest_journal(&setting);
}
