;; Answers `play` with an option that is neither `some` nor `none`.
(func $play (param $args i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 7))
    (i32.const 0))
