;; Recurses without end in `play` and reads the clock at each level. Its frames are large, so that its fuel lasts until the stack overflows.
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(func $dive (result i64) (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
    (i64.add (call $now) (call $dive)))
(func $play (param $args i32) (result i32)
    (i32.wrap_i64 (call $dive)))
