//! Tables: ratings at the edges, anchors, disqualified bots, pairings, brackets and seeding.

use crate::support::{Beginning, Place, SEED, signal};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};

const FOUR: [&str; 4] = ["sweeper", "repeats-once-then-valid", "off-board-once", "always-skips"];
const FOUR_FILES: &str = "sweeper.wasm repeats-once-then-valid.wasm off-board-once.wasm always-skips.wasm";

/// A folder with four bots and the journal `a.db` of their round robin, in which `always-skips` loses every game.
fn place_with_journal() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(|| {
        let place = Place::with_specimens(&FOUR);
        place.arena(&format!("run {FOUR_FILES} --games 20 --seed {SEED} --journal a.db")).expect_code(0);
        place
    })
}

fn check_snapshot(name: &str, text: &str) {
    // The head of a journal depends on the engine.
    let filters = vec![("(links: )[0-9a-f]{64}", "${1}<sha256>")];
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters}, {
        insta::assert_snapshot!(name, text);
    });
}

/// The labels of the standings in a document, best first.
fn labels(document: &Value) -> Vec<&str> {
    document["standings"].as_array().unwrap().iter().map(|row| row["bot"].as_str().unwrap()).collect()
}

/// The row of a bot in a document.
fn row<'a>(document: &'a Value, bot: &str) -> &'a Value {
    let rows = document["standings"].as_array().unwrap();
    rows.iter().find(|row| row["bot"] == bot).unwrap_or_else(|| panic!("{bot} is in the standings"))
}

#[test]
fn a_bot_that_lost_everything_has_an_upper_bound_and_no_estimate() {
    let place = place_with_journal();
    let table = place.arena("standings a.db").expect_code(0);
    check_snapshot("ratings_at_the_edge", &table.stdout);
    let document = place.arena("standings a.db -o json").expect_code(0).json();
    let lost = row(&document, "always-skips");
    assert!(lost["elo"].is_null() && lost["low"].is_null() && lost["high"].as_f64().unwrap() < -100.0);
    let csv = place.arena("standings a.db -o csv").expect_code(0).stdout;
    assert!(csv.starts_with("place,bot,sha256,elo,low,high,los,points,"), "{csv}");
}

#[test]
fn ratings_are_differences_to_the_anchor_that_is_named() {
    let place = place_with_journal();
    let document = place.arena("standings a.db -o json --anchor off-board-once").expect_code(0).json();
    assert_eq!(document["anchors"], json!(["off-board-once"]));
    assert_eq!(row(&document, "off-board-once")["elo"], 0.0);
    let table = place.arena("standings a.db --anchor off-board-once").expect_code(0).stdout;
    assert!(table.contains("elo is the difference to off-board-once"), "{table}");
    // To a bot that lost everything, all others have lower bounds only.
    let document = place.arena("standings a.db -o json --anchor always-skips").expect_code(0).json();
    assert!(row(&document, "sweeper")["elo"].is_null() && row(&document, "sweeper")["low"].is_number());
    for command in ["standings a.db", &format!("run {FOUR_FILES} --games 2")] {
        let run = place.arena(&format!("{command} --anchor sweper")).expect_code(2);
        assert!(run.stderr.contains("there is no bot \"sweper\""), "{}", run.stderr);
        assert!(run.stderr.contains("name one of: sweeper, repeats-once-then-valid, "), "{}", run.stderr);
    }
}

#[test]
fn a_likelihood_of_superiority_is_too_early_before_ten_pairs() {
    let place = Place::with_specimens(&["sweeper", "off-board-once"]);
    for (games, is_early) in [(18, true), (20, false)] {
        let args = format!("run sweeper.wasm off-board-once.wasm --seed {SEED} --games {games}");
        let table = place.arena(&args).expect_code(0).stdout;
        assert_eq!(table.contains("too early"), is_early, "{table}");
        let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
        assert_eq!(document["standings"][0]["los"].is_null(), is_early);
    }
}

