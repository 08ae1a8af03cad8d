;; Has a name of a million bytes.
(memory $memory 32)
(func $name (result i32)
    (call $pair (i32.const 4096) (i32.const 1000000)))
