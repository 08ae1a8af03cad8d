;; Asks for 2^40 random bytes in `play`.
(import "wasi:random/random@0.2.12" "get-random-bytes" (func $bytes (param i64 i32)))
(func $play (param $args i32) (result i32)
    (call $bytes (i64.const 0x10000000000) (i32.const 16))
    (call $sweep (local.get $args)))
