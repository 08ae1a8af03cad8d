;; Exports a later version of the bot interface.
(component
    (core module $code (func (export "play")))
    (core instance $instance (instantiate $code))
    (func $play (canon lift (core func $instance "play")))
    (instance $bot (export "play" (func $play)))
    (export "arena:battleship/bot@0.9.0" (instance $bot)))
