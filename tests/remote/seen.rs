//! The organiser's view of a contest's workers, and the register.

use crate::bad_workers::{BadWorker, Kind};
use crate::setting::{Running, Setting};
use crate::support::{Place, SEED};
use arena_cluster::WorkerKey;
use arena_testkit::wait_for;
use serde_json::Value;

/// A contest that lasts longer than any test.
const CONTEST: &str = "run hunter.wasm random.wasm --games 1000000";

fn contest(setting: &Setting, name: &str, options: &str) -> Running {
    let url = setting.server.url();
    let args = format!(
        "{CONTEST} --seed {SEED} --journal {name}.db --workers {url} --contest {name} -o json {options}"
    );
    Running::start(&setting.place, name, &args, &[])
}

/// Waits until the workers of a contest satisfy a condition, and returns them.
#[track_caller]
fn wait_for_workers(setting: &Setting, contest: &str, is_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let mut last = String::new();
    let look = || {
        let args = format!("workers {} --contest {contest} -o json", setting.server.url());
        let run = setting.place.arena(&args);
        let status: Option<Value> = serde_json::from_str(&run.stdout).ok();
        last = run.stdout + &run.stderr;
        status?["workers"].as_array().filter(|workers| is_so(workers)).cloned()
    };
    wait_for(look).unwrap_or_else(|| panic!("the workers do not reach this state, but: {last}"))
}

#[test]
fn an_organiser_sees_each_worker_and_finds_the_slow_machine() {
    let Some(setting) = Setting::new() else { return };
    let url = setting.server.url();
    let missing = setting.place.arena(&format!("workers {url}")).expect_code(1);
    assert!(
        missing.stderr.contains("no `arena run` coordinates a contest named `arena` there"),
        "{}",
        missing.stderr
    );
    let _run = contest(&setting, "north", "--recheck 5");
    let worker = |name: &str| {
        let args = format!("worker {url} --jobs 1 --name {name} --contest north");
        Running::start(&setting.place, name, &args, &[])
    };
    let (_quick, slow) = (worker("quick"), worker("slow"));
    let played = |workers: &[Value]| {
        workers.len() == 2 && workers.iter().all(|worker| worker["checks_same"].as_u64() > Some(20))
    };
    for worker in wait_for_workers(&setting, "north", played) {
        assert_eq!(worker["jobs"], 1);
        assert_eq!(worker["arena"], env!("CARGO_PKG_VERSION"));
        assert!(
            worker["games"].as_u64() >= worker["checks_same"].as_u64() && worker["checks_others"] == 0,
            "{worker}"
        );
        assert!(worker["silent_ms"].as_u64() < Some(10_000), "{worker}");
    }
    // A worker that is stopped between two batches owes nothing: it is continued, and stopped again.
    let late = |workers: &[Value]| {
        let [owes, is_late] = ["games_in_flight", "late"].map(|number| {
            workers.iter().any(|worker| worker["name"] == "slow" && worker[number].as_u64() > Some(0))
        });
        crate::support::signal(slow.child(), if owes || is_late { "STOP" } else { "CONT" });
        is_late
    };
    let workers = wait_for_workers(&setting, "north", late);
    assert!(
        workers.iter().all(|worker| worker["name"] == "slow" || worker["silent_ms"].as_u64() < Some(2_500))
    );
    let table = setting.place.arena(&format!("workers {url} --contest north")).expect_code(0).stdout;
    let header = table.lines().next().expect("it has lines");
    assert!(header.starts_with("worker") && header.contains("same") && header.contains("late"), "{table}");
    assert!(table.contains("quick") && table.contains("slow"), "{table}");
}

