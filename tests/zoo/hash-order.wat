;; Shoots at the unknown cell that comes first in the order of a hash map seeded by WASI.
(import "wasi:random/insecure-seed@0.2.12" "insecure-seed" (func $hash-seed (param i32)))
(func $hash (param $cell i32) (result i64)
    (i64.rotl
        (i64.mul
            (i64.add (i64.extend_i32_u (local.get $cell)) (i64.load (i32.const 16)))
            (i64.or (i64.load (i32.const 24)) (i64.const 1)))
        (i64.const 32)))
(func $play (param $args i32) (result i32)
    (local $cell i32) (local $first i32) (local $least i64)
    (call $hash-seed (i32.const 16))
    (local.set $first (i32.const -1))
    (loop $next
        (if (i32.and
                (i32.eqz (i32.load8_u (i32.add (i32.load offset=52 (local.get $args)) (local.get $cell))))
                (i32.or
                    (i32.eq (local.get $first) (i32.const -1))
                    (i64.lt_u (call $hash (local.get $cell)) (local.get $least))))
            (then
                (local.set $first (local.get $cell))
                (local.set $least (call $hash (local.get $cell)))))
        (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $cell) (i32.load offset=56 (local.get $args)))))
    (call $spot
        (i32.div_u (local.get $first) (i32.const 10))
        (i32.rem_u (local.get $first) (i32.const 10))))
