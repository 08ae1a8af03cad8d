;; Drops a handle that it does not have in `play`.
(import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
(func $play (param $args i32) (result i32)
    (call $drop-stream (i32.const 99))
    (call $sweep (local.get $args)))
