;; Exports the bot interface of an unknown game.
(component
    (core module $code (func (export "play")))
    (core instance $instance (instantiate $code))
    (func $play (canon lift (core func $instance "play")))
    (instance $bot (export "play" (func $play)))
    (export "arena:chess/bot@0.1.0" (instance $bot)))
