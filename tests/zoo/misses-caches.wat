;; Loads from addresses all over 32 MiB of memory in `play`; each address depends on the previous load.
(memory $memory 1000)
(func $play (param $args i32) (result i32)
    (local $x i32) (local $page i32)
    ;; Pages that were never written to would all be the same page of zeros, which stays in the cache.
    (local.set $page (i32.const 8192))
    (loop $next
        (i32.store (local.get $page) (i32.const 0))
        (local.set $page (i32.add (local.get $page) (i32.const 4096)))
        (br_if $next (i32.lt_u (local.get $page) (i32.const 0x2002000))))
    (loop $again
        ;; The loaded value is 0. It is added so that no load can begin before the previous one has ended.
        (local.set $x (i32.add
            (i32.mul (local.get $x) (i32.const 1664525))
            (i32.add (i32.const 1013904223)
                (i32.load offset=8192 (i32.and (i32.shr_u (local.get $x) (i32.const 6)) (i32.const 0x1fffffc))))))
        (br $again))
    (unreachable))
