;; Creates a TCP socket in `play`.
(import "wasi:sockets/tcp-create-socket@0.2.12" "create-tcp-socket" (func $create (param i32 i32)))
(func $play (param $args i32) (result i32)
    (call $create (i32.const 0) (i32.const 16))
    (call $sweep (local.get $args)))
