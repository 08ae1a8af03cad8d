;; Writes to a pollable as if it were a stream in `play`.
(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.write" (func $write (param i32 i32 i32 i32)))
(func $play (param $args i32) (result i32)
    (call $write (call $after (i64.const 1)) (i32.const 64) (i32.const 11) (i32.const 16))
    (call $sweep (local.get $args)))
