;; Fills 60 MiB of memory in an endless loop in `play`.
(memory $memory 1000)
(func $play (param $args i32) (result i32)
    (loop $again
        (memory.fill (i32.const 4096) (i32.const 1) (i32.const 62914560))
        (br $again))
    (unreachable))
