;; Deploys a list that lies within its memory and is far too long.
(memory $memory 512)
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 4096) (i32.const 10000000)))
