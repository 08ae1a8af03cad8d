//! A season in one journal: bots are added, changed and retired, and every game stays.

use crate::chain::{drop_triggers, links};
use crate::support::{Place, Run, signal};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A folder `bots` with specimens, each under a name of its own, and specimens to bring later in the folder itself.
pub fn league(bots: &[(&str, &str)]) -> Place {
    let place = Place::with_specimens(&[
        "sweeper",
        "shoots-at-random",
        "always-skips",
        "repeats-once-then-valid",
        "traps-on-third-play",
    ]);
    fs::create_dir(place.path("bots")).unwrap();
    bots.iter().for_each(|(label, specimen)| bring(&place, label, specimen));
    place
}

/// Brings a bot, or a new version of one.
pub fn bring(place: &Place, label: &str, specimen: &str) {
    fs::copy(place.path(&format!("{specimen}.wasm")), place.path(&format!("bots/{label}.wasm"))).unwrap();
}

pub fn leave(place: &Place, label: &str) {
    fs::remove_file(place.path(&format!("bots/{label}.wasm"))).unwrap();
}

fn rename(place: &Place, from: &str, to: &str) {
    fs::rename(place.path(&format!("bots/{from}.wasm")), place.path(&format!("bots/{to}.wasm"))).unwrap();
}

/// Plays what is missing.
pub fn play(place: &Place, options: &str) -> Run {
    place.arena(&format!("run bots --journal league.db {options}"))
}

pub fn standings(place: &Place, journal: &str) -> Value {
    let of =
        |options: &str| place.arena(&format!("standings {journal} {options} -o json")).expect_code(0).json();
    let now = of("");
    if !journal.contains("--at") {
        // From all games, and not counted in one pass.
        let mut then = of("--at 2999-12-31");
        // At that time, its seed may not have been revealed.
        then["head"] = now["head"].clone();
        assert_eq!(now, then);
    }
    now
}

/// The number of games of each bot in the standings.
pub fn games(standings: &Value) -> BTreeMap<String, u64> {
    let row = |row: &Value| (row["bot"].as_str().unwrap().to_owned(), row["games"].as_u64().unwrap());
    standings["standings"].as_array().unwrap().iter().map(row).collect()
}

pub fn counts(expected: &[(&str, u64)]) -> BTreeMap<String, u64> {
    expected.iter().map(|&(label, games)| (label.to_owned(), games)).collect()
}

/// The lines of games that a run has printed.
fn lines_of_games(run: &Run) -> usize {
    run.stdout.split("\n\n").next().unwrap().lines().count()
}

