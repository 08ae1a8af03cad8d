//! The cases that measure the time of a unit of fuel: they are complete, and each runs until its fuel is used up.

use crate::common::{FUEL, admit, deploy, fault, play, player};
use arena_referee::FaultClass;
use arena_testkit::operators::{UNREPEATABLE, cases, operators};
use std::collections::HashSet;

#[test]
fn every_operator_that_bots_may_use_has_a_case() {
    let cases: HashSet<String> = cases().into_iter().map(|case| case.operator).collect();
    let without: Vec<String> =
        operators().into_iter().map(|operator| operator.name).filter(|name| !cases.contains(name)).collect();
    assert_eq!(without, UNREPEATABLE);
}

/// Admits the first case of each operator, and lets it use up a small budget.
#[test]
fn every_case_repeats_its_operator_until_its_fuel_is_used_up() {
    let mut seen = HashSet::new();
    for case in cases().into_iter().filter(|case| seen.insert(case.operator.clone())) {
        let (operator, situation) = (&case.operator, &case.situation);
        let component = arena_testkit::component(&case.text).expect("it can be made");
        let bot = admit(&component).unwrap_or_else(|refusal| panic!("{operator}, {situation}: {refusal}"));
        let mut player = player(&bot, 1);
        deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{operator}, {situation}: {error:?}"));
        assert_eq!(fault(play(&mut player, 1, 100_000)).0, FaultClass::OutOfFuel, "{operator}, {situation}");
    }
}
