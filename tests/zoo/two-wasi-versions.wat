;; Reads the resolution of the clock through two releases of WASI, and traps unless they agree.
(outer
    (import "wasi:clocks/monotonic-clock@0.2.0" (instance $old (export "resolution" (func (result u64)))))
    (import "wasi:clocks/monotonic-clock@0.2.3" (instance $new (export "resolution" (func (result u64)))))
    (core func $of-old (canon lower (func $old "resolution")))
    (core func $of-new (canon lower (func $new "resolution")))
    (core instance $own (export "old" (func $of-old)) (export "new" (func $of-new))))
(import "own" "old" (func $old (result i64)))
(import "own" "new" (func $new (result i64)))
(func $play (param $args i32) (result i32)
    (if (i64.ne (call $old) (call $new)) (then (unreachable)))
    (call $sweep (local.get $args)))
