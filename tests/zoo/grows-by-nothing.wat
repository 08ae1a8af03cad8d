;; Grows its memory by no page, again and again, in `play`: much host time for little of its own.
(func $play (param $args i32) (result i32)
    (loop $again
        (drop (memory.grow (i32.const 0)))
        (br $again))
    (unreachable))
