//! Heads of journals that follow from the seeds, the rules and the bots: `arena verify --replay-all` plays a season again.

use crate::chain::{chain_again, drop_triggers};
use crate::season::{bring, league, leave, play, standings};
use crate::support::{Place, Run, SEED, command, signal};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;

const VERIFY: &str = "verify --journal league.db --replay-all";

/// Runs the program at this time, in seconds since 1970.
fn arena_at(place: &Place, seconds: &str, args: &str) -> Run {
    let args: Vec<&str> = args.split_whitespace().collect();
    Run::of(command(place.folder(), &args).env("SOURCE_DATE_EPOCH", seconds))
}

/// The head of a journal, in hexadecimal.
fn head(place: &Place, journal: &str) -> String {
    standings(place, journal)["head"]["sha256"].as_str().expect("it has one").to_owned()
}

#[test]
fn the_same_seed_and_bots_have_the_same_head_whenever_and_however_they_are_played() {
    let place = Place::with_house_bots();
    let run = format!("run hunter.wasm random.wasm sweeper.wasm --games 400 --seed {SEED} -q");
    arena_at(&place, "1769860800", &format!("{run} --jobs 1 --journal one.db")).expect_code(0);
    arena_at(&place, "1801396800", &format!("{run} --jobs 3 --journal many.db")).expect_code(0);
    let mut child = place.start_and_play(&format!("{run} --jobs 2 --journal apart.db"), "apart.db", 5);
    signal(&child, "INT");
    child.wait().unwrap();
    let played = standings(&place, "apart.db")["games-played"].as_u64().unwrap();
    assert!((5..1_200).contains(&played), "it is interrupted: {played}");
    let mut child =
        place.start_and_play(&format!("{run} --jobs 2 --journal apart.db --resume"), "apart.db", 5);
    signal(&child, "KILL");
    child.wait().unwrap();
    arena_at(&place, "1832932800", &format!("{run} --journal apart.db --resume")).expect_code(0);
    let heads = ["one.db", "many.db", "apart.db"].map(|journal| head(&place, journal));
    assert_eq!(heads[1], heads[0]);
    assert_eq!(heads[2], heads[0]);
}

/// A season of five stages: one with a disqualification, one with a new version, one that was broken off, one without games, because it has
/// only another limit of faults, and one with a newcomer.
fn season(seed: &str) -> Place {
    let place = league(&[("ann", "sweeper"), ("bob", "traps-on-third-play"), ("cleo", "shoots-at-random")]);
    play(&place, &format!("--games 6 --max-faults 2 {seed}")).expect_code(0);
    bring(&place, "cleo", "repeats-once-then-valid");
    play(&place, "").expect_code(0);
    leave(&place, "bob");
    let mut child = place.start_and_play("run bots --journal league.db --games 100000 -q", "league.db", 10);
    signal(&child, "INT");
    child.wait().unwrap();
    play(&place, "--games 4 --max-faults 9").expect_code(0);
    bring(&place, "dan", "shoots-at-random");
    play(&place, "--games 4").expect_code(0);
    let stages = place.arena("journal info league.db -o json").expect_code(0).json()["stages"].clone();
    let games = stages.as_array().unwrap().iter().map(|stage| stage["games"].as_u64().unwrap());
    let games: Vec<u64> = games.collect();
    assert!(games.len() == 5 && games[2] < 99_000 && games[3] == 0, "{games:?}");
    place
}

/// The journal of a place and the bots that it keeps, on another machine.
fn elsewhere(place: &Place) -> Place {
    let elsewhere = Place::empty();
    fs::copy(place.path("league.db"), elsewhere.path("league.db")).unwrap();
    fs::create_dir(elsewhere.path("league.db.bots")).unwrap();
    for (name, bytes) in place.files("league.db.bots") {
        elsewhere.write(&format!("league.db.bots/{name}"), bytes);
    }
    elsewhere
}

#[test]
fn a_season_of_several_stages_is_played_again_to_the_same_head() {
    let place = season("--seed 1");
    let other = elsewhere(&place);
    let published = head(&place, "league.db");
    let again = other.arena(&format!("{VERIFY} --head {published} --jobs 1")).expect_code(0).stdout;
    assert!(again.starts_with(&format!("the same head: {published}\n")), "{again}");
    let document = other.arena(&format!("{VERIFY} -o json")).expect_code(0).json();
    let played = other.arena("journal info league.db -o json").expect_code(0).json();
    assert_eq!((&document["same-head"], &document["games"]), (&true.into(), &played["games-kept"]));
    assert_eq!((&document["head"], &document["difference"]), (&played["head"], &Value::Null));
    let unpublished = other.arena(&format!("{VERIFY} --head {}", "0".repeat(64))).expect_code(2);
    assert!(unpublished.stderr.contains("its chain has no link"), "{}", unpublished.stderr);
    assert_eq!(other.files("league.db.bots").len(), 4);
}

