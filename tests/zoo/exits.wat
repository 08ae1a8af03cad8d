;; Exits with a failure in `play`.
(import "wasi:cli/exit@0.2.12" "exit" (func $exit (param i32)))
(func $play (param $args i32) (result i32)
    (call $exit (i32.const 1))
    (unreachable))
