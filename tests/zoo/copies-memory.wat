;; Copies 30 MiB of memory to an odd address in an endless loop in `play`.
(memory $memory 1000)
(func $play (param $args i32) (result i32)
    (loop $again
        (memory.copy (i32.const 4097) (i32.const 31461376) (i32.const 31457280))
        (br $again))
    (unreachable))
