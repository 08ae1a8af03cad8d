;; Burns ninety-nine hundredths of its budget in each turn, by the clock, and then shoots well.
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(func $play (param $args i32) (result i32)
    (local $end i64)
    ;; A unit of fuel is ten nanoseconds on this clock.
    (local.set $end (i64.add (call $now) (i64.div_u
        (i64.mul (i64.load offset=24 (local.get $args)) (i64.const 99))
        (i64.const 10))))
    (loop $wait
        (br_if $wait (i64.lt_u (call $now) (local.get $end))))
    (call $sweep (local.get $args)))
