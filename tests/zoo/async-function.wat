;; Defines an asynchronous function.
(component
    (core module $code (func (export "play")))
    (core instance $instance (instantiate $code))
    (func $play (canon lift (core func $instance "play") async)))
