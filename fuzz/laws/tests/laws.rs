//! The laws on stable Rust, without a fuzzer: on the seeds in `fuzz/corpus`, on random bytes, and on seeds with a few
//! changes.

mod changes;

use arena_laws::LAWS;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Makes a test for each law, with the number of inputs in addition to the seeds.
macro_rules! hold {
    ($($law:ident on $inputs:expr,)*) => {
        $(#[test]
        fn $law() {
            check(stringify!($law), arena_laws::$law, $inputs);
        })*

        const TESTED: &[&str] = &[$(stringify!($law)),*];
    };
}

// Chosen: all of them together take about ten seconds on one core, most of which is for compiling seeds that are still
// components after the changes.
hold! {
    any_code_gets_a_verdict_and_the_same_one_twice on 400,
    battles_keep_their_invariants on 20_000,
    client_lines_survive_any_bytes on 20_000,
    legal_fleets_are_found_and_drawn on 5_000,
    loading_never_panics_or_hangs on 10_000,
    recorded_games_replay_as_they_were_played on 20_000,
    rules_refuse_or_accept_any_placement on 50_000,
    shot_board_survives_any_history on 20_000,
    submarine_keeps_its_invariants on 10_000,
    text_from_outside_is_plain on 20_000,
    transcripts_survive_any_bytes on 50_000,
}

/// The largest number of random bytes. Chosen: most drawn games end within a few hundred.
const RANDOM_BYTES_MAX: usize = 600;

#[track_caller]
fn check(name: &str, law: fn(&[u8]), inputs: u32) {
    let seeds = seeds(name);
    seeds.iter().for_each(|seed| law(seed));

    let random = prop::collection::vec(any::<u8>(), 0..RANDOM_BYTES_MAX);
    let changed = (prop::sample::select(seeds.clone()), changes::few()).prop_map(move |(seed, changes)| {
        changes.iter().fold(seed, |bytes, change| change.apply(bytes, &seeds))
    });
    let input = prop_oneof![1 => random, 2 => changed];
    // A failure is printed completely, and becomes a seed once it is repaired.
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(inputs) };
    let ran = TestRunner::new(config).run(&input, |bytes| {
        law(&bytes);
        Ok(())
    });
    match ran {
        Ok(()) => {}
        Err(TestError::Fail(why, bytes)) => panic!("{name}: {why}\nfor b\"{}\"", bytes.escape_ascii()),
        Err(TestError::Abort(why)) => panic!("{name}: {why}"),
    }
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The seeds of a law in the order of their names. The findings of a fuzzer, which have names of 40 hexadecimal digits, are
/// left out, so that the test is the same on every machine.
fn seeds(law: &str) -> Vec<Vec<u8>> {
    let is_found = |name: &str| name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let names = names(&fuzz().join("corpus").join(law));
    let seeds: Vec<_> = names
        .into_iter()
        .filter(|name| !is_found(name))
        .map(|name| fs::read(fuzz().join("corpus").join(law).join(name)).expect("a seed can be read"))
        .collect();
    assert!(!seeds.is_empty(), "{law} has seeds");
    seeds
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("it is ASCII"))
        .collect()
}

#[test]
fn each_law_has_a_test_and_a_fuzz_target_and_seeds_by_its_name() {
    let laws: BTreeSet<String> = LAWS.iter().map(|law| law.name.to_owned()).collect();
    assert_eq!(laws.len(), LAWS.len());
    assert_eq!(laws, TESTED.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(laws, names(&fuzz().join("corpus")));
    let targets = names(&fuzz().join("fuzz_targets"));
    let without_ending = |name: &String| name.trim_end_matches(".rs").to_owned();
    assert_eq!(laws, targets.iter().map(without_ending).collect());
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("the fuzz targets have a manifest");
    for name in laws {
        let target = fs::read_to_string(fuzz().join("fuzz_targets").join(&name).with_extension("rs"));
        assert!(target.is_ok_and(|text| text.contains(&format!("arena_laws::{name}(data)"))), "{name}");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}
