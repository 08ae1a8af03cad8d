;; Traps in `name`.
(func $name (result i32)
    (unreachable))
