;; Drops a handle that it does not have in its start function.
(import "wasi:io/streams@0.2.12" "[resource-drop]output-stream" (func $drop-stream (param i32)))
(func $begin
    (call $drop-stream (i32.const 99)))
(start $begin)
