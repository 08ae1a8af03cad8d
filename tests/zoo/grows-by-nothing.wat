;; Grows its memory by zero pages in an endless loop in `play`: much host time for few instructions.
(func $play (param $args i32) (result i32)
    (loop $again
        (drop (memory.grow (i32.const 0)))
        (br $again))
    (unreachable))
