;; Divides by zero in `play`.
(func $play (param $args i32) (result i32)
    (i32.div_u (i32.const 1) (i32.load8_u offset=66 (local.get $args))))
