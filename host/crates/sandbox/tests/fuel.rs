//! The cases that measure the time of a unit of fuel: they are complete, and each runs until its fuel is used up.

use crate::common::{FUEL, admit, deploy, fault, play, player};
use arena_referee::{FaultClass, NoReply, Reply};
use arena_rules::Coord;
use arena_testkit::operators::{Case, Measured, UNREPEATABLE, cases, operators};
use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

/// All cases. It takes more than a second to make them.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(cases);

#[test]
fn every_operator_that_bots_may_use_has_a_case() {
    let cases: HashSet<&str> = CASES.iter().map(|case| case.operator.as_str()).collect();
    let names = operators().into_iter().map(|operator| operator.name);
    let without: Vec<String> = names.filter(|name| !cases.contains(name.as_str())).collect();
    assert_eq!(without, UNREPEATABLE);
}

/// Admits the first case of each operator, and lets it use up a small budget.
#[test]
fn every_case_repeats_its_operator_until_its_fuel_is_used_up() {
    let mut seen = HashSet::new();
    for case in CASES.iter().filter(|case| seen.insert(&case.operator)) {
        if case.measured == Measured::Unit {
            check_repeats(case);
        }
    }
}

#[test]
fn every_case_of_the_host_and_of_other_instances_repeats_its_work() {
    let words = ["of the host", "in a post-return", "in `cabi_realloc`", "other instances", "of a stub"];
    for word in words {
        assert!(CASES.iter().any(|case| case.situation.contains(word)), "{word}");
    }
    CASES
        .iter()
        .filter(|case| words.iter().any(|word| case.situation.contains(word)))
        .for_each(check_repeats);
}

#[track_caller]
fn check_repeats(case: &Case) {
    let (operator, situation) = (&case.operator, &case.situation);
    assert_eq!(fault(ends(case, 100_000)).0, FaultClass::OutOfFuel, "{operator}, {situation}");
}

/// How a turn of a case ends.
fn ends(case: &Case, fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
    let (operator, situation) = (&case.operator, &case.situation);
    let component = arena_testkit::component(&case.text).expect("it can be made");
    let bot = admit(&component).unwrap_or_else(|refusal| panic!("{operator}, {situation}: {refusal}"));
    let mut player = player(&bot, 1);
    deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{operator}, {situation}: {error:?}"));
    play(&mut player, 1, fuel)
}

#[test]
fn every_case_of_a_turn_that_ends_early_ends_as_it_says() {
    for case in CASES.iter().filter(|case| case.measured == Measured::Turn) {
        let situation = &case.situation;
        let class = match ends(case, case.fuel) {
            Ok(_) => "an answer",
            ended => fault(ended).0.name(),
        };
        let expect = match () {
            () if situation.contains("answers") => "an answer",
            () if situation.contains("overflows") => FaultClass::StackOverflow.name(),
            () => FaultClass::Trap.name(),
        };
        assert_eq!(class, expect, "{situation}");
    }
}

/// The fuel that `play` uses with these operators in it. It has sixty locals, `$no` is zero, and `parts` are further functions.
fn used(parts: &str, operators: &str) -> u64 {
    used_beside(0, parts, operators)
}

/// The same in a bot with this number of further bytes of code, which are never called.
fn used_beside(bytes: usize, parts: &str, operators: &str) -> u64 {
    let locals = "i32 ".repeat(60);
    let text = format!(
        "{parts} (func $play (param $args i32) (result i32) (local $no i32) (local {locals}) {operators}
            (call $spot (i32.const 0) (i32.const 0)))"
    );
    let component = arena_testkit::component(&text).expect("it can be made");
    let bot = admit(&arena_testkit::with_nops(component, bytes)).expect("it is a bot");
    play(&mut player(&bot, 1), 1, FUEL).expect("it answers").fuel_used
}

/// Operators that change this number of locals.
fn changes(locals: usize) -> String {
    (2..2 + locals).map(|local| format!("(local.set {local} (i32.const 1))")).collect()
}

/// The further fuel of a way past code that changes some locals, for these numbers of them.
#[track_caller]
fn check_charges(way: impl Fn(&str) -> String, expect: [(usize, u64); 5]) {
    let free = used("", &way(""));
    assert_eq!(expect.map(|(locals, _)| (locals, used("", &way(&changes(locals))) - free)), expect);
}

