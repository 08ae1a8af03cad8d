//! `arena sprt`: a sequential test if the new bot is better.

use crate::support::Place;
use crate::terminal;

/// A place with the house bots, and with a bot that differs from `random` only in its name.
fn place() -> Place {
    let place = Place::with_house_bots();
    let random = std::fs::read(place.path("random.wasm")).unwrap();
    // The word is in several places of the file; one of them is the name that the bot answers.
    let spots = random.windows(6).enumerate().filter(|(_, bytes)| bytes == b"random").map(|(at, _)| at);
    for at in spots {
        let mut renamed = random.clone();
        renamed[at..at + 6].copy_from_slice(b"rondam");
        place.write("renamed.wasm", renamed);
        if place.arena("check renamed.wasm").stdout.contains("rondam") {
            return place;
        }
    }
    panic!("the file of random does not have its name");
}

#[test]
fn a_bot_that_is_far_better_is_found_better_in_few_games() {
    let run =
        place().arena("sprt hunter.wasm random.wasm --elo0 0 --elo1 10 --seed 1 -o json").expect_code(0);
    let document = run.json();
    assert_eq!(document["decision"], "accept-h1");
    assert!(document["pairs"].as_u64().unwrap() <= 100, "{}", run.stdout);
}

#[test]
fn a_bot_that_differs_only_in_its_name_is_not_found_better() {
    let run = place().arena("sprt renamed.wasm random.wasm --elo0 0 --elo1 10 -o json").expect_code(4);
    let document = run.json();
    assert_eq!(document["decision"], "accept-h0");
    // The two play the same with the same seeds, so that each pair is split.
    let pairs = document["pairs"].as_u64().unwrap();
    assert_eq!(document["pentanomial"], serde_json::json!([0, 0, pairs, 0, 0]));
}

#[test]
fn a_test_with_too_few_games_ends_undecided() {
    let run = place()
        .arena("sprt renamed.wasm random.wasm --elo0 0 --elo1 0.5 --max-pairs 3 -o json")
        .expect_code(5);
    assert_eq!((&run.json()["decision"], &run.json()["pairs"]), (&"undecided".into(), &3.into()));
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let place = place();
    let test = |jobs: u32| {
        let args = format!("sprt hunter.wasm sweeper.wasm --elo0 200 --elo1 400 --seed 1 --jobs {jobs}");
        place.arena(&args).stdout
    };
    assert_eq!(test(1), test(4));
}

#[test]
fn progress_shows_the_ratio_between_its_bounds_and_no_time_to_the_last_pair() {
    let place = place();
    let mut terminal = terminal::start(&place, "sprt renamed.wasm random.wasm --elo0 0 --elo1 0.1 --seed 1");
    terminal.shows(" of 100000 pairs at most  ");
    terminal.shows("/s  LLR ");
    terminal.shows(" of -2.94 to 2.94");
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 130);
}

#[test]
fn the_usual_block_is_printed() {
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    let run = place.arena("sprt sweeper.wasm always-skips.wasm --seed 1").expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("sprt", run.stdout);
    });
}

#[test]
fn a_test_in_normalised_elo_concludes_in_it() {
    let place = Place::with_house_bots();
    let test = |more: &str| {
        let words = format!("sprt random.wasm hunter.wasm --elo0 500 --elo1 1000 --seed 5 {more}");
        place.arena(&words).expect_code(4).stdout
    };
    let normalised = test("--model normalized");
    assert!(normalised.contains("random is not better than hunter by 1000 normalised Elo\n"), "{normalised}");
    assert!(normalised.contains(" [500.00, 1000.00] normalised Elo\n"), "{normalised}");
    let plain = test("");
    assert!(plain.contains("random is not better than hunter by 1000 Elo\n"), "{plain}");
    assert!(plain.contains(" [500.00, 1000.00]\n"), "{plain}");
}

#[test]
fn bots_that_are_at_fault_in_every_game_end_the_test_with_the_reason() {
    let place = Place::with_specimens(&["traps-in-deploy", "loops-in-deploy"]);
    for journal in ["", "--journal test.db"] {
        let words =
            format!("sprt traps-in-deploy.wasm loops-in-deploy.wasm --fuel 100000 --seed 1 {journal}");
        let printed = place.arena(&words).expect_code(5).stdout;
        let reason = "not decided: both bots are at fault in every game, so no pair counts\n";
        assert!(printed.contains(reason), "{printed}");
        assert!(printed.contains("no contest, which does not count: 50 pairs"), "{printed}");
    }
    let document = place
        .arena("sprt traps-in-deploy.wasm loops-in-deploy.wasm --fuel 100000 --seed 1 -o json")
        .expect_code(5)
        .json();
    assert_eq!(document["no-pair-counts"], true);
    // One of them at fault is a result.
    let place = Place::with_specimens(&["sweeper", "traps-in-deploy"]);
    let printed = place.arena("sprt sweeper.wasm traps-in-deploy.wasm --seed 1").expect_code(0).stdout;
    assert!(printed.contains("H1 accepted"), "{printed}");
}

#[test]
fn a_bot_against_itself_is_noted_before_the_first_game() {
    let place = Place::with_specimens(&["sweeper", "repeats"]);
    place.write("copy.wasm", arena_testkit::zoo("sweeper"));
    let note = "note: both bots are the same component";
    for journal in ["", "--journal test.db"] {
        let run = place.arena(&format!("sprt sweeper.wasm copy.wasm --max-pairs 1 {journal}")).expect_code(5);
        assert!(run.stderr.contains(note), "{}", run.stderr);
    }
    let run = place.arena("sprt sweeper.wasm repeats.wasm --max-pairs 1").expect_code(5);
    assert!(!run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn options_that_make_no_test_are_refused() {
    let place = place();
    for (options, phrase) in [
        ("--elo0 10 --elo1 10", "--elo1"),
        ("--elo0 10 --elo1 0", "--elo1"),
        ("--alpha 0", "--alpha"),
        ("--beta 1", "--beta"),
        ("--elo1 NaN", "--elo1"),
        ("--alpha 0.6 --beta 0.6", "--alpha"),
    ] {
        let run = place.arena(&format!("sprt hunter.wasm random.wasm {options}")).expect_code(2);
        assert!(run.stderr.contains(phrase), "{options}: {}", run.stderr);
    }
}

#[test]
fn a_test_in_a_journal_is_the_same_test_and_its_games_can_be_looked_at() {
    let place = Place::with_house_bots();
    let words = "sprt hunter.wasm random.wasm --seed 1";
    let test = |more: &str| place.arena(&format!("{words} {more} -o json")).expect_code(0).json();
    let document = test("");
    assert_eq!(test("--journal test.db"), document);
    let games = place.arena("games test.db -o jsonl").expect_code(0).stdout;
    // Games that were under way at the end are in the journal, too, and do not count.
    let lines: Vec<serde_json::Value> =
        games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let counted = 2 * document["pairs"].as_u64().unwrap() as usize;
    assert!(lines.len() >= counted, "{}", lines.len());
    let wins = lines[..counted].iter().filter(|game| game["winner"] == "hunter").count();
    let pairs = document["pentanomial"].as_array().unwrap().iter().zip(0..);
    // A pair is worth as many half points as its place; there are no draws between these two.
    let points: u64 = pairs.map(|(count, halves)| count.as_u64().unwrap() * halves).sum();
    assert_eq!(2 * wins as u64, points);
    place.arena("verify --journal test.db").expect_code(0);
    // A test begins with its first game.
    let again = place.arena(&format!("{words} --journal test.db")).expect_code(2).stderr;
    assert!(again.contains("there is such a journal"), "{again}");
}
