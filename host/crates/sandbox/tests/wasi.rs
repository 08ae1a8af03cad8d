//! The WASI that a bot gets: no access to the outside, the same on every run, without waits, and for fuel.

use crate::common::{FUEL, admit, fault, play, player};
use arena_referee::FaultClass;
use arena_sandbox::Bot;
use std::fs;

/// The imports of these specimens. A trap in `play` means that an expectation was not met.
const IMPORTS: &str = r#"
    (import "wasi:cli/stdin@0.2.12" "get-stdin" (func $stdin (result i32)))
    (import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-instant" (func $at (param i64) (result i32)))
    (import "wasi:clocks/wall-clock@0.2.12" "now" (func $date (param i32)))
    (import "wasi:io/poll@0.2.12" "poll" (func $poll (param i32 i32 i32)))
    (import "wasi:io/poll@0.2.12" "[method]pollable.ready" (func $ready (param i32) (result i32)))
    (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
    (import "wasi:io/poll@0.2.12" "[resource-drop]pollable" (func $drop-pollable (param i32)))
    (import "wasi:io/streams@0.2.12" "[method]input-stream.subscribe" (func $input (param i32) (result i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.subscribe" (func $output (param i32) (result i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.check-write" (func $check (param i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.write" (func $write (param i32 i32 i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-flush" (func $flush (param i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-splice"
        (func $splice (param i32 i32 i64 i32)))
    (import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-output (param i32)))
    (import "wasi:random/random@0.2.12" "get-random-bytes" (func $bytes (param i64 i32)))
    (import "wasi:random/random@0.2.12" "get-random-u64" (func $random (result i64)))
    (import "wasi:random/insecure@0.2.12" "get-insecure-random-u64" (func $insecure (result i64)))
    (import "wasi:random/insecure-seed@0.2.12" "insecure-seed" (func $hash-seed (param i32)))
    (func $expect (param $it i32) (if (i32.eqz (local.get $it)) (then (unreachable))))"#;

/// A bot that executes a body in its `play` before it shoots at (0, 0).
fn bot(locals: &str, body: &str) -> Bot {
    let text = format!(
        "{IMPORTS} (func $play (param $args i32) (result i32) {locals} {body} (call $sweep (local.get $args)))"
    );
    let bytes = arena_testkit::component(&text).unwrap_or_else(|error| panic!("{error:?}"));
    admit(&bytes).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The fuel of its first `play`.
fn fuel_of(bot: &Bot) -> u64 {
    play(&mut player(bot, 1), 1, FUEL).unwrap_or_else(|error| panic!("{error:?}")).fuel_used
}

const POLL: &str = "
    (i32.store (i32.const 1024) (call $after (i64.const 1_000_000_000_000_000)))
    (i32.store (i32.const 1028) (local.tee $output (call $output (local.tee $stream (call $stdout)))))
    (i32.store (i32.const 1032) (call $input (call $stdin)))
    (call $poll (i32.const 1024) (i32.const 3) (i32.const 16))
    (call $expect (i32.eq (i32.load (i32.const 20)) (i32.const 3)))
    (call $expect (call $ready (i32.load (i32.const 1024))))
    (call $block (local.get $output))
    (call $block (call $at (i64.const -1)))
    (call $drop-pollable (i32.load (i32.const 1024)))
    (call $drop-pollable (local.get $output))
    (call $flush (local.get $stream) (i32.const 16))
    (call $expect (i32.eqz (i32.load8_u (i32.const 16))))
    (call $drop-output (local.get $stream))";

#[test]
fn every_wait_is_over_before_it_begins() {
    let bot = bot("(local $stream i32) (local $output i32)", POLL);
    assert_eq!(fuel_of(&bot), fuel_of(&bot));
}

#[test]
fn no_thread_is_started_for_waits() {
    let bot = bot("(local $stream i32) (local $output i32)", POLL);
    fuel_of(&bot);
    // The library's runtime would have given its threads this name.
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return };
    for thread in threads {
        let name = fs::read_to_string(thread.expect("it can be listed").path().join("comm"));
        assert!(!name.unwrap_or_default().starts_with("tokio"));
    }
}

#[test]
fn the_clocks_begin_on_a_fixed_day_and_run_on_fuel_and_sleep() {
    fuel_of(&bot(
        "(local $begin i64)",
        "(local.set $begin (call $now))
        (call $expect (i64.lt_u (local.get $begin) (i64.const 1_000_000)))
        (drop (call $after (i64.const 60_000_000_000)))
        (call $expect (i64.ge_u (i64.sub (call $now) (local.get $begin)) (i64.const 60_000_000_000)))
        (call $date (i32.const 16))
        (call $expect (i64.eq (i64.load (i32.const 16)) (i64.const 1767225660)))
        (drop (call $at (i64.const 61_000_000_000)))
        (call $date (i32.const 16))
        (call $expect (i64.eq (i64.load (i32.const 16)) (i64.const 1767225661)))
        (drop (call $after (i64.const -1)))
        (call $expect (i64.eq (call $now) (i64.const -1)))",
    ));
}

#[test]
fn outputs_take_a_little_at_a_time_and_inputs_have_nothing() {
    let bot = bot(
        "(local $stream i32)",
        "(local.set $stream (call $stdout))
        (call $check (local.get $stream) (i32.const 16))
        (call $expect (i64.eq (i64.load (i32.const 24)) (i64.const 32768)))
        (call $splice (local.get $stream) (call $stdin) (i64.const -1) (i32.const 16))
        (call $expect (i32.load8_u (i32.const 16)))
        (call $expect (i32.load8_u (i32.const 24)))
        (call $write (local.get $stream) (i32.const 64) (i32.const 11) (i32.const 16))",
    );
    let mut player = player(&bot, 1);
    play(&mut player, 1, FUEL).expect("it answers");
    assert_eq!(player.log(), "turn 1: zoo sweeper");
}

#[test]
fn a_hash_maps_seed_stays_while_other_random_numbers_go_on() {
    let bot = bot(
        "(local $first i64)",
        "(call $hash-seed (i32.const 16))
        (local.set $first (i64.load (i32.const 16)))
        (call $expect (i64.ne (local.get $first) (i64.load (i32.const 24))))
        (call $expect (i64.ne (call $random) (call $random)))
        (call $expect (i64.ne (call $insecure) (call $insecure)))
        (call $hash-seed (i32.const 16))
        (call $expect (i64.eq (local.get $first) (i64.load (i32.const 16))))",
    );
    fuel_of(&bot);
}

#[test]
fn misuse_is_a_trap_that_says_what_was_done_wrong() {
    let cases = [
        (
            "(call $poll (i32.const 1024) (i32.const 0) (i32.const 16))",
            "called `wasi:io/poll#poll` with an empty list",
        ),
        (
            "(call $bytes (i64.const 65537) (i32.const 16))",
            "asked for 65537 random bytes at once; at most 65536 are given",
        ),
        (
            "(local.set $stream (call $stdout)) (drop (call $output (local.get $stream)))
            (call $drop-output (local.get $stream))",
            "resource has children",
        ),
        (
            "(loop $more (drop (call $after (i64.const 1))) (br $more))",
            "cannot allocate another handle: store handle limit exceeded",
        ),
    ];
    for (body, detail) in cases {
        let mut player = player(&bot("(local $stream i32)", body), 1);
        assert_eq!(fault(play(&mut player, 1, FUEL)), (FaultClass::Trap, detail.to_owned()));
    }
}

#[test]
fn a_host_call_costs_fuel_by_what_it_does() {
    let of = |body: &str| fuel_of(&bot("(local $at i32) (local $stream i32)", body));
    let nothing = of("");
    let call = of("(drop (call $random))") - nothing;
    assert!((1_000..1_020).contains(&call), "{call}");

    let bytes = |count: u32| of(&format!("(call $bytes (i64.const {count}) (i32.const 16))"));
    assert_eq!(bytes(40_000) - bytes(0), 120_000, "a byte takes 10 ns");

    let one = of("(call $write (call $stdout) (i32.const 64) (i32.const 1) (i32.const 16))");
    let many = of("(call $write (call $stdout) (i32.const 64) (i32.const 9_001) (i32.const 16))");
    assert_eq!(many - one, 9_000);

    // The same wait, repeated in one list.
    let poll = |count: u32| {
        of(&format!(
            "(local.set $stream (call $after (i64.const 1)))
            (loop $more
                (i32.store (i32.add (i32.const 8192) (local.get $at)) (local.get $stream))
                (local.set $at (i32.add (local.get $at) (i32.const 4)))
                (br_if $more (i32.lt_u (local.get $at) (i32.const 800))))
            (call $poll (i32.const 8192) (i32.const {count}) (i32.const 16))"
        ))
    };
    assert_eq!(poll(200) - poll(1), 199 * 350);
}

/// Returns the same room each time, after an instruction that the host helps with.
const GROWING_REALLOC: &str = "(func $realloc (param i32 i32 i32 i32) (result i32)
    (drop (memory.grow (i32.const 0)))
    (i32.const 8192))";

#[test]
fn a_host_call_costs_as_much_when_the_bot_grows_its_memory_in_the_middle_of_it() {
    let of = |count: u32| {
        let play = format!("(call $bytes (i64.const {count}) (i32.const 16)) (call $skip)");
        let text = format!("{IMPORTS} {GROWING_REALLOC} (func $play (param $args i32) (result i32) {play})");
        let bytes = arena_testkit::component(&text).unwrap_or_else(|error| panic!("{error:?}"));
        fuel_of(&admit(&bytes).unwrap_or_else(|refusal| panic!("{refusal}")))
    };
    assert_eq!(of(50_001) - of(1), 150_000);
}

#[test]
fn slow_instructions_cost_more_than_others() {
    let of = |body: &str| {
        let text = format!(
            r#"(table $t 1 funcref) (elem $e func $play) (func $nothing) (table $u funcref (elem $nothing))
            (func $play (param $args i32) (result i32) {body} (call $sweep (local.get $args)))"#
        );
        let bytes = arena_testkit::component(&text).unwrap_or_else(|error| panic!("{error:?}"));
        fuel_of(&admit(&bytes).unwrap_or_else(|refusal| panic!("{refusal}")))
    };
    let nothing = of("");
    for (body, at_least) in [
        ("(drop (memory.grow (i32.const 0)))", 255),
        ("(drop (memory.grow (i32.const 2)))", 3 * 255),
        ("(drop (table.grow $t (ref.null func) (i32.const 0)))", 255),
        ("(drop (ref.func $play))", 255),
        ("(elem.drop $e)", 255),
        ("(drop (i32.load (i32.const 0)))", 24),
        ("(drop (v128.load (i32.const 0)))", 24),
        ("(call $nothing)", 13),
        ("(call_indirect $u (i32.const 0))", 13),
        ("(drop (f64.div (f64.const 1) (f64.const 2)))", 4),
        ("(drop (f32x4.sqrt (v128.const i64x2 1 1)))", 4),
        ("(loop)", 1),
    ] {
        let cost = of(body) - nothing;
        assert!((at_least..at_least + 5).contains(&cost), "{body}: {cost}");
    }
}

#[test]
fn a_host_call_that_cannot_be_paid_for_is_the_last() {
    let bot = bot("", "(call $write (call $stdout) (i32.const 64) (i32.const 11) (i32.const 16))");
    let needed = fuel_of(&bot);
    let of = |fuel: u64| play(&mut player(&bot, 1), 1, fuel);
    assert_eq!(of(needed).expect("it answers").fuel_used, needed);
    // A little less may be enough, because instructions are paid for at the next loop or call.
    for fuel in (0..needed - 200).step_by(97) {
        assert_eq!(fault(of(fuel)).0, FaultClass::OutOfFuel, "{fuel} of {needed}");
    }
}
