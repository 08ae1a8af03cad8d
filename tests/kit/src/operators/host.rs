//! Calls of the host's functions, through the canonical ABI.

use super::Case;

/// Calls of the host's functions.
pub(super) fn cases() -> Vec<Case> {
    const CALLS: &[(&str, &str, &str)] = &[
        ("wasi:clocks/wall-clock now", "(param i32)", "(call $host (i32.const 16))"),
        ("wasi:clocks/monotonic-clock now", "(result i64)", "(drop (call $host))"),
        ("wasi:random/random get-random-u64", "(result i64)", "(drop (call $host))"),
        (
            "wasi:random/random get-random-bytes",
            "(param i64 i32)",
            "(call $host (i64.const 16) (i32.const 16))",
        ),
        (
            "wasi:random/random get-random-bytes",
            "(param i64 i32)",
            "(call $host (i64.const 65536) (i32.const 16))",
        ),
        ("wasi:random/insecure get-insecure-random-u64", "(result i64)", "(drop (call $host))"),
        ("wasi:random/insecure-seed insecure-seed", "(param i32)", "(call $host (i32.const 16))"),
        ("wasi:cli/environment get-environment", "(param i32)", "(call $host (i32.const 16))"),
        ("wasi:cli/terminal-stdout get-terminal-stdout", "(param i32)", "(call $host (i32.const 16))"),
        ("wasi:filesystem/preopens get-directories", "(param i32)", "(call $host (i32.const 16))"),
    ];
    let realloc = "(memory $memory 4)
        (func $realloc (param i32 i32 i32 i32) (result i32) (i32.const 65536))";
    let mut cases: Vec<Case> = CALLS
        .iter()
        .map(|(name, ty, body)| {
            let (interface, function) = name.split_once(' ').expect("a name has two words");
            let import = format!("(import \"{interface}@0.2.12\" \"{function}\" (func $host {ty}))");
            Case::new(
                "call",
                format!("of the host: {name} {}", body.len()),
                &format!("{import}{realloc}"),
                "",
                body,
            )
        })
        .collect();
    let stream = "
        (import \"wasi:cli/stderr@0.2.12\" \"get-stderr\" (func $stderr (result i32)))
        (import \"wasi:io/streams@0.2.12\" \"[resource-drop]output-stream\" (func $drop-stream (param i32)))
        (import \"wasi:io/streams@0.2.12\" \"[method]output-stream.check-write\" (func $check (param i32 i32)))
        (import \"wasi:io/streams@0.2.12\" \"[method]output-stream.subscribe\" (func $subscribe (param i32) (result i32)))
        (import \"wasi:io/poll@0.2.12\" \"[resource-drop]pollable\" (func $drop-poll (param i32)))
        (import \"wasi:io/poll@0.2.12\" \"poll\" (func $poll (param i32 i32 i32)))
        (import \"wasi:io/streams@0.2.12\" \"[method]output-stream.blocking-write-and-flush\"
            (func $write (param i32 i32 i32 i32)))
        (import \"wasi:io/streams@0.2.12\" \"[method]output-stream.write-zeroes\"
            (func $write-zeroes (param i32 i64 i32)))
        (import \"wasi:clocks/monotonic-clock@0.2.12\" \"subscribe-duration\"
            (func $sleep (param i64) (result i32)))";
    let start = "(local $stream i32) (local $poll i32) (local.set $stream (call $stderr))
        (local.set $poll (call $subscribe (local.get $stream)))";
    for (how, body) in [
        ("a stream made and dropped", "(call $drop-stream (call $stderr))"),
        ("a stream asked for its room", "(call $check (local.get $stream) (i32.const 16))"),
        ("a pollable made and dropped", "(call $drop-poll (call $subscribe (local.get $stream)))"),
        ("a byte written", "(call $write (local.get $stream) (i32.const 64) (i32.const 1) (i32.const 16))"),
        ("4 KiB written", "(call $write (local.get $stream) (i32.const 64) (i32.const 4096) (i32.const 16))"),
        (
            "65,535 bytes written",
            "(call $write (local.get $stream) (i32.const 64) (i32.const 65535) (i32.const 16))",
        ),
        (
            "lines without text written, 4,096 of them",
            "(memory.fill (i32.const 131072) (i32.const 10) (i32.const 4096))
             (call $write (local.get $stream) (i32.const 131072) (i32.const 4096) (i32.const 16))",
        ),
        (
            "zeroes written, as many as there can be",
            "(call $write-zeroes (local.get $stream) (i64.const 0xffffffffffff) (i32.const 16))",
        ),
        ("a sleep begun and forgotten", "(call $drop-poll (call $sleep (i64.const 1)))"),
        (
            "a pollable polled 250 times at once",
            "(call $fill (local.get $poll))
             (call $poll (i32.const 131072) (i32.const 250) (i32.const 16))",
        ),
        (
            "a pollable polled 100 times at once",
            "(call $fill (local.get $poll))
             (call $poll (i32.const 131072) (i32.const 100) (i32.const 16))",
        ),
    ] {
        let fill = "(func $fill (param $poll i32) (local $at i32)
            (local.set $at (i32.const 131072))
            (if (i32.eqz (global.get $filled)) (then
                (loop $next
                    (i32.store (local.get $at) (local.get $poll))
                    (local.set $at (i32.add (local.get $at) (i32.const 4)))
                    (br_if $next (i32.lt_u (local.get $at) (i32.const 135172))))
                (global.set $filled (i32.const 1)))))
            (global $filled (mut i32) (i32.const 0))";
        cases.push(Case::new(
            "call",
            format!("of the host: {how}"),
            &format!("{stream}{realloc}{fill}"),
            start,
            body,
        ));
    }
    cases.extend(lists());
    cases.extend(called_by_the_host());
    cases
}

/// Functions that the host calls for a bot's answers and lists, which do not end.
fn called_by_the_host() -> [Case; 2] {
    let work = "(loop $again (global.set $work (i64.add (global.get $work) (i64.const 1))) (br $again))";
    let parts = "(global $work (mut i64) (i64.const 0)) (global $deployed (mut i32) (i32.const 0))";
    let case = |how: &str, functions: &str| Case::of_text("loop", how, format!("{parts} {functions}"));
    [
        case(
            "in a post-return function",
            &format!(
                "(func $play (param i32) (result i32) (call $skip)) (func $play-post (param i32) {work})"
            ),
        ),
        case(
            "in `cabi_realloc`",
            &format!(
                "{} (func $set-up (global.set $deployed (i32.const 1)))
                 (func $realloc (param i32 i32 i32 i32) (result i32)
                    (if (global.get $deployed) (then {work})) (i32.const 4096))",
                super::DEPLOY
            ),
        ),
    ]
}

/// Lists that the host returns into room that the bot makes for them: each time in another place, which is in no cache.
fn lists() -> Vec<Case> {
    let import = "(import \"wasi:random/random@0.2.12\" \"get-random-bytes\" (func $host (param i64 i32)))";
    let realloc = "(memory $memory 1000)
        (global $room (mut i32) (i32.const 65536))
        (func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
            (local $at i32)
            (local.set $at (global.get $room))
            (global.set $room (i32.add (i32.rem_u (local.get $at) (i32.const 65000000)) (i32.const 69640)))
            (local.get $at))";
    [0, 1, 4_096, 65_535]
        .into_iter()
        .map(|bytes| {
            let body = format!("(call $host (i64.const {bytes}) (i32.const 16))");
            let how = format!("of the host, which returns {bytes} bytes to a new place");
            Case::new("call", how, &format!("{import}{realloc}"), "", &body).with_pages()
        })
        .collect()
}