const CHARGES: [(usize, u64); 5] = [(1, 0), (24, 0), (25, 1), (48, 1), (49, 2)];

#[test]
fn a_way_past_code_that_changes_locals_pays_for_moving_those_above_24() {
    check_charges(|code| format!("(if (local.get $no) (then {code}))"), CHARGES);
    check_charges(|code| format!("(if (i32.eqz (local.get $no)) (then) (else {code}))"), CHARGES);
    check_charges(|code| format!("(block (br_if 0 (i32.eqz (local.get $no))) {code})"), CHARGES);
    check_charges(|code| format!("(block (block (br_table 1 0 (local.get $no))) {code})"), CHARGES);
}

#[test]
fn each_round_of_a_loop_pays_for_the_locals_that_it_may_change() {
    let rounds = |code: &str| {
        format!(
            "(loop $again (if (local.get $no) (then (block {code} (br $again))))
                (br_if $again (i32.lt_u (local.tee 61 (i32.add (local.get 61) (i32.const 1))) (i32.const 10))))"
        )
    };
    // The local that counts is one of those that change, and in each of ten rounds, the `if` is charged as well.
    check_charges(rounds, [(1, 0), (23, 0), (24, 10), (25, 20), (47, 20)]);
}

#[test]
fn a_block_without_a_branch_to_its_end_moves_nothing() {
    let of = |block: &str| used("", &block.replace('#', &changes(40)));
    assert_eq!(of("(block #)"), of("#"));
    assert_eq!(of("(loop #)"), of("#") + 1, "a loop costs a unit");
}

#[test]
fn a_call_pays_for_the_locals_and_operands_above_100() {
    let call = |locals: usize, operands: usize| {
        let function = format!(
            "(func $f (param i32) (local {}) (if (local.get 0) (then {} {})))",
            "i64 ".repeat(locals - 1),
            "(i32.const 1)".repeat(operands),
            "drop ".repeat(operands)
        );
        used(&function, "(call $f (local.get $no))")
    };
    let free = call(1, 1);
    assert_eq!([call(99, 1), call(100, 1), call(123, 1), call(125, 1)].map(|fuel| fuel - free), [0, 1, 1, 2]);
    assert_eq!([call(1, 99), call(50, 50), call(50, 51)].map(|fuel| fuel - free), [0, 0, 1]);
}

/// The further fuel of operators in a bot with more code than caches hold.
fn further(parts: &str, operators: &str) -> u64 {
    let of = |parts: &str, operators: &str| {
        used_beside(512 << 10, parts, operators) - used_beside(1_000, parts, operators)
    };
    static OF_NOTHING: OnceLock<u64> = OnceLock::new();
    of(parts, operators) - OF_NOTHING.get_or_init(|| of("", ""))
}

#[test]
fn a_bot_with_much_code_pays_for_going_on_elsewhere() {
    let skipped = |bytes: usize| format!("(if (local.get $no) (then {}))", "nop ".repeat(bytes));
    // The `end` is passed over, too.
    assert_eq!([1, 5, 17, 100].map(|bytes| further("", &skipped(bytes))), [2, 6, 18, 18]);
    let either = format!("(if (local.get $no) (then {0}) (else {0}))", "nop ".repeat(40));
    assert_eq!(further("", &either), 2 * 18, "past the one part, and past the other");
    let block = format!("(block (br_if 0 (i32.eqz (local.get $no))) {})", "nop ".repeat(40));
    assert_eq!(further("", &block), 18);
    assert_eq!(further("", "(block (nop))"), 0, "it has no branch");
    assert_eq!(further("(func $f)", "(call $f)"), 10);
    assert_eq!(further("", "(drop (i32.div_u (i32.const 1) (i32.const 1)))"), 4, "much machine code");
    assert_eq!(further("", "(drop (i32.add (i32.const 1) (i32.const 1)))"), 0, "little machine code");
}

#[test]
fn a_bot_has_512_kib_of_code_for_free() {
    let fuel = |bytes: usize| used_beside(bytes, "", "(if (local.get $no) (then (nop)))");
    let alone = fuel(0);
    assert_eq!(fuel(500 << 10), alone);
    assert!(fuel(512 << 10) > alone);
}
