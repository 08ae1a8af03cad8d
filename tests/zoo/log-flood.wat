;; Writes 4 KiB to standard error a hundred times in each call of `play`.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
(func $play (param $args i32) (result i32)
    (local $left i32) (local $stream i32)
    (local.set $stream (call $stderr))
    (memory.fill (i32.const 8192) (i32.const 0x61) (i32.const 4096))
    (local.set $left (i32.const 100))
    (loop $more
        (call $write (local.get $stream) (i32.const 8192) (i32.const 4096) (i32.const 16))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $more (local.get $left)))
    (call $sweep (local.get $args)))
(import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