#[test]
fn a_week_of_a_league_plays_what_is_missing_and_nothing_twice() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    let monday = play(&place, "--games 4 --seed 1").expect_code(0);
    assert_eq!(lines_of_games(&monday), 4);

    bring(&place, "cleo", "repeats-once-then-valid");
    let tuesday = play(&place, "").expect_code(0);
    assert_eq!(lines_of_games(&tuesday), 8);
    assert!(tuesday.stderr.contains("has 4 of 12 games\n  cleo is new"), "{}", tuesday.stderr);

    bring(&place, "bob", "shoots-at-random");
    let wednesday = play(&place, "").expect_code(0);
    assert_eq!(lines_of_games(&wednesday), 8);
    assert!(wednesday.stderr.contains("has 12 of 20 games\n  bob is a new version"), "{}", wednesday.stderr);
    let expected = counts(&[("ann", 12), ("bob", 8), ("bob@1", 8), ("cleo", 12)]);
    assert_eq!(games(&standings(&place, "league.db")), expected);

    rename(&place, "ann", "anna");
    let thursday = play(&place, "").expect_code(0);
    assert!(thursday.stderr.contains("has 20 of 20 games\n  ann is renamed to anna"), "{}", thursday.stderr);
    assert!(thursday.stdout.starts_with("\n"), "no game is played: {}", thursday.stdout);

    leave(&place, "cleo");
    let friday = play(&place, "--games 6").expect_code(0);
    assert_eq!(lines_of_games(&friday), 2);
    assert!(friday.stderr.contains("cleo is retired; its games stay"), "{}", friday.stderr);
    assert!(friday.stderr.contains("it continues as round-robin, 6 games a match"), "{}", friday.stderr);

    bring(&place, "cleo", "repeats-once-then-valid");
    let saturday = play(&place, "").expect_code(0);
    assert_eq!(lines_of_games(&saturday), 4);
    assert!(saturday.stderr.contains("cleo is back"), "{}", saturday.stderr);

    let sunday = standings(&place, "league.db");
    assert_eq!(games(&sunday), counts(&[("anna", 16), ("bob", 12), ("bob@1", 8), ("cleo", 16)]));
    assert_eq!(
        (&sunday["games-played"], &sunday["complete"], &sunday["gone"][0]),
        (&26.into(), &true.into(), &"bob@1".into())
    );
    let verified = place.arena("verify --journal league.db bots always-skips.wasm").expect_code(0);
    assert!(verified.stdout.ends_with("verified 26 of 26\n"), "{}", verified.stdout);
    // A report has all of it, and the head to verify it against.
    place.arena("report league.db -o site").expect_code(0);
    let front = fs::read_to_string(place.path("site/index.html")).unwrap();
    let head = sunday["head"]["sha256"].as_str().unwrap();
    assert!(front.contains("no longer play: bob@1"), "{front}");
    assert!(front.contains(&format!("verify --journal journal.db bots/ --head {head}")), "{front}");
}

#[test]
fn a_season_is_the_same_for_any_number_of_workers() {
    let heads = ["1", "2", "5"].map(|jobs| {
        let place = league(&[("ann", "sweeper"), ("bob", "shoots-at-random"), ("cleo", "always-skips")]);
        play(&place, &format!("--games 10 --seed 1 --jobs {jobs}")).expect_code(0);
        bring(&place, "dan", "traps-on-third-play");
        play(&place, &format!("--max-faults 3 --seed 2 --jobs {jobs}")).expect_code(0);
        standings(&place, "league.db")
    });
    assert!(heads[0]["head"]["sha256"].is_string());
    assert!(heads[0]["disqualified"][0]["bot"] == "dan", "{}", heads[0]["disqualified"]);
    assert!(heads[0] == heads[1] && heads[0] == heads[2]);
}

#[test]
fn a_season_that_was_killed_goes_on_to_the_undisturbed_journal() {
    let begin = || {
        let place = league(&[("ann", "sweeper"), ("bob", "shoots-at-random"), ("cleo", "always-skips")]);
        play(&place, "--games 40 --seed 1").expect_code(0);
        bring(&place, "bob", "repeats-once-then-valid");
        place
    };
    let whole = begin();
    play(&whole, "--games 400 --seed 2").expect_code(0);
    let torn = begin();
    for _ in 0..3 {
        let run = "run bots --journal league.db --games 400 --seed 2 -o json";
        let mut child = torn.start_and_play(run, "league.db", 30);
        signal(&child, "KILL");
        child.wait().unwrap();
    }
    play(&torn, "--resume").expect_code(0);
    assert_eq!(standings(&torn, "league.db"), standings(&whole, "league.db"));
}

#[test]
fn a_run_that_is_continued_has_the_settings_of_the_journal() {
    let place = league(&[("ann", "sweeper"), ("bob", "traps-on-third-play"), ("cleo", "always-skips")]);
    let options = "--games 8 --format gauntlet --challengers 2 --max-faults 2 --rules classic --fuel 200000000 --memory 32 --seed 1";
    let first = play(&place, &format!("{options} -o json")).expect_code(0).json();
    for more in ["", "--resume", "--resume --max-faults 2"] {
        let again = play(&place, &format!("{more} -o json")).expect_code(0);
        assert_eq!(again.json(), first, "{more}");
    }
    let stages = place.arena("journal info league.db -o json").expect_code(0).json()["stages"].clone();
    assert_eq!(stages.as_array().unwrap().len(), 1, "{stages}");
}

