;; Reads a file through a handle that it was never given in `play`.
(import "wasi:filesystem/types@0.2.12" "[method]descriptor.read-via-stream" (func $read (param i32 i64 i32)))
(func $play (param $args i32) (result i32)
    (call $read (i32.const 3) (i64.const 0) (i32.const 16))
    (call $sweep (local.get $args)))
