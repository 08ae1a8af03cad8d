;; Exports an interface that is not a bot's.
(component
    (core module $code (func (export "greet")))
    (core instance $instance (instantiate $code))
    (func $greet (canon lift (core func $instance "greet")))
    (instance $greeter (export "greet" (func $greet)))
    (export "example:hello/greeter@1.0.0" (instance $greeter)))