#[test]
fn disqualified_bots_have_no_rating_and_stand_last() {
    let place = Place::with_specimens(&["traps-in-play", "sweeper", "always-skips"]);
    // It beats the bot that does nothing before it traps, if it ever does; either way it is last.
    let args = format!(
        "run traps-in-play.wasm sweeper.wasm always-skips.wasm --games 10 --max-faults 3 --seed {SEED} --journal a.db"
    );
    let run = place.arena(&format!("{args} -o json")).expect_code(0).json();
    let kept = place.arena("standings a.db -o json").expect_code(0).json();
    for document in [&run, &kept] {
        assert_eq!(labels(document), ["sweeper", "always-skips", "traps-in-play"]);
        let out = row(document, "traps-in-play");
        assert_eq!(out["disqualified"], true);
        assert!(["elo", "low", "high", "los"].iter().all(|figure| out[figure].is_null()), "{out}");
        assert!(row(document, "always-skips")["los"].is_null());
        assert_eq!((&document["games-planned"], &document["games-played"]), (&json!(30), &json!(13)));
    }
    let table = place.arena("standings a.db").expect_code(0).stdout;
    let line = table.lines().find(|line| line.starts_with("3  traps-in-play")).expect("it is the last row");
    assert_eq!(line.split_whitespace().nth(2), Some("out"), "{line}");
    let csv = place.arena("standings a.db -o csv").expect_code(0).stdout;
    let last = csv.lines().last().unwrap();
    assert!(last.starts_with("3,traps-in-play,") && last.ends_with(",true,0,0"), "{last}");
}

#[test]
fn a_round_robin_that_is_not_over_is_ordered_by_rating() {
    let place = Place::with_specimens(&FOUR);
    let args = format!(
        "run always-skips.wasm sweeper.wasm off-board-once.wasm repeats-once-then-valid.wasm --games 2000 --seed {SEED} \
         --journal a.db"
    );
    let mut child = place.start(&args);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.by_ref().take(200).for_each(drop);
    signal(&child, "INT");
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let document = place.arena("standings a.db -o json").expect_code(0).json();
    assert_eq!((&document["complete"], &document["games-planned"]), (&json!(false), &json!(12_000)));
    let played = document["games-played"].as_u64().unwrap();
    assert!((200..12_000).contains(&played), "{played}");
    let rows = document["standings"].as_array().unwrap();
    let elos: Vec<f64> = rows.iter().filter_map(|row| row["elo"].as_f64()).collect();
    // A pair of games of each match comes before the next pair of any.
    let games: Vec<u64> = rows.iter().map(|row| row["games"].as_u64().unwrap()).collect();
    // By chance, the run may end where all have met equally often: then points decide.
    let points: Vec<f64> = rows.iter().filter_map(|row| row["points"].as_f64()).collect();
    let is_even =
        games.iter().all(|&count| count == games[0]) && points.is_sorted_by(|one, other| one >= other);
    assert!(elos.len() >= 2 && (is_even || elos.is_sorted_by(|one, other| one >= other)), "{elos:?}");
    assert!(games.iter().max().unwrap() - games.iter().min().unwrap() <= 6, "{games:?}");
}

#[test]
fn pairings_have_their_own_difference_and_the_points_in_each_seat() {
    let place = place_with_journal();
    check_snapshot("pairings", &place.arena("standings a.db --pairings").expect_code(0).stdout);
    let top = place.arena("standings a.db --pairings --top 2").expect_code(0).stdout;
    assert_eq!(top.lines().filter(|line| line.contains(" of 10")).count(), 1, "{top}");
    let document = place.arena("standings a.db -o json").expect_code(0).json();
    let pairing = &document["crosstable"][2];
    assert_eq!(pairing["bots"], json!(["sweeper", "always-skips"]));
    assert!(
        pairing["difference"]["low"].as_f64().unwrap() > 100.0 && pairing["difference"]["high"].is_null()
    );
    assert_eq!(
        pairing["seats"],
        json!([{ "games": 10, "points": [10.0, 0.0] }, { "games": 10, "points": [10.0, 0.0] }])
    );
    let run = place.arena("standings a.db --pairings -o csv").expect_code(2);
    assert!(run.stderr.contains("--pairings is a table") && run.stderr.contains("next:"), "{}", run.stderr);
}

#[test]
fn the_champion_of_a_knockout_is_named_first() {
    let place = Place::with_specimens(&FOUR);
    let args = format!("run {FOUR_FILES} --format knockout --games 2 --seed {SEED} --journal k.db");
    place.arena(&args).expect_code(0);
    let table = place.arena("standings k.db").expect_code(0).stdout;
    let document = place.arena("standings k.db -o json").expect_code(0).json();
    let champion = document["placings"]["knockout"]["places"][0]["bot"].as_str().unwrap();
    assert_eq!(table.lines().nth(1), Some(format!("champion: {champion}").as_str()), "{table}");
    assert_eq!(labels(&document)[0], champion);
    let [bracket, ratings] = ["winner", "elo"].map(|word| table.find(word).unwrap());
    assert!(bracket < ratings, "{table}");
}

