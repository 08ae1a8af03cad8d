;; Recurses without end in `play` and reads the clock at each level.
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(func $dive (result i64)
    (i64.add (call $now) (call $dive)))
(func $play (param $args i32) (result i32)
    (i32.wrap_i64 (call $dive)))
