;; Exports the bot interface with functions of wrong types.
(component
    (core module $code (func (export "number") (result i32) (i32.const 7)))
    (core instance $instance (instantiate $code))
    (func $number (result u32) (canon lift (core func $instance "number")))
    (instance $bot
        (export "name" (func $number))
        (export "deploy" (func $number))
        (export "play" (func $number)))
    (export "arena:battleship/bot@0.1.0" (instance $bot)))
