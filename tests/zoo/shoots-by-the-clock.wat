;; Shoots at cells given by the low digits of the monotonic clock.
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(func $play (param $args i32) (result i32)
    (local $cell i32)
    (local.set $cell (i32.wrap_i64 (i64.rem_u (call $now) (i64.const 100))))
    (call $spot
        (i32.div_u (local.get $cell) (i32.const 10))
        (i32.rem_u (local.get $cell) (i32.const 10))))
