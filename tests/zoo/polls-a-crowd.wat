;; Polls the same pollable ten thousand times in one call in `play`.
(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
(import "wasi:io/poll@0.2.12" "poll" (func $poll (param i32 i32 i32)))
(func $play (param $args i32) (result i32)
    (local $at i32) (local $handle i32)
    (local.set $handle (call $after (i64.const 1)))
    (local.set $at (i32.const 8192))
    (loop $next
        (i32.store (local.get $at) (local.get $handle))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 48192))))
    (call $poll (i32.const 8192) (i32.const 10000) (i32.const 16))
    (call $sweep (local.get $args)))
