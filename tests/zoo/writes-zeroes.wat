;; Asks the host to write 2^64 - 1 zero bytes to standard error in `play`.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-zeroes-and-flush"
    (func $zeroes (param i32 i64 i32)))
(func $play (param $args i32) (result i32)
    (call $zeroes (call $stderr) (i64.const -1) (i32.const 16))
    (call $sweep (local.get $args)))