#[test]
fn a_limit_that_is_lifted_lets_a_disqualified_bot_play_on() {
    let place = league(&[("ann", "sweeper"), ("bob", "traps-on-third-play")]);
    let strict = play(&place, "--games 10 --max-faults 2 --seed 1").expect_code(0);
    assert!(strict.stdout.contains("bob is disqualified after game 2, trap"), "{}", strict.stdout);
    assert_eq!(standings(&place, "league.db")["games-played"], 2);
    // Games forfeited to the other bot stay forfeited.
    let lifted = play(&place, "--max-faults 0 --games 14").expect_code(0);
    assert_eq!(lines_of_games(&lifted), 4);
    assert_eq!(standings(&place, "league.db")["games-played"], 6);
}

#[test]
fn the_order_in_which_bots_are_named_does_not_matter_in_a_round_robin() {
    let place = league(&[]);
    let run = |bots: &str| {
        place.arena(&format!("run {bots} --games 4 --journal a.db --seed 1 -o json")).expect_code(0).json()
    };
    assert_eq!(run("sweeper.wasm always-skips.wasm"), run("always-skips.wasm sweeper.wasm"));
}

#[track_caller]
fn check_refused(place: &Place, args: &str, phrase: &str) {
    let before = fs::read(place.path("a.db")).unwrap();
    let run = place.arena(&format!("{args} --journal a.db")).expect_code(2);
    assert!(run.stderr.contains(phrase) && run.stderr.contains("next: "), "{}", run.stderr);
    assert_eq!(before, fs::read(place.path("a.db")).unwrap(), "the journal is unchanged");
}

#[test]
fn a_swiss_and_a_knockout_keep_their_bots_and_their_matches() {
    let place = league(&[]);
    let bots = "sweeper.wasm always-skips.wasm shoots-at-random.wasm";
    for format in ["swiss --rounds 2", "knockout"] {
        let run = format!("run {bots} --games 4 --format {format} --seed 1 --journal a.db -o json");
        let first = place.arena(&run).expect_code(0).json();
        assert_eq!(
            place.arena(&format!("run {bots} --resume --journal a.db -o json")).expect_code(0).json(),
            first
        );
        // The bracket is drawn once.
        let other_order = "run shoots-at-random.wasm sweeper.wasm always-skips.wasm --journal a.db -o json";
        assert_eq!(place.arena(other_order).expect_code(0).json(), first);
        check_refused(
            &place,
            &format!("run {bots} --games 6"),
            "the length of a match is 4 games in the journal and 6 games now",
        );
        check_refused(&place, &format!("run {bots} --format round-robin"), "and round-robin now");
        check_refused(
            &place,
            &format!("run {bots} traps-on-third-play.wasm"),
            "the bot traps-on-third-play is not a contestant",
        );
        check_refused(
            &place,
            "run sweeper.wasm always-skips.wasm",
            "shoots-at-random is a contestant in the journal",
        );
        fs::remove_file(place.path("a.db")).unwrap();
    }
}

#[test]
fn a_swiss_goes_on_with_more_rounds_and_not_with_fewer() {
    let place = league(&[]);
    let run = "run sweeper.wasm always-skips.wasm shoots-at-random.wasm repeats-once-then-valid.wasm --games 2 --format swiss --seed 1";
    let whole = place.arena(&format!("{run} --rounds 3 -o json")).expect_code(0).json();
    place.arena(&format!("{run} --rounds 2 --journal a.db")).expect_code(0);
    let run = run.replace("--seed 1", "");
    let longer = place.arena(&format!("{run} --rounds 3 --journal a.db -o json")).expect_code(0).json();
    let of_two_rounds = |document: &Value| document["games"].as_array().unwrap()[..4].to_vec();
    assert_eq!(of_two_rounds(&longer), of_two_rounds(&whole), "only the third round has another seed");
    assert_eq!(longer["games"].as_array().map(Vec::len), whole["games"].as_array().map(Vec::len));
    check_refused(
        &place,
        &format!("{run} --rounds 2"),
        "swiss of 3 rounds in the journal and swiss of 2 rounds now",
    );
}

