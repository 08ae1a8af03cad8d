;; Imports a WASI function with a wrong type.
(component
    (import "wasi:random/random@0.2.12" (instance $random (export "get-random-u64" (func (result string)))))
    (core module $code (func (export "name")))
    (core instance $instance (instantiate $code))
    (func $name (canon lift (core func $instance "name")))
    (instance $bot (export "name" (func $name)))
    (export "arena:battleship/bot@0.1.0" (instance $bot)))
