;; Always shoots at the top left cell.
(func $play (param $args i32) (result i32)
    (call $spot (i32.const 0) (i32.const 0)))
