;; Asks for the network in `play`.
(import "wasi:sockets/instance-network@0.2.12" "instance-network" (func $network (result i32)))
(func $play (param $args i32) (result i32)
    (drop (call $network))
    (call $sweep (local.get $args)))
