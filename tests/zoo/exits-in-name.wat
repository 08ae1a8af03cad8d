;; Exits with code 42 in `name`.
(import "wasi:cli/exit@0.2.12" "exit-with-code" (func $exit (param i32)))
(func $name (result i32)
    (call $exit (i32.const 42))
    (unreachable))
