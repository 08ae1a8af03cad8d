;; Drops the same stream twice in `play`.
(import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
(import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
(func $play (param $args i32) (result i32)
    (local $stream i32)
    (local.set $stream (call $stdout))
    (call $drop-stream (local.get $stream))
    (call $drop-stream (local.get $stream))
    (call $sweep (local.get $args)))
