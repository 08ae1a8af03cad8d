;; Deploys a list outside its memory.
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 0x7fff0000) (i32.const 10)))
