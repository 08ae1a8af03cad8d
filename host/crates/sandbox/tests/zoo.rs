//! Every specimen of the zoo gets exactly the verdict that is expected of it, the same one each time, and does no harm
//! to a clean bot beside it.

mod common;

use arena_referee::{FaultClass, Player};
use arena_rules::Coord;
use arena_sandbox::{Bot, RefusalKind};
use common::{FUEL, deploy, fault, play, refused, sandbox, specimen, spots};
use std::collections::BTreeSet;

/// What comes of a specimen.
enum Verdict {
    /// It is refused, with a message that has this in it.
    Refused(RefusalKind, &'static str),
    /// It is refused for what it did when it was started or asked for its name.
    Faulted(FaultClass, &'static str),
    /// Its deployment is a fault, with this line.
    Deploy(FaultClass, &'static str),
    /// It deploys, and its first shot is a fault, with this line.
    Play(FaultClass, &'static str),
    /// It answers everything; its first shots are these. What they are worth is for the rules to say.
    Shoots([Option<(u8, u8)>; 3]),
}

use FaultClass::{BadResult, OutOfFuel, OutOfMemory, StackOverflow, Trap};
use Verdict::{Deploy, Faulted, Play, Refused, Shoots};

const SWEEP: [Option<(u8, u8)>; 3] = [Some((0, 0)), Some((0, 1)), Some((0, 2))];
const UNREACHABLE: &str = "wasm `unreachable` instruction executed";

#[rustfmt::skip]
const VERDICTS: &[(&str, Verdict)] = &[
    ("sweeper", Shoots(SWEEP)),

    // Time.
    ("loops-in-play", Play(OutOfFuel, "used up its fuel")),
    ("loops-in-deploy", Deploy(OutOfFuel, "used up its fuel")),
    ("loops-in-realloc", Deploy(OutOfFuel, "used up its fuel")),
    ("loops-in-post-return", Play(OutOfFuel, "used up its fuel")),
    ("loops-in-name", Faulted(OutOfFuel, "asked for its name")),
    ("loops-in-start", Faulted(OutOfFuel, "when it was started")),
    ("memory-fill", Play(OutOfFuel, "used up its fuel")),
    ("writes-forever", Play(OutOfFuel, "used up its fuel")),
    ("sleeps", Shoots(SWEEP)),

    // Traps.
    ("traps-in-play", Play(Trap, UNREACHABLE)),
    ("traps-in-deploy", Deploy(Trap, UNREACHABLE)),
    ("traps-in-name", Faulted(Trap, "asked for its name")),
    ("traps-in-start", Faulted(FaultClass::InitError, "when it was started")),
    ("bad-handle-in-start", Faulted(FaultClass::InitError, "unknown handle index 99")),
    ("bad-handle", Play(Trap, "unknown handle index 99")),
    ("wild-data", Faulted(FaultClass::InitError, "out of bounds memory access")),
    ("divides-by-zero", Play(Trap, "integer divide by zero")),
    ("reads-out-of-bounds", Play(Trap, "out of bounds memory access")),
    ("panics", Play(Trap, "panicked: no spot left")),
    ("exits", Play(Trap, "called exit(1)")),
    ("wants-a-socket", Play(Trap,
        "called `wasi:sockets/instance-network#instance-network`, which the arena does not give")),
    ("greedy-random", Play(Trap, "asked for 1099511627776 random bytes at once; at most 65536 are given")),

    // Stack and memory.
    ("recursion", Play(StackOverflow, "call stack exhausted")),
    ("grow-bomb", Play(OutOfMemory, "asked for 67174400 bytes of memory; the cap is 67108864")),
    ("grows-past-4-gib", Play(OutOfMemory, "asked for 4295032832 bytes of memory; the cap is 67108864")),
    ("table-bomb", Play(OutOfMemory, "asked for 20481 table elements; the cap is 20000")),
    ("huge-memory", Refused(RefusalKind::OverLimits, "begins with 512 MiB of memory; the cap is 64 MiB")),
    ("huge-table", Refused(RefusalKind::OverLimits, "it has 10,000,000 elements in one table; the cap is 20,000")),
    ("two-memories", Refused(RefusalKind::Feature, "more than one memory")),
    ("memory64", Refused(RefusalKind::Feature, "64-bit memory")),
    ("shared-memory", Refused(RefusalKind::Feature, "shared memory")),
    ("many-tables", Refused(RefusalKind::OverLimits, "it has 5 tables; the cap is 4")),
    ("many-instances", Refused(RefusalKind::OverLimits, "70 core module instances")),
    ("tail-calls", Refused(RefusalKind::Feature, "tail calls support is not enabled")),
    ("leaks-handles", Play(Trap, "cannot allocate another handle: store handle limit exceeded")),

    // Data.
    ("wild-list-pointer", Deploy(BadResult, "list pointer/length out of bounds of memory")),
    ("wild-answer", Play(BadResult, "pointer out of bounds of memory")),
    ("wild-realloc", Deploy(BadResult, "realloc return: beyond end of memory")),
    ("misaligned-answer", Deploy(BadResult, "return pointer not aligned")),
    ("huge-list", Deploy(BadResult, "too much data is being copied between the host and the guest: fuel allocated \
        for hostcalls has been exhausted")),
    ("writes-too-much", Play(BadResult, "too much data is being copied between the host and the guest: fuel \
        allocated for hostcalls has been exhausted")),
    ("bad-direction", Deploy(BadResult, "unexpected discriminant: 9")),
    ("bad-option", Play(BadResult, "invalid option discriminant")),
    ("invalid-utf8-name", Faulted(BadResult, "asked for its name")),
    ("huge-name", Faulted(BadResult, "too much data")),
    ("escape-name", Shoots(SWEEP)),
    ("long-name", Shoots(SWEEP)),
    ("empty-name", Shoots(SWEEP)),

    // What only the rules can judge.
    ("illegal-fleet", Shoots(SWEEP)),
    ("short-fleet", Shoots(SWEEP)),
    ("off-board-forever", Shoots([Some((200, 200)); 3])),
    ("off-board-once", Shoots([Some((200, 200)); 3])),
    ("repeats", Shoots([Some((0, 0)); 3])),
    ("repeats-once-then-valid", Shoots([Some((0, 0)); 3])),
    ("always-skips", Shoots([None; 3])),
    ("remembers", Shoots(SWEEP)),
    ("nan-bits", Shoots([Some((127, 192)); 3])),

    // The world outside.
    ("looks-around", Shoots(SWEEP)),
    ("log-flood", Shoots(SWEEP)),
    ("writes-zeroes", Shoots(SWEEP)),
    ("unknown-import", Refused(RefusalKind::Import, "`example:backdoor/shell@1.0.0`")),
    ("imports-http", Refused(RefusalKind::Import, "`wasi:http/types@0.2.3`")),
    ("imports-wasi-0-3", Refused(RefusalKind::Import, "`wasi:random/random@0.3.0`")),
    ("imports-a-function", Refused(RefusalKind::Import, "`host`")),
    ("wrong-import-types", Refused(RefusalKind::Import, "expected `u64` found `string`")),

    // Not a bot.
    ("wrong-world", Refused(RefusalKind::NotABot, "exports `example:hello/greeter@1.0.0`")),
    ("exports-nothing", Refused(RefusalKind::NotABot, "exports nothing")),
    ("later-version", Refused(RefusalKind::OtherVersion, "exports `arena:battleship/bot@0.9.0`")),
    ("other-game", Refused(RefusalKind::OtherGame, "exports `arena:chess/bot@0.1.0`")),
    ("wrong-types", Refused(RefusalKind::WrongTypes, "expected `string` found `u32`")),
    ("missing-function", Refused(RefusalKind::WrongTypes, "no function `name`")),
];

/// Those whose shots are their own and checked elsewhere.
const CHECKED_ELSEWHERE: [&str; 3] = ["shoots-at-random", "shoots-by-the-clock", "traps-on-third-play"];

#[test]
fn every_specimen_gets_its_verdict_and_does_no_harm() {
    let clean = specimen("sweeper");
    let before = spots(&clean, 1, 10);
    for (name, verdict) in VERDICTS {
        check(name, verdict);
        assert_eq!(spots(&clean, 1, 10), before, "after {name}");
    }
}

#[test]
fn every_specimen_of_the_zoo_has_a_verdict() {
    let known: BTreeSet<String> =
        VERDICTS.iter().map(|(name, _)| *name).chain(CHECKED_ELSEWHERE).map(String::from).collect();
    assert_eq!(known, arena_testkit::zoo_names().into_iter().collect());
}

fn check(name: &str, verdict: &Verdict) {
    match verdict {
        Refused(kind, part) => {
            let refusal = refused(name);
            assert_eq!(refusal.kind, *kind, "{name}: {refusal}");
            assert!(refusal.message.contains(part), "{name}: {refusal}");
            assert!(!refusal.next_step.is_empty(), "{name}");
            assert_eq!(refusal, refused(name), "{name}, once more");
        }
        Faulted(class, part) => {
            let refusal = refused(name);
            assert_eq!(refusal.kind, RefusalKind::Faulted, "{name}: {refusal}");
            assert!(refusal.message.contains(part), "{name}: {refusal}");
            assert_eq!(refusal.fault.as_ref().map(|fault| fault.class), Some(*class), "{name}: {refusal}");
            assert_eq!(refusal, refused(name), "{name}, once more");
        }
        Deploy(class, detail) => {
            let bot = specimen(name);
            for _ in 0..2 {
                check_fault(name, fault(deploy(&mut bot.player(1), FUEL)), *class, detail);
            }
        }
        Play(class, detail) => {
            let bot = specimen(name);
            for _ in 0..2 {
                let mut player = bot.player(1);
                deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
                check_fault(name, fault(play(&mut player, 1, FUEL)), *class, detail);
                // The fault holds for a fresh instance just as well.
                player.restart().expect("it can begin again");
                check_fault(name, fault(play(&mut player, 1, FUEL)), *class, detail);
            }
        }
        Shoots(expected) => check_shots(name, &specimen(name), expected),
    }
}

fn check_fault(name: &str, (class, detail): (FaultClass, String), expected: FaultClass, line: &str) {
    assert_eq!(class, expected, "{name}: {detail}");
    assert!(detail == line || line.is_empty(), "{name}: {detail}");
}

fn check_shots(name: &str, bot: &Bot, expected: &[Option<(u8, u8)>; 3]) {
    let mut player = bot.player(1);
    deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    for (turn, expected) in (1..).zip(expected) {
        let reply = play(&mut player, turn, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(reply.answer, expected.map(Coord::from), "{name}, turn {turn}");
    }
    assert!(player.log().len() < sandbox().limits().log_bytes_max + 100, "{name}");
}
