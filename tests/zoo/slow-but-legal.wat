;; Uses 99 % of its fuel in each turn, measured by the clock, and then behaves like the sweeper.
(import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
(func $play (param $args i32) (result i32)
    (local $end i64)
    ;; One unit of fuel advances this clock by ten nanoseconds.
    (local.set $end (i64.add (call $now) (i64.div_u
        (i64.mul (i64.load offset=24 (local.get $args)) (i64.const 99))
        (i64.const 10))))
    (loop $wait
        (br_if $wait (i64.lt_u (call $now) (local.get $end))))
    (call $sweep (local.get $args)))
