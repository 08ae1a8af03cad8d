;; Deploys ten thousand ships.
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 8192) (i32.const 10000)))
