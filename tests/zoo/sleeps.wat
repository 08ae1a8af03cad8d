;; Sleeps for a century in `play`.
(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
(import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
(func $play (param $args i32) (result i32)
    (call $block (call $after (i64.const 3155760000000000000)))
    (call $sweep (local.get $args)))