#[test]
fn a_worker_that_lies_in_unchecked_games_has_the_largest_residual() {
    let Some(setting) = Setting::new() else { return };
    let _run = contest(&setting, "arena", "");
    let _liar = BadWorker::start(&setting, Kind::LiesNowAndThen);
    let _honest = ["north", "south"].map(|name| {
        let args = format!("worker {} --jobs 1 --name {name}", setting.server.url());
        Running::start(&setting.place, name, &args, &[])
    });
    let residual = |worker: &Value| worker["residual"]["standard_errors"].as_f64();
    let all_known = |workers: &[Value]| {
        let of_liar = workers.iter().find(|worker| worker["name"] == "bad").and_then(residual);
        workers.len() == 3
            && workers.iter().all(|worker| residual(worker).is_some())
            && of_liar.is_some_and(|residual| residual.abs() > 6.0)
    };
    let workers = wait_for_workers(&setting, "arena", all_known);
    let largest = workers.iter().max_by(|one, other| {
        let [one, other] = [one, other].map(|worker| residual(worker).map_or(0.0, f64::abs));
        one.total_cmp(&other)
    });
    assert_eq!(largest.expect("there are three")["name"], "bad", "{workers:?}");
    let table = setting.place.arena(&format!("workers {}", setting.server.url())).expect_code(0).stdout;
    assert!(table.lines().next().is_some_and(|header| header.contains("residual")), "{table}");
}

#[test]
fn two_contests_on_one_server_have_separate_workers_and_components() {
    let Some(setting) = Setting::new() else { return };
    let url = setting.server.url();
    let _runs = ["north", "south"].map(|name| contest(&setting, name, "--recheck 5"));
    let _workers = ["north", "south"].map(|name| {
        let args = format!("worker {url} --jobs 1 --name of-{name} --contest {name}");
        Running::start(&setting.place, &format!("worker-{name}"), &args, &[])
    });
    for name in ["north", "south"] {
        let workers = wait_for_workers(&setting, name, |workers| {
            workers.iter().any(|worker| worker["games"].as_u64() > Some(0))
        });
        assert_eq!(workers.len(), 1);
        assert_eq!(workers[0]["name"], format!("of-{name}"));
    }
}

#[test]
fn a_worker_is_admitted_blocked_and_unblocked_in_a_file_that_keeps_its_comments() {
    let place = Place::with_house_bots();
    place.write("workers.toml", "# Our machines.\n");
    let [north, south] = [WorkerKey::fresh(), WorkerKey::fresh()].map(|key| key.public());
    let workers = |args: &str| place.arena(&format!("workers {args} --admit workers.toml"));
    let file = || std::fs::read_to_string(place.path("workers.toml")).expect("it is text");
    workers(&format!("admit {north} --name north --owner alice")).expect_code(0);
    workers(&format!("admit {south} --name south --owner bob")).expect_code(0);
    let admitted = file();
    workers("block north --why slow").expect_code(0);
    assert!(file().contains("owner = \"alice\"\nblocked = \"slow\"\n"), "{}", file());
    workers("block north --why stopped").expect_code(0);
    assert_eq!(file().matches("blocked").count(), 1);
    workers("unblock north").expect_code(0);
    assert_eq!(file(), admitted);
    assert!(admitted.starts_with("# Our machines.\n\n[[worker]]\n"), "{admitted}");
    for (args, expected) in [
        ("block west --why slow".to_owned(), "no worker is named west"),
        (format!("admit {north} --name south --owner bob"), "there is a worker named south already"),
        (format!("admit {north} --name west --owner bob"), "is there twice"),
        ("admit UAB --name west --owner bob".into(), "not a worker's public key"),
    ] {
        let refused = workers(&args).expect_code(2);
        assert!(refused.stderr.contains(expected) && refused.stderr.contains("next:"), "{}", refused.stderr);
    }
    assert_eq!(file(), admitted);
    // The file is written under another name first and then renamed.
    std::fs::create_dir(place.path("workers.toml.part")).expect("it can be made");
    let unwritten = workers("block north --why slow").expect_code(1);
    assert!(unwritten.stderr.contains("cannot write workers.toml"), "{}", unwritten.stderr);
    assert_eq!(file(), admitted);
}
