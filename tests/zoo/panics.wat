;; Prints its reason as a panicking Rust program does, and traps.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
(data $message (i32.const 8192) "\0athread 'main' panicked at src/lib.rs:10:5:\0ano \1b[31mspot\1b[0m left\0anote: run with")
(func $play (param $args i32) (result i32)
    (call $write (call $stderr) (i32.const 8192) (i32.const 83) (i32.const 16))
    (unreachable))
