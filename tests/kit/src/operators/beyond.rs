//! Work beyond single operators: caches that miss, branches that cannot be predicted, code that is larger than any cache, and
//! functions with much to set up.

use super::Case;

/// The bytes of memory that the cases with caches use. Chosen: most of what a bot has.
const SPREAD: u32 = 32 << 20;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = memory();
    cases.extend(functions());
    cases.extend(code());
    cases
}

/// Fills the memory with a chain of addresses in which each is far from the one before: a permutation of all lines of the
/// cache, each at `$offset` in its line.
fn chain_in_memory(shift: u32, offset: u32) -> String {
    let slots = SPREAD >> shift;
    format!(
        "(memory $memory 1000)
         (func $set-up (local $from i32) (local $to i32) (local $left i32)
            (local.set $left (i32.const {slots}))
            (loop $next
                (local.set $to (i32.and
                    (i32.add (i32.mul (local.get $from) (i32.const 1664525)) (i32.const 1013904223))
                    (i32.const {mask})))
                (i32.store offset={base} (i32.shl (local.get $from) (i32.const {shift})) (i32.shl (local.get $to) (i32.const {shift})))
                (local.set $from (local.get $to))
                (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $next (local.get $left))))",
        mask = slots - 1,
        base = 65_536 + offset,
    )
}

fn memory() -> Vec<Case> {
    let mut cases = Vec::new();
    for (operator, around, how, shift, offset) in [
        ("i32.load", "i32.load offset=65536", "each from a line that is in no cache", 6, 0),
        ("i32.load", "i32.load offset=65600", "each from a page of its own", 12, 64),
        ("i32.load", "i32.load offset=65598", "each across two lines that are in no cache", 6, 62),
        ("i32.load", "i32.load offset=69630", "each across two pages", 12, 4094),
        ("i64.load", "i64.load offset=65536 i32.wrap_i64", "each from a line that is in no cache", 6, 0),
        (
            "v128.load",
            "v128.load offset=65536 i32x4.extract_lane 0",
            "each from a line that is in no cache",
            6,
            0,
        ),
        ("v128.load", "v128.load offset=69630 i32x4.extract_lane 0", "each across two pages", 12, 4094),
    ] {
        let body = format!("local.get $at {} local.set $at", format!("{around}\n").repeat(64));
        cases.push(Case::new(operator, how, &chain_in_memory(shift, offset), "(local $at i32)", &body));
    }
    // At known places, each store costs its two operands and itself, and none waits for another.
    for (operator, value, offset) in [
        ("v128.store", "local.get $vector", 4_090),
        ("i64.store", "local.get $long", 4_092),
        ("i32.store16", "local.get $at", 4_095),
    ] {
        let stores: String = (0..15_000_u32)
            .map(|number| {
                format!(
                    "i32.const {} {value} {operator}\n",
                    65_536 + number * 7_919 % 15_000 * 4_096 + offset
                )
            })
            .collect();
        let start = "(local $at i32) (local $long i64) (local $vector v128)";
        cases.push(
            Case::new(operator, "each across two pages", "(memory $memory 1000)", start, &stores)
                .with_pages(),
        );
    }
    // A pseudo-random address in each round; the cost of making it belongs to the bot.
    let random = "(local.set $x (i64.mul (local.get $x) (i64.const 0x5851F42D4C957F2D)))";
    let at = "(i32.and (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 36))) (i32.const 0x1ffffff))";
    let start =
        "(local $x i64) (local $at i32) (local $sum i32) (local.set $x (i64.const 0x2545F4914F6CDD1D))";
    let touched = chain_in_memory(6, 0);
    for (operator, how, body) in [
        (
            "i32.store8",
            "each to a line that is in no cache",
            format!("(i32.store8 offset=65536 {at} (i32.const 1))"),
        ),
        (
            "v128.store",
            "each to a line that is in no cache",
            format!("(v128.store offset=65536 {at} (v128.const i64x2 1 1))"),
        ),
        (
            "i32.load8_u",
            "independent, each from a line that is in no cache",
            format!("(local.set $sum (i32.xor (local.get $sum) (i32.load8_u offset=65536 {at})))"),
        ),
        (
            "v128.load",
            "independent, each from any place in memory",
            format!(
                "(local.set $sum (i32.xor (local.get $sum) (v128.any_true (v128.load offset=65536 {at}))))"
            ),
        ),
        (
            "i64.load",
            "after a store of half of it",
            "(i32.store8 offset=65536 (local.get $at) (i32.const 0))
             (local.set $at (i32.wrap_i64 (i64.load offset=65536 (local.get $at))))"
                .into(),
        ),
    ] {
        let round = if body.contains("$x") { format!("{random}{body}") } else { body };
        cases.push(Case::new(operator, how, &touched, start, &round.repeat(8)));
    }
    // The first touch of each page is a fault of the processor, which the kernel answers. It happens once for each page.
    let round = "(local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (if (i32.gt_u (local.get $at) (i32.const 65000000)) (then (local.set $at (i32.const 65536))))";
    for (operator, how, body) in [
        ("i32.store8", "page after page", "(i32.store8 (local.get $at) (i32.const 1))"),
        ("i32.load8_u", "page after page", "(local.set $sum (i32.load8_u (local.get $at)))"),
    ] {
        let body = format!("{body}{round}");
        cases.push(Case::new(operator, how, "(memory $memory 1000)", start, &body).with_pages());
    }
    cases
}

