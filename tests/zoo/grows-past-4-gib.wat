;; Asks for more memory than 32-bit addresses reach.
(func $play (param $args i32) (result i32)
    (drop (memory.grow (i32.const 65536)))
    (call $sweep (local.get $args)))
