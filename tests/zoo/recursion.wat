;; Recurses without end in `play`.
(func $deeper (param $depth i32) (result i32)
    (i32.add (call $deeper (i32.add (local.get $depth) (i32.const 1))) (local.get $depth)))
(func $play (param $args i32) (result i32)
    (call $deeper (i32.const 0)))
