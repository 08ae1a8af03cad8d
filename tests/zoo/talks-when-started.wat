;; Prints without end in `_initialize`, before any other function of it is called.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
(func $start
    (local $stream i32)
    (local.set $stream (call $stderr))
    (loop $more
        (call $write (local.get $stream) (i32.const 64) (i32.const 11) (i32.const 16))
        (br $more)))
(export "_initialize" (func $start))
