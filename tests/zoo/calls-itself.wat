;; Calls one of its own functions through its component in `play`.
(outer
    (core module $part (func (export "answer") (result i32) (i32.const 42)))
    (core instance $part (instantiate $part))
    (func $lifted (result u32) (canon lift (core func $part "answer")))
    (core func $answer (canon lower (func $lifted)))
    (core instance $own (export "answer" (func $answer))))
(import "own" "answer" (func $answer (result i32)))
(func $play (param $args i32) (result i32)
    (drop (call $answer))
    (call $sweep (local.get $args)))