/// Calls of functions that have much to set up, or many parameters.
fn functions() -> Vec<Case> {
    let mut cases = Vec::new();
    for (locals, ty) in [(16, "i64"), (300, "i64"), (300, "v128"), (990, "i64"), (990, "v128")] {
        let declared = format!("{ty} ").repeat(locals);
        // The locals change in a loop, and leave it, so each has a place that must be set to zero at the start.
        let zero = if ty == "v128" { "i64x2.splat (i64.const 1)" } else { "i64.const 1" };
        let changes: String = (1..=locals)
            .map(|at| {
                format!(
                    "(local.set {at} ({ty_op} (local.get {at}) ({zero})))",
                    ty_op = if ty == "v128" { "i64x2.add" } else { "i64.add" }
                )
            })
            .collect();
        let function = format!(
            "(func $enter (param $more i32) (local {declared})
                (loop $again (if (local.get $more) (then {changes} (br $again)))))
             (global $no (mut i32) (i32.const 0))"
        );
        let how = format!("of a function with {locals} locals of {ty}");
        cases.push(Case::new("call", how, &function, "", &"(call $enter (global.get $no))".repeat(8)));
    }
    let params = "i64 ".repeat(100);
    let parts = format!("(func $take (param {params})) (global $one (mut i64) (i64.const 1))");
    let body = format!("{} call $take", "global.get $one\n".repeat(100));
    cases.push(Case::new("call", "with 100 parameters", &parts, "", &body));
    let parts = "(func $down (param $left i32)
        (if (local.get $left) (then (call $down (i32.sub (local.get $left) (i32.const 1))))))";
    cases.push(Case::new("call", "of itself, 2,000 deep", parts, "", "(call $down (i32.const 2000))"));
    cases
}

