;; Writes a megabyte to standard error in one call in `play`.
(memory $memory 32)
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
(func $play (param $args i32) (result i32)
    (call $write (call $stderr) (i32.const 4096) (i32.const 1000000) (i32.const 16))
    (call $sweep (local.get $args)))
