//! Whole calls, for the time that fuel does not cover: making an instance with many parts, and ending a call by a trap or an answer.

use super::{Case, DEPLOY, Measured, NO_SET_UP};
use std::fmt::Write;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = starts();
    cases.extend(turns());
    cases
}

fn case(measured: Measured, situation: &str, parts: &str) -> Case {
    let operator = if measured == Measured::Start { "deploy" } else { "play" };
    Case { measured, ..Case::of_text(operator, situation, parts.to_owned()) }
}

/// The parts of a text, one for each number.
fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        writeln!(text, "{}", part(at)).expect("a text takes it");
        text
    })
}

/// Bots with as many of one part as the caps allow, or almost.
fn starts() -> Vec<Case> {
    let start = |situation: &str, parts: &str| case(Measured::Start, situation, parts);
    let functions = "(func $nothing)";
    let elements = |segment: &str| {
        let tables = each(3, |at| format!("(table $table{at} 20000 funcref)"));
        let names = "$nothing ".repeat(20_000);
        format!("{functions}{tables}{}", each(3, |at| segment.replace('#', &at.to_string()) + &names + ")"))
    };
    let lowered = each(1_900, |at| format!("(core func $f{at} (canon lower (func $now)))"));
    let given = each(1_900, |at| format!("(export \"f{at}\" (func $f{at}))"));
    let imported = each(1_900, |at| format!("(import \"own\" \"f{at}\" (func (result i64)))"));
    let instances = each(60, |at| format!("(core instance $many{at} (instantiate $many))"));
    let globals = |count| each(count, |at| format!("(global $more{at} (mut i32) (i32.const {at}))"));
    vec![
        start("of a bot with few parts", ""),
        start(
            "of a bot with 30 MiB of data",
            &format!("(memory $memory 1000) (data $much (i32.const 65536) \"{}\")", "x".repeat(30 << 20)),
        ),
        start(
            "of a bot with 99,000 segments of data",
            &format!(
                "(memory $memory 1000) {}",
                each(99_000, |at| format!("(data $d{at} (i32.const {}) \"x\")", 65_536 + 16 * at))
            ),
        ),
        // Larger numbers compile too slowly for the allowance of a small file.
        start(
            "of a bot with 5,000 segments of data that lie far apart",
            &format!(
                "(memory $memory 1000) {}",
                each(5_000, |at| format!("(data $d{at} (i32.const {}) \"x\")", 65_536 + 12_000 * at))
            ),
        ),
        start("of a bot with 60,000 elements of tables", &elements("(elem $e# (table $table#) (i32.const 0) func ")),
        start("of a bot with 60,000 elements of no table", &elements("(elem $e# func ")),
        start("of a bot with 190,000 globals", &globals(190_000)),
        start(
            "of a bot with 60,000 globals with computed values",
            &each(60_000, |at| format!("(global $more{at} (mut i32) (i32.add (i32.const 1) (i32.const {at})))")),
        ),
        start(
            "of a bot with 60 instances of 3,000 globals each",
            &format!("(outer (core module $many {}) {instances} (core instance $own))", globals(3_000)),
        ),
        start(
            "of a bot with 1,900 functions that are lowered",
            &format!(
                "(outer (import \"wasi:clocks/monotonic-clock@0.2.12\" (instance $clock (export \"now\" (func (result u64)))))
                    (alias export $clock \"now\" (func $now)) {lowered} (core instance $own {given})) {imported}"
            ),
        ),
        start(
            "of a bot that returns 21,000 placements",
            &format!(
                "(memory $memory 2) {NO_SET_UP} {}",
                DEPLOY.replace("(i32.const 1024) (i32.const 10)", "(i32.const 1024) (i32.const 21000)")
            ),
        ),
        start(
            "of a bot that writes to each of its pages",
            &format!(
                "(memory $memory 1000) {DEPLOY}
                 (func $set-up (local $at i32)
                    (loop $next
                        (i32.store8 (local.get $at) (i32.const 1))
                        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
                        (br_if $next (i32.lt_u (local.get $at) (i32.const 65536000)))))"
            ),
        ),
    ]
}

/// Turns that end at once, or in a trap.
fn turns() -> Vec<Case> {
    let turn = |situation: &str, parts: &str| case(Measured::Turn, situation, parts);
    let down = |end: &str| {
        format!(
            "(func $down (param $left i32) (result i32)
                (if (result i32) (local.get $left)
                    (then (i32.add (i32.const 1) (call $down (i32.sub (local.get $left) (i32.const 1)))))
                    (else {end})))
             (func $play (param $args i32) (result i32) (call $down (i32.const 5000)))"
        )
    };
    let random = "(import \"wasi:random/random@0.2.12\" \"get-random-bytes\" (func $host (param i64 i32)))";
    let stream = "
        (import \"wasi:cli/stderr@0.2.12\" \"get-stderr\" (func $stderr (result i32)))
        (import \"wasi:io/streams@0.2.12\" \"[method]output-stream.blocking-write-and-flush\"
            (func $write (param i32 i32 i32 i32)))
        (memory $memory 4)";
    let said = |words: &str| {
        let text = words.repeat(60_000 / words.len());
        let length = text.replace("\\n", "n").len();
        format!(
            "{stream} (data $said (i32.const 131072) \"{text}\")
             (func $play (param $args i32) (result i32)
                (call $write (call $stderr) (i32.const 131072) (i32.const {length}) (i32.const 16))
                (unreachable))"
        )
    };
    vec![
        turn("that answers at once", "(func $play (param i32) (result i32) (call $skip))"),
        turn("that traps at once", "(func $play (param i32) (result i32) (unreachable))"),
        turn("that traps 5,000 calls deep", &down("(unreachable)")),
        turn(
            "that asks the host for too much 5,000 calls deep",
            &format!("{random}{}", down("(call $host (i64.const 100000) (i32.const 16)) (i32.const 0)")),
        ),
        turn(
            "that overflows the stack",
            "(func $down (result i32) (i32.add (i32.const 1) (call $down)))
             (func $play (param i32) (result i32) (call $down))",
        ),
        turn("that traps after many words", &said("word ")),
        turn("that traps after many lines", &said("\\n")),
        turn("that traps after many panics", &said("thread 'main' panicked at src/lib.rs:1:1:\\nwhy\\n")),
        turn(
            "that traps after many tracebacks",
            &said("Traceback (most recent call last):\\n  File 'a', line 1, in f\\nValueError: why\\n"),
        ),
    ]
}
