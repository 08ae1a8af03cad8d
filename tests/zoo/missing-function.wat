;; Exports the bot interface without its functions.
(component
    (core module $code (func (export "play")))
    (core instance $instance (instantiate $code))
    (func $play (canon lift (core func $instance "play")))
    (instance $bot (export "spare" (func $play)))
    (export "arena:battleship/bot@0.1.0" (instance $bot)))
