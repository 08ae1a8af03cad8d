;; Grows its memory in `play` over a maximum that it set itself.
(memory $memory 1 1)
(func $play (param $args i32) (result i32)
    (drop (memory.grow (i32.const 1)))
    (call $sweep (local.get $args)))
