;; Answers `deploy` with a pointer that is not aligned.
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (i32.const 3))