/// Code that is larger than caches, and branches that cannot be predicted.
fn code() -> Vec<Case> {
    let mut cases = Vec::new();
    let start = "(local $x i64) (local.set $x (i64.const 0x2545F4914F6CDD1D))";
    let random = "(local.set $x (i64.mul (local.get $x) (i64.const 0x5851F42D4C957F2D)))";
    // Functions that do nothing, called in the order of the file and in another one.
    const FUNCTIONS: usize = 19_000;
    let functions: String = (0..FUNCTIONS).map(|at| format!("(func $f{at})")).collect();
    for (how, step) in [("in order", 1), ("out of order", 7_919)] {
        let calls: String = (0..FUNCTIONS).map(|at| format!("call $f{}\n", at * step % FUNCTIONS)).collect();
        cases.push(Case::new("call", format!("of 19,000 functions {how}"), &functions, "", &calls));
    }
    let names: String = (0..FUNCTIONS).map(|at| format!("$f{at} ")).collect();
    let parts = format!(
        "{functions} (table $table {FUNCTIONS} funcref) (elem $elements (table $table) (i32.const 0) func {names})"
    );
    let body = format!(
        "{random} (call_indirect (i32.rem_u (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 33))) (i32.const {FUNCTIONS})))"
    );
    cases.push(Case::new("call_indirect", "of any of 19,000 functions", &parts, start, &body.repeat(8)));
    for ways in [4, 256, 4_096_usize] {
        let blocks = "(block ".repeat(ways);
        let labels: String = (0..ways).map(|at| format!("{at} ")).collect();
        let index = format!(
            "(i32.and (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 33))) (i32.const {}))",
            ways - 1
        );
        // Each way ends with its own store, and a jump back.
        let ends: String =
            (0..ways).map(|at| format!(") (global.set $way (i32.const {at})) (br $again)\n")).collect();
        let body = format!("{random} {blocks} (br_table {labels} {index}) {ends}");
        cases.push(Case::new(
            "br_table",
            format!("any of {ways} ways"),
            "(global $way (mut i32) (i32.const 0))",
            start,
            &body,
        ));
    }
    // A branch that is taken or not by chance.
    let body = format!(
        "{random} (block (br_if 0 (i64.lt_s (local.get $x) (i64.const 0))) (global.set $way (i32.const 1)))"
    );
    cases.push(Case::new(
        "br_if",
        "taken by chance",
        "(global $way (mut i32) (i32.const 0))",
        start,
        &body.repeat(8),
    ));
    // Branches and calls over code that never runs, so that each lands on a page of its own.
    let page = "(global.set $way (i64.mul (global.get $way) (i64.const 0x5851F42D4C957F2D)))".repeat(100);
    let global = "(global $way (mut i64) (i64.const 1)) (global $zero (mut i32) (i32.const 0))";
    let branches = format!("(block (br_if 0 (local.get 0)) {page})").repeat(400);
    let functions: String = (0..10).map(|at| format!("(func $f{at} (param i32) {branches})")).collect();
    let calls: String = (0..10).map(|at| format!("(call $f{at} (i32.const 1))")).collect();
    cases.push(Case::new("br_if", "each over a page of code", &format!("{global}{functions}"), "", &calls));
    let random = "(local.set $x (i64.mul (local.get $x) (i64.const 0x5851F42D4C957F2D)))";
    let start = "(local $x i64) (local.set $x (i64.const 0x2545F4914F6CDD1D))";
    let ways = 1_024;
    let blocks = "(block ".repeat(ways);
    let labels: String = (0..ways).map(|at| format!("{at} ")).collect();
    let index = format!(
        "(i32.and (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 33))) (i32.const {}))",
        ways - 1
    );
    let ends = format!(") (br_if $again (i32.eqz (global.get $zero))) {page}\n").repeat(ways);
    let body = format!("{random} {blocks} (br_table {labels} {index}) {ends}");
    cases.push(Case::new("br_table", "any of 1,024 ways, each with a page of code", global, start, &body));
    const LARGE: usize = 4_000;
    let functions: String =
        (0..LARGE).map(|at| format!("(func $f{at} (if (global.get $zero) (then {page})))")).collect();
    for (how, step) in [("in order", 1), ("out of order", 1_237)] {
        let calls: String = (0..LARGE).map(|at| format!("call $f{}\n", at * step % LARGE)).collect();
        let how = format!("of 4,000 functions with a page of code each, {how}");
        cases.push(Case::new("call", how, &format!("{global}{functions}"), "", &calls));
    }
    // As much code as no cache holds: passed over piece by piece, and run straight on.
    let piece = "i32.trunc_sat_f64_u f64.convert_i32_u ".repeat(4);
    let branches = format!("(block (br_if 0 (local.get 0)) (local.get 1) {piece} (local.set 1))").repeat(400);
    let functions: String =
        (0..300).map(|at| format!("(func $f{at} (param i32) (local f64) {branches})")).collect();
    let calls: String = (0..300).map(|at| format!("(call $f{at} (i32.const 1))")).collect();
    cases.push(Case::new("br_if", "each over some code, 120,000 of them", &functions, "", &calls));
    let chain = "i64.trunc_sat_f32_u f32.convert_i64_u ".repeat(1_000);
    let functions: String =
        (0..400).map(|at| format!("(func $f{at} (f32.const 1) {chain} (global.set $short))")).collect();
    let functions = format!("(global $short (mut f32) (f32.const 0)) {functions}");
    let calls: String = (0..400).map(|at| format!("(call $f{at})")).collect();
    cases.push(Case::new("i64.trunc_sat_f32_u", "400,000 of them", &functions, "", &calls));
    cases
}
