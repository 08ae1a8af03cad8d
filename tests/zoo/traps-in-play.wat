;; Traps in `play`.
(func $play (param $args i32) (result i32)
    (unreachable))
