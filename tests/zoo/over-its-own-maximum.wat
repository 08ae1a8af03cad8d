;; Grows its memory and its table beyond their own maximum in `play`, and traps unless both attempts fail.
(memory $memory 1 1)
(table $table 1 1 funcref)
(func $play (param $args i32) (result i32)
    (if (i32.ne (memory.grow (i32.const 1)) (i32.const -1)) (then (unreachable)))
    (if (i32.ne (table.grow $table (ref.null func) (i32.const 1)) (i32.const -1)) (then (unreachable)))
    (call $sweep (local.get $args)))
