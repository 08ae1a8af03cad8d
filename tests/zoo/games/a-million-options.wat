;; They are in the memory: forty bytes each.
(memory $memory 700)
(func $describe (result i32)
    (call $text (i32.const 1024) (i32.const 64) (i32.const 7))
    (call $text (i32.const 1032) (i32.const 80) (i32.const 5))
    (call $text (i32.const 1040) (i32.const 131072) (i32.const 1000000))
    (call $text (i32.const 1048) (i32.const 1152) (i32.const 0))
    (i32.const 1024))
