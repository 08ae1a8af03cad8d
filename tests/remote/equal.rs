//! Undisturbed contests: the journal, standings and transcripts are the same for any number of workers.

use crate::setting::{Running, Setting, rows};
use crate::support::{Place, Run, SEED, command};
use arena_testkit::nats::server_or_skip;
use rusqlite::types::Value;
use std::path::Path;

/// Plays a contest on this machine and on workers.
#[track_caller]
fn check_contest(setting: &Setting, contest: &str) {
    let Setting { place, server } = setting;
    let run = format!("run {contest} --seed {SEED} --output json");
    let here =
        place.arena(&format!("{run} --journal here.db --transcripts here --logs here-logs")).expect_code(0);
    let there =
        format!("{run} --journal there.db --transcripts there --logs there-logs --workers {}", server.url());
    // A year later. The head is in the output.
    let there: Vec<&str> = there.split_whitespace().collect();
    let there =
        Run::of(command(place.folder(), &there).env("SOURCE_DATE_EPOCH", "1801396800")).expect_code(0);
    assert_eq!(there.stdout.replace("there/", "here/"), here.stdout);
    assert_eq!(untimed_rows(&place.path("there.db")), untimed_rows(&place.path("here.db")));
    assert_eq!(place.files("there"), place.files("here"));
    assert_eq!(place.files("there-logs"), place.files("here-logs"));
}

/// The rows of a journal without the time.
fn untimed_rows(path: &Path) -> Vec<(&'static str, Vec<Value>)> {
    rows(path).into_iter().filter(|(table, _)| *table != "clock").collect()
}

fn workers(setting: &Setting, number: usize) -> Vec<Running> {
    (1..=number).map(|number| setting.worker(&format!("worker{number}"))).collect()
}

#[test]
fn one_worker_plays_one_contest_after_another() {
    let Some(setting) = Setting::new() else { return };
    let _workers = workers(&setting, 1);
    let stored = || {
        let info = setting.server.request("$JS.API.STREAM.INFO.OBJ_arena-bots-arena", b"");
        info["state"]["bytes"].as_u64().expect("it is a number")
    };
    let length = |bot: &str| setting.place.path(bot).metadata().expect("it is there").len();
    check_contest(&setting, "hunter.wasm random.wasm sweeper.wasm --games 40");
    assert!(stored() > ["hunter.wasm", "random.wasm", "sweeper.wasm"].map(length).iter().sum());
    for file in ["here.db", "there.db"] {
        std::fs::remove_file(setting.place.path(file)).expect("it is there");
    }
    check_contest(&setting, "hunter.wasm random.wasm --games 50 --rules pirates --format knockout");
    // The component of the bot that does not play this time has been deleted.
    let both = length("hunter.wasm") + length("random.wasm");
    assert!((both..both + length("sweeper.wasm")).contains(&stored()));
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

#[test]
fn two_workers_play_games_that_are_components() {
    for (game, bot) in [("connect-four", "one-ahead"), ("liars-dice", "odds")] {
        let Some(setting) = Setting::with(Place::with_game(game, bot)) else { return };
        let _workers = workers(&setting, 2);
        check_contest(&setting, &format!("--game {game}.wasm {bot}.wasm builtin:random --games 60"));
        // The journal has the game, so it is verified without the file.
        std::fs::remove_file(setting.place.path(&format!("{game}.wasm"))).expect("it is there");
        let verified = setting.place.arena("verify --journal there.db").expect_code(0);
        assert!(verified.stdout.contains("verified 60 of 60"), "{}", verified.stdout);
    }
}

#[test]
fn a_game_that_fails_on_workers_stops_the_contest_where_it_fails_here() {
    let place = Place::empty();
    let parts = arena_testkit::zoo_text("games/traps-in-a-rare-turn");
    place.write("game.wasm", arena_testkit::game_component(&parts).expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    let Some(setting) = Setting::with(place) else { return };
    let Setting { place, server } = &setting;
    let _workers = workers(&setting, 2);
    let run = format!("run --game game.wasm taker.wasm builtin:random --games 60 --seed {SEED}");
    let here = place.arena(&format!("{run} --journal here.db")).expect_code(3);
    let there = place.arena(&format!("{run} --journal there.db --workers {}", server.url())).expect_code(3);
    assert_eq!(rows(&place.path("there.db")), rows(&place.path("here.db")));
    // A note says that workers have failed with it.
    let failure = |stderr: &str| stderr[stderr.find("it began with the seed").expect("it has")..].to_owned();
    assert_eq!(failure(&there.stderr), failure(&here.stderr));
    place.arena("verify --journal there.db").expect_code(0);
}

#[test]
fn a_game_that_does_not_fit_into_a_message_comes_in_parts() {
    let place = Place::with_specimens(&["log-flood", "log-garbage"]);
    // A server's default message limit is 1 MiB, and a log has 64 KiB.
    place.write("server.conf", "max_payload: 30000");
    let config = place.path("server.conf").display().to_string();
    let Some(server) = server_or_skip(&["--config", &config]) else { return };
    let setting = Setting { server, place };
    let _workers = workers(&setting, 1);
    check_contest(&setting, "log-flood.wasm log-garbage.wasm --games 30 --fuel 20000000");
    let longest = setting.place.files("there-logs").values().map(Vec::len).max();
    assert!(longest > Some(60_000), "{longest:?}");
}
