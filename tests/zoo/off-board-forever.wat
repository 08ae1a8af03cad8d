;; Answers every call of `play` with a cell off the board.
(func $play (param $args i32) (result i32)
    (call $spot (i32.const 200) (i32.const 200)))
