;; Takes random bytes in an endless loop in `play`, and grows its memory by zero pages in each `cabi_realloc`.
(import "wasi:random/random@0.2.12" "get-random-bytes" (func $bytes (param i64 i32)))
(memory $memory 4)
(func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (drop (memory.grow (i32.const 0)))
    (i32.const 65536))
(func $play (param $args i32) (result i32)
    (loop $again
        (call $bytes (i64.const 60000) (i32.const 16))
        (br $again))
    (unreachable))
