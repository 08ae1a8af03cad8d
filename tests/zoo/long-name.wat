;; Has a name of 200 letters.
(func $name (result i32)
    (memory.fill (i32.const 4096) (i32.const 0x61) (i32.const 200))
    (call $pair (i32.const 4096) (i32.const 200)))
