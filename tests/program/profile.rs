//! `arena profile`: the fuel of a bot by its functions.

use crate::support::Place;

#[test]
fn functions_are_listed_with_their_fuel_and_each_run_has_the_same_result() {
    let place = Place::with_house_bots();
    let profile = || place.arena("profile hunter.wasm --samples 200 -o json").expect_code(0).json();
    let document = profile();
    assert_eq!(document, profile());
    let functions = document["functions"].as_array().unwrap();
    let own: u64 = functions.iter().map(|function| function["own"].as_u64().unwrap()).sum();
    assert_eq!(own, document["samples"].as_u64().unwrap());
    assert_eq!(own + document["answered"].as_u64().unwrap(), 200);
    let named = |part: &str| functions.iter().find(|it| it["function"].as_str().unwrap().contains(part));
    let play = named("hunter::Hunter as arena_sdk::battleship::Bot>::play").expect("it is listed");
    assert!(2 * play["with-calls"].as_u64().unwrap() > own, "{document}");
}

#[test]
fn a_profile_is_shown_as_a_table_and_as_folded_stacks() {
    let place = Place::with_house_bots();
    let run =
        |form: &str| place.arena(&format!("profile hunter.wasm --samples 50 {form}")).expect_code(0).stdout;
    let table = run("--rules classic");
    assert!(table.contains("rules `classic`, ") && table.contains("with calls"), "{table}");
    let folded = run("-o folded");
    let samples: u64 =
        folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert!((40..=50).contains(&samples), "{folded}");
    assert!(folded.contains(";<hunter::Hunter as arena_sdk::battleship::Bot>::play"), "{folded}");
}

#[test]
fn turns_that_ran_out_of_fuel_are_in_the_profile_with_their_whole_budget() {
    let place = Place::with_specimens(&["loops-in-play"]);
    let run = |form: &str| {
        place.arena(&format!("profile loops-in-play.wasm --rules pirates --samples 9 {form}")).expect_code(0)
    };
    let document = run("-o json").json();
    let [fuel, turns, overruns, samples] =
        ["fuel", "turns", "overruns", "samples"].map(|name| document[name].as_u64().unwrap());
    assert_eq!((overruns, samples, document["answered"].as_u64()), (turns, 9, Some(0)), "{document}");
    assert!(turns > 0 && fuel == turns * 50_000_000, "{document}");
    let table = run("").stdout;
    assert!(table.contains("ran out of fuel") && table.contains("100.0 %"), "{table}");
}

#[test]
fn a_bot_whose_turns_all_fail_has_no_profile_and_says_so() {
    let place = Place::with_specimens(&["traps-in-play"]);
    for form in ["table", "json", "folded"] {
        let run = place.arena(&format!("profile traps-in-play.wasm --samples 5 -o {form}"));
        let run = run.expect_code(3);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
        let names = "next: `arena check traps-in-play.wasm` names the faults";
        assert!(run.stderr.contains("there is no profile") && run.stderr.contains(names), "{}", run.stderr);
    }
}
