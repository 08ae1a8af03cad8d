;; Moves seventeen values with each branch back to a loop.
(func $play (param $args i32) (result i32)
    (i64.const 0) (i64.const 1) (i64.const 2) (i64.const 3) (i64.const 4) (i64.const 5) (i64.const 6) (i64.const 7) (i64.const 8)
    (i64.const 0) (i64.const 1) (i64.const 2) (i64.const 3) (i64.const 4) (i64.const 5) (i64.const 6) (i64.const 7)
    (loop $again (param i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
        (i64.const 1)
        (br $again))
    (unreachable))