#[test]
fn a_season_with_a_secret_seed_is_played_again_when_it_is_revealed() {
    let place = season("--seed secret");
    let secret = fs::read_to_string(place.path("league.db.seed")).unwrap();
    let hidden = place.arena(VERIFY).expect_code(2).stderr;
    assert!(hidden.contains("its seed is still secret") && hidden.contains("next: "), "{hidden}");
    let other = place.arena(&format!("{VERIFY} --seed {}", "1".repeat(64))).expect_code(2).stderr;
    assert!(other.contains("is not the secret of this season"), "{other}");
    let known = place.arena(&format!("{VERIFY} --seed {secret}")).expect_code(0).stdout;
    assert!(known.contains(&head(&place, "league.db")), "{known}");
    place.arena("journal close league.db --unfinished").expect_code(0);
    let closed = elsewhere(&place).arena(VERIFY).expect_code(0).stdout;
    assert!(closed.contains(&head(&place, "league.db")), "{closed}");
}

/// Changes the journal of a season of one stage, gives it the right chain, and checks that the first difference is found.
#[track_caller]
fn check_difference(sql: &str, expected: &str) {
    let place = league(&[("ann", "sweeper"), ("bob", "shoots-at-random"), ("cleo", "always-skips")]);
    play(&place, "--games 4 --seed 1").expect_code(0);
    let journal = Connection::open(place.path("league.db")).unwrap();
    drop_triggers(&journal);
    journal.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).expect(sql);
    chain_again(&journal);
    drop(journal);
    place.arena("standings league.db").expect_code(0);
    let again = place.arena(VERIFY).expect_code(3).stdout;
    assert!(again.starts_with("another head: ") && again.contains(expected), "{sql}: {again}");
    let document = place.arena(&format!("{VERIFY} -o json")).expect_code(3).json();
    assert_eq!(document["same-head"], false);
    assert!(document["difference"]["link"].is_u64(), "{document}");
}

#[test]
fn a_journal_that_was_altered_and_chained_again_has_another_head() {
    check_difference(
        "UPDATE game SET outcome = CASE outcome WHEN 'first' THEN 'second' ELSE 'first' END WHERE number = 3",
        "in the journal, game 3, ann against cleo, their game 1\n  played again, it has other content",
    );
    check_difference(
        "UPDATE game SET first_seed = '00000000000000ff' WHERE number = 12",
        "in the journal, game 12, ",
    );
    check_difference(
        "UPDATE game SET first_score = first_score - (first_score > 0), second_score = second_score - (second_score > 0)
         WHERE number = 1",
        "in the journal, game 1, ",
    );
    check_difference("UPDATE bot SET name = 'a champion' WHERE number = 1", "in the journal, bot 1\n");
    // A game is left out, as if it had not been played.
    check_difference(
        "DELETE FROM game WHERE number = 5; DELETE FROM link WHERE kind = 'game' AND row = 5;
         UPDATE game SET number = number - 1 WHERE number > 5;
         UPDATE link SET number = number - 1, row = row - 1 WHERE kind = 'game' AND row > 5",
        "in the journal, game 5, ",
    );
}

#[test]
fn games_that_a_clock_decided_are_counted_and_not_reproduced() {
    let place = Place::with_specimens(&["loops-in-play", "sweeper", "shoots-at-random"]);
    place
        .arena(
            "run sweeper.wasm shoots-at-random.wasm loops-in-play.wasm --games 2 --fuel 1000000000000 --timeout 0.05 \
             --journal league.db --seed 1",
        )
        .expect_code(0);
    let document = place.arena(&format!("{VERIFY} -o json")).expect_code(3).json();
    assert_eq!(
        (&document["same-head"], document["decided-by-clock"].as_array().unwrap().len()),
        (&true.into(), 4)
    );
    let again = place.arena(VERIFY).expect_code(3).stdout;
    let note =
        "4 of 6 games not reproducible, because a clock decided them: taken from the journal as they are: ";
    assert!(again.starts_with(note) && again.contains("the same head: "), "{again}");
    assert!(again.contains("2 games played again"), "{again}");
}

#[test]
fn what_is_missing_to_play_a_season_again_is_named() {
    let place = season("--seed 1");
    let missing = place.arena(&format!("{VERIFY} sweeper.wasm shoots-at-random.wasm")).expect_code(2).stderr;
    assert!(missing.contains("bob is not among the bots given: no file has the hash"), "{missing}");
    fs::remove_dir_all(place.path("league.db.bots")).unwrap();
    let none = place.arena(VERIFY).expect_code(2).stderr;
    assert!(none.contains("no bots are named"), "{none}");
    let journal = Connection::open(place.path("league.db")).unwrap();
    drop_triggers(&journal);
    journal.execute("UPDATE conditions SET engine = 'another'", []).unwrap();
    chain_again(&journal);
    drop(journal);
    let other = place.arena(&format!("{VERIFY} .")).expect_code(2).stderr;
    assert!(other.contains("the hash of the engine is another in the journal and"), "{other}");
    for args in ["verify game.jsonl . --replay-all", &format!("{VERIFY} --sample 3")] {
        place.arena(args).expect_code(2);
    }
}

#[test]
fn a_season_of_a_game_that_is_a_component_is_played_again() {
    let place = Place::empty();
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.write("taker.wasm", arena_testkit::game_bot_component("").expect("it is a bot"));
    place
        .arena("run --game matches.wasm taker.wasm builtin:random --games 6 --seed 1 --journal league.db -q")
        .expect_code(0);
    fs::remove_file(place.path("matches.wasm")).unwrap();
    let again = place.arena(VERIFY).expect_code(0).stdout;
    assert!(again.contains("6 games played again"), "{again}");
}