#[test]
fn the_content_of_a_journal_is_printed() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 4 --seed 1").expect_code(0);
    bring(&place, "bob", "shoots-at-random");
    play(&place, "").expect_code(0);
    let filters = vec![
        ("[0-9a-f]{64}", "<sha256>"),
        ("engine [0-9a-f]{16}", "engine <hash>"),
        ("arena [0-9.]+, ", "arena <version>, "),
        ("\"arena\": \"[0-9.]+\"", "\"arena\": \"<version>\""),
        ("\"engine\": \"[0-9a-f]{16}\"", "\"engine\": \"<hash>\""),
    ];
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters}, {
        for output in ["table", "json"] {
            let run = place.arena(&format!("journal info league.db -o {output}")).expect_code(0);
            insta::assert_snapshot!(format!("journal_info_{output}"), run.stdout);
        }
    });
}

#[test]
fn what_was_tampered_with_is_found_by_verify_and_not_counted() {
    for (sql, phrase) in [
        ("DELETE FROM game WHERE number = 2", "game 2: it was removed"),
        ("UPDATE entrant SET label = 'winner' WHERE number = 1", "entrant 1: it was changed"),
        ("UPDATE game SET first_score = first_score + 1 WHERE number = 1", "game 1: it was changed"),
        (
            "UPDATE game SET outcome = 'draw', reason = 'both-skipped' WHERE number = 3",
            "game 3: it was changed",
        ),
        (
            "UPDATE game SET events = (SELECT events FROM game WHERE number = 1) WHERE number = 2",
            "game 2: it was changed",
        ),
    ] {
        let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
        play(&place, "--games 4 --seed 1").expect_code(0);
        tamper(&place, sql);
        for args in ["verify --journal league.db bots", "standings league.db", "run bots --journal league.db"]
        {
            let run = place.arena(args).expect_code(2);
            assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
        }
    }
}

#[test]
fn a_published_head_shows_that_a_journal_was_cut() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 4 --seed 1").expect_code(0);
    let head = standings(&place, "league.db")["head"]["sha256"].as_str().unwrap().to_owned();
    let table = place.arena("standings league.db").expect_code(0).stdout;
    assert!(table.contains(&head), "{table}");
    play(&place, "--games 6").expect_code(0);
    let verify = format!("verify --journal league.db bots --head {head}");
    place.arena(&verify).expect_code(0);
    tamper(
        &place,
        "DELETE FROM link WHERE number >= (SELECT number FROM link WHERE kind = 'game' AND row = 4); \
         DELETE FROM game WHERE number >= 4; \
         DELETE FROM stage WHERE number = 2; DELETE FROM entrant WHERE stage = 2; \
         DELETE FROM draw WHERE stage = 2; DELETE FROM clock WHERE number > 1",
    );
    place.arena("verify --journal league.db bots").expect_code(0);
    let cut = place.arena(&verify).expect_code(2);
    assert!(
        cut.stderr.contains("its chain has no link") && cut.stderr.contains("was truncated"),
        "{}",
        cut.stderr
    );
}

/// Runs SQL on the journal as an attacker could who removes its triggers.
fn tamper(place: &Place, sql: &str) {
    let journal = rusqlite::Connection::open(place.path("league.db")).unwrap();
    drop_triggers(&journal);
    journal.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).expect(sql);
}

#[test]
fn the_chain_is_as_documented() {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips")]);
    play(&place, "--games 4 --seed secret").expect_code(0);
    bring(&place, "bob", "shoots-at-random");
    play(&place, "").expect_code(0);
    let journal = rusqlite::Connection::open(place.path("league.db")).unwrap();
    let head = standings(&place, "league.db")["head"].clone();
    let links = links(&journal);
    assert_eq!(
        (&head["links"], &head["sha256"]),
        (&links.len().into(), &links.last().unwrap().1.as_str().into())
    );
}
