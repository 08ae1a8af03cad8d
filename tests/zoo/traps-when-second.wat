;; Traps in its first turn if the opponent has already shot, and behaves like the sweeper otherwise.
(func $play (param $args i32) (result i32)
    (if (i32.and
            (i32.eq (i32.load offset=40 (local.get $args)) (i32.const 1))
            (i32.load8_u offset=60 (local.get $args)))
        (then (unreachable)))
    (call $sweep (local.get $args)))
