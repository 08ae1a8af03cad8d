;; Fills, copies and grows its tables in an endless loop in `play`.
(table $one 10000 funcref)
(table $two 10000 funcref)
(elem declare func $play)
(func $play (param $args i32) (result i32)
    (loop $again
        (table.fill $one (i32.const 0) (ref.func $play) (i32.const 10000))
        (table.copy $two $one (i32.const 0) (i32.const 0) (i32.const 10000))
        (drop (table.grow $two (ref.null func) (i32.const 0)))
        (br $again))
    (unreachable))
