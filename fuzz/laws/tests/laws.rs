//! The laws on stable Rust, without a fuzzer: on the seeds in `fuzz/corpus`, on random bytes, and on seeds with a few
//! changes.

use arena_laws::driver::{self, Driver, Violation};
use arena_laws::{LAWS, Law};
use std::collections::BTreeSet;
use std::fs;

/// Makes a test for each law, with the number of inputs in addition to the seeds.
macro_rules! hold {
    ($($law:ident on $inputs:expr,)*) => {
        $(#[test]
        fn $law() {
            check(Law { name: stringify!($law), check: arena_laws::$law }, $inputs);
        })*

        const TESTED: &[&str] = &[$(stringify!($law)),*];
    };
}

// Chosen: all of them together took 120 s of processor time on a slow machine, measured, and none more than 20.
hold! {
    any_code_gets_a_verdict_and_the_same_one_twice on 400,
    battles_keep_their_invariants on 20_000,
    client_lines_survive_any_bytes on 20_000,
    compiler_answers_get_a_verdict on 20_000,
    games_without_deployments_replay_as_they_were_played on 5_000,
    journals_survive_any_bytes on 1_000,
    journals_survive_any_row on 500,
    legal_fleets_are_found_and_drawn on 5_000,
    loading_never_panics_or_hangs on 10_000,
    overlays_stay_on_the_board on 1_000,
    packed_events_survive_any_bytes on 20_000,
    recorded_games_replay_as_they_were_played on 20_000,
    rules_refuse_or_accept_any_placement on 50_000,
    served_games_survive_any_bytes on 2_000,
    shot_board_survives_any_history on 20_000,
    submarine_keeps_its_invariants on 10_000,
    text_from_outside_is_plain on 20_000,
    transcripts_survive_any_bytes on 50_000,
}

#[track_caller]
fn check(law: Law, inputs: u32) {
    let name = law.name;
    let driver = Driver::new(law);
    driver.try_seeds(|_| {});
    if let Err(Violation { why, input }) = driver.try_inputs(inputs, |_| {}) {
        panic!("{name}: {why}\nfor b\"{}\"", input.escape_ascii());
    }
}

#[test]
fn each_law_has_a_test_a_fuzz_target_and_seeds_with_its_name() {
    let fuzz = driver::folder();
    let laws: BTreeSet<String> = LAWS.iter().map(|law| law.name.to_owned()).collect();
    assert_eq!(laws.len(), LAWS.len());
    assert_eq!(laws, TESTED.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(laws, driver::names(&fuzz.join("corpus")));
    let targets = driver::names(&fuzz.join("fuzz_targets"));
    let without_ending = |name: &String| name.trim_end_matches(".rs").to_owned();
    assert_eq!(laws, targets.iter().map(without_ending).collect());
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).expect("the fuzz targets have a manifest");
    for name in laws {
        let target = fs::read_to_string(fuzz.join("fuzz_targets").join(&name).with_extension("rs"));
        assert!(target.is_ok_and(|text| text.contains(&format!("arena_laws::{name}(data)"))), "{name}");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}
