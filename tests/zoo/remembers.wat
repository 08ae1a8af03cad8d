;; Counts its calls in memory and in a global, traps if they differ, and shoots at the cell of that number.
(global $calls (mut i32) (i32.const 0))
(func $play (param $args i32) (result i32)
    (local $cell i32)
    (local.set $cell (i32.load (i32.const 2048)))
    (if (i32.ne (local.get $cell) (global.get $calls))
        (then (unreachable)))
    (i32.store (i32.const 2048) (i32.add (local.get $cell) (i32.const 1)))
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (call $spot
        (i32.div_u (local.get $cell) (i32.const 10))
        (i32.rem_u (local.get $cell) (i32.const 10))))
