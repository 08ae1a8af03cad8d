;; Shoots at cells drawn from WASI's random numbers.
(import "wasi:random/random@0.2.12" "get-random-u64" (func $random (result i64)))
(func $play (param $args i32) (result i32)
    (local $cell i32)
    (local.set $cell (i32.wrap_i64 (i64.rem_u (call $random) (i64.const 100))))
    (call $spot
        (i32.div_u (local.get $cell) (i32.const 10))
        (i32.rem_u (local.get $cell) (i32.const 10))))
