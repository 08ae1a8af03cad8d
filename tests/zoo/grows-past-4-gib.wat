;; Grows its memory beyond the 4 GiB that 32-bit addresses reach.
(func $play (param $args i32) (result i32)
    (drop (memory.grow (i32.const 65536)))
    (call $sweep (local.get $args)))
