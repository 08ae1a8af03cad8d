;; Uses an atomic instruction, which belongs to the threads feature.
(func $play (param $args i32) (result i32)
    (drop (i32.atomic.rmw.add (i32.const 2048) (i32.const 1)))
    (call $sweep (local.get $args)))
