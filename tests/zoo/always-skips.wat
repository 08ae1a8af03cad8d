;; Skips every turn.
(func $play (param $args i32) (result i32)
    (call $skip))