#[test]
fn a_swiss_has_its_places_before_the_ratings() {
    let place = Place::with_specimens(&FOUR);
    let args = format!("run {FOUR_FILES} --format swiss --rounds 2 --games 2 --seed {SEED}");
    let table = place.arena(&args).expect_code(0).stdout;
    assert!(table.find("buchholz").unwrap() < table.find("elo").unwrap(), "{table}");
}

#[test]
fn a_knockout_is_seeded_by_the_ratings_of_a_journal() {
    let place = place_with_journal();
    let ranked = place.arena("standings a.db -o json").expect_code(0).json();
    let ranked: Vec<String> = labels(&ranked).into_iter().map(str::to_owned).collect();
    place.write("stranger.wasm", arena_testkit::zoo("remembers"));
    let knockout = format!(
        "run stranger.wasm always-skips.wasm off-board-once.wasm repeats-once-then-valid.wasm sweeper.wasm --format knockout \
         --games 2 --seed {SEED} --seeding a.db -o json"
    );
    let bots = |document: &Value| -> Vec<String> {
        let bots = document["bots"].as_array().unwrap();
        bots.iter().map(|bot| bot["label"].as_str().unwrap().to_owned()).collect()
    };
    let run = place.arena(&format!("{knockout} --journal k.db")).expect_code(0);
    let seeded = bots(&run.json());
    // The one with the lowest rating before the one without.
    assert_eq!(seeded[3..], ["always-skips", "stranger"]);
    assert_eq!((seeded.len(), &seeded[0]), (5, &ranked[0]));
    assert!(
        run.stderr.contains(
            "seeded by the ratings of a.db: 4 of 5 bots; it has no rating of stranger, seeded last"
        ),
        "{}",
        run.stderr
    );
    // A run that is continued keeps its bracket, even if the other journal has other ratings now.
    place
        .arena(&format!("run always-skips.wasm sweeper.wasm --games 2 --seed {SEED} --journal b.db"))
        .expect_code(0);
    let resumed =
        place.arena(&format!("{} --journal k.db --resume", knockout.replace("a.db", "b.db"))).expect_code(0);
    assert_eq!(resumed.json(), run.json());
    let swiss = place.arena(&knockout.replace("knockout", "swiss")).expect_code(0);
    assert_eq!(bots(&swiss.json()), seeded);
}

#[test]
fn seeding_is_for_formats_that_have_one_and_needs_a_journal() {
    let place = Place::with_specimens(&FOUR);
    for (options, phrase) in [
        ("--seeding a.db", "--seeding is for --format swiss or knockout"),
        ("--seeding a.db --format knockout", "a.db"),
    ] {
        let run = place.arena(&format!("run {FOUR_FILES} --games 2 {options}")).expect_code(2);
        assert!(run.stderr.contains(phrase) && run.stderr.contains("next:"), "{}", run.stderr);
    }
}

#[test]
fn standings_are_ordered_by_score_if_they_are_asked_to_be_and_the_game_gives_scores() {
    let place = Place::with_specimens(&["always-skips", "sweeper"]);
    place.arena("run always-skips.wasm sweeper.wasm --games 2 --seed 1 --journal a.db").expect_code(0);
    for args in ["standings a.db --by score -o json", "standings a.db -o json"] {
        let document = place.arena(args).expect_code(0).json();
        assert_eq!(labels(&document), ["sweeper", "always-skips"], "{args}");
        let sweeper = row(&document, "sweeper");
        assert!(sweeper["score"].as_f64().is_some_and(|score| score > 300.0), "{sweeper}");
        assert!(sweeper["score-error"].is_null(), "one pair has no spread: {sweeper}");
        assert_eq!(row(&document, "always-skips")["score"], 0.0);
    }
    let run = place.arena("sprt always-skips.wasm sweeper.wasm --by score --score1 1 --seed 1 -o json");
    let document = run.expect_code(4).json();
    assert_eq!((&document["decision"], &document["test"]["score1"]), (&json!("accept-h0"), &json!(1.0)));
    assert!(document["score-difference"]["score"].as_f64().is_some_and(|score| score < -300.0), "{document}");
    for (args, why) in [
        ("--by score", "--by score needs --score1"),
        ("--score1 1", "the test is by result"),
        ("--by score --score1 500", "score0 and score1 must be numbers from -400 to 400"),
    ] {
        let said = place.arena(&format!("sprt always-skips.wasm sweeper.wasm {args}")).expect_code(2).stderr;
        assert!(said.contains(why), "{args}: {said}");
    }
}
