//! `arena games`: the games of a journal, to find the one to look at.

use crate::support::{Place, signal};
use serde_json::Value;

const BOTS: &str = "sweeper.wasm always-skips.wasm traps-on-third-play.wasm";

/// A place with a journal, a.db, of a tournament in which one bot faults in all its games.
fn place() -> Place {
    let place = Place::with_specimens(&["sweeper", "always-skips", "traps-on-third-play"]);
    place.arena(&format!("run {BOTS} --games 6 --seed 1 --journal a.db")).expect_code(0);
    place
}

/// The games that are listed with these options.
fn games(place: &Place, options: &str) -> Vec<Value> {
    let run = place.arena(&format!("games a.db {options} -o jsonl")).expect_code(0);
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The numbers of these games.
fn numbers(place: &Place, options: &str) -> Vec<u64> {
    games(place, options).iter().map(|game| game["number"].as_u64().unwrap()).collect()
}

#[test]
fn games_and_faults_are_listed_as_a_table_as_csv_and_as_lines_of_json() {
    let place = place();
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        for form in ["table", "csv", "jsonl"] {
            let run = place.arena(&format!("games a.db -o {form} --top 8")).expect_code(0);
            insta::assert_snapshot!(format!("games_{form}"), run.stdout);
            let run = place.arena(&format!("games a.db --faults -o {form}")).expect_code(0);
            insta::assert_snapshot!(format!("games_faults_{form}"), run.stdout);
        }
    });
}

#[test]
fn filters_combine_and_orders_hold() {
    let place = place();
    let all: Vec<u64> = (1..=18).collect();
    assert_eq!(numbers(&place, ""), all);
    // Three matches go on at the same time, two games of each at a time.
    let with_a_trap = [3, 4, 5, 6, 9, 10, 11, 12, 15, 16, 17, 18];
    assert_eq!(numbers(&place, "--bot sweeper --against always-skips"), [1, 2, 7, 8, 13, 14]);
    assert_eq!(numbers(&place, "--lost-by traps-on-third-play"), with_a_trap);
    assert_eq!(
        numbers(&place, "--lost-by traps-on-third-play --won-by always-skips"),
        [5, 6, 11, 12, 17, 18]
    );
    assert!(numbers(&place, "--won-by traps-on-third-play").is_empty());
    let (longest, shortest) = (numbers(&place, "--longest --top 3"), numbers(&place, "--shortest"));
    assert_eq!((longest.len(), shortest.len()), (3, 18));
    let traps_first = shortest[..12].iter().all(|number| with_a_trap.contains(number));
    assert!(traps_first, "a game with a trap is short: {shortest:?}");
    let none = place.arena("games a.db --lost-by sweeper").expect_code(0);
    assert_eq!(none.stdout, "0 games, of 18 games played\n");
}

#[test]
fn an_upset_is_a_win_over_a_higher_rated_bot_and_the_most_surprising_one_is_first() {
    let place = Place::with_house_bots();
    let run = "run random.wasm sweeper.wasm hunter.wasm --games 60 --seed 1 --journal a.db -q";
    place.arena(run).expect_code(0);
    let chance = |game: &Value| game["chance"].as_f64().unwrap();
    let chances: Vec<f64> = games(&place, "--upsets").iter().map(chance).collect();
    assert!(!chances.is_empty() && chances.iter().all(|chance| *chance <= 0.5), "{chances:?}");
    assert!(chances.is_sorted(), "{chances:?}");
}

#[test]
fn the_game_that_is_named_in_the_last_line_can_be_replayed() {
    let place = place();
    let run = place.arena("games a.db --lost-by always-skips --longest").expect_code(0);
    let command = run.stdout.lines().last().unwrap().strip_prefix("to see one: arena ").unwrap();
    let shown = place.arena(&format!("{command} --headless")).expect_code(0);
    assert!(shown.stdout.contains("always-skips"), "{}", shown.stdout);
}

#[test]
fn the_games_of_a_journal_are_listed_while_it_is_written() {
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    let run = "run sweeper.wasm always-skips.wasm --games 100000 --journal a.db -o json";
    let mut child = place.start_and_play(run, "a.db", 3);
    assert_eq!(numbers(&place, "--top 3"), [1, 2, 3]);
    signal(&child, "KILL");
    child.wait().unwrap();
}
