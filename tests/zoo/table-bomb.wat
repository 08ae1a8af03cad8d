;; Grows a table without end in `play` and ignores failures.
(table $references 1 funcref)
(func $play (param $args i32) (result i32)
    (loop $more
        (drop (table.grow $references (ref.null func) (i32.const 4096)))
        (br $more))
    (unreachable))
