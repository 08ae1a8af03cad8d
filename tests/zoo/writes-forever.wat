;; Writes single bytes to standard error in an endless loop in `play`.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
(func $play (param $args i32) (result i32)
    (local $stream i32)
    (local.set $stream (call $stderr))
    (loop $more
        (call $write (local.get $stream) (i32.const 64) (i32.const 1) (i32.const 16))
        (br $more))
    (unreachable))
